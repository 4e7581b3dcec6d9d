/** Roma's table: two rows of cards, the discs between them, dice, hand, coins. */

import { fillWith, h, still } from "/js/dom.js";
import { colon, fillIn, labelOf, seatName, speak, t } from "/js/words.js";
import { play as sound } from "/js/sound.js";
import { cardBack, cardFace, discFace, flyFrom, flyTo, wreath, wreaths } from "./pieces.js";
import { BattleDie, Die, Tray } from "./dice.js";
import { Top } from "./discard.js";
import { changeNumber, delta, newPlate } from "./plates.js";
import { hint, showChances, showCovered, tellCard } from "./reading.js";

/** @typedef {import("./view.d.ts").View} View */
/** @typedef {import("/js/match/model.js").Row<View>} Row */
/** @typedef {import("/js/match/model.js").Choice} Choice */
/** @typedef {import("/js/match/model.js").Table} Table */
/** @typedef {import("/js/words.js").Title} Title */

const DISCS = ["1", "2", "3", "4", "5", "6"];
const ASIDE = new Set(["keep", "search"]); // cards that lie apart from the hand are chosen from
const FEW = 6; // cards to choose from that find room over the hand

export class RomaTable {
  /** @param {Title} title */
  constructor(title) {
    this.title = title;
    /** @type {import("/js/titles/index.js").Desk<View> | null} */
    this.desk = null;
    /** @type {View | null} */
    this.view = null;
    this.us = 0;
    this.top = new Top();
    this.covers = false; // whether the card that is picked could be laid over another
    this.tray = new Tray();
    this.battle = new BattleDie();
    this.updates = 0;
    /** @type {Record<string, HTMLElement>} */
    this.discs = {};
    /** @type {HTMLElement[][]} slots by side (0: ours, below; 1: theirs) and disc */
    this.slots = [[], []];
    /** @type {HTMLElement} folds many cards away, and back */
    this.fold = h("button");
    this.root = this.build();
    new ResizeObserver(() => this.measure()).observe(this.root);
  }

  /** One measure rules all: the width of a card, so large that everything fits. */
  measure() {
    const { clientWidth: w, clientHeight: h } = this.root;
    if (!w || !h) return;
    const rem = parseFloat(getComputedStyle(document.documentElement).fontSize);
    const [gap, pad] = [Math.max(4, Math.min(12, w * 0.007)), Math.max(6, Math.min(20, w * 0.012))];
    const wide = Math.min((w - 2 * pad - 7 * gap) / 8.15, (h - 2 * pad - 3.4 * rem - 4 * gap) / 4.98);
    const tall = Math.min((w - 2 * pad - 5 * gap) / 6, (h - 2 * pad - 7 * gap - 6.9 * rem) / 6.85);
    // A phone lying on its side: hand and dice beside the rows.  A short one: everything a little flatter.
    const beside = Math.min((w - 2 * pad - 11 * gap) / 11.28, (h - 2 * pad - 2 * gap) / 3.6);
    const flat = Math.min((w - 2 * pad - 5 * gap) / 6, (h - 2 * pad - 7 * gap - 5.9 * rem) / 5.9);
    const low = h < 480 && w > 1.5 * h;
    const narrow = !low && (w <= 640 ? h > w * 0.7 : tall > wide * 1.1);
    const short = narrow && flat > tall * 1.04;
    for (const [name, on] of Object.entries({ low, narrow, short })) this.root.classList.toggle(name, on);
    const card = low ? beside : short ? flat : narrow ? tall : wide;
    const felt = /** @type {HTMLElement} */ (this.root.firstElementChild);
    for (const [name, px] of Object.entries({ "--cw": card, "--gap": gap, "--pad": pad }))
      felt.style.setProperty(name, `${px.toFixed(2)}px`);
  }

  // -- building -----------------------------------------------------------------------------------

