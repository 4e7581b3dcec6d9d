/** Duellum's table: the map, the rondel, the boards beside it, a plate for each seat. */

import { fillWith, h } from "/js/dom.js";
import { t } from "/js/words.js";
import { play as sound } from "/js/sound.js";
import { Generic } from "/js/titles/generic.js";
import { loadMap, placesIn, spotsOf } from "/js/titles/sheet.js";
import { MapSheet } from "./map.js";
import { Display, KnowHows, Plate, Score } from "./panels.js";
import { Reading } from "./reading.js";
import { Rondel, Strip } from "./rondel.js";
import { Tray } from "./tray.js";

/** @typedef {import("./view.d.ts").View} View */
/** @typedef {import("./view.d.ts").Board} Board */
/** @typedef {import("/js/match/model.js").Choice} Choice */
/** @typedef {import("/js/match/model.js").Row<View>} Row */
/** @typedef {import("/js/match/model.js").Table} Table */
/** @typedef {{table: Table, rows: Row[], passed?: Row[]}} Context */

const WIDE = [1280, 806]; // the table that fits at a measure of 1: every length is in units of it
const SMALL = 0.56; // below this everything would be too small: what lies beside the map is a tray with tabs
const SMALL_MEASURE = 0.93;
const TOUCHABLE = 900; // a sheet so wide has room for a finger on each piece

/**
 * A board of somebody's own has no map and is shown as any title's.
 * @type {import("/js/titles/index.js").Draw<View>}
 */
export const draw = async (title, view) =>
  view.board.map
    ? new DuellumTable(title, await loadMap(`/titles/duellum/maps/${view.board.map}.json`))
    : new Generic(title);

export class DuellumTable {
  /** @param {import("/js/words.js").Title} title @param {import("/js/titles/sheet.js").MapFile} map */
  constructor(title, map) {
    this.reading = new Reading(title, map);
    this.sheet = new MapSheet(map, this.reading);
    /** @type {View | null} */
    this.view = null;
    this.entry = 0; // the last one that is shown
    this.rondel = new Rondel(this.reading);
    this.strip = new Strip(this.reading);
    this.knows = new KnowHows(this.reading);
    this.score = new Score(this.reading);
    this.display = new Display(this.reading);
    this.plates = [new Plate(0, this.reading), new Plate(1, this.reading)];
    this.leaf = h("div.leaf", null, this.sheet.svg);
    this.frame = h("div.mapframe", null, this.leaf);
    const shape = map.viewBox[2] / map.viewBox[3];
    /** @type {string[]} regions of which something is told now, the most important last */
    this.told = [];
    this.map = {
      window: this.frame,
      sheet: this.leaf,
      shape,
      least: TOUCHABLE,
      told: () => spotsOf(map, this.told),
    };
    this.rondelbox = h("div.rondelbox", null, this.rondel.el);
    this.tray = new Tray({
      rondel: this.rondelbox,
      score: this.score.el,
      knows: this.knows.el,
      events: this.display.el,
    });
    this.small = false;
    /** @type {import("/js/titles/index.js").Desk<View> | null} */
    this.desk = null;
    this.root = h("div.duellum", null, this.plates[1].el, this.frame, this.plates[0].el, this.tray.el);
    new ResizeObserver(() => this.measure()).observe(this.root);
  }

  /** @param {import("/js/titles/index.js").Desk<View>} desk */
  attach(desk) {
    this.desk = desk;
  }

  /** One measure rules all: so large that everything fits. */
  measure() {
    const { clientWidth: w, clientHeight: hh } = this.root;
    if (!w || !hh) return;
    const u = Math.min(w / WIDE[0], hh / WIDE[1]);
    const small = u < SMALL || w < 700;
    this.root.classList.toggle("small", small);
    this.root.classList.toggle("upright", small && hh > w);
    this.root.style.setProperty("--u", `${(small ? SMALL_MEASURE : u).toFixed(4)}px`);
    if (small !== this.small) this.arrange(small);
  }

  /**
   * On a small screen a plate is one line: its cards and the own supply lie in the tray.
   * @param {boolean} small
   */
  arrange(small) {
    this.small = small;
    fillWith(this.rondelbox, small ? this.strip.el : this.rondel.el);
    const [us, them] = this.plates;
    if (small) {
      this.knows.el.append(us.supply);
      this.display.hands.append(us.hand, them.hand);
    } else {
      us.el.append(us.supply);
      for (const plate of this.plates) plate.el.append(plate.hand);
    }
    this.desk?.light();
  }

