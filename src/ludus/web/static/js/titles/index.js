/** Which drawing a title has; every other title gets the plain one, made from its view and touches. */

import { Generic } from "./generic.js";

/**
 * A drawing shows views and marks its elements with `data-touch` and `data-info`.
 * @typedef {{
 *   root: HTMLElement,
 *   update: (view: import("../match/model.js").View, context: {table: import("../match/model.js").Table, rows: import("../match/model.js").Row[]}) => void,
 *   name?: (kind: string, id: string) => string | null,
 *   info?: (id: string) => {title: string, lines: (string | Node)[]} | null,
 *   attempt?: (path: string[]) => {action?: string, rule?: string} | null,
 *   hint?: (choice: import("../match/model.js").Choice) => string,
 *   preview?: (after: import("../match/model.js").View | null) => void,
 *   tiles?: (hands: import("../match/hands.js").Hands) => void,
 *   clock?: (seat: number, text: string, low: boolean) => void,
 *   large?: boolean,
 * }} Drawing
 */

/** @type {Record<string, () => Promise<{draw: (title: import("../words.js").Title) => Drawing, odds: () => import("../match/verify.js").Odds}>>} */
const DRAWN = {
  roma: async () => {
    const [{ RomaTable }, { Odds }] = await Promise.all([import("./roma/table.js"), import("./roma/reading.js")]);
    return { draw: (title) => new RomaTable(title), odds: () => new Odds() };
  },
};

/** @param {string} name @param {import("../words.js").Title} title @returns {Promise<Drawing>} */
export async function drawingOf(name, title) {
  const own = DRAWN[name];
  return own ? (await own()).draw(title) : new Generic(title);
}

/** What the proof of the dice needs to know of a title. @param {string} name */
export async function oddsOf(name) {
  const own = DRAWN[name];
  return own ? (await own()).odds() : null;
}
