/**
 * Conquest of the Empire: the map, a plate for each seat, the battle screen, a tray for what is being done.
 */

import { h } from "/js/dom.js";
import { fillIn, labelOf, seatName, speak, t } from "/js/words.js";
import { play as sound } from "/js/sound.js";
import { choicesUnder } from "/js/match/trie.js";
import { Bargain, opening } from "./bargain.js";
import { Battle } from "./battle.js";
import { definitions } from "./emblems.js";
import { March } from "./march.js";
import { Moments } from "./moments.js";
import { Rare } from "./rare.js";
import { Arrows, drawSheet, loadMap, placesIn, spotsOf } from "/js/titles/sheet.js";
import { percent } from "./numbers.js";
import { Market, Track } from "./track.js";
import { Pieces, UNITS } from "./pieces.js";
import { Plate } from "./plates.js";
import { promised, tell } from "./reading.js";
import { Tray } from "./tray.js";

/** @typedef {import("./view.d.ts").View} View */
/** @typedef {import("/js/match/model.js").Row<View>} Row */
/** @typedef {import("/js/match/model.js").Choice} Choice */
/** @typedef {import("/js/match/model.js").Table} Table */
/** @typedef {import("/js/match/hands.js").Hands} Hands */
/** @typedef {import("/js/titles/index.js").Desk<View>} Desk */
/** @typedef {import("./view.d.ts").Ship} Ship */

const SLOW = 140; // milliseconds before hovering asks the server
const TOUCHABLE = 1300; // a sheet so wide has room for a finger on each leader, and its names can be read
const HEAP = ["emperor", "general", ...UNITS, "galley"];

/** The map with everything on it. */
class Sheet {
  /** @param {ConquestTable} table @param {import("/js/titles/sheet.js").MapFile} map */
  constructor(table, map) {
    const drawn = drawSheet(map, (id) => table.area(id));
    this.svg = drawn.svg;
    this.place = drawn.place;
    this.svg.prepend(definitions());
    this.pieces = new Pieces(map, table, drawn.land, drawn.above);
    this.track = new Track((seat) => table.seat(seat));
    this.market = new Market((goods) => table.word("goods", goods));
    drawn.names.before(this.track.el, this.market.el, this.pieces.roads);
    this.arrows = new Arrows(map, drawn.names);
    /** @type {Record<string, Element[]>} */
    this.marked = {};
    /** @type {Map<string, string>} */
    this.known = new Map();
  }

  /** Mark areas in one way, and nothing else in that way. @param {string} how @param {string[]} areas */
  mark(how, areas) {
    for (const el of this.marked[how] ?? []) el.classList.remove(how);
    this.marked[how] = areas.map((area) => this.place[area]).filter(Boolean);
    for (const el of this.marked[how]) el.classList.add(how);
  }
}

export class ConquestTable {
  /** @param {import("/js/words.js").Title} title @param {import("/js/titles/sheet.js").MapFile} map */
  constructor(title, map) {
    this.title = title;
    this.chart = map;
    /** @type {View | null} */
    this.view = null;
    /** @type {Table | null} */
    this.table = null;
    /** @type {Desk | null} */
    this.desk = null;
    /** @type {Choice[]} */
    this.legal = [];
    /** @type {Record<string, import("./march.js").Way>} where what is being moved can go */
    this.ways = {};
    this.us = 0;
    this.entry = 0; // the last one that is shown
    this.hovering = "";
    this.timer = 0;
    this.centred = false;
    /** @type {Plate[]} */
    this.plates = [];
    this.sheet = new Sheet(this, map);
    this.battle = new Battle(this);
    this.march = new March(this);
    this.moments = new Moments(this);
    this.rare = new Rare(this);
    this.tray = new Tray(this);
    this.seats = h("div.plates", { role: "group", "aria-label": speak("seats") });
    this.leaf = h("div.leaf", null, this.sheet.svg);
    this.frame = h("div.mapframe", null, this.leaf);
    this.middle = h(
      "div.theatre",
      null,
      h("div.view", null, this.frame, this.rare.el, this.battle.el, this.moments.el),
      this.tray.el,
    );
    this.root = h("div.conquest", null, this.seats, this.middle);
    this.large = true;
    this.descends = true;
    /** @type {string[]} areas of which something is told now, the most important last */
    this.told = [];
    this.map = {
      window: this.frame,
      sheet: this.leaf,
      shape: map.viewBox[2] / map.viewBox[3],
      least: TOUCHABLE,
      told: () => this.spots(this.told),
    };
    this.root.addEventListener("pointerover", (e) => this.hover(e.target));
    this.root.addEventListener("pointerleave", () => this.hover(null));
    this.root.addEventListener("focusin", (e) => this.hover(e.target));
  }

