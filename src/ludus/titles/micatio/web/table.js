/** Micatio's table: the plain one, with hands on the tiles that show fingers. */

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

class Hands extends Generic {
  /** @param {string} touch */
  face(touch) {
    const [kind, number] = splitTouch(touch);
    return kind === "fingers" ? hand(Number(number)) : null;
  }
}

/** @type {import("/js/titles/index.js").Draw<import("./view.d.ts").View>} */
export const draw = (title) => new Hands(title);
