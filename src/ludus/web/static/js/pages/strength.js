/** How strong I am: by rated matches, with a curve, and by puzzles; two numbers on one scale. */

import { get, whoAmI } from "../api.js";
import { h, s } from "../dom.js";
import { changeText, needsAccount, setApart, strengthText } from "../match/rated.js";
import { dayName, loadTitle, t } from "../words.js";

/**
 * @typedef {import("../match/rated.js").Strength & {match: string, at: number,
 *   against: {name: string, rating: number | null}}} Counted a match that counted
 * @typedef {{matches?: {rating: number, deviation: number, games: number, curve: Counted[]},
 *   puzzles?: {rating: number, deviation: number, tries: number}}} Known
 */

const [WIDE, HIGH, ROOM] = [600, 120, 50]; // ROOM: so much strength above and below is shown at least
const LATEST = 8;

/** @returns {Promise<HTMLElement>} */
export async function strengthParts() {
  const [me, found] = await Promise.all([whoAmI(), get("/api/me/strength")]);
  const titles = /** @type {[string, Known][]} */ (Object.entries(found.titles));
  const parts = await Promise.all(titles.map(([name, known]) => onePart(name, known)));
  const rated = titles.some(([, known]) => known.matches);
  return h(
    "section.strength",
    { id: "strength" },
    h("h2", null, t("strength")),
    titles.length ? h("p", null, t("strength.help")) : null,
    parts,
    rated ? null : me.account ? h("p", null, t("strength.none")) : needsAccount(),
  );
}

/** @param {string} name @param {Known} known */
async function onePart(name, { matches, puzzles }) {
  const title = await loadTitle(name);
  return h(
    "article.known",
    { "data-title": name },
    h("h3", null, title.name),
    h(
      "p",
      null,
      matches
        ? [h("b.number", null, strengthText(matches)), " ", t("strength.matches", { n: matches.games })]
        : null,
      matches && puzzles ? " · " : null,
      puzzles ? t("strength.puzzles", { n: strengthText(puzzles) }) : null,
    ),
    matches && matches.curve.length ? [curve(matches.curve), latest(matches.curve)] : null,
  );
}

/** Strength before the first match and after each. @param {Counted[]} counted */
function curve(counted) {
  const values = [counted[0].rating, ...counted.map(({ after }) => Number(after))];
  const low = Math.min(...values) - ROOM;
  const high = Math.max(...values) + ROOM;
  const x = (/** @type {number} */ k) => (k / (values.length - 1)) * WIDE;
  const y = (/** @type {number} */ value) => HIGH - ((value - low) / (high - low)) * HIGH;
  const points = values.map((value, k) => `${x(k)},${y(value)}`);
  const lines = [Math.max(...values), Math.min(...values)];
  return h(
    "figure",
    null,
    h("figcaption", null, t("strength.curve")),
    s(
      "svg.strengthcurve",
      {
        viewBox: `-4 -8 ${WIDE + 8} ${HIGH + 16}`,
        role: "img",
        "aria-label": `${t("strength.curve")}: ${values.join(", ")}`,
      },
      lines.map((value) => s("path", { d: `M0 ${y(value)}H${WIDE}` })),
      s("polyline", { points: points.join(" ") }),
      s("circle", { cx: x(values.length - 1), cy: y(values[values.length - 1]), r: 4 }),
    ),
    h(
      "div.span",
      { "aria-hidden": "true" },
      h("span", null, String(lines[0])),
      h("span", null, String(lines[1])),
    ),
  );
}

/** @param {Counted[]} counted */
function latest(counted) {
  return h(
    "details",
    null,
    h("summary", null, t("strength.latest")),
    h(
      "table.explored",
      null,
      counted
        .slice(-LATEST)
        .reverse()
        .map((one) =>
          h(
            "tr",
            null,
            h("td", null, h("a", { href: `/m/${one.match}`, "data-go": "" }, dayName(one.at * 1000))),
            h("td", null, one.against.name, one.against.rating ? setApart(String(one.against.rating)) : null),
            h("td.n", null, changeText({ seat: 0, strength: one })),
          ),
        ),
    ),
  );
}
