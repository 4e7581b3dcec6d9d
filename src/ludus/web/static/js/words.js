/** Every word on the screen: the interface's own from /words, a title's from the server. */

import { get } from "./api.js";
import { setting } from "./settings.js";

export const LANGUAGES = { en: "English", fr: "Français", it: "Italiano", de: "Deutsch" };

/** @type {Record<string, string>} */
let words = {};
/** @type {Map<string, Promise<Title>>} */
let titles = new Map();

/**
 * @typedef {{name: string, help: string, default: string | number, values: (string | number)[], disputed:
 *   boolean}} Option
 * @typedef {{name: string, blurb: string, rules_version: number, seats: number[], bots: string[],
 *   hides: boolean, chance: boolean, length: string, mark: string, picture: string,
 *   drawing: {scripts: string[], style: string} | null,
 *   options: Record<string, Option>, words: Record<string, string>}} Title
 */

/** The language: chosen, else the browser's, else English. @returns {"en" | "fr" | "it" | "de"} */
export function lang() {
  const wanted = [setting("lang"), ...navigator.languages].map((l) => String(l || "").slice(0, 2));
  return /** @type {any} */ (wanted.find((l) => l in LANGUAGES) ?? "en");
}

/** The place of an answer that has words in it. @param {string} path */
export const spoken = (path) => `${path}?lang=${lang()}`;

export async function loadWords() {
  const chosen = lang();
  words = await get(`/words/${chosen}.json`);
  titles = new Map();
  document.documentElement.lang = chosen;
}

/**
 * A text of the interface; `{field}` is filled in.
 * @param {string} key
 * @param {Record<string, any>} [fields]
 */
export function t(key, fields) {
  return fillIn(words[key] ?? key, fields);
}

/** @type {Record<string, string>} the words of the title whose table is open */
let own = {};

/** @param {Title} title */
export function speakFor(title) {
  own = title.words;
}

/**
 * A text of the drawing of the title whose table is open: `web.KEY` in the title's words.
 * @param {string} key
 * @param {Record<string, any>} [fields]
 */
export function speak(key, fields) {
  return fillIn(own[`web.${key}`] ?? key, fields);
}

/** @param {string} key */
export const hasWord = (key) => key in words;

/**
 * @param {string} text
 * @param {Record<string, any>} [fields]
 */
export function fillIn(text, fields = {}) {
  return text.replace(/\{(\w+)\}/g, (whole, name) => (name in fields ? String(fields[name]) : whole));
}

/** A title with all its words. @param {string} name @returns {Promise<Title>} */
export function loadTitle(name) {
  let found = titles.get(name);
  if (!found) {
    found = get(spoken(`/api/titles/${encodeURIComponent(name)}`));
    titles.set(name, found);
    found.catch(() => titles.delete(name));
  }
  return found;
}

/**
 * The name of a label, e.g. ("card", "forum").
 * @param {Title} title @param {string} group @param {string} label
 */
export function labelOf(title, group, label) {
  return (
    title.words[`label.${group}.${label}`] ?? title.words[`${group}.${label}`] ?? label.replaceAll("_", " ")
  );
}

/** How a bot is called on screen. @param {string} bot */
export function botName(bot) {
  return hasWord(`bot.${bot}`) ? t(`bot.${bot}`) : bot.charAt(0).toUpperCase() + bot.slice(1);
}

/** The name of whoever sits there; bots are called in the reader's language.
 * @param {{name?: string, kind?: string, bot?: string, seat: number}} seat */
export function seatName(seat) {
  if (seat.kind === "bot" && seat.bot) return botName(seat.bot);
  return seat.name || t("seat.free", { seat: seat.seat + 1 });
}
