/** The server's HTTP side.  A table itself lives on its socket (match/link.js). */

/** An answer that is no success. */
export class Problem extends Error {
  /** @param {number} status @param {{error?: string, reason?: string}} body */
  constructor(status, body) {
    super(body.reason ?? `status ${status}`);
    this.status = status;
    this.error = body.error ?? "";
  }
}

export const BACK = "ludus-back"; // an event: the server answers that did not, as after `online`
const PATIENCE = 6000; // milliseconds for an answer where something else is at hand;
const IMPATIENCE = 700; // and while none has come in that time
let isSilent = false;

const offline = () => {
  isSilent = true;
  return new Problem(0, { error: "offline", reason: "offline" });
};

/** There was an answer; of a server, or of what stands before it. @param {number} status */
function heard(status) {
  const back = isSilent && !isAway({ status });
  isSilent = isAway({ status });
  if (back) dispatchEvent(new Event(BACK));
}

/**
 * What was asked, or after a while the same as without a line: a server may take every question and answer
 * none.  For what can be done without it.
 * @template T @param {Promise<T>} asked @returns {Promise<T>}
 */
export function inTime(asked) {
  return new Promise((done, fail) => {
    const late = setTimeout(() => fail(offline()), isSilent ? IMPATIENCE : PATIENCE);
    asked.then(done, fail).finally(() => clearTimeout(late));
  });
}

/**
 * @param {string} method
 * @param {string} path
 * @param {any} [body]
 * @returns {Promise<any>}
 */
async function request(method, path, body) {
  let answer;
  try {
    answer = await fetch(path, {
      method,
      headers: body === undefined ? {} : { "content-type": "application/json" },
      body: body === undefined ? undefined : JSON.stringify(body),
      credentials: "same-origin",
    });
  } catch {
    throw offline();
  }
  heard(answer.status);
  const told = await answer.json().catch(() => ({}));
  if (!answer.ok) throw new Problem(answer.status, told);
  return told;
}

/** @type {Map<string, Promise<any>>} */
const asked = new Map();

/** Ask for something that a page will need in a moment. @param {string} path */
export function askEarly(path) {
  const answer = request("GET", path);
  answer.catch(() => undefined);
  asked.set(path, answer);
}

/**
 * The answer to what was asked early, once; null if it was not.
 * @param {string} path
 * @returns {Promise<any> | null}
 */
export function early(path) {
  const answer = asked.get(path) ?? null;
  asked.delete(path);
  return answer;
}

/** @param {string} path @returns {Promise<any>} */
export const get = (path) => early(path) ?? request("GET", path);

export const KEPT = "ludus-puzzles"; // the cache of what is kept for when the server does not answer (taken.js)

/** Whether it is the line or the server that is missing, and nothing else wrong. @param {any} error */
export const isAway = (error) => [0, 502, 503, 504].includes(error?.status);

export const DIGEST = "x-sha256"; // kept beside what is kept: what was changed since is not played
export const DAMAGED = "damaged";

/** @param {string} text */
export async function digestOf(text) {
  const found = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text));
  return [...new Uint8Array(found)].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

/**
 * What was kept, in the language that is asked for or else in the one that there is; null where nothing was.
 * @param {string} path @returns {Promise<any>}
 */
export async function kept(path) {
  if (!("caches" in window)) return null; // only over https, or on this machine
  const cache = await caches.open(KEPT);
  const found = (await cache.match(path)) ?? (await cache.match(path, { ignoreSearch: true }));
  if (!found) return null;
  const text = await found.text();
  if (found.headers.get(DIGEST) !== (await digestOf(text))) throw new Problem(422, { error: DAMAGED });
  return JSON.parse(text);
}

/** The server's answer, or the one that was kept where none comes in time. @param {string} path
 * @returns {Promise<any>} */
export function getOrKept(path) {
  const asked = get(path);
  return inTime(asked).catch(async (error) => {
    const found = isAway(error) ? await kept(path) : null;
    return found ?? asked;
  });
}

/** @param {string} path @param {any} [body] */
export const post = (path, body = {}) => request("POST", path, body);
/** @param {string} path @param {any} body */
export const putTo = (path, body) => request("PUT", path, body);

/** @param {string} path @param {any} body */
export const remove = (path, body) => request("DELETE", path, body);

/** @typedef {{id: string, name: string, account: boolean}} Me */
/** @type {Promise<Me> | null} */
let me = null;

/** Who I am; a stranger becomes a guest with a lasting name. @returns {Promise<Me>} */
export function whoAmI() {
  me ??= post("/api/guest").catch((error) => {
    me = null;
    throw error;
  });
  return me;
}

/** After a log-in or a new name: ask again. */
export function forgetMe() {
  me = null;
}

/** Whether one is left with what was taken along. @returns {Promise<boolean>} */
export const isOffline = async () => isSilent || inTime(whoAmI()).then(() => false, isAway);
