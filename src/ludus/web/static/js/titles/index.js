/**
 * The drawing of a title: `table.js` in the folder `web` of the title, which the server names
 * (`Title.drawing`) and sends
 * from /titles/NAME/; it exports `draw(title, view)`.  A title without one gets the plain drawing, made from
 * its view
 * and touches.
 */

import { h } from "../dom.js";
import { loadTitle, speakFor } from "../words.js";

/**
 * What a drawing may ask of the page it is on.
 * @typedef {{play: (actions: string[]) => Promise<void>, undo: () => Promise<void>,
 *   whatIf: (actions: string[]) => Promise<any>, advise: (about: string, actions?: string[]) =>
 *   Promise<any>}} Desk
 *
 * A drawing shows views and marks its elements with `data-touch` and `data-info`; a piece in an SVG that
 * can be dragged also with `data-drag`.  `large`: the wheel zooms.  `map`: only the sheet in its window is
 * zoomed and pushed about, what stands beside it keeps its size (match/zoom.js).  `expand`: all actions that
 * one
 * touch means, where that is more than one.  `attempt`: actions that a path stands for though it is no
 * choice; else
 * the server is asked which rule forbids it.  `all`: the key A confirms what it has ready.
 * `reach` shows where what the pointer is on could go.  `leadsOn`: whether a choice and the answer to the
 * question after it are one gesture (match/gestures.js).
 * @typedef {{
 *   root: HTMLElement,
 *   update: (view: import("../match/model.js").View, context: {table: import("../match/model.js").Table,
 *   rows: import("../match/model.js").Row[]}) => void,
 *   name?: (kind: string, id: string) => string | null,
 *   info?: (id: string) => {title: string, lines: (string | Node)[]} | null,
 *   attempt?: (path: string[]) => Promise<string[] | null>,
 *   expand?: (choice: import("../match/model.js").Choice) => Promise<string[] | null>,
 *   attach?: (desk: Desk) => void,
 *   all?: () => boolean,
 *   hint?: (choice: import("../match/model.js").Choice) => string | Promise<string>,
 *   preview?: (after: import("../match/model.js").View | null) => void,
 *   reach?: (node: import("../match/trie.js").Node | null) => void,
 *   leadsOn?: (choice: import("../match/model.js").Choice) => boolean,
 *   tiles?: (hands: import("../match/hands.js").Hands) => void,
 *   clock?: (seat: number, text: string, low: boolean) => void,
 *   large?: boolean,
 *   map?: import("../match/zoom.js").Map,
 * }} Drawing
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
    const here = document.querySelector(`link[data-drawing="${name}"]`); // the server names it for the page of a table
    if (!here)
      document.head.append(...drawing.scripts.map((href) => h("link", { rel: "modulepreload", href })));
    asked.set(
      name,
      here || !drawing.style
        ? Promise.resolve()
        : new Promise((done) => {
            document.head.append(
              h("link", {
                rel: "stylesheet",
                href: drawing.style,
                "data-drawing": name,
                onload: done,
                onerror: done,
              }),
            );
          }),
    );
  }
  await asked.get(name);
}

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
 * @param {string} name @param {import("../words.js").Title} title
 * @param {import("../match/model.js").View} view
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
