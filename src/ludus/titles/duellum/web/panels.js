/**
 * What lies beside the map: know-hows, score track and personages, event cards, and a plate for each seat.
 */

import { fillWith, h, icon } from "/js/dom.js";
import { seatName, speak, t } from "/js/words.js";
import { glyph } from "./pieces.js";

/** @typedef {import("./reading.js").Reading} Reading */
/** @typedef {import("/js/match/model.js").Table} Table */
/** @typedef {import("./view.d.ts").View} View */
/** @typedef {import("./view.d.ts").Board} Board */

const KNOW = ["strata", "navigatio", "moneta", "res_publica", "commercium"];
const PERSONS = ["king", "citizen", "scholar", "general", "navigator"];
const GOODS = ["marble", "iron", "gold", "coin"];
const UNITS = ["legion", "galley", "leader"];

/**
 * A mark of a seat: round for the first, square for the second.
 * @param {number} seat @param {string} [more]
 */
export const seatMark = (seat, more = "") => h(`i.seatmark.s${seat}${more}`, { "aria-hidden": "true" });

/** Know-hows: price for the first and for the second, and who has them. */
export class KnowHows {
  /** @param {Reading} reading */
  constructor(reading) {
    this.reading = reading;
    /** @type {Record<string, HTMLElement>} */
    this.rows = {};
    this.el = h(
      "section.knows",
      { "aria-label": speak("knows") },
      h("h3", null, speak("knows")),
      KNOW.map(
        (know) =>
          (this.rows[know] = h("div.know", {
            "data-touch": `know:${know}`,
            "data-info": `know:${know}`,
            role: "img",
          })),
      ),
    );
  }

  /** @param {Board} b */
  update(b) {
    for (const know of KNOW) {
      const [first, second, now] = b.prices.know[know];
      const owners = [0, 1].filter((seat) => b.know[seat]?.[know]);
      const row = this.rows[know];
      row.classList.toggle("gone", owners.length === 2);
      row.setAttribute(
        "aria-label",
        `${this.reading.label("know", know)}, ${speak("prices", { first, second })}${owners.map((seat) => `, ${this.reading.side(b, seat)}`).join("")}`,
      );
      const price = (/** @type {number} */ n, /** @type {number} */ k) =>
        h(
          `b.cost${owners.length > k ? ".spent" : owners.length === k ? ".next" : ""}`,
          null,
          n,
          owners[k] === undefined ? null : seatMark(owners[k]),
        );
      fillWith(
        row,
        glyph(know),
        h("span", null, this.reading.label("know", know)),
        price(first, 0),
        price(second, 1),
        now !== first && now !== second && owners.length < 2 ? h("small", null, `→ ${now}`) : null,
      );
    }
  }
}

/** The way to nine personages, its wall symbols, and the stacks that they are taken from. */
export class Score {
  /** @param {Reading} reading */
  constructor(reading) {
    this.reading = reading;
    this.track = h("div.track", { "data-info": "score", role: "img" });
    this.stacks = h("div.stacks");
    this.el = h("section.score", { "aria-label": speak("score") }, this.track, this.stacks);
  }

  /** @param {Board} b */
  update(b) {
    this.track.setAttribute(
      "aria-label",
      [0, 1].map((seat) => `${this.reading.side(b, seat)}: ${b.score[seat]} / ${b.goal}`).join(", "),
    );
    fillWith(
      this.track,
      Array.from({ length: b.goal + 1 }, (_, n) =>
        h(
          `div${n === b.goal ? ".goal" : ""}`,
          null,
          h("span", null, n === b.goal ? icon("laurel") : n),
          b.wall_marks.includes(n) ? glyph("wall") : null,
          [0, 1].filter((seat) => b.score[seat] === n).map((seat) => seatMark(seat)),
        ),
      ),
    );
    fillWith(
      this.stacks,
      PERSONS.map((person) => this.stack(person, b)),
    );
  }

