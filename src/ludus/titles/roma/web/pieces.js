/** The things on Roma's table: cards, discs, dice, coins. */

import { h, pause, s, still } from "/js/dom.js";
import { EMBLEMS } from "./emblems.js";

/** The engraved emblem of a card. @param {string} name */
export function emblem(name) {
  const drawn = EMBLEMS[name];
  return s(
    "svg.emblem",
    { viewBox: "0 0 64 64", "aria-hidden": "true" },
    drawn?.f && s("path.wash", { d: drawn.f }),
    drawn && s("path.line", { d: drawn.l }),
    drawn?.t && s("path.hatch", { d: drawn.t }),
  );
}

const SHIELD = "M2 3C6 3.500 10 2.500 12 1C14 2.500 18 3.500 22 3V12C22 18 17 22 12 24C7 22 2 18 2 12Z";

/** The shield that shows a defence. @param {number} value @param {number} printed */
function shield(value, printed) {
  const change = value > printed ? ".up" : value < printed ? ".down" : "";
  return h(
    `span.shield${change}`,
    null,
    s("svg", { viewBox: "0 0 24 25", "aria-hidden": "true" }, s("path", { d: SHIELD })),
    h("b", null, value),
  );
}

/**
 * What is printed on a card; told by the server.
 * @typedef {{kind: "person" | "building", price: number, defence: number, dice: number, copies: number}}
 *   Print
 */

/**
 * A card, face up.
 * @param {string} name @param {string} said its name @param {Print} print
 * @param {{defence?: number, count?: number}} [now]
 */
export function cardFace(name, said, print, now = {}) {
  const defence = now.defence ?? print.defence;
  return h(
    `div.card.${print.kind}`,
    { "data-card": name },
    h("span.price", null, h("b", null, print.price)),
    shield(defence, print.defence),
    h("div.medallion", null, emblem(name)),
    h("span.name", null, said),
    h(
      "span.works",
      { "aria-hidden": "true" },
      print.dice ? Array.from({ length: print.dice }, () => h("i")) : h("em"),
    ),
    now.count && now.count > 1 ? h("span.count", null, `×${now.count}`) : null,
  );
}

/** A card, face down. */
export function cardBack() {
  return h(
    "div.card.back",
    { "aria-hidden": "true" },
    s(
      "svg",
      { viewBox: "0 0 64 90", preserveAspectRatio: "xMidYMid slice" },
      s("path.lattice", { d: lattice() }),
      s("circle.seal", { cx: 32, cy: 45, r: 15 }),
      s("circle.ring", { cx: 32, cy: 45, r: 12 }),
      s("path.laurel", { d: LAUREL, transform: "translate(20 33)" }),
    ),
  );
}

const LAUREL =
  "M12 21C5 20 2 14 4 5M12 21C19 20 22 14 20 5M4 9C2 8 1 6 1.500 4C3.500 4.500 4.500 6.500 4 9ZM4 14C1.500 13.500.500 11.500.500 9.500C2.500 9.500 4 11.500 4 14ZM6.500 18C4 18.500 2 17 1.500 15C3.500 14.500 5.500 16 6.500 18ZM20 9C22 8 23 6 22.500 4C20.500 4.500 19.500 6.500 20 9ZM20 14C22.500 13.500 23.500 11.500 23.500 9.500C21.500 9.500 20 11.500 20 14ZM17.500 18C20 18.500 22 17 22.500 15C20.500 14.500 18.500 16 17.500 18Z";

function lattice() {
  let d = "";
  for (let k = -90; k < 154; k += 9) d += `M${k} 0L${k + 90} 90M${k} 90L${k + 90} 0`;
  return d;
}

/** Where the pips of a die stand, on a field of 3 by 3. */
const PIPS = { 1: [4], 2: [2, 6], 3: [2, 4, 6], 4: [0, 2, 6, 8], 5: [0, 2, 4, 6, 8], 6: [0, 2, 3, 5, 6, 8] };

/** @param {number} value @param {number} [size] */
function pips(value, size = 3.1) {
  return /** @type {number[]} */ (PIPS[/** @type {1} */ (value)]).map((at) =>
    s("circle", { cx: 9 + 11 * (at % 3), cy: 9 + 11 * Math.floor(at / 3), r: size }),
  );
}

/** The face of a die, flat. @param {number} value */
export function dieFace(value) {
  return s(
    "svg.dieface",
    { viewBox: "0 0 40 40", "aria-hidden": "true" },
    s("rect", { x: 1.5, y: 1.5, width: 37, height: 37, rx: 8 }),
    pips(value),
  );
}

