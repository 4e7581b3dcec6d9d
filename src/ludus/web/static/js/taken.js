/**
 * Puzzles that are taken along: the next ones by strength and those of the coming days, each with all that
 * the server would tell of it, and the files of the client.  So they are solved without a line; the tries
 * wait and are sent when there is one.
 */

import { DIGEST, digestOf, get, inTime, isAway, KEPT, kept, post } from "./api.js";
import { nextPuzzles, noteTry, puzzlesOf, strengthAt, triedAt, WAITING, waitingTries } from "./puzzles.js";
import { spoken, tongue } from "./words.js";

/** @typedef {{at: number, tongue: string, titles: Record<string, string[]>}} Taken when, in which language,
 * and which puzzles of which title */
/** @typedef {{title: string, puzzle: string, actions: string[], play: string[], show: boolean,
 *   solved: boolean}} Try a first try that waits */
/**
 * A step of a puzzle, as the server tells it beforehand.
 * @typedef {{at: any, forced: string[], choices: Record<string, any>, shown: any, warning: string,
 *   advice: Record<string, any>}} Step
 */

const NOTE = "/taken"; // what was taken, among what is kept
const SHELL = "ludus-shell"; // sw.js answers from it
const NEXT = 20; // of each title, and the puzzles of the coming days
const TOGETHER = 6;
const DAY = 86400000;
const MOST = 200; // tries that wait

/** Whether this browser can keep anything: only over https, or on this machine. */
export const canKeep = () => "caches" in window && "serviceWorker" in navigator;

/** @param {string} path @param {any} data */
export async function keep(path, data) {
  const text = JSON.stringify(data);
  const headers = { "content-type": "application/json", [DIGEST]: await digestOf(text) };
  await (await caches.open(KEPT)).put(path, new Response(text, { headers }));
}

/** Drop what is kept and is not among these. @param {string[]} paths */
async function keepOnly(paths) {
  const cache = await caches.open(KEPT);
  const wanted = new Set(paths.map((path) => new URL(path, location.origin).href));
  for (const request of await cache.keys()) if (!wanted.has(request.url)) await cache.delete(request);
}

/** @param {string} title @param {string} puzzle */
const placeOf = (title, puzzle) => spoken(`/api/titles/${title}/puzzles/${puzzle}`);

/** What was taken along, or null. @returns {Promise<Taken | null>} */
export async function taken() {
  const found = await kept(NOTE).catch(() => null);
  return found?.at && found.titles ? found : null;
}

/**
 * Take puzzles along, in the language of the page; what was taken before and is not among them is dropped.
 * @param {(share: number) => void} [tell] how far it is, from 0 to 1
 * @returns {Promise<Taken>}
 */
export async function takeAlong(tell = () => undefined) {
  await navigator.serviceWorker.register("/sw.js");
  const spokenNow = tongue();
  const list = spoken("/api/titles");
  const told = await get(list);
  const names = Object.keys(told.titles).filter((name) => told.titles[name].puzzles);
  /** @type {Record<string, string[]>} */
  const titles = {};
  /** @type {[string, any][]} */
  const small = [[list, told]];
  for (const name of names) {
    const path = spoken(`/api/titles/${name}`);
    const known = await puzzlesOf(name);
    const wanted = new Set([...Object.values(known.days), ...nextPuzzles(name, known.puzzles, NEXT)]);
    titles[name] = [...wanted];
    small.push([path, await get(path)], [`${spoken(`/api/titles/${name}/puzzles`)}`, known]);
  }
  const { files } = await get("/api/puzzles/client");
  const puzzles = Object.entries(titles).flatMap(([name, some]) =>
    some.map((puzzle) => placeOf(name, puzzle)),
  );
  const all = files.length + puzzles.length;
  let done = 0;
  const count = () => tell(++done / all);
  const shell = await caches.open(SHELL);
  await together(files, TOGETHER, async (path) => {
    const answer = await fetch(path, { cache: "no-cache" });
    if (answer.ok) await shell.put(path, answer);
    count();
  });
  await together(puzzles, 2, async (path) => {
    await keep(path, await get(path));
    count();
  });
  for (const [path, data] of small) await keep(path, data);
  const note = { at: Date.now(), tongue: spokenNow, titles };
  await keep(NOTE, note); // last: only what is whole is said to be there
  await keepOnly([NOTE, ...puzzles, ...small.map(([path]) => path)]);
  return note;
}

/** So many at a time; where one fails, no further one is begun.
 * @template T @param {T[]} things @param {number} many @param {(one: T) => Promise<void>} work */
