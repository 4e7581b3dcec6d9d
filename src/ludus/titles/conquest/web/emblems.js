/**
 * Signs of units, leaders, galleys, cities and dice; and a shape and a pattern for each seat, beside its
 * colour.
 */

import { s } from "/js/dom.js";

/**
 * Signs in a square of 24: what is filled, and what is cut into it.
 * @type {Record<string, [string, string]>}
 */
const SIGNS = {
  infantry: [
    "M7 3h10a2 2 0 0 1 2 2v9.500c0 3.500-3 6-7 7.500-4-1.500-7-4-7-7.500V5a2 2 0 0 1 2-2z",
    "M12 4v17M6 12h12M12 9.500a2.500 2.500 0 1 1 0 5 2.500 2.500 0 0 1 0-5",
  ],
  cavalry: [
    "M7 22h11.500c0-3.500-1.700-5-1.200-8.600C17.900 9 15.700 4.800 11 3.200L9.600 1.500 8.700 4.400C6.700 6 5 9 3.300 12.700c-.7 1.600 0 2.700 1.300 2.900l2 .4 1.600-1.700c1.600.2 2.900-.3 3.800-1.300-.4 3.300-4.200 4.300-5 9z",
    "M9 8.300l.1.100M14.500 6.500c1.800 3 1 6 .8 8.500",
  ],
  catapult: [
    "M2 16h20v2.500H2zM8.500 16l2-8.500h2.500l3 8.500h-2.600l-1.900-5.500-1 5.500zM6.500 11.300L18.300 3.600l1.300 2L7.800 13.300zM18.700 1.800a3 3 0 1 1 0 6 3 3 0 0 1 0-6zM6 17.500a2.700 2.700 0 1 1 0 5.400 2.700 2.700 0 0 1 0-5.400zM18 17.500a2.700 2.700 0 1 1 0 5.400 2.700 2.700 0 0 1 0-5.400z",
    "M6 20.200l.1 0M18 20.200l.1 0",
  ],
  general: [
    "M4.500 14c0-5 3.300-8 7.500-8s7.500 3 7.500 7.500V19h-3.300v-4.500H13V20c0 1.300-3.500 1.300-4.200 0l-.8-4H4.500zM2.500 11C3.300 5 7.300 1.500 12.500 1.500c4.500 0 8 2.700 9 6.700l-2.300.8C18 6 15.700 4.500 12.500 4.500 8.800 4.500 5.700 7 5 11z",
    "M9 12.500h9",
  ],
  emperor: [
    "M12 5.500l1.900 4.100 4.500.5-3.300 3 .9 4.400-4-2.200-4 2.200.9-4.400-3.300-3 4.500-.5zM6.800 4.500C3.800 3.800 3 6 3.200 7.400c2 .6 3.500-.5 3.600-2.900zM4.200 9.500C1.500 10 1.600 12.200 2.400 13.300c2-.2 2.700-1.800 1.800-3.800zM4.800 14.800c-2 1.600-1.200 3.500 0 4.200 1.600-1 1.600-2.700 0-4.200zM8 19c-.9 2.200.6 3.500 2 3.700.6-1.800-.3-3.200-2-3.700zM17.200 4.500c3-.7 3.800 1.500 3.600 2.900-2 .6-3.500-.5-3.600-2.900zM19.800 9.500c2.700.5 2.600 2.700 1.800 3.800-2-.2-2.700-1.800-1.800-3.800zM19.200 14.800c2 1.600 1.200 3.500 0 4.200-1.600-1-1.600-2.700 0-4.200zM16 19c.9 2.200-.6 3.500-2 3.700-.6-1.800.3-3.200 2-3.700z",
    "",
  ],
  galley: [
    "M1.500 14.500h17.500l3.500-4c.4 5-2.800 9-6.500 9H7c-3.200 0-5.500-2-5.500-5zM7.500 2.500c3 1 6.500 1 9.500 0 .8 3 .8 6 0 9-3-1-6.500-1-9.500 0-.8-3-.8-6 0-9z",
    "M6 19.500l-1.500 3M10 19.500l-1.500 3M14 19.500l-1.500 3M12.200 11v3.500",
  ],
  city: [
    "M2.500 9.500L12 3l9.500 6.500v2h-19zM4.500 12.500h3v6h-3zM10.500 12.500h3v6h-3zM16.500 12.500h3v6h-3zM2.500 19h19v3h-19z",
    "",
  ],
  wall: [
    "M2 22V7h3.500v3h3V7h3.700v3h3.600V7h3.200v3H22v12z",
    "M2.500 15h19M8 10v5M15 10v5M5 15v7M12 15v7M19 15v7",
  ],
  road: ["M9 2h6l5.500 20h-17z", "M12 3.500v3M12 9v4M12 16v5"],
  talents: [
    "M12 3a9 9 0 1 1 0 18 9 9 0 0 1 0-18z",
    "M12 5.500a6.500 6.500 0 1 1 0 13 6.500 6.500 0 0 1 0-13M9 9h6M12 9v6.500",
  ],
  blank: ["", ""],
};

