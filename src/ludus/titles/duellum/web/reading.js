/**
 * Reading Duellum: what things are called, what they say to a screen reader, what a sheet about them tells.
 * No rule is decided here.
 */

import { h } from "/js/dom.js";
import { labelOf, speak } from "/js/words.js";
import { neighbours } from "/js/titles/sheet.js";
import { seatOf } from "./map.js";

/** @typedef {import("/js/words.js").Title} Title */
/** @typedef {import("/js/match/model.js").Choice} Choice */
/** @typedef {import("/js/titles/sheet.js").MapFile} MapFile */
/** @typedef {import("./view.d.ts").Board} Board */
/** @typedef {{title: string, lines: (string | Node)[], quotes?: boolean}} Told */

const TOKENS = ["marble", "iron", "gold"];

export class Reading {
  /** @param {Title} title @param {MapFile} map */
  constructor(title, map) {
    this.title = title;
    this.map = map;
    /** @type {Board | null} */
    this.board = null;
  }

  /** @param {string} group @param {string} id */
  label(group, id) {
    return labelOf(this.title, group, id);
  }

  /** @param {string} id */
  region(id) {
    return this.label("region", id);
  }

  /** @param {Board} b @param {number} seat */
  side(b, seat) {
    return this.label("side", b.sides[seat]);
  }

