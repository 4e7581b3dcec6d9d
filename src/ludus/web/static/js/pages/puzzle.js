/** A puzzle of a title: one position, one question, and after the answer what it was worth. */

import { DAMAGED, isAway, isOffline } from "../api.js";
import { fillWith, h, icon } from "../dom.js";
import { changes } from "../match/hints.js";
import { StagedSession } from "../match/lesson.js";
import { FILE, openedFile, PuzzleLink } from "../match/puzzle.js";
import { nextPuzzle, noteTry, puzzlesOf, strengthAt, syncPuzzles, triedAt } from "../puzzles.js";
import { sendTries, taken } from "../taken.js";
import { t } from "../words.js";
import { StagedPage } from "./staged.js";

/** @typedef {import("../match/puzzle.js").Told} Told */
/** @typedef {import("../puzzles.js").Listed} Listed */

export const DAY = "day";

/** @extends {StagedPage<PuzzleLink>} */
export class PuzzlePage extends StagedPage {
  /** @param {string} name of the title @param {string} wanted a puzzle, "day", or "" for the next one
   * @param {HTMLElement} host */
  constructor(name, wanted, host) {
    const place = { puzzle: wanted, actions: [], strength: null };
    /** @type {StagedSession<PuzzleLink>} */
    const session = new StagedSession(name, place, (told) => this.take(told), PuzzleLink);
    const words = {
      ...{ label: t("puzzle"), leave: t("puzzle.leave"), none: t("puzzle.none") },
      ...{ back: "/puzzles", to: t("puzzles") },
    };
    super(name, host, session, words);
    this.main.classList.add("puzzlepage");
    this.wanted = wanted;
    /** @type {Told | null} */
    this.told = null;
    /** @type {Listed[]} */
    this.puzzles = [];
    this.day = "";
    /** @type {import("../match/puzzle.js").Opened | null} */
    this.opened = null; // a file of one's own, of which all these puzzles are: nothing of it is rated or kept
    this.practised = false; // whether the solution was known before this try
    this.next = this.button("primary.nextpuzzle", t("puzzle.next"), () => this.goOn());
    this.again = this.button("plain.again", t("puzzle.again"), () => this.goTo(this.told?.puzzle ?? ""));
    this.giveUp = this.button("plain.giveup", t("puzzle.show"), () => this.session.link?.show());
    this.begin();
  }

  /** @param {string} kind @param {string} text @param {() => any} work */
  button(kind, text, work) {
    const fail = (/** @type {any} */ { error }) =>
      this.toast.show(t(error === DAMAGED ? "puzzles.damaged" : "offline"));
    const press = () => Promise.resolve(work()).catch(fail);
    return h(`button.${kind}`, { type: "button", onclick: press }, text);
  }

  async prepare() {
    if (this.wanted === FILE) {
      this.opened = openedFile(this.name);
      if (!this.opened) {
        this.words.none = t("puzzle.nofile");
        throw new Error(this.words.none);
      }
      this.puzzles = this.opened.puzzles;
      this.session.place = this.placeAt(this.puzzles[0].name);
      return;
    }
    await sendTries(); // before the account hears of them otherwise
    const [{ puzzles, day, days }] = await Promise.all([puzzlesOf(this.name), syncPuzzles()]);
    const away = await isOffline();
    this.puzzles = puzzles;
    if (away) await this.onlyTaken();
    this.day = (away ? days[new Date().toISOString().slice(0, 10)] : day) ?? "";
    if (!puzzles.length) {
      this.words.none = t("puzzle.nogame");
      throw new Error(this.words.none);
    }
    const wanted = this.wanted === DAY ? this.day : this.wanted;
    this.session.place = this.placeAt(wanted || (nextPuzzle(this.name, this.puzzles)?.name ?? ""));
    if (!wanted) this.standAt(this.session.place.puzzle);
  }

  /** A puzzle from its beginning; its first try is rated. @param {string} puzzle */
  placeAt(puzzle) {
    const given = this.opened?.puzzles.find(({ name }) => name === puzzle)?.given;
    if (given) return { puzzle, actions: [], strength: null, given };
    const strength = triedAt(this.name, puzzle).tried ? null : strengthAt(this.name);
    return { puzzle, actions: [], strength };
  }

