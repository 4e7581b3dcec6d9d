/** Roma's pieces for its rules page. */

import { h } from "/js/dom.js";
import { labelOf } from "/js/words.js";
import { cardFace, dieFace, discFace, wreath } from "./pieces.js";

/** @param {string} id @param {import("/js/words.js").Title} title */
export function piece(id, title) {
  const [kind, name] = id.split(":");
  if (kind === "card") return cardFace(name, labelOf(title, "card", name), title.printed.cards[name]);
  if (kind === "disc") return discFace(name);
  if (kind === "die" || kind === "battle") return h(`span.flatdie.${kind}`, null, dieFace(Number(name)));
  if (kind === "points") return wreath();
  if (kind === "money") return h("span.price.loose", null, h("b", null, "HS"));
  return null;
}