  build() {
    for (const which of [...DISCS, "money", "cards"]) {
      this.discs[which] = h(
        `div.disc.d-${which}`,
        {
          "data-touch": `disc:${which}`,
          "data-info": `disc:${which}`,
          role: "img",
          "aria-label": this.discName(which),
        },
        discFace(which),
        h("span.bolt", { "aria-hidden": "true" }),
      );
    }
    const rows = [0, 1].map((side) =>
      h(
        side ? "div.row.them" : "div.row.us",
        null,
        DISCS.map((disc) => {
          const slot = h("div.slot", null, h("span.numeral", { "aria-hidden": "true" }, disc));
          this.slots[side].push(slot);
          return slot;
        }),
      ),
    );
    this.plates = [newPlate(0), newPlate(1)];
    this.hand = h("div.hand", { role: "group", "aria-label": speak("hand") });
    this.deck = h("div.pile.deck", { "data-info": "deck", role: "img" });
    this.discard = h("div.pile.discard", { "data-info": "discard", role: "img" });
    this.stock = h("div.pile.stock", { "data-info": "stock", role: "img" });
    this.offer = h("div.offer", { role: "group", hidden: true });
    const look = () => this.unfold(!!this.offer?.classList.contains("folded"));
    this.fold = h("button.secondary.fold", { type: "button", hidden: true, onclick: look });
    return h(
      "div.roma",
      null,
      h(
        "div.felt",
        null,
        this.plates[1].el,
        this.deck,
        this.discard,
        this.stock,
        rows[1],
        h(
          "div.strip",
          null,
          DISCS.map((d) => this.discs[d]),
        ),
        this.discs.cards,
        this.discs.money,
        rows[0],
        this.tray.el,
        this.plates[0].el,
        this.hand,
        this.offer,
        this.fold,
        this.battle.el,
      ),
    );
  }

  /** @param {string} which */
  discName(which) {
    return labelOf(this.title, "disc", which);
  }

  /** @param {string} name */
  cardName(name) {
    return labelOf(this.title, "card", name);
  }

  /** @param {string} name @returns {import("./pieces.js").Print} */
  print(name) {
    return this.title.printed.cards[name];
  }

  /** A card, face up. @param {string} name @param {{defence?: number, count?: number}} [now] */
  face(name, now) {
    return cardFace(name, this.cardName(name), this.print(name), now);
  }

  /** What a card says to a screen reader. @param {string} name @param {number} [defence] */
  cardLabel(name, defence) {
    const print = this.print(name);
    return speak("card", {
      card: this.cardName(name),
      kind: labelOf(this.title, "kind", print.kind),
      price: print.price,
      defence: defence ?? print.defence,
    });
  }

  // -- showing a view -----------------------------------------------------------------------------

  /**
   * Show a view.  With `rows`, what led to it is shown moving: dice first, then what they bring.
   * @param {View} view
   * @param {{table: Table, rows: Row[], passed?: Row[]}} context
   * @returns {Promise<void>} kept when all of it can be seen
   */
  async update(view, context) {
    const mine = ++this.updates;
    const was = this.view?.seat === view.seat ? this.view?.board : undefined;
    const fight = was && context.rows.find((row) => row.text.startsWith("battle "));
    if (fight) {
      this.battle.roll(Number(fight.text.split(" ")[1]), was.target || was.source);
      await this.battle.die.landed;
    }
    if (mine !== this.updates) return; // something newer was shown meanwhile
    await this.show(view, context);
  }

