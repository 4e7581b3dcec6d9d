/** Which card lies on top of the discard pile.  A position knows which ones lie there, not in which order. */

/** @typedef {Record<string, number>} Heap */

export class Top {
  constructor() {
    /** @type {string | null} the card on top, where it is known */
    this.card = null;
    /** @type {Heap | null} the pile when it was seen last */
    this.heap = null;
    this.n = -1; // the entry after which that was
  }

  /**
   * What the pile was after an entry.  Of several cards that went there at once the last one told lies on
   * top.
   * @param {number} n @param {Heap} heap */
  pass(n, heap) {
    const { heap: before } = this;
    if (n === this.n && same(before, heap)) return;
    const next = this.n < 0 || n === this.n + 1;
    const came = before ? Object.keys(heap).filter((card) => heap[card] > (before[card] ?? 0)) : [];
    const sure = next && (this.n >= 0 || came.length <= 1);
    if (!before || !sure) this.card = null;
    else if (came.length) this.card = came[came.length - 1];
    else if (this.card && (heap[this.card] ?? 0) < before[this.card]) this.card = null;
    this.keep(heap);
    this.n = n;
  }

  /** What it is now, with nothing told: another pile than before is one of which nothing is known.
   * @param {Heap} heap */
  rest(heap) {
    if (same(this.heap, heap)) return;
    this.card = null;
    this.n = -1;
    this.keep(heap);
  }

  /** @param {Heap} heap */
  keep(heap) {
    const cards = Object.keys(heap);
    this.heap = { ...heap };
    if (cards.length === 1) this.card = cards[0];
  }
}

/** @param {Heap | null} one @param {Heap} other */
const same = (one, other) =>
  !!one && Object.keys({ ...one, ...other }).every((card) => one[card] === other[card]);
