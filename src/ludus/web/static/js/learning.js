/** Where lessons are offered: one line on the first page and on the page of a title, never in the way. */

import { h, icon } from "./dom.js";
import { note, progressOf, sync } from "./progress.js";
import { setting } from "./settings.js";
import { t } from "./words.js";

/** @typedef {import("./words.js").Title} Title */

/** @typedef {import("./match/lesson.js").Place} Place */

const DONE = 1000000; // further than any step
const STEPS = 1000; // a part has fewer

/**
 * Where a learner stopped; nothing for who has not begun, or is at the end.
 * @param {string} name @returns {Place | null}
 */
export function learntTo(name) {
  const kept = progressOf("lesson", name) ?? setting(`lesson.${name}`); // as browsers kept it before
  return kept && !kept.done
    ? { part: kept.part ?? 0, step: kept.step ?? 0, actions: kept.actions ?? [] }
    : null;
}

/** @param {string} name @param {Place | null} at null: all of it is done */
export function noteLearnt(name, at) {
  if (at) note("lesson", name, at.part * STEPS + at.step, at);
  else note("lesson", name, DONE, { done: true });
}

/** What the account knows, too. */
export const syncLessons = () => sync("lesson");

/** How far somebody has come with the lesson of a title: "", "begun" or "done". @param {string} name */
function progress(name) {
  const kept = progressOf("lesson", name) ?? setting(`lesson.${name}`);
  return !kept ? "" : kept.done || kept.n >= DONE ? "done" : kept.part || kept.step ? "begun" : "";
}

/**
 * A way to the lesson of a title, for somebody who is new to it or has begun it.
 * @param {string} name @param {Title} title @param {boolean} isNew whether nothing was played yet
 */
export function lessonLine(name, title, isNew) {
  const far = progress(name);
  if (!title.lesson || far === "done" || (!far && !isNew)) return null;
  return h(
    "p.learnline",
    null,
    h(
      "a",
      { href: `/learn/${name}`, "data-go": "" },
      icon("book"),
      t(far ? "lesson.resume" : "lesson.offer", { name: title.name }),
    ),
  );
}

/**
 * The line for the first page: a lesson that was begun, else for a newcomer that of the first title.
 * @param {[string, Title][]} titles @param {boolean} isNew
 */
export function firstLine(titles, isNew) {
  const taught = titles.filter(([, title]) => title.lesson);
  const [name, title] = taught.find(([one]) => progress(one) === "begun") ?? taught[0] ?? [];
  return name && title ? lessonLine(name, title, isNew) : null;
}

/** The same among the buttons of a title. @param {string} name @param {Title} title */
export function lessonButton(name, title) {
  if (!title.lesson) return null;
  return h(
    "a.button.plain.lesson",
    { href: `/learn/${name}`, "data-go": "" },
    icon("laurel"),
    t("lesson.learn"),
  );
}