  /** @param {Desk} desk */
  attach(desk) {
    this.desk = desk;
  }

  // -- showing a view -----------------------------------------------------------------------------------

  /** @param {View} view @param {{table: Table, rows: Row[], passed?: Row[]}} context */
  update(view, context) {
    const before = this.view;
    this.view = view;
    this.table = context.table;
    const came = context.rows.length ? context.rows : (context.passed ?? []);
    const last = came.length ? came[came.length - 1].n : context.table.entries;
    this.told = placesIn(context.rows, Object.keys(this.sheet.place));
    if (came.some((row) => row.who === view.seat)) this.moments.goOn();
    if (before && came[0]?.n === this.entry + 1) {
      this.moments.compare(before, view);
      this.showWays(came, before);
    } else if (last !== this.entry) this.settle(); // another moment
    this.entry = last;
    this.us = view.seat ?? 0;
    const b = view.board;
    this.root.dataset.phase = b.phase;
    while (this.plates.length < view.seats) {
      const plate = new Plate(this.plates.length, (group, label) => this.word(group, label));
      this.plates.push(plate);
      this.seats.append(plate.el);
    }
    for (const plate of this.plates) plate.show(view, context.table);
    if (!this.centred) this.centre();
    this.sheet.pieces.active = b.active;
    this.sheet.pieces.show(b);
    this.sheet.track.show(b);
    this.sheet.market.show(b, this.us);
    this.showPlaces();
    this.sheet.mark("battlefield", b.battle ? [b.battle.field] : []);
    for (const row of came) this.battle.follow(row); // several throws may come as one step
    this.battle.show(view);
    if (context.rows.length) this.happened(context.rows);
  }

  /** Arrows for where others went, since one's own turn. @param {Row[]} rows @param {View} before */
  showWays(rows, before) {
    for (const row of rows) {
      const was = before.board;
      before = row.view;
      if (was.active !== row.view.board.active && was.active === (row.view.seat ?? was.active)) this.settle();
      const to = /^(?:march|voyage|retreat) (\w+)/.exec(row.text)?.[1];
      const from = row.text.startsWith("retreat") ? was.battle?.field : was.moving?.here;
      if (!to || !from || typeof row.who !== "number" || row.who === row.view.seat) continue;
      this.sheet.arrows.add(from, to, row.who);
      this.told.unshift(from);
    }
  }

  settle() {
    this.sheet.arrows.clear();
  }

  /** Where only a part of the map is seen, that of one's own home. */
  centre() {
    const home = this.board.seats[this.us]?.home;
    if (!home) return;
    this.centred = true;
    requestAnimationFrame(() =>
      requestAnimationFrame(() => {
        if (this.frame.classList.contains("framed")) return; // a lesson has its own corner
        const place = this.sheet.place[home].getBoundingClientRect();
        const box = this.frame.getBoundingClientRect();
        this.frame.scrollBy(
          place.left + place.width / 2 - box.left - box.width / 2,
          place.top + place.height / 2 - box.top - box.height / 2,
        );
        const below = box.bottom - this.leaf.getBoundingClientRect().bottom; // where only a tray needs room
        if (this.tray.el.hidden && this.frame.scrollTop) this.frame.scrollBy(0, -Math.max(0, below));
      }),
    );
  }

  /** Where areas lie, in parts of the sheet. @param {string[]} areas */
  spots(areas) {
    return spotsOf(this.chart, areas);
  }

  /** What a screen reader hears of an area, and which leaders and galleys a touch on it means. */
  showPlaces() {
    const b = this.board;
    /** @type {Record<string, string[]>} */
    const ships = {};
    for (const ship of b.ships) (ships[ship.area] ??= []).push(`ship:${ship.ship}`);
    for (const [area, el] of Object.entries(this.sheet.place)) {
      const facts = b.provinces[area];
      const key = JSON.stringify([facts, ships[area]]);
      if (this.sheet.known.get(area) === key) continue;
      this.sheet.known.set(area, key);
      const also = [
        ...(facts ? ["general", "tired_general", "emperor"].map((who) => `leader:${who}@${area}`) : []),
        ...(ships[area] ?? []),
      ];
      if (also.length) el.dataset.also = also.join(" ");
      else delete el.dataset.also;
      el.setAttribute("aria-label", this.areaLabel(area));
    }
  }

