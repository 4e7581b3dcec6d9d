/**
 * Several questions in one dialogue: how often each answer is given, by steppers.  What can be answered the
 * server has told (every way to the end); here it is only counted.
 */

import { fillWith, h, icon } from "../dom.js";
import { t } from "../words.js";
import { capital, nameOf } from "./bar.js";
import { dialog } from "./info.js";

/** @typedef {import("./model.js").Choice} Choice */
/** @typedef {Map<string, number>} Counts */

/**
 * The way that somebody chooses, or null.  It begins with what the first of them gives first.
 * @param {Choice} opening @param {Choice[]} ways @param {import("../words.js").Title} title
 * @param {import("./bar.js").Naming} drawing
 * @returns {Promise<Choice | null>}
 */
export function tally(opening, ways, title, drawing) {
  const skip = (opening.actions ?? [opening.action]).length;
  const told = ways.map((way) => ({ way, counts: counted((way.actions ?? []).slice(skip)) }));
  /** @type {Map<string, Map<string, string>>} kind of action -> action -> what is touched for it */
  const columns = new Map();
  for (const { actions = [], touches } of ways)
    for (const [k, action] of actions.slice(skip).entries()) {
      const kind = action.split(" ")[0];
      if (!columns.has(kind)) columns.set(kind, new Map());
      columns.get(kind)?.set(action, touches[opening.touches.length + k]);
    }
  const [first] = columns.keys();
  /** @type {Counts} */
  const now = counted(
    (ways[0]?.actions ?? []).slice(skip).filter((action) => action.startsWith(`${first} `)),
  );
  return new Promise((done) => {
    /** @type {Choice | null} */
    let chosen = null;
    const body = h("div.tally");
    const sheet = dialog(capital(opening.say), [body], ".narrow");
    sheet.addEventListener("close", () => done(chosen));
    /** @param {string} action @param {number} by */
    const change = (action, by) => {
      now.set(action, (now.get(action) ?? 0) + by);
      show();
    };
    const fits = (/** @type {Counts} */ wanted) =>
      told.some(({ counts }) => [...wanted].every(([action, n]) => (counts.get(action) ?? 0) >= n));
    const row = (/** @type {string} */ action, /** @type {string} */ touch) => {
      const n = now.get(action) ?? 0;
      const name = capital(nameOf(touch, title, drawing));
      const button = (/** @type {string} */ what, /** @type {number} */ by, /** @type {boolean} */ may) =>
        h(
          "button.round",
          {
            type: "button",
            "data-tally": `${by > 0 ? "+" : "-"}${action}`,
            "aria-label": `${name}: ${t(by > 0 ? "more" : "less")}`,
            disabled: !may,
            onclick: () => change(action, by),
          },
          icon(what),
        );
      return h(
        "div.row",
        null,
        h("span", null, name),
        button("minus", -1, n > 0),
        h("output", null, n),
        button("plus", 1, fits(new Map([...now, [action, n + 1]]))),
      );
    };
    const show = () => {
      const found = told.find(({ counts }) => same(counts, now));
      const held = document.activeElement?.getAttribute("data-tally");
      fillWith(
        body,
        h(
          "div.columns",
          null,
          [...columns].map(([kind, rows]) =>
            h(
              "fieldset",
              null,
              h("legend", null, title.words[`dialogue.${kind}`] ?? kind),
              [...rows].map(([action, touch]) => row(action, touch)),
            ),
          ),
        ),
        h(
          "div.actions",
          null,
          h(
            "button.primary.go",
            {
              type: "button",
              disabled: !found,
              onclick: () => {
                chosen = found?.way ?? null;
                sheet.close();
              },
            },
            t("ok"),
          ),
          h("button.secondary", { type: "button", onclick: () => sheet.close() }, t("back")),
        ),
      );
      if (held)
        /** @type {HTMLElement | null} */ (body.querySelector(`[data-tally="${CSS.escape(held)}"]`))?.focus();
    };
    show();
  });
}

/** @param {string[]} actions @returns {Counts} */
function counted(actions) {
  /** @type {Counts} */
  const counts = new Map();
  for (const action of actions) counts.set(action, (counts.get(action) ?? 0) + 1);
  return counts;
}

/** @param {Counts} a @param {Counts} b */
function same(a, b) {
  const keys = new Set([...a.keys(), ...b.keys()]);
  return [...keys].every((key) => (a.get(key) ?? 0) === (b.get(key) ?? 0));
}
