/** A match: the waiting room, the board, everything around it. */

import { ahead, early, post, whoAmI } from "../api.js";
import { fillWith, h, icon, pause, randomHex, still } from "../dom.js";
import { Bar, capital, nameOf } from "../match/bar.js";
import { Hands } from "../match/hands.js";
import { Gestures } from "../match/gestures.js";
import { dialog, Info, Toast } from "../match/info.js";
import { clockText, houseLine } from "../match/house.js";
import { onKey } from "../match/keys.js";
import { Model } from "../match/model.js";
import { Replay } from "../match/replay.js";
import { showResult, verdict } from "../match/result.js";
import { Side } from "../match/side.js";
import { Zoom } from "../match/zoom.js";
import { notify, setAttention } from "../notify.js";
import { remember, setting } from "../settings.js";
import { pageHeader } from "../shell.js";
import { play as sound } from "../sound.js";
import { drawingOf, prepare } from "../titles/index.js";
import { loadTitle, seatName, spoken, t } from "../words.js";

/** @typedef {import("../match/model.js").Row} Row */
/** @typedef {import("../match/model.js").View} View */
/** @typedef {import("../match/model.js").Choice} Choice */

const STEP = 420; // milliseconds between two actions that are shown one after the other
const MOST = 30; // so many entries are shown moving; more are taken as read

export class MatchPage {
  /** @param {string} id @param {HTMLElement} host */
  constructor(id, host) {
    this.id = id;
    this.host = host;
    this.closed = false;
    /** @type {import("../titles/index.js").Drawing | null} */
    this.drawing = null;
    /** @type {import("../words.js").Title | null} */
    this.title = null;
    /** @type {Row[][]} */
    this.queue = [];
    this.showing = false;
    this.ended = false;
    this.toldAgain = false;
    this.uncovered = false;
    this.badInvite = false;
    this.titleName = "";
    /** @type {boolean | null} */
    this.wasTurn = null;
    /** @type {HTMLElement | null} */
    this.curtain = null;
    /** @type {Model | null} */
    this.model = null;
    /** @type {Gestures | null} */
    this.gestures = null;
    /** @type {Side | null} */
    this.side = null;
    /** @type {Replay | null} */
    this.replay = null;
    this.me = "";
    this.asked = 0;
    this.live = h("div.sr", { "aria-live": "polite", id: "live" });
    this.status = h("span.status");
    this.stage = h("div.stage");
    this.board = h("div.board", { tabindex: -1 }, this.stage);
    this.lost = h("div.lost", { role: "status", hidden: true }, t("lost"));
    this.info = new Info(this.board);
    this.bar = new Bar({ undo: () => this.undo() });
    this.proposal = h("div.proposal", { role: "alert", hidden: true });
    this.sideButton = h("button.round", { type: "button", "aria-label": t("side"), title: `${t("log")} (L)`, onclick: () => this.toggleSide() }, icon("log"));
    this.menuButton = h("button.round", { type: "button", "aria-label": t("menu"), title: t("menu"), onclick: () => this.openMenu() }, icon("menu"));
    this.header = pageHeader(this.status, [this.sideButton, this.menuButton]);
    this.table = h("div.table", null, this.board, this.proposal, this.bar.el);
    this.main = h("main.matchpage", { id: "main" }, this.table);
    this.toast = new Toast(this.table);
    this.hands = new Hands(this.board, {
      commit: (choice) => this.commit(choice),
      refuse: (path) => this.refuse(path),
      changed: () => this.offered(),
      hover: (choice, node) => this.hover(choice, node),
      inform: (el, lasting) => this.inform(el, lasting),
    });
    this.zoom = new Zoom(this.board, this.stage, { drags: () => this.hands.drags(), grabbed: () => this.hands.letGo() });
    document.body.classList.add("playing");
    fillWith(this.host, this.header, this.main, this.live);
    fillWith(this.stage, h("p.loading", null, t("loading")));
    this.keys = (/** @type {KeyboardEvent} */ e) => onKey(this, e);
    document.addEventListener("keydown", this.keys);
    this.ticking = window.setInterval(() => this.tick(), 250);
    this.begin();
  }