  /** @param {Row[]} rows */
  happened(rows) {
    const kinds = new Set(rows.map((row) => row.text.split(" ")[0]));
    if (kinds.has("march") || kinds.has("voyage") || kinds.has("retreat")) sound("step");
    else if (kinds.has("recruit") || kinds.has("found") || kinds.has("launch") || kinds.has("accept"))
      sound("coin");
    const place = rows
      .map((row) => /^(?:march|voyage|retreat|battle) (\w+)/.exec(row.text)?.[1])
      .filter(Boolean)
      .pop();
    this.sheet.mark("struck", place ? [/** @type {string} */ (place)] : []);
  }

  /** @param {Hands} hands */
  tiles(hands) {
    const view = this.view;
    if (!view) return;
    this.legal = hands.busy ? [] : choicesUnder(hands.root);
    const acting = view.to_move === view.seat && !hands.busy;
    for (const touch of acting ? hands.node.next.keys() : [])
      if (touch.startsWith("road:")) this.sheet.pieces.roadOf(touch.slice(5));
    this.tray.show(view, hands);
    this.rare.show(hands);
    this.battle.show(view);
    for (const part of [this.tray.el, this.battle.el, this.sheet.pieces.roads]) light(part, hands);
    this.battle.goOn();
    const going = acting && this.march.isOn(hands);
    this.root.classList.toggle("going", going);
    const here = going ? this.placeOf(this.march.touch) : view.board.moving?.here;
    this.sheet.mark("here", here && acting ? [here] : []);
    if (going) this.showReach(this.march.reach);
    else if (view.board.moving && acting) this.showFar();
    else this.showReach({});
  }

  /** Where the legion or galley could get to in this turn, beyond the next step. */
  async showFar() {
    const view = this.view;
    const advice = await this.advise("moving");
    if (view === this.view) this.showReach(advice?.reach ?? {});
  }

  /** @param {Record<string, import("./march.js").Way>} reach */
  showReach(reach) {
    this.ways = reach;
    const areas = Object.keys(reach);
    this.sheet.mark("far", areas);
    this.sheet.mark(
      "fight",
      areas.filter((area) => reach[area].odds),
    );
    this.sheet.mark(
      "leaves",
      areas.filter((area) => reach[area].left),
    );
    this.sheet.pieces.showOdds(
      Object.fromEntries(
        areas.flatMap((area) => (reach[area].odds ? [[area, reach[area].odds.attacker]] : [])),
      ),
    );
  }

  /** Where a leader or galley stands. @param {string} touch @returns {string} */
  placeOf(touch) {
    if (touch.startsWith("leader:")) return touch.slice(touch.indexOf("@") + 1);
    const ship = this.board.ships.find((one) => touch === `ship:${one.ship}`);
    return ship?.area ?? "";
  }

  // -- planning -----------------------------------------------------------------------------------------

  /**
   * What the title says of a touch.
   * @param {string} about @param {string[]} [actions]
   * @returns {Promise<any>}
   */
  advise(about, actions = []) {
    return this.desk ? this.desk.advise(about, actions) : Promise.resolve(null);
  }

  /**
   * Hovering a leader or galley shows where it can go; anything else shows nothing of the kind.
   * @param {EventTarget | null} target
   */
  hover(target) {
    const what =
      target instanceof Element ? (target.closest("[data-info]")?.getAttribute("data-info") ?? "") : "";
    if (what === this.hovering) return;
    this.hovering = what;
    clearTimeout(this.timer);
    this.sheet.mark("near", []);
    this.sheet.mark("reach", []);
    this.sheet.mark("risky", []);
    if (!/^(leader|ship):/.test(what)) return;
    this.timer = window.setTimeout(async () => {
      const advice = await this.advise(what);
      if (this.hovering !== what || !advice) return;
      const ways = Object.entries(advice.reach);
      this.sheet.mark(
        "reach",
        ways.filter(([, way]) => !way.odds).map(([area]) => area),
      );
      this.sheet.mark(
        "risky",
        ways.filter(([, way]) => way.odds).map(([area]) => area),
      );
    }, SLOW);
  }

