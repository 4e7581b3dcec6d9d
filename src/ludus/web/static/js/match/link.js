/** The socket of one match: comes back by itself, sends every command until it is answered, once. */

import { tongue } from "../words.js";
import { randomHex } from "../dom.js";

/**
 * @typedef {{type: string, [key: string]: any}} Message
 * @typedef {{message: Message, done: (answer: any) => void}} Pending
 */

const FIRST_WAIT = 400;
const LONGEST_WAIT = 8000;
const QUIET = 10000; // milliseconds without a word after which the server is asked whether it is there,
const PATIENCE = 5000; // and those in which it has to answer: a dead line tells nobody that it is dead

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
    this.retrying = 0;
    this.silence = 0;
    this.ears = new AbortController();
    const { signal } = this.ears;
    addEventListener("offline", () => this.drop(), { signal });
    addEventListener("online", () => this.retrying && this.open(), { signal });
    document.addEventListener("visibilitychange", () => document.hidden || this.knock(), { signal });
    this.open();
  }

  open() {
    clearTimeout(this.retrying);
    this.retrying = 0;
    const query = new URLSearchParams({ lang: tongue() });
    const since = this.on.since();
    if (this.seat !== null) query.set("seat", String(this.seat));
    if (since !== null) query.set("since", String(since));
    const scheme = location.protocol === "https:" ? "wss" : "ws";
    const socket = new WebSocket(
      `${scheme}://${location.host}/api/matches/${encodeURIComponent(this.id)}/socket?${query}`,
    );
    this.socket = socket;
    this.expect(QUIET + PATIENCE);
    socket.onopen = () => {
      this.wait = FIRST_WAIT;
      this.listen();
      this.on.status("open", 0, "");
      for (const { message } of this.commands) socket.send(JSON.stringify(message));
    };
    socket.onmessage = (event) => {
      this.listen();
      this.receive(JSON.parse(event.data));
    };
    socket.onclose = (event) => this.lost(event);
  }

  /** Something was heard: after a while of silence we ask. */
  listen() {
    clearTimeout(this.silence);
    this.silence = window.setTimeout(() => this.knock(), QUIET);
  }

  /** Ask whether anybody is there. */
  knock() {
    if (this.socket?.readyState !== WebSocket.OPEN) return;
    this.socket.send(JSON.stringify({ type: "ping" }));
    this.expect(PATIENCE);
  }

  /** Without a word until then the line is dead. @param {number} ms */
  expect(ms) {
    clearTimeout(this.silence);
    this.silence = window.setTimeout(() => this.drop(), ms);
  }

  /** Give a line up that is dead; its own end would be told much later. */
  drop() {
    const { socket } = this;
    if (!socket) return;
    socket.onopen = socket.onmessage = socket.onclose = null;
    socket.close();
    this.lost({ code: 1006, reason: "" });
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

  /** @param {{code: number, reason: string}} event */
  lost(event) {
    clearTimeout(this.silence);
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
    this.retrying = window.setTimeout(() => this.open(), this.wait * (0.7 + 0.6 * Math.random()));
    this.wait = Math.min(this.wait * 1.8, LONGEST_WAIT);
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
    this.ears.abort();
    clearTimeout(this.retrying);
    clearTimeout(this.silence);
    this.socket?.close();
  }
}
