/**
 * The things of Duellum, drawn: units, cities, goods, personages.  The seats differ in shape as well as in
 * colour.
 */

import { s } from "/js/dom.js";

/**
 * Engraved glyphs, about 24 by 24 around 0, 0: `f` is filled, `l` is drawn.
 * @type {Record<string, {f?: string, l: string}>}
 */
export const GLYPHS = {
  legion: {
    f: "M-8 7V-1A8 9 0 0 1 8-1V7H4.500V1.500H-4.500V7Z",
    l: "M-8 7V-1A8 9 0 0 1 8-1V7H4.500V1.500H-4.500V7ZM-8-4C-6-14 6-14 8-4M-3-12.500L-4.500-9M0-13V-10M3-12.500L4.500-9M0 2V7",
  },
  galley: {
    f: "M-8-9H8C10-5 9-1 7 1.500H-7C-9-1-9-5-8-9ZM-13 5H12C10 10 6 11.500 1 11.500H-5C-9 11.500-12 9-13 5Z",
    l: "M-8-9H8C10-5 9-1 7 1.500H-7C-9-1-9-5-8-9ZM-13 5H12C10 10 6 11.500 1 11.500H-5C-9 11.500-12 9-13 5ZM0-12V5M-7 12L-10 15M-2 12L-5 15M3 12L0 15",
  },
  leader: {
    f: "M0-12L3.200-4.200L11.500-3.500L5.200 2L7.200 10L0 5.700L-7.200 10L-5.200 2L-11.500-3.500L-3.200-4.200Z",
    l: "M0-12L3.200-4.200L11.500-3.500L5.200 2L7.200 10L0 5.700L-7.200 10L-5.200 2L-11.500-3.500L-3.200-4.200Z",
  },
  marble: {
    f: "M-9-3L0-9L9-3V6L0 11L-9 6Z",
    l: "M-9-3L0-9L9-3V6L0 11L-9 6ZM-9-3L0 2L9-3M0 2V11M-6 3L-4 1.500M4 5L6.500 1",
  },
  iron: { f: "M-11 8L-7-4H5L11 8Z", l: "M-11 8L-7-4H5L11 8ZM-7-4L-3-8H8L5-4M8-8L13 3L11 8" },
  gold: {
    f: "M0-10A10 10 0 1 0 .1-10Z",
    l: "M0-10A10 10 0 1 0 .1-10ZM0-6.500A6.500 6.500 0 1 0 .1-6.500ZM-2.500 2.500L0-3.500L2.500 2.500M-1.500.500H1.500",
  },
  coin: {
    f: "M0-10A10 10 0 1 0 .1-10Z",
    l: "M0-10A10 10 0 1 0 .1-10ZM-4.500-4V4M-.500-4V4M-4.500 0H-.500M5.500-3C4-4.500 2.200-3.500 2.500-2S5.500 0 5.500 1.600S3.600 4 2.200 2.700",
  },
  temple: {
    f: "M-12-4L0-12L12-4V-2H-12ZM-11 10H11V12H-11Z",
    l: "M-12-4L0-12L12-4V-2H-12ZM-9-2V10M-3-2V10M3-2V10M9-2V10M-11 10H11V12H-11Z",
  },
  wall: {
    f: "M-12 10V-7H-7V-2H-3V-7H3V-2H7V-7H12V10Z",
    l: "M-12 10V-7H-7V-2H-3V-7H3V-2H7V-7H12V10ZM-12 3H12M-5 3V10M5 3V10M0-2V3",
  },
  king: { f: "M-10 7L-11-6L-5 0L0-10L5 0L11-6L10 7Z", l: "M-10 7L-11-6L-5 0L0-10L5 0L11-6L10 7ZM-10 11H10" },
  citizen: {
    f: "M0-10A4.500 4.500 0 1 0 .1-10ZM-9 11C-9 3-5 1 0 1S9 3 9 11Z",
    l: "M0-10A4.500 4.500 0 1 0 .1-10ZM-9 11C-9 3-5 1 0 1S9 3 9 11ZM-3 1.500C3 4 5 7 5 11",
  },
  scholar: {
    f: "M-10-8H8V5H-10Z",
    l: "M-10-8C-13-8-13-3-10-3M-10-8H8C11-8 11-3 8-3M-10-3V7C-10 11-5 11-5 7H10C10 11 7 11 7 11H-7M8-3V7M-6-4H4M-6 0H4M-6 3.500H1",
  },
  general: {
    f: "M-8 8V-1A8 9 0 0 1 8-1V8H4.500V1.500H-4.500V8Z",
    l: "M-8 8V-1A8 9 0 0 1 8-1V8H4.500V1.500H-4.500V8ZM-9-4C-10-15 10-15 9-4M-5-12L-6-8M0-13V-9M5-12L6-8",
  },
  navigator: {
    f: "M0-7A7 7 0 1 0 .1-7Z",
    l: "M0-7A7 7 0 1 0 .1-7ZM0-12V12M-12 0H12M-8.500-8.500L8.500 8.500M8.500-8.500L-8.500 8.500M0-2.500A2.500 2.500 0 1 0 .1-2.500Z",
  },
  templum: {
    f: "M-12-4L0-12L12-4V-2H-12Z",
    l: "M-12-4L0-12L12-4V-2H-12ZM-9-2V10M-3-2V10M3-2V10M9-2V10M-12 11H12",
  },
  militia: { l: "M-9 11L8-10M8-10L11-11L10-8M9 11L-8-10M-8-10L-11-11L-10-8M-11 6L-6 11M11 6L6 11" },
  scientia: {
    f: "M-2-11H2V-3L8 8C9 10 8 11 6 11H-6C-8 11-9 10-8 8L-2-3Z",
    l: "M0-8L9-3C9 6 6 10 0 12C-6 10-9 6-9-3ZM0-8V12M-9-3L0 1L9-3",
  },
  duellum: {
    f: "M-9-9C-4-9-2-10 0-12C2-10 4-9 9-9V1C9 7 5 10 0 12C-5 10-9 7-9 1Z",
    l: "M-9-9C-4-9-2-10 0-12C2-10 4-9 9-9V1C9 7 5 10 0 12C-5 10-9 7-9 1ZM0-7V7M-5-1H5",
  },
  strata: {
    f: "M-4-11H4L10 11H-10Z",
    l: "M-4-11L-10 11M4-11L10 11M-3-6H3M-4.500-1H4.500M-6 5H6M0-6V-1M-1.500-1V5M2.500-1V5M0 5V11",
  },
  moneta: {
    f: "M-3-8A7 7 0 1 0-2.900-8ZM4-2A7 7 0 1 0 4.100-2Z",
    l: "M-3-9A7 7 0 1 0-2.900-9ZM4-3A7 7 0 1 0 4.100-3Z",
  },
  res_publica: {
    f: "M-3-12H3V12H-3Z",
    l: "M-4-12V12M0-12V12M4-12V12M-6-5H6M-6 3H6M-6 9H6M6-9C12-9 12-3 6-3",
  },
  commercium: {
    f: "M-7-3H7C8 3 9 8 5 12H-5C-9 8-8 3-7-3Z",
    l: "M-4-9H4V-6C9-3 8 6 4 12H-4C-8 6-9-3-4-6ZM-4-8C-9-8-9-2-6-1M4-8C9-8 9-2 6-1M-5 3H5",
  },
  any: { l: "M0-10L3-3L10 0L3 3L0 10L-3 3L-10 0L-3-3Z" },
};
const SAME = { ferrum: "iron", aurum: "gold", marmor: "marble", duellum_ii: "duellum", navigatio: "galley" };

