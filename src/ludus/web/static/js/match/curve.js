/** The curve of the chances along a match: its lines and marks, and a picture of its own. */

/**
 * @typedef {{kind: string, seat: number, entry: number, until: number, before: number[], after: number[],
 *   brought: number[], class?: string, cost?: number, played?: number,
 *   options?: {plan: number[], chance: number}[], others?: [number, number][],
 *   rungs?: Record<string, number>}} Step
 */

export const [WIDE, HIGH] = [600, 100];
const WHOLE = 1e6;
const LUCKY = 50000; // a throw that moved so much is marked
/**
 * What is marked, from the least to the most; on paper in these colours and strokes.
 * @type {Record<string, string>}
 */
const STROKES = {
  inaccuracy: 'stroke="#b98a2f" stroke-width="1"',
  mistake: 'stroke="#b0622a" stroke-width="1.3" stroke-dasharray="5 2"',
  blunder: 'stroke="#a63a24" stroke-width="2.4"',
  thrown: 'stroke="#2f5d8a" stroke-width="1.2" stroke-dasharray="2 2"',
};
export const MARKS = Object.keys(STROKES);
const LINE = 17; // between two lines of the legend
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

/** @typedef {{text: string, colour: string, sample: string, flat: boolean}} Entry */

/**
 * What stands below the curve: samples with their names, as many in a line as there is room for.
 * @param {Entry[]} entries @param {number} top
 */
function legendOf(entries, top) {
  let [left, y] = [0, top];
  const parts = entries.map(({ text, colour, sample, flat }) => {
    const wide = 34 + 6.2 * text.length;
    if (left && left + wide > WIDE) [left, y] = [0, y + LINE];
    const path = flat ? `M${left} ${y - 4}h12` : `M${left + 6} ${y - 10}v12`;
    const said = `<text x="${left + 18}" y="${y}" font-size="11" fill="${colour}">${safe(text)}</text>`;
    left += wide;
    return `<path d="${path}" ${sample}/>${said}`;
  });
  return { parts, bottom: y };
}

/**
 * The curve as an SVG file, with the names of the seats and of the kinds of marks.
 * @param {Step[]} rows @param {number} last @param {string[]} names @param {(kind: string) => string} called
 */
export function curvePicture(rows, last, names, called) {
  const lines = linesOf(rows, last).map(
    (points, seat) =>
      `<polyline points="${points}" fill="none" stroke="${COLOURS[seat]}" stroke-width="1.5"/>`,
  );
  const found = marksOf(rows, last);
  const marks = found.map((mark) => `<path d="M${mark.x} 0V${HIGH}" ${STROKES[mark.kind]}/>`);
  const legend = legendOf(
    [
      ...names.map((text, seat) => ({
        text,
        colour: COLOURS[seat],
        sample: `stroke="${COLOURS[seat]}" stroke-width="3"`,
        flat: true,
      })),
      ...MARKS.filter((kind) => found.some((mark) => mark.kind === kind)).map((kind) => ({
        text: called(kind),
        colour: "#4a4238",
        sample: STROKES[kind],
        flat: false,
      })),
    ],
    HIGH + 18,
  );
  const high = legend.bottom + 18;
  const heights = [100, 50, 0].map(
    (chance) =>
      `<text x="-6" y="${HIGH - chance + 3}" font-size="8" text-anchor="end" fill="#77706a">${chance} %</text>`,
  );
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="-34 -10 ${WIDE + 44} ${high}" font-family="serif">`,
    `<rect x="-34" y="-10" width="${WIDE + 44}" height="${high}" fill="#fbf7ee"/>`,
    `<path d="M0 ${HIGH / 2}H${WIDE}" stroke="#b9ad9a" stroke-dasharray="4 4"/>`,
    ...heights,
    ...marks,
    ...lines,
    ...legend.parts,
    "</svg>",
    "",
  ].join("\n");
}
