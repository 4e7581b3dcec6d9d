/**
 * How far somebody has come, by kind ("lesson", "puzzles") and name: kept in this browser, and with the
 * account of
 * who has one. The two are merged, never replaced: the greater `n` stays, and the rest of what was written
 * later.
 */

import { post, whoAmI } from "./api.js";

/** @typedef {{n: number, at: number, [more: string]: any}} Entry */
/** @typedef {Record<string, Entry>} Document_ */

const KINDS = ["lesson", "puzzles"];

/** @param {string} kind */
const place = (kind) => `ludus.progress.${kind}`;

/** @param {string} kind @returns {Document_} */
function read(kind) {
  try {
    return JSON.parse(localStorage.getItem(place(kind)) ?? "{}") ?? {};
  } catch {
    return {};
  }
}

/** @param {string} kind @param {Document_} whole */
function write(kind, whole) {
  try {
    localStorage.setItem(place(kind), JSON.stringify(whole));
  } catch {
    // A browser that stores nothing still plays.
  }
}

/** @param {Document_} one @param {Document_} other @returns {Document_} */
export function merged(one, other) {
  const both = { ...one };
  for (const [key, entry] of Object.entries(other)) {
    const known = both[key];
    const later = known && known.at > entry.at ? known : entry;
    both[key] = { ...later, n: Math.max(known?.n ?? 0, entry.n) };
  }
  return both;
}

/**
 * How far one has come with something.
 * @param {string} kind @param {string} key @returns {Entry | undefined}
 */
export const progressOf = (kind, key) => read(kind)[key];

/** All entries of a kind. @param {string} kind */
export const progressIn = (kind) => read(kind);

/**
 * Note how far one has come; `n` never falls.
 * @param {string} kind @param {string} key @param {number} n @param {Record<string, any>} [more]
 */
export function note(kind, key, n, more = {}) {
  const entry = { ...more, n, at: Date.now() };
  write(kind, merged(read(kind), { [key]: entry }));
  send(kind, { [key]: read(kind)[key] });
}

/** Keep in this browser what the account has already. @param {string} kind @param {Document_} some */
export const keepHere = (kind, some) => write(kind, merged(read(kind), some));

/** @param {string} kind @param {Document_} some */
async function send(kind, some) {
  const me = await whoAmI().catch(() => null);
  if (!me?.account) return;
  const { data } = await post(`/api/me/progress/${kind}`, { data: some }).catch(() => ({ data: {} }));
  keepHere(kind, data);
}

/**
 * Bring this browser and the account together: at a page that shows progress, and after a log-in.
 * @param {string} kind
 */
export const sync = (kind) => send(kind, read(kind));

/** The same of every kind that this browser knows. */
export const syncAll = () => Promise.all(KINDS.map(sync));

/** Who logs out or is forgotten leaves nothing in this browser; what an account had is with the account. */
export function leaveBrowser() {
  for (const key of Object.keys(localStorage).filter((name) => name.startsWith(place(""))))
    localStorage.removeItem(key);
}
