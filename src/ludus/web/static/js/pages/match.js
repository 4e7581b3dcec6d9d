/** A match: the waiting room, the board, everything around it. */

import { fillWith, h, icon, pause, still } from "../dom.js";
import { Asking } from "../match/explain.js";
import { Curtain } from "../match/curtain.js";
import { Hints } from "../match/hints.js";
import { houseLine } from "../match/house.js";
import { dialog, Toast } from "../match/info.js";
import { onKey } from "../match/keys.js";
import { Prompt } from "../match/prompt.js";
import { calledWith, inARow, strengthText } from "../match/rated.js";
import { Replay } from "../match/replay.js";
import { again, showResult } from "../match/result.js";
import { Session } from "../match/session.js";
import { Side } from "../match/side.js";
import { Stage } from "../match/stage.js";
import { peaceLine } from "../match/talk.js";
import { offlinePage } from "./offline.js";
import { remember, setting } from "../settings.js";
import { pageHeader } from "../shell.js";
import { seatName, t } from "../words.js";

/** @typedef {import("../match/model.js").Row} Row */

// What happens to people at the table, and is told to everybody who looks at it.
const NEWS = ["time_out", "resign", "leave", "claim", "take_over", "draw"];

/** A name that gives way to how strong its bearer is. @param {import("../match/model.js").Seat} seat */
const playerOf = (seat) => {
  const [name, ...rest] = calledWith(seat);
  return [h("span", null, name), ...rest];
};

/** How strong those at the table are, where there is no room for names.
 * @param {import("../match/model.js").Table} table */
const strengthsOf = ({ seats }) =>
  seats.map(({ strength }) => (strength ? strengthText(strength) : "–")).join(" : ");

export class MatchPage {
  /** @param {string} id @param {HTMLElement} host */
  constructor(id, host) {
    this.ended = false;
    this.toldAgain = false;
    this.invited = false; // told that pieces can be asked
    /** @type {number | null | undefined} whose turn is told */
    this.turn = null;
    /** @type {Row[]} since I could last choose */
    this.told = [];
    /** @type {ReturnType<typeof showResult> | null} */
    this.result = null;
    /** @type {number[]} the seats that have no turn to come, as far as it is told */
    this.out = [];
    /** @type {Side | null} */
    this.side = null;
    /** @type {Replay | null} */
    this.replay = null;
    /** @type {import("../match/analysis.js").Analysis | null} */
    this.analysis = null;
    /** @type {import("../match/study.js").Study | null} */
    this.study = null;
    this.host = host;
    this.session = new Session(id);
    this.stage = new Stage(this.session, {
      up: () => this.bare(false),
      step: (rows, own) => this.beforeStep(rows, own),
      seen: (rows) => this.tell(rows),
      shown: () => this.toldAll(),
    });
    this.prompt = new Prompt(this.session, this.stage, {
      past: () => !!this.replay?.active,
      offer: () => this.offer(),
      deal: (to, first) => this.side?.talk.negotiate({ to, first }),
      result: () => this.finish(0),
    });
    this.stage.zoomBeside(this.prompt.hands);
    this.prompt.bar.control(this.stage.telling.el);
    this.live = h("div.sr", { "aria-live": "polite", id: "live" });
    this.status = h("span.status");
    this.lost = h("div.lost", { role: "status", hidden: true }, t("lost"));
    this.proposal = h("div.proposal", { role: "alert", hidden: true });
    this.sideButton = h(
      "button.round",
      { type: "button", "aria-label": t("side"), title: `${t("log")} (L)`, onclick: () => this.toggleSide() },
      icon("log"),
    );
    this.menuButton = h(
      "button.round",
      { type: "button", "aria-label": t("menu"), title: t("menu"), onclick: () => this.openMenu() },
      icon("menu"),
    );
    this.table = h("div.table", null, this.stage.board, this.proposal, this.prompt.bar.el);
    this.table.addEventListener("click", (e) => this.touched(e), true);
    this.table.addEventListener("keydown", (e) => e.key === "Enter" && this.settle(), true);
    for (const name of ["pointermove", "keydown"])
      this.table.addEventListener(name, () => this.prompt.stir(), { capture: true, passive: true });
    this.main = h("main.matchpage", { id: "main" }, this.table);
    this.asking = new Asking(this.prompt, this.table);
    this.hints = new Hints(this);
    this.toast = new Toast(this.table);
    this.prompt.toast = this.toast;
    this.curtain = new Curtain(this.session, this.main, { present: () => this.present() });
    document.body.classList.add("playing");
    fillWith(
      host,
      pageHeader(this.status, [this.asking.button, this.sideButton, this.menuButton]),
      this.main,
      this.live,
    );
    this.keys = (/** @type {KeyboardEvent} */ e) => onKey(this, e);
    document.addEventListener("keydown", this.keys);
    this.begin();
  }

