/** Giving up: what it means is said before, and who has given up among several may watch. */

import { h } from "../dom.js";
import { t } from "../words.js";
import { dialog } from "./info.js";
import { outWindow } from "./out.js";

/**
 * What comes of it: the match ends; or only bots are left; or a bot plays on for me.
 * @param {import("./model.js").Model} model @returns {"two" | "bots" | "people"}
 */
function consequence({ table, yours }) {
  const seats = table?.seats ?? [];
  const playing = seats.filter(({ status }) => status !== "resigned" && status !== "forfeited");
  if (playing.length <= 2) return "two";
  return seats.some(({ kind, seat }) => kind !== "bot" && seat !== yours[0]) ? "people" : "bots";
}

/**
 * @param {import("./model.js").Model} model @param {number} seat
 * @param {(answer: any) => void} refused says why it was not done
 */
export function askToResign(model, seat, refused) {
  const what = consequence(model);
  const resign = async (/** @type {boolean} */ watch) => {
    sheet.close();
    const answer = await model.link.command({ do: "resign", seat, watch });
    if (!answer.ok) refused(answer);
    else if (what === "people" && !model.table?.same_screen) outWindow(t("resigned"), [t("out.help")]);
  };
  /** @param {string} spec @param {string} label @param {() => void} work */
  const button = (spec, label, work) => h(`button.${spec}`, { type: "button", onclick: work }, label);
  const sheet = dialog(
    t("resign.sure"),
    [
      h("p", null, t(`resign.${what}`)),
      h(
        "div.actions",
        null,
        button("primary.sure", t("resign"), () => resign(false)),
        what === "bots" ? button("secondary.watch", t("resign.watch"), () => resign(true)) : null,
        button("secondary", t("no"), () => sheet.close()),
      ),
    ],
    ".narrow",
  );
}
