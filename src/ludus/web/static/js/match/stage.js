/** The stage of a match: the drawing of its title, what happened shown step by step, zoom and clocks. */

import { fillWith, h } from "../dom.js";
import { drawingOf } from "../titles/index.js";
import { t } from "../words.js";
import { clockText } from "./house.js";
import { Marks } from "./marks.js";
import { Telling } from "./telling.js";
import { Zoom } from "./zoom.js";

/** @typedef {import("./model.js").Row} Row */
/** @typedef {import("./model.js").View} View */
/** @typedef {import("./session.js").Session} Session */

const LOW = 20; // seconds from which on a clock is shown as low

export class Stage {
  /**
   * @param {Session} session
   * @param {{up: () => void, step: (rows: Row[], own: boolean) => void, seen: (rows: Row[]) => void,
   *   shown: () => void}} on `up`: the drawing is there; the others: see Telling
   */
  constructor(session, on) {
    this.session = session;
    this.on = on;
    /** @type {import("../titles/index.js").Drawing | null} */
    this.drawing = null;
    this.el = h("div.stage");
    this.board = h("div.board", { tabindex: -1 }, this.el);
    this.telling = new Telling(this, on);
    this.marks = new Marks(this.board);
    /** @type {Zoom | null} */
    this.zoom = null;
    /** @type {import("./beyond.js").Beyond | null} */
    this.beyond = null;
    fillWith(this.el, h("p.loading", null, t("loading")));
    /** @type {string[]} what each clock shows: only what changes is written, so that a page can rest */
    this.clocks = [];
    this.ticking = 0;
  }

  /**
   * Zoom and push the board about; a press is heard by the hands first.
   * @param {import("./hands.js").Hands} hands
   */
  zoomBeside(hands) {
    this.zoom = new Zoom(this.board, this.el, { drags: () => hands.drags(), grabbed: () => hands.letGo() });
  }

  /** Put up the drawing of the title; whether it is new. @param {import("../titles/index.js").Desk} desk */
  async setUp(desk) {
    const { session } = this;
    if (!session.title || !session.model.view) return false;
    const drawing = await drawingOf(session.titleName, session.title, session.model.view);
    if (session.closed || this.drawing) return false;
    this.drawing = drawing;
    drawing.attach?.(desk);
    fillWith(this.el, drawing.root);
    this.on.up();
    this.zoom?.take(drawing); // now that the board has its size
    return true;
  }

  /** Whether something is being shown that has happened before. */
  get showing() {
    return this.telling.running;
  }

  /**
   * Show a view and what led to it.  How long it took stands in the browser's own timeline.
   * @param {View} view @param {Row[]} [rows] @param {Row[]} [passed] what is taken as read
   * @returns {void | Promise<void>} when it can be seen
   */
  draw(view, rows = [], passed = []) {
    const table = this.session.opened?.table;
    if (!this.drawing || !table) return;
    const start = performance.now();
    if (rows.length)
      // what was pointed out before that is past
      for (const el of this.board.querySelectorAll(".taught")) el.classList.remove("taught");
    const seen = this.drawing.update(view, { table, rows, passed });
    performance.clearMeasures("redraw");
    performance.measure("redraw", { start });
    this.clocks = []; // it may have been drawn anew
    this.tick();
    this.marks.again();
    return seen;
  }

  /** Where only a part of a board is seen, that in which it happens. */
  follow() {
    this.zoom?.follow(this.drawing?.map?.told?.() ?? []);
  }

  /** Something that can be touched is to be seen; nothing is moved under a hand that has chosen already. */
  showLit() {
    const { zoom } = this;
    if (zoom) zoom.reveal([...zoom.window.querySelectorAll("[data-touch].lit")]);
  }

  /** Whether all that is lit lies beside the map. */
  get isLitBeside() {
    const { zoom } = this;
    return !!zoom && zoom.window !== this.board && !zoom.window.querySelector("[data-touch].lit");
  }

  /** What is lit now comes into view, where it fits; else arrows lead there. @param {boolean} begun */
  async guide(begun) {
    const { zoom } = this;
    if (!zoom || (!begun && !this.beyond)) return;
    const lit = begun ? [...zoom.window.querySelectorAll("[data-touch].lit")] : [];
    if (lit.length) zoom.reveal([...zoom.window.querySelectorAll("[data-touch].chosen"), ...lit]);
    this.beyond ??= new (await import("./beyond.js")).Beyond(zoom);
    this.beyond.show(lit);
  }

  /** Show the clocks, and again when the one that runs has lost another second. */
  tick() {
    clearTimeout(this.ticking);
    const left = this.session.opened?.timeLeft();
    if (!left || !this.drawing?.clock || this.session.closed) return;
    left.forEach((seconds, seat) => {
      const text = clockText(seconds);
      if (this.clocks[seat] === text) return;
      this.clocks[seat] = text;
      this.drawing?.clock?.(seat, text, seconds < LOW);
    });
    const { running } = this.session.table.clock;
    const rest = typeof running === "number" ? left[running] : 0;
    if (rest > 0) this.ticking = window.setTimeout(() => this.tick(), 1000 * (rest % 1) + 20);
  }

  close() {
    clearTimeout(this.ticking);
    this.telling.close();
    this.zoom?.close();
  }
}