  async begin() {
    const me = await whoAmI();
    if (this.closed) return;
    this.me = me.name;
    const query = new URLSearchParams(location.search);
    const invite = new URLSearchParams(location.hash.slice(1)).get("invite");
    if (invite) await this.accept(invite);
    if (this.closed) return;
    const seat = query.get("seat");
    const told = await early(spoken(`/api/matches/${encodeURIComponent(this.id)}`))?.catch(() => null);
    if (this.closed) return;
    this.model = new Model(this.id, seat === null ? null : Number(seat), told);
    const model = this.model;
    this.gestures = new Gestures(model);
    this.side = new Side(model, { moment: (n) => this.lookAt(n), close: () => this.toggleSide(false) });
    this.replay = new Replay(model, { show: (n) => this.showMoment(n), leave: () => this.present(), eye: (eye) => model.link.look(eye) });
    this.table.insertBefore(this.replay.el, this.bar.el);
    this.main.append(this.side.el);
    this.toggleSide(innerWidth >= 1200 && setting("side", true), false);
    model.on("state", () => this.onState());
    model.on("rows", (detail) => this.onRows(detail.rows));
    model.on("table", () => this.onTable());
    model.on("chat", (line) => this.side?.hear(line, this.me));
    model.on("log", () => this.side?.showLog());
    model.on("link", (detail) => this.onLink(detail));
    if (told) this.onState();
  }

  /** Sit down where the link invites to.  Part of the dice comes from this browser. @param {string} invite */
  async accept(invite) {
    const nonce = randomHex(16);
    try {
      await post(`/api/matches/${encodeURIComponent(this.id)}/join`, { invite, nonce });
      remember(`nonce.${this.id}`, nonce);
      history.replaceState(null, "", location.pathname + location.search);
    } catch (error) {
      this.badInvite = /** @type {any} */ (error).status === 403;
    }
  }

  close() {
    this.closed = true;
    document.body.classList.remove("playing");
    document.removeEventListener("keydown", this.keys);
    clearInterval(this.ticking);
    this.zoom.close();
    this.model?.close();
    this.replay?.stop();
    setAttention(null);
  }

  // -- what the server tells --------------------------------------------------------------------------

  /** @param {{state: string, code: number, reason: string}} detail */
  onLink({ state, code }) {
    this.lost.hidden = state === "open";
    if (!this.lost.isConnected) this.table.append(this.lost);
    if (state !== "ended") return;
    this.lost.hidden = true;
    this.bar.el.hidden = true;
    this.main.classList.add("bare");
    if (code === 4409) {
      import("../match/stored.js").then(({ storedRecord }) => storedRecord(this.stage, this.id));
      return;
    }
    const text = code === 4404 || code === 4422 ? t("gone") : code === 4403 ? t("notyours") : t("ended");
    fillWith(this.stage, h("div.nothing", null, h("h1", null, t("gone.title")), h("p", null, text), h("a.button.primary", { href: "/", "data-go": "" }, t("home"))));
  }

  async onState() {
    const model = /** @type {Model} */ (this.model);
    const table = /** @type {NonNullable<Model["table"]>} */ (model.table);
    this.queue = [];
    if (!this.title || this.titleName !== table.title) {
      this.titleName = table.title;
      prepare(table.title); // beside the words, not after them
      this.title = await loadTitle(table.title);
      if (this.closed) return;
    }
    if (table.state === "waiting" || !model.view) {
      this.drawing = null;
      this.wait();
      return;
    }
    if (!this.drawing) {
      const drawing = await drawingOf(table.title, this.title, model.view);
      if (this.closed) return;
      if (!this.drawing) {
        this.drawing = drawing;
        drawing.attach?.({ play: (actions) => this.playAll(actions), undo: () => this.undo(), whatIf: (actions) => model.whatIf(actions), advise: (about, actions) => model.advise(about, actions) });
        fillWith(this.stage, drawing.root);
        this.zoom.take(drawing);
        this.main.classList.remove("bare");
        this.main.dataset.title = table.title;
        this.bar.el.hidden = false;
        this.side?.loadTalk().catch(() => undefined);
      }
    }
    const at = new URLSearchParams(location.search).get("at");
    if (this.replay?.active) {
      this.replay.showEyes();
      await model.read(1);
      this.replay.go(this.replay.at);
    } else if (at !== null && /^\d+$/.test(at)) this.lookAt(Number(at));
    else this.present();
    this.onTable(false);
    await model.readRecent().catch(() => undefined); // the board first, then what led to it
    this.offered();
  }

