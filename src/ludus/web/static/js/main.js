/** The client begins here. */

import { askEarly, whoAmI } from "./api.js";
import { fillWith, h } from "./dom.js";
import { addIcons } from "./icons.js";
import { place, show, startRouter } from "./router.js";
import { apply } from "./settings.js";
import { loadWords, spoken, t } from "./words.js";

apply();
addIcons();
const host = /** @type {HTMLElement} */ (document.getElementById("app"));

place(/^\/$/, async () => (await import("./pages/home.js")).homePage(host));
place(/^\/new\/([a-z_0-9]+)$/, async (m) => (await import("./pages/setup.js")).setupPage(host, m[1]));
place(
  /^\/m\/([A-Za-z0-9_-]{1,40})$/,
  async (m) => new (await import("./pages/match.js")).MatchPage(m[1], host),
);
place(/^/, async () => (await import("./pages/setup.js")).nothing(host));

// Everything that the first page needs is asked for at once, not one after the other.
whoAmI().catch(() => undefined);
if (location.pathname === "/") askEarly(spoken("/api/titles"));
const title = document.querySelector("meta[name=ludus-title]")?.getAttribute("content");
if (title) {
  askEarly(spoken(`/api/titles/${title}`));
  if (!location.hash && !location.search) askEarly(spoken(location.pathname.replace("/m/", "/api/matches/")));
}
try {
  await loadWords();
  startRouter();
  await show();
} catch (error) {
  fillWith(
    host,
    h(
      "main.plainpage",
      { id: "main" },
      h(
        "div.nothing",
        null,
        h("h1", null, "Ludus"),
        h("p", null, t("offline") === "offline" ? "The server does not answer." : t("offline")),
        h("a.button.primary", { href: location.pathname }, "↻"),
      ),
    ),
  );
  throw error;
}
