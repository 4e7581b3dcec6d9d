/** What Roma's table tells about itself: cards in words, tried actions, chances, and the deck for the proof. */

import { h } from "../../dom.js";
import { labelOf, t } from "../../words.js";
import { CARDS } from "./cards.js";

/** @typedef {import("../../match/model.js").View} View */
/** @typedef {import("../../match/model.js").Row} Row */
/** @typedef {import("../../match/model.js").Choice} Choice */
/** @typedef {import("./table.js").RomaTable} RomaTable */

const DUELS = new Set(["legionarius", "centurio"]); // attack the card opposite

/** @param {number} defence */
const chanceOf = (defence) => Math.max(0, Math.min(6, 7 - defence));

/**
 * What a thing is: title and lines.
 * @param {RomaTable} table @param {string} info
 * @returns {{title: string, lines: (string | Node)[]} | null}
 */
export function tellCard(table, info) {
  const b = /** @type {View} */ (table.view).board;
  const [what, name] = info.split(":");
  if (what === "card") {
    const print = CARDS[name];
    const works = ["roma.works.none", "roma.works.one", "roma.works.two"][print.dice];
    return {
      title: table.cardName(name),
      lines: [
        h("span.facts", null, `${labelOf(table.title, "kind", print.kind)} · ${t("roma.price", { n: print.price })} · ${t("roma.defence", { n: print.defence })} · ${t(works)}`),
        table.title.words[`effect.${name}`] ?? "",
        h("span.facts", null, t("roma.copies", { n: print.copies })),
      ],
    };
  }
  if (what === "disc" && (name === "money" || name === "cards")) return { title: table.discName(name), lines: [t(`roma.disc.${name}`)] };
  if (what === "disc") return { title: table.discName(name), lines: [t("roma.disc"), ...(b.idle.includes(Number(name)) ? [t("roma.idle")] : [])] };
  if (what === "slot") return { title: table.discName(name), lines: [t("roma.slot")] };
  if (what === "die") return { title: t("roma.dice"), lines: [t("roma.dice.help")] };
  if (what === "deck") return { title: t("roma.deck", { n: b.deck_size }), lines: [t("roma.deck.help")] };
  if (what === "stock") return { title: t("roma.stock", { n: b.stock }), lines: [t("roma.stock.help")] };
  if (what === "points" || what === "money") return { title: t(`roma.${what}.title`), lines: [t(`roma.${what}.help`)] };
  if (what === "discard") return { title: t("roma.discard", { n: sum(b.discard) }), lines: list(table, b.discard) };
  if (what === "theirs") return { title: t("roma.cards.theirs"), lines: knownHand(table, 1 - table.us) };
  return null;
}

/** @param {Record<string, number>} heap */
const sum = (heap) => Object.values(heap).reduce((a, n) => a + n, 0);

/** @param {RomaTable} table @param {Record<string, number>} heap */
function list(table, heap) {
  const names = Object.entries(heap).map(([name, n]) => (n > 1 ? `${table.cardName(name)} ×${n}` : table.cardName(name)));
  return names.length ? [names.join(", ")] : [t("roma.nothing")];
}

/** What is known of the other hand. @param {RomaTable} table @param {number} seat */
function knownHand(table, seat) {
  const b = /** @type {View} */ (table.view).board;
  const known = b.known?.[seat];
  if (!known || !sum(known)) return [t("roma.unknown")];
  return [t("roma.known"), ...list(table, known)];
}

/**
 * What a path of touches tries: an action to ask the rules about, or a rule that answers by itself.
 * @param {View} view @param {string[]} path
 * @returns {{action?: string, rule?: string} | null}
 */
export function attempt(view, path) {
  const b = view.board;
  const [first, second] = path.slice(-2).map((touch) => touch.split(":"));
  const last = second ?? first;
  if (second && first[0] === "die" && second[0] === "disc") return dieTo(first[1], second[1]);
  if (second && first[0] === "die" && second[0].startsWith("side")) return dieTo(first[1], second[1]);
  if (second && first[0] === "card" && (second[0] === "disc" || second[0].startsWith("side"))) {
    if (!/^[1-6]$/.test(second[1]) || second[0] === `side${1 - Number(b.player)}`) return { rule: "R21" };
    return { action: `${b.phase === "place" ? "place" : "lay"} ${first[1]} ${second[1]}` };
  }
  if (last[0] === "card") return { action: oneCard(b.phase, last[1]) };
  if (last[0] === "die") return { action: b.phase.endsWith("_die") ? `add ${last[1]}` : `money ${last[1]}` };
  if (last[0] === "disc" && /^[1-6]$/.test(last[1])) return { action: b.phase === "block" ? `block ${last[1]}` : `activate ${last[1]}` };
  if (last[0] === "disc") return { rule: "P5" };
  if (last[0] === `side${b.player}`) return { action: `activate ${last[1]}` };
  if (last[0].startsWith("side")) return { action: `target ${last[1]}` };
  return null;
}

