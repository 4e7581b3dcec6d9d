/** What this browser remembers: language, light or dark, sounds, motion, notices, last choices. */

import { still } from "./dom.js";

const KEY = "ludus.settings";

/** @type {Record<string, any>} */
let known = read();

function read() {
  try {
    return JSON.parse(localStorage.getItem(KEY) ?? "{}") ?? {};
  } catch {
    return {};
  }
}

/** @param {string} name @param {any} [otherwise] */
export function setting(name, otherwise = undefined) {
  return known[name] ?? otherwise;
}

/** @param {string} name @param {any} value */
export function remember(name, value) {
  known = { ...read(), [name]: value };
  try {
    localStorage.setItem(KEY, JSON.stringify(known));
  } catch {
    // A browser that stores nothing still plays.
  }
  apply();
}

/** How fast others are told: who wants no motion is told at once, unless another pace was chosen. */
export function paceName() {
  return setting("pace") ?? (still() ? "once" : "normal");
}

/** Show what was chosen on the page itself. */
export function apply() {
  const root = document.documentElement;
  const theme = setting("theme", "auto");
  if (theme === "auto") delete root.dataset.theme;
  else root.dataset.theme = theme;
  root.dataset.motion = setting("motion", "on");
}
