/** Who has no turn to come any more is told so, once, in a window: what happened, and that one may watch. */

import { h, icon } from "../dom.js";
import { play as sound } from "../sound.js";
import { seatName, t } from "../words.js";
import { dialog } from "./info.js";

/**
 * @param {import("./model.js").Model} model @param {number} seat @param {string[]} lines what led to it
 */
export function tellOut(model, seat, lines) {
  const { table, yours } = model;
  const title =
    table && yours.length > 1 ? t("out.name", { name: seatName(table.seats[seat]) }) : t("out.title");
  sound("lose");
  return outWindow(title, [...lines, t("out.help")]);
}

/** A window for who only watches from now on. @param {string} title @param {string[]} lines */
export function outWindow(title, lines) {
  const watch = h(
    "button.primary",
    { type: "button", onclick: () => sheet.close() },
    icon("eye"),
    t("out.watch"),
  );
  const home = h("a.button.secondary", { href: "/", "data-go": "" }, icon("home"), t("out.leave"));
  const sheet = dialog(
    title,
    [...lines.map((line) => h("p", null, line)), h("div.actions", null, watch, home)],
    ".narrow.out",
  );
  return sheet;
}
