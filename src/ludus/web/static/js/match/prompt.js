/** What is to be done: the choices, the touches that make one, and why another is not allowed. */

import { h, pause, still } from "../dom.js";
import { setting } from "../settings.js";
import { play as sound } from "../sound.js";
import { fillIn, rulesOf, seatName, t } from "../words.js";
import { Bar, capital, counted, END, nameOf } from "./bar.js";
import { explanationOf } from "./explain.js";
import { Hands } from "./hands.js";
import { Info } from "./info.js";
import { verdict } from "./result.js";

/** @typedef {import("./model.js").Choice} Choice */
/** @typedef {import("./session.js").Session} Session */
/** @typedef {import("./stage.js").Stage} Stage */

// Milliseconds in which what is played by itself can still be stopped; the second where something was
// proposed before it that somebody may want otherwise.
const GRACE = 1200;
const GRACE_AFTER_PROPOSAL = 4000;
const MANY = 3; // sentences of one entry that the bar tells whole; of more it tells the news, as a digest does

/** What the bar tells of an entry. @param {import("./model.js").Row} row */
function captionOf({ log, heading, news }) {
  return log.length > MANY && news?.length ? news : [...log, heading ?? ""];
}

export class Prompt {
  /**
   * @param {Session} session @param {Stage} stage
   * @param {{past: () => boolean, offer: () => void, deal: (to: number, first: string) => void,
   *   result?: () => void, refused?: () => void}} on `past`: whether one looks back; `offer`: there are other
   *   choices; `deal`: somebody negotiates; `result`: shows how the match has ended; `refused`: it was said
   *   why not
   */
  constructor(session, stage, on) {
    this.session = session;
    this.stage = stage;
    this.on = on;
    this.asked = 0;
    /** @type {object | null} the choice whose next touches are asked for */
    this.leading = null;
    this.alone = ""; // the only choice that is about to be played by itself
    this.byHand = false; // who has taken something back wants to choose
    /** @type {{at: number, back: number} | null} the last entry of a payment that was proposed, and the one
     * before it */
    this.paid = null;
    this.news = ""; // what the others did last, until one touches something
    this.soon = ""; // what is about to be played by itself
    this.felt = false; // whether a finger rests on something
    this.stirred = true; // whether a hand has moved since: what came to lie under it was not pointed at
    this.warned = ""; // what stands open, as it was said in this turn
    this.info = new Info(stage.board);
    this.bar = new Bar({ undo: () => this.undo() });
    /** @type {import("./info.js").Toast | null} the page puts it up */
    this.toast = null;
    this.hands = new Hands(stage.board, {
      commit: (choice) => this.commit(choice),
      refuse: (path) => this.refuse(path),
      drop: () => {
        this.leading = null;
      },
      changed: () => this.offered(),
      hover: (choice, node) => this.hover(choice, node),
      inform: (el, lasting) => this.inform(el, lasting),
      descends: () => !!stage.drawing?.descends,
    });
  }

  /** What a drawing may ask of us. @returns {import("../titles/index.js").Desk} */
  get desk() {
    const { model } = this.session;
    return {
      play: (actions) => this.play(actions),
      undo: () => this.undo(),
      light: () => this.hands.light(),
      whatIf: (actions) => model.whatIf(actions),
      advise: (about, actions) => model.advise(about, actions),
      graft: (path, choices) => this.hands.graft(path, choices),
      deal: (to, first) => this.on.deal(to, first),
    };
  }

  /** Offer the choices of this moment, and say what is to be done. */
  offer() {
    const { model } = this.session;
    if (model.acting === null) {
      this.warned = "";
      this.hands.offer([]);
    } else {
      const key = `${model.entry} ${model.legal.map((c) => c.action).join("|")}`;
      this.hands.offer(model.gestures, key);
      this.playAlone(model.gestures, key);
    }
    this.say();
  }

