/** All puzzles: of each title that of the day, the next one by strength, and how far one has come. */

import { DAMAGED, getOrKept, isOffline, Problem } from "../api.js";
import { fillWith, h, icon } from "../dom.js";
import { FILE, openFile } from "../match/puzzle.js";
import { puzzlesOf, solvedOf, strengthAt, syncPuzzles, triedAt, waitingTries } from "../puzzles.js";
import { go } from "../router.js";
import { pageHeader } from "../shell.js";
import { canKeep, sendTries, takeAlong, taken, takeFresh } from "../taken.js";
import { picture } from "../titles/pictures.js";
import { dayName, lang, languageName, spoken, t } from "../words.js";

/** @typedef {import("../words.js").Title} Title */

/** @param {HTMLElement} host */
export async function puzzlesPage(host) {
  document.title = `${t("puzzles")} – Ludus`;
  const list = h("section.puzzlelist");
  const along = h("section.puzzlealong", { hidden: !canKeep() });
  const file = fromFile();
  fillWith(
    host,
    pageHeader(null),
    h(
      "main.home.puzzlehome",
      { id: "main" },
      h("h1", null, t("puzzles")),
      h("p", null, t("puzzles.intro")),
      list,
      along,
      file,
    ),
  );
  try {
    await fillPage(list, along, file);
  } catch (error) {
    if (/** @type {any} */ (error).error !== DAMAGED) throw error;
    fillWith(list, h("p.problem", { role: "alert" }, t("puzzles.damaged")));
  }
}

/** @param {HTMLElement} list @param {HTMLElement} along @param {HTMLElement} file */
async function fillPage(list, along, file) {
  await sendTries(); // before the account hears of them otherwise
  const [told] = await Promise.all([getOrKept(spoken("/api/titles")), syncPuzzles()]);
  const away = await isOffline();
  const had = await taken();
  if (away && !had) throw new Problem(422, { error: DAMAGED }); // what was taken is here, and no note of it
  const titles = /** @type {[string, Title][]} */ (Object.entries(told.titles)).filter(
    ([name, title]) => title.puzzles && (!away || had?.titles[name]),
  );
  const found = await Promise.all(titles.map(([name]) => puzzlesOf(name)));
  fillWith(
    list,
    titles.length
      ? titles.map(([name, title], k) => card(name, title, found[k], away ? had?.titles[name] : undefined))
      : h("p", null, t("puzzle.none")),
  );
  if (away) {
    file.hidden = true; // it is checked by the server
    list.before(along);
  } else takeFresh();
  showAlong(along, had, away);
}

/**
 * What is taken along, and the way to take some.
 * @param {HTMLElement} host @param {import("../taken.js").Taken | null} had @param {boolean} away
 */
function showAlong(host, had, away) {
  const n = Object.values(had?.titles ?? {}).flat().length;
  const said = h("p", { role: "status" }, had ? t("puzzles.taken", { n, day: dayName(had.at) }) : "");
  const spokenThen = had?.tongue?.slice(0, 2);
  const other = spokenThen && spokenThen !== lang() ? languageName(spokenThen) : "";
  const waits = waitingTries().length;
  const take = async () => {
    button.disabled = true;
    try {
      const got = await takeAlong((share) => {
        if (button.disabled) said.textContent = t("puzzles.taking", { n: Math.round(100 * share) });
      });
      showAlong(host, got, false);
    } catch (error) {
      button.disabled = false;
      const full = /** @type {any} */ (error)?.name === "QuotaExceededError";
      said.textContent = t(full ? "puzzles.full" : "offline");
    }
  };
  const button = /** @type {HTMLButtonElement} */ (
    h("button.secondary.take", { type: "button", onclick: take }, icon("phone"), t("puzzles.take"))
  );
  fillWith(
    host,
    h("p", null, t(away ? "puzzles.away" : "puzzles.take.help")),
    away ? null : button,
    said,
    other ? h("p.tongue", null, t("puzzles.tongue", { language: other })) : null,
    waits ? h("p.waits", null, t("puzzles.waiting", { n: waits })) : null,
  );
}

/** Puzzles of a file on this device. */
function fromFile() {
  const said = h("p.problem", { role: "alert" });
  const input = /** @type {HTMLInputElement} */ (
    h("input", { type: "file", accept: ".toml,text/plain", hidden: true, onchange: () => read() })
  );
  const read = async () => {
    const file = input.files?.[0];
    input.value = "";
    if (!file) return;
    try {
      const { title, puzzles, wrong } = await openFile(file);
      if (puzzles.length) go(`/puzzles/${title}/${FILE}`);
      else said.textContent = `${t("puzzles.file.bad")} ${wrong.join(" · ")}`;
    } catch (error) {
      const { status, message } = /** @type {any} */ (error);
      const why = status === 429 ? t("toomany") : `${t("puzzles.file.bad")} ${message}`;
      said.textContent = status ? why : t("offline");
    }
  };
  return h(
    "section.puzzlefile",
    null,
    h("p", null, t("puzzles.file.help")),
    h("button.secondary", { type: "button", onclick: () => input.click() }, icon("file"), t("puzzles.file")),
    input,
    said,
  );
}

/**
 * @param {string} name @param {Title} title @param {import("../puzzles.js").Puzzles} known
 * @param {string[]} [some] those that are here, where there is no line
 */
function card(name, title, known, some) {
  const puzzles = some ? known.puzzles.filter((one) => some.includes(one.name)) : known.puzzles;
  const day = some ? known.days[new Date().toISOString().slice(0, 10)] : known.day;
  const done = !!day && triedAt(name, day).solved;
  return h(
    "article.title.puzzletitle",
    { "data-title": name },
    picture(title),
    h(
      "div.about",
      null,
      h("h2", null, title.name),
      h("p.meta", null, t("puzzles.solved", { solved: solvedOf(name, puzzles), n: puzzles.length })),
      h("p.strength", null, t("puzzle.strength", { n: Math.round(strengthAt(name).rating) })),
      h(
        "div.actions",
        null,
        h(
          "a.button.primary.nextpuzzle",
          { href: `/puzzles/${name}`, "data-go": "" },
          icon("play"),
          t("puzzle.next"),
        ),
        day
          ? h(
              "a.button.secondary.daypuzzle",
              { href: `/puzzles/${name}/day`, "data-go": "" },
              icon(done ? "check" : "sun"),
              t("puzzle.day"),
            )
          : null,
      ),
    ),
  );
}
