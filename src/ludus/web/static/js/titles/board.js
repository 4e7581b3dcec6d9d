/**
 * A board of rows and columns whose places can be touched, for every title that declares one in its layout.
 */

import { h } from "../dom.js";
import { colon } from "../words.js";

/**
 * What the view tells of a board: `things` are all that a place may hold.
 * @typedef {{rows: string[], columns: string[], things: string[], cells: string[][]}} Board
 */

/** @param {any} value @returns {value is Board} */
export const isBoard = (value) =>
  Array.isArray(value?.cells) &&
  Array.isArray(value.rows) &&
  Array.isArray(value.columns) &&
  Array.isArray(value.things);

/** How a place is called: `a-1` is a1. @param {string} id */
export const placeName = (id) => id.replace("-", "");

/**
 * Where one kind of thing fills a whole line of a square board, from edge to edge.
 * @param {Board} board @returns {Set<string>} places, as `0 2`
 */
function wholeLines({ rows, columns, cells }) {
  const n = rows.length;
  const along = rows.map((_, i) => i);
  /** @type {[number, number][][]} */
  const lines = [
    ...along.map((r) => columns.map((_, c) => /** @type {[number, number]} */ ([r, c]))),
    ...columns.map((_, c) => along.map((r) => /** @type {[number, number]} */ ([r, c]))),
  ];
  if (n === columns.length)
    lines.push(
      along.map((i) => [i, i]),
      along.map((i) => [i, n - 1 - i]),
    );
  const full = lines.filter((line) => {
    const held = new Set(line.map(([r, c]) => cells[r][c]));
    return held.size === 1 && !held.has("none");
  });
  return new Set(full.flat().map((place) => place.join(" ")));
}

/**
 * @param {string} field @param {string} name @param {Board} board @param {(thing: string) => string} word
 * @param {boolean} [over] then a line that is full of one kind stands out: mostly it is why
 */
export function drawBoard(field, name, board, word, over = false) {
  const full = over ? wholeLines(board) : new Set();
  return h(
    "div.squares",
    { role: "group", "aria-label": name, vars: { "--columns": board.columns.length } },
    h("i"),
    board.columns.map((column) => h("b", { "aria-hidden": "true" }, column)),
    board.rows.flatMap((row, r) => [
      h("b", { "aria-hidden": "true" }, row),
      ...board.columns.map((column, c) => {
        const held = board.cells[r][c];
        const told = held === "none" ? `${row}${column}` : `${row}${column}${colon()}${word(held)}`;
        return h(
          `div.square${full.has(`${r} ${c}`) ? ".inline" : ""}`,
          { "data-touch": `${field}:${row}-${column}`, "aria-label": told },
          held === "none" ? null : thing(board, held),
        );
      }),
    ]),
  );
}

/** A stone, or the sign itself where its name is that short. @param {Board} board @param {string} name */
export function thing(board, name) {
  const place = board.things.indexOf(name);
  return name.length < 3
    ? h(`span.sign.t${place}`, { "aria-hidden": "true" }, name)
    : h(`span.stone.t${place}`, { "aria-hidden": "true" });
}
