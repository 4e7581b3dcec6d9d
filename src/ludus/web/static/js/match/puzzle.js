/** A puzzle as a table: the place of who solves is the puzzle and the actions so far (match/lesson.js). */

import { inTime, isAway, post, Problem } from "../api.js";
import { addTry, lookedUp, stepAt, taken, takenPuzzle } from "../taken.js";
import { spoken, t } from "../words.js";
import { StagedLink } from "./lesson.js";

/**
 * @typedef {{puzzle: string, actions: string[], strength: import("../puzzles.js").Strength | null,
 *   given?: string}} Place `given`: the puzzle itself, where it is of a file
 */
/**
 * @typedef {{ok: true, puzzle: string, actions: string[], text: string, step: number, steps: number,
 *   verdict: "" | "best" | "good" | "wrong" | "shown", solved: boolean, game: string, gain?: number,
 *   others?: number, waits?: boolean, rated?: (import("../puzzles.js").Strength & {before: number}) | null,
 *   [key: string]: any}} Told where somebody is now; `waits`: a first try that counts when there is a line
 */

export class PuzzleLink extends StagedLink {
  /** @param {string} name of the title @param {Place} place @param {import("./lesson.js").Hears} on */
  constructor(name, place, on) {
    super(name, "puzzle", place, on);
    this.warns = true;
    /** @type {import("../taken.js").Step[] | null} the puzzle as it was taken along, once there is no line */
    this.taken = null;
  }

  /** @param {Record<string, any>} [move] @returns {Promise<any>} */
  async send(move = {}) {
    if (this.taken) return this.lookUp(this.taken, move);
    const asked = super.send(move);
    try {
      return await inTime(asked);
    } catch (error) {
      const { puzzle, given } = this.place;
      if (given || !isAway(error)) return asked;
      const steps = await takenPuzzle(this.name, puzzle);
      if (!steps && (await taken())) throw error; // there are others
      if (!steps) return asked;
      this.taken = steps;
      return this.lookUp(steps, move);
    }
  }

  /**
   * Without a line: what was told beforehand.  A first try waits until there is one.
   * @param {import("../taken.js").Step[]} steps @param {{play?: string[], show?: boolean}} move
   */
  lookUp(steps, move) {
    const { puzzle, actions, strength } = this.place;
    const told = lookedUp(steps, { actions, ...move });
    if (!told) throw new Problem(409, { reason: t("notnow") });
    const { play = [], show = false } = move;
    const ends = told.verdict && (play.length || show);
    if (!ends) return told;
    if (strength) addTry({ title: this.name, puzzle, actions, play, show, solved: told.solved });
    return { ...told, waits: !!strength };
  }

  /** @param {string} type @param {Record<string, any>} body @returns {Promise<any>} */
  async ask(type, body) {
    const lost = { ok: false, error: "lost" };
    const answer = this.taken ? lost : await inTime(super.ask(type, body)).catch(() => lost);
    if (answer.ok || answer.error !== "lost" || this.place.given) return answer;
    this.taken ??= await takenPuzzle(this.name, this.place.puzzle);
    if (!this.taken) return answer;
    const step = stepAt(this.taken, this.place.actions);
    /** @type {Record<string, any>} which rule forbids a touch nobody can say here: the question stands */
    const answers = {
      why_not: { rule: "", no_reason: "prompt", because: step.at.text },
      advice: { advice: body.actions?.length ? null : (step.advice[body.about] ?? null) },
      warning: { warning: step.warning },
    };
    return type in answers ? { ok: true, ...answers[type] } : answer;
  }

  /** @param {Told} told @returns {Place} */
  placeOf({ puzzle, actions }) {
    return { ...this.place, puzzle, actions };
  }

  /**
   * To a puzzle, from its beginning.
   * @param {Place} place
   */
  async go(place) {
    this.taken = null; // there may be a line again
    await this.arriveAt(place);
  }

  /** Tell me. */
  async show() {
    const told = await this.send({ show: true });
    this.on.hear({ type: "table", ...told });
    this.take(told);
  }
}

// -- puzzles of a file -------------------------------------------------------------------------------------

/**
 * @typedef {{title: string, puzzles: (import("../puzzles.js").Listed & {given: string})[],
 *   wrong: string[]}} Opened
 */

export const FILE = "file"; // in an address, in place of a puzzle: those of the file that was opened last
const KEPT = "ludus.puzzlefile";
const LONGEST = 60000; // characters: routes_puzzles.py

/**
 * The puzzles of a file of one's own: kept until this window is closed, never rated.
 * @param {File} file @returns {Promise<Opened>}
 */
export async function openFile(file) {
  if (file.size > 4 * LONGEST) throw new Problem(422, { reason: t("puzzles.file.long", { n: LONGEST }) });
  const text = await file.text();
  if (text.length > LONGEST) throw new Problem(422, { reason: t("puzzles.file.long", { n: LONGEST }) });
  /** @type {Opened} */
  const opened = await post(spoken("/api/puzzles/file"), { text });
  if (opened.puzzles.length) sessionStorage.setItem(KEPT, JSON.stringify(opened));
  return opened;
}

/** What was opened last, if it is of this title. @param {string} title @returns {Opened | null} */
export function openedFile(title) {
  try {
    const opened = JSON.parse(sessionStorage.getItem(KEPT) ?? "null");
    const { puzzles } = opened ?? {};
    const whole = Array.isArray(puzzles) && puzzles.length && puzzles.every((one) => one?.name && one.given);
    return whole && opened.title === title ? opened : null;
  } catch {
    return null;
  }
}
