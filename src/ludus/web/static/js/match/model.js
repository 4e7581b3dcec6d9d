/**
 * What this browser knows of a match: the latest view, the choices, the entries.  No rule is decided here.
 */

import { get } from "../api.js";
import { randomHex } from "../dom.js";
import { seatName, tongue } from "../words.js";
import { Link } from "./link.js";

/**
 * @typedef {{action: string, say: string, touches: string[], actions?: string[], proposed?: number,
 *   opens?: boolean, alone?: boolean}} Choice `actions`: all that it stands for, where that is more than one;
 *   the last `proposed` of them answer by themselves; `opens`: the answers are asked for in a dialogue;
 *   `alone`: nothing else can be done, so it may be played without asking
 * @typedef {{seat: number, kind: string, name: string, status: string, present: boolean, bot?: string,
 *   strength?: import("./rated.js").Strength}} Seat
 * @typedef {{id: string, title: string, options: Record<string, any>, state: string, public: boolean,
 *   same_screen: boolean, start?: boolean, hints?: boolean, rated?: boolean, entries: number,
 *   to_move: number | "chance" | null, seats: Seat[],
 *   clock: {kind: string, seconds: number, increment: number, left?: number[], running?: number | null,
 *   deadline?: number | null, now?: number},
 *   proposal: {kind: string, seat: number, to: number, entry: number, yes: number[]} | null, result: number[]
 *   | null,
 *   ending: string, again: string | null, watching: number, rules_version: number,
 *   fairness: {commitment: string, nonces?: string[], key?: string}, peace?: Peace[]}} Table
 * @typedef {{peace: number, state: "offered" | "agreed" | "refused" | "withdrawn" | "broken", seat: number,
 *   to: number, rounds: number, answers: number | null, first: number, last: number, by: number | null,
 *   round: number, deal?: boolean, why?: string}}
 *   Peace a word between two seats; it is offered, agreed, and broken by somebody in a round
 */

/**
 * What a seat may see.  `board` is what the title alone shows: its drawing knows the type (view.d.ts).
 * @template [Board=Record<string, unknown>]
 * @typedef {{title: string, seat: number | null, seats: number, to_move: number | "chance" | "over",
 *   prompt: string, result: number[] | null, out: number[], board: Board}} View `out`: who has no turn
 *   to come while the others play on
 */
/**
 * @template [V=View]
 * @typedef {{n: number, who: number | "chance" | "house", text: string, log: string[], stands: boolean,
 *   turn?: number | null, round?: number, heading?: string, after?: number, news?: string[],
 *   name?: string, back_to?: number, view: V}} Row
 *   `turn`: in whose turn it happened, null in nobody's; `heading`: a turn begins with it, to which the last
 *   `after` sentences belong; `news`: what of the log is worth a digest; `name`: how the seat was called then
 *   in whose turn it happened, or of which the house tells something
 */
/**
 * How far actions would go, and what then could be done and seen.
 * @template [V=View]
 * @typedef {{ok: true, played: number, stopped: string, legal: Choice[], view: V}
 *   | {ok: false, error?: string, reason?: string}} WhatIf
 */

const PAGE = 200;
const RECENT = 60;

