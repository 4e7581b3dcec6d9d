/** No line to the server: said, and left by itself as soon as there is one again. */

import { kept } from "../api.js";
import { fillWith, h } from "../dom.js";
import { hasWord, t } from "../words.js";

const LOOK = 10000; // milliseconds after which we look again

/** @param {HTMLElement} host */
export function offlinePage(host) {
  const back = () => location.reload();
  const look = () =>
    fetch("/healthz", { cache: "no-store" })
      .then((answer) => answer.ok && back())
      .catch(() => undefined);
  addEventListener("online", back);
  addEventListener("beforeunload", () => removeEventListener("online", back)); // whoever leaves is not held
  window.setInterval(look, LOOK);
  const said = (/** @type {string} */ key, /** @type {string} */ english) =>
    hasWord(key) ? t(key) : english;
  const along = h("p.along");
  kept("/taken")
    .then((found) => {
      if (found) fillWith(along, h("a.button.secondary", { href: "/puzzles" }, t("puzzles.along")));
    })
    .catch(() => undefined);
  fillWith(
    host,
    h("header.top", null, h("a.brand", { href: "/" }, "LVDVS")),
    h(
      "main.plainpage",
      { id: "main" },
      h(
        "div.nothing.offline",
        { role: "status" },
        h("h1", null, said("offline.title", "You are offline")),
        h("p", null, said("offline.help", "The server is not answering.")),
        h("button.primary", { type: "button", onclick: back }, said("tryagain", "Try again")),
        along,
      ),
    ),
  );
}
