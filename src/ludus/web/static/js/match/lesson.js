/**
 * A lesson as a table: the same messages as on a socket, but each answer comes from one request that says
 * where the learner is (part, step, actions so far).  Nothing is kept by the server.
 */

import { post, whoAmI } from "../api.js";
import { prepare } from "../titles/index.js";
import { loadTitle, spoken, t } from "../words.js";
import { Model } from "./model.js";
import { Session } from "./session.js";

/** @typedef {{part: number, step: number, actions: string[]}} Place */
/**
 * @typedef {{ok: true, lesson: {name: string, parts: number[]}, part: number, step: number,
 *   actions: string[],
 *   text: string, light: string[], reads: boolean, finished: boolean, entries: import("./model.js").Row[],
 *   [key: string]: any}} Told where the learner is now
 */

export class LessonLink {
  /**
   * @param {string} name of the title @param {Place} place
   * @param {{hear: (message: any) => void, told: (told: Told) => void}} on `told`: another step
   */
  constructor(name, place, on) {
    this.name = name;
    this.place = place;
    this.on = on;
    this.seat = null;
    /** @type {Place[]} before each gesture of the learner */
    this.before = [];
    this.me = "";
  }

  /** @param {Record<string, any>} [move] @returns {Promise<any>} */
  async send(move = {}) {
    return post(spoken(`/api/titles/${this.name}/lesson`), { ...this.place, name: this.me, ...move });
  }

  /** The learner is here: show all of it anew. */
  async look() {
    if (!this.me) this.me = (await whoAmI().catch(() => null))?.name ?? "";
    const told = await this.send();
    this.on.hear({ type: "state", begun: [], ...told, entry: told.entry });
    this.take(told);
  }

  /** @param {Told} told */
  take(told) {
    this.place = { part: told.part, step: told.step, actions: told.actions };
    this.on.told(told);
  }

  /** To another part, from its beginning. @param {number} part */
  async go(part) {
    this.before = [];
    this.place = { part, step: 0, actions: [] };
    await this.look();
  }

  /** What was said has been read. */
  async read() {
    const told = await this.send({ read: true });
    this.on.hear({ type: told.entries.length ? "entries" : "table", ...told });
    this.take(told);
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
    const asked = {
      why_not: { at, touches: body.touches },
      advice: { at, about: body.about, what_if: body.actions ?? [] },
      what_if: { at, what_if: body.actions },
    }[type];
    if (!asked) return { ok: false };
    try {
      return { ok: true, ...(await post(spoken(`/api/titles/${this.name}/lesson/ask`), asked)) };
    } catch (error) {
      return { ok: false, error: /** @type {any} */ (error).status ? "lesson" : "lost", reason: t("notnow") };
    }
  }

  close() {}
}

/** The learner's place at the table. */
export class LessonSession extends Session {
  /** @param {string} name of the title @param {Place} place @param {(told: Told) => void} told */
  constructor(name, place, told) {
    super("");
    this.titleName = name;
    this.place = place;
    this.told = told;
  }

  /** @returns {Promise<null>} */
  async open() {
    this.title = await loadTitle(this.titleName);
    prepare(this.titleName);
    /** @param {{hear: (message: any) => void}} on */
    const connect = (on) => {
      this.link = new LessonLink(this.titleName, this.place, { hear: on.hear, told: this.told });
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