  async begin() {
    const opened = await this.online(this.session.open());
    if (!opened) return;
    const { model, told } = opened;
    this.side = new Side(model, {
      moment: (n) => this.lookAt(n),
      close: () => this.toggleSide(false),
      bargain: (to, first) => this.stage.drawing?.bargain?.(to, first) ?? null,
      play: (actions) => this.prompt.play(actions),
    });
    this.replay = new Replay(model, {
      show: (n) => this.showMoment(n),
      leave: () => this.present(),
      eye: (eye) => model.link.look(eye),
      analysis: () => this.analyse(),
      playOn: (n) => this.playOn(n),
    });
    this.table.insertBefore(this.replay.el, this.prompt.bar.el);
    this.main.append(this.side.el);
    this.toggleSide(innerWidth >= 1200 && setting("side", true), false);
    model.on("state", () => this.onState());
    model.on("rows", (detail) => this.onRows(detail.rows));
    model.on("table", () => this.onTable());
    model.on("chat", (line) => this.hearTalk(line));
    model.on("log", () => this.side?.showLog());
    model.on("link", (detail) => this.onLink(detail));
    if (told) this.onState();
  }

  /** The words of the title that is played here; whether they came. */
  async learn() {
    await this.online(this.session.learn());
    return this.session.isLearnt;
  }

  /** What comes of it, or nothing and a page that says so where there is no line.
   * @template T @param {Promise<T>} asked @returns {Promise<T | undefined>} */
  async online(asked) {
    try {
      return await asked;
    } catch (error) {
      if (/** @type {any} */ (error).status !== 0) throw error;
      offlinePage(this.host);
    }
  }

  close() {
    document.body.classList.remove("playing");
    document.removeEventListener("keydown", this.keys);
    this.stage.close();
    this.session.close();
    this.replay?.stop();
    this.analysis?.close();
  }

  // -- what the server tells --------------------------------------------------------------------------

  /** @param {{state: string, code: number, reason: string}} detail */
  onLink({ state, code }) {
    this.lost.hidden = state === "open";
    if (!this.lost.isConnected) this.table.append(this.lost);
    if (state !== "ended") return;
    this.lost.hidden = true;
    this.bare(true);
    if (code === 4409) {
      import("../match/stored.js").then(({ storedRecord }) => storedRecord(this.stage.el, this.session.id));
      return;
    }
    const text = code === 4404 || code === 4422 ? t("gone") : code === 4403 ? t("notyours") : t("ended");
    fillWith(
      this.stage.el,
      h(
        "div.nothing",
        null,
        h("h1", null, t("gone.title")),
        h("p", null, text),
        h("a.button.primary", { href: "/", "data-go": "" }, t("home")),
      ),
    );
  }

  async onState() {
    const { session, stage } = this;
    const { model } = session;
    stage.telling.drop();
    if (!session.isLearnt && !(await this.learn())) return;
    if (session.closed) return;
    if (session.table.state === "waiting" || !model.view) {
      stage.drawing = null;
      this.wait();
      return;
    }
    if (!stage.drawing && (await stage.setUp(this.prompt.desk))) {
      this.main.dataset.title = session.titleName;
      this.side?.loadTalk().catch(() => undefined);
      if (session.badInvite) this.toast.show(t("badinvite.watch"), { ms: 15000 });
    }
    if (session.closed) return;
    this.out = model.view.out;
    const asked = new URLSearchParams(location.search);
    const [at, study] = [asked.get("at"), asked.get("study")];
    if (study && !this.study) this.openStudy(study).catch(() => undefined);
    if (this.replay?.active) {
      this.replay.showEyes();
      await model.read(1);
      this.replay.go(this.replay.at);
    } else if (at !== null && /^\d+$/.test(at)) this.lookAt(Number(at));
    else this.present();
    this.onTable(false);
    await model.readRecent().catch(() => undefined); // the board first, then what led to it
    this.prompt.offered();
    if (model.acting !== null && !this.invited) this.asking.invite();
    this.invited = true;
  }

