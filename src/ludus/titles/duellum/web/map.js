/** Duellum's map: what stands on the sheet. */

import { fillWith, s } from "/js/dom.js";
import { Arrows, drawSheet } from "/js/titles/sheet.js";
import { cityMark, shieldMark, stack } from "./pieces.js";

/** @typedef {import("/js/titles/sheet.js").MapFile} MapFile */
/** @typedef {import("/js/titles/sheet.js").Spot} Spot */
/** @typedef {import("./reading.js").Reading} Reading */
/** @typedef {import("./view.d.ts").Board} Board */

export class MapSheet {
  /** @param {MapFile} map @param {Reading} reading */
  constructor(map, reading) {
    this.map = map;
    this.reading = reading;
    this.ids = Object.keys(map.regions);
    const drawn = drawSheet(map, (id) => reading.region(id));
    this.svg = drawn.svg;
    this.place = drawn.place;
    this.held = drawn.land;
    this.cities = s("g.cities");
    this.units = s("g.units");
    drawn.above.append(this.cities, this.units);
    this.arrows = new Arrows(map, drawn.names);
    drawn.svg.querySelector("defs")?.append(
      s(
        "pattern",
        {
          id: "held0",
          width: 11,
          height: 11,
          patternUnits: "userSpaceOnUse",
          patternTransform: "rotate(-45)",
        },
        s("rect.wash", { width: 11, height: 11 }),
        s("path", { d: "M0 0H11" }),
      ),
      s(
        "pattern",
        { id: "held1", width: 12, height: 12, patternUnits: "userSpaceOnUse" },
        s("rect.wash", { width: 12, height: 12 }),
        s("circle", { cx: 3, cy: 3, r: 1.7 }),
        s("circle", { cx: 9, cy: 9, r: 1.7 }),
      ),
    );
    drawn.land.setAttribute("clip-path", "url(#onland)");
    /** @type {Record<string, string>} */
    this.keys = {};
    for (const id of this.ids) this.seaMark(id);
  }

  /** The ship of an open sea, which counts double. @param {string} id */
  seaMark(id) {
    const { kind, site } = this.map.regions[id];
    if (kind === "sea")
      this.svg.querySelector(".names")?.append(
        s(
          "g.seamark",
          { transform: `translate(${site}) scale(1.1)` },
          s("path", {
            d: "M-8-9H8C10-5 9-1 7 1.500H-7C-9-1-9-5-8-9ZM-13 5H12C10 10 6 11.500 1 11.500H-5C-9 11.500-12 9-13 5ZM0-12V5",
          }),
        ),
      );
  }

  /** @param {Board} b */
  update(b) {
    for (const id of this.ids) {
      const seat = seatOf(b, b.owner[id]);
      const key = JSON.stringify([
        seat,
        b.makes[id],
        b.temple[id],
        b.wall[id],
        b.defence[id],
        b.needed?.[id],
      ]);
      if (this.keys[id] !== key) {
        this.keys[id] = key;
        this.showCity(id, b, seat);
      }
    }
    this.showUnits(b);
    for (const id of this.ids) this.place[id].setAttribute("aria-label", this.reading.says(id, b));
  }

  /** @param {string} id @param {Board} b @param {number | null} seat */
  showCity(id, b, seat) {
    this.held.querySelector(`[data-at="${id}"]`)?.remove();
    this.cities.querySelector(`[data-at="${id}"]`)?.remove();
    if (seat !== null)
      this.held.append(
        s(`path.held.s${seat}`, { d: this.map.regions[id].path, "data-at": id, "fill-rule": "evenodd" }),
      );
    if (seat === null && !this.map.regions[id].city) return;
    const city = { seat, makes: b.makes[id], temple: !!b.temple[id], wall: !!b.wall[id] };
    const need = b.needed?.[id];
    this.cities.append(
      s(
        `g.city${seat === null ? "" : `.s${seat}`}`,
        {
          "data-at": id,
          "data-also": `region:${id}`,
          "data-info": `region:${id}`,
          transform: `translate(${this.map.regions[id].site})`,
          "aria-hidden": "true",
        },
        cityMark(city),
        seat === null
          ? null
          : s(
              `g.shieldmark${need ? ".need" : ""}`,
              { transform: "translate(21 -13)" },
              shieldMark(need ?? b.defence[id] ?? 0),
            ),
      ),
    );
  }