  /** @param {Row[]} rows */
  onRows(rows) {
    this.side?.addRows(rows);
    this.replay?.grow();
    this.announce(rows);
    if (rows.length > MOST) this.queue = [];
    else this.queue.push(...groupsOf(rows));
    if (rows.length > MOST || this.replay?.active || document.hidden || !this.drawing) {
      this.queue = [];
      if (!this.replay?.active) this.present();
    } else if (rows.length === 0) this.offerNow();
    else this.showQueue();
    this.onTable(false);
  }

  /** Show what happened, one step after the other. */
  async showQueue() {
    if (this.showing) return;
    this.showing = true;
    while (this.queue.length && !this.closed && !this.replay?.active) {
      const group = /** @type {Row[]} */ (this.queue.shift());
      const last = group[group.length - 1];
      this.hands.offer([]);
      this.draw(last.view, group);
      if (this.queue.length && !still()) await pause(this.queue.length > 8 ? STEP / 4 : group[0].who === "chance" ? STEP * 1.6 : STEP);
    }
    this.showing = false;
    if (!this.closed && !this.replay?.active) this.present(false);
  }

  /** Show the present. @param {boolean} [draw] */
  present(draw = true) {
    const model = /** @type {Model} */ (this.model);
    if (!model.view || !this.drawing || !model.table) return;
    this.side?.mark(null);
    this.main.classList.remove("past");
    this.hands.frozen = false;
    if (draw) this.draw(model.view);
    this.offerNow();
    if (model.over && !this.ended) this.finish();
  }

  /** Show a view and what led to it.  How long it took stands in the browser's own timeline. @param {View} view @param {Row[]} [rows] */
  draw(view, rows = []) {
    const table = this.model?.table;
    if (!this.drawing || !table) return;
    const start = performance.now();
    this.drawing.update(view, { table, rows });
    performance.clearMeasures("redraw");
    performance.measure("redraw", { start });
  }

  offerNow() {
    const model = /** @type {Model} */ (this.model);
    if (this.showing || this.replay?.active) return;
    this.main.dataset.entry = String(model.entry); // so far the board shows the match
    if (model.acting === null) this.hands.offer([]);
    else {
      const key = `${model.entry} ${model.legal.map((c) => c.action).join("|")}`;
      const choices = /** @type {Gestures} */ (this.gestures).offer(key, model.legal, this.drawing?.leadsOn?.bind(this.drawing), () => !this.hands.path.length && !this.hands.busy && this.offerNow());
      this.hands.offer(choices, choices === model.legal ? key : `${key} joined`);
    }
    this.prompt();
    this.cover();
    this.tick();
    this.hands.focusNext();
  }

  /** Seats, clocks, votes, whose turn it is. @param {boolean} [draw] */
  onTable(draw = true) {
    const model = /** @type {Model} */ (this.model);
    const table = model.table;
    if (!table) return;
    if (table.state === "waiting") {
      this.wait();
      return;
    }
    const watching = table.watching ? ` · ${t("watching", { n: table.watching })}` : "";
    fillWith(this.status, h("b", null, this.title?.name ?? ""), h("span", null, table.seats.map(seatName).join(" – ") + watching));
    document.title = `${this.title?.name ?? ""} – Ludus`;
    const turn = table.state === "running" && typeof table.to_move === "number" && model.yours.includes(table.to_move);
    if (turn && this.wasTurn === false) {
      sound("turn");
      notify(t("notify.turn"), this.title?.name ?? "", `/m/${this.id}`);
    }
    this.wasTurn = turn;
    setAttention(turn ? t("yourturn") : null);
    this.showProposal();
    if (table.again && model.yours.length && !this.toldAgain) {
      this.toldAgain = true;
      this.toast.show(t("again.wanted"), { actions: [[t("again.join"), () => (location.href = `/m/${table.again}`)]], ms: 60000 });
    }
    if (draw && !this.showing && !this.replay?.active) {
      if (model.view) this.draw(model.view);
      this.offerNow();
    }
  }

