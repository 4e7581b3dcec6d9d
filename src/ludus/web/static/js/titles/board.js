/**
 * A board of rows and columns whose places can be touched, for every title that declares one in its layout.
 */

import { h } from "../dom.js";

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

/** @param {string} field @param {string} name @param {Board} board @param {(thing: string) => string} word */
export function drawBoard(field, name, board, word) {
  return h(
    "div.squares",
    { role: "group", "aria-label": name, vars: { "--columns": board.columns.length } },
    h("i"),
    board.columns.map((column) => h("b", { "aria-hidden": "true" }, column)),
    board.rows.flatMap((row, r) => [
      h("b", { "aria-hidden": "true" }, row),
      ...board.columns.map((column, c) => {
        const held = board.cells[r][c];
        const told = held === "none" ? `${row}${column}` : `${row}${column}: ${word(held)}`;
        return h(
          "div.square",
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
