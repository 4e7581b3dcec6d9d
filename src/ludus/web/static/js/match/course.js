/** The course of a match that is over: how far each seat had come, turning points, what the dice showed. */

import { get } from "../api.js";
import { h, s } from "../dom.js";
import { fillIn, seatName, spoken, t } from "../words.js";

/** @typedef {import("./model.js").Table} Table */
/** @typedef {{n: number, seat: number | null, round: number, reached?: number[]}} Turn */
/** @typedef {{name: string, rows: {face: string, thrown: number[], expected: number[]}[]}} Dice */
/** @typedef {{turns: Turn[], dice: Dice[], reached?: string[], margin?: string}} Course */

const [WIDE, HIGH] = [300, 100];
const POINTS = 3; // turning points that are named

/**
 * Below what the window of the result has already.
 * @param {HTMLElement} sheet @param {Table} table @param {(n: number) => void} see shows a moment
 */
export async function showCourse(sheet, table, see) {
  /** @type {Course | null} */
  const told = await get(spoken(`/api/matches/${encodeURIComponent(table.id)}/course`)).catch(() => null);
  if (!told || !sheet.isConnected) return;
  told.reached?.forEach((said, seat) => {
    sheet.querySelectorAll(".places li")[seat]?.append(h("small.reached", null, said));
  });
  const turns = told.turns.filter((turn) => turn.reached);
  const moved = new Set(turns.map(({ reached }) => String(reached))).size > 1; // else there is nothing to see
  const even = new Set(turns.at(-1)?.reached).size === 1;
  sheet.append(
    h(
      "section.course",
      null,
      told.margin && !even ? h("p.margin", null, t("result.margin", { what: told.margin })) : null,
      moved ? [h("h3", null, t("course")), chart(turns, table), legend(table)] : null,
      moved ? turningPoints(turns, table, see) : null,
      told.dice.length ? h("h3", null, t("dice.stats")) : null,
      told.dice.map((dice) => diceTable(dice, table)),
    ),
  );
}

/** @param {Turn[]} turns @param {Table} table */
function chart(turns, table) {
  const all = turns.flatMap((turn) => turn.reached ?? []);
  const [low, high] = [Math.min(0, ...all), Math.max(1, ...all)];
  const x = (/** @type {number} */ k) => ((k / (turns.length - 1)) * WIDE).toFixed(1);
  const y = (/** @type {number} */ n) => (HIGH - ((n - low) / (high - low)) * HIGH).toFixed(1);
  return s(
    "svg",
    {
      viewBox: `0 -4 ${WIDE} ${HIGH + 8}`,
      preserveAspectRatio: "none",
      role: "img",
      "aria-label": t("course"),
    },
    table.seats.map(({ seat }) =>
      s(`polyline.of${seat}`, {
        points: turns.map(({ reached }, k) => `${x(k)},${y(reached?.[seat] ?? 0)}`).join(" "),
      }),
    ),
  );
}

/** @param {Table} table */
const legend = (table) =>
  h(
    "p.legend",
    null,
    table.seats.map((seat) => h(`span.of${seat.seat}`, null, h("i"), seatName(seat))),
  );

/**
 * The turns in which the lead has changed most.
 * @param {Turn[]} turns @param {Table} table @param {(n: number) => void} see
 */
function turningPoints(turns, table, see) {
  const lead = (/** @type {Turn} */ { reached = [] }) => {
    const [first, second = 0] = [...reached].sort((a, b) => b - a);
    return { by: first - second, who: reached.indexOf(first) };
  };
  const swings = turns.slice(1).map((turn, k) => {
    const [was, is] = [lead(turns[k]), lead(turn)];
    return { turn, at: k + 2, swing: was.who === is.who ? Math.abs(is.by - was.by) : is.by + was.by };
  });
  const most = swings
    .filter(({ swing }) => swing > 0)
    .sort((a, b) => b.swing - a.swing)
    .slice(0, POINTS)
    .sort((a, b) => a.at - b.at);
  if (!most.length) return null;
  return h(
    "div.points",
    null,
    h("span", null, t("course.points")),
    most.map(({ turn, at }) =>
      h(
        "button.small",
        { type: "button", title: t("course.see"), onclick: () => see(turn.n) },
        [
          t(turn.round ? "log.round" : "replay.turn", { n: turn.round, turn: at }),
          ...(turn.seat === null ? [] : [seatName(table.seats[turn.seat])]),
        ].join(", "),
      ),
    ),
  );
}

/** @param {Dice} dice @param {Table} table */
function diceTable({ name, rows }, table) {
  const number = (/** @type {number} */ n) => fillIn("{n}", { n });
  return h(
    "table",
    null,
    h(
      "tr",
      null,
      h("th", null, name),
      table.seats.map((seat) => h("th", null, seatName(seat))),
    ),
    rows.map(({ face, thrown, expected }) =>
      h(
        "tr",
        null,
        h("th", { scope: "row" }, face),
        table.seats.map(({ seat }) =>
          h("td", null, `${thrown[seat]} `, h("small", null, `(${number(expected[seat])})`)),
        ),
      ),
    ),
  );
}
