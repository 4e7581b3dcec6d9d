/**
 * What stands on the map: sites with their owner's mark, armies, galleys, roads.  Changed in place, never
 * drawn anew.
 */

import { s } from "/js/dom.js";
import { sign, SHAPES } from "./emblems.js";
import { LAND, SEA } from "./places.js";
import { Room } from "./room.js";

/** @typedef {import("/js/titles/sheet.js").MapFile} MapFile */
/** @typedef {import("./view.d.ts").Ship} Ship */
/** @typedef {Record<string, number>} Heap */
/**
 * @typedef {{home: (area: string) => boolean, area: (area: string) => string,
 *   chief: (seat: number, who: string, area: string) => string, galley: (ship: Ship) => string}} Naming
 */

export const UNITS = ["infantry", "cavalry", "catapult"];
const CELL = 25; // width of one kind in an army
const DIGIT = 8; // and of each further digit of its number
const HEIGHT = 23;
const CHIEFS = 35; // how far leaders stand out above the plaque
const LARGE = 1.17; // pieces are drawn larger than the signs of the ground
const COLUMNS = 3; // galleys beside each other
const DOCK = 14; // how far a galley may lie from its harbour: it must not look as if it were at sea
const SHIP_REACH = { left: 24, right: 26, top: 22, bottom: 24 };

/** @param {number} x @param {number} y */
const at = (x, y) => `translate(${x} ${y})`;

/** The mark of a province: its value in the shape of whoever holds it, its city and walls. */
export class Site {
  /** @param {[number, number]} spot @param {number} value @param {boolean} home */
  constructor([x, y], value, home) {
    this.shape = s("path.holder");
    this.city = s("g.town", { transform: at(29, -2) });
    this.el = s(
      `g.site${home ? ".homeland" : ""}`,
      { transform: at(x, y) },
      home ? s("circle.homering", { r: 19 }) : null,
      this.shape,
      s("text.worth", { y: 4.8 }, value),
      this.city,
    );
    this.key = "";
  }

  /** @param {number | null} owner @param {string} city */
  show(owner, city) {
    const key = `${owner} ${city}`;
    if (key === this.key) return;
    this.key = key;
    this.shape.setAttribute("d", SHAPES[owner ?? 0]);
    this.shape.setAttribute("class", `holder ${owner === null ? "nobody" : `s${owner}`}`);
    this.city.replaceChildren(
      ...(city
        ? [
            city === "fortified" ? sign("wall", 0, 2, 30) : null,
            sign("city", 0, city === "fortified" ? -3 : 0, city === "fortified" ? 18 : 21),
          ].filter((el) => el !== null)
        : []),
    );
  }
}

/** The room that a number of one kind takes. @param {number} n */
const cellOf = (n) => CELL + DIGIT * (String(n).length - 1);

/** @param {Heap} heap */
const widthOf = (heap) => UNITS.reduce((sum, unit) => sum + (heap[unit] ? cellOf(heap[unit]) : 0), 17);

/** How far an army reaches about its place. @param {Heap} heap */
function reachOf(heap) {
  const units = UNITS.some((unit) => heap[unit]);
  const chiefs = heap.general || heap.emperor;
  const wide = units ? widthOf(heap) / 2 : 27;
  const high = units ? (chiefs ? CHIEFS : HEIGHT / 2) : 13;
  return { left: LARGE * wide, right: LARGE * wide, top: LARGE * high, bottom: LARGE * 13 };
}

/** The army of a seat in a province: a plaque with its units, its leaders standing on it. */
export class Army {
  /** @param {number} seat @param {string} area @param {Naming} naming */
  constructor(seat, area, naming) {
    this.seat = seat;
    this.area = area;
    this.naming = naming;
    this.el = s(`g.army.s${seat}`, { "data-info": `region:${area}` });
    this.key = "";
    this.place = "";
  }

  /** @param {number} x @param {number} y */
  stand(x, y) {
    const place = at(x, y);
    if (place !== this.place) this.el.setAttribute("transform", `${(this.place = place)} scale(${LARGE})`);
  }

  /** @param {Heap} heap @param {Heap} tired how many leaders of those have fewer points, by name */
  show(heap, tired) {
    const key = JSON.stringify([heap, tired]);
    if (key === this.key) return;
    this.key = key;
    const kinds = UNITS.filter((unit) => heap[unit]);
    const width = widthOf(heap);
    const left = -width / 2;
    /** @type {SVGElement[]} */
    const kids = [];
    if (kinds.length) {
      kids.push(
        s("rect.plaque", { x: left, y: -HEIGHT / 2, width, height: HEIGHT, rx: 5 }),
        s("path.crest", { d: SHAPES[this.seat], transform: `translate(${left + 11} 0) scale(.56)` }),
      );
      let x = left + 25;
      for (const unit of kinds) {
        kids.push(sign(unit, x, 0, 16), s("text.count", { x: x + 8.5, y: 4.8 }, heap[unit]));
        x += cellOf(heap[unit]);
      }
    }
    kids.push(...this.leaders(heap, tired, kinds.length > 0));
    this.el.replaceChildren(...kids);
  }

