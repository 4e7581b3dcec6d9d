/** Arrows on the board: where a choice of several touches leads. */

import { cssEscape, s } from "../dom.js";

/** @typedef {{best: string[][], played: string[][]}} Ways of each, and the places of each way in order */

/**
 * What is touched.  What does not stand there yet (`unit:KIND@REGION`) lies where it will.
 * @param {HTMLElement} board @param {string} id
 */
export const placeOf = (board, id) =>
  board.querySelector(`[data-touch="${cssEscape(id)}"]`) ??
  (id.includes("@") ? board.querySelector(`[data-touch="region:${cssEscape(id.split("@")[1])}"]`) : null);

/**
 * Its middle, on the board's own sheet; null where it is not to be seen.
 * @param {HTMLElement} board @param {string} id
 */
function middle(board, id) {
  const el = placeOf(board, id);
  const box = el?.getBoundingClientRect();
  if (!el || !box?.width) return null;
  const { left, top } = board.getBoundingClientRect();
  const [x, y] = within(el, box.left + box.width / 2, box.top + box.height / 2);
  return [x - left + board.scrollLeft, y - top + board.scrollTop];
}

/**
 * A point of a map that is larger than its window, or its nearest place in that window.
 * @param {Element} el @param {number} x @param {number} y
 */
function within(el, x, y) {
  const seen = el.closest(".mapwindow")?.getBoundingClientRect();
  if (!seen) return [x, y];
  const clamp = (/** @type {number} */ at, /** @type {number} */ a, /** @type {number} */ b) =>
    Math.min(Math.max(at, a), b);
  return [clamp(x, seen.left, seen.right), clamp(y, seen.top, seen.bottom)];
}

/**
 * Draw an arrow along the places of a choice; nothing where there is but one of them.
 * @param {HTMLElement} board @param {string[]} touches @param {string} kind
 */
function arrow(board, touches, kind) {
  const points = touches.map((id) => middle(board, id)).filter((point) => point !== null);
  const path = points.filter(([x, y], k) => !k || Math.hypot(x - points[k - 1][0], y - points[k - 1][1]) > 8);
  if (path.length < 2) return null;
  const d = path.map(([x, y], k) => `${k ? "L" : "M"}${x.toFixed(1)} ${y.toFixed(1)}`).join("");
  return s(`path.arrow.${kind}`, { d, "data-way": touches.join(" "), "marker-end": `url(#head-${kind})` });
}

/** @param {string} kind */
const head = (kind) =>
  s(
    `marker#head-${kind}.${kind}`,
    { viewBox: "0 0 10 10", refX: 8, refY: 5, markerWidth: 4, markerHeight: 4, orient: "auto-start-reverse" },
    s("path", { d: "M0 0L10 5L0 10Z" }),
  );

/** @type {ResizeObserver | null} */
let watch = null;
/** @type {AbortController | null} */
let listening = null;

/**
 * Draw them, and again when the board has got another size (what is said of a moment takes room away from it)
 * or a map is pushed about or zoomed.
 * @param {HTMLElement} board @param {Ways} choices
 */
export function drawArrows(board, choices) {
  dropArrows(board);
  const again = () => requestAnimationFrame(() => watch && place(board, choices));
  watch = new ResizeObserver(again);
  listening = new AbortController();
  for (const el of [board, ...board.children, ...board.querySelectorAll(".mapsheet")]) watch.observe(el);
  board.addEventListener("scroll", again, { capture: true, signal: listening.signal });
  const here = watch;
  const still = board.getAnimations({ subtree: true }).map((one) => one.finished);
  Promise.allSettled(still).then(() => watch === here && place(board, choices)); // pieces may be on their way
  place(board, choices);
}

/** @param {HTMLElement} board @param {Ways} choices */
function place(board, { best, played }) {
  for (const el of board.querySelectorAll(":scope > .arrows")) el.remove();
  const drawn = [
    ...played.map((way) => arrow(board, way, "played")),
    ...best.map((way) => arrow(board, way, "best")),
  ].filter((one) => one !== null);
  if (!drawn.length) return;
  const size = { width: board.scrollWidth, height: board.scrollHeight };
  board.append(s("svg.arrows", { ...size, "aria-hidden": "true" }, head("played"), head("best"), drawn));
}

/** @param {HTMLElement} board */
export function dropArrows(board) {
  watch?.disconnect();
  listening?.abort();
  watch = listening = null;
  for (const el of board.querySelectorAll(":scope > .arrows")) el.remove();
}