  /**
   * @param {View} view @param {{table: Table, rows: Row[], passed?: Row[]}} context
   * @returns {Promise<unknown>} kept when the dice lie still
   */
  show(view, context) {
    const before = this.view;
    const moving = context.rows.length > 0 && before !== null && before.seat === view.seat;
    const from = moving ? this.places() : null;
    this.view = view;
    this.us = view.seat ?? 0;
    const b = view.board;
    for (const side of [0, 1]) this.showPlate(side, context.table);
    for (const side of [0, 1]) this.showRow(side);
    this.showDiscs();
    for (const row of [...(context.passed ?? []), ...context.rows])
      this.top.pass(row.n, row.view.board.discard);
    this.top.rest(b.discard);
    this.showPiles();
    this.showHand();
    this.showOffer();
    const was = moving || !context.rows.length ? before?.board : undefined;
    const theirs = typeof view.to_move === "number" && view.to_move !== this.us;
    const landed = this.tray.show(b, was, context.rows, theirs);
    this.root.classList.toggle("ended", b.phase === "ended");
    this.root.dataset.phase = b.phase;
    this.battle.show(b, before?.board);
    if (moving && from) for (const row of context.rows) this.move(row, from);
    return landed;
  }

  /** @param {number} side */
  seatAt(side) {
    return side === 0 ? this.us : 1 - this.us;
  }

  /** @param {number} side @param {Table} table */
  showPlate(side, table) {
    const view = /** @type {View} */ (this.view);
    const b = view.board;
    const seat = this.seatAt(side);
    const plate = /** @type {NonNullable<RomaTable["plates"]>} */ (this.plates)[side];
    const who = table.seats[seat];
    plate.el.classList.toggle("turn", view.to_move === seat);
    fillWith(
      plate.name,
      h("span.dot", { class: who.present ? "here" : "", title: who.present ? t("here") : t("away") }),
      h("b", null, seatName(who)),
      side === 0 && view.seat !== null ? h("small", null, t("you")) : null,
    );
    changeNumber(
      plate.points,
      b.points[seat],
      wreaths(b.points[seat]),
      speak("points", { n: b.points[seat] }),
      "laurel",
    );
    changeNumber(plate.money, b.money[seat], null, speak("money", { n: b.money[seat] }), "sesterce");
    const n = countOf(b.hand[seat]) + countOf(b.aside[seat]);
    if (side === 1) {
      changeNumber(
        plate.cards,
        n,
        h(
          "span.backs",
          { "aria-hidden": "true" },
          Array.from({ length: Math.min(n, 9) }, () => h("i")),
        ),
        speak("cards", { n }),
        "cards",
      );
    } else {
      changeNumber(plate.cards, n, null, speak("cards", { n }), "cards");
    }
    plate.el.dataset.seat = String(seat);
  }

  /** @param {number} side */
  showRow(side) {
    const view = /** @type {View} */ (this.view);
    const b = view.board;
    const seat = this.seatAt(side);
    const own = side === 0 && view.seat !== null;
    DISCS.forEach((disc, k) => {
      const slot = this.slots[side][k];
      const name = b.board[seat][disc];
      const hidden = b.facedown[seat]?.[disc];
      const down = b.down[seat].includes(Number(disc));
      const blocked = b.blocked[seat].includes(Number(disc));
      const defence = b.defence[seat]?.[disc];
      const key = `${name ?? ""}|${hidden ?? ""}|${down}|${defence ?? ""}`;
      if (slot.dataset.key !== key) {
        slot.dataset.key = key;
        slot.querySelector(".card")?.remove();
        if (name) slot.append(this.face(name, { defence }));
        else if (hidden) {
          const face = this.face(hidden);
          face.classList.add("down");
          slot.append(face);
        } else if (down) slot.append(cardBack());
      }
      const shown = name ?? hidden;
      const changed = name && defence !== undefined && defence !== this.print(name).defence;
      slot.dataset.touch = `side${seat}:${disc}`;
      if (own && b.phase !== "block") slot.dataset.also = `disc:${disc}`;
      else delete slot.dataset.also;
      slot.dataset.info = shown ? `card:${shown}${changed ? `@${seat}.${disc}` : ""}` : `slot:${disc}`;
      slot.classList.toggle("empty", !shown && !down);
      slot.classList.toggle("blocked", blocked);
      slot.classList.toggle(
        "source",
        b.source === Number(disc) &&
          b.player === seat &&
          !["act", "ended", "pass", "place"].includes(b.phase),
      );
      slot.classList.toggle("attacked", b.target === Number(disc) && b.player !== seat);
      slot.setAttribute("role", slot.getAttribute("role") ?? "img");
      const what = shown ? this.cardLabel(shown, defence) : down ? speak("facedown") : speak("empty");
      const whose = view.seat === null ? "" : side === 0 ? speak("yours") : speak("theirs");
      slot.setAttribute(
        "aria-label",
        `${this.discName(disc)}${whose ? `, ${whose}` : ""}${colon()}${what}${blocked ? `, ${speak("blocked")}` : ""}`,
      );
    });
  }

