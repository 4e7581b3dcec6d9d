/** Micatio's table: the plain one, with hands on the tiles that show fingers. */

import { h } from "/js/dom.js";
import { splitTouch } from "/js/match/trie.js";
import { Generic } from "/js/titles/generic.js";

const HAND = 5; // fingers

class Hands extends Generic {
  /** A hand that shows so many fingers. @param {string} touch */
  face(touch) {
    const [kind, number] = splitTouch(touch);
    if (kind !== "fingers") return null;
    return h(
      "span.fingers",
      { "aria-hidden": "true" },
      Array.from({ length: HAND }, (_, k) => h(k < Number(number) ? "i.up" : "i")),
    );
  }
}

/** @type {import("/js/titles/index.js").Draw<import("./view.d.ts").View>} */
export const draw = (title) => new Hands(title);
