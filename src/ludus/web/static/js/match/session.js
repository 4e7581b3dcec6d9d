/** My place at a match: how one sits down, what is asked of the server, and whose turn it is. */

import { early, get, post, whoAmI } from "../api.js";
import { randomHex } from "../dom.js";
import { notify, setAttention } from "../notify.js";
import { remember } from "../settings.js";
import { play as sound } from "../sound.js";
import { prepareEarly } from "../titles/index.js";
import { loadTitle, matchName, spoken, t } from "../words.js";
import { Model } from "./model.js";

/** @typedef {import("./model.js").View} View */
/** @typedef {import("./model.js").Table} Table */

/** Whether a seat is not to be had, and nothing else went wrong. @param {any} error */
export const isRefusal = (error) => [403, 404, 409].includes(error.status);

export class Session {
  /** @param {string} id */
  constructor(id) {
    this.id = id;
    this.me = "";
    this.closed = false;
    this.badInvite = false;
    this.invite = ""; // to a rated match: nobody sits down there before they have said so (waiting.js)
    /** @type {Model | null} null until one sits down */
    this.opened = null;
    /** @type {import("../words.js").Title | null} */
    this.title = null;
    this.titleName = "";
    /** @type {boolean | null} */
    this.wasTurn = null;
  }

  /** For whatever happens after `open`. */
  get model() {
    return /** @type {Model} */ (this.opened);
  }

  get table() {
    return /** @type {Table} */ (this.model.table);
  }

  /** What the match is called, once its title is known. */
  get name() {
    return this.title ? matchName(this.title, this.table.options) : "";
  }

  /**
   * Sit down.
   * @returns {Promise<{model: Model, told: boolean} | null>} `told`: its state came with the page
   */
  async open() {
    const me = await whoAmI();
    if (this.closed) return null;
    this.me = me.name;
    const invite = new URLSearchParams(location.hash.slice(1)).get("invite");
    const seat = new URLSearchParams(location.search).get("seat");
    const path = spoken(`/api/matches/${encodeURIComponent(this.id)}`);
    let told = await (invite ? this.lookFirst(path) : early(path)?.catch(() => null));
    if (this.closed) return null;
    if (invite && told && (await this.beInvited(invite, told))) told = null;
    if (this.closed) return null;
    this.opened = new Model(this.id, seat === null ? null : Number(seat), told ?? null);
    return { model: this.opened, told: !!told };
  }

  /** What one is invited to; null where that is no match. @param {string} path */
  lookFirst(path) {
    return get(path).catch((error) => {
      if (!error.status) throw error;
      return null;
    });
  }

  /**
   * The link invites to a seat: it is taken at once, or is good no more; at a rated match one is asked first.
   * @param {string} invite @param {{table: Table, yours: number[]}} told what the match was until now
   * @returns {Promise<boolean>} whether it is another one now
   */
  async beInvited(invite, { table, yours }) {
    const open = table.state === "waiting" && table.seats.some(({ kind }) => kind === "link");
    if (yours.length) this.forgetInvite();
    else if (!open) this.badInvite = true;
    else if (table.rated) this.invite = invite;
    else {
      await this.sit(invite).catch((error) => (this.badInvite = isRefusal(error)));
      return true;
    }
    return false;
  }

  /**
   * Take a free seat, or that of an invitation.  Part of the dice comes from this browser.
   * @param {string} [invite]
   */
  async sit(invite) {
    const nonce = randomHex(16);
    const seat = invite ? { invite } : {};
    await post(`/api/matches/${encodeURIComponent(this.id)}/join`, { nonce, ...seat });
    remember(`nonce.${this.id}`, nonce);
    this.forgetInvite();
  }

  forgetInvite() {
    this.invite = "";
    history.replaceState(null, "", location.pathname + location.search);
  }

  get isLearnt() {
    return !!this.title && this.titleName === this.table.title;
  }

  /** The words of the title that is played here. */
  async learn() {
    const name = this.table.title;
    this.titleName = name;
    prepareEarly(name); // beside the words, not after them
    this.title = await loadTitle(name);
  }

  /** All of them or none, as one message. @param {string[]} actions @param {boolean} [goesOn] */
  async play(actions, goesOn) {
    const answer = await this.model.play(actions, goesOn);
    if (!answer.ok && answer.state) this.model.takeState(answer.state);
    return answer;
  }

  /** Take my latest gesture back, or all after an entry.  If the house refuses: how to ask the others, if
   * there are any. @param {number} [to] @returns {Promise<{ask: (() => Promise<any>) | null} | null>} */
  async undo(to) {
    const model = this.model;
    // Right after a reload the story may still be on its way, and with it what I did last.
    if (to === undefined && !model.rows.has(model.entry)) await model.readRecent().catch(() => undefined);
    const found = to === undefined ? model.undoTarget() : { to };
    if (!found || model.over) return null;
    const seat = model.eye;
    const answer = await model.link.command({ do: "undo", seat, expect: model.entry, to: found.to });
    if (answer.ok) return null;
    if (answer.error === "stale") {
      if (answer.state) model.takeState(answer.state);
      return null;
    }
    const others = !model.table?.rated && model.table?.seats.some((s) => !model.yours.includes(s.seat));
    return {
      ask: others ? () => model.link.command({ do: "propose", kind: "undo", to: found.to, seat }) : null,
    };
  }

  /** What was to be seen after an entry. @param {number} n @returns {Promise<View | undefined>} */
  async viewAt(n) {
    const { rows, eye } = this.model;
    const view = rows.get(n)?.view;
    if (view || n !== 0) return view;
    const seat = eye === null ? "" : `?seat=${eye}`;
    return (await get(`/api/matches/${encodeURIComponent(this.id)}/moments/0${seat}`)).view;
  }

  /** Call me when my turn begins. */
  callMe() {
    const { table, model } = this;
    const turn =
      table.state === "running" && typeof table.to_move === "number" && model.yours.includes(table.to_move);
    if (turn && this.wasTurn === false) {
      sound("turn");
      notify(t("notify.turn"), this.name, `/m/${this.id}`);
    }
    this.wasTurn = turn;
    setAttention(turn ? t("yourturn") : null);
  }

  close() {
    this.closed = true;
    this.opened?.close();
    setAttention(null);
  }
}
