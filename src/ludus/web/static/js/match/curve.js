/** The curve of the chances along a match: its lines and marks, and a picture of its own. */

/**
 * @typedef {{kind: string, seat: number, entry: number, until: number, before: number[], after: number[],
 *   brought: number[], class?: string, cost?: number, played?: number,
 *   options?: {plan: number[], chance: number}[]}} Step
 */

export const [WIDE, HIGH] = [600, 100];
const WHOLE = 1e6;
const LUCKY = 50000; // a throw that moved so much is marked
const COLOURS = ["#a63a24", "#2f5d8a", "#4d7a3a", "#b98a2f", "#8d53a0", "#77706a"];

/** @param {number} entry @param {number} last */
const x = (entry, last) => ((entry / Math.max(1, last)) * WIDE).toFixed(1);

/** @param {number} chance */
const y = (chance) => (HIGH - (chance / WHOLE) * HIGH).toFixed(1);

/** The points of each seat's line. @param {Step[]} rows @param {number} last */
export function linesOf(rows, last) {
  const seats = rows[0]?.before.length ?? 0;
  const end = rows.at(-1);
  return Array.from({ length: seats }, (_, seat) => {
    const line = rows.map((row) => `${x(row.entry - 1, last)},${y(row.before[seat])}`);
    if (end) line.push(`${x(last, last)},${y(end.after[seat])}`);
    return line.join(" ");
  });
}

/**
 * What is marked: decisions that were no good, and throws that moved much; each with the moment to look at.
 * @param {Step[]} rows @param {number} last
 */
export function marksOf(rows, last) {
  /** @type {{x: number, moment: number, kind: string}[]} */
  const marks = [];
  for (const row of rows) {
    const poor = ["inaccuracy", "mistake", "blunder"].includes(row.class ?? "");
    const lucky = row.kind === "throw" && row.brought.some((value) => Math.abs(value) >= LUCKY);
    if (!poor && !lucky) continue;
    const moment = row.kind === "throw" ? row.until : row.entry - 1;
    marks.push({ x: Number(x(moment, last)), moment, kind: lucky ? "thrown" : (row.class ?? "") });
  }
  return marks;
}

/** @param {string} text */
const safe = (text) => text.replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`);

/**
 * The curve as an SVG file.
 * @param {Step[]} rows @param {number} last @param {string[]} names
 */
export function curvePicture(rows, last, names) {
  const lines = linesOf(rows, last).map(
    (points, seat) =>
      `<polyline points="${points}" fill="none" stroke="${COLOURS[seat]}" stroke-width="1.5"/>`,
  );
  const marks = marksOf(rows, last).map(
    (mark) => `<path d="M${mark.x} 0V${HIGH}" stroke="#b9ad9a" stroke-width="0.6"/>`,
  );
  const legend = names.map(
    (name, seat) =>
      `<text x="${seat * 110}" y="${HIGH + 16}" font-size="11" fill="${COLOURS[seat]}">${safe(name)}</text>`,
  );
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="-10 -10 ${WIDE + 20} ${HIGH + 36}" font-family="serif">`,
    `<rect x="-10" y="-10" width="${WIDE + 20}" height="${HIGH + 36}" fill="#fbf7ee"/>`,
    `<path d="M0 ${HIGH / 2}H${WIDE}" stroke="#b9ad9a" stroke-dasharray="4 4"/>`,
    ...marks,
    ...lines,
    ...legend,
    "</svg>",
    "",
  ].join("\n");
}
