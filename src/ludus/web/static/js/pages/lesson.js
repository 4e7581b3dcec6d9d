/**
 * The first game of a title: a table at which one thing after the other is said, lit and played.
 * How far a learner has come is kept in this browser, and with the account of who has one (progress.js).
 */

import { fillWith, h, icon } from "../dom.js";
import { LessonLink, StagedSession } from "../match/lesson.js";
import { MOST_MAP } from "../match/zoom.js";
import { StagedPage } from "./staged.js";
import { learntTo, noteLearnt, syncLessons } from "../learning.js";
import { remember } from "../settings.js";
import { startMatch } from "../start.js";
import { rulesOf, t } from "../words.js";

/** @typedef {import("../match/lesson.js").Told} Told */
/** @typedef {import("../match/lesson.js").Place} Place */

const TIPS = 10; // own turns of the free game in which something is proposed, ever more rarely

/** @returns {Place} */
const START = () => ({ part: 0, step: 0, actions: [] });

const ROOM = 0.88; // of the window, for what a map begins with

/**
 * Show these as large as they fit, in the middle of the window.
 * @param {import("../match/zoom.js").Zoom} zoom @param {Element[]} things
 */
function frameIn(zoom, things) {
  const [w, h] = zoom.size;
  if (zoom.chosen || !zoom.shape || !w) return;
  const boxes = things.map((el) => el.getBoundingClientRect());
  const before = zoom.sheet.getBoundingClientRect();
  const [left, right] = [Math.min(...boxes.map((b) => b.left)), Math.max(...boxes.map((b) => b.right))];
  const [top, bottom] = [Math.min(...boxes.map((b) => b.top)), Math.max(...boxes.map((b) => b.bottom))];
  const closer = ROOM * Math.min(w / (right - left), h / (bottom - top));
  zoom.begun = Math.max(1, Math.min(MOST_MAP, zoom.scale * closer));
  zoom.to(zoom.begun);
  const [sheet, window] = [zoom.sheet.getBoundingClientRect(), zoom.window.getBoundingClientRect()];
  const grown = sheet.width / before.width;
  const [x, y] = [(left + right) / 2 - before.left, (top + bottom) / 2 - before.top];
  zoom.window.scrollLeft += sheet.left + x * grown - (window.left + w / 2);
  zoom.window.scrollTop += sheet.top + y * grown - (window.top + h / 2);
}

/** @extends {StagedPage<LessonLink>} */
export class LessonPage extends StagedPage {
  /** @param {string} name of the title @param {HTMLElement} host */
  constructor(name, host) {
    /** @type {StagedSession<LessonLink>} */
    const session = new StagedSession(name, START(), (told) => this.take(told), LessonLink);
    const words = { label: t("lesson"), leave: t("lesson.leave"), none: t("lesson.none"), back: "/" };
    super(name, host, session, words);
    /** @type {Told | null} */
    this.told = null;
    this.reading = false; // whether it was said that one goes on, and the answer is awaited
    this.framed = -1; // the part whose corner of the map is seen
    this.onward = h("button.primary.onward", { type: "button", onclick: () => this.read() }, t("lesson.on"));
    this.anew = h("button.plain.anew", { type: "button", onclick: () => this.restart() }, t("lesson.anew"));
    this.begin();
  }

  async prepare() {
    await syncLessons();
    this.session.place = learntTo(this.name) ?? START();
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

  // -- what is told -------------------------------------------------------------------------------------

  /** Another step: it is said when the board shows what led to it. @param {Told} told */
  take(told) {
    if (told.part !== this.told?.part || told.step !== this.told.step) this.toast.hide(); // the wrong try is past
    this.told = told;
    const { part, step, actions } = this.session.link?.place ?? START();
    noteLearnt(this.name, { part, step, actions });
    if (told.finished) this.next(told);
    else if (!this.stage.showing) this.say();
  }

  /** A part is over: on to the next, or to a game of one's own. @param {Told} told */
  next({ part, lesson }) {
    if (part + 1 < lesson.parts.length) this.session.link?.go(part + 1);
    else {
      noteLearnt(this.name, null);
      this.say();
    }
  }

  /** The number of the step, and of how many. @param {Told} told */
  placeOf({ lesson, part, step }) {
    const sum = (/** @type {number[]} */ parts) => parts.reduce((all, n) => all + n, 0);
    return { n: sum(lesson.parts.slice(0, part)) + step + 1, all: sum(lesson.parts) };
  }

  say() {
    const { told } = this;
    if (!told || this.stage.showing) return;
    const { lesson, part, step, text, finished, reads } = told;
    const { n, all } = this.placeOf(told);
    const at = n - 1;
    fillWith(this.status, h("b", null, this.session.title?.name ?? ""), h("span", null, t("lesson")));
    document.title = `${lesson.name} – Ludus`;
    this.count.textContent = finished ? "" : t("lesson.step", { n, all });
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
    this.frame(told);
    this.light(told.light);
  }

  /**
   * A part begins with its corner of a large map, until the learner zooms.
   * @param {Told} told
   */
  frame({ part, frame }) {
    const { board, zoom, drawing } = this.stage;
    if (!zoom || !drawing || this.framed === part) return;
    this.framed = part;
    const things = frame.flatMap((id) => [...board.querySelectorAll(`[data-touch="${CSS.escape(id)}"]`)]);
    zoom.window.classList.toggle("framed", things.length > 0); // the drawing goes nowhere by itself
    zoom.frame = things.length ? () => frameIn(zoom, things) : null;
    zoom.frame?.();
  }

  /** Where a touch leads to several places, the one that is asked for stands out and is seen whole. */
  leadOn() {
    const { board, zoom } = this.stage;
    const lit = [...board.querySelectorAll("[data-touch].lit")];
    const asked = lit.filter((el) => this.told?.touches?.includes(el.getAttribute("data-touch") ?? ""));
    for (const el of board.querySelectorAll(".asked")) el.classList.remove("asked", "taught");
    for (const el of asked) el.classList.add("asked", "taught");
    if (asked.length) zoom?.reveal(asked, 0.2);
    else super.leadOn();
  }

  /** All of it again: asked first, for it lies beside the way on; at the end there is nothing to lose. */
  restart() {
    const { told } = this;
    const again = () => this.session.link?.go(0);
    if (!told || told.finished) again();
    else {
      const at = this.placeOf(told);
      this.toast.show(t("lesson.anew.ask", at), { actions: [[t("lesson.anew"), again]] });
    }
  }

  /** On to the next step; while the board still shows what came of the last one, a touch skips that. */
  async read() {
    this.toast.hide();
    if (this.stage.showing) this.stage.telling.skip();
    if (this.reading || !this.told?.reads) return;
    this.reading = true;
    await this.session.link?.read().catch(() => this.toast.show(t("offline")));
    this.reading = false;
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
}
