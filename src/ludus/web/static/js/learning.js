/** Where lessons are offered: one line on the first page and on the page of a title, never in the way. */

import { h, icon } from "./dom.js";
import { setting } from "./settings.js";
import { t } from "./words.js";

/** @typedef {import("./words.js").Title} Title */

/** How far somebody has come with the lesson of a title: "", "begun" or "done". @param {string} name */
function progress(name) {
  const kept = setting(`lesson.${name}`);
  return !kept ? "" : kept.done ? "done" : kept.part || kept.step ? "begun" : "";
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
