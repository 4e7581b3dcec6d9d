/**
 * What has changed while others played stays marked until one's next touch.  Changed is what is called
 * otherwise than before: each thing that can be touched says to a screen reader what it is, or in
 * `data-seen` what of it counts, where a price changes with every turn.
 */

export class Marks {
  /** @param {HTMLElement} board */
  constructor(board) {
    this.board = board;
    /** @type {Map<string, string> | null} what each thing was called before */
    this.before = null;
    /** @type {Set<string>} */
    this.changed = new Set();
  }

  /** Remember how everything is, unless what was seen last has not been touched since. */
  keep() {
    this.before ??= new Map(things(this.board).map(([id, el]) => [id, called(el)]));
  }

  /** Mark what is called otherwise now. */
  show() {
    const { before } = this;
    if (!before) return;
    const now = things(this.board).filter(([id, el]) => before.has(id) && before.get(id) !== called(el));
    this.changed = new Set(now.map(([id]) => id));
    this.again();
  }

  /** The board was drawn anew. */
  again() {
    if (!this.changed.size) return;
    for (const [id, el] of things(this.board)) el.classList.toggle("fresh", this.changed.has(id));
  }

  clear() {
    this.before = null;
    if (!this.changed.size) return;
    this.changed.clear();
    for (const el of this.board.querySelectorAll(".fresh")) el.classList.remove("fresh");
  }
}

/** @param {HTMLElement} el */
const called = (el) => el.dataset.seen ?? el.getAttribute("aria-label") ?? "";

/** Everything on the board that has a name of its own. @param {HTMLElement} board */
function things(board) {
  /** @type {[string, HTMLElement][]} */
  const found = [];
  for (const el of board.querySelectorAll("[data-touch][aria-label]")) {
    const mine = /** @type {HTMLElement} */ (el);
    if (!mine.closest("[data-unmarked]")) found.push([mine.dataset.touch ?? "", mine]);
  }
  return found;
}
