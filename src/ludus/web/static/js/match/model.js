/**
 * What this browser knows of a match: the latest view, the choices, the entries.  No rule is decided here.
 */

import { get } from "../api.js";
import { botName, lang } from "../words.js";
import { Link } from "./link.js";

/**
 * @typedef {{action: string, say: string, touches: string[], first?: string[]}} Choice `first`: what is
 *   played before it (gestures.js)
 * @typedef {{title: string, seat: number | null, seats: number, to_move: number | "chance" | "over",
 *   prompt: string, result: number[] | null, board: Record<string, any>}} View
 * @typedef {{n: number, who: number | "chance" | "house", text: string, log: string[], stands: boolean,
 *   back_to?: number, view: View}} Row
 * @typedef {{seat: number, kind: string, name: string, status: string, present: boolean, bot?: string}} Seat
 * @typedef {{id: string, title: string, options: Record<string, any>, state: string, public: boolean,
 *   same_screen: boolean, entries: number, to_move: number | "chance" | null, seats: Seat[],
 *   clock: {kind: string, seconds: number, increment: number, left?: number[], running?: number | null,
 *   deadline?: number | null},
 *   proposal: {kind: string, seat: number, to: number, entry: number, yes: number[]} | null, result: number[]
 *   | null,
 *   ending: string, again: string | null, watching: number, rules_version: number,
 *   fairness: {commitment: string, nonces?: string[], key?: string}}} Table
 */

const PAGE = 200;
const RECENT = 60;

/** Events: "state" (all is new), "rows" (entries came), "table", "chat", "link", "log". */
export class Model extends EventTarget {
  /** @param {string} id @param {number | null} seat @param {any} [early] a state that was told before */
  constructor(id, seat, early = null) {
    super();
    this.id = id;
    /** @type {Table | null} */
    this.table = null;
    /** @type {View | null} */
    this.view = null;
    /** @type {WeakMap<View, Map<string, Promise<any>>>} what was asked of a view already */
    this.advice = new WeakMap();
    /** @type {Choice[]} */
    this.legal = [];
    /** @type {Map<number, Row>} */
    this.rows = new Map();
    /** @type {number[]} */
    this.yours = [];
    /** @type {number | null} */
    this.eye = null;
    /** @type {Record<string, string>} */
    this.invites = {};
    this.entry = 0;
    this.known = false;
    this.connected = "lost";
    /** @type {string} */
    this.reason = "";
    if (early) this.keep(early);
    this.link = new Link(id, {
      seat,
      since: () => (this.known && this.view ? this.entry : null),
      hear: (message) => this.hear(message),
      status: (state, code, reason) => {
        this.connected = state;
        this.reason = reason;
        this.tell("link", { state, code, reason });
      },
    });
  }

  /** @param {string} name @param {any} [detail] */
  tell(name, detail) {
    this.dispatchEvent(new CustomEvent(name, { detail }));
  }

  /** @param {string} name @param {(detail: any) => void} work */
  on(name, work) {
    this.addEventListener(name, (event) => work(/** @type {CustomEvent} */ (event).detail));
  }

  /** @param {any} m */
  hear(m) {
    if (m.type === "state") this.takeState(m);
    else if (m.type === "entries") this.takeRows(m);
    else if (m.type === "table") {
      const began = this.table?.state === "waiting" && m.table.state !== "waiting";
      this.table = m.table;
      this.legal = m.legal;
      if (began) this.link.look(this.link.seat);
      else this.tell("table");
    } else if (m.type === "chat") this.tell("chat", m.line);
  }

  /** @param {any} m */
  takeState(m) {
    this.keep(m);
    this.tell("state");
  }

  /** @param {any} m */
  keep(m) {
    if (m.eye !== this.eye || m.entry < this.entry) this.rows.clear();
    this.table = m.table;
    this.view = m.view;
    this.legal = m.legal;
    this.entry = m.entry;
    this.eye = m.eye;
    this.yours = m.yours;
    this.invites = m.invites ?? {};
    this.known = true;
  }

