/** All puzzles: of each title that of the day, the next one by strength, and how far one has come. */

import { get } from "../api.js";
import { fillWith, h, icon } from "../dom.js";
import { FILE, openFile } from "../match/puzzle.js";
import { puzzlesOf, solvedOf, strengthAt, syncPuzzles, triedAt } from "../puzzles.js";
import { go } from "../router.js";
import { pageHeader } from "../shell.js";
import { picture } from "../titles/pictures.js";
import { spoken, t } from "../words.js";

/** @typedef {import("../words.js").Title} Title */

/** @param {HTMLElement} host */
export async function puzzlesPage(host) {
  document.title = `${t("puzzles")} – Ludus`;
  const list = h("section.puzzlelist");
  fillWith(
    host,
    pageHeader(null),
    h(
      "main.home.puzzlehome",
      { id: "main" },
      h("h1", null, t("puzzles")),
      h("p", null, t("puzzles.intro")),
      list,
      fromFile(),
    ),
  );
  const [told] = await Promise.all([get(spoken("/api/titles")), syncPuzzles()]);
  const titles = /** @type {[string, Title][]} */ (Object.entries(told.titles)).filter(
    ([, title]) => title.puzzles,
  );
  const found = await Promise.all(titles.map(([name]) => puzzlesOf(name)));
  fillWith(
    list,
    titles.length
      ? titles.map(([name, title], k) => card(name, title, found[k]))
      : h("p", null, t("puzzle.none")),
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

/** @param {string} name @param {Title} title @param {import("../puzzles.js").Puzzles} known */
function card(name, title, { puzzles, day }) {
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
        h(
          "a.button.secondary.daypuzzle",
          { href: `/puzzles/${name}/day`, "data-go": "" },
          icon(done ? "check" : "sun"),
          t("puzzle.day"),
        ),
      ),
    ),
  );
}