  wait() {
    const model = /** @type {Model} */ (this.model);
    this.bar.el.hidden = true;
    this.main.classList.add("bare");
    import("../match/waiting.js").then(({ waitingRoom }) => {
      if (!this.closed && !this.drawing) waitingRoom(this.stage, model, this.title, this.badInvite);
    });
    fillWith(this.status, h("b", null, this.title?.name ?? ""), h("span", null, t("waiting")));
  }

  /** @param {Row[]} rows */
  announce(rows) {
    const model = /** @type {Model} */ (this.model);
    const said = rows.flatMap((row) => (row.who === "house" ? [houseLine(row.text, model.table)] : row.log));
    if (this.live && said.length) this.live.textContent = said.slice(-8).join(" ");
  }

  // -- what is to be done -------------------------------------------------------------------------------

  prompt() {
    const model = /** @type {Model} */ (this.model);
    const { table, view } = model;
    if (!table || !view || !this.title) return;
    if (model.over) {
      this.bar.say(verdict(table, model.yours), false);
      return;
    }
    if (model.acting !== null) {
      this.bar.say(this.title.words[`prompt.${view.prompt}`] ?? t("yourturn"), true);
      return;
    }
    const seat = typeof table.to_move === "number" ? table.seats[table.to_move] : null;
    this.bar.say(seat ? t(seat.kind === "bot" ? "thinking" : "waitfor", { name: seatName(seat) }) : t("chance"), false);
  }

  offered() {
    if (!this.title || !this.drawing) return;
    this.drawing.tiles?.(this.hands);
    this.bar.offer(this.hands, this.title, this.drawing);
    const model = this.model;
    if (this.hands.path.length && !this.hands.busy) {
      const names = this.hands.path.map((touch) => capital(nameOf(touch, /** @type {any} */ (this.title), /** @type {any} */ (this.drawing))));
      this.bar.tell(`${names.join(" → ")} → …`);
    } else this.bar.tell("");
    this.bar.undo.toggleAttribute("disabled", !model || model.over || !model.yours.length || !model.undoTarget());
  }

  /** @param {Choice} choice */
  async commit(choice) {
    this.drawing?.preview?.(null);
    this.info?.hide();
    const expanded = this.drawing?.expand ? await this.drawing.expand(choice) : null;
    await this.playAll(expanded ?? [...(choice.first ?? []), choice.action]);
  }

  /** All of them or none, as one message. @param {string[]} actions */
  async playAll(actions) {
    const model = /** @type {Model} */ (this.model);
    const answer = await model.play(actions);
    if (answer.ok) return;
    sound("no");
    if (answer.state) model.takeState(answer.state);
    else this.hands.release();
    this.explain(answer);
  }

  /** Something was touched that is not allowed now: say which rule forbids it. @param {string[]} path */
  async refuse(path) {
    const model = /** @type {Model} */ (this.model);
    if (this.replay?.active) return;
    if (model.acting === null) {
      if (model.table?.state === "running" && model.yours.length) this.toast.show(t("notyourturn"));
      return;
    }
    if (this.showing) return;
    const meant = await this.drawing?.attempt?.(path);
    if (meant) {
      await this.playAll(meant);
      return;
    }
    sound("no");
    const answer = await model.whyNot(path);
    if (!answer.ok || answer.rule) this.explain(answer);
    else this.toast.show(answer.action ? t("notnow") : `${t("notnow")} ${this.title?.words[`prompt.${model.view?.prompt}`] ?? ""}`);
  }

  /** @param {{rule?: string, reason?: string, error?: string}} answer */
  explain(answer) {
    const text = answer.rule ? this.title?.words[`rule.${answer.rule}`] : null;
    if (text) this.toast.show(text, { rule: answer.rule });
    else if (answer.error === "lost") this.toast.show(t("lost"));
    else if (answer.error === "stale") this.toast.show(t("stale"));
    else this.toast.show(answer.error === "illegal" ? t("notnow") : answer.reason ?? t("notnow"));
  }