  showDiscs() {
    const b = /** @type {View} */ (this.view).board;
    for (const disc of DISCS) {
      this.discs[disc].classList.toggle("blocked", b.blocked[this.us].includes(Number(disc)));
      this.discs[disc].classList.toggle("blocked-them", b.blocked[1 - this.us].includes(Number(disc)));
      this.discs[disc].classList.toggle("idle", b.idle.includes(Number(disc)));
    }
  }

  showPiles() {
    const b = /** @type {View} */ (this.view).board;
    const deck = /** @type {HTMLElement} */ (this.deck);
    const discard = /** @type {HTMLElement} */ (this.discard);
    const stock = /** @type {HTMLElement} */ (this.stock);
    fillWith(deck, b.deck_size ? cardBack() : null, h("span.count", null, b.deck_size));
    deck.setAttribute("aria-label", speak("deck", { n: b.deck_size }));
    const n = countOf(b.discard);
    const { card } = this.top;
    fillWith(
      discard,
      card
        ? this.face(card)
        : [n ? h("div.card.unknown") : null, h("span.label", null, speak("discard.short"))],
      h("span.count", null, n),
    );
    discard.setAttribute("aria-label", speak("discard", { n }));
    fillWith(
      stock,
      h(
        "span.heap",
        { "aria-hidden": "true" },
        Array.from({ length: Math.min(36, b.stock) }, () => wreath()),
      ),
      h("span.count", null, b.stock),
      h("span.label", null, speak("stock.short")),
    );
    stock.setAttribute("aria-label", speak("stock", { n: b.stock }));
  }

  showHand() {
    const view = /** @type {View} */ (this.view);
    const hand = /** @type {HTMLElement} */ (this.hand);
    const mine = view.seat === null ? {} : (view.board.hand[view.seat] ?? {});
    const touchable = !ASIDE.has(view.board.phase) && !["fetch", "relay"].includes(view.board.phase);
    const wanted = /** @type {string[]} */ ([]);
    for (const [name, n] of Object.entries(mine))
      for (let k = 0; k < Number(n); k++) wanted.push(`${name}#${k}`);
    /** @type {Map<string, HTMLElement>} */
    const have = new Map(
      [...hand.querySelectorAll("[data-key]")].map((el) => [
        /** @type {HTMLElement} */ (el).dataset.key ?? "",
        /** @type {HTMLElement} */ (el),
      ]),
    );
    const kids = wanted.map((key) => {
      const name = key.split("#")[0];
      const el =
        have.get(key) ??
        h(
          "div.held",
          { "data-key": key, "data-info": `card:${name}`, role: "img", "aria-label": this.cardLabel(name) },
          this.face(name),
        );
      if (touchable) el.dataset.touch = `card:${name}`;
      else delete el.dataset.touch;
      return el;
    });
    if (kids.length !== hand.children.length || kids.some((kid, k) => hand.children[k] !== kid))
      fillWith(hand, kids);
    hand.style.setProperty("--n", String(Math.max(1, kids.length)));
    hand.classList.toggle("none", !kids.length);
    const count = view.seat === null ? 0 : countOf(view.board.hand[view.seat]);
    if (!kids.length)
      fillWith(hand, h("span.emptyhand", null, view.seat === null ? "" : count ? "" : speak("emptyhand")));
  }

