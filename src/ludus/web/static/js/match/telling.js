/**
 * What happened, told at a pace one can follow: a queue of steps, each drawn, said and left to be read.
 * Nothing of a step is to be seen anywhere before its turn in the queue has come.
 */

import { fillWith, h, icon, pause, still } from "../dom.js";
import { paceName } from "../settings.js";
import { t } from "../words.js";

/** @typedef {import("./model.js").Row} Row */
/** @typedef {import("./stage.js").Stage} Stage */
/**
 * @typedef {{rows: Row[], passed: boolean, own: boolean, outcome?: boolean}} Step `passed`: taken as read,
 *   nothing moves; `outcome`: it settles something for all, so it is left to be read whoever did it
 */

/** How long things are left to be read, by the name of the setting. @type {Record<string, number>} */
const PACES = { slow: 2, normal: 1, fast: 0.4, once: 0 };
const STEP = 420; // milliseconds between two steps of one's own
const [LEAST, BEGIN, LETTER, LONGEST] = [700, 600, 22, 2600]; // milliseconds in which a caption is read
const BREATH = 2; // so many sentences are read in the longest time; where there are more, it is longer
const MOST = 30; // so many entries that come at once are shown moving; more are taken as read
const MANY = 60; // steps that wait; beyond them it goes faster, the faster the more there are
const UNMEANT = 900; // milliseconds in which a thumb still means what lay under it before the buttons came
const MY_TIME = 5000; // milliseconds of one's own clock that may be spent on watching

const pace = () => PACES[paceName()] ?? PACES.normal;

export class Telling {
  /**
   * @param {Stage} stage
   * @param {{step: (rows: Row[], own: boolean) => void, seen: (rows: Row[]) => void, shown: () => void}} on
   *   `step`: before each; `seen`: when it can be seen on the board; `shown`: after the last
   */
  constructor(stage, on) {
    this.stage = stage;
    this.on = on;
    /** @type {Step[]} */
    this.queue = [];
    this.running = false;
    this.held = false; // somebody goes step by step
    this.skipping = false; // somebody has skipped: what bots do until the next person is to move goes along
    this.done = -Infinity; // when my own last deed was seen: what others do at once comes a moment later
    this.round = 0; // of the loop that runs: an older one has nothing more to say
    /** @type {(() => void) | null} ends the waiting for the next step */
    this.wake = null;
    this.coming = 0; // the timer of buttons that are about to come
    this.hold = h("button.round", { type: "button", onclick: () => this.toggle() });
    /** @param {string} name @param {string} label @param {() => void} work */
    const button = (name, label, work) =>
      h("button.round", { type: "button", "aria-label": label, title: label, onclick: work }, icon(name));
    this.el = h(
      "div.pace",
      { role: "group", "aria-label": t("told"), hidden: true },
      this.hold,
      button("next", t("told.step"), () => this.step()),
      button("last", t("told.skip"), () => this.skip()),
    );
    this.onHidden = () => document.hidden && this.skip();
    document.addEventListener("visibilitychange", this.onHidden);
    this.showHold();
  }

  get model() {
    return this.stage.session.model;
  }

  /** Whether others are watched now, at a pace: then a touch means to skip. */
  get watched() {
    return this.running && !this.el.hidden;
  }

  /** Tell on. @param {Row[]} rows */
  async tell(rows) {
    const leap = rows.length > MOST || document.hidden || this.skipping;
    const steps = leap ? [{ rows, passed: true, own: false }] : stepsOf(rows, (row) => this.isOwn(row));
    if (!leap && !pace() && !still()) for (const step of steps) step.passed = !step.own;
    this.queue.push(...steps);
    if (document.hidden) this.skip();
    if (this.running) return;
    this.running = true;
    const round = ++this.round;
    while (this.queue.length) {
      const step = /** @type {Step} */ (this.queue.shift());
      await this.wait(step);
      if (round !== this.round) return;
      await this.show(step);
      if (round !== this.round) return;
      this.on.seen(step.rows);
      if (step.own) this.done = performance.now();
      await this.read(step);
      if (round !== this.round) return;
    }
    this.end();
    this.on.shown();
  }

  /** What others do is not mixed up with what I did just before. @param {Step} step */
  async wait({ passed, own }) {
    const rest = this.done + STEP * Math.min(1, pace()) - performance.now();
    if (!own && !passed && !still() && rest > 0) await pause(rest);
  }

  /** @param {Step} step */
  async show({ rows, passed, own, outcome }) {
    this.on.step(rows, own);
    this.offer(!((own && !outcome) || passed || !pace()));
    const { view } = rows[rows.length - 1];
    if (passed) this.stage.draw(view, [], rows);
    else {
      const skipped = new Promise((done) => (this.wake = () => done(null)));
      const drawn = this.stage.draw(view, rows);
      if (!own) this.stage.follow();
      await Promise.race([drawn, skipped]);
      this.wake = null;
    }
  }