/** A glyph on its own, for text and panels. @param {string} name @param {string} [more] */
export function glyph(name, more = "") {
  return s(
    `svg.glyph.g-${name}${more}`,
    { viewBox: "-15 -15 30 30", "aria-hidden": "true" },
    glyphPaths(name),
  );
}

/** @param {string} name */
export function glyphPaths(name) {
  const drawn = GLYPHS[name] ?? GLYPHS[SAME[/** @type {"ferrum"} */ (name)]] ?? GLYPHS.any;
  return [drawn.f ? s("path.wash", { d: drawn.f }) : null, s("path.line", { d: drawn.l })];
}

/**
 * The ground of a piece: the first seat's are round, the second's square.
 * @param {number} seat @param {number} r
 */
export function ground(seat, r) {
  return seat === 0
    ? s("circle.ground", { r })
    : s("rect.ground", { x: -r * 0.94, y: -r * 0.94, width: r * 1.88, height: r * 1.88, rx: r * 0.28 });
}

/** A stack of equal units. @param {number} seat @param {string} unit @param {number} n */
export function stack(seat, unit, n) {
  const depth = Math.min(n, 3);
  return [
    ...Array.from({ length: depth }, (_, k) =>
      s("g", { transform: `translate(${(depth - 1 - k) * 3.5} ${(k - depth + 1) * 3.5})` }, ground(seat, 19)),
    ),
    s("g.mark", { transform: "scale(1.15)" }, glyphPaths(unit)),
    n > 1
      ? s(
          "g.count",
          { transform: "translate(17 15)" },
          s("circle", { r: n > 9 ? 16 : 14 }),
          s("text", { y: 7.4 }, n),
        )
      : null,
  ];
}

const PEDIMENT = "M-23-15L0-31L23-15ZM-19-15V-11H19V-15";
const CRENELS = "M-24 25V11H-17V16H-11V11H-3.500V16H3.500V11H11V16H17V11H24V25Z";

/**
 * A city, or the site of one.
 * @param {{seat: number | null, makes?: string, temple?: boolean, wall?: boolean}} city
 */
export function cityMark({ seat, makes, temple, wall }) {
  if (seat === null) return [s("circle.site", { r: 8 }), s("circle.dot", { r: 2.6 })];
  return [
    temple ? s("path.pediment", { d: PEDIMENT }) : null,
    ground(seat, 18.5),
    makes
      ? s(
          "g.makes",
          { transform: "translate(0 -.5) scale(1.05)", class: `makes g-${makes}` },
          glyphPaths(makes),
        )
      : null,
    wall ? s("path.crenels", { d: CRENELS }) : null,
  ];
}

/** A small shield with a number. @param {number} n */
export function shieldMark(n) {
  return [
    s("path", { d: "M-10-11C-5-11-3-12 0-14C3-12 5-11 10-11V0C10 7 5 10 0 12.500C-5 10-10 7-10 0Z" }),
    s("text", { y: 4.5 }, n),
  ];
}