  /**
   * What is the only thing to do is done, after a moment in which it can be stopped (undo, or touch something
   * else); unless somebody wants to see it or has just taken something back.
   * @param {Choice[]} choices @param {string} key
   */
  async playAlone(choices, key) {
    const only = choices.find((choice) => choice.alone);
    if (!only || this.alone === key || this.byHand || setting("single", "on") === "off") return;
    this.alone = key;
    const proposed = this.paid?.at === this.session.model.entry;
    if (proposed || choices.length > 1 || !still()) {
      this.soon = t("alone", { what: only.say });
      this.bar.tell(this.quiet, true);
      await pause(proposed ? GRACE_AFTER_PROPOSAL : GRACE);
      this.soon = "";
    }
    const { session } = this;
    if (session.closed || this.alone !== key || this.hands.busy || this.hands.begun) return;
    if (this.hands.offeredKey !== key) return;
    if (this.byHand || this.on.past() || session.model.acting === null) return;
    this.hands.step(only.touches);
  }

  /**
   * While the board shows what happened, the bar tells it: what was played at once, what chance brought when
   * it can be seen.
   * @param {import("./model.js").Row[]} rows @param {boolean} seen
   */
  watch(rows, seen) {
    if (!seen) {
      this.hands.offer([]);
      this.forget();
    }
    if (this.soon) {
      this.soon = ""; // it has happened
      this.bar.tell(this.quiet, true);
    }
    const { who, view } = rows[rows.length - 1];
    const lines = who === "chance" && !seen ? [] : rows.flatMap(captionOf);
    const said = counted(lines).join(" ");
    if (said) this.bar.say(said, false);
    else if (typeof view.to_move === "number" && this.session.model.yours.includes(view.to_move)) return;
    else if (this.bar.isYours || (who === "chance" && !seen))
      this.bar.say(this.waitingFor(who === "chance" ? who : view.to_move), false);
  }

  /** Whom everybody waits for. @param {number | string | null} mover */
  waitingFor(mover) {
    const { table, model } = this.session;
    const seat = typeof mover === "number" ? table.seats[mover] : null;
    if (!seat) return t("chance");
    if (seat.seat === model.leftSeat) return t(hasClock(table) ? "away.clock" : "away");
    if (seat.kind === "free")
      return t(table.rated ? "waitfor.left.rated" : "waitfor.left", { name: seatName(seat) });
    return t(seat.kind === "bot" ? "thinking" : "waitfor", { name: seatName(seat) });
  }

  /** What the bar tells while nothing is picked. */
  get quiet() {
    return this.soon || this.news;
  }

  /** @param {string} news what the others did last */
  tellNews(news) {
    this.news = news;
    this.stirred = !news;
  }

  stir() {
    this.stirred = true;
  }

  say() {
    const { model, title, opened } = this.session;
    if (!opened) return; // nobody sits here yet
    const { table, view } = model;
    if (!table || !view || !title) return;
    if (model.ended) {
      this.bar.say(verdict(table, model.yours), false);
      return;
    }
    if (model.acting !== null) {
      this.bar.say(fillIn(title.words[`prompt.${view.prompt}`] ?? t("yourturn"), view.board), true);
      return;
    }
    this.bar.say(this.waitingFor(table.to_move), false);
  }

  /** Other things can be touched now: tiles, buttons, the path so far. */
  offered() {
    const { title, opened: model } = this.session;
    const { drawing } = this.stage;
    if (!title || !drawing) return;
    drawing.tiles?.(this.hands);
    this.bar.offer(this.hands, title, drawing, this.seeResult() ?? this.comeBack() ?? this.payOtherwise());
    if (this.hands.begun && !this.hands.busy) {
      this.toast?.hide(); // it was about something else
      const names = this.hands.path.map((touch) => capital(nameOf(touch, title, drawing)));
      const lit = [...this.hands.node.next.keys()].some((touch) => !this.hands.homeless().includes(touch));
      const picked = t(lit ? "picked" : "picked.buttons", { what: names.join(", ") });
      const named = `${names[names.length - 1]}: `; // said already
      const about = this.about(this.hands.path);
      this.bar.tell(`${picked} ${about.startsWith(named) ? about.slice(named.length) : about}`.trim());
    } else this.bar.tell(this.quiet, true);
    this.bar.undo.toggleAttribute(
      "disabled",
      !model || model.over || !model.yours.length || !model.undoTarget(),
    );
  }