  /** Chances, prices, consequences of what the pointer is on. @param {Choice | null} choice @param {import("../match/trie.js").Node | null} [node] */
  async hover(choice, node = null) {
    const mine = ++this.asked;
    this.drawing?.reach?.(this.hands.busy || this.hands.path.length ? null : node);
    if (!choice || this.hands.busy || !this.model || this.model.acting === null) {
      this.drawing?.preview?.(null);
      if (!this.hands.path.length) this.bar.tell("");
      return;
    }
    this.bar.tell(capital(choice.say));
    await pause(120);
    if (mine !== this.asked) return;
    const hint = await this.drawing?.hint?.(choice);
    if (mine !== this.asked) return;
    if (hint) this.bar.tell(`${capital(choice.say)} – ${hint}`);
    if (!this.drawing?.preview) return;
    const answer = await this.model.whatIf([...(choice.first ?? []), choice.action]);
    if (mine === this.asked && answer.ok && !this.hands.busy) this.drawing.preview(answer.played ? answer.view : null);
  }

  /** @param {HTMLElement | null} el @param {boolean} lasting */
  inform(el, lasting) {
    const what = el?.dataset.info ?? el?.closest("[data-info]")?.getAttribute("data-info");
    this.info?.show(el, what ? this.drawing?.info?.(what) ?? null : null, lasting);
  }

  // -- undo, votes ------------------------------------------------------------------------------------

  async undo() {
    const model = /** @type {Model} */ (this.model);
    const found = model.undoTarget();
    if (!found || model.over) return;
    const seat = model.eye;
    const answer = await model.link.command({ do: "undo", seat, expect: model.entry, to: found.to });
    if (answer.ok) return;
    if (answer.error === "stale") {
      if (answer.state) model.takeState(answer.state);
      return;
    }
    const others = model.table?.seats.some((s) => !model.yours.includes(s.seat));
    this.toast.show(t("undo.refused"), others ? { actions: [[t("undo.ask"), () => model.link.command({ do: "propose", kind: "undo", to: found.to, seat })]], ms: 15000 } : {});
  }

  showProposal() {
    const model = /** @type {Model} */ (this.model);
    const asked = model.table?.proposal;
    const open = model.yours.filter((seat) => asked && !asked.yes.includes(seat));
    this.proposal.hidden = !asked;
    if (!asked || !model.table) return;
    const who = seatName(model.table.seats[asked.seat]);
    const text = t(`proposal.${asked.kind}`, { name: who, entry: asked.to });
    const vote = (/** @type {boolean} */ yes) => model.link.command({ do: "vote", yes, proposal: asked.entry, seat: open[0] });
    fillWith(this.proposal, h("span", null, open.length ? text : `${text} ${t("proposal.waiting")}`),
      open.length ? [h("button.primary.small", { type: "button", onclick: () => vote(true) }, t("agree")), h("button.secondary.small", { type: "button", onclick: () => vote(false) }, t("refuse"))] : null);
  }

  // -- the same screen --------------------------------------------------------------------------------

  /** Hands are covered while the screen goes to another player. */
  cover() {
    const model = /** @type {Model} */ (this.model);
    const table = model.table;
    const seat = table?.to_move;
    const several = model.yours.length > 1 && table?.state === "running";
    const other = several && typeof seat === "number" && model.yours.includes(seat) && (seat !== model.eye || !this.uncovered);
    if (!other || !table) {
      this.uncover();
      return;
    }
    if (this.curtain?.dataset.seat === String(seat)) return;
    this.curtain?.remove();
    const name = seatName(table.seats[/** @type {number} */ (seat)]);
    const go = h("button.primary.big", { type: "button", onclick: () => {
      this.uncovered = true;
      this.uncover();
      if (seat === model.eye) this.present();
      else model.link.look(/** @type {number} */ (seat));
    } }, t("cover.go", { name }));
    this.curtain = h("div.curtain", { "data-seat": seat, role: "dialog", "aria-label": t("cover", { name }) }, icon("swap"), h("h2", null, t("cover", { name })), h("p", null, t("cover.help")), go);
    this.main.append(this.curtain);
    this.table.inert = true;
    if (this.side) this.side.el.inert = true;
    this.main.classList.add("covered");
    go.focus();
  }