  /** @param {any} m */
  takeRows(m) {
    this.table = m.table;
    const fresh = m.entries.filter((/** @type {Row} */ row) => row.n > this.entry);
    if (!this.known || this.view === null || (fresh.length && fresh[0].n !== this.entry + 1)) {
      this.link.look(this.link.seat);
      return;
    }
    this.add(fresh);
    const before = this.view;
    if (fresh.length) {
      const last = fresh[fresh.length - 1];
      this.entry = last.n;
      this.view = last.view;
    }
    this.legal = m.legal;
    this.tell("rows", { rows: fresh, before });
  }

  /**
   * Keep rows, whichever came first: what was taken back since they were told stands no more.
   * @param {Row[]} rows
   */
  add(rows) {
    for (const row of rows) this.rows.set(row.n, this.named(row));
    for (const { n, back_to: to } of this.rows.values()) {
      if (to === undefined) continue;
      for (const row of this.rows.values())
        if (row.n > to && row.n < n && row.who !== "house") row.stands = false;
    }
  }

  /** Bots are called as everywhere on the page. @param {Row} row */
  named(row) {
    for (const seat of this.table?.seats ?? []) {
      if (seat.bot)
        row.log = row.log.map((line) => line.replaceAll(`${seat.bot} (bot)`, botName(seat.bot ?? "")));
    }
    return row;
  }

  get over() {
    return this.table?.state === "over";
  }

  /** The seat for which this browser acts now, or null. */
  get acting() {
    const seat = this.table?.to_move;
    return typeof seat === "number" &&
      this.yours.includes(seat) &&
      this.eye === seat &&
      this.table?.state === "running"
      ? seat
      : null;
  }

  /** @param {string[]} actions */
  play(actions) {
    return this.link.command({ do: "play", seat: this.acting ?? this.eye, expect: this.entry, actions });
  }

  /** @param {string[]} actions */
  whatIf(actions) {
    return this.link.ask("what_if", { seat: this.eye, actions, lang: lang() });
  }

  /** What the title says of a touch or an action: reach, chances, dangers; asked once for each view.
   * @param {string} about @param {string[]} [actions] @returns {Promise<any>} */
  advise(about, actions = []) {
    const view = this.view;
    if (!view) return Promise.resolve(null);
    const known = this.advice.get(view) ?? new Map();
    this.advice.set(view, known);
    const key = JSON.stringify([about, actions]);
    if (!known.has(key))
      known.set(
        key,
        this.link
          .ask("advice", { seat: this.eye, about, actions })
          .then((answer) => (answer.ok ? answer.advice : null)),
      );
    return known.get(key);
  }

  /** Which rule forbids what was touched. @param {string[]} touches */
  whyNot(touches) {
    return this.link.ask("why_not", { seat: this.eye, touches });
  }

  /**
   * Read entries from the server so that all from `from` to `to` are known.
   * @param {number} from @param {number} [to]
   */
  async read(from, to = this.entry) {
    const eye = this.eye;
    let since = from - 1;
    while (since < to) {
      if (this.rows.has(since + 1)) {
        since += 1;
        continue;
      }
      const seat = eye === null ? "" : `&seat=${eye}`;
      const whole = this.over ? "&whole=true" : "";
      const path = `/api/matches/${encodeURIComponent(this.id)}/entries?since=${since}&limit=${PAGE}&lang=${lang()}${seat}${whole}`;
      const told = await get(path);
      if (this.eye !== eye) return;
      this.add(told.entries);
      if (!told.entries.length) break;
      since = told.entries[told.entries.length - 1].n;
    }
    this.tell("log");
  }

  readRecent() {
    return this.read(Math.max(1, this.entry - RECENT + 1));
  }

  /** To which entry an undo of my latest action would go. @returns {{to: number} | null} */
  undoTarget() {
    const mine = [...this.rows.values()].filter(
      ({ who, stands }) =>
        stands &&
        typeof who === "number" &&
        this.yours.includes(who) &&
        (this.eye === null || who === this.eye),
    );
    return mine.length ? { to: Math.max(...mine.map((row) => row.n)) - 1 } : null;
  }

  close() {
    this.link.close();
  }
}