  /**
   * A card without the words in brackets that mark a house card: the card shows that itself.
   * @param {string} id
   */
  card(id) {
    return this.label("card", id).replace(/\s*\([^)]*\)$/, "");
  }

  /** What a leader of a seat is called. @param {Board} b @param {number} seat @param {string} unit */
  unit(b, seat, unit) {
    return unit === "leader" && b.leaders
      ? speak(b.leaders[seat] === "admiral" ? "admiral" : "general")
      : this.label("unit", unit);
  }

  // -- in one line ----------------------------------------------------------------------------------

  /** @param {string} id @param {Board} b */
  says(id, b) {
    const seat = seatOf(b, b.owner[id]);
    const units = [0, 1]
      .flatMap((p) => ["legion", "galley"].map((unit) => [p, unit, b.army[p]?.[unit]?.[id] ?? 0]))
      .filter(([, , n]) => n)
      .map(([p, unit, n]) => `${this.side(b, Number(p))}: ${n} ${this.label("unit", String(unit))}`);
    const city =
      seat === null
        ? this.map.regions[id]?.city
          ? [speak("site")]
          : []
        : [
            speak("city", {
              side: this.side(b, seat),
              good: this.label("good", b.makes[id]),
              defence: b.defence[id] ?? 0,
            }),
          ];
    if (b.temple[id]) city.push(speak("temple"));
    if (b.wall[id]) city.push(speak("wall"));
    return [this.region(id), ...city, ...units].join(", ");
  }

  /** @param {number} seat @param {string} unit @param {number} n @param {string} id @param {Board} b */
  unitSays(seat, unit, n, id, b) {
    return `${this.side(b, seat)}: ${n} ${this.unit(b, seat, unit)}, ${this.region(id)}`;
  }

  /** The name of a touch. @param {string} kind @param {string} id @returns {string | null} */
  name(kind, id) {
    if (kind === "token") return this.label("good", id);
    if (kind === "card") return this.card(id);
    const [unit, place] = id.split("@");
    const b = this.board;
    if (kind === "unit" && place && b)
      return `${this.unit(b, Number(b.active), unit)} · ${place === "supply" ? speak("supply") : place === "box" ? speak("box") : this.region(place)}`;
    return null;
  }

  /** Price of what a choice would do. @param {Choice} choice @returns {string} */
  hint(choice) {
    const b = this.board;
    const [kind, one, two] = choice.action.split(" ");
    if (!b) return "";
    if (kind === "go") return b.tolls?.[one] ? speak("toll", { n: b.tolls[one] }) : speak("free");
    if (kind === "found") return this.foundPrice(b, one, two);
    if (kind === "temple") return this.goods({ marble: b.prices.temple, coin: b.temple_tax?.[one] ?? 0 });
    if (kind === "wall") return this.goods({ marble: b.prices.wall });
    if (kind === "develop") return this.goods({ gold: b.prices.know[one]?.[2] });
    if (kind === "recruit") return this.goods({ gold: b.prices.recruit[one] * Number(two) });
    if (kind === "arm" || kind === "enlist")
      return this.goods({ iron: one === "leader" ? b.prices.leader : b.prices.arm });
    if (kind === "conquer" && b.needed?.[one]) return speak("needs", { n: b.needed[one] });
    return "";
  }

  /** @param {Board} b @param {string} good @param {string} id */
  foundPrice(b, good, id) {
    return this.goods({
      marble: b.prices.city[0],
      iron: b.prices.city[1],
      gold: b.prices.city[2],
      coin: b.city_tax?.[id]?.[TOKENS.indexOf(good)] ?? 0,
    });
  }

  /** @param {Record<string, number>} price */
  goods(price) {
    return Object.entries(price)
      .filter(([, n]) => n)
      .map(([good, n]) => `${n} ${this.label("good", good)}`)
      .join(", ");
  }

  // -- sheets ---------------------------------------------------------------------------------------

  /** @param {string} what @returns {Told | null} */
  info(what) {
    const b = this.board;
    if (!b) return null;
    const [kind, id = ""] = what.split(/:(.*)/s);
    if (kind === "region") return this.aboutRegion(id, b);
    if (kind === "unit") return this.aboutUnit(id, b);
    if (kind === "card") return this.aboutCard(id, b);
    return {
      title: id ? this.label(kind, id) : speak(kind),
      lines: this.numbers(kind, id, b),
      quotes: true,
    };
  }

  /** @param {string} kind @param {string} id @param {Board} b @returns {string[]} */
  numbers(kind, id, b) {
    if (kind === "space" && b.tolls) return [b.tolls[id] ? speak("toll", { n: b.tolls[id] }) : speak("free")];
    if (kind === "know")
      return [speak("prices", { first: b.prices.know[id][0], second: b.prices.know[id][1] })];
    if (kind === "person") return [speak("left", { n: b.stacks[id] ?? 0 })];
    return [];
  }

  /** @param {string} id @param {Board} b @returns {Told} */
  aboutRegion(id, b) {
    const seat = seatOf(b, b.owner[id]);
    /** @type {(string | Node)[]} */
    const lines = [];
    if (seat !== null) {
      lines.push(
        speak("city", {
          side: this.side(b, seat),
          good: this.label("good", b.makes[id]),
          defence: b.defence[id] ?? 0,
        }) +
          (b.temple[id] ? `, ${speak("temple")}` : "") +
          (b.wall[id] ? `, ${speak("wall")}` : ""),
      );
      if (b.threats?.[id]) lines.push(speak("threat", { n: b.threats[id], defence: b.defence[id] ?? 0 }));
    } else if (this.map.regions[id]?.city) {
      const tax = b.city_tax?.[id] ?? [0, 0, 0];
      lines.push(
        speak("site"),
        speak("found", {
          price: this.goods({ marble: b.prices.city[0], iron: b.prices.city[1], gold: b.prices.city[2] }),
        }),
      );
      lines.push(
        speak("tax", { list: TOKENS.map((good, k) => `${this.label("good", good)} +${tax[k]}`).join(", ") }),
      );
    } else if (this.map.regions[id]?.kind === "sea") lines.push(speak("opensea"));
    const near = neighbours(this.map, id);
    const names = (/** @type {{id: string}[]} */ some) => some.map((n) => this.region(n.id)).join(", ");
    const [land, sea] = [near.filter((n) => n.land), near.filter((n) => n.sea)];
    if (land.length) lines.push(h("span.facts", null, `${speak("byland")}: ${names(land)}`));
    if (sea.length) lines.push(h("span.facts", null, `${speak("bysea")}: ${names(sea)}`));
    return { title: this.region(id), lines };
  }

  /**
   * How many there are, and what one of them does.
   * @param {string} what seat, unit and region, or box, or supply @param {Board} b @returns {Told}
   */
  aboutUnit(what, b) {
    const [seat, rest] = what.split(/ (.*)/s);
    const [unit, place] = rest.split("@");
    const p = Number(seat);
    const heap = place === "box" ? b.recruits[p] : place === "supply" ? b.supply[p] : null;
    const n = unit === "leader" ? 1 : heap ? (heap[unit] ?? 0) : (b.army[p]?.[unit]?.[place] ?? 0);
    const does = unit === "leader" ? `leader_${b.leaders?.[p] ?? "general"}` : unit;
    return {
      title: `${n} ${this.unit(b, p, unit)}`,
      lines: [
        h("span.facts", null, `${this.side(b, p)}, ${heap ? speak(place) : this.region(place)}`),
        this.title.words[`effect.${does}`] ?? "",
      ],
    };
  }

  /** @param {string} id @param {Board} b @returns {Told} */
  aboutCard(id, b) {
    const house = b.house_cards?.includes(id);
    return {
      title: this.card(id),
      lines: [this.title.words[`effect.${id}`] ?? "", house ? h("span.facts", null, speak("house")) : ""],
    };
  }
}