/** A shape for each seat, of radius 10 about the middle. */
export const SHAPES = [
  "M0-10A10 10 0 1 1 0 10A10 10 0 1 1 0-10Z",
  "M-9-9H9V9H-9Z",
  "M0-12L12 0L0 12L-12 0Z",
  "M0-11.500L11.500 9H-11.500Z",
  "M-6-10.500H6L12 0L6 10.500H-6L-12 0Z",
  "M-4.500-11H4.500V-4.500H11V4.500H4.500V11H-4.500V4.500H-11V-4.500H-4.500Z",
];

/** Lines of the pattern of each seat, in a tile of 12. */
const LINES = [
  "M0 12L12 0M-3 3L3-3M9 15L15 9",
  "M0 6H12",
  "M2 6A2 2 0 1 0 6 6A2 2 0 1 0 2 6M8 0A2 2 0 1 0 12 0M8 12A2 2 0 1 0 12 12",
  "M6 0V12",
  "M0 0L12 12M-3 9L3 15M9-3L15 3",
  "M0 6H12M6 0V12",
];

/** The signs, to be used by their names. */
export const symbols = () =>
  Object.entries(SIGNS).map(([name, [solid, cut]]) =>
    s(
      "symbol",
      { id: `cq-${name}`, viewBox: "0 0 24 24" },
      s("path.solid", { d: solid }),
      cut ? s("path.cut", { d: cut }) : null,
    ),
  );

/** What everything on the map refers to. */
export function definitions() {
  return s(
    "defs",
    null,
    symbols(),
    LINES.map((d, seat) =>
      s(
        "pattern",
        { id: `cq-of${seat}`, width: 12, height: 12, patternUnits: "userSpaceOnUse" },
        s(`rect.ground.s${seat}`, { width: 12, height: 12 }),
        s(`path.lines.s${seat}`, { d }),
      ),
    ),
  );
}

/**
 * A sign inside the map.
 * @param {string} name @param {number} x the middle @param {number} y @param {number} size
 */
export function sign(name, x, y, size) {
  return s(`use.sign.g-${name}`, {
    href: `#cq-${name}`,
    x: x - size / 2,
    y: y - size / 2,
    width: size,
    height: size,
  });
}

/** A sign in a text or a panel. @param {string} name @param {string} [label] read aloud */
export function mark(name, label) {
  return s(
    `svg.mark.g-${name}`,
    { viewBox: "0 0 24 24", ...(label ? { role: "img", "aria-label": label } : { "aria-hidden": "true" }) },
    s("use", { href: `#cq-${name}`, width: 24, height: 24 }),
  );
}

/** The shape of a seat in a text or a panel. @param {number} seat */
export function arms(seat) {
  return s(
    `svg.arms.s${seat}`,
    { viewBox: "-13 -13 26 26", "aria-hidden": "true" },
    s("path", { d: SHAPES[seat] }),
  );
}
