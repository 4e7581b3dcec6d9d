/** Playing on from a moment of a match that is over: against a bot, or all sides oneself. */

import { h } from "../dom.js";
import { remember } from "../settings.js";
import { startMatch } from "../start.js";
import { botName, chosenLevel, loadTitle, seatName, t } from "../words.js";
import { dialog } from "./info.js";
import { beginStudy } from "./study.js";

/** @typedef {import("./model.js").Model} Model */
/** @typedef {import("../start.js").Wish} Wish */

/**
 * Ask how, and begin.
 * @param {Model} model @param {number} entry
 * @param {import("./study.js").Study | null} study to which the new match belongs
 */
export async function playOn(model, entry, study) {
  const table = model.table;
  if (!table) return;
  const title = await loadTitle(table.title);
  const problem = h("p.problem", { role: "alert", hidden: true });
  const level = /** @type {HTMLSelectElement} */ (
    h(
      "select",
      { id: "playon-level" },
      title.levels.map((bot) =>
        h("option", { value: bot, selected: bot === chosenLevel(table.title, title) }, botName(bot)),
      ),
    )
  );
  const side = /** @type {HTMLSelectElement} */ (
    h(
      "select",
      { id: "playon-side" },
      table.seats.map((seat) =>
        h("option", { value: seat.seat, selected: seat.seat === model.eye }, seatName(seat)),
      ),
    )
  );
  /** @param {(seat: {seat: number, name?: string}) => Wish} wish */
  const begin = async (wish) => {
    const seats = table.seats.map(wish);
    const start = { match: table.id, entry };
    try {
      await startMatch(table.title, seats, { options: table.options, start }, async (id) =>
        study?.add(id, entry),
      );
      sheet.close();
    } catch (error) {
      fail(error);
    }
  };
  /** @param {unknown} error */
  const fail = (error) => {
    problem.textContent = /** @type {Error} */ (error).message;
    problem.hidden = false;
  };
  const sheet = dialog(
    t("playon"),
    [
      h("p", null, t("playon.help", { n: entry })),
      h(
        "div.actions",
        null,
        h("label", { for: "playon-side" }, t("playon.side")),
        side,
        h("label", { for: "playon-level" }, t("playon.against")),
        level,
        h(
          "button.primary",
          {
            type: "button",
            onclick: () => {
              remember(`bot.${table.title}`, level.value);
              return begin(({ seat }) =>
                seat === Number(side.value) ? { kind: "me" } : { kind: "bot", bot: level.value },
              );
            },
          },
          t("playon.bot"),
        ),
      ),
      h(
        "div.actions",
        null,
        h(
          "button.secondary",
          {
            type: "button",
            onclick: () =>
              // whoever sat there is not here: the house calls the sides of one screen by its owner
              begin(({ seat }) => ({ kind: seat === Number(side.value) ? "me" : "screen" })),
          },
          t("playon.all"),
        ),
        study
          ? null
          : h(
              "button.secondary",
              { type: "button", onclick: () => beginStudy(table.id, entry).catch(fail) },
              t("study.begin"),
            ),
      ),
      problem,
    ],
    ".playon",
  );
}