async function together(things, many, work) {
  const left = [...things];
  const worker = async () => {
    for (let one = left.shift(); one !== undefined; one = left.shift()) await work(one);
  };
  await Promise.all(Array.from({ length: many }, worker)).finally(() => left.splice(0));
}

/**
 * Whoever has taken some along, or has installed Ludus, gets fresh ones without asking: once a day, and in
 * the language that was chosen since.
 */
export async function takeFresh() {
  if (!canKeep()) return;
  const installed = matchMedia("(display-mode: standalone)").matches;
  const had = await taken();
  const old = had && (Date.now() - had.at > DAY || had.tongue !== tongue());
  if (had ? !old : !installed) return;
  taking ??= takeAlong().then(
    () => (taking = null),
    () => (taking = null),
  );
  await taking;
}

/** @type {Promise<null> | null} what is being fetched without asking: not twice at once */
let taking = null;

// -- solving without a line ---------------------------------------------------------------------------------

/** A puzzle that was taken along, or null. @param {string} title @param {string} puzzle
 * @returns {Promise<Step[] | null>} */
export const takenPuzzle = async (title, puzzle) => (await kept(placeOf(title, puzzle)))?.steps ?? null;

/**
 * How far actions lead: looked up, nothing is decided here.
 * @param {Step[]} steps @param {string[]} actions @param {{step: number, forced: string[], end: any}} from
 */
function follow(steps, actions, from) {
  let { step, end } = from;
  let forced = [...from.forced];
  const told = [];
  let counted = 0;
  for (const text of actions) {
    if (forced.length && text === forced[0]) forced.shift();
    else {
      if (end) break;
      const found = steps[step].choices[text];
      if (!found) return null;
      told.push(found);
      if (found.verdict) end = found;
      else forced = [...steps[++step].forced];
    }
    counted += 1;
  }
  return { step, forced, end, told, counted };
}

/**
 * What the server would tell of a move; null where it would tell of none.
 * @param {Step[]} steps
 * @param {{actions: string[], play?: string[], show?: boolean}} move
 */
export function lookedUp(steps, { actions, play = [], show = false }) {
  const here = follow(steps, actions, { step: 0, forced: [], end: null });
  if (!here) return null;
  if (show) return here.end ? null : { ...steps[here.step].shown, actions };
  if (!play.length)
    return here.end
      ? { ...here.end, since: here.end.entry, entries: [], actions }
      : { ...steps[here.step].at, actions };
  const there = here.end ? null : follow(steps, play, here);
  if (!there?.told.length) return null;
  const [first] = there.told;
  const last = there.told[there.told.length - 1];
  const entries = there.told.flatMap((one) => one.entries);
  return { ...last, since: first.since, entries, actions: [...actions, ...play.slice(0, there.counted)] };
}

/** At which step one is. @param {Step[]} steps @param {string[]} actions */
export const stepAt = (steps, actions) =>
  steps[follow(steps, actions, { step: 0, forced: [], end: null })?.step ?? 0];

// -- tries that wait ----------------------------------------------------------------------------------------

/** @param {Try[]} tries */
function write(tries) {
  try {
    if (tries.length) localStorage.setItem(WAITING, JSON.stringify(tries));
    else localStorage.removeItem(WAITING);
  } catch {
    // A browser that stores nothing still solves.
  }
}

/** Keep a first try; another one of the same puzzle is none. @param {Try} made */
export function addTry(made) {
  const tries = waitingTries();
  if (tries.length < MOST && !tries.some((one) => isSame(one, made))) write([...tries, made]);
}

/** @param {Try} one @param {Try} other */
const isSame = (one, other) => one.title === other.title && one.puzzle === other.puzzle;

/** It has counted, or never will. @param {Try} made */
const dropTry = (made) => write(waitingTries().filter((one) => !isSame(one, made)));

/** Send the tries that wait, one after the other; each counts once, whoever else sends it. */
export async function sendTries() {
  if (!waitingTries().length) return;
  const send = async () => {
    for (const made of waitingTries()) {
      const { title, puzzle, actions, play, show, solved } = made;
      const strength = triedAt(title, puzzle, false).tried ? null : strengthAt(title);
      try {
        const path = spoken(`/api/titles/${title}/puzzle`);
        const told = await inTime(post(path, { puzzle, actions, play, show, strength }));
        dropTry(made);
        noteTry(title, puzzle, told.solved, told.rated ?? null);
      } catch (error) {
        if (isAway(error) || /** @type {any} */ (error).status === 429) return; // later
        dropTry(made); // the puzzle is no more
        noteTry(title, puzzle, solved, null);
      }
    }
  };
  if (navigator.locks)
    await navigator.locks.request("ludus.tries", send); // not two windows at once
  else await send();
}