  /** Cards to choose from that are in no hand: drawn ones, the draw pile, the discard pile, lifted ones. */
  showOffer() {
    const view = /** @type {View} */ (this.view);
    const offer = /** @type {HTMLElement} */ (this.offer);
    const b = view.board;
    const acting = view.seat !== null && view.to_move === view.seat;
    /** @type {Record<string, number>} */
    let cards = {};
    if (acting && ASIDE.has(b.phase)) cards = b.aside[view.seat ?? 0] ?? {};
    else if (acting && b.phase === "fetch")
      cards = Object.fromEntries(
        Object.entries(b.discard).filter(([name]) => this.print(name).kind === "person"),
      );
    else if (acting && b.phase === "relay")
      for (const name of b.lifted) if (name !== "none") cards[name] = (cards[name] ?? 0) + 1;
    if (acting && b.phase === "pass" && countOf(b.aside[view.seat ?? 0])) cards = {};
    const names = Object.keys(cards);
    offer.hidden = !names.length;
    this.root.classList.toggle("choosing", names.length > 0);
    // A few cards lie over the hand, so that the table can be seen while one chooses; many need the middle.
    offer.classList.toggle("low", names.length <= FEW);
    this.fold.hidden = names.length <= FEW;
    const key = JSON.stringify(cards) + b.phase;
    if (offer.dataset.key === key) return;
    offer.dataset.key = key;
    offer.setAttribute("aria-label", fillIn(this.title.words[`prompt.${view.prompt}`] ?? ""));
    this.unfold(true);
    fillWith(
      offer,
      names.map((name) =>
        h(
          "div.held",
          {
            "data-touch": `card:${name}`,
            "data-info": `card:${name}`,
            role: "img",
            "aria-label": this.cardLabel(name) + (cards[name] > 1 ? `, ×${cards[name]}` : ""),
          },
          this.face(name, { count: cards[name] }),
        ),
      ),
    );
    offer.style.setProperty("--n", String(names.length));
  }

  /** Many cards hide the table: they are folded away to look at it. @param {boolean} open */
  unfold(open) {
    const { offer, fold } = this;
    offer?.classList.toggle("folded", !open);
    fold.textContent = speak(open ? "fold" : "unfold");
    fold.setAttribute("aria-expanded", String(open));
  }

  // -- moving -------------------------------------------------------------------------------------

  /** Where things are before a change. */
  places() {
    /** @type {Map<string, DOMRect>} */
    const found = new Map();
    if (still()) return found; // measuring costs a layout
    for (const el of this.root.querySelectorAll("[data-key]")) {
      const key = /** @type {HTMLElement} */ (el).dataset.key ?? "";
      if (key.includes("#") && !found.has(key.split("#")[0]))
        found.set(key.split("#")[0], el.getBoundingClientRect());
    }
    for (const el of /** @type {HTMLElement} */ (this.offer).querySelectorAll(".held"))
      found.set(
        `offer:${/** @type {HTMLElement} */ (el).dataset.info?.slice(5)}`,
        el.getBoundingClientRect(),
      );
    return found;
  }

