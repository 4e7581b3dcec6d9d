/** Answers of the server that are kept for when it does not answer; who keeps them says so (taken.js). */

import { get } from "./api.js";

const KEPT = "ludus-puzzles";

/** Whether this browser can keep anything: only over https, or on this machine. */
export const canKeep = () => "caches" in window && "serviceWorker" in navigator;

/** Whether it is the line that is missing, or the server, and nothing else that is wrong. @param {any} error */
export const isAway = (error) => [0, 502, 503, 504].includes(error?.status);

/** @param {string} path @param {any} data */
export async function keep(path, data) {
  const cache = await caches.open(KEPT);
  await cache.put(
    path,
    new Response(JSON.stringify(data), { headers: { "content-type": "application/json" } }),
  );
}

/**
 * What was kept, in the language that is asked for or else in the one that there is; null where nothing was.
 * @param {string} path @returns {Promise<any>}
 */
export async function kept(path) {
  if (!canKeep()) return null;
  const cache = await caches.open(KEPT);
  const found = (await cache.match(path)) ?? (await cache.match(path, { ignoreSearch: true }));
  return found ? found.json() : null;
}

/** Drop what is kept and is not among these. @param {string[]} paths */
export async function keepOnly(paths) {
  const cache = await caches.open(KEPT);
  const wanted = new Set(paths.map((path) => new URL(path, location.origin).href));
  for (const request of await cache.keys()) if (!wanted.has(request.url)) await cache.delete(request);
}

/** The server's answer, or the one that was kept. @param {string} path @returns {Promise<any>} */
export async function getOrKept(path) {
  try {
    return await get(path);
  } catch (error) {
    const found = isAway(error) ? await kept(path) : null;
    if (found === null) throw error;
    return found;
  }
}