  /** @param {Row[]} rows */
  onRows(rows) {
    this.replay?.grow();
    if (this.replay?.active || !this.stage.drawing) {
      this.stage.telling.drop();
      this.side?.catchUp(rows);
      this.announce(rows);
      if (!this.replay?.active) this.present();
    } else if (rows.length) {
      this.side?.waitAt(rows[0].n - 1);
      this.stage.telling.tell(rows);
    }
    this.onTable(!rows.length); // without rows it is who is there that has changed
  }

  /** @param {Row[]} rows @param {boolean} own */
  beforeStep(rows, own) {
    const { marks } = this.stage;
    const { turn } = rows[0];
    if (this.session.model.watches && turn !== this.turn) marks.clear(); // who only watches is shown the last turn
    this.turn = turn;
    if (!own) marks.keep();
    this.prompt.watch(rows, false);
  }

  /**
   * What has just been told, in short: what others answered in my turn; or what they did in theirs; or what
   * came of what I did.
   */
  news() {
    const { yours } = this.session.model;
    const mine = (/** @type {unknown} */ seat) => typeof seat === "number" && yours.includes(seat);
    const acted = this.told.filter(({ who }) => typeof who === "number");
    const answers = acted.filter(({ who, turn }) => !mine(who) && mine(turn)).flatMap(({ log }) => log);
    if (answers.length) return answers.join(" ");
    if (acted.some(({ who }) => !mine(who))) return this.side?.digest().join(" ") ?? "";
    const outcome = this.told.flatMap(({ who, turn, log }) =>
      typeof who === "number" ? log.slice(1) : who === "chance" && turn === null ? log : [],
    );
    return outcome.length ? outcome.join(" ") : this.prompt.news;
  }

  /** The board shows the present: what has changed is marked, and the bar says in short what happened. */
  toldAll() {
    if (this.replay?.active) return;
    const { model } = this.session;
    if (model.watches || model.acting !== null) this.stage.marks.show();
    if (model.acting !== null) this.prompt.tellNews(this.news());
    this.told = [];
    this.present(false);
  }

  /**
   * Who touches the board while others are watched wants to see the present; any other touch means that what
   * has changed was seen.
   * @param {MouseEvent} e
   */
  touched(e) {
    const { telling, board } = this.stage;
    const on = /** @type {Element} */ (e.target);
    if (telling.el.contains(on)) return;
    if (telling.watched && board.contains(on) && !on.closest("button, a, summary, input, select")) {
      if (!this.prompt.hands.suppress) telling.skip();
      e.stopPropagation();
    } else this.settle();
  }

  settle() {
    if (this.stage.showing) return; // it is not all told yet
    this.stage.marks.clear();
    this.stage.drawing?.settle?.();
    this.prompt.tellNews("");
  }

  /** @param {import("../match/talk.js").Line} line */
  hearTalk(line) {
    const { side, session } = this;
    side?.hear(line, session.me);
    if (!line.peace || !side) return;
    const peace = /** @type {import("../match/model.js").Peace} */ (line);
    if (peace.state !== "offered") this.toast.show(peaceLine(session.table, peace));
  }

  /** The board has shown this: now it may be told. @param {Row[]} rows */
  tell(rows) {
    this.prompt.watch(rows, true);
    this.told.push(...rows);
    this.side?.addRows(rows);
    this.announce(rows);
    this.tellOut(rows);
  }

  /** A seat of mine has its last turn behind it. @param {Row[]} rows */
  tellOut(rows) {
    const { model } = this.session;
    for (const row of rows) {
      const fallen = model.yours.find((seat) => row.view.out.includes(seat) && !this.out.includes(seat));
      this.out = row.view.out;
      if (fallen === undefined || row.view.to_move === "over") continue;
      import("../match/out.js").then(({ tellOut }) => tellOut(model, fallen, row.log));
    }
  }

  /** Seats, clocks, votes, whose turn it is. @param {boolean} [draw] */
  onTable(draw = true) {
    const { model, name } = this.session;
    const table = model.table;
    if (!table) return;
    if (table.state === "waiting") {
      this.wait();
      return;
    }
    const watching =
      (table.watching ? ` · ${t("watching", { n: table.watching })}` : "") +
      (table.start ? ` · ${t("position.started")}` : "") +
      (table.rated ? ` · ${t("rated")}` : "");
    fillWith(
      this.status,
      h("b", null, name),
      h("span.players", null, inARow(table.seats, playerOf)),
      watching ? h("span.more", null, watching) : null,
      table.rated ? h("small.strengths", { "aria-hidden": "true" }, strengthsOf(table)) : null,
    );
    document.title = `${name} – Ludus`;
    if (!this.stage.showing) this.session.callMe();
    this.side?.talk.refresh();
    this.showProposal();
    this.stage.tick();
    if (table.again && model.mayPlayAgain && !this.toldAgain) this.offerAgain();
    if (draw && !this.stage.showing && !this.replay?.active) {
      if (model.view) this.stage.draw(model.view);
      this.offer();
    }
  }

