/** Duellum's table: the map, the rondel, the boards beside it, a plate for each seat. */

import { h } from "/js/dom.js";
import { t } from "/js/words.js";
import { play as sound } from "/js/sound.js";
import { Generic } from "/js/titles/generic.js";
import { loadMap } from "/js/titles/sheet.js";
import { MapSheet } from "./map.js";
import { Display, KnowHows, Plate, Score } from "./panels.js";
import { Reading } from "./reading.js";
import { Rondel } from "./rondel.js";

/** @typedef {import("/js/match/model.js").View} View */
/** @typedef {import("/js/match/model.js").Choice} Choice */
/** @typedef {import("/js/match/model.js").Row} Row */
/** @typedef {import("/js/match/model.js").Table} Table */
/** @typedef {{table: Table, rows: Row[]}} Context */

const WIDE = [1280, 806]; // the table that fits at a measure of 1: every length is in units of it
const SMALL = 0.56; // below this everything would be too small: the parts stand one below the other

/**
 * A board of somebody's own has no map and is shown as any title's.
 * @param {import("/js/words.js").Title} title @param {View} view
 */
export async function draw(title, view) {
  return view.board.map
    ? new DuellumTable(title, await loadMap(`/titles/duellum/maps/${view.board.map}.json`))
    : new Generic(title);
}

export class DuellumTable {
  /** @param {import("/js/words.js").Title} title @param {import("/js/titles/sheet.js").MapFile} map */
  constructor(title, map) {
    this.reading = new Reading(title, map);
    this.sheet = new MapSheet(map, this.reading);
    /** @type {View | null} */
    this.view = null;
    this.rondel = new Rondel(this.reading);
    this.knows = new KnowHows(this.reading);
    this.score = new Score(this.reading);
    this.display = new Display(this.reading);
    this.plates = [new Plate(0, this.reading), new Plate(1, this.reading)];
    this.leaf = h("div.leaf", null, this.sheet.svg);
    this.frame = h("div.mapframe", null, this.leaf);
    this.map = { window: this.frame, sheet: this.leaf, shape: map.viewBox[2] / map.viewBox[3] };
    this.beside = h(
      "div.beside",
      null,
      h("div.rondelbox", null, this.rondel.el),
      this.score.el,
      this.knows.el,
      this.display.el,
    );
    this.root = h("div.duellum", null, this.plates[1].el, this.frame, this.plates[0].el, this.beside);
    new ResizeObserver(() => this.measure()).observe(this.root);
  }

  /** One measure rules all: so large that everything fits. */
  measure() {
    const { clientWidth: w, clientHeight: hh } = this.root;
    if (!w || !hh) return;
    const u = Math.min(w / WIDE[0], hh / WIDE[1]);
    const small = u < SMALL || w < 700;
    this.root.classList.toggle("small", small);
    this.root.classList.toggle("upright", small && hh > w);
    const less = hh > w ? Math.max(0.72, Math.min(1, w / 480)) : Math.max(0.68, Math.min(1, hh / 450));
    this.root.style.setProperty("--u", `${(small ? less : u).toFixed(4)}px`);
  }

  /** @param {View} view @param {Context} context */
  update(view, context) {
    const before = this.view;
    this.view = view;
    const b = view.board;
    this.reading.board = b;
    this.root.dataset.phase = b.phase;
    this.root.classList.toggle(
      "manoeuvre",
      ["move", "dest", "clash", "conquest", "fight", "fortress", "losses"].includes(b.phase),
    );
    const us = view.seat ?? 0;
    this.plates[0].update(us, view, context.table);
    this.plates[1].update(1 - us, view, context.table);
    this.rondel.update(b);
    this.score.update(b);
    this.knows.update(b);
    this.display.update(b);
    this.sheet.update(b);
    this.sheet.mark([], "reach");
    this.sheet.mark(this.struck(context.rows), "struck");
    if (before && context.rows.length) this.sounds(before.board, b);
    if (!before) requestAnimationFrame(() => requestAnimationFrame(() => this.lookHome(b.sides[us])));
  }

  /** Where only a part of the map is seen, begin with one's own cities. @param {string} side */
  lookHome(side) {
    const { clientWidth: w, clientHeight: hh, scrollWidth, scrollHeight } = this.frame;
    const own = Object.entries(this.view?.board.owner ?? {})
      .filter(([, owner]) => owner === side)
      .map(([id]) => this.sheet.map.regions[id].site);
    if (!own.length || (scrollWidth <= w && scrollHeight <= hh)) return;
    const [, , width, height] = this.sheet.map.viewBox;
    const mean = (/** @type {0 | 1} */ k) => own.reduce((sum, site) => sum + site[k], 0) / own.length;
    this.frame.scrollTo((mean(0) / width) * scrollWidth - w / 2, (mean(1) / height) * scrollHeight - hh / 2);
  }

  /** Where something has just happened. @param {Row[]} rows */
  struck(rows) {
    const { ids } = this.sheet;
    return rows
      .filter((row) => typeof row.who === "number")
      .flatMap((row) => row.text.split(" ").filter((word) => ids.includes(word)));
  }

  /** @param {Record<string, any>} was @param {Record<string, any>} b */
  sounds(was, b) {
    if (
      JSON.stringify(was.owner) !== JSON.stringify(b.owner) ||
      JSON.stringify(was.army) !== JSON.stringify(b.army)
    )
      sound("card");
    else if (JSON.stringify(was.goods) !== JSON.stringify(b.goods)) sound("coin");
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

  /** Units set out and arrive in one gesture. @param {Choice} choice */
  leadsOn(choice) {
    return /^(send|lead)\b/.test(choice.action);
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