  uncover() {
    this.curtain?.remove();
    this.curtain = null;
    this.table.inert = false;
    if (this.side) this.side.el.inert = false;
    this.main.classList.remove("covered");
  }

  // -- looking back -----------------------------------------------------------------------------------

  /** @param {number} n */
  lookAt(n) {
    this.queue = [];
    this.hands.offer([]);
    this.replay?.enter(n);
    if (innerWidth < 900) this.toggleSide(false);
  }

  /** @param {number} n */
  async showMoment(n) {
    const model = /** @type {Model} */ (this.model);
    this.main.classList.add("past");
    this.hands.frozen = true;
    this.hands.offer([]);
    const row = model.rows.get(n);
    let view = row?.view;
    if (!view && n === 0) {
      const { get } = await import("../api.js");
      const eye = model.eye === null ? "" : `?seat=${model.eye}`;
      view = (await get(`/api/matches/${encodeURIComponent(this.id)}/moments/0${eye}`)).view;
    }
    if (!view || !this.drawing || !model.table || !this.replay?.active) return;
    this.draw(view, row ? [row] : []);
    this.bar.say(row?.log.join(" ") || (n === 0 ? t("replay.start") : "…"), false);
    this.side?.mark(n);
  }

  // -- the end ----------------------------------------------------------------------------------------

  async finish() {
    const model = /** @type {Model} */ (this.model);
    const table = /** @type {NonNullable<Model["table"]>} */ (model.table);
    this.ended = true;
    await pause(still() ? 0 : 900);
    if (this.closed || this.replay?.active) return;
    const lines = [...model.rows.values()].sort((a, b) => a.n - b.n).flatMap((row) => row.log);
    showResult(table, model.yours, lines, { replay: () => this.lookAt(0), proof: () => this.proof() });
  }

  async proof() {
    const table = /** @type {NonNullable<Model["table"]>} */ (this.model?.table);
    const body = h("div.proof", null, t("loading"));
    dialog(t("proof"), [body], ".wide");
    const { showProof } = await import("../match/verify.js");
    await showProof(body, table, setting(`nonce.${table.id}`) ?? null);
  }

  // -- other --------------------------------------------------------------------------------------------

  async openMenu() {
    const { tableMenu } = await import("../match/menu.js");
    tableMenu(/** @type {Model} */ (this.model), { result: () => this.finish(), proof: () => this.proof(), replay: () => this.lookAt(0) });
  }

  /** @param {boolean} [open] @param {boolean} [keep] */
  toggleSide(open = !this.main.classList.contains("withside"), keep = true) {
    this.main.classList.toggle("withside", open);
    this.sideButton?.setAttribute("aria-expanded", String(open));
    if (keep) remember("side", open);
    if (open) this.side?.open("log");
  }

  /** Clocks. */
  tick() {
    const clock = this.model?.table?.clock;
    if (!clock || clock.kind === "none" || !clock.left || !this.drawing?.clock) return;
    const now = Date.now() / 1000 + ahead;
    clock.left.forEach((left, seat) => {
      const running = clock.running === seat && clock.deadline;
      const seconds = Math.max(0, running ? /** @type {number} */ (clock.deadline) - now : left);
      this.drawing?.clock?.(seat, clockText(seconds), seconds < 20);
    });
  }
}

/** Rows that are shown in one step: a throw of several dice, a deal of several cards. @param {Row[]} rows */
function groupsOf(rows) {
  /** @type {Row[][]} */
  const groups = [];
  for (const row of rows) {
    const last = groups[groups.length - 1]?.[0];
    const same = last && row.who === "chance" && last.who === "chance" && row.text.split(" ")[0] === last.text.split(" ")[0];
    if (same) groups[groups.length - 1].push(row);
    else groups.push([row]);
  }
  return groups;
}