/** @param {string} die @param {string} disc */
function dieTo(die, disc) {
  if (disc === "money" || disc === "cards") return { action: `${disc} ${die}` };
  return die === disc ? { action: `activate ${die}` } : { rule: "P8" };
}

/** @param {string} phase @param {string} card */
function oneCard(phase, card) {
  if (phase === "pass" || phase === "keep") return `${phase} ${card}`;
  if (phase === "place") return `place ${card} 1`;
  if (phase === "search" || phase === "fetch") return `take ${card}`;
  return `lay ${card} 1`;
}

/** Chances and consequences. @param {RomaTable} table @param {Choice} choice */
export function hint(table, choice) {
  const view = /** @type {View} */ (table.view);
  const b = view.board;
  const [kind, first, second] = choice.action.split(" ");
  const [us, them] = [Number(b.player), 1 - Number(b.player)];
  if (kind === "target") {
    const fights = b.effect === "velites" || b.effect === "onager";
    return fights ? odds(b.defence[them][first]) : "";
  }
  if (kind === "activate") {
    if (b.idle.includes(Number(first))) return t("roma.idle");
    const card = b.board[us][first];
    if (DUELS.has(card) && b.defence[them][first]) return odds(b.defence[them][first]);
    return table.title.words[`effect.${card}`] ?? "";
  }
  if (kind === "lay" && second) {
    const covered = b.board[us][second];
    const free = b.phase !== "act";
    const price = free ? t("roma.free") : t("roma.pays", { n: CARDS[first].price, left: b.money[us] - CARDS[first].price });
    return covered ? `${price} ${t("roma.covers", { card: table.cardName(covered) })}` : price;
  }
  if (kind === "add" && b.phase === "extra_die" && b.target) {
    const need = b.defence[them][String(b.target)];
    return b.thrown + Number(first) >= need ? t("roma.enough") : t("roma.notenough", { n: need - b.thrown });
  }
  return "";
}

/** @param {number} defence */
function odds(defence) {
  return t("roma.odds", { need: Math.max(1, defence), n: chanceOf(defence), percent: Math.round((100 * chanceOf(defence)) / 6) });
}

// -- the proof of the dice -----------------------------------------------------------------------------

/**
 * The weights of each chance outcome of a finished match, in the order of the rows, from what everybody
 * saw: a die has six equal faces, a draw the multiset of unseen cards.  Null where it cannot be told.
 */
export class Odds {
  constructor() {
    this.deck = new Map(Object.entries(CARDS).map(([name, print]) => [name, print.copies]));
    /** @type {Record<string, number>} */
    this.discard = {};
    /** @type {{deck: Map<string, number>, discard: Record<string, number>}[]} what stood after each standing row */
    this.past = [];
  }

  /** Outcomes and weights before a chance row. @param {Row} row @returns {[string, number][] | null} */
  before(row) {
    const kind = row.text.split(" ")[0];
    if (kind === "roll" || kind === "battle") return [1, 2, 3, 4, 5, 6].map((n) => [`${kind} ${n}`, 1]);
    if (kind !== "draw") return null;
    const left = [...this.deck.values()].some((n) => n > 0);
    const deck = left ? this.deck : new Map(Object.keys(CARDS).map((name) => [name, this.discard[name] ?? 0]));
    return Object.keys(CARDS).filter((name) => deck.get(name)).map((name) => [`draw ${name}`, /** @type {number} */ (deck.get(name))]);
  }

  /** Take note of a row that stands. @param {Row} row */
  note(row) {
    const [kind, card] = row.text.split(" ");
    const was = { deck: new Map(this.deck), discard: { ...this.discard } };
    this.past.push(was);
    if (kind === "draw") {
      if (![...this.deck.values()].some((n) => n > 0)) this.refill();
      this.deck.set(card, (this.deck.get(card) ?? 0) - 1);
    }
    const size = [...this.deck.values()].reduce((a, n) => a + n, 0);
    if (row.view.board.deck_size > size) this.refill();
    if (kind === "take" && row.view.board.deck_size < [...this.deck.values()].reduce((a, n) => a + n, 0)) {
      this.deck.set(card, (this.deck.get(card) ?? 0) - 1);
    }
    this.discard = { ...row.view.board.discard };
  }

  refill() {
    for (const [name, n] of Object.entries(this.discard)) this.deck.set(name, (this.deck.get(name) ?? 0) + n);
  }

  /** Go back to when so many rows stood. @param {number} rows */
  back(rows) {
    if (rows >= this.past.length) return;
    const { deck, discard } = this.past[rows];
    this.deck = deck;
    this.discard = discard;
    this.past.length = rows;
  }
}