  /**
   * A leader or galley leads on to where it can go, with everybody along; nothing is played yet.
   * @param {Choice} choice
   * @returns {Promise<Choice[] | null>}
   */
  async further(choice) {
    if (choice.touches.length !== 1 || !/^(leader|ship):/.test(choice.touches[0])) return null;
    return this.board.phase === "move" ? this.march.begin(choice) : null;
  }

  /** @param {Choice} choice @returns {Promise<boolean>} */
  confirm(choice) {
    const first = opening(choice);
    if (!first) return this.rare.confirm(choice);
    const to = first === "counter" ? this.board.offer?.by : Number(first.split(" ")[1]);
    this.desk?.deal(to ?? 0, first);
    return Promise.resolve(false);
  }

  /** What can be traded with a seat now. @param {number} to @param {string} first */
  bargain(to, first) {
    const openings = this.legal.filter((choice) => {
      const begins = opening(choice);
      return begins === "counter" ? this.board.offer?.by === to : begins.endsWith(` ${to}`);
    });
    return openings.length ? new Bargain(this, openings, first) : null;
  }

  /** Terms that are about to be named. @param {View | null} after */
  preview(after) {
    this.tray.preview(after);
  }

  /**
   * Who stays on the way, how a battle at the end would go, and whose word it would break.
   * @param {Choice} choice
   */
  hint(choice) {
    const area = /^(?:march|voyage) (\w+)$/.exec(choice.action)?.[1];
    if (!area) return "";
    const odds = this.ways[area]?.odds;
    const says = odds ? [speak("attack.odds", { in: this.word("in", area), p: percent(odds.attacker) })] : [];
    const stay = Object.entries(this.ways[area]?.left ?? {}).map(([there, units]) =>
      speak("left.behind", { units: this.heap(units), in: this.word("in", there) }),
    );
    return [...stay, ...says, ...promised(this, area)].join(" – ");
  }

  /**
   * A touch that is not among the choices: the far end of a march, or the next leader while this one could
   * stop.
   * @param {string[]} path @returns {Promise<string[] | null>}
   */
  async attempt(path) {
    const last = path[path.length - 1];
    const phase = this.board.phase;
    if ((phase === "muster" || phase === "sail") && last.startsWith("region:")) {
      const way = (await this.advise("moving"))?.reach[last.slice(7)];
      if (way) return way.steps;
    }
    const stop = this.legal.find((choice) => choice.action === "halt");
    if (!stop || !/^(leader|ship):/.test(last)) return null;
    const after = await this.desk?.whatIf([stop.action]);
    const next = after?.ok
      ? after.legal.find((choice) => choice.touches.length === 1 && choice.touches[0] === last)
      : null;
    return next ? [stop.action, next.action] : null;
  }

  /** The leader or galley that was touched, and who goes along. @param {string[]} path */
  begun(path) {
    return this.board.phase === "move" ? this.march.begun(path) : [];
  }

  /** The key A: what the battle screen proposes. */
  all() {
    if (!this.view || this.battle.chooser(this.view) < 0) return false;
    this.battle.confirm();
    return true;
  }

  // -- words --------------------------------------------------------------------------------------------

  get board() {
    return /** @type {View} */ (this.view).board;
  }

  /** @param {string} group @param {string} label */
  word(group, label) {
    return labelOf(this.title, group, label);
  }

  /** @param {string} id */
  area(id) {
    return this.word("area", id);
  }

  /** @param {number} seat */
  seat(seat) {
    const who = this.table?.seats[seat];
    return who ? seatName(who) : t("seat.free", { seat: seat + 1 });
  }

  /** @param {string} area @returns {Record<string, Record<string, number>>} */
  armiesAt(area) {
    return this.board.provinces?.[area]?.armies ?? {};
  }

  /** So many of a kind. @param {string} kind @param {number} n */
  count(kind, n) {
    return fillIn(this.title.words[`count.${kind}`] ?? kind, { n });
  }

  /** Pieces as a text. @param {Record<string, number>} heap */
  heap(heap) {
    const parts = HEAP.filter((name) => heap[name]).map((name) =>
      name === "emperor" ? this.word("cargo", name) : this.count(name, heap[name]),
    );
    return parts.join(", ") || "–";
  }

