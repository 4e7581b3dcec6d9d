/** First tries at puzzles that were made without a line: they wait here, and count when it is back. */

/** @typedef {{title: string, puzzle: string, actions: string[], play: string[], show: boolean,
 *   solved: boolean}} Try */

const PLACE = "ludus.progress.tries"; // who logs out leaves none of them either (progress.js)
const MOST = 200;

/** @returns {Try[]} */
export function waitingTries() {
  try {
    const found = JSON.parse(localStorage.getItem(PLACE) ?? "[]");
    return Array.isArray(found) ? found : [];
  } catch {
    return [];
  }
}

/** @param {Try[]} tries */
function write(tries) {
  try {
    if (tries.length) localStorage.setItem(PLACE, JSON.stringify(tries));
    else localStorage.removeItem(PLACE);
  } catch {
    // A browser that stores nothing still solves.
  }
}

/** @param {{title: string, puzzle: string}} one */
const keyOf = ({ title, puzzle }) => `${title}/${puzzle}`;

/** The first try at a puzzle that waits, or undefined. @param {string} title @param {string} puzzle */
export const waitingTry = (title, puzzle) =>
  waitingTries().find((one) => keyOf(one) === keyOf({ title, puzzle }));

/** Keep a first try; another one of the same puzzle is none. @param {Try} made */
export function addTry(made) {
  const tries = waitingTries();
  if (tries.length >= MOST || waitingTry(made.title, made.puzzle)) return;
  write([...tries, made]);
}

/** It has counted, or never will. @param {Try} made */
export function dropTry(made) {
  write(waitingTries().filter((one) => keyOf(one) !== keyOf(made)));
}
