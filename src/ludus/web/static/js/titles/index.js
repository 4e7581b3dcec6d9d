/**
 * The drawing of a title: `table.js` in the folder `web` of the title, which the server names
 * (`Title.drawing`) and sends
 * from /titles/NAME/; it exports `draw(title, view)`.  A title without one gets the plain drawing, made from
 * its view
 * and touches.
 */

import { h } from "../dom.js";
import { loadTitle, speakFor } from "../words.js";

/** @typedef {import("../match/model.js").View} View */
/**
 * What a drawing may ask of the page it is on; `light`: things that can be touched were put elsewhere.
 * @template [V=View]
 * @typedef {{play: (actions: string[]) => Promise<boolean>, undo: () => Promise<void>, light: () => void,
 *   whatIf: (actions: string[]) => Promise<import("../match/model.js").WhatIf<V>>,
 *   advise: (about: string, actions?: string[]) => Promise<any>,
 *   graft: (path: string[], choices: import("../match/model.js").Choice[]) => void,
 *   deal: (to: number, first: string) => void}} Desk
 */
/**
 * A drawing shows views (`update`; where dice roll first, the promise is kept when they lie) and marks its
 * elements with `data-touch` and `data-info`; a piece in an SVG that can be dragged also with `data-drag`.
 * What is called otherwise after the others' turns (`data-seen`, else `aria-label`) is marked, but for what
 * lies in `data-unmarked`: the same touch there stands for things of different seats.
 * `rows` have led to the view and are shown moving; `passed` are taken as read, and only what must not be
 * overlooked is told of them.  `settle`: what was marked to tell what happened (arrows) has been seen.
 * `large`: the wheel zooms.  `map`: only the sheet in its window is zoomed and pushed about, what stands
 * beside it keeps its size (match/zoom.js).  `expand`: all actions that one touch means, where that is more
 * than one.  `attempt`: actions that a path stands for though it is no choice; else the server is asked which
 * rule forbids it, after the actions that were `begun` and not played.  `all`: the key A confirms what it has
 * ready.
 * `further`: choices that take the place of one that was touched, below its path, before anything is played.
 * `descends`: a touch after which there is one way only goes that way.  `confirm`: whether a choice is meant,
 * where a person is asked.
 * `bargain`: what can be traded with a seat by the rules, as a part of the dialogue of a deal (deal.js).
 * `info` tells what a thing is; with `quotes` the rules that `pieces.toml` of the title names for it are told
 * in full (match/explain.js).
 * `about` says in a sentence what a thing does that was touched.  `reach` shows where what the pointer is on
 * could go.
 * `V` is the view of the title, as its `view.d.ts` declares it.
 * @template [V=View]
 * @typedef {{
 *   root: HTMLElement,
 *   update: (view: V, context: {table: import("../match/model.js").Table,
 *   rows: import("../match/model.js").Row<V>[], passed?: import("../match/model.js").Row<V>[]}) =>
 *   void | Promise<void>,
 *   settle?: () => void,
 *   name?: (kind: string, id: string) => string | null,
 *   about?: (touch: string) => string,
 *   info?: (id: string) => {title: string, lines: (string | Node)[], quotes?: boolean} | null,
 *   attempt?: (path: string[]) => Promise<string[] | null>,
 *   begun?: (path: string[]) => string[],
 *   expand?: (choice: import("../match/model.js").Choice) => Promise<string[] | null>,
 *   further?: (choice: import("../match/model.js").Choice) => Promise<import("../match/model.js").Choice[] |
 *   null>,
 *   bargain?: (to: number, first: string) => import("../match/deal.js").Bargain | null,
 *   confirm?: (choice: import("../match/model.js").Choice) => Promise<boolean>,
 *   attach?: (desk: Desk<V>) => void,
 *   all?: () => boolean,
 *   hint?: (choice: import("../match/model.js").Choice) => string | Promise<string>,
 *   preview?: (after: V | null) => void,
 *   reach?: (node: import("../match/trie.js").Node | null) => void,
 *   tiles?: (hands: import("../match/hands.js").Hands) => void,
 *   clock?: (seat: number, text: string, low: boolean) => void,
 *   descends?: boolean,
 *   large?: boolean,
 *   map?: import("../match/zoom.js").Map,
 * }} Drawing
 */
/**
 * What `table.js` of a title exports as `draw`.
 * @template {View} [V=View]
 * @typedef {(title: import("../words.js").Title, view: V) => Drawing<V> | Promise<Drawing<V>>} Draw
 */

/** @type {Map<string, Promise<unknown>>} */
const asked = new Map();

/**
 * Ask for all files of a drawing at once, not one after the other; done when its styles are there.
 * @param {string} name
 */
export async function prepare(name) {
  const { drawing } = await loadTitle(name);
  if (drawing && !asked.has(name)) {
    const here = document.querySelector(`link[data-drawing="${name}"]`); // the server names them for the page of a table
    if (!here)
      document.head.append(...drawing.scripts.map((href) => h("link", { rel: "modulepreload", href })));
    const styles = here ? [] : drawing.styles.map((href) => style(name, href));
    document.head.append(...styles);
    asked.set(name, Promise.all(styles.map(loaded)));
  }
  await asked.get(name);
}

/** The same for later: whoever draws waits for it, and hears of what went wrong. @param {string} name */
export function prepareEarly(name) {
  prepare(name).catch(() => undefined);
}

/** @param {string} name @param {string} href */
const style = (name, href) => h("link", { rel: "stylesheet", href, "data-drawing": name });

/** @param {HTMLElement} link @returns {Promise<unknown>} */
const loaded = (link) => new Promise((done) => (link.onload = link.onerror = done));

/**
 * Only the styles of this title count: another table of the same visit may use the same words.
 * @param {string} name
 */
function dress(name) {
  for (const link of document.querySelectorAll("link[data-drawing]"))
    link.setAttribute("media", link.getAttribute("data-drawing") === name ? "all" : "not all");
}

/**
 * The first view says which board it is.
 * @param {string} name @param {import("../words.js").Title} title @param {View} view
 * @returns {Promise<Drawing>}
 */
export async function drawingOf(name, title, view) {
  await prepare(name);
  dress(name);
  speakFor(title);
  if (!title.drawing) return new (await import("./generic.js")).Generic(title);
  const { draw } = await import(`/titles/${name}/table.js`);
  return draw(title, view);
}
