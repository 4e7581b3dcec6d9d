/**
 * The tray under the map: the legion that marches, the galley that sails, the market, an offer.  Made from
 * what is legal.
 */

import { fillWith, h, icon, still } from "/js/dom.js";
import { speak } from "/js/words.js";
import { amountsOf, splitTouch } from "/js/match/trie.js";
import { arms, mark } from "./emblems.js";

/** @typedef {import("/js/match/hands.js").Hands} Hands */
/** @typedef {import("./view.d.ts").View} View */
/** @typedef {import("./view.d.ts").Offer} Offer */

/** @type {Record<string, string>} */
const SIGN = { tired_general: "general", tired_cavalry: "cavalry" };
const UNIT = { infantry: 0, cavalry: 0, catapult: 0 };
const HEAPS = new Set(["piece", "drop", "load", "land"]);
const GOODS = ["infantry", "cavalry", "catapult", "galley", "city", "wall", "road"];
const CORNERS = ["", "right", "top", "top right"]; // where the tray may lie, the best one first
const MOST = 20; // tokens in a row; more are a number
const AROUND = 40; // pixels around the middle of a place that are to be seen of it

export class Tray {
  /** @param {import("./table.js").ConquestTable} table */
  constructor(table) {
    this.table = table;
    this.el = h("section.tray", { hidden: true, role: "group" });
    this.key = "";
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
      this.table.march.isOn(hands) && this.table.march.wish,
      view.board.moving,
      view.board.offer,
      view.board.offer && this.openWords(view.board.active, view.board.offer.partner),
      acting && view.board.prices,
    ]);
    if (key === this.key) return;
    this.key = key;
    const kids = acting || view.board.offer ? this.fill(view, hands) : [];
    this.el.hidden = !kids.length;
    this.el.dataset.phase = view.board.phase;
    fillWith(this.el, kids);
    if (!kids.length) return;
    this.makeRoom(next);
    const { march } = this.table;
    const regions = next.filter((touch) => touch.startsWith("region:")).map((touch) => touch.slice(7));
    this.uncover(march.isOn(hands) ? [this.table.placeOf(march.touch)] : regions);
  }

  /**
   * Where the tray is as wide as the map and all that is meant lies under it, the map goes up to show it.
   * @param {string[]} areas
   */
  uncover(areas) {
    const { frame, leaf } = this.table;
    const [window, sheet, tray] = [frame, leaf, this.el].map((el) => el.getBoundingClientRect());
    if (tray.width < window.width) return;
    const spots = this.table
      .spots(areas)
      .map(([x, y]) => [sheet.left + x * sheet.width, sheet.top + y * sheet.height])
      .filter(([x, y]) => x > window.left && x < window.right && y > window.top && y < window.bottom);
    const lowest = Math.max(...spots.map(([, y]) => y + AROUND));
    if (spots.every(([, y]) => y + AROUND > tray.top))
      frame.scrollBy({ top: Math.max(0, lowest - tray.top), behavior: still() ? "instant" : "smooth" });
  }

  /** To the corner where it covers the least of what can be touched on the map. @param {string[]} next */
  makeRoom(next) {
    const places = next.flatMap(
      (touch) =>
        this.table.sheet.svg.querySelector(`[data-touch="${CSS.escape(touch)}"]`)?.getBoundingClientRect() ??
        [],
    );
    const covered = CORNERS.map((corner) => {
      this.el.dataset.corner = corner;
      const box = this.el.getBoundingClientRect();
      return Math.round(10 * places.reduce((sum, place) => sum + shareIn(place, box), 0));
    });
    this.el.dataset.corner = CORNERS[covered.indexOf(Math.min(...covered))];
  }

  /** @param {View} view @param {Hands} hands @returns {HTMLElement[]} */
  fill(view, hands) {
    const phase = view.board.phase;
    if (this.table.march.isOn(hands)) return this.party();
    if (view.board.offer) return this.offer(view);
    if (phase === "muster" || phase === "sail") return this.moving(view, hands);
    const buying = [...hands.root.next.keys()].some((touch) => touch.startsWith("goods:"));
    if (phase === "buy" || phase === "raze" || buying) return this.market(view, hands);
    return [];
  }

  // -- a legion, a galley -----------------------------------------------------------------------------

  /** Who goes along with the leader or galley that was touched; nothing is played yet. */
  party() {
    const { march } = this.table;
    const ship = march.touch.startsWith("ship:");
    const sign = ship ? "galley" : march.touch.startsWith("leader:emperor") ? "emperor" : "general";
    return [
      h(
        "h3",
        null,
        mark(sign),
        h("span", null, this.table.area(this.table.placeOf(march.touch))),
        h(
          "button.small.plain",
          { type: "button", "data-touch": "button:stepwise", title: speak("stepwise.help") },
          speak("stepwise"),
        ),
      ),
      h(
        "div.party",
        { role: "group", "aria-label": speak(ship ? "aboard" : "along") },
        Object.entries(march.offer).map(([kind, actions]) => this.amount(kind, actions.length)),
      ),
      ...(Object.values(march.reach).some(({ left }) => left)
        ? [h("small.dotted", null, speak("left.dotted"))]
        : []),
    ];
  }

  /** How many of a kind go along. @param {string} kind @param {number} most */
  amount(kind, most) {
    const { march } = this.table;
    const n = march.wish[kind] ?? 0;
    const name = this.table.word(kind in UNIT ? "unit" : "piece", kind);
    const button = (/** @type {string} */ sign, /** @type {number} */ to, /** @type {string} */ says) =>
      h(
        "button.step",
        {
          type: "button",
          disabled: to < 0 || to > most,
          "aria-label": `${name}: ${speak(says)}`,
          onclick: () => march.take(kind, to),
        },
        icon(sign),
      );
    if (most === 1)
      return h(
        `button.many.one${n ? "" : ".none"}`,
        {
          type: "button",
          "aria-pressed": String(n === 1),
          "aria-label": name,
          title: name,
          onclick: () => march.take(kind, 1 - n),
        },
        h("span.sign", { "data-info": `piece:${kind}` }, mark(SIGN[kind] ?? kind)),
        icon(n ? "check" : "plus"),
      );
    return h(
      `span.many${n ? "" : ".none"}`,
      { role: "group", "aria-label": `${name}: ${n} / ${most}`, title: name },
      button("minus", n - 1, "fewer"),
      h(
        "button.whole",
        {
          type: "button",
          "aria-label": `${name}: ${speak("all.one")}`,
          title: speak("all.one"),
          onclick: () => march.take(kind, n === most ? 1 : most),
        },
        h("span.sign", { "data-info": `piece:${kind}` }, mark(SIGN[kind] ?? kind)),
        h("b", null, `${n}/${most}`),
      ),
      button("plus", n + 1, "more"),
    );
  }

  /** @param {View} view @param {Hands} hands */
  moving(view, hands) {
    const m = view.board.moving;
    if (!m) return [];
    const ship = m.ship === undefined ? null : view.board.ships.find((one) => one.ship === m.ship);
    const along = ship ? ship.hold : sum(m.along ?? {}, m.riding ?? {});
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
    return [head, goes, ...rows];
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
        mark(SIGN[piece] ?? piece),
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

  // -- purchase and offers ------------------------------------------------------------------------------

  /** @param {View} view @param {Hands} hands */
  market(view, hands) {
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
      this.numbers(view, hands),
    ];
  }

  /** How many of the goods: touching the third buys three. @param {View} view @param {Hands} hands */
  numbers(view, hands) {
    const amounts = hands.busy ? null : amountsOf(hands.node);
    const goods = hands.path[0]?.startsWith("goods:") ? hands.path[0].slice(6) : "";
    const buys = hands.busy || GOODS.some((one) => hands.root.next.has(`goods:${one}`));
    return h(
      "div.tokens",
      { role: "group" },
      amounts && goods
        ? [...amounts]
            .sort((a, b) => a - b)
            .map((n) =>
              h(
                "button.token",
                {
                  type: "button",
                  "data-touch": `amount:${n}`,
                  "aria-label": hands.node.next.get(`amount:${n}`)?.choice?.say,
                  title: speak("talents", { n: n * view.board.prices[goods] }),
                },
                mark(goods),
                h("small", null, n),
              ),
            )
        : h("small", null, buys ? speak("market.help") : "\u00a0"), // the tray keeps its height
    );
  }

  /** The terms as they would be. @param {View | null} after */
  preview(after) {
    const view = this.table.view;
    if (view?.board.phase === "amount") fillWith(this.el, this.offer(after?.board.offer ? after : view));
  }

  /** What one seat offers another. @param {View} view */
  offer(view) {
    const { kind, partner, by } = /** @type {Offer} */ (view.board.offer);
    const asking = view.board.active;
    const vote = view.board.phase === "vote";
    const other = by === asking ? partner : asking;
    return [
      h(
        "h3",
        null,
        arms(vote ? asking : by),
        h(
          "span",
          null,
          vote
            ? this.table.seat(asking)
            : speak("deal.between", { name: this.table.seat(by), other: this.table.seat(other) }),
        ),
      ),
      h(
        "p.bargain",
        null,
        mark(vote ? "emperor" : kind === "gift" ? "talents" : "general"),
        h("span", null, vote ? speak("vote") : this.table.word("offer", kind)),
      ),
      ...(vote ? [] : this.shares(view)),
      ...(vote ? [] : this.words(asking, partner)),
    ];
  }

  /** What each of the two would get. @param {View} view */
  shares(view) {
    const { partner } = /** @type {Offer} */ (view.board.offer);
    return [view.board.active, partner].map((seat) => this.share(view, seat)).filter((row) => row !== null);
  }

  /** The peace that is a part of the deal. @param {number} one @param {number} other */
  words(one, other) {
    return this.openWords(one, other).map((peace) =>
      h("p.bargain.peace", null, icon("olive"), h("span", null, speak("peace.for", { n: peace.rounds }))),
    );
  }

  /** @param {number} one @param {number} other */
  openWords(one, other) {
    return (this.table.table?.peace ?? []).filter(
      ({ deal, state, seat, to }) =>
        deal && state === "offered" && [one, other].includes(seat) && [one, other].includes(to),
    );
  }

  /** What one of the two would get. @param {View} view @param {number} seat @returns {HTMLElement | null} */
  share(view, seat) {
    const { gets, gives, payer, talents } = /** @type {Offer} */ (view.board.offer);
    const general = seat === view.board.active ? gets : gives;
    const what = [
      ...(general === null ? [] : [speak("general", { name: this.table.seat(general) })]),
      ...(talents && payer !== seat ? [speak("talents", { n: talents })] : []),
    ];
    if (!what.length) return null;
    const row = speak("gets", { name: this.table.seat(seat), what: what.join(", ") });
    return h(`p.bargain.s${seat}`, null, arms(seat), h("span", null, row));
  }
}

/** How much of a box lies in another one. @param {DOMRect} box @param {DOMRect} other */
function shareIn(box, other) {
  const wide = Math.min(box.right, other.right) - Math.max(box.left, other.left);
  const high = Math.min(box.bottom, other.bottom) - Math.max(box.top, other.top);
  return wide > 0 && high > 0 ? (wide * high) / (box.width * box.height) : 0;
}

/** @param {string} piece @param {number} n @param {string} name */
function chip(piece, n, name) {
  return h("span.chip", { "data-info": `piece:${piece}` }, mark(SIGN[piece] ?? piece, name), h("b", null, n));
}

/** @param {Record<string, number>} a @param {Record<string, number>} b */
function sum(a, b) {
  const all = { ...a };
  for (const [key, n] of Object.entries(b)) all[key] = (all[key] ?? 0) + n;
  return all;
}