  /** What the pointer was on is no choice any more: nothing is told or shown of it later. */
  forget() {
    this.asked += 1;
    this.stage.drawing?.preview?.(null);
  }

  /** @param {Choice} choice */
  async commit(choice) {
    const { drawing } = this.stage;
    this.forget();
    this.info.hide();
    this.toast?.hide();
    const asked = (this.leading = {});
    const further = drawing?.further ? await drawing.further(choice) : null;
    if (further && this.leading !== asked) {
      this.hands.release(); // somebody has gone back meanwhile
      return;
    }
    if (further) {
      this.hands.graft(choice.touches, further);
      return;
    }
    if (drawing?.confirm && !(await drawing.confirm(choice))) {
      this.hands.release();
      return;
    }
    if (choice.opens) {
      await this.open(choice);
      return;
    }
    if (await this.warns(choice)) return;
    const expanded = drawing?.expand ? await drawing.expand(choice) : null;
    await this.play(expanded ?? actionsOf(choice), choice);
  }

  /**
   * Something precious would stand open: said once in a turn, then it is meant.  Also where it would end
   * by itself, as long as something can still be done or taken back.
   * @param {Choice} choice
   */
  async warns(choice) {
    const { model, title } = this.session;
    const ends = choice.touches.length === 1 && choice.touches[0] === END;
    if (!ends || !title?.warns || setting("warnings", "on") === "off") return false;
    if (model.gestures.length === 1 && !model.undoTarget()) return false;
    const warning = await model.warning();
    if (!warning || this.warned === warning) return false;
    this.warned = warning;
    this.hands.release();
    this.toast?.show(warning, { actions: [[t("warn.anyway"), () => this.hands.step(choice.touches)]] });
    return true;
  }

  /** The questions after a choice in one dialogue. @param {Choice} choice */
  async open(choice) {
    const { model, title } = this.session;
    const found = await model.answersAfter(actionsOf(choice));
    const { tally } = await import("./tally.js");
    const chosen = title ? await tally(choice, found, title, this.stage.drawing ?? {}) : null;
    if (chosen) await this.play(actionsOf(chosen), chosen);
    else this.hands.release();
  }

  /**
   * @param {string[]} actions @param {Choice} [choice] what they stand for
   * @returns {Promise<boolean>} whether they were played
   */
  async play(actions, choice) {
    const { model } = this.session;
    const expect = model.entry;
    const goesOn = !!this.alone || this.paid?.at === -1;
    const at = expect + actions.length;
    this.alone = "";
    this.paid = choice?.proposed ? { at, back: at - choice.proposed } : null;
    this.byHand = false;
    const answer = await this.session.play(actions, goesOn);
    if (answer.ok) return true;
    this.paid = null;
    sound("no");
    if (!answer.state) this.hands.release();
    this.explain(answer);
    return false;
  }

  /** Who has closed the window of the result opens it again. */
  seeResult() {
    const { result } = this.on;
    if (!result || !this.session.opened?.ended) return null;
    return h("button.secondary.result", { type: "button", onclick: result }, t("result"));
  }

  /** Who has left the table finds the way back under the board. */
  comeBack() {
    const seat = this.session.opened?.leftSeat ?? null;
    if (seat === null) return null;
    const sit = async () => {
      const answer = await this.session.model.claim(seat);
      if (!answer.ok) this.explain(answer);
    };
    return h("button.primary.comeback", { type: "button", onclick: sit }, t("comeback"));
  }

  /** A payment was proposed and made: the button by which it is made otherwise. */
  payOtherwise() {
    const { opened: model } = this.session;
    const paid = this.paid;
    if (!paid || !model || paid.at !== model.entry || model.acting === null || this.hands.busy) return null;
    const change = async () => {
      this.byHand = true;
      this.paid = { at: -1, back: paid.back };
      await this.session.undo(paid.back);
    };
    return h("button.plain.otherwise", { type: "button", onclick: change }, t("payother"));
  }

