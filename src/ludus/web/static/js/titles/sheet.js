/**
 * The sheet of a map (see tools/maps): sea, land, coasts, borders, names, and one place to touch for each
 * region.
 */

import { get } from "../api.js";
import { s } from "../dom.js";

/**
 * @typedef {[number, number]} Spot
 * @typedef {{kind: string, city?: boolean, path: string, site: Spot, label: Spot, lines: string[], size:
 *   number, land?: Spot[], sea?: Spot[], slots?: Spot[]}} Region
 * @typedef {{a: string, b: string, land?: string, sea?: string}} Border
 * @typedef {{board: string, viewBox: [number, number, number, number], title: string, source: string,
 *   land: string, islets: string, outside: string, limits: string, walls?: string, peaks?: [number, number,
 *   number][],
 *   regions: Record<string, Region>, borders: Border[], straits?: {a: string, b: string, from: Spot, to:
 *   Spot}[]}} MapFile
 */

/** @type {Map<string, Promise<MapFile>>} */
const known = new Map();

/** The map of a board; fetched once. @param {string} path @returns {Promise<MapFile>} */
export function loadMap(path) {
  let found = known.get(path);
  if (!found) {
    found = get(path);
    known.set(path, found);
    found.catch(() => known.delete(path));
  }
  return found;
}

/**
 * Whom a region borders, and how: as it is drawn.
 * @param {MapFile} map @param {string} id
 * @returns {{id: string, land: boolean, sea: boolean}[]}
 */
export function neighbours(map, id) {
  return map.borders
    .filter((b) => b.a === id || b.b === id)
    .map((b) => ({ id: b.a === id ? b.b : b.a, land: !!b.land, sea: !!b.sea }));
}

/**
 * The regions that somebody's actions name, in the order in which they do.
 * @param {{who: unknown, text: string}[]} rows @param {string[]} ids
 */
export function placesIn(rows, ids) {
  return rows
    .filter((row) => typeof row.who === "number")
    .flatMap((row) => row.text.split(" ").filter((word) => ids.includes(word)));
}

/** Where regions lie, in parts of the sheet. @param {MapFile} map @param {string[]} ids */
export function spotsOf(map, ids) {
  const [, , width, height] = map.viewBox;
  return ids
    .map((id) => map.regions[id]?.site)
    .filter(Boolean)
    .map(([x, y]) => /** @type {Spot} */ ([x / width, y / height]));
}

const BANDS = [46, 33, 21, 11]; // shallows along the coast, in map units
const SHORT = 26; // so far from its end an arrow stops, in map units
const USUAL = 19; // how large most names are, at least
const PEAK = "M-13 8L0-14L13 8ZM0-14L3 8M4-7L6 0";

/**
 * The still part of a map, and its moving layers, from below: `land` (over the land, under the borders),
 * `places`
 * (a path to touch for each region), `names`, `above` (pieces).
 * @param {MapFile} map
 * @param {(id: string) => string} name what a region is called, on the map too
 */
export function drawSheet(map, name) {
  const [, , w, h] = map.viewBox;
  const layer = (/** @type {string} */ spec) => /** @type {SVGGElement} */ (s(`g.${spec}`));
  const [land, places, names, above] = ["overland", "places", "names", "above"].map(layer);
  /** @type {Record<string, SVGPathElement>} */
  const place = {};
  const ids = Object.keys(map.regions);
  for (const id of ids) {
    place[id] = /** @type {SVGPathElement} */ (
      s("path.place", {
        d: map.regions[id].path,
        "fill-rule": "evenodd",
        "data-touch": `region:${id}`,
        "data-info": `region:${id}`,
        role: "img",
        "aria-label": name(id),
      })
    );
    places.append(place[id]);
    names.append(label(map.regions[id], name(id), w));
  }
  const svg = /** @type {SVGSVGElement} */ (
    s(
      "svg.sheet",
      { viewBox: map.viewBox.join(" "), role: "group", "aria-label": map.title },
      s(
        "defs",
        null,
        s("clipPath", { id: "onland" }, s("path", { d: map.land, "clip-rule": "evenodd" })),
        s(
          "pattern",
          {
            id: "beyond",
            width: 9,
            height: 9,
            patternUnits: "userSpaceOnUse",
            patternTransform: "rotate(45)",
          },
          s("path.beyondline", { d: "M0 0V9" }),
        ),
      ),
      s(
        "g.still",
        { "aria-hidden": "true" },
        s("rect.water", { width: w, height: h }),
        ids
          .filter((id) => map.regions[id].kind === "sea")
          .map((id) => s("path.deep", { d: map.regions[id].path, "fill-rule": "evenodd" })),
        BANDS.map((width, k) => s(`path.band.b${k}`, { d: map.land, "stroke-width": width })),
        s("path.soil", { d: map.land, "fill-rule": "evenodd" }),
      ),
      land,
      s(
        "g.still",
        { "aria-hidden": "true" },
        s("path.outside", { d: map.outside, "fill-rule": "evenodd" }),
        s("path.coast", { d: map.land }),
        map.peaks?.map(([x, y, k]) =>
          s("path.peak", { d: PEAK, transform: `translate(${x} ${y}) scale(${k})` }),
        ),
        s("path.limit", { d: map.limits }),
        s("path.casing.sea", { d: map.borders.map((b) => b.sea ?? "").join("") }),
        s("path.border.sea", { d: map.borders.map((b) => b.sea ?? "").join("") }),
        s("path.casing.land", { d: map.borders.map((b) => b.land ?? "").join("") }),
        s("path.border.land", { d: map.borders.map((b) => b.land ?? "").join("") }),
        map.straits?.map(({ from, to }) => s("path.strait", { d: `M${from}L${to}` })),
        s("rect.neatline", { x: 3, y: 3, width: w - 6, height: h - 6 }),
      ),
      places,
      names,
      above,
    )
  );
  return { svg, land, places, names, above, place };
}

