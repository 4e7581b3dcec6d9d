/**
 * A page with a staged game: what is said stands beside the table, and one person plays at it.  Lessons and
 * puzzles are such pages.
 */

import { DAMAGED } from "../api.js";
import { fillWith, h, icon } from "../dom.js";
import { Asking } from "../match/explain.js";
import { Toast } from "../match/info.js";
import { onKey } from "../match/keys.js";
import { Prompt } from "../match/prompt.js";
import { Stage } from "../match/stage.js";
import { offlinePage } from "./offline.js";
import { go } from "../router.js";
import { pageHeader } from "../shell.js";
import { t } from "../words.js";

/** @typedef {import("../match/model.js").Row} Row */

/** @template {import("../match/lesson.js").StagedLink} L */
export class StagedPage {
  /**
   * @param {string} name of the title @param {HTMLElement} host
   * @param {import("../match/lesson.js").StagedSession<L>} session
   * @param {{label: string, leave: string, none: string, back: string, to?: string}} says words, and
   *   where one goes from here: `to` names it where it is not the first page
   */
  constructor(name, host, session, says) {
    this.name = name;
    this.host = host;
    this.session = session;
    this.words = says;
    this.replay = null;
    this.side = null;
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
      refused: () => this.lookBack(),
    });
    const offered = this.prompt.offered.bind(this.prompt);
    this.prompt.offered = () => {
      offered();
      if (this.prompt.hands.path.length) this.leadOn();
    };
    this.stage.zoomBeside(this.prompt.hands);
    this.prompt.bar.control(this.stage.telling.el);
    this.live = h("div.sr", { "aria-live": "polite" });
    this.count = h("output.lessoncount");
    this.says = h("p.lessonsays", { "aria-live": "polite" });
    this.ways = h("div.lessonways");
    this.coach = h("aside.coach", { "aria-label": says.label }, this.count, this.says, this.ways);
    this.status = h("span.status");
    this.table = h("div.table", null, this.stage.board, this.prompt.bar.el);
    this.main = h("main.matchpage.lessonpage", { id: "main" }, this.coach, this.table);
    this.toast = new Toast(this.table);
    this.prompt.toast = this.toast;
    this.asking = new Asking(this.prompt, this.table);
    const leave = h(
      "button.round",
      { type: "button", "aria-label": says.leave, title: says.leave, onclick: () => go(says.back) },
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
  }

  async begin() {
    const { session } = this;
    try {
      await this.prepare();
      if (session.closed) return;
      await session.open();
      const { model } = session;
      model.on("state", () => this.onState());
      model.on("rows", ({ rows }) => (rows.length ? this.stage.telling.tell(rows) : this.offer()));
      model.on("table", () => this.offer());
      await this.arrive();
    } catch (error) {
      if (session.closed) return;
      if (/** @type {any} */ (error).status === 0) offlinePage(this.host);
      else
        this.nothing(/** @type {any} */ (error).error === DAMAGED ? t("puzzles.damaged") : this.words.none);
    }
  }

  /** What must be known before one sits down. */
  async prepare() {}

  /** Show where one is. */
  async arrive() {
    await this.session.link?.look();
  }

  /** Show what comes next of something that is begun: nobody need look for it. */
  leadOn() {
    this.stage.showLit();
  }

  /** Who has looked for it elsewhere sees again where to touch. */
  lookBack() {
    this.lookAtTaught();
    this.stage.showLit();
  }

  /** @param {string} why */
  nothing(why) {
    this.stage.close();
    this.main.classList.add("bare");
    fillWith(
      this.main,
      h(
        "div.nothing",
        null,
        h("h1", null, t("gone.title")),
        h("p", null, why),
        this.words.to ? h("a.button.primary", { href: this.words.back, "data-go": "" }, this.words.to) : null,
        h("a.button.secondary", { href: "/", "data-go": "" }, t("home")),
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

  /** Say what is to be said now. */
  say() {}

  /** Show things besides what can be touched. @param {string[]} ids */
  light(ids) {
    for (const el of this.stage.board.querySelectorAll(".taught")) el.classList.remove("taught");
    for (const id of ids)
      for (const el of this.stage.board.querySelectorAll(
        `[data-touch="${CSS.escape(id)}"], [data-info="${CSS.escape(id)}"]`,
      ))
        el.classList.add("taught");
    this.lookAtTaught();
  }

  /** What is shown is to be seen, and the map goes nowhere else by itself. */
  lookAtTaught() {
    const { board, zoom } = this.stage;
    const taught = [...board.querySelectorAll(".taught")];
    if (taught.some((el) => zoom?.window.contains(el))) zoom?.window.classList.add("framed");
    zoom?.reveal(taught);
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
