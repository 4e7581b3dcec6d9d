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

const BANDS = [46, 33, 21, 11]; // shallows along the coast, in map units
const TINTS = 5;
const PEAK = "M-13 8L0-14L13 8ZM0-14L3 8M4-7L6 0";

/**
 * The still part of a map, and its moving layers, from below: `land` (over the land, under the borders),
 * `places`
 * (a path to touch for each region), `names`, `above` (pieces).
 * @param {MapFile} map
 * @param {(id: string) => string} name what a region is called, if the map does not say it
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
    names.append(label(map.regions[id]));
  }
  const tint = tints(map);
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
        s(
          "g",
          { "clip-path": "url(#onland)" },
          ids
            .filter((id) => map.regions[id].kind !== "sea")
            .map((id) => s(`path.tint.t${tint[id]}`, { d: map.regions[id].path, "fill-rule": "evenodd" })),
        ),
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

/** @param {Region} region */
function label({ label: [x, y], lines, size, kind }) {
  const top = y - ((lines.length - 1) * size * 1.02) / 2 + size * 0.34;
  return s(
    `text.name.${kind}`,
    { "font-size": size, "aria-hidden": "true" },
    lines.map((line, k) => s("tspan", { x, y: (top + k * size * 1.02).toFixed(1) }, line)),
  );
}

/** Neighbours on land get different tints. @param {MapFile} map @returns {Record<string, number>} */
function tints(map) {
  /** @type {Record<string, number>} */
  const tint = {};
  Object.keys(map.regions).forEach((id, k) => {
    const taken = new Set(
      neighbours(map, id)
        .filter((n) => n.land)
        .map((n) => tint[n.id]),
    );
    const free = Array.from({ length: TINTS }, (_, j) => (k + j) % TINTS).find((j) => !taken.has(j));
    tint[id] = free ?? k % TINTS;
  });
  return tint;
}
