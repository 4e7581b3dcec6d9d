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
    throw new Problem(0, { error: "offline", reason: "offline" });
  }
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
