/**
 * The first game of a title: a table at which one thing after the other is said, lit and played.
 * How far a learner has come is kept in this browser.
 */

import { fillWith, h, icon } from "../dom.js";
import { Asking } from "../match/explain.js";
import { Toast } from "../match/info.js";
import { onKey } from "../match/keys.js";
import { LessonSession } from "../match/lesson.js";
import { Prompt } from "../match/prompt.js";
import { Stage } from "../match/stage.js";
import { offlinePage } from "./offline.js";
import { go } from "../router.js";
import { remember, setting } from "../settings.js";
import { pageHeader } from "../shell.js";
import { startMatch } from "../start.js";
import { rulesOf, t } from "../words.js";

/** @typedef {import("../match/lesson.js").Told} Told */
/** @typedef {import("../match/lesson.js").Place} Place */
/** @typedef {import("../match/model.js").Row} Row */

const TIPS = 10; // own turns of the free game in which something is proposed, ever more rarely

/** @returns {Place} */
const START = () => ({ part: 0, step: 0, actions: [] });

export class LessonPage {
  /** @param {string} name of the title @param {HTMLElement} host */
  constructor(name, host) {
    this.name = name;
    this.host = host;
    this.replay = null;
    this.side = null;
    /** @type {Told | null} */
    this.told = null;
    const kept = setting(`lesson.${name}`);
    this.session = new LessonSession(name, kept && !kept.done ? kept : START(), (told) => this.take(told));
    this.stage = new Stage(this.session, {
      up: () => undefined,
      step: (rows) => this.watch(rows, false),
      seen: (rows) => this.seen(rows),
      shown: () => this.present(false),
    });
    this.prompt = new Prompt(this.session, this.stage, {
      past: () => false,
      offer: () => this.offer(),
      deal: () => undefined,
    });
    const offered = this.prompt.offered.bind(this.prompt);
    this.prompt.offered = () => {
      offered();
      if (this.prompt.hands.path.length) this.stage.showLit(); // a learner need not look for what comes next
    };
    this.stage.zoomBeside(this.prompt.hands);
    this.prompt.bar.control(this.stage.telling.el);
    this.live = h("div.sr", { "aria-live": "polite" });
    this.count = h("output.lessoncount");
    this.says = h("p.lessonsays", { "aria-live": "polite" });
    this.onward = h("button.primary.onward", { type: "button", onclick: () => this.read() }, t("lesson.on"));
    this.anew = h(
      "button.plain",
      { type: "button", onclick: () => this.session.link?.go(0) },
      t("lesson.anew"),
    );
    this.ways = h("div.lessonways", null, this.onward);
    this.coach = h("aside.coach", { "aria-label": t("lesson") }, this.count, this.says, this.ways);
    this.status = h("span.status");
    this.table = h("div.table", null, this.stage.board, this.prompt.bar.el);
    this.main = h("main.matchpage.lessonpage", { id: "main" }, this.coach, this.table);
    this.toast = new Toast(this.table);
    this.prompt.toast = this.toast;
    this.asking = new Asking(this.prompt, this.table);
    const leave = h(
      "button.round",
      { type: "button", "aria-label": t("lesson.leave"), title: t("lesson.leave"), onclick: () => go("/") },
      icon("close"),
    );
    document.body.classList.add("playing");
    fillWith(host, pageHeader(this.status, [this.asking.button, leave]), this.main, this.live);
    this.narrow = matchMedia("(width <= 640px)");
    this.placeWays = () => {
      if (this.narrow.matches) this.prompt.bar.listButton.before(this.ways);
      else this.coach.append(this.ways);
    };
    this.narrow.addEventListener("change", this.placeWays);
    this.placeWays();
    this.keys = (/** @type {KeyboardEvent} */ e) => onKey(/** @type {any} */ (this), e);
    document.addEventListener("keydown", this.keys);
    this.begin();
  }

  async begin() {
    const { session } = this;
    try {
      await session.open();
      const { model } = session;
      model.on("state", () => this.onState());
      model.on("rows", ({ rows }) => (rows.length ? this.stage.telling.tell(rows) : this.offer()));
      model.on("table", () => this.offer());
      await this.arrive();
    } catch (error) {
      if (session.closed) return;
      if (/** @type {any} */ (error).status === 0) offlinePage(this.host);
      else this.nothing();
    }
  }

  /** Where one was before, if the lesson is still like that; else the beginning of that part, or of all. */
  async arrive() {
    const link = /** @type {import("../match/lesson.js").LessonLink} */ (this.session.link);
    const { part } = link.place;
    try {
      await link.look();
    } catch (error) {
      if (/** @type {any} */ (error).status === 0) throw error;
      await link.go(part).catch(() => link.go(0));
    }
  }

  nothing() {
    this.stage.close();
    this.main.classList.add("bare");
    fillWith(
      this.main,
      h(
        "div.nothing",
        null,
        h("h1", null, t("gone.title")),
        h("p", null, t("lesson.none")),
        h("a.button.primary", { href: "/", "data-go": "" }, t("home")),
      ),
    );
  }

  // -- what is told -------------------------------------------------------------------------------------

