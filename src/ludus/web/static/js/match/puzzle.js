/** A puzzle as a table: the place of who solves is the puzzle and the actions so far (match/lesson.js). */

import { post, Problem } from "../api.js";
import { spoken, t } from "../words.js";
import { StagedLink } from "./lesson.js";

/**
 * @typedef {{puzzle: string, actions: string[], strength: import("../puzzles.js").Strength | null,
 *   given?: string}} Place `given`: the puzzle itself, where it is of a file
 */
/**
 * @typedef {{ok: true, puzzle: string, actions: string[], text: string, step: number, steps: number,
 *   verdict: "" | "best" | "good" | "wrong" | "shown", solved: boolean, game: string, gain?: number,
 *   others?: number, rated?: (import("../puzzles.js").Strength & {before: number}) | null,
 *   [key: string]: any}} Told where somebody is now
 */

export class PuzzleLink extends StagedLink {
  /** @param {string} name of the title @param {Place} place @param {import("./lesson.js").Hears} on */
  constructor(name, place, on) {
    super(name, "puzzle", place, on);
    this.warns = true;
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
    return opened?.title === title ? opened : null;
  } catch {
    return null;
  }
}
