/** Which puzzles there are, which one is next, and how strong somebody is with them (progress.js). */

import { getOrKept, inTime } from "./api.js";
import { h, icon } from "./dom.js";
import { keepHere, note, progressIn, sync } from "./progress.js";
import { spoken, t } from "./words.js";

/** @typedef {{name: string, rating: number, game: string}} Listed */
/**
 * @typedef {{name: string, date: string, day: string | null, days: Record<string, string>,
 *   puzzles: Listed[]}} Puzzles `days`: the puzzles of the coming days
 */
/** @typedef {{rating: number, deviation: number, volatility: number}} Strength */
/** @typedef {Strength & {n?: number, at?: number}} Told `n` tries, `at`: as the account has it */

const KIND = "puzzles";
export const WAITING = "ludus.progress.tries";
const [TRIED, SOLVED] = [1, 2];
const NEWCOMER = { rating: 1200, deviation: 350, volatility: 0.06 };
const BOUNDS = { rating: [0, 4000], deviation: [10, 350], volatility: [0.01, 0.2] }; // server/models.py
const NEAR = 3; // of so many that are about as strong one is drawn, so that not everybody has the same

/** @param {string} title @returns {Promise<Puzzles>} */
export const puzzlesOf = (title) => getOrKept(spoken(`/api/titles/${encodeURIComponent(title)}/puzzles`));

/** What the account knows, too, if it says so in time. */
export const syncPuzzles = () => inTime(sync(KIND)).catch(() => undefined);

/** @param {string} title @returns {Strength} */
export function strengthAt(title) {
  const { rating, deviation, volatility } = { ...NEWCOMER, ...progressIn(KIND)[title] };
  const known = { rating, deviation, volatility };
  const whole = Object.entries(BOUNDS).every(([name, [least, most]]) => {
    const value = /** @type {any} */ (known)[name];
    return typeof value === "number" && value >= least && value <= most;
  });
  return whole ? known : NEWCOMER; // what lies there may be damaged
}

/**
 * First tries that were made without a line: they wait, and count when there is one (taken.js).  Who logs out
 * leaves none of them either (progress.js).
 * @returns {import("./taken.js").Try[]}
 */
export function waitingTries() {
  try {
    const found = JSON.parse(localStorage.getItem(WAITING) ?? "[]");
    return Array.isArray(found) ? found.filter((one) => one?.title && one.puzzle) : [];
  } catch {
    return []; // what lies there may be of another release, or damaged
  }
}

/** Whether a puzzle was tried and solved. @param {string} title @param {string} name
 * @param {boolean} [waiting] also by a try that waits for a line */
export function triedAt(title, name, waiting = true) {
  const n = progressIn(KIND)[`${title}/${name}`]?.n ?? 0;
  const made = waiting && waitingTries().find((one) => one.title === title && one.puzzle === name);
  return { tried: n >= TRIED || !!made, solved: n >= SOLVED || !!(made && made.solved) };
}

/** How many of a title were solved. @param {string} title @param {Listed[]} puzzles */
export function solvedOf(title, puzzles) {
  return puzzles.filter(({ name }) => triedAt(title, name).solved).length;
}

/**
 * Keep what came of a try; `strength` where it was rated.  Every try that fails is told the solution: who
 * comes back practises, and only the first try solves.
 * @param {string} title @param {string} name @param {boolean} solved @param {Told | null} strength
 */
export function noteTry(title, name, solved, strength) {
  note(KIND, `${title}/${name}`, solved && !triedAt(title, name).tried ? SOLVED : TRIED);
  if (!strength) return;
  const { rating, deviation, volatility, n, at } = strength;
  if (n !== undefined && at !== undefined) {
    // The account has counted it; whoever counted on from what another window heard of it would count twice.
    keepHere(KIND, { [title]: { rating, deviation, volatility, n, at } });
    return;
  }
  const tries = (progressIn(KIND)[title]?.n ?? 0) + 1;
  note(KIND, title, tries, { rating, deviation, volatility });
}

/**
 * The next puzzle: about as strong as somebody is, new ones before those that were not solved, and then all.
 * @param {string} title @param {Listed[]} puzzles @param {string} [but] not this one again
 */
export function nextPuzzle(title, puzzles, but = "") {
  const others = puzzles.filter(({ name }) => name !== but);
  const fresh = others.filter(({ name }) => !triedAt(title, name).tried);
  const open = others.filter(({ name }) => !triedAt(title, name).solved);
  const from = [fresh, open, others].find((some) => some.length) ?? puzzles;
  const near = nearest(title, from).slice(0, NEAR);
  return near[Math.floor(Math.random() * near.length)] ?? null;
}

/** By how near they are to somebody's strength. @param {string} title @param {Listed[]} puzzles */
function nearest(title, puzzles) {
  const { rating } = strengthAt(title);
  return [...puzzles].sort((a, b) => Math.abs(a.rating - rating) - Math.abs(b.rating - rating));
}

/** The names of so many that would come next. @param {string} title @param {Listed[]} puzzles
 * @param {number} many */
export function nextPuzzles(title, puzzles, many) {
  const tried = (/** @type {Listed} */ { name }) => triedAt(title, name).tried;
  const [fresh, known] = [puzzles.filter((one) => !tried(one)), puzzles.filter(tried)];
  return [...nearest(title, fresh), ...nearest(title, known)].slice(0, many).map(({ name }) => name);
}

/**
 * A way to the puzzles of a title among its buttons.
 * @param {string} name @param {{puzzles: number}} title
 */
export function puzzleButton(name, title) {
  if (!title.puzzles) return null;
  return h(
    "a.button.plain.puzzles",
    { href: `/puzzles/${name}`, "data-go": "" },
    icon("olive"),
    t("puzzles"),
  );
}

/** The line for the first page. @param {[string, {puzzles: number}][]} titles */
export function puzzleLine(titles) {
  if (!titles.some(([, title]) => title.puzzles)) return null;
  return h(
    "p.learnline",
    null,
    h("a", { href: "/puzzles", "data-go": "" }, icon("olive"), t("puzzles.line")),
  );
}
