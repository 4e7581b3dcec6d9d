/** The socket of one match: comes back by itself, sends every command until it is answered, once. */

import { lang } from "../words.js";
import { pause, randomHex } from "../dom.js";

/**
 * @typedef {{type: string, [key: string]: any}} Message
 * @typedef {{message: Message, done: (answer: any) => void}} Pending
 */

const FIRST_WAIT = 400;
const LONGEST_WAIT = 8000;

export class Link {
  /**
   * @param {string} id
   * @param {{seat: number | null, since: () => number | null, hear: (message: Message) => void,
   *   status: (state: "open" | "lost" | "ended", code: number, reason: string) => void}} on
   */
  constructor(id, on) {
    this.id = id;
    this.on = on;
    this.seat = on.seat;
    /** @type {WebSocket | null} */
    this.socket = null;
    /** @type {Pending[]} commands that wait for an answer, by their own id */
    this.commands = [];
    /** @type {Map<string, Pending[]>} questions, answered in the order in which they were asked */
    this.questions = new Map();
    this.closed = false;
    this.wait = FIRST_WAIT;
    this.open();
  }

  open() {
    const query = new URLSearchParams({ lang: lang() });
    const since = this.on.since();
    if (this.seat !== null) query.set("seat", String(this.seat));
    if (since !== null) query.set("since", String(since));
    const scheme = location.protocol === "https:" ? "wss" : "ws";
    const socket = new WebSocket(
      `${scheme}://${location.host}/api/matches/${encodeURIComponent(this.id)}/socket?${query}`,
    );
    this.socket = socket;
    socket.onopen = () => {
      this.wait = FIRST_WAIT;
      this.on.status("open", 0, "");
      for (const { message } of this.commands) socket.send(JSON.stringify(message));
    };
    socket.onmessage = (event) => this.receive(JSON.parse(event.data));
    socket.onclose = (event) => this.lost(event);
  }

  /** @param {Message} message */
  receive(message) {
    if (message.type !== "answer") {
      this.on.hear(message);
      return;
    }
    if (message.to === "command") {
      const k = this.commands.findIndex((c) => c.message.client === message.client);
      if (k >= 0) this.commands.splice(k, 1)[0].done(message);
      return;
    }
    this.questions.get(message.to)?.shift()?.done(message);
  }

  /** @param {CloseEvent} event */
  async lost(event) {
    this.socket = null;
    for (const waiting of this.questions.values())
      for (const q of waiting.splice(0)) q.done({ ok: false, error: "lost" });
    if (this.closed) return;
    if (event.code >= 4000) {
      this.closed = true;
      this.on.status("ended", event.code, event.reason);
      return;
    }
    this.on.status("lost", event.code, event.reason);
    await pause(this.wait * (0.7 + 0.6 * Math.random()));
    this.wait = Math.min(this.wait * 1.8, LONGEST_WAIT);
    if (!this.closed) this.open();
  }

  /** Send a command; it is sent again after a lost connection, and happens once.
   * @param {Record<string, any>} body @returns {Promise<any>} */
  command(body) {
    const message = { type: "command", client: randomHex(12), ...body };
    return new Promise((done) => {
      this.commands.push({ message, done });
      if (this.socket?.readyState === WebSocket.OPEN) this.socket.send(JSON.stringify(message));
    });
  }

  /**
   * Ask something that changes nothing.
   * @param {string} type @param {Record<string, any>} body
   * @returns {Promise<any>}
   */
  ask(type, body) {
    return new Promise((done) => {
      if (this.socket?.readyState !== WebSocket.OPEN) {
        done({ ok: false, error: "lost" });
        return;
      }
      const message = { type, ...body };
      const waiting = this.questions.get(type) ?? [];
      this.questions.set(type, waiting);
      waiting.push({ message, done });
      this.socket.send(JSON.stringify(message));
    });
  }

  /** Look through the eyes of another seat. @param {number | null} seat @param {number | null} [since] */
  look(seat, since = null) {
    this.seat = seat;
    return this.ask("look", { seat, since });
  }

  close() {
    this.closed = true;
    this.socket?.close();
  }
}