/** One of the eight discs: 1 to 6, money, cards. @param {string} which */
export function discFace(which) {
  const ring = [
    s("circle.rim", { cx: 50, cy: 50, r: 47 }),
    s("circle.rim2", { cx: 50, cy: 50, r: 40 }),
    s("path.ticks", { d: ticks() }),
  ];
  const inside =
    which === "money"
      ? [
          s("circle.coin", { cx: 42, cy: 56, r: 16 }),
          s("circle.coin", { cx: 58, cy: 44, r: 16 }),
          s("text", { x: 58, y: 51, "text-anchor": "middle" }, "HS"),
        ]
      : which === "cards"
        ? [
            s("rect.leaf", { x: 31, y: 28, width: 28, height: 40, rx: 4, transform: "rotate(-12 45 48)" }),
            s("rect.leaf", { x: 42, y: 30, width: 28, height: 40, rx: 4, transform: "rotate(8 56 50)" }),
          ]
        : [s("g.pips", { transform: "translate(26 26) scale(1.2)" }, pips(Number(which), 4))];
  return s("svg.discface", { viewBox: "0 0 100 100", "aria-hidden": "true" }, ring, inside);
}

function ticks() {
  let d = "";
  for (let k = 0; k < 48; k++) {
    const a = (k / 48) * 2 * Math.PI;
    const [x, y] = [Math.cos(a), Math.sin(a)];
    d += `M${(50 + 41.5 * x).toFixed(1)} ${(50 + 41.5 * y).toFixed(1)}L${(50 + 45 * x).toFixed(1)} ${(50 + 45 * y).toFixed(1)}`;
  }
  return d;
}

/** A victory point is a wreath: money is round and made of metal. */
export const wreath = () =>
  s("svg.wreath", { viewBox: "0 0 24 24", "aria-hidden": "true" }, s("path", { d: LAUREL }));

/** So many points, at most so many drawn. @param {number} n @param {number} [most] */
export function wreaths(n, most = 20) {
  return h("span.wreaths", { "aria-hidden": "true" }, Array.from({ length: Math.min(n, most) }, wreath));
}

/**
 * Let an element come from where something else stands or stood.
 * @param {Element} el @param {DOMRect | null | undefined} from @param {number} [ms]
 */
export async function flyFrom(el, from, ms = 380) {
  if (!from || !from.width || still()) return;
  const to = el.getBoundingClientRect();
  if (!to.width) return;
  const dx = from.left + from.width / 2 - to.left - to.width / 2;
  const dy = from.top + from.height / 2 - to.top - to.height / 2;
  const scale = Math.max(0.2, Math.min(1.4, from.width / to.width));
  el.animate(
    [
      { transform: `translate(${dx}px, ${dy}px) scale(${scale})`, zIndex: 9, opacity: 0.7 },
      { transform: "none", zIndex: 9, opacity: 1 },
    ],
    { duration: ms, easing: "cubic-bezier(.25,.8,.3,1)" },
  );
  await pause(ms);
}

/**
 * A copy of an element that goes to a place and vanishes there.
 * @param {Element} el @param {Element | null} to @param {Element} layer
 */
export function flyTo(el, to, layer) {
  if (!to || still()) return;
  const a = el.getBoundingClientRect();
  const b = to.getBoundingClientRect();
  if (!a.width || !b.width) return;
  const ghost = /** @type {HTMLElement} */ (el.cloneNode(true));
  for (const name of ["data-touch", "data-also", "data-info", "id", "tabindex", "role"])
    ghost.removeAttribute(name);
  ghost.classList.remove("lit", "chosen", "again", "dragged", "used");
  ghost.classList.add("ghost");
  for (const [name, value] of Object.entries({ left: a.left, top: a.top, width: a.width, height: a.height }))
    ghost.style.setProperty(name, `${value}px`);
  layer.append(ghost);
  const dx = b.left + b.width / 2 - a.left - a.width / 2;
  const dy = b.top + b.height / 2 - a.top - a.height / 2;
  const flight = ghost.animate(
    [
      { transform: "none", opacity: 1 },
      { transform: `translate(${dx}px, ${dy}px) scale(.9)`, opacity: 1, offset: 0.7 },
      { transform: `translate(${dx}px, ${dy}px) scale(.6)`, opacity: 0 },
    ],
    { duration: 520, easing: "cubic-bezier(.3,.7,.3,1)" },
  );
  flight.onfinish = () => ghost.remove();
  setTimeout(() => ghost.remove(), 900);
}