  async goOn() {
    if (this.opened) {
      const at = this.puzzles.findIndex(({ name }) => name === this.told?.puzzle);
      await this.goTo(this.puzzles[(at + 1) % this.puzzles.length].name);
      return;
    }
    const next = () => nextPuzzle(this.name, this.puzzles, this.told?.puzzle)?.name ?? "";
    try {
      await this.goTo(next());
    } catch (error) {
      if (!isAway(error)) throw error;
      await this.onlyTaken();
      await this.goTo(next());
    }
  }

  /** The line is gone: what was taken along is left. */
  async onlyTaken() {
    const some = (await taken())?.titles[this.name] ?? [];
    this.puzzles = this.puzzles.filter(({ name }) => some.includes(name));
  }

  /** Who comes back here, or changes the language, finds the same puzzle. @param {string} puzzle */
  standAt(puzzle) {
    this.wanted = puzzle;
    if (!this.session.closed) history.replaceState(null, "", `/puzzles/${this.name}/${puzzle}`);
  }

  /** @param {string} puzzle */
  async goTo(puzzle) {
    this.toast.hide();
    this.prompt.warned = "";
    if (!this.opened) {
      this.standAt(puzzle);
    }
    await this.session.link?.go(this.placeAt(puzzle));
  }

  // -- what is told -------------------------------------------------------------------------------------

  /** @param {Told} told */
  take(told) {
    this.told = told;
    if ("waits" in told) this.practised = !told.waits;
    if ("rated" in told && !this.opened) {
      const { tried, solved } = triedAt(this.name, told.puzzle);
      this.practised = tried && !solved;
      noteTry(this.name, told.puzzle, told.solved, told.rated ?? null);
    }
    if (!this.stage.showing) this.say();
  }

  say() {
    const { told } = this;
    if (!told || this.stage.showing) return;
    const { verdict, text, step, steps, game, puzzle, solved } = told;
    fillWith(this.status, h("b", null, game), h("span", null, t("puzzle")));
    document.title = `${t("puzzle")}, ${game} – Ludus`;
    this.count.textContent = this.heading(puzzle);
    this.coach.style.setProperty("--done", String((step + (verdict ? 1 : 0)) / steps));
    this.coach.dataset.verdict = verdict;
    this.main.dataset.puzzle = puzzle;
    this.main.dataset.step = verdict || String(step);
    this.says.style.removeProperty("min-height");
    if (!verdict) {
      // On a phone the bar has no room for what the table asks; that it is my turn is said already.
      const asked = this.prompt.bar.prompt.textContent ?? "";
      fillWith(this.says, text, ...(asked.endsWith("?") ? [" ", h("span.asks", null, asked)] : []));
      fillWith(this.ways, this.giveUp);
      return;
    }
    const gained = changes(this.session.title, told);
    fillWith(
      this.says,
      h("strong.outcome", null, icon(solved ? "check" : "close"), `${t(`puzzle.${verdict}`)}.`),
      " ",
      text,
      gained ? ` ${gained}` : "",
      solved && this.practised ? h("small.rated", null, t("puzzle.practised")) : this.rated(told),
    );
    fillWith(this.ways, this.next, this.again);
    if (this.prompt.hands.keyboard) this.next.focus();
  }

  /** Which puzzle it is and how hard. @param {string} puzzle */
  heading(puzzle) {
    const rating = this.puzzles.find(({ name }) => name === puzzle)?.rating;
    const parts = [
      puzzle === this.day ? t("puzzle.day") : t("puzzle"),
      rating ? t("puzzle.hard", { n: rating }) : "",
    ];
    return parts.filter(Boolean).join(" · ");
  }

  /** What a first try did to one's strength. @param {Told} told */
  rated({ rated, waits }) {
    if (waits) return h("small.rated", null, t("puzzle.waits"));
    if (!rated) return null;
    const [from, to] = [rated.before, rated.rating].map(Math.round);
    return h("small.rated", null, t("puzzle.rated", { from, to }));
  }
}