  /** @param {Board} b */
  showUnits(b) {
    const old = new Map(
      [...this.units.children].map((el) => [
        /** @type {SVGElement} */ (el).dataset.key ?? "",
        /** @type {SVGElement} */ (el),
      ]),
    );
    const kids = [];
    for (const id of this.ids) {
      for (const { seat, unit, n, at } of this.standing(id, b)) {
        const key = `${seat} ${unit} ${id} ${n} ${at}`;
        const el =
          old.get(key) ??
          s(
            `g.unit.s${seat}.u-${unit}`,
            { "data-key": key, "data-info": `unit:${seat} ${unit}@${id}`, transform: `translate(${at})` },
            stack(seat, unit, n),
          );
        // Whoever presses a unit may mean it, or the region it stands in.
        el.setAttribute("data-also", `region:${id}`);
        if (this.touchable(b, seat)) {
          el.setAttribute("data-touch", `unit:${unit}@${id}`);
          el.setAttribute("data-drag", "");
        } else {
          el.removeAttribute("data-touch");
          el.setAttribute("role", "img");
        }
        el.setAttribute("aria-label", this.reading.unitSays(seat, unit, n, id, b));
        kids.push(el);
      }
    }
    if (kids.length !== this.units.children.length || kids.some((kid, k) => this.units.children[k] !== kid))
      fillWith(this.units, kids);
  }

  /**
   * Units are touched by the seat whose turn it is; in a clash either seat's stack stands for the battle.
   * @param {Board} b @param {number} seat
   */
  touchable(b, seat) {
    return seat === Number(b.active);
  }

  /** What stands in a region, each stack on a spot of its own. @param {string} id @param {Board} b */
  standing(id, b) {
    const { land = [], sea = [], site } = this.map.regions[id];
    const free = { legion: [...land], galley: [...sea] };
    /** @type {{seat: number, unit: string, n: number, at: Spot}[]} */
    const found = [];
    const put = (
      /** @type {number} */ seat,
      /** @type {string} */ unit,
      /** @type {number} */ n,
      /** @type {"legion" | "galley"} */ like,
    ) => {
      const spare = free[like].shift() ?? free[like === "legion" ? "galley" : "legion"].shift();
      const k = found.length;
      found.push({ seat, unit, n, at: spare ?? [site[0] + 30 * (k % 2 ? 1 : -1), site[1] + 26 + 12 * k] });
    };
    for (const unit of /** @type {const} */ (["legion", "galley"])) {
      for (const seat of [0, 1]) {
        const n = b.army[seat]?.[unit]?.[id];
        if (n) put(seat, unit, n, unit);
      }
    }
    for (const seat of [0, 1])
      if (b.leader_at?.[seat] === id)
        put(seat, "leader", 1, b.leaders?.[seat] === "admiral" ? "galley" : "legion");
    return found;
  }

  /**
   * Light what a unit could reach, or what a region borders.
   * @param {Iterable<string>} ids @param {string} how
   */
  mark(ids, how) {
    const wanted = new Set(ids);
    for (const id of this.ids) this.place[id].classList.toggle(how, wanted.has(id));
  }
}

/**
 * The seat that a side's name stands for.
 * @param {Board} b @param {string | undefined} side
 * @returns {number | null}
 */
export function seatOf(b, side) {
  const seat = b.sides.indexOf(side ?? "");
  return seat < 0 ? null : seat;
}