  /** @param {Ship} ship */
  shipLabel(ship) {
    const hold = Object.keys(ship.hold).length ? ` (${this.heap(ship.hold)})` : "";
    return `${speak("galley", { name: this.seat(ship.owner), in: this.word("in", ship.area) })}${hold}`;
  }

  /** Whether somebody's empire may begin there. @param {string} area */
  home(area) {
    return `label.home.${area}` in this.title.words;
  }

  /** @param {number} seat @param {string} who @param {string} area */
  chief(seat, who, area) {
    return `${this.seat(seat)}: ${this.word("who", who)}, ${this.area(area)}`;
  }

  /** @param {Ship} ship */
  galley(ship) {
    return this.shipLabel(ship);
  }

  /** @param {string} area */
  areaLabel(area) {
    const facts = this.board.provinces[area];
    const ships = this.board.ships.filter((ship) => ship.area === area).length;
    const fleet = ships ? [this.count("galley", ships)] : [];
    if (!facts) return [this.area(area), ...fleet].join(", ");
    const city = facts.city ? [speak(facts.city === "fortified" ? "walled" : "city")] : [];
    const armies = Object.entries(facts.armies ?? {}).map(
      ([seat, heap]) => `${this.seat(Number(seat))}: ${this.heap(heap)}`,
    );
    return [
      this.area(area),
      speak("value", { n: facts.worth ?? facts.value }),
      facts.owner === null ? speak("nobody") : this.seat(facts.owner),
      ...city,
      ...armies,
      ...fleet,
    ].join(", ");
  }

  /** The name of a touch. @param {string} kind @param {string} id */
  name(kind, id) {
    if (kind === "region") return this.area(id);
    if (kind === "partner" || kind === "foe" || kind === "captive") return this.seat(Number(id));
    if (kind === "road")
      return id
        .split("-")
        .map((area) => this.area(area))
        .join(" – ");
    if (kind === "leader") return `${this.word("who", id.split("@")[0])} · ${this.area(id.split("@")[1])}`;
    if (kind === "ship") {
      const ship = this.board.ships.find((one) => one.ship === Number(id));
      return ship ? this.shipLabel(ship) : null;
    }
    if (["piece", "drop", "load", "land"].includes(kind))
      return `${speak(kind === "land" ? "ashore" : kind)} ${this.word(kind === "piece" || kind === "drop" ? "piece" : "cargo", id)}`;
    return null;
  }

  /** @param {string} what */
  info(what) {
    return this.view ? tell(this, what) : null;
  }

  /** @param {number} seat @param {string} text @param {boolean} low */
  clock(seat, text, low) {
    const plate = this.plates[seat];
    if (!plate) return;
    plate.clock.textContent = text;
    plate.clock.classList.toggle("low", low);
  }
}

/**
 * Things that were drawn a moment ago, and so after the hands looked for what is lit.
 * @param {Element} part @param {Hands} hands
 */
function light(part, hands) {
  for (const el of /** @type {NodeListOf<HTMLElement>} */ (part.querySelectorAll("[data-touch]"))) {
    const touch = el.dataset.touch ?? "";
    const lit = !hands.busy && hands.node.next.has(touch);
    const chosen = hands.path.includes(touch);
    el.classList.toggle("lit", lit);
    el.classList.toggle("chosen", chosen);
    el.setAttribute("role", lit || chosen ? "button" : (el.dataset.role ?? "img"));
    el.tabIndex = lit || chosen ? 0 : -1;
  }
}

/** What lies over the map has a style of its own, before the other one: that knows phones. */
function dressed() {
  const href = "/titles/conquest/windows.css";
  if (document.querySelector(`link[href="${href}"]`)) return Promise.resolve();
  return new Promise((done) => {
    const link = h("link", {
      rel: "stylesheet",
      href,
      "data-drawing": "conquest",
      onload: done,
      onerror: done,
    });
    const own = document.querySelector('link[data-drawing="conquest"]');
    if (own) own.before(link);
    else document.head.prepend(link);
  });
}

/** @type {import("/js/titles/index.js").Draw<View>} */
export const draw = async (title) => {
  const [map] = await Promise.all([loadMap("/titles/conquest/maps/conquest.json"), dressed()]);
  return new ConquestTable(title, map);
};