  /** The others want another match: said in the window of the result while that covers everything else. */
  offerAgain() {
    const { id } = this.session.table;
    this.toldAgain = true;
    if (this.result?.sheet.open) this.result.offered();
    else this.toast.show(t("again.wanted"), { actions: [[t("again.join"), () => again(id)]], ms: 60000 });
  }

  wait() {
    const { session, stage } = this;
    this.bare(true);
    import("../match/waiting.js").then(({ waitingRoom }) => {
      if (!session.closed && !stage.drawing) waitingRoom(stage.el, session);
    });
    fillWith(this.status, h("b", null, session.name), h("span", null, t("waiting")));
  }

  /** Without a board there is nothing to be done under it. @param {boolean} bare */
  bare(bare) {
    this.prompt.bar.el.hidden = bare;
    this.main.classList.toggle("bare", bare);
  }

  /** @param {Row[]} rows */
  announce(rows) {
    const { table } = this.session;
    const said = rows.flatMap((row) =>
      row.who === "house" ? [houseLine(row, table)] : [...row.log, ...(row.heading ? [row.heading] : [])],
    );
    if (said.length) this.live.textContent = said.slice(-8).join(" ");
    const news = rows.filter((row) => row.who === "house" && this.concerns(row.text.split(" ")));
    if (news.length) this.toast.show(news.map((row) => houseLine(row, table)).join(" "));
    if (rows.some((row) => row.text.startsWith("undo "))) this.prompt.tellNews(""); // it has not happened
  }

  /** Whether an entry of the house is to be told: what others take back or refuse, and what ends something.
   * @param {string[]} words */
  concerns([kind, seat, ...rest]) {
    if (NEWS.includes(kind)) return true;
    const others = !this.session.model.yours.includes(Number(seat));
    return others && (kind === "undo" || (kind === "vote" && rest[0] === "no"));
  }

  // -- the present --------------------------------------------------------------------------------------

  /** Show the present. @param {boolean} [draw] */
  present(draw = true) {
    const { model } = this.session;
    if (!model.view || !this.stage.drawing || !model.table) return;
    this.side?.mark(null);
    this.side?.catchUp();
    this.main.classList.remove("past");
    this.analysis?.close();
    this.prompt.hands.frozen = false;
    if (draw) this.stage.draw(model.view);
    this.offer();
    if (model.ended && !this.ended) this.finish();
  }

  /** What can be done now, once the board shows it. */
  offer() {
    if (this.stage.showing || this.replay?.active) return;
    this.main.dataset.entry = String(this.session.model.entry); // so far the board shows the match
    this.session.callMe();
    this.prompt.offer();
    this.hints.atTurn();
    if (this.session.model.acting !== null) this.stage.showLit();
    this.curtain.fall();
    this.stage.tick();
    this.prompt.hands.focusNext();
  }

  showProposal() {
    const { model, table } = this.session;
    const asked = table.proposal;
    const offer = asked ? null : this.openOffer();
    this.proposal.hidden = !asked && !offer;
    if (offer)
      fillWith(
        this.proposal,
        h("span", null, peaceLine(table, offer)),
        (this.side?.talk.answersTo(offer) ?? []).map(([label, work]) =>
          h("button.small.secondary", { type: "button", onclick: work }, label),
        ),
      );
    if (!asked) return;
    const open = model.yours.filter((seat) => !asked.yes.includes(seat));
    const text = t(`proposal.${asked.kind}`, { name: seatName(table.seats[asked.seat]), entry: asked.to });
    const vote = async (/** @type {boolean} */ yes) => {
      const answer = await model.link.command({ do: "vote", yes, proposal: asked.entry, seat: open[0] });
      if (!answer.ok) this.prompt.explain(answer);
    };
    const buttons = [
      h("button.primary.small", { type: "button", onclick: () => vote(true) }, t("agree")),
      h("button.secondary.small", { type: "button", onclick: () => vote(false) }, t("refuse")),
    ];
    fillWith(
      this.proposal,
      h("span", null, open.length ? text : `${text} ${t("proposal.waiting")}`),
      open.length ? buttons : null,
    );
  }

