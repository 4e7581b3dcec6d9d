/**
 * Where there is room for a piece: near the place meant for it, where it covers no name, no site and no other
 * piece.  What stands already is not moved.
 */

import { linesOf } from "/js/titles/sheet.js";

/** @typedef {import("/js/titles/sheet.js").MapFile} MapFile */
/** @typedef {[number, number, number, number]} Box left, top, right, bottom */
/** @typedef {{left: number, right: number, top: number, bottom: number}} Reach about its place */

const LETTER = 0.62; // width of a letter, in its height
const STEPS = [0, 14, 28, 44, 62, 82];
const WAYS = 12; // directions in which room is looked for
const FAR = 3; // what a unit of distance counts, in units of covered ground
const OUTSIDE = 1400; // what standing over a neighbour counts

/** @param {Box} a @param {Box} b */
const covered = (a, b) =>
  Math.max(0, Math.min(a[2], b[2]) - Math.max(a[0], b[0])) *
  Math.max(0, Math.min(a[3], b[3]) - Math.max(a[1], b[1]));

export class Room {
  /** @param {MapFile} map @param {(area: string) => string} name how an area is called on the map */
  constructor(map, name) {
    this.map = map;
    this.pen = document.createElement("canvas").getContext("2d");
    /** @type {Map<string, Path2D>} the ground of areas that were asked for */
    this.ground = new Map();
    /** @type {Box[]} what must stay readable */
    this.still = Object.entries(map.regions).flatMap(([id, region]) => {
      const [x, y] = region.label;
      const lines = linesOf(region, name(id));
      const wide = (Math.max(...lines.map((line) => line.length)) * region.size * LETTER) / 2;
      const high = (lines.length * region.size) / 2 + 2;
      const [sx, sy] = region.site;
      /** @type {Box} */
      const written = [x - wide, y - high, x + wide, y + high];
      return region.kind === "sea"
        ? [written]
        : [written, /** @type {Box} */ ([sx - 15, sy - 15, sx + 44, sy + 15])];
    });
    /** @type {Map<string, {box: Box, key: string, at: [number, number]}>} */
    this.taken = new Map();
  }

  /** @param {string} id */
  leave(id) {
    this.taken.delete(id);
  }

  /**
   * A place for a piece.  It stays where it is while it keeps its size.
   * @param {string} id @param {string} area @param {[number, number]} wanted @param {Reach} reach
   * @param {number} [leash] how far it may stand from there
   * @returns {[number, number]}
   */
  find(id, area, wanted, reach, leash = STEPS[STEPS.length - 1]) {
    const key = JSON.stringify([wanted, reach]);
    const before = this.taken.get(id);
    if (before?.key === key) return before.at;
    this.taken.delete(id);
    /** @type {[number, number]} */
    let best = wanted;
    let least = Infinity;
    for (const at of this.spots(wanted, leash)) {
      const box = around(at, reach);
      const cost = this.cost(area, at, box) + FAR * Math.hypot(at[0] - wanted[0], at[1] - wanted[1]);
      if (cost < least) [best, least] = [at, cost];
      if (!cost) break;
    }
    this.taken.set(id, { box: around(best, reach), key, at: best });
    return best;
  }

  /** @param {[number, number]} wanted @param {number} leash @returns {[number, number][]} */
  spots([x, y], leash) {
    return STEPS.filter((far) => far <= leash).flatMap((far) =>
      Array.from({ length: far ? WAYS : 1 }, (_, k) => {
        const turn = (2 * Math.PI * k) / WAYS;
        return /** @type {[number, number]} */ ([x + far * Math.cos(turn), y + far * Math.sin(turn)]);
      }),
    );
  }

  /** What would be covered there. @param {string} area @param {[number, number]} at @param {Box} box */
  cost(area, at, box) {
    const [, , w, h] = this.map.viewBox;
    let cost = 0;
    if (box[0] < 4 || box[1] < 4 || box[2] > w - 4 || box[3] > h - 4) cost += 4 * OUTSIDE;
    const ground = this.ground.get(area) ?? new Path2D(this.map.regions[area].path);
    this.ground.set(area, ground);
    if (!this.pen?.isPointInPath(ground, at[0], at[1], "evenodd")) cost += OUTSIDE;
    for (const one of this.still) cost += covered(box, one);
    for (const { box: other } of this.taken.values()) cost += 3 * covered(box, other);
    return cost;
  }
}

/** @param {[number, number]} at @param {Reach} reach @returns {Box} */
const around = ([x, y], { left, right, top, bottom }) => [x - left, y - top, x + right, y + bottom];
