/** Every word on the screen: the interface's own from /words, a title's from the server. */

import { get, getOrKept } from "./api.js";
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
 *   levels: string[], substitute: string, hides: boolean, warns: boolean, chance: boolean, length: string,
 *   mark: string, score: string, peace: boolean, picture: string,
 *   drawing: {scripts: string[], styles: string[]} | null,
 *   options: Record<string, Option>, words: Record<string, string>, printed: Record<string, any>,
 *   pieces: Record<string, string[]>,
 *   games: Game[], sides: Record<string, string[]>, lesson: boolean, puzzles: number}} Title
 * @typedef {{name: string, blurb: string, options: Record<string, string | number>}} Game an option that
 *   makes another game of a title
 */

/** Where a page is written in one language already (a rulebook), that one, with Latin names or without. */
const written = document.documentElement.dataset.tongue;

/** The language: the page's, else chosen, else the browser's, else English.
 * @returns {"en" | "fr" | "it" | "de"} */
export function lang() {
  const wanted = [written, setting("lang"), ...navigator.languages].map((l) => String(l || "").slice(0, 2));
  return /** @type {any} */ (wanted.find((l) => l in LANGUAGES) ?? "en");
}

/** What the server is to speak: the language, with places by their Latin names if that was chosen. */
export const tongue = () => written ?? lang() + (setting("places") === "latin" ? "-la" : "");

/** The rulebook of a title, at a rule or a chapter of it. @param {string} name @param {string} [at] */
export const rulesOf = (name, at = "") => `${spoken(`/rules/${name}`)}${at && `#${at}`}`;

/** The place of an answer that has words in it. @param {string} path */
export const spoken = (path) => `${path}?lang=${tongue()}`;

let plural = new Intl.PluralRules("en");
let numbers = new Intl.NumberFormat("en");

export async function loadWords() {
  const chosen = lang();
  words = await get(`/words/${chosen}.json`);
  plural = new Intl.PluralRules(chosen);
  numbers = new Intl.NumberFormat(chosen, { useGrouping: false, maximumFractionDigits: 2 });
  titles = new Map();
  document.documentElement.lang = chosen;
}

/**
 * A text of the interface; `{field}` is filled in.  For a number `n` that the language counts as one, the
 * text `KEY.one`.
 * @param {string} key
 * @param {Record<string, any>} [fields]
 */
export function t(key, fields) {
  const one = typeof fields?.n === "number" && plural.select(fields.n) === "one";
  return fillIn((one ? words[`${key}.one`] : undefined) ?? words[key] ?? key, fields);
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

const FIELD = /((?:\b[Dd]e |\b[Qq]ue )?)\{(\w+)(?::([^|}]*)\|([^}]*))?\}/g;
const VOWEL = /^[aeiouyàâéèêîô]/i; // before which French elides

/**
 * Fill the fields of a text in; numbers as the language writes them, with their nouns: `{n:point|points}`.
 * @param {string} text
 * @param {Record<string, any>} [fields]
 */
export function fillIn(text, fields = {}) {
  const told = (/** @type {any} */ value) =>
    typeof value === "number" ? numbers.format(value) : String(value);
  return text.replace(FIELD, (whole, before, name, one, many) => {
    if (!(name in fields)) return whole;
    const value = fields[name];
    const single = one !== undefined && plural.select(Number(value)) === "one"; // of French, 0 as well
    const said = one === undefined ? told(value) : `${told(value)} ${single ? one : many}`;
    return (before && lang() === "fr" && VOWEL.test(said) ? before.replace("e ", "’") : before) + said;
  });
}

/** The language for times and dates: of English the one that no American month misleads. */
const calendar = () => (lang() === "en" ? "en-GB" : lang());

/** A day that nobody can misread, "19 Nov 2026". @param {number} at milliseconds */
export const dayName = (at) =>
  new Intl.DateTimeFormat(calendar(), { day: "numeric", month: "short", year: "numeric" }).format(at);

/** The time of day, "18:05". @param {number} at milliseconds */
export const timeName = (at) =>
  new Intl.DateTimeFormat(calendar(), { hour: "2-digit", minute: "2-digit" }).format(at);

