/** A puzzle as a table: the place of who solves is the puzzle and the actions so far (match/lesson.js). */

import { StagedLink } from "./lesson.js";

/** @typedef {{puzzle: string, actions: string[], strength: import("../puzzles.js").Strength | null}} Place */
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
   * @param {string} puzzle @param {import("../puzzles.js").Strength | null} strength
   */
  async go(puzzle, strength) {
    await this.arriveAt({ puzzle, actions: [], strength });
  }

  /** Tell me. */
  async show() {
    const told = await this.send({ show: true });
    this.on.hear({ type: "table", ...told });
    this.take(told);
  }
}
