/** Micatio's table: the plain one, with hands on the tiles that show fingers and on the plates. */

import { h } from "/js/dom.js";
import { splitTouch } from "/js/match/trie.js";
import { Generic } from "/js/titles/generic.js";

const HAND = 5; // fingers

/** A hand that shows so many fingers. @param {number} number */
export const hand = (number) =>
  h(
    "span.fingers",
    { "aria-hidden": "true" },
    Array.from({ length: HAND }, (_, k) => h(k < number ? "i.up" : "i")),
  );

/** @typedef {import("./view.d.ts").View} View */

class Hands extends Generic {
  /**
   * Hands that were turned up lie there until the next stake is set.
   * @param {View} view @param {{table: import("/js/match/model.js").Table}} context
   */
  update(view, context) {
    super.update(view, context);
    if (!["stake", "tie", "ended"].includes(view.prompt)) return;
    view.board.shown.forEach((number, seat) => {
      if (number) this.seats.children[seat]?.append(h("div.opened", null, hand(number)));
    });
  }

  /** @param {string} touch */
  face(touch) {
    const [kind, number] = splitTouch(touch);
    return kind === "fingers" ? hand(Number(number)) : null;
  }
}

/** @type {import("/js/titles/index.js").Draw<import("./view.d.ts").View>} */
export const draw = (title) => new Hands(title);