  /** @param {View} view @param {Context} context */
  update(view, context) {
    const before = this.view;
    if (!before) this.measure();
    this.view = view;
    const b = view.board;
    this.reading.board = b;
    this.root.dataset.phase = b.phase;
    this.root.classList.toggle(
      "manoeuvre",
      ["move", "dest", "clash", "conquest", "fight", "fortress", "losses", "abandon"].includes(b.phase),
    );
    const us = view.seat ?? 0;
    this.plates[0].update(us, view, context.table);
    this.plates[1].update(1 - us, view, context.table);
    this.rondel.update(b);
    this.strip.update(b);
    this.tray.follow(b.phase, view.to_move === view.seat);
    this.score.update(b);
    this.knows.update(b);
    this.display.update(b);
    this.sheet.update(b);
    this.sheet.mark([], "reach");
    this.told = placesIn(context.rows, this.sheet.ids);
    this.sheet.mark(this.told, "struck");
    const came = [...context.rows, ...(context.passed ?? [])];
    if (before && came[0]?.n === this.entry + 1) this.showWays(came, before);
    else if (came.length) this.settle(); // another moment
    this.entry = came.length ? came[came.length - 1].n : context.table.entries;
    if (before && context.rows.length) this.sounds(before.board, b);
    if (!before) requestAnimationFrame(() => requestAnimationFrame(() => this.lookHome(b.sides[us])));
  }

  /** Where only a part of the map is seen, begin with one's own cities. @param {string} side */
  lookHome(side) {
    const { clientWidth: w, clientHeight: hh, scrollWidth, scrollHeight } = this.frame;
    const own = Object.entries(this.view?.board.owner ?? {})
      .filter(([, owner]) => owner === side)
      .map(([id]) => this.sheet.map.regions[id].site);
    if (this.frame.classList.contains("framed")) return; // a lesson shows something else
    if (!own.length || (scrollWidth <= w && scrollHeight <= hh)) return;
    const [, , width, height] = this.sheet.map.viewBox;
    const mean = (/** @type {0 | 1} */ k) => own.reduce((sum, site) => sum + site[k], 0) / own.length;
    this.frame.scrollTo((mean(0) / width) * scrollWidth - w / 2, (mean(1) / height) * scrollHeight - hh / 2);
  }

  /** Arrows for where the other went, since one's own turn. @param {Row[]} rows @param {View} before */
  showWays(rows, before) {
    for (const row of rows) {
      const was = before.board;
      before = row.view;
      if (was.active !== row.view.board.active) this.sheet.arrows.ended(Number(was.active), row.view);
      const to = /^to (\w+)/.exec(row.text)?.[1];
      if (!to || typeof row.who !== "number" || row.who === row.view.seat) continue;
      this.sheet.arrows.add(was.group_from, to, row.who);
      this.told.unshift(was.group_from);
    }
  }

  settle() {
    this.sheet.arrows.clear();
  }

  /** @param {Board} was @param {Board} b */
  sounds(was, b) {
    if (
      JSON.stringify(was.owner) !== JSON.stringify(b.owner) ||
      JSON.stringify(was.army) !== JSON.stringify(b.army)
    )
      sound("card");
    else if (JSON.stringify(was.goods) !== JSON.stringify(b.goods)) sound("coin");
  }

  /** @param {import("/js/match/hands.js").Hands} hands */
  tiles(hands) {
    this.tray.show(this.root, hands.offeredKey);
  }

  /** Where the thing under the pointer could go. @param {import("/js/match/trie.js").Node | null} node */
  reach(node) {
    this.sheet.mark(
      [...(node?.next.keys() ?? [])]
        .filter((touch) => touch.startsWith("region:"))
        .map((touch) => touch.slice(7)),
      "reach",
    );
  }

  /** @param {string} kind @param {string} id */
  name(kind, id) {
    return this.reading.name(kind, id);
  }

  /** @param {string} what */
  info(what) {
    return this.reading.info(what);
  }

  /** @param {Choice} choice */
  hint(choice) {
    return this.reading.hint(choice);
  }

  /** @param {number} seat @param {string} text @param {boolean} low */
  clock(seat, text, low) {
    const us = this.view?.seat ?? 0;
    const plate = this.plates[seat === us ? 0 : 1];
    plate.clock.textContent = text;
    plate.clock.classList.toggle("low", low);
    plate.clock.setAttribute("aria-label", t("clock"));
  }
}