  /** @param {Heap} heap @param {Heap} tired @param {boolean} above */
  leaders(heap, tired, above) {
    const weary = tired.weary_general ?? 0;
    const spent = tired.general ?? 0;
    /** @type {[string, number, string][]} */
    const rows = [
      ["emperor", heap.emperor ?? 0, ""],
      ["general", (heap.general ?? 0) - weary - spent, ""],
      ["tired_general", weary, ".weary"],
      ["", spent, ".spent"],
    ];
    const shown = rows.filter(([, n]) => n > 0);
    return shown.map(([who, n, state], k) => {
      const x = (k - (shown.length - 1) / 2) * 27;
      return s(
        `g.chief${state}${who === "emperor" ? ".imperator" : ""}`,
        {
          transform: at(x, above ? -22 : 0),
          "data-also": `region:${this.area}`,
          role: "img",
          "aria-label": this.naming.chief(this.seat, who || "general", this.area),
          ...(who
            ? { "data-touch": `leader:${who}@${this.area}`, "data-info": `leader:${who}@${this.area}` }
            : {}),
        },
        s("circle.face", { r: 12.5 }),
        above ? null : s("path.crest", { d: SHAPES[this.seat], transform: "translate(-11 9) scale(.4)" }),
        sign(who === "emperor" ? "emperor" : "general", 0, 0, 18),
        n > 1 ? s("text.tally", { x: 10, y: 11 }, n) : null,
      );
    });
  }
}

/** Equal galleys of a seat in one area: one token, with how many there are and what is aboard. */
export class Galley {
  /** @param {number} seat @param {Naming} naming */
  constructor(seat, naming) {
    this.naming = naming;
    this.el = s(`g.galley.s${seat}`, { role: "img" });
    this.seat = seat;
    this.key = "";
    this.place = "";
  }

  /** @param {number} x @param {number} y */
  stand(x, y) {
    const place = at(x, y);
    if (place !== this.place) this.el.setAttribute("transform", `${(this.place = place)} scale(${LARGE})`);
  }

  /** @param {Ship[]} ships */
  show(ships) {
    const [first] = ships;
    this.el.dataset.touch = `ship:${first.ship}`;
    this.el.dataset.also = [
      ...ships.slice(1).map((one) => `ship:${one.ship}`),
      `foe:${this.seat}`,
      `region:${first.area}`,
    ].join(" ");
    this.el.dataset.info = `ship:${first.ship}`;
    this.el.setAttribute(
      "aria-label",
      this.naming.galley(first) + (ships.length > 1 ? ` ×${ships.length}` : ""),
    );
    const key = JSON.stringify([ships.length, first.hold, first.points]);
    if (key === this.key) return;
    this.key = key;
    const load = UNITS.reduce((sum, unit) => sum + (first.hold[unit] ?? 0), 0);
    const chief = first.hold.emperor ? "emperor" : first.hold.general ? "general" : "";
    this.el.classList.toggle("spent", first.points === 0);
    this.el.replaceChildren(
      ...[
        s("circle.wake", { r: 17 }),
        sign("galley", 0, 0, 32),
        s("path.crest", { d: SHAPES[this.seat], transform: "translate(.4 -6.500) scale(.36)" }),
        load
          ? s(
              "g.cargo",
              { transform: at(12, 11) },
              s("rect", { x: -8, y: -8, width: 16, height: 16, rx: 4 }),
              s("text", { y: 4.5 }, load),
            )
          : null,
        chief
          ? s("g.aboard", { transform: at(-12, 11) }, s("circle", { r: 8.5 }), sign(chief, 0, 0, 13))
          : null,
        ships.length > 1 ? s("text.tally", { x: 13, y: -8 }, `×${ships.length}`) : null,
      ].filter((el) => el !== null),
    );
  }
}

/** The moving layers of the map. */
export class Pieces {
  /** @param {MapFile} map @param {Naming} naming @param {SVGGElement} below @param {SVGGElement} above */
  constructor(map, naming, below, above) {
    this.map = map;
    this.naming = naming;
    this.room = new Room(map, (area) => naming.area(area));
    this.roads = s("g.roads");
    this.sites = s("g.sites");
    this.armies = s("g.armies");
    this.fleets = s("g.fleets");
    this.below = below;
    this.chances = s("g.chances", { "aria-hidden": "true" });
    this.oddsKey = "{}";
    above.append(this.sites, this.fleets, this.armies, this.chances);
    /** @type {Map<string, Site>} */
    this.site = new Map();
    /** @type {Map<string, Army>} */
    this.army = new Map();
    /** @type {Map<string, Galley>} */
    this.galley = new Map();
    /** @type {Map<string, SVGElement>} */
    this.hold = new Map();
    /** @type {Map<string, SVGElement>} */
    this.road = new Map();
    /** @type {Map<string, string>} */
    this.known = new Map();
  }

