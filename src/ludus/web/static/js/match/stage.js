/** The stage of a match: the drawing of its title, what happened shown step by step, zoom and clocks. */

import { ahead } from "../api.js";
import { fillWith, h, pause, still } from "../dom.js";
import { drawingOf } from "../titles/index.js";
import { t } from "../words.js";
import { clockText } from "./house.js";
import { Zoom } from "./zoom.js";

/** @typedef {import("./model.js").Row} Row */
/** @typedef {import("./model.js").View} View */
/** @typedef {import("./session.js").Session} Session */

const STEP = 420; // milliseconds between two actions that are shown one after the other
const MOST = 30; // so many entries are shown moving; more are taken as read

export class Stage {
  /**
   * @param {Session} session
   * @param {{step: () => void, shown: () => void}} on `step`: before each; `shown`: after the last
   */
  constructor(session, on) {
    this.session = session;
    this.on = on;
    /** @type {import("../titles/index.js").Drawing | null} */
    this.drawing = null;
    /** @type {Row[][]} */
    this.queue = [];
    this.showing = false;
    this.el = h("div.stage");
    this.board = h("div.board", { tabindex: -1 }, this.el);
    /** @type {Zoom | null} */
    this.zoom = null;
    fillWith(this.el, h("p.loading", null, t("loading")));
    this.ticking = window.setInterval(() => this.tick(), 250);
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
    this.zoom?.take(drawing);
    return true;
  }

  /** Whether these can be shown one after the other; else only the present is. @param {Row[]} rows */
  canMove(rows) {
    return rows.length <= MOST && !document.hidden && !!this.drawing;
  }

  /** Show what happened, one step after the other. @param {Row[]} rows */
  async move(rows) {
    this.queue.push(...groupsOf(rows));
    if (this.showing) return;
    this.showing = true;
    while (this.queue.length && !this.session.closed) {
      const group = /** @type {Row[]} */ (this.queue.shift());
      this.on.step();
      this.draw(group[group.length - 1].view, group);
      if (this.queue.length && !still()) await pause(this.pace(group[0]));
    }
    this.showing = false;
    if (!this.session.closed) this.on.shown();
  }

  /** @param {Row} row */
  pace(row) {
    if (this.queue.length > 8) return STEP / 4;
    return row.who === "chance" ? STEP * 1.6 : STEP;
  }

  /** What is still to be shown is taken as read. */
  skip() {
    this.queue = [];
  }

  /**
   * Show a view and what led to it.  How long it took stands in the browser's own timeline.
   * @param {View} view @param {Row[]} [rows]
   */
  draw(view, rows = []) {
    const table = this.session.opened?.table;
    if (!this.drawing || !table) return;
    const start = performance.now();
    this.drawing.update(view, { table, rows });
    performance.clearMeasures("redraw");
    performance.measure("redraw", { start });
  }

  /** Clocks. */
  tick() {
    const clock = this.session.opened?.table?.clock;
    if (!clock || clock.kind === "none" || !clock.left || !this.drawing?.clock) return;
    const now = Date.now() / 1000 + ahead;
    clock.left.forEach((left, seat) => {
      const running = clock.running === seat && clock.deadline;
      const seconds = Math.max(0, running ? /** @type {number} */ (clock.deadline) - now : left);
      this.drawing?.clock?.(seat, clockText(seconds), seconds < 20);
    });
  }

  close() {
    clearInterval(this.ticking);
    this.zoom?.close();
  }
}

/** Rows that are shown in one step: a throw of several dice, a deal of several cards. @param {Row[]} rows */
function groupsOf(rows) {
  /** @type {Row[][]} */
  const groups = [];
  for (const row of rows) {
    const last = groups[groups.length - 1]?.[0];
    const same =
      last &&
      row.who === "chance" &&
      last.who === "chance" &&
      row.text.split(" ")[0] === last.text.split(" ")[0];
    if (same) groups[groups.length - 1].push(row);
    else groups.push([row]);
  }
  return groups;
}