/** What a language is called in that of the page. @param {string} code */
export const languageName = (code) => new Intl.DisplayNames(lang(), { type: "language" }).of(code) ?? code;

/** What somebody is asked: French sets the mark apart. @param {string} text */
export const asking = (text) => `${text}${lang() === "fr" ? "\u00a0" : ""}?`;

/** Between a thing and what is said of it: French sets a colon apart. */
export const colon = () => (lang() === "fr" ? "\u00a0: " : ": ");

/** A title with all its words. @param {string} name @returns {Promise<Title>} */
export function loadTitle(name) {
  let found = titles.get(name);
  if (!found) {
    found = getOrKept(spoken(`/api/titles/${encodeURIComponent(name)}`));
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

/**
 * What the value of an option means.
 * @param {Title} title @param {string} name @param {string | number} value
 */
export function optionValue(title, name, value) {
  return title.words[`option.${name}.value.${value}`] ?? String(value).replaceAll("_", " ");
}

/**
 * The game of its own that is played with these options, if it is one.
 * @param {Title} title @param {Record<string, any>} options
 */
export function gameOf(title, options) {
  return title.games.find((game) => Object.entries(game.options).every(([k, v]) => options[k] === v)) ?? null;
}

/**
 * What a match with these options is called: like its title, or like the game that an option makes of it.
 * @param {Title} title @param {Record<string, any>} options
 */
export function matchName(title, options) {
  return gameOf(title, options)?.name ?? title.name;
}

/**
 * Whom a seat plays, or its number.
 * @param {Title} title @param {Record<string, any>} options @param {number} seat
 */
export function sideOf(title, options, seat) {
  const places = Object.entries(options).map(([name, value]) => `${name}=${value}`);
  const sides = title.sides[places.find((place) => place in title.sides) ?? ""];
  return sides?.[seat] ? labelOf(title, "side", sides[seat]) : t("seat", { seat: seat + 1 });
}

/**
 * What is known of sides that are not equally strong, or "".
 * @param {Title} title @param {Record<string, any>} options
 */
export function unevenSides(title, options) {
  const known = Object.entries(title.options).map(
    ([name, option]) => title.words[`option.${name}.uneven.${options[name] ?? option.default}`],
  );
  return known.find(Boolean) ?? "";
}

/** How a bot is called on screen. @param {string} bot */
export function botName(bot) {
  return hasWord(`bot.${bot}`) ? t(`bot.${bot}`) : bot.charAt(0).toUpperCase() + bot.slice(1);
}

const RUNGS = /\b(random|tiro|discens|optio|miles|centurio|legatus|imperator)(?=\.$)/;

/**
 * A sentence that ends with a rung of the ladder, which is called as at the table.
 * @param {string} sentence
 */
export const rungNamed = (sentence) => sentence.replace(RUNGS, (rung) => botName(rung));

/** What to expect of a bot. @param {string} bot */
export function botHelp(bot) {
  return hasWord(`bot.${bot}.help`) ? t(`bot.${bot}.help`) : "";
}

/**
 * The level that somebody has chosen last at a title, at first one for newcomers.  Who played against
 * a bot that is no longer on the list gets the next stronger one.
 * @param {string} name @param {Title} title
 */
export function chosenLevel(name, title) {
  const strength = title.bots.indexOf(setting(`bot.${name}`, ""));
  return title.levels.find((bot) => title.bots.indexOf(bot) >= strength) ?? title.levels[0];
}

/**
 * The name of whoever sits there; bots are called in the reader's language, the second of a kind "Soldier II"
 * (the server calls it "miles II (bot)").
 * @param {{name?: string, kind?: string, bot?: string, seat: number}} seat
 */
export function seatName(seat) {
  if (seat.kind === "bot" && seat.bot) {
    const [, numeral] = seat.name?.match(/( [IVX]+) \(bot\)$/) ?? ["", ""];
    return botName(seat.bot) + numeral;
  }
  return seat.name || t("seat.free", { seat: seat.seat + 1 });
}
