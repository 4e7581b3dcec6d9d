/** Duellum's table: the map, the rondel, the boards beside it, a plate for each seat. */

import { fillWith, h } from "../../dom.js";
import { t } from "../../words.js";
import { play as sound } from "../../sound.js";
import { Generic } from "../generic.js";
import { loadMap } from "../sheet.js";
import { MapSheet } from "./map.js";
import { Display, KnowHows, Plate, Score } from "./panels.js";
import { Reading } from "./reading.js";
import { Rondel } from "./rondel.js";

/** @typedef {import("../../match/model.js").View} View */
/** @typedef {import("../../match/model.js").Choice} Choice */
/** @typedef {import("../../match/model.js").Row} Row */
/** @typedef {import("../../match/model.js").Table} Table */
/** @typedef {import("../../match/hands.js").Hands} Hands */
/** @typedef {{table: Table, rows: Row[]}} Context */

const WIDE = [1280, 806]; // the table that fits at a measure of 1: every length is in units of it
const SMALL = 0.56; // below this everything would be too small: the parts stand one below the other

export class DuellumTable {
  /** @param {import("../../words.js").Title} title */
  constructor(title) {
    this.title = title;
    this.reading = new Reading(title);
    this.large = true;
    /** @type {MapSheet | null} */
    this.sheet = null;
    /** @type {Generic | null} a board that has no map is shown as any title's */
    this.plain = null;
    this.wanted = "";
    /** @type {View | null} */
    this.view = null;
    /** @type {Hands | null} */
    this.hands = null;
    this.rondel = new Rondel(this.reading);
    this.knows = new KnowHows(this.reading);
    this.score = new Score(this.reading);
    this.display = new Display(this.reading);
    this.plates = [new Plate(0, this.reading), new Plate(1, this.reading)];
    this.leaf = h("div.leaf");
    this.frame = h("div.mapframe", null, this.leaf);
    this.map = { window: this.frame, sheet: this.leaf, shape: 1600 / 1080 };
    this.beside = h("div.beside", null, h("div.rondelbox", null, this.rondel.el), this.score.el, this.knows.el, this.display.el);
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
    this.root.style.setProperty("--u", small ? `${Math.max(0.72, Math.min(1, w / 480)).toFixed(3)}px` : `${u.toFixed(4)}px`);
  }

  /** @param {View} view @param {Context} context */
  update(view, context) {
    const before = this.view;
    this.view = view;
    const b = view.board;
    if (!b.map) {
      this.showPlain(view, context);
      return;
    }
    this.reading.board = b;
    if (this.wanted !== b.map) this.fetch(b.map);
    this.root.dataset.phase = b.phase;
    this.root.classList.toggle("manoeuvre", ["move", "dest", "clash", "conquest", "fight", "fortress", "losses"].includes(b.phase));
    const us = view.seat ?? 0;
    this.plates[0].update(us, view, context.table);
    this.plates[1].update(1 - us, view, context.table);
    this.rondel.update(b);
    this.score.update(b);
    this.knows.update(b);
    this.display.update(b);
    this.sheet?.update(b);
    this.sheet?.mark([], "reach");
    this.sheet?.mark(this.struck(context.rows), "struck");
    if (before && context.rows.length) this.sounds(before.board, b);
  }

  /** Where something has just happened. @param {Row[]} rows */
  struck(rows) {
    const ids = this.sheet?.ids ?? [];
    return rows.filter((row) => typeof row.who === "number").flatMap((row) => row.text.split(" ").filter((word) => ids.includes(word)));
  }

  /** @param {Record<string, any>} was @param {Record<string, any>} b */
  sounds(was, b) {
    if (JSON.stringify(was.owner) !== JSON.stringify(b.owner) || JSON.stringify(was.army) !== JSON.stringify(b.army)) sound("card");
    else if (JSON.stringify(was.goods) !== JSON.stringify(b.goods)) sound("coin");
  }

  /** @param {string} name */
  async fetch(name) {
    this.wanted = name;
    const map = await loadMap(name);
    if (this.wanted !== name || !this.view) return;
    this.reading.map = map;
    this.sheet = new MapSheet(map, this.reading);
    this.map.shape = map.viewBox[2] / map.viewBox[3];
    this.root.style.setProperty("--shape", String(this.map.shape));
    fillWith(this.leaf, this.sheet.svg);
    this.sheet.update(this.view.board);
    this.hands?.light();
  }

  /** @param {View} view @param {Context} context */
  showPlain(view, context) {
    if (!this.plain) {
      this.plain = new Generic(this.title);
      this.root.className = "plainboard";
      fillWith(this.root, this.plain.root);
    }
    this.plain.update(view, context);
  }

  /** @param {Hands} hands */
  tiles(hands) {
    this.hands = hands;
    this.plain?.tiles(hands);
  }

  /** Show what a choice would lead to. @param {View | null} after @param {Choice[]} [legal] what could be done then */
  preview(after, legal = []) {
    const b = after?.board ?? this.view?.board;
    if (!this.sheet || !b) return;
    const reach = after ? legal.flatMap((choice) => choice.touches).filter((touch) => touch.startsWith("region:")).map((touch) => touch.slice(7)) : [];
    this.sheet.mark(reach, "reach");
  }

  /** @param {string} kind @param {string} id */
  name(kind, id) {
    return this.plain ? this.plain.name(kind, id) : this.reading.name(kind, id);
  }

  /** @param {string} what */
  info(what) {
    return this.plain ? null : this.reading.info(what);
  }

  /** @param {Choice} choice */
  hint(choice) {
    return this.plain ? "" : this.reading.hint(choice);
  }

  /** @param {string[]} path */
  attempt(path) {
    return this.plain ? null : this.reading.attempt(path);
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
