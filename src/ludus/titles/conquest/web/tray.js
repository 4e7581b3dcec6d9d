/**
 * The tray under the map: the legion that marches, the galley that sails, the market, an offer.  Made from
 * what is legal.
 */

import { fillWith, h } from "/js/dom.js";
import { speak } from "/js/words.js";
import { splitTouch } from "/js/match/trie.js";
import { arms, mark } from "./emblems.js";

/** @typedef {import("/js/match/hands.js").Hands} Hands */
/** @typedef {import("/js/match/model.js").View} View */

const SIGN = { tired_general: "general", tired_cavalry: "cavalry" };
const HEAPS = new Set(["piece", "drop", "load", "land"]);
const GOODS = ["infantry", "cavalry", "catapult", "galley", "city", "wall", "road"];
const MOST = 20; // tokens in a row; more are a number

export class Tray {
  /** @param {import("./table.js").ConquestTable} table */
  constructor(table) {
    this.table = table;
    this.el = h("section.tray", { hidden: true, role: "group" });
    this.key = "";
    this.taken = false; // all that could go along was taken with the leader
  }

  /** @param {View} view @param {Hands} hands */
  show(view, hands) {
    const acting = view.seat !== null && view.to_move === view.seat && !hands.frozen;
    const next = acting && !hands.busy ? [...hands.node.next.keys()] : [];
    const key = JSON.stringify([
      view.board.phase,
      acting,
      hands.path,
      next,
      hands.busy,
      this.taken,
      view.board.moving,
      view.board.offer,
      acting && view.board.prices,
    ]);
    if (key === this.key) return;
    this.key = key;
    const kids = acting || view.board.offer ? this.fill(view, hands) : [];
    this.el.hidden = !kids.length;
    this.el.dataset.phase = view.board.phase;
    fillWith(this.el, kids);
  }

  /** @param {View} view @param {Hands} hands @returns {HTMLElement[]} */
  fill(view, hands) {
    const phase = view.board.phase;
    if (view.board.offer) return this.offer(view);
    if (phase === "muster" || phase === "sail") return this.moving(view, hands);
    if (phase === "buy") return this.market(view);
    return [];
  }

  // -- a legion, a galley -----------------------------------------------------------------------------

  /** @param {View} view @param {Hands} hands */
  moving(view, hands) {
    const m = view.board.moving;
    if (!m) return [];
    const ship =
      m.ship === undefined ? null : view.board.ships.find((/** @type {any} */ one) => one.ship === m.ship);
    const along = ship ? ship.hold : sum(m.along, m.riding);
    const head = h(
      "h3",
      null,
      mark(ship ? "galley" : m.leader === "emperor" ? "emperor" : "general"),
      h("span", null, this.table.area(m.here)),
      h("small", null, speak("points", { n: m.points })),
    );
    const cargo = Object.entries(along);
    const goes = h(
      "p.along",
      null,
      h("small", null, speak(ship ? "aboard" : "along")),
      cargo.length
        ? cargo.map(([piece, n]) => chip(piece, n, this.table.word(ship ? "cargo" : "piece", piece)))
        : h("span", null, "–"),
    );
    const rows = hands.busy
      ? []
      : [...hands.root.next.keys()]
          .filter((touch) => HEAPS.has(splitTouch(touch)[0]))
          .map((touch) => this.row(hands, touch));
    const again =
      this.taken && !ship
        ? h("button.small", { type: "button", onclick: () => this.chooseAnew() }, speak("choose"))
        : null;
    return [head, goes, ...rows, ...(again ? [again] : [])];
  }

  /** Pieces of one kind: touching the third takes three. @param {Hands} hands @param {string} touch */
  row(hands, touch) {
    const [kind, piece] = splitTouch(touch);
    const node = hands.root.next.get(touch);
    const amounts = node ? [...node.next.keys()].map((id) => Number(id.slice(7))).sort((a, b) => a - b) : [];
    const name = this.table.word(kind === "piece" || kind === "drop" ? "piece" : "cargo", piece);
    const verb = speak(kind === "land" ? "ashore" : kind);
    const tokens = amounts.slice(0, MOST).map((n) =>
      h(
        "button.token",
        {
          type: "button",
          "aria-label": `${verb} ${n} × ${name}`,
          title: `${verb} ${n} × ${name}`,
          onclick: () => hands.step([touch, `amount:${n}`]),
        },
        mark(/** @type {any} */ (SIGN)[piece] ?? piece),
        h("small", null, n),
      ),
    );
    return h(
      `div.heaprow.k-${kind}`,
      null,
      h("span.heapname", { "data-touch": touch, "data-role": "group" }, verb, " ", name),
      h("span.tokens", null, tokens),
    );
  }

  /** All units went along; take that back and choose. */
  async chooseAnew() {
    this.taken = false;
    await this.table.desk?.undo();
  }

  // -- purchase and offers ------------------------------------------------------------------------------

  /** @param {View} view */
  market(view) {
    const b = view.board;
    const left = { ...b.seats[view.seat ?? 0].left, ...b.stock };
    return [
      h(
        "h3",
        null,
        mark("talents"),
        h("span", null, speak("talents", { n: b.seats[view.seat ?? 0].talents })),
      ),
      h(
        "div.wares",
        null,
        GOODS.map((goods) =>
          h(
            "div.wareitem",
            {
              "data-touch": `goods:${goods}`,
              "data-info": `goods:${goods}`,
              role: "img",
              "aria-label": `${this.table.word("goods", goods)}: ${b.prices[goods]}, ${speak("left", { n: left[goods] })}`,
            },
            mark(goods),
            h("b", null, b.prices[goods]),
            h("small", null, speak("left", { n: left[goods] })),
          ),
        ),
      ),
    ];
  }

  /** What one seat offers another. @param {View} view */
  offer(view) {
    const { kind, partner, talents } = view.board.offer;
    const asking = view.board.active;
    const vote = view.board.phase === "vote";
    return [
      h(
        "h3",
        null,
        arms(asking),
        h("span", null, `${this.table.seat(asking)} → ${this.table.seat(partner)}`),
      ),
      h(
        "p.bargain",
        null,
        vote ? mark("emperor") : mark("general"),
        h("span", null, vote ? speak("vote") : this.table.word("offer", kind)),
        !vote && kind !== "exchange" ? h("b", null, speak("talents", { n: talents })) : null,
      ),
    ];
  }
}

/** @param {string} piece @param {any} n @param {string} name */
function chip(piece, n, name) {
  return h(
    "span.chip",
    { title: name },
    mark(/** @type {any} */ (SIGN)[piece] ?? piece, name),
    h("b", null, n),
  );
}

/** @param {Record<string, number>} a @param {Record<string, number>} b */
function sum(a, b) {
  const all = { ...a };
  for (const [key, n] of Object.entries(b ?? {})) all[key] = (all[key] ?? 0) + n;
  return all;
}