  /** What lies on the table between me and somebody else; with what the game offers, the drawing shows it. */
  openOffer() {
    const { model } = this.session;
    const open = [...model.peace.values()].filter((one) => one.state === "offered" && !one.deal);
    const mine = (/** @type {number} */ seat) => model.yours.includes(seat);
    return open.find((one) => mine(one.to)) ?? open.find((one) => mine(one.seat)) ?? null;
  }

  // -- looking back -----------------------------------------------------------------------------------

  /** @param {number} n */
  lookAt(n) {
    this.stage.telling.drop();
    this.side?.catchUp();
    this.prompt.hands.offer([]);
    this.replay?.enter(n);
    if (innerWidth < 900) this.toggleSide(false);
  }

  /** @param {number} n */
  async showMoment(n) {
    this.main.classList.add("past");
    this.prompt.hands.frozen = true;
    this.prompt.hands.offer([]);
    const row = this.session.model.rows.get(n);
    const view = await this.session.viewAt(n);
    if (!view || !this.stage.drawing || !this.replay?.active) return;
    this.stage.draw(view, row ? [row] : []);
    this.stage.follow();
    this.prompt.bar.say(row?.log.join(" ") || (n === 0 ? t("replay.start") : "…"), false);
    this.side?.mark(n);
    this.analysis?.at(n);
    this.study?.show(n);
  }

  /** Look back with what the analysis says of each moment; once more: without it. */
  async analyse() {
    const { replay } = this;
    if (!replay) return;
    if (!replay.active) this.lookAt(0);
    if (!this.analysis) {
      const { Analysis } = await import("../match/analysis.js");
      this.analysis ??= new Analysis(this.session.model, this.stage.board, {
        moment: (n) => replay.go(n),
        shown: (things) => this.stage?.zoom?.showAll(things),
      });
      this.table.insertBefore(this.analysis.el, replay.el);
    }
    this.analysis.toggle();
    this.analysis.at(replay.at);
  }

  /** The study that this match is looked at in, as the address says. @param {string} id */
  async openStudy(id) {
    const { Study } = await import("../match/study.js");
    document.head.append(h("link", { rel: "stylesheet", href: "/css/analysis.css" }));
    const { replay } = this;
    if (this.study || !replay) return;
    this.study = new Study(id, this.session.table.id, (n) => replay.go(n));
    this.table.insertBefore(this.study.el, replay.el);
    await this.study.open();
    this.study.show(replay.at);
  }

  /** Begin a match from the moment that is shown. @param {number} entry */
  async playOn(entry) {
    const { playOn } = await import("../match/playon.js");
    await playOn(this.session.model, entry, this.study);
  }

  // -- the end ----------------------------------------------------------------------------------------

  /** @param {number} [ms] how long the last position stays to be seen before */
  async finish(ms = 900) {
    const { model, title } = this.session;
    this.ended = true;
    await pause(still() ? 0 : ms);
    if (this.session.closed || this.replay?.active) return;
    const lines = [...model.rows.values()].sort((a, b) => a.n - b.n).flatMap((row) => row.log);
    const proof = title?.chance ? () => this.proof() : null;
    this.toast.hide(); // the window says it all, and would lie over it
    this.result = showResult(model, lines, {
      replay: (n) => this.lookAt(n),
      analysis: () => this.analyse(),
      proof,
    });
  }

  async proof() {
    const { table } = this.session;
    const body = h("div.proof", null, t("loading"));
    dialog(t("proof"), [body], ".wide");
    const { showProof } = await import("../match/verify.js");
    await showProof(body, table, setting(`nonce.${table.id}`) ?? null);
  }

  // -- other --------------------------------------------------------------------------------------------

  async openMenu() {
    const { tableMenu } = await import("../match/menu.js");
    tableMenu(this.session.model, {
      refused: (answer) => this.prompt.explain(answer),
      result: () => this.finish(0),
      proof: () => this.proof(),
      replay: () => this.lookAt(0),
      analysis: () => this.analyse(),
      entry: () => (this.replay?.active ? this.replay.at : this.session.model.entry),
      hint: this.hints.allowed && this.session.model.acting !== null ? () => this.hints.give(false) : null,
      threats: this.hints.allowed ? () => this.hints.threats() : null,
      deal: this.side?.talk.givesPeace ? () => this.side?.talk.negotiate() : null,
    });
  }

  /** @param {boolean} [open] @param {boolean} [keep] */
  toggleSide(open = !this.main.classList.contains("withside"), keep = true) {
    this.main.classList.toggle("withside", open);
    this.sideButton?.setAttribute("aria-expanded", String(open));
    if (keep) remember("side", open);
    if (open) this.side?.open("log");
  }
}
