/** Arrows on the board: where a choice of several touches leads. */

import { cssEscape, s } from "../dom.js";

/**
 * The middle of what is touched, on the board's own sheet; null where it is not to be seen.
 * @param {HTMLElement} board @param {string} id
 */
function middle(board, id) {
  const el = board.querySelector(`[data-touch="${cssEscape(id)}"]`);
  const box = el?.getBoundingClientRect();
  if (!box?.width) return null;
  const { left, top } = board.getBoundingClientRect();
  return [
    box.left - left + board.scrollLeft + box.width / 2,
    box.top - top + board.scrollTop + box.height / 2,
  ];
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
  return s(`path.arrow.${kind}`, { d, "marker-end": `url(#head-${kind})` });
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

/**
 * Draw them, and again when the board has got another size: what is said of a moment takes room away from it.
 * @param {HTMLElement} board @param {{best: string[], played: string[]}} choices the places of each, in order
 */
export function drawArrows(board, choices) {
  dropArrows(board);
  watch = new ResizeObserver(() => requestAnimationFrame(() => watch && place(board, choices)));
  for (const el of [board, ...board.children]) watch.observe(el);
  const here = watch;
  const still = board.getAnimations({ subtree: true }).map((one) => one.finished);
  Promise.allSettled(still).then(() => watch === here && place(board, choices)); // pieces may be on their way
  place(board, choices);
}

/** @param {HTMLElement} board @param {{best: string[], played: string[]}} choices */
function place(board, { best, played }) {
  for (const el of board.querySelectorAll(".arrows")) el.remove();
  const drawn = [arrow(board, played, "played"), arrow(board, best, "best")].filter((one) => one !== null);
  if (!drawn.length) return;
  const size = { width: board.scrollWidth, height: board.scrollHeight };
  board.append(s("svg.arrows", { ...size, "aria-hidden": "true" }, head("played"), head("best"), drawn));
}

/** @param {HTMLElement} board */
export function dropArrows(board) {
  watch?.disconnect();
  watch = null;
  for (const el of board.querySelectorAll(".arrows")) el.remove();
}