  /**
   * Show one action happening.
   * @param {Row} row @param {Map<string, DOMRect>} from
   */
  move(row, from) {
    const [kind, first, second] = row.text.split(" ");
    const side = typeof row.who === "number" ? (row.who === this.us ? 0 : 1) : 0;
    if (kind === "lay" || kind === "place") {
      const disc = Number(second ?? 0) - 1;
      const card = this.slots[side][disc]?.querySelector(".card");
      const start =
        from.get(first) ??
        from.get(`offer:${first}`) ??
        (side && !still() ? this.plates?.[1].cards.getBoundingClientRect() : undefined);
      if (card) flyFrom(card, start);
      sound("card");
    } else if (kind === "money" || kind === "cards" || kind === "activate") {
      const disc = this.discs[kind === "activate" ? first : kind];
      const face = new Die();
      face.set(Number(first));
      this.tray.el.append(face.el);
      flyTo(face.el, disc, this.root);
      face.el.remove();
      pulse(disc);
      if (kind === "activate") pulse(this.slots[side][Number(first) - 1]);
      sound(kind === "money" ? "coin" : kind === "cards" ? "card" : "step");
    } else if (kind === "take" || kind === "keep") {
      const held = this.hand?.querySelector(`[data-key^="${first}#"]`);
      if (held) flyFrom(held, from.get(`offer:${first}`));
      sound("card");
    } else if (kind === "buy") sound("coin");
  }

  // -- what the rest of the page asks -----------------------------------------------------------------

  /** The name of a touch. @param {string} kind @param {string} id */
  name(kind, id) {
    if (kind === "card") return this.cardName(id);
    if (kind === "disc") return this.discName(id);
    if (kind === "die") return speak("die", { n: id });
    if (kind === "side0" || kind === "side1") {
      const b = this.view?.board;
      const card = b?.board[Number(kind.slice(4))]?.[id];
      return `${card ? this.cardName(card) : ""} (${this.discName(id)})`;
    }
    return null;
  }

  /** What a card does. @param {string} touch */
  about(touch) {
    const [kind, id] = touch.split(":");
    const side = /^side[01]$/.test(kind) ? Number(kind.slice(4)) : -1;
    const card = kind === "card" ? id : side >= 0 ? this.view?.board.board[side][id] : "";
    if (kind === "card" && this.covers)
      return `${speak("covering")} ${this.title.words[`effect.${card}`] ?? ""}`;
    return card ? `${this.cardName(card)}${colon()}${this.title.words[`effect.${card}`] ?? ""}` : "";
  }

  /** @param {import("/js/titles/index.js").Desk<View>} desk */
  attach(desk) {
    this.desk = desk;
  }

  /** @param {import("/js/match/hands.js").Hands} hands */
  tiles(hands) {
    this.covers = showCovered(this, hands);
    showChances(this, hands);
  }

  /** What hovering tells. @param {string} info */
  info(info) {
    return this.view ? tellCard(this, info) : null;
  }

  /** Chances and consequences of a choice, before it is made. @param {Choice} choice */
  hint(choice) {
    return this.view ? hint(this, choice) : Promise.resolve("");
  }

  /** Show what a choice would change. @param {View | null} after */
  preview(after) {
    for (const el of this.root.querySelectorAll(".delta")) el.remove();
    const now = this.view;
    if (!after || !now) return;
    for (const side of [0, 1]) {
      const seat = this.seatAt(side);
      const plate = this.plates?.[side];
      if (!plate) continue;
      delta(plate.points, after.board.points[seat] - now.board.points[seat]);
      delta(plate.money, after.board.money[seat] - now.board.money[seat]);
    }
    if (this.stock) delta(this.stock, after.board.stock - now.board.stock);
  }

  /** @param {number} seat @param {string} text @param {boolean} low */
  clock(seat, text, low) {
    const plate = this.plates?.[seat === this.us ? 0 : 1];
    if (!plate) return;
    plate.clock.textContent = text;
    plate.clock.classList.toggle("low", low);
  }
}

/** @param {Record<string, number> | {count: number} | undefined} heap */
export function countOf(heap) {
  if (!heap) return 0;
  if (typeof heap.count === "number") return heap.count;
  return Object.values(heap).reduce((/** @type {number} */ sum, n) => sum + Number(n), 0);
}

/** @param {Element | undefined} el */
function pulse(el) {
  if (!el || still()) return;
  el.animate([{}, { scale: 1.1, filter: "brightness(1.2)" }, {}], 600);
}

/** @type {import("/js/titles/index.js").Draw<View>} */
export const draw = (title) => new RomaTable(title);