  /** What is left of a personage, what both have; of the navigators the points towards the next, too.
   * @param {string} person @param {Board} b */
  stack(person, b) {
    const left = b.stacks[person] ?? 0;
    const own = [0, 1].map((seat) => b.persons[seat]?.[person] ?? 0);
    const points = person === "navigator" ? b.navigation : null;
    const told = [0, 1].map(
      (seat) =>
        `${this.reading.side(b, seat)} ${own[seat]}` +
        (points ? ` (${speak("navigation")}: ${points[seat]})` : ""),
    );
    return h(
      `div.person${left ? "" : ".empty"}`,
      {
        "data-info": `person:${person}`,
        role: "img",
        "aria-label": `${this.reading.label("person", person)}: ${speak("left", { n: left })}; ${told.join(", ")}`,
      },
      glyph(person),
      h("b", null, left),
      h("span.name", null, this.reading.label("person", person)),
      h(
        "span.own",
        null,
        own.map((n, seat) =>
          h(
            "span",
            null,
            seatMark(seat),
            n,
            points ? h("small", { title: speak("navigation") }, `(${points[seat]})`) : null,
          ),
        ),
      ),
    );
  }
}

const WORD = 9; // letters that have room on an event card

/** The open event cards, and what the bank still has. */
export class Display {
  /** @param {Reading} reading */
  constructor(reading) {
    this.reading = reading;
    this.cards = h("div.cards");
    this.bank = h("div.bank", { "data-info": "bank" });
    this.head = h("h3", { "data-info": "events" }, speak("events"));
    this.hands = h("div.hands"); // those of the plates, where these have no room
    this.el = h(
      "section.display",
      { "aria-label": speak("events") },
      this.head,
      this.cards,
      this.hands,
      this.bank,
    );
  }

  /** @param {Board} b */
  update(b) {
    const open = Object.keys(b.display);
    this.el.classList.toggle("nocards", !open.length && !Object.keys(b.deck).length);
    fillWith(
      this.cards,
      open.map((id) => eventCard(id, this.reading, b, b.phase === "pick")),
    );
    const deck = Object.values(b.deck).reduce((sum, n) => sum + Number(n), 0);
    fillWith(this.head, speak("events"), " ", h("small", null, speak("deck", { n: deck })));
    /** @type {[string, number][]} */
    const supply = [
      ["coin", b.bank_coins],
      ["temple", b.bank_temples],
      ...["marble", "iron", "gold"].map(
        (good) => /** @type {[string, number]} */ ([`token-${good}`, b.bank_tokens[good] ?? 0]),
      ),
    ];
    fillWith(
      this.bank,
      supply.map(([what, n]) =>
        h(
          "span",
          {
            title: what.startsWith("token-")
              ? speak("tokens", { good: this.reading.label("good", what.slice(6)) })
              : what === "coin"
                ? this.reading.label("good", "coin")
                : speak("temple"),
          },
          glyph(what.replace("token-", ""), what.startsWith("token-") ? ".token" : ""),
          h("b", null, n),
        ),
      ),
    );
  }
}

/** @param {string} id @param {Reading} reading @param {Board} b @param {boolean} touchable */
export function eventCard(id, reading, b, touchable) {
  const house = b.house_cards?.includes(id);
  return h(
    `div.event${house ? ".house" : ""}`,
    {
      "data-info": `card:${id}`,
      role: "img",
      "aria-label": reading.card(id) + (house ? `, ${speak("house")}` : ""),
      ...(touchable ? { "data-touch": `card:${id}` } : {}),
    },
    cardName(reading.card(id)),
    house ? h("i", { title: speak("house") }, speak("housemark")) : null,
  );
}