  async onState() {
    const { session, stage } = this;
    stage.telling.drop();
    if (!stage.drawing && (await stage.setUp(this.prompt.desk))) {
      this.main.dataset.title = session.titleName;
    }
    if (!session.closed) this.present();
  }

  /** @param {boolean} [draw] */
  present(draw = true) {
    const { model } = this.session;
    if (!model.view || !this.stage.drawing) return;
    if (draw) this.stage.draw(model.view);
    this.offer();
  }

  offer() {
    if (this.stage.showing) return;
    this.main.dataset.entry = String(this.session.model.entry);
    this.prompt.offer();
    this.say();
    this.stage.showLit();
    this.prompt.hands.focusNext();
  }

  /**
   * What happens is told where else it is said what to do: on a phone there is no other room.
   * @param {Row[]} rows @param {boolean} seen
   */
  watch(rows, seen) {
    this.prompt.watch(rows, seen);
    const { says } = this;
    says.style.setProperty("min-height", `${says.clientHeight}px`); // nothing is to jump meanwhile
    says.textContent = this.prompt.bar.prompt.textContent;
  }

  /** @param {Row[]} rows */
  seen(rows) {
    this.watch(rows, true);
    this.live.textContent = rows.flatMap(({ log, heading }) => [...log, heading ?? ""]).join(" ");
  }

  /** Another step: it is said when the board shows what led to it. @param {Told} told */
  take(told) {
    this.told = told;
    const { part, step, actions } = this.session.link?.place ?? START();
    remember(`lesson.${this.name}`, { part, step, actions });
    if (told.finished) this.next(told);
    else if (!this.stage.showing) this.say();
  }

  /** A part is over: on to the next, or to a game of one's own. @param {Told} told */
  next({ part, lesson }) {
    if (part + 1 < lesson.parts.length) this.session.link?.go(part + 1);
    else {
      remember(`lesson.${this.name}`, { done: true });
      this.say();
    }
  }

  say() {
    const { told } = this;
    if (!told || this.stage.showing) return;
    const { lesson, part, step, text, finished, reads } = told;
    const all = lesson.parts.reduce((sum, n) => sum + n, 0);
    const at = lesson.parts.slice(0, part).reduce((sum, n) => sum + n, 0) + step;
    fillWith(this.status, h("b", null, this.session.title?.name ?? ""), h("span", null, t("lesson")));
    document.title = `${lesson.name} – Ludus`;
    this.count.textContent = finished ? "" : t("lesson.step", { n: at + 1, all });
    this.coach.style.setProperty("--done", String(at / all));
    this.coach.classList.toggle("reads", reads);
    this.main.dataset.step = finished ? "done" : `${part}.${step}`;
    const changed = this.says.textContent !== text;
    this.says.style.removeProperty("min-height");
    if (finished && part + 1 >= lesson.parts.length) this.end();
    else if (!finished) {
      this.says.textContent = text;
      fillWith(this.ways, reads ? this.onward : null, at > 0 && reads ? this.anew : null);
      if (changed && reads && this.prompt.hands.keyboard) this.onward.focus();
    }
    this.light(told);
  }

  /** What a step shows besides what can be touched. @param {Told} told */
  light({ light }) {
    for (const el of this.stage.board.querySelectorAll(".taught")) el.classList.remove("taught");
    for (const id of light)
      for (const el of this.stage.board.querySelectorAll(
        `[data-touch="${CSS.escape(id)}"], [data-info="${CSS.escape(id)}"]`,
      ))
        el.classList.add("taught");
    this.stage.zoom?.reveal([...this.stage.board.querySelectorAll(".taught")]);
  }

  async read() {
    this.toast.hide();
    await this.session.link?.read().catch(() => this.toast.show(t("offline")));
  }

  /** The lesson is over: now a whole game, with a tip now and then. */
  end() {
    const { title } = this.session;
    if (!title) return;
    const few = Math.min(...title.seats);
    const bot = title.levels[0];
    const play = async () => {
      free.disabled = true; // a second press is no second match
      remember(`tips.${this.name}`, TIPS);
      remember(`bot.${this.name}`, bot);
      await startMatch(this.name, [
        { kind: "me" },
        ...Array.from({ length: few - 1 }, () => /** @type {const} */ ({ kind: "bot", bot })),
      ]).catch(() => {
        free.disabled = false;
        this.toast.show(t("offline"));
      });
    };
    const free = /** @type {HTMLButtonElement} */ (
      h("button.primary.freegame", { type: "button", onclick: play }, icon("play"), t("lesson.play"))
    );
    this.says.textContent = t("lesson.end", { name: title.name });
    fillWith(
      this.ways,
      free,
      h("a.button.plain", { href: rulesOf(this.name), target: "_blank" }, icon("book"), t("rules")),
      this.anew,
    );
  }

  // -- what the keys ask of a table ---------------------------------------------------------------------

  toggleSide() {}

  lookAt() {}

  close() {
    document.body.classList.remove("playing");
    document.removeEventListener("keydown", this.keys);
    this.narrow.removeEventListener("change", this.placeWays);
    this.stage.close();
    this.session.close();
  }
}
