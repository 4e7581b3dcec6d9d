/** What is to be done: the choices, the touches that make one, and why another is not allowed. */

import { pause } from "../dom.js";
import { play as sound } from "../sound.js";
import { seatName, t } from "../words.js";
import { Bar, capital, nameOf } from "./bar.js";
import { Gestures } from "./gestures.js";
import { Hands } from "./hands.js";
import { Info } from "./info.js";
import { verdict } from "./result.js";

/** @typedef {import("./model.js").Choice} Choice */
/** @typedef {import("./session.js").Session} Session */
/** @typedef {import("./stage.js").Stage} Stage */

export class Prompt {
  /**
   * @param {Session} session @param {Stage} stage
   * @param {{past: () => boolean, offer: () => void}} on `past`: whether one looks back; `offer`: there are
   *   other choices
   */
  constructor(session, stage, on) {
    this.session = session;
    this.stage = stage;
    this.on = on;
    this.asked = 0;
    /** @type {Gestures | null} */
    this.gestures = null;
    this.info = new Info(stage.board);
    this.bar = new Bar({ undo: () => this.undo() });
    /** @type {import("./info.js").Toast | null} the page puts it up */
    this.toast = null;
    this.hands = new Hands(stage.board, {
      commit: (choice) => this.commit(choice),
      refuse: (path) => this.refuse(path),
      changed: () => this.offered(),
      hover: (choice, node) => this.hover(choice, node),
      inform: (el, lasting) => this.inform(el, lasting),
    });
  }

  /** What a drawing may ask of us. @returns {import("../titles/index.js").Desk} */
  get desk() {
    const { model } = this.session;
    return {
      play: (actions) => this.play(actions),
      undo: () => this.undo(),
      whatIf: (actions) => model.whatIf(actions),
      advise: (about, actions) => model.advise(about, actions),
    };
  }

  /** Offer the choices of this moment, and say what is to be done. */
  offer() {
    const { model } = this.session;
    const { drawing } = this.stage;
    if (model.acting === null) this.hands.offer([]);
    else {
      this.gestures ??= new Gestures(model);
      const key = `${model.entry} ${model.legal.map((c) => c.action).join("|")}`;
      const ready = () => !this.hands.path.length && !this.hands.busy && this.on.offer();
      const choices = this.gestures.offer(key, model.legal, drawing?.leadsOn?.bind(drawing), ready);
      this.hands.offer(choices, choices === model.legal ? key : `${key} joined`);
    }
    this.say();
  }

  say() {
    const { model, title } = this.session;
    const { table, view } = model;
    if (!table || !view || !title) return;
    if (model.over) {
      this.bar.say(verdict(table, model.yours), false);
      return;
    }
    if (model.acting !== null) {
      this.bar.say(title.words[`prompt.${view.prompt}`] ?? t("yourturn"), true);
      return;
    }
    const seat = typeof table.to_move === "number" ? table.seats[table.to_move] : null;
    this.bar.say(
      seat ? t(seat.kind === "bot" ? "thinking" : "waitfor", { name: seatName(seat) }) : t("chance"),
      false,
    );
  }

  /** Other things can be touched now: tiles, buttons, the path so far. */
  offered() {
    const { title, opened: model } = this.session;
    const { drawing } = this.stage;
    if (!title || !drawing) return;
    drawing.tiles?.(this.hands);
    this.bar.offer(this.hands, title, drawing);
    if (this.hands.path.length && !this.hands.busy) {
      const names = this.hands.path.map((touch) => capital(nameOf(touch, title, drawing)));
      this.bar.tell(`${names.join(" → ")} → …`);
    } else this.bar.tell("");
    this.bar.undo.toggleAttribute(
      "disabled",
      !model || model.over || !model.yours.length || !model.undoTarget(),
    );
  }

  /** @param {Choice} choice */
  async commit(choice) {
    const { drawing } = this.stage;
    drawing?.preview?.(null);
    this.info.hide();
    const expanded = drawing?.expand ? await drawing.expand(choice) : null;
    await this.play(expanded ?? [...(choice.first ?? []), choice.action]);
  }

  /** @param {string[]} actions */
  async play(actions) {
    const answer = await this.session.play(actions);
    if (answer.ok) return;
    sound("no");
    if (!answer.state) this.hands.release();
    this.explain(answer);
  }

  async undo() {
    const refused = await this.session.undo();
    if (!refused) return;
    const { ask } = refused;
    this.toast?.show(t("undo.refused"), ask ? { actions: [[t("undo.ask"), ask]], ms: 15000 } : {});
  }

  /** Something was touched that is not allowed now: say which rule forbids it. @param {string[]} path */
  async refuse(path) {
    const { model, title } = this.session;
    if (this.on.past()) return;
    if (model.acting === null) {
      if (model.table?.state === "running" && model.yours.length) this.toast?.show(t("notyourturn"));
      return;
    }
    if (this.stage.showing) return;
    const meant = await this.stage.drawing?.attempt?.(path);
    if (meant) {
      await this.play(meant);
      return;
    }
    sound("no");
    const answer = await model.whyNot(path);
    if (!answer.ok || answer.rule) this.explain(answer);
    else
      this.toast?.show(
        answer.action ? t("notnow") : `${t("notnow")} ${title?.words[`prompt.${model.view?.prompt}`] ?? ""}`,
      );
  }

  /** @param {{rule?: string, reason?: string, error?: string}} answer */
  explain(answer) {
    const text = answer.rule ? this.session.title?.words[`rule.${answer.rule}`] : null;
    if (text) this.toast?.show(text, { rule: answer.rule });
    else if (answer.error === "lost") this.toast?.show(t("lost"));
    else if (answer.error === "stale") this.toast?.show(t("stale"));
    else this.toast?.show(answer.error === "illegal" ? t("notnow") : (answer.reason ?? t("notnow")));
  }

  /**
   * Chances, prices, consequences of what the pointer is on.
   * @param {Choice | null} choice @param {import("./trie.js").Node | null} [node]
   */
  async hover(choice, node = null) {
    const { opened: model } = this.session;
    const { drawing } = this.stage;
    const mine = ++this.asked;
    drawing?.reach?.(this.hands.busy || this.hands.path.length ? null : node);
    if (!choice || this.hands.busy || !model || model.acting === null) {
      drawing?.preview?.(null);
      if (!this.hands.path.length) this.bar.tell("");
      return;
    }
    this.bar.tell(capital(choice.say));
    await pause(120);
    if (mine !== this.asked) return;
    const hint = await drawing?.hint?.(choice);
    if (mine !== this.asked) return;
    if (hint) this.bar.tell(`${capital(choice.say)} – ${hint}`);
    if (!drawing?.preview) return;
    const answer = await model.whatIf([...(choice.first ?? []), choice.action]);
    if (mine === this.asked && answer.ok && !this.hands.busy)
      drawing.preview(answer.played ? answer.view : null);
  }

  /** @param {HTMLElement | null} el @param {boolean} lasting */
  inform(el, lasting) {
    const what = el?.dataset.info ?? el?.closest("[data-info]")?.getAttribute("data-info");
    this.info.show(el, what ? (this.stage.drawing?.info?.(what) ?? null) : null, lasting);
  }
}
