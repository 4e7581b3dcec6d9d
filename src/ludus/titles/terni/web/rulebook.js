/** The stones of both sides for the rules page, as the board draws them. */

import { thing } from "/js/titles/board.js";

const THINGS = ["white", "black"];

/** @param {string} id */
export const piece = (id) =>
  id.startsWith("stone:")
    ? thing({ rows: [], columns: [], things: THINGS, cells: [] }, id.slice("stone:".length))
    : null;