/** A long word is written smaller, not broken anywhere. @param {string} name */
function cardName(name) {
  const el = h("span", null, name);
  const longest = Math.max(...name.split(/[\s’'-]/).map((word) => word.length));
  if (longest > WORD) el.style.fontSize = `${(WORD / longest).toFixed(2)}em`;
  return el;
}

/** A seat: who sits there, goods, recruitment box, supply, walls, event cards. */
export class Plate {
  /** @param {number} side 0: ours, below; 1: theirs @param {Reading} reading */
  constructor(side, reading) {
    this.reading = reading;
    this.side = side;
    this.who = h("div.who");
    this.goods = h("div.goods", { "data-unmarked": "" });
    this.box = h("div.unitbox.recruits", { "data-info": "box", "data-unmarked": "" });
    this.supply = h("div.unitbox.supply", { "data-info": "supply", "data-unmarked": "" });
    this.hand = h("div.hand", { role: "group", "aria-label": speak("hand") });
    this.clock = h("span.clock");
    this.el = h(
      `section.seatplate.${side ? "them" : "us"}`,
      null,
      this.who,
      this.goods,
      this.box,
      this.supply,
      this.hand,
    );
  }

  /** @param {number} seat @param {View} view @param {Table} table */
  update(seat, view, table) {
    const b = view.board;
    const who = table.seats[seat];
    this.el.className = `seatplate ${this.side ? "them" : "us"} s${seat}${view.to_move === seat ? " turn" : ""}`;
    this.el.setAttribute("aria-label", this.reading.side(b, seat));
    fillWith(
      this.who,
      seatMark(seat, ".seal"),
      h(
        "div",
        null,
        h("b", null, this.reading.side(b, seat)),
        h(
          "small",
          null,
          h("span.dot", { class: who.present ? "here" : "", title: who.present ? t("here") : t("away") }),
          seatName(who),
          view.seat === seat ? ` · ${t("you")}` : "",
        ),
      ),
      h("span.tally", { title: speak("score") }, icon("laurel"), h("b", null, b.score[seat])),
      this.clock,
    );
    const mine = Number(b.active) === seat;
    fillWith(
      this.goods,
      GOODS.map((good) => {
        const n = b.goods[seat]?.[good] ?? 0;
        return h(
          `div.good${n ? "" : ".none"}`,
          {
            "data-info": `good:${good}`,
            role: "img",
            "aria-label": `${this.reading.label("good", good)}: ${n}`,
            ...(mine ? { "data-touch": `good:${good}` } : {}),
          },
          glyph(good),
          h("b", null, n),
        );
      }),
    );
    /** @type {Record<string, number>} */
    const leader = b.leaders
      ? { leader: b.leader_at?.[seat] === "box" || b.leader_at?.[seat] === "none" ? 1 : 0 }
      : {};
    this.units(this.box, seat, b, { ...b.recruits[seat], ...leader }, "box", mine);
    this.units(this.supply, seat, b, b.supply[seat] ?? {}, "supply", mine);
    this.supply.append(
      h(
        "div.unit.walls",
        { title: speak("walls"), role: "img", "aria-label": `${speak("walls")}: ${b.walls[seat]}` },
        glyph("wall"),
        h("b", null, b.walls[seat]),
      ),
    );
    if (b.navigation?.[seat])
      this.supply.append(
        h(
          "div.unit.points",
          {
            "data-info": "person:navigator",
            title: speak("navigation"),
            role: "img",
            "aria-label": `${speak("navigation")}: ${b.navigation[seat]}`,
          },
          glyph("navigator"),
          h("b", null, b.navigation[seat]),
        ),
      );
    const touchable =
      b.phase === "strike" ? view.to_move !== seat : b.phase !== "pick" && view.to_move === seat;
    fillWith(
      this.hand,
      Object.entries(b.hand[seat] ?? {}).flatMap(([id, n]) =>
        Array.from({ length: Number(n) }, () => eventCard(id, this.reading, b, touchable)),
      ),
    );
    this.hand.classList.toggle("none", !this.hand.children.length);
    for (const part of [this.hand, this.supply]) {
      part.classList.toggle("s0", seat === 0);
      part.classList.toggle("s1", seat === 1);
    }
  }

  /**
   * @param {HTMLElement} host @param {number} seat @param {Board} b @param {Record<string, number>} units
   * @param {"box" | "supply"} place @param {boolean} mine
   */
  units(host, seat, b, units, place, mine) {
    fillWith(
      host,
      h("small", null, speak(place)),
      UNITS.filter((unit) => unit !== "leader" || units.leader).map((unit) => {
        const n = units[unit] ?? 0;
        return h(
          `div.unit${n ? "" : ".none"}`,
          {
            "data-info": `unit:${seat} ${unit}@${place}`,
            role: "img",
            "aria-label": `${speak(place)}: ${n} ${this.reading.unit(b, seat, unit)}`,
            ...(mine ? { "data-touch": `unit:${unit}@${place}` } : {}),
          },
          glyph(unit),
          h("b", null, n),
        );
      }),
    );
  }
}