  /**
   * The buttons come a moment later than what they are for: a turn may have ended by itself, and where its
   * last button was no thumb is to hold what others do.
   * @param {boolean} shown
   */
  offer(shown) {
    if (shown && this.el.hidden) {
      this.el.classList.add("coming");
      clearTimeout(this.coming);
      this.coming = window.setTimeout(() => this.el.classList.remove("coming"), UNMEANT);
    }
    this.el.hidden = !shown;
  }

  /** Leave a step to be read, until it is time for the next or somebody wants it. @param {Step} step */
  async read(step) {
    const ms = this.timeFor(step);
    if (!ms) return;
    const { acting, over } = this.model;
    if (!this.queue.length && !step.outcome && (step.own || acting !== null || over)) return;
    const woken = new Promise((done) => (this.wake = () => done(null)));
    await Promise.race([woken, pause(ms)]);
    if (this.held && (!step.own || step.outcome)) await woken;
    this.wake = null;
  }

  /** @param {Step} step how long, in milliseconds */
  timeFor({ rows, passed, own, outcome }) {
    if (passed || !pace()) return 0;
    if (own && !outcome)
      return still() ? 0 : STEP * Math.min(1, pace()) * (rows[0].who === "chance" ? 1.6 : 1);
    const said = rows.flatMap((row) => [...row.log, row.heading ?? ""]).filter((line) => line);
    const letters = said.join("").length;
    if (!letters) return 0;
    const longest = outcome ? LONGEST * Math.max(1, said.length / BREATH) : LONGEST;
    const usual = Math.min(longest, Math.max(LEAST, BEGIN + LETTER * letters)) * pace();
    const hurry = usual * Math.min(1, MANY / Math.max(1, this.queue.length));
    return this.isMyTime() ? Math.min(hurry, MY_TIME / (this.queue.length + 1)) : hurry;
  }

  /** Whether my own clock runs already. */
  isMyTime() {
    const running = this.model.table?.clock.running;
    return typeof running === "number" && this.model.yours.includes(running);
  }

  isBotsTurn() {
    const seat = this.model.table?.to_move;
    return typeof seat === "number" && this.model.table?.seats[seat].kind === "bot";
  }

  /** What I did, and what chance did in my turn. @param {Row} row */
  isOwn({ who, turn }) {
    const { yours } = this.model;
    if (who === "chance") return typeof turn === "number" && yours.includes(turn);
    return who === "house" || yours.includes(who);
  }

  /** What is still to be shown is taken as read, all of it in one step. */
  skip() {
    this.held = false;
    this.skipping = this.isBotsTurn();
    const rows = this.queue.flatMap((step) => step.rows);
    if (rows.length) this.queue = [{ rows, passed: true, own: false }];
    this.wake?.();
  }

  /** The next step now, and no further. */
  step() {
    this.held = true;
    this.showHold();
    this.wake?.();
  }

  toggle() {
    this.held = !this.held;
    this.showHold();
    if (!this.held) this.wake?.();
  }

  showHold() {
    const label = t(this.held ? "told.play" : "told.hold");
    this.hold.setAttribute("aria-label", label);
    this.hold.title = label;
    this.hold.className = this.held ? "primary goon" : "round";
    if (this.held) fillWith(this.hold, h("small", null, t("told.paused")), label);
    else fillWith(this.hold, icon("pause"));
  }

  /** Nothing more is shown: something else is on the board. */
  drop() {
    this.queue = [];
    this.round += 1;
    this.end();
  }

  end() {
    this.running = this.held = false;
    this.skipping &&= this.isBotsTurn();
    this.el.hidden = true;
    this.showHold();
  }

  close() {
    document.removeEventListener("visibilitychange", this.onHidden);
    this.drop();
  }
}

/**
 * Rows that are shown in one step: a throw of several dice, a deal of several cards.
 * @param {Row[]} rows @param {(row: Row) => boolean} isOwn
 */
function stepsOf(rows, isOwn) {
  /** @type {Step[]} */
  const steps = [];
  for (const row of rows) {
    const last = steps[steps.length - 1];
    const before = last?.rows[0];
    const same =
      before &&
      row.who === "chance" &&
      before.who === "chance" &&
      row.turn === before.turn &&
      row.text.split(" ")[0] === before.text.split(" ")[0];
    if (same) last.rows.push(row);
    else steps.push({ rows: [row], passed: false, own: isOwn(row), outcome: isOutcome(row) });
  }
  return steps;
}

/**
 * More comes of it than was played, for all who play together in nobody's turn; or the match ends with it.
 * @param {Row} row
 */
const isOutcome = ({ log, turn, view }) => view.to_move === "over" || (log.length > 1 && turn === null);