/** Arrows over a map: where somebody went. */
export class Arrows {
  /** @param {MapFile} map @param {Element} below what they lie over */
  constructor(map, below) {
    this.map = map;
    this.el = s("g.arrows", { "aria-hidden": "true" });
    below.after(this.el);
  }

  /** @param {string} from @param {string} to regions @param {number} seat whose it is */
  add(from, to, seat) {
    const [a, site] = [this.map.regions[from]?.site, this.map.regions[to]?.site];
    if (!a || !site || from === to) return;
    const far = Math.hypot(site[0] - a[0], site[1] - a[1]);
    const rest = 1 - Math.min(SHORT, far / 4) / far; // its head is not to lie under what stands there
    const [dx, dy] = [(site[0] - a[0]) * rest, (site[1] - a[1]) * rest];
    const b = [a[0] + dx, a[1] + dy];
    const bend = [(a[0] + b[0]) / 2 - dy * 0.16, (a[1] + b[1]) / 2 + dx * 0.16];
    const turn = (Math.atan2(b[1] - bend[1], b[0] - bend[0]) * 180) / Math.PI;
    const size = Math.min(1, far / 60);
    const round = (/** @type {number[]} */ spot) => spot.map((v) => v.toFixed(1)).join(" ");
    const line = `M${round(a)}Q${round(bend)} ${round(b)}`;
    this.el.append(
      s(
        `g.arrow.s${seat}`,
        { "data-from": from, "data-to": to },
        s("path.under", { d: line }),
        s("path.shaft", { d: line }),
        s("path.head", {
          d: "M6 0L-22-14L-15 0L-22 14Z",
          transform: `translate(${round(b)}) rotate(${turn.toFixed(1)}) scale(${size.toFixed(2)})`,
        }),
      ),
    );
  }

  /**
   * A turn has ended: arrows stay until one's own has, or, for who has none to come, until anybody's has.
   * @param {number} seat @param {{seat: number | null, out: number[]}} view
   */
  ended(seat, view) {
    if (view.seat === null || view.seat === seat || view.out?.includes(view.seat)) this.clear();
  }

  clear() {
    this.el.replaceChildren();
  }
}

/**
 * The lines of a name: about as many as the map has for it, no longer than it has room for, and in capitals
 * where the map has them.
 * @param {Region} region @param {string} name
 */
export function linesOf(region, name) {
  const room = roomOf(region);
  /** @type {string[]} */
  const lines = [];
  const capitals = region.lines[0] === region.lines[0].toUpperCase();
  for (const word of (capitals ? name.toUpperCase() : name).split(" ")) {
    const last = lines[lines.length - 1];
    if (last && (last.length + 1 + word.length <= room || last.length < 4))
      lines[lines.length - 1] += ` ${word}`;
    else lines.push(word);
  }
  return lines;
}

/** @param {string[]} lines */
const longest = (lines) => Math.max(...lines.map((line) => line.length));

/** How many letters stand in a line of a region's name. @param {Region} region */
const roomOf = (region) => Math.max(11, 1.15 * longest(region.lines));

/**
 * A long name is smaller; a short one as large as others, where the map had to be small.
 * @param {Region} region @param {string[]} lines
 */
function sizeOf(region, lines) {
  const fits = region.size * Math.min(1, roomOf(region) / longest(lines));
  const grown = (region.size * longest(region.lines)) / longest(lines);
  return Math.max(fits, Math.min(USUAL, grown));
}

/** @param {Region} region @param {string} name @param {number} width of the sheet */
function label(region, name, width) {
  const { label: at, kind } = region;
  const lines = linesOf(region, name);
  const size = sizeOf(region, lines);
  const half = 0.3 * size * longest(lines);
  const x = Math.max(half + 8, Math.min(width - half - 8, at[0]));
  const top = at[1] - ((lines.length - 1) * size * 1.02) / 2 + size * 0.34;
  return s(
    `text.name.${kind}`,
    { "font-size": size, "aria-hidden": "true" },
    lines.map((line, k) => s("tspan", { x, y: (top + k * size * 1.02).toFixed(1) }, line)),
  );
}
