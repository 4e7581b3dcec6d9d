/** A match that the present rules cannot play again: its record as it was written, and its file. */

import { get } from "../api.js";
import { fillWith, h, icon } from "../dom.js";
import { t } from "../words.js";

/** @param {HTMLElement} host @param {string} id */
export async function storedRecord(host, id) {
  const path = `/api/matches/${encodeURIComponent(id)}`;
  const list = h("ol.stored");
  fillWith(
    host,
    h(
      "div.nothing",
      null,
      h("h1", null, t("stored.title")),
      h("p", null, t("stored.help")),
      h("a.button.primary", { href: `${path}/file`, download: "" }, icon("file"), t("file")),
      list,
      h("a.button", { href: "/", "data-go": "" }, t("home")),
    ),
  );
  for (let since = 0, last = 1; since < last;) {
    const told = await get(`${path}/entries?since=${since}`);
    if (!told.entries.length) return;
    list.append(
      ...told.entries.map((/** @type {{n: number, who: number | string, text: string}} */ row) =>
        h("li", { value: row.n }, `${row.who}: ${row.text}`),
      ),
    );
    since += told.entries.length;
    last = told.last;
  }
}
