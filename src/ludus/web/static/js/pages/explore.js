/** Over many matches: how a title is begun and how that scores; how one's own play comes out. */

import { get, remove } from "../api.js";
import { fillWith, h, s } from "../dom.js";
import { confirmed } from "../match/info.js";
import { pageHeader } from "../shell.js";
import { strengthParts } from "./strength.js";
import { fillIn, loadTitle, rungNamed, sideOf, spoken, t } from "../words.js";

/** @typedef {{seat: number, told: string[], games: number, score: number}} Row */
/** @typedef {{games: number, rows: Row[]}} Played */
/** @typedef {{match: string, at: number, luck: number, error: number, elo: number | null}} Mine */
/** @typedef {{key: string, decisions: number, cost: number, told?: string}} Loss */

const [WIDE, HIGH] = [300, 60];

/** @param {HTMLElement} host @param {string} name */
export async function explorePage(host, name) {
  style();
  const title = await loadTitle(name);
  document.title = `${t("explore")}: ${title.name}`;
  /** @type {{bots: Played, people: Played}} */
  const found = await get(spoken(`/api/titles/${encodeURIComponent(name)}/beginnings`));
  /** @param {string} heading @param {Played} played */
  const part = (heading, { games, rows }) => [
    h("h2", null, heading),
    h("p", null, games ? t("explore.games", { n: games }) : t("explore.none")),
    rows.length
      ? h(
          "div.scrolls",
          null,
          h(
            "table.explored",
            null,
            h(
              "tr",
              null,
              ["begun", "side", "times", "score"].map((key, place) =>
                h(place < 2 ? "th" : "th.n", { scope: "col" }, t(`explore.${key}`)),
              ),
            ),
            rows.map(({ seat, told, games: n, score }) =>
              h(
                "tr",
                null,
                h("td", null, told.join(" · ")),
                h("td", null, sideOf(title, {}, seat)),
                h("td.n", null, String(n)),
                h("td.n", null, fillIn("{n} %", { n: Math.round(score) })), // no more is known from so few games
              ),
            ),
          ),
        )
      : null,
  ];
  fillWith(
    host,
    pageHeader(null),
    h(
      "main.page.exploring",
      null,
      h("h1", null, `${title.name}: ${t("explore")}`),
      part(t("explore.people"), found.people),
      part(t("explore.bots"), found.bots),
    ),
  );
}

/** @typedef {{id: string, name: string, title: string}} StudyLine */

/** My studies, each with its way there and out. @param {StudyLine[]} studies */
async function studiesPart(studies) {
  if (!studies.length) return null;
  const lines = await Promise.all(
    studies.map(async ({ id, name, title }) => {
      const shown = (await loadTitle(title)).name;
      const line = h(
        "li",
        null,
        h("a", { href: `/study/${id}`, "data-go": "" }, name ? `${shown}: ${name}` : shown),
        " ",
        h(
          "button.small.secondary",
          { type: "button", "aria-label": `${t("study.drop")}: ${name || shown}`, onclick: () => drop() },
          t("study.drop"),
        ),
      );
      const drop = () =>
        confirmed(t("study.drop.sure"), async () => {
          await remove(`/api/studies/${encodeURIComponent(id)}`, {});
          line.remove();
        });
      return line;
    }),
  );
  return [h("h2", null, t("study.mine")), h("ul.studies", null, lines)];
}

/** @param {HTMLElement} host */
export async function minePage(host) {
  style();
  document.title = t("myplay");
  const [found, strength, { studies }] = await Promise.all([
    get(spoken("/api/me/play")).catch(() => ({ titles: [] })),
    strengthParts().catch(() => null),
    get("/api/studies").catch(() => ({ studies: [] })),
  ]);
  const parts = await Promise.all(found.titles.map(onePart));
  fillWith(
    host,
    pageHeader(null),
    h(
      "main.page.exploring",
      null,
      h("h1", null, t("myplay")),
      strength,
      strength ? h("h2", null, t("myplay.analysed")) : null,
      h("p", null, t(parts.length ? "myplay.help" : "myplay.none")),
      parts,
      await studiesPart(studies),
    ),
  );
}

/** @param {{title: string, matches: Mine[], phases: Loss[], kinds: Loss[], strengths: string[]}} one */
async function onePart({ title, matches, phases, kinds, strengths }) {
  const { name } = await loadTitle(title);
  const mean = matches.reduce((sum, { error }) => sum + error, 0) / matches.length;
  const luck = matches.reduce((sum, match) => sum + match.luck, 0) / matches.length / 10000;
  return h(
    "section",
    null,
    h("h2", null, name),
    h("p", null, t("myplay.sum", { n: matches.length, error: round(mean), luck: signed(luck) })),
    strengths.map((said) => h("p.strength", null, rungNamed(said))),
    matches.length > 1
      ? h(
          "div.lines",
          null,
          line(
            t("myplay.error"),
            matches.map(({ error }) => error),
            "error",
          ),
          line(
            t("myplay.luck"),
            matches.map((match) => match.luck / 10000),
            "luck",
          ),
        )
      : null,
    losses(
      t("myplay.phases"),
      phases.map((row) => ({ ...row, told: t(`myplay.phase.${row.key}`) })),
    ),
    losses(t("myplay.kinds"), kinds),
    h("a.button.secondary.small", { href: `/explore/${title}`, "data-go": "" }, t("explore")),
  );
}

/** A small line of numbers over time. @param {string} label @param {number[]} values @param {string} kind */
function line(label, values, kind) {
  const [low, high] = [Math.min(0, ...values), Math.max(1, ...values)];
  const points = values.map(
    (value, k) => `${(k / (values.length - 1)) * WIDE},${HIGH - ((value - low) / (high - low)) * HIGH}`,
  );
  const zero = HIGH + (low / (high - low)) * HIGH;
  return h(
    "figure",
    null,
    h("figcaption", null, label),
    s(
      `svg.${kind}`,
      { viewBox: `-4 -4 ${WIDE + 8} ${HIGH + 8}`, role: "img", "aria-label": label },
      s("path", { d: `M0 ${zero}H${WIDE}` }),
      s("polyline", { points: points.join(" ") }),
    ),
  );
}

/** @param {string} heading @param {Loss[]} rows */
function losses(heading, rows) {
  const all = rows.reduce((sum, { cost }) => sum + cost, 0);
  if (!all) return null;
  return [
    h("h3", null, heading),
    h(
      "table.explored",
      null,
      rows.map(({ told, decisions, cost }) =>
        h(
          "tr",
          null,
          h("td", null, told ?? ""),
          h("td.n", null, fillIn("{n} %", { n: Math.round((100 * cost) / all) })),
          h("td.n", null, t("myplay.each", { n: round(cost / decisions / 10000) })),
        ),
      ),
    ),
  ];
}

/** @param {number} value */
const round = (value) => Math.round(value * 100) / 100;

/** @param {number} value */
const signed = (value) =>
  (value > 0 ? "+" : "") + fillIn("{n}", { n: Math.round(value * 10) / 10 }).replace("-", "−");

const style = () => document.head.append(h("link", { rel: "stylesheet", href: "/css/analysis.css" }));
