/** The client begins here. */

import { askEarly, whoAmI } from "./api.js";
import { fillWith, h } from "./dom.js";
import { addIcons } from "./icons.js";
import { homePage } from "./pages/home.js";
import { MatchPage } from "./pages/match.js";
import { nothing, setupPage } from "./pages/setup.js";
import { place, show, startRouter } from "./router.js";
import { apply } from "./settings.js";
import { lang, loadWords, t } from "./words.js";

apply();
addIcons();
const host = /** @type {HTMLElement} */ (document.getElementById("app"));

place(/^\/$/, () => homePage(host));
place(/^\/new\/([a-z_0-9]+)$/, (m) => setupPage(host, m[1]));
place(/^\/m\/([A-Za-z0-9_-]{1,40})$/, (m) => new MatchPage(m[1], host));
place(/^/, () => nothing(host));

// Everything that the first page needs is asked for at once, not one after the other.
whoAmI().catch(() => undefined);
if (location.pathname === "/") askEarly(`/api/titles?lang=${lang()}`);
try {
  await loadWords();
  startRouter();
  await show();
} catch (error) {
  fillWith(host, h("main.plainpage", { id: "main" }, h("div.nothing", null, h("h1", null, "Ludus"), h("p", null, t("offline") === "offline" ? "The server does not answer." : t("offline")), h("a.button.primary", { href: location.pathname }, "↻"))));
  throw error;
}
