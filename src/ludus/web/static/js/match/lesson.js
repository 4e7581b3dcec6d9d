/**
 * A lesson as a table, and what puzzles have in common with it: the same messages as on a socket, but each
 * answer comes from one request that says where the learner is.  Nothing is kept by the server.
 */

import { inTime, post, whoAmI } from "../api.js";
import { prepareEarly } from "../titles/index.js";
import { loadTitle, spoken, t } from "../words.js";
import { Model } from "./model.js";
import { Session } from "./session.js";

/** @typedef {{part: number, step: number, actions: string[]}} Place */
/**
 * @typedef {{ok: true, lesson: {name: string, parts: number[]}, part: number, step: number,
 *   actions: string[],
 *   text: string, frame: string[], light: string[], touches: string[], reads: boolean, finished: boolean,
 *   entries: import("./model.js").Row[],
 *   [key: string]: any}} Told where the learner is now
 */

/** @typedef {{hear: (message: any) => void, told: (told: any) => void}} Hears `told`: another step */

/** A staged game whose place is whatever one request needs to say. */
export class StagedLink {
  /**
   * @param {string} name of the title
   * @param {string} route of the requests @param {any} place @param {Hears} on
   */
  constructor(name, route, place, on) {
    this.name = name;
    this.route = route;
    this.place = place;
    this.on = on;
    this.seat = null;
    /** @type {any[]} places before each gesture of the learner */
    this.before = [];
    this.me = "";
    this.warns = false; // whether it is said what stands open at the end of a turn: a lesson says itself what to do
  }

  /** @param {Record<string, any>} [move] @returns {Promise<any>} */
  async send(move = {}) {
    return post(spoken(`/api/titles/${this.name}/${this.route}`), { ...this.place, name: this.me, ...move });
  }

  /** The learner is here: show all of it anew. */
  async look() {
    if (!this.me) this.me = (await inTime(whoAmI()).catch(() => null))?.name ?? "";
    const told = await this.send();
    this.on.hear({ type: "state", begun: [], ...told, entry: told.entry });
    this.take(told);
  }

  /** @param {any} told */
  take(told) {
    this.place = this.placeOf(told);
    this.on.told(told);
  }

  /** Where one is by what was told. @param {any} told @returns {any} */
  placeOf(told) {
    return told;
  }

  /** To another place, from its beginning. @param {any} place */
  async arriveAt(place) {
    this.before = [];
    this.place = place;
    await this.look();
  }

  /** Take the last gesture back; whether there was one. */
  async back() {
    const place = this.before.pop();
    if (!place) return false;
    this.place = place;
    await this.look();
    return true;
  }

  /** @param {Record<string, any>} body @returns {Promise<any>} */
  async command(body) {
    if (body.do !== "play") return { ok: false, error: "lesson", reason: t("notnow") };
    let told;
    try {
      told = await this.send({ play: body.actions });
    } catch (error) {
      return { ok: false, error: /** @type {any} */ (error).status ? "lesson" : "lost", reason: t("notnow") };
    }
    if (!told.ok) return { ok: false, error: "lesson", reason: told.reason };
    this.before.push(this.place);
    this.on.hear({ type: "entries", ...told });
    this.take(told);
    return { ok: true };
  }

  /** @param {string} type @param {Record<string, any>} body @returns {Promise<any>} */
  async ask(type, body) {
    const at = { ...this.place, name: this.me };
    /** @type {Record<string, any>} */
    const questions = {
      why_not: { at, touches: body.touches },
      advice: { at, about: body.about, what_if: body.actions ?? [] },
      what_if: { at, what_if: body.actions },
      ...(this.warns ? { warning: { at, warning: true } } : {}),
    };
    const asked = questions[type];
    if (!asked) return { ok: false };
    try {
      return { ok: true, ...(await post(spoken(`/api/titles/${this.name}/${this.route}/ask`), asked)) };
    } catch (error) {
      return { ok: false, error: /** @type {any} */ (error).status ? "lesson" : "lost", reason: t("notnow") };
    }
  }

  close() {}
}

export class LessonLink extends StagedLink {
  /** @param {string} name of the title @param {Place} place @param {Hears} on */
  constructor(name, place, on) {
    super(name, "lesson", place, on);
  }

  /** @param {Told} told @returns {Place} */
  placeOf({ part, step, actions }) {
    return { part, step, actions };
  }

  /** To another part, from its beginning. @param {number} part */
  async go(part) {
    await this.arriveAt({ part, step: 0, actions: [] });
  }

  /** What was said has been read. */
  async read() {
    const told = await this.send({ read: true });
    this.on.hear({ type: told.entries.length ? "entries" : "table", ...told });
    this.take(told);
  }
}

/**
 * The learner's place at the table.
 * @template {StagedLink} L
 */
export class StagedSession extends Session {
  /** @param {string} name of the title @param {any} place @param {(told: any) => void} told
   * @param {new (name: string, place: any, on: Hears) => L} Link */
  constructor(name, place, told, Link) {
    super("");
    this.titleName = name;
    this.place = place;
    this.told = told;
    this.Link = Link;
    /** @type {L | undefined} */
    this.link = undefined;
  }

  /** @returns {Promise<null>} */
  async open() {
    this.title = await loadTitle(this.titleName);
    prepareEarly(this.titleName);
    /** @param {{hear: (message: any) => void}} on */
    const connect = (on) => {
      this.link = new this.Link(this.titleName, this.place, { hear: on.hear, told: this.told });
      return /** @type {any} */ (this.link);
    };
    this.opened = new Model("", null, null, connect);
    return null;
  }

  /** @returns {Promise<null>} */
  async undo() {
    await this.link?.back();
    return null;
  }
}
