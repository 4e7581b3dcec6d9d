/** Which drawing a title has; every other title gets the plain one, made from its view and touches. */

import { h } from "../dom.js";

/**
 * What a path that is no choice was meant to be: actions to play after all, one to be explained, or a rule that forbids it.
 * @typedef {{actions?: string[], action?: string, rule?: string} | null} Tried
 *
 * What a drawing may ask of the page it is on.
 * @typedef {{play: (actions: string[]) => Promise<void>, undo: () => Promise<void>,
 *   whatIf: (actions: string[]) => Promise<any>, advise: (about: string, actions: string[]) => Promise<any>}} Desk
 *
 * A drawing shows views and marks its elements with `data-touch` and `data-info`; a piece in an SVG that
 * can be dragged also with `data-drag`.  `large`: the wheel zooms.  `map`: only the sheet in its window is
 * zoomed and pushed about, what stands beside it keeps its size (match/zoom.js).  `expand`: all actions that one
 * touch means, where that is more than one.  `all`: the key A confirms what it has ready.
 * `reach` shows where what the pointer is on could go.  `leadsOn`: whether a choice and the answer to the
 * question after it are one gesture (match/gestures.js).
 * @typedef {{
 *   root: HTMLElement,
 *   update: (view: import("../match/model.js").View, context: {table: import("../match/model.js").Table, rows: import("../match/model.js").Row[]}) => void,
 *   name?: (kind: string, id: string) => string | null,
 *   info?: (id: string) => {title: string, lines: (string | Node)[]} | null,
 *   attempt?: (path: string[]) => Tried | Promise<Tried>,
 *   expand?: (choice: import("../match/model.js").Choice) => Promise<string[] | null>,
 *   attach?: (desk: Desk) => void,
 *   all?: () => boolean,
 *   hint?: (choice: import("../match/model.js").Choice) => string,
 *   preview?: (after: import("../match/model.js").View | null) => void,
 *   reach?: (node: import("../match/trie.js").Node | null) => void,
 *   leadsOn?: (choice: import("../match/model.js").Choice) => boolean,
 *   tiles?: (hands: import("../match/hands.js").Hands) => void,
 *   clock?: (seat: number, text: string, low: boolean) => void,
 *   large?: boolean,
 *   map?: import("../match/zoom.js").Map,
 * }} Drawing
 */

/** @type {Record<string, () => Promise<{draw: (title: import("../words.js").Title, view: import("../match/model.js").View) => Drawing | Promise<Drawing>, odds?: () => import("../match/verify.js").Odds}>>} */
const DRAWN = {
  roma: async () => {
    const [{ RomaTable }, { Odds }] = await Promise.all([import("./roma/table.js"), import("./roma/reading.js")]);
    return { draw: (title) => new RomaTable(title), odds: () => new Odds() };
  },
  duellum: async () => {
    const { drawDuellum } = await import("./duellum/table.js");
    return { draw: drawDuellum };
  },
  conquest: async () => {
    const [{ ConquestTable }, { Odds }, { loadMap }] = await Promise.all([import("./conquest/table.js"), import("./conquest/reading.js"), import("./sheet.js")]);
    const map = await loadMap("conquest");
    return { draw: (title) => new ConquestTable(title, map), odds: () => new Odds() };
  },
};

/** The scripts of each drawing, in its folder; its styles are css/NAME.css.  Only its own table loads them.
 * @type {Record<string, string[]>} */
const FILES = {
  duellum: ["map", "panels", "pieces", "reading", "rondel", "table"],
  roma: ["cards", "emblems", "pieces", "reading", "table"],
  conquest: ["battle", "emblems", "pieces", "places", "plates", "reading", "table", "track", "tray"],
};
/** @type {Map<string, Promise<unknown>>} */
const asked = new Map();

/** Ask for all files of a drawing at once, not one after the other; done when its styles are there. @param {string} name */
export function prepare(name) {
  const files = FILES[name];
  if (files && !asked.has(name)) {
    const style = `/css/${name}.css`;
    const here = document.querySelector(`link[href="${style}"]`); // the server names it for the page of a table
    if (!here) document.head.append(...files.map((file) => h("link", { rel: "modulepreload", href: `/js/titles/${name}/${file}.js` })));
    asked.set(name, here ? Promise.resolve() : new Promise((done) => {
      document.head.append(h("link", { rel: "stylesheet", href: style, onload: done, onerror: done }));
    }));
  }
  return asked.get(name);
}

/** Only the styles of this title count: another table of the same visit may use the same words. @param {string} name */
function dress(name) {
  for (const other of Object.keys(FILES)) document.querySelector(`link[href="/css/${other}.css"]`)?.setAttribute("media", other === name ? "all" : "not all");
}

/** The first view says which board it is. @param {string} name @param {import("../words.js").Title} title @param {import("../match/model.js").View} view @returns {Promise<Drawing>} */
export async function drawingOf(name, title, view) {
  const own = DRAWN[name];
  await prepare(name);
  dress(name);
  return own ? (await own()).draw(title, view) : new (await import("./generic.js")).Generic(title);
}

/** What the proof of the dice needs to know of a title. @param {string} name */
export async function oddsOf(name) {
  const own = DRAWN[name];
  return own ? ((await own()).odds?.() ?? null) : null;
}