  async undo() {
    this.alone = "";
    this.byHand = true;
    this.paid = null;
    const refused = await this.session.undo();
    if (!refused) return;
    const { ask } = refused;
    const asks = async () => {
      const answer = await ask?.();
      if (!answer.ok) this.explain(answer);
    };
    this.toast?.show(t("undo.refused"), ask ? { actions: [[t("undo.ask"), asks]], ms: 15000 } : {});
  }

  /** Something was touched that is not allowed now: say which rule forbids it. @param {string[]} path */
  async refuse(path) {
    const { model, title } = this.session;
    if (this.on.past()) return;
    if (model.acting === null) {
      if (model.table?.state === "running" && model.yours.length)
        this.toast?.show(`${t("notyourturn")} ${this.about(path)}`);
      return;
    }
    if (this.stage.showing) {
      this.stage.telling.skip();
      return;
    }
    const meant = await this.stage.drawing?.attempt?.(path);
    if (meant) {
      await this.play(meant);
      return;
    }
    sound("no");
    const answer = await model.whyNot(path, this.stage.drawing?.begun?.(path));
    const about = this.about(path);
    if (!answer.ok || answer.rule || answer.because) this.explain(answer, about);
    else
      this.toast?.show(
        `${t("notnow")} ${about || (answer.action ? "" : fillIn(title?.words[`prompt.${model.view?.prompt}`] ?? "", model.view?.board))}`,
      );
  }

  /** What the thing that was touched last does, where the drawing tells it. @param {string[]} path */
  about(path) {
    return this.stage.drawing?.about?.(path[path.length - 1]) ?? "";
  }

  /**
   * The reason with its numbers, or else the rule; then what was touched.
   * @param {{rule?: string, because?: string, instead?: string, reason?: string, error?: string}} answer
   * @param {string} [about]
   */
  explain(answer, about = "") {
    const rule = answer.rule ? (this.session.title?.words[`rule.${answer.rule}`] ?? "") : "";
    const why = answer.because || rule;
    const text = why && [why, answer.instead, about].filter(Boolean).join(" ");
    if (text)
      this.toast?.show(text, { rule: answer.rule, href: rulesOf(this.session.titleName, answer.rule) });
    else if (answer.error === "lost") this.toast?.show(t("lost"));
    else if (answer.error === "stale") this.toast?.show(t("stale"));
    else this.toast?.show(answer.error === "illegal" ? t("notnow") : (answer.reason ?? t("notnow")));
    this.on.refused?.();
  }

  /**
   * Chances, prices, consequences of what the pointer is on.
   * @param {Choice | null} choice @param {import("./trie.js").Node | null} [node]
   */
  async hover(choice, node = null) {
    const { opened: model } = this.session;
    const { drawing } = this.stage;
    const mine = ++this.asked;
    drawing?.reach?.(this.hands.busy || this.hands.begun ? null : node);
    if (!choice || this.hands.busy || !model || model.acting === null) {
      drawing?.preview?.(null);
      if (!this.hands.begun) this.bar.tell(this.quiet, true);
      return;
    }
    if (this.news && !this.stirred) return;
    this.bar.tell(capital(choice.say));
    await pause(120);
    if (mine !== this.asked) return;
    const hint = await drawing?.hint?.(choice);
    if (mine !== this.asked) return;
    if (hint) this.bar.tell(`${capital(choice.say)} – ${hint}`);
    if (!drawing?.preview) return;
    const answer = await model.whatIf(actionsOf(choice));
    if (mine === this.asked && answer.ok && !this.hands.busy)
      drawing.preview(answer.played ? answer.view : null);
  }

  /**
   * What a thing is; who holds a finger on it also sees what touching it would bring.
   * @param {HTMLElement | null} el @param {boolean} lasting
   */
  inform(el, lasting) {
    if (el && lasting) this.hands.preview(el);
    else if (this.felt && lasting) this.hover(null);
    if (lasting) this.felt = !!el;
    this.info.show(el, el ? explanationOf(this, el, lasting) : null, lasting);
  }
}

/** All that a choice stands for. @param {Choice} choice */
const actionsOf = (choice) => choice.actions ?? [choice.action];

/** @param {import("./model.js").Table} table */
const hasClock = ({ clock }) => clock.kind !== "none";
