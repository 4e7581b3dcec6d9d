/**
 * A deal between two seats, in one dialogue: what the game itself lets them trade, which the drawing of the
 * title asks for, and peace for some rounds.  The game carries its part out; peace is a word that binds
 * nobody.
 */

import { fillWith, h } from "../dom.js";
import { seatName, t } from "../words.js";
import { dialog } from "./info.js";

/** @typedef {import("./model.js").Peace} Peace */
/** @typedef {import("./model.js").Seat} Seat */
/**
 * The part of the game: what is asked for it, and the actions that offer it; none while nothing is offered.
 * @typedef {{el: HTMLElement, actions: () => Promise<string[]>}} Bargain
 */
/**
 * @typedef {{seats: Seat[], peace: boolean, to?: number, first?: string, answers?: Peace,
 *   bargain: (to: number, first: string) => Bargain | null,
 *   send: (to: number, rounds: number, actions: string[]) => Promise<string>}} Wish
 *   `seats`: with whom; `peace`: whether it can be given; `to`, `first`: with whom and by which action it
 *   begins; `answers`: the offer in whose place it comes; `send` says what is wrong, or nothing
 */

const MOST_ROUNDS = 20;

/** @param {Wish} wish */
export function openDeal({ seats, peace, to, first = "", answers, bargain, send }) {
  const whom = /** @type {HTMLSelectElement} */ (
    h(
      "select",
      { "aria-label": t("peace.with"), onchange: () => show("") },
      seats.map((seat) => h("option", { value: String(seat.seat) }, seatName(seat))),
    )
  );
  if (to !== undefined) whom.value = String(to);
  const rounds = /** @type {HTMLInputElement} */ (
    h("input.rounds", {
      type: "number",
      min: 0,
      max: MOST_ROUNDS,
      value: answers?.rounds ?? (first ? 0 : 3),
      "aria-label": t("peace.rounds"),
    })
  );
  const said = h("p.problem", { role: "alert" });
  const game = h("div.gamepart");
  /** @type {Bargain | null} */
  let part = null;
  const show = (/** @type {string} */ opening) => {
    part = bargain(Number(whom.value), opening);
    fillWith(game, part?.el ?? null);
  };
  const onsubmit = async (/** @type {Event} */ e) => {
    e.preventDefault();
    const actions = (await part?.actions()) ?? [];
    const n = peace ? Number(rounds.value) : 0;
    said.textContent = n || actions.length ? await send(Number(whom.value), n, actions) : t("deal.nothing");
    if (!said.textContent) sheet.close();
  };
  const sheet = dialog(
    t("deal"),
    [
      h("p", null, t("deal.help")),
      h(
        "form.deal",
        { onsubmit },
        h("label", null, t("peace.with"), whom),
        game,
        peace ? h("label", null, t("peace.rounds"), rounds) : null,
        said,
        h("button.primary", { type: "submit" }, t("peace.send")),
      ),
    ],
    ".narrow",
  );
  show(first);
}