  /** @param {import("./view.d.ts").Board} board */
  show(board) {
    for (const [area, facts] of Object.entries(board.provinces)) {
      const key = JSON.stringify(facts);
      if (this.known.get(area) === key) continue;
      this.known.set(area, key);
      this.showProvince(area, facts);
    }
    this.showFleets(board.ships);
    this.showRoads(board.roads);
  }

  /** @param {string} area @param {import("./view.d.ts").Province} facts */
  showProvince(area, facts) {
    let site = this.site.get(area);
    if (!site) {
      site = new Site(this.map.regions[area].site, facts.value, this.naming.home(area));
      this.site.set(area, site);
      this.sites.append(site.el);
    }
    site.show(facts.owner, facts.city ?? "");
    this.showHold(area, facts.owner);
    const armies = facts.armies ?? {};
    const seats = Object.keys(armies);
    for (const [key, army] of this.army) {
      if (army.area !== area || seats.includes(String(army.seat))) continue;
      army.el.remove();
      this.army.delete(key);
      this.room.leave(key);
    }
    // Whoever holds the province stands first, guests beside.
    seats.sort((a, b) => Number(Number(b) === facts.owner) - Number(Number(a) === facts.owner));
    seats.forEach((seat, k) => {
      const key = `${area} ${seat}`;
      let army = this.army.get(key);
      if (!army) {
        army = new Army(Number(seat), area, this.naming);
        this.army.set(key, army);
        this.armies.append(army.el);
      }
      const spot = k === 0 ? LAND[area].army : LAND[area].foe;
      army.stand(...this.room.find(key, area, spot, reachOf(armies[seat])));
      army.show(armies[seat], Number(seat) === this.active ? (facts.spent ?? {}) : {});
    });
  }

  /**
   * The ground of a province in the colour and pattern of whoever holds it.
   * @param {string} area @param {number | null} owner
   */
  showHold(area, owner) {
    let el = this.hold.get(area);
    if (!el) {
      el = s("path.hold", { d: this.map.regions[area].path, "fill-rule": "evenodd" });
      this.hold.set(area, el);
      this.below.append(el);
    }
    el.setAttribute("class", owner === null ? "hold" : `hold s${owner}`);
  }

  /** @param {Ship[]} ships */
  showFleets(ships) {
    /** @type {Map<string, Ship[]>} */
    const groups = new Map();
    for (const ship of ships) {
      const key = `${ship.area} ${ship.owner} ${ship.points} ${ship.coast} ${JSON.stringify(ship.hold)}`;
      const same = groups.get(key);
      if (same) same.push(ship);
      else groups.set(key, [ship]);
    }
    for (const [key, galley] of this.galley) {
      if (groups.has(key)) continue;
      galley.el.remove();
      this.galley.delete(key);
      this.room.leave(key);
    }
    /** @type {Record<string, number>} */
    const count = {};
    for (const [key, group] of groups) {
      let galley = this.galley.get(key);
      if (!galley) {
        galley = new Galley(group[0].owner, this.naming);
        this.galley.set(key, galley);
        this.fleets.append(galley.el);
      }
      const area = group[0].area;
      const k = (count[area] = (count[area] ?? -1) + 1);
      const [x, y] = SEA[area] ?? LAND[area].dock;
      const column = (k % COLUMNS) - (area in SEA ? 1 : 0);
      /** @type {[number, number]} */
      const spot = [x + column * 43, y + Math.floor(k / COLUMNS) * 42];
      galley.stand(...this.room.find(key, area, spot, SHIP_REACH, area in SEA ? undefined : DOCK));
      galley.show(group);
    }
  }

  /** How likely an attack wins, beside what is attacked. @param {Record<string, number>} odds per cent */
  showOdds(odds) {
    const key = JSON.stringify(odds);
    if (key === this.oddsKey) return;
    this.oddsKey = key;
    this.chances.replaceChildren(
      ...Object.entries(odds).map(([area, p]) => {
        const [x, y] = this.map.regions[area].site;
        return s(
          "g.chance",
          { transform: at(x, y - 22) },
          s("rect", { x: -25, y: -12, width: 50, height: 23, rx: 11 }),
          s("text", { y: 5.5 }, `${Math.round(p)} %`),
        );
      }),
    );
  }

  /** @param {string[]} roads */
  showRoads(roads) {
    const here = new Set(roads);
    for (const [id, el] of this.road) el.classList.toggle("built", here.has(id));
    for (const id of roads) if (!this.road.has(id)) this.roadOf(id).classList.add("built");
  }

  /** The line of a road, built or not. @param {string} id */
  roadOf(id) {
    let el = this.road.get(id);
    if (!el) {
      const [[ax, ay], [bx, by]] = id.split("-").map((area) => this.map.regions[area].site);
      const d = `M${ax} ${ay}Q${(ax + bx) / 2 + (by - ay) * 0.08} ${(ay + by) / 2 - (bx - ax) * 0.08} ${bx} ${by}`;
      el = s(
        "g.road",
        { "data-touch": `road:${id}`, "data-info": `road:${id}` },
        s("path.bed", { d }),
        s("path.paving", { d }),
      );
      this.road.set(id, el);
      this.roads.append(el);
    }
    return el;
  }

  active = -1;
}