/** Events: "state" (all is new), "rows" (entries came), "table", "chat", "link", "log". */
export class Model extends EventTarget {
  /**
   * @param {string} id @param {number | null} seat @param {any} [early] a state that was told before
   * @param {(on: ConstructorParameters<typeof Link>[1]) => Link} [connect] to what answers
   */
  constructor(id, seat, early = null, connect = (on) => new Link(id, on)) {
    super();
    this.id = id;
    /** @type {Table | null} */
    this.table = null;
    this.toldAt = 0; // when we were told of the table, by the even clock of this page
    /** @type {View | null} */
    this.view = null;
    /** @type {WeakMap<View, Map<string, Promise<any>>>} what was asked of a view already */
    this.advice = new WeakMap();
    /** @type {Choice[]} */
    this.legal = [];
    /** @type {Choice[]} the same as a person says it: several actions in one gesture */
    this.gestures = [];
    /** @type {{id: string, from: number, to: number, parts: number}[]} entries played as one gesture */
    this.groups = [];
    /** @type {Map<number, Row>} */
    this.rows = new Map();
    /** @type {Map<number, Peace>} by the number of its offer */
    this.peace = new Map();
    /** @type {number[]} */
    this.yours = [];
    /** @type {number[]} seats from which I have resigned, and a bot plays on */
    this.resigned = [];
    /** @type {number[]} seats that I have left and nobody has taken since */
    this.away = [];
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
    this.link = connect({
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
      this.takeTable(m.table);
      this.offer(m);
      if (began) this.link.look(this.link.seat);
      else this.tell("table");
    } else if (m.type === "chat") {
      if (m.line.peace) this.takePeace([m.line]);
      this.tell("chat", m.line);
      if (m.line.peace) this.tell("table");
    }
  }

  /** What players have said of peace: the last word on each counts. @param {Peace[]} told */
  takePeace(told) {
    for (const one of told) {
      this.peace.set(one.peace, one);
      if (one.answers) this.peace.delete(one.answers); // a counter-offer takes the place of an offer
    }
    if (this.table) this.table.peace = [...this.peace.values()];
  }

  /** @param {Table} table */
  takeTable(table) {
    this.table = { ...table, peace: [...this.peace.values()] };
    this.toldAt = performance.now();
  }

  /**
   * How many seconds each seat has left, now.  The server tells its own time along with a deadline: no
   * clock of this machine is believed, only how much time has passed since.
   * @returns {number[] | null}
   */
  timeLeft() {
    const clock = this.table?.clock;
    if (!clock || clock.kind === "none" || !clock.left) return null;
    const passed = (performance.now() - this.toldAt) / 1000;
    const { running, deadline, now } = clock;
    return clock.left.map((left, seat) =>
      Math.max(0, running === seat && deadline && now ? deadline - now - passed : left),
    );
  }

  /** @param {any} m */
  takeState(m) {
    this.keep(m);
    this.tell("state");
  }

  /** @param {any} m */
  keep(m) {
    if (m.eye !== this.eye || m.entry < this.entry) this.rows.clear();
    this.takeTable(m.table);
    this.view = m.view;
    this.offer(m);
    this.entry = m.entry;
    this.eye = m.eye;
    this.yours = m.yours;
    this.resigned = m.resigned ?? [];
    this.away = m.away ?? [];
    this.invites = m.invites ?? {};
    if (!this.known) this.takeGestures(m.begun ?? []);
    this.known = true;
  }

  /** Which of my entries are one gesture, where another page played them. @param {number[]} begun */
  takeGestures(begun) {
    this.groups = begun.map((from, k) => ({
      id: randomHex(12),
      from,
      to: (begun[k + 1] ?? this.entry + 1) - 1,
      parts: 0,
    }));
  }

  /** @param {any} m */
  takeRows(m) {
    this.takeTable(m.table);
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
    this.offer(m);
    this.tell("rows", { rows: fresh, before });
  }

  /** @param {{legal: Choice[], gestures?: Choice[]}} m */
  offer({ legal, gestures }) {
    this.legal = this.called(legal);
    this.gestures = gestures ? this.called(gestures) : this.legal;
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

  /** @param {Row} row */
  named(row) {
    row.log = row.log.map((line) => this.withNames(line));
    row.news = row.news?.map((line) => this.withNames(line));
    if (row.heading) row.heading = this.withNames(row.heading);
    return row;
  }

  /** @param {Choice[]} choices */
  called(choices) {
    return choices.map((choice) => ({ ...choice, say: this.withNames(choice.say) }));
  }

  /** Bots are called as everywhere on the page. @param {string} text */
  withNames(text) {
    const bots = (this.table?.seats ?? []).filter((seat) => seat.bot);
    return bots.reduce((line, seat) => line.replaceAll(seat.name, seatName(seat)), text);
  }

  get over() {
    return this.table?.state === "over";
  }

  /** The seat that I have left and can come back to, or null. */
  get leftSeat() {
    const { table, yours } = this;
    if (table?.state !== "running" || yours.length) return null;
    return this.away.find((seat) => table.seats[seat].kind !== "person") ?? null;
  }

  /** Take a free seat, and look with its eyes. @param {number} seat */
  async claim(seat) {
    const answer = await this.link.command({ do: "claim", seat });
    if (answer.ok) this.link.look(null);
    return answer;
  }

  /** The free seats that I may take now: who has just left is not told to those who only look on.
   * @returns {Promise<number[]>} */
  async askClaims() {
    const free = this.table?.state === "running" && this.table.seats.some(({ kind }) => kind === "free");
    if ((!free && this.leftSeat === null) || this.yours.length) return [];
    const told = await get(`/api/matches/${encodeURIComponent(this.id)}`).catch(() => null);
    return told?.claims ?? [];
  }

  /** Whether nobody plays on: it is over, or was closed because only bots were left. */
  get ended() {
    return this.over || this.table?.state === "closed";
  }

  /** My seats, also those from which I have resigned. */
  get own() {
    return [...this.yours, ...this.resigned];
  }

  /** My seats that have turns to come. */
  get playing() {
    return this.yours.filter((seat) => !this.view?.out?.includes(seat));
  }

  /** Whether I only look on. */
  get watches() {
    return !this.playing.length;
  }

  /** Whether I may ask for the next match. */
  get mayPlayAgain() {
    return this.ended && this.yours.length + this.resigned.length > 0;
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

  /**
   * All of them or none, as one message.
   * @param {string[]} actions @param {boolean} [goesOn] whether they belong to the gesture before them
   */
  async play(actions, goesOn = false) {
    const expect = this.entry;
    const seat = this.acting ?? this.eye;
    const last = this.groups[this.groups.length - 1];
    const same = goesOn && last && this.onlyHouse(last.to + 1, expect) ? last : null;
    const group = same ?? { id: randomHex(12), from: expect + 1, to: 0, parts: 0 };
    group.parts += 1; // commands of one gesture have the same letters before the dash, for the server
    const client = `${group.id}-${group.parts}`;
    const answer = await this.link.command({ do: "play", client, seat, expect, actions });
    if (!answer.ok) return answer;
    group.to = expect + actions.length;
    if (!same) this.groups.push(group);
    return answer;
  }

  /** Whether nobody has played from one entry to another. @param {number} from @param {number} to */
  onlyHouse(from, to) {
    for (let n = from; n <= to; n++) if (this.rows.get(n)?.who !== "house") return false;
    return true;
  }

  /**
   * The gestures that begin with some actions, with all answers: for a dialogue.
   * @param {string[]} actions
   */
  async answersAfter(actions) {
    const answer = await this.link.ask("gestures", { seat: this.eye, actions, lang: tongue() });
    return answer.ok ? this.called(answer.gestures) : [];
  }

  /** @param {string[]} actions @returns {Promise<WhatIf>} */
  async whatIf(actions) {
    const answer = await this.link.ask("what_if", { seat: this.eye, actions, lang: tongue() });
    return answer.ok ? { ...answer, legal: this.called(answer.legal) } : answer;
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

  /** What would stand open if the turn ended now, or "". @returns {Promise<string>} */
  async warning() {
    const answer = await this.link.ask("warning", { seat: this.eye, lang: tongue() });
    return answer.ok ? this.withNames(answer.warning) : "";
  }

  /**
   * Which rule forbids what was touched, after what was begun.
   * @param {string[]} touches @param {string[]} actions
   */
  whyNot(touches, actions = []) {
    return this.link.ask("why_not", { seat: this.eye, touches, actions, lang: tongue() });
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
      const path = `/api/matches/${encodeURIComponent(this.id)}/entries?since=${since}&limit=${PAGE}&lang=${tongue()}${seat}${whole}`;
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

  /** To which entry an undo of my latest gesture would go. @returns {{to: number} | null} */
  undoTarget() {
    const mine = [...this.rows.values()].filter(
      ({ who, stands }) =>
        stands &&
        typeof who === "number" &&
        this.yours.includes(who) &&
        (this.eye === null || who === this.eye),
    );
    if (!mine.length) return null;
    const last = Math.max(...mine.map((row) => row.n));
    const group = this.groups.find(({ from, to }) => from <= last && last <= to);
    const first = mine.find((row) => group && row.n >= group.from && row.n <= last)?.n ?? last;
    return { to: Math.min(first, last) - 1 };
  }

  close() {
    this.link.close();
  }
}
