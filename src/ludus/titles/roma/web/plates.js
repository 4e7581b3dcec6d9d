/** The plates of both sides: name, points, money, cards, clock. */

import { fillWith, h, icon, still } from "/js/dom.js";
import { play as sound } from "/js/sound.js";

/** The plate of a side (0: ours) without anything on it yet. @param {number} side */
export function newPlate(side) {
  const name = h("span.who");
  const points = h("span.points", { "data-info": "points" });
  const money = h("span.money", { "data-info": "money" });
  const cards = h("span.cards", { "data-info": side ? "theirs" : "ours" });
  const clock = h("span.clock");
  const el = h(
    side ? "div.plate.them" : "div.plate.us",
    null,
    name,
    h("span.purse", null, points, money, cards),
    clock,
  );
  return { el, name, points, money, cards, clock };
}

/**
 * Write a number anew, if it is another one; it grows or shrinks for a moment.
 * @param {HTMLElement} el @param {number} n @param {HTMLElement | null} drawn @param {string} label
 * @param {string} symbol
 */
export function changeNumber(el, n, drawn, label, symbol) {
  const old = el.dataset.n;
  if (old === String(n)) return;
  el.dataset.n = String(n);
  fillWith(el, icon(symbol), h("b", { "aria-hidden": "true" }, n), drawn, h("span.sr", null, label));
  if (old !== undefined) {
    if (!still()) el.querySelector("b")?.animate([{}, { scale: n > Number(old) ? 1.5 : 0.7 }, {}], 700);
    if (symbol === "laurel") sound("coin");
  }
}

/** What a choice would add or take away. @param {HTMLElement} el @param {number} change */
export function delta(el, change) {
  if (!change) return;
  el.append(
    h(`span.delta.${change > 0 ? "plus" : "minus"}`, null, change > 0 ? `+${change}` : `−${-change}`),
  );
}
