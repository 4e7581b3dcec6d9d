/** Printed on the map where nobody marches: the track of tribute with its two marks, and the market. */

import { s } from "/js/dom.js";
import { speak } from "/js/words.js";
import { sign, SHAPES } from "./emblems.js";

/** @typedef {import("./view.d.ts").Board} Board */

const STEP = 5;
const CELLS = 42; // up to 210; a marker further on stands on the last cell
const ROW = 14;
const CELL = { x: 914, y: 60, w: 48, h: 42 };
const GOODS = ["infantry", "cavalry", "catapult", "galley", "city", "wall", "road"];
const MARKET = { x: 22, y: 990, w: 75 };

/** The cell in which a tribute is marked. @param {number} tribute */
const cellOf = (tribute) => Math.max(0, Math.min(CELLS - 1, Math.ceil(tribute / STEP) - 1));

/** Where it lies. @param {number} tribute @returns {[number, number]} */
function spot(tribute) {
  const k = cellOf(tribute);
  return [CELL.x + (k % ROW) * CELL.w, CELL.y + Math.floor(k / ROW) * CELL.h];
}

export class Track {
  /** @param {(seat: number) => string} name how a seat is called */
  constructor(name) {
    this.name = name;
    this.markers = s("g.markers");
    /** @type {SVGElement[]} */
    this.marker = [];
    /** @type {SVGElement[]} how long until a step of inflation; drawn where the first view puts them */
    this.countdown = [];
    this.round = s("text.roundmark", { x: CELL.x + ROW * CELL.w, y: 46 });
    this.cells = Array.from({ length: CELLS }, (_, k) => {
      const value = (k + 1) * STEP;
      return s(
        "g.cell",
        { transform: `translate(${spot(value).join(" ")})` },
        s("rect", { width: CELL.w, height: CELL.h }),
        s("text", { x: 4, y: 12 }, value),
      );
    });
    this.el = s(
      "g.track",
      { "data-info": "track", role: "img" },
      s("rect.tablet", { x: CELL.x - 10, y: 20, width: ROW * CELL.w + 20, height: CELL.y + 3 * CELL.h - 10 }),
      s("text.headline", { x: CELL.x, y: 48 }, speak("track")),
      this.round,
      this.cells,
      this.markers,
    );
    this.key = "";
  }

  /** Mark the cell at which a step of inflation begins. @param {{at: number, times: number}} step */
  mark(step) {
    const [x, y] = spot(step.at);
    const cell = this.cells[cellOf(step.at)];
    cell.classList.add("hot");
    cell.append(s("text.times", { x: CELL.w - 4, y: 13 }, `×${step.times}`));
    const countdown = s("text.countdown", { x: x + CELL.w / 2, y: y + 37 });
    this.markers.before(countdown);
    return countdown;
  }

  /** @param {Board} board */
  show(board) {
    if (!this.countdown.length) this.countdown = board.inflation.map((step) => this.mark(step));
    const tributes = board.seats.map((seat) => (seat.emperor === null ? null : seat.tribute));
    const key = JSON.stringify([tributes, board.inflation, board.round]);
    if (key === this.key) return;
    this.key = key;
    this.round.textContent = speak("round", { n: board.round });
    /** @type {Record<string, number>} */
    const crowd = {};
    tributes.forEach((tribute, seat) => {
      let el = this.marker[seat];
      if (!el) {
        el = this.marker[seat] = s(`path.marker.s${seat}`, { d: SHAPES[seat] });
        this.markers.append(el);
      }
      el.classList.toggle("gone", tribute === null);
      const [x, y] = spot(tribute ?? 0);
      const k = tribute === null ? 0 : (crowd[`${x} ${y}`] = (crowd[`${x} ${y}`] ?? -1) + 1);
      el.setAttribute(
        "transform",
        `translate(${x + 11 + (k % 3) * 13} ${y + 22 + Math.floor(k / 3) * 11}) scale(.8)`,
      );
    });
    board.inflation.forEach((step, k) => {
      this.countdown[k].textContent =
        step.state === "in_force" ? "✓" : step.state === "announced" ? `−${step.turns}` : "";
    });
    this.el.setAttribute(
      "aria-label",
      `${speak("track")}: ${tributes
        .map((n, seat) => (n === null ? "" : `${this.name(seat)} ${n}`))
        .filter(Boolean)
        .join(", ")}`,
    );
  }
}

/** Prices now, and what is left: cities, walls and roads for all, pieces for whoever looks. */
export class Market {
  /** @param {(goods: string) => string} name */
  constructor(name) {
    this.name = name;
    this.head = s("text.headline", { x: MARKET.x + 2, y: MARKET.y - 10 });
    /** @type {Record<string, {price: SVGElement, left: SVGElement}>} */
    this.cells = {};
    const cells = GOODS.map((goods, k) => {
      const cell = { price: s("text.price", { x: 44, y: 25 }), left: s("text.stockleft", { x: 36, y: 52 }) };
      this.cells[goods] = cell;
      return s(
        "g.ware",
        { transform: `translate(${MARKET.x + k * MARKET.w} ${MARKET.y})`, "data-info": `goods:${goods}` },
        s("rect", { width: MARKET.w, height: 62 }),
        sign(goods, 22, 20, 26),
        cell.price,
        cell.left,
      );
    });
    this.el = s(
      "g.market",
      { role: "img" },
      s("rect.tablet", {
        x: MARKET.x - 8,
        y: MARKET.y - 34,
        width: GOODS.length * MARKET.w + 16,
        height: 104,
      }),
      this.head,
      cells,
    );
    this.key = "";
  }

  /** @param {Board} board @param {number} seat */
  show(board, seat) {
    const left = { ...board.seats[seat].left, ...board.stock };
    const key = JSON.stringify([board.prices, left]);
    if (key === this.key) return;
    this.key = key;
    this.head.textContent = board.price > 1 ? `${speak("market")} ×${board.price}` : speak("market");
    this.el.classList.toggle("inflated", board.price > 1);
    for (const goods of GOODS) {
      this.cells[goods].price.textContent = String(board.prices[goods]);
      this.cells[goods].left.textContent = speak("left", { n: left[goods] });
    }
    this.el.setAttribute(
      "aria-label",
      `${speak("market")}: ${GOODS.map((goods) => `${this.name(goods)} ${board.prices[goods]}, ${speak("left", { n: left[goods] })}`).join("; ")}`,
    );
  }
}
