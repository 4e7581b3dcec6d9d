/**
 * The battle screen: both sides with line and reserve, the dice beside what they match, odds, losses by
 * touching.
 */

import { fillWith, h, pause, still } from "/js/dom.js";
import { colon, speak } from "/js/words.js";
import { play as sound } from "/js/sound.js";
import { arms, mark } from "./emblems.js";
import { percent } from "./numbers.js";
import { UNITS } from "./pieces.js";

/** @typedef {import("./view.d.ts").View} View */
/** @typedef {import("./view.d.ts").Battle} Fight */
/** @typedef {Required<Fight>} LandFight it has lines */
/** @typedef {import("/js/match/model.js").Choice} Choice */
/** @typedef {Record<string, number>} Heap */
/**
 * @typedef {{field: string, seats: [number, number], before: [Heap, Heap], rounds: [number, number][]}} Story
 *   `before`: the pieces of both sides; `rounds`: how often each has hit
 */
/** @typedef {{by: number, faces: Heap, scoring: Heap, left: number, pursuit: boolean}} Throw */

const FACES = ["infantry", "cavalry", "catapult", "galley", "blank"];
const CHOOSING = new Set(["line", "losses", "victims"]);
const PACE = 350; // milliseconds between two steps of a battle that goes on by itself
/** @type {Record<string, number>} */
const BY = { attack: 0, sea_attack: 0, defence: 1, sea_defence: 1 };

export class Battle {
  /** @param {import("./table.js").ConquestTable} table */
  constructor(table) {
    this.table = table;
    this.title = h("h3");
    this.when = h("small");
    this.odds = h("div.odds", { role: "img", hidden: true });
    this.sides = [0, 1].map(() => h("div.host"));
    this.dice = [0, 1].map(() => h("div.throw", { role: "img" }));
    this.say = h("span", { "aria-live": "polite" });
    this.done = h("button.primary", { type: "button", onclick: () => this.confirm() }, speak("confirm"));
    this.through = h("button.secondary", { type: "button", onclick: () => this.fightOn(!this.toEnd) });
    this.foot = h("footer", { hidden: true }, this.say, this.through, this.done);
    this.el = h(
      "section.battle",
      { hidden: true, "aria-label": speak("battle.title") },
      h("header", null, this.title, this.when),
      this.odds,
      h("div.field", null, this.sides[0], h("div.between", null, this.dice), this.sides[1]),
      this.foot,
    );
    /** @type {(Throw | null)[]} what each side has thrown in this round, as far as it was seen */
    this.thrown = [null, null];
    /** @type {Fight | null} */
    this.fight = null;
    this.where = "";
    /** @type {Heap | null} what this seat is about to choose */
    this.wish = null;
    this.wishFor = "";
    this.key = "";
    /** @type {View | null} where what is proposed was done last */
    this.proposed = null;
    this.toEnd = false; // lines, losses and the next round as proposed, until it is over
    /** @type {Story | null} what has happened so far */
    this.story = null;
  }

  /** @param {View} view */
  show(view) {
    const b = view.board.battle;
    const open = !!b && view.board.phase !== "retreat";
    this.el.hidden = !open;
    this.table.root.classList.toggle("fighting", open);
    if (!b) {
      this.tellStory(view);
      this.thrown = [null, null];
      this.where = this.key = "";
      this.toEnd = false;
      return;
    }
    this.remember(b);
    this.write(view, b);
    const key = JSON.stringify([
      b,
      view.board.phase,
      view.to_move,
      view.seat,
      this.table.armiesAt(b.field),
      this.table.legal[0]?.action,
    ]);
    if (key === this.key) return;
    this.key = key;
    this.title.textContent = speak("battle", { place: this.table.area(b.field) });
    this.when.textContent = speak("battle.round", { n: b.round });
    [b.attacker, b.defender].forEach((seat, side) => this.showSide(view, side, seat));
    this.dice.forEach((el, side) => {
      el.className = `throw s${side ? b.defender : b.attacker}`;
      this.showThrow(el, this.thrown[side]);
    });
    this.ask();
  }

  // -- the story of it ------------------------------------------------------------------------------

  /** @param {View} view @param {Fight} b */
  write(view, b) {
    const pieces = (/** @type {number} */ seat) => view.board.seats[seat].pieces;
    if (this.story?.field !== b.field || this.story.seats[1] !== b.defender)
      this.story = {
        field: b.field,
        seats: [b.attacker, b.defender],
        before: [pieces(b.attacker), pieces(b.defender)],
        rounds: [],
      };
    this.count(b.round);
  }

  /** @param {number} round */
  count(round) {
    if (!this.story) return;
    const hits = (this.story.rounds[round - 1] ??= [0, 0]);
    for (const thrown of this.thrown)
      if (thrown && !thrown.left && !thrown.pursuit) hits[thrown.by] = hitsOf(thrown);
  }

  /** It is over: what it has cost stays to be read, for those who fought. @param {View} view */
  tellStory(view) {
    const story = this.story;
    this.story = null;
    if (!story || view.seat === null || !story.seats.includes(view.seat)) return;
    const lost = story.seats.map((seat, side) =>
      Object.fromEntries(
        Object.entries(story.before[side]).map(([kind, n]) => [
          kind,
          Math.max(0, n - view.board.seats[seat].pieces[kind]),
        ]),
      ),
    );
    this.table.moments.battle(story, lost);
  }

  /** From here on as proposed, or no longer. @param {boolean} on */
  fightOn(on) {
    this.toEnd = on;
    this.proposed = null;
    this.key = "";
    const view = this.table.view;
    if (view) this.show(view);
    this.goOn();
  }

  /** What is proposed is done, while that is wanted. */
  async goOn() {
    const view = this.table.view;
    if (!this.toEnd || !view || !view.board.battle || view.to_move !== view.seat || !this.table.legal.length)
      return;
    if (this.proposed === view) return; // is being done
    this.proposed = view;
    if (!still()) await pause(PACE);
    if (!this.toEnd || view !== this.table.view || !this.table.legal.length) return;
    if (this.chooser(view) >= 0) await this.confirm();
    else if (this.table.legal.some((choice) => choice.action === "fight_on"))
      await this.table.desk?.play(["fight_on"]);
    else this.toEnd = false;
  }

  /**
   * With its last die a throw may be gone already: that die is taken from the entry.
   * @param {import("/js/match/model.js").Row<View>} row
   */
  follow(row) {
    const b = row.view.board.battle;
    const face = /^roll (\w+)$/.exec(row.text)?.[1];
    const open = this.thrown.find((one) => one?.left === 1);
    const { where, fight } = this;
    this.remember(b);
    if (
      !face ||
      !open ||
      !fight ||
      where !== this.where ||
      (this.thrown[open.by] && this.thrown[open.by] !== open)
    )
      return;
    const { lines } = fight;
    const hit = open.scoring[face] ?? 0;
    const scores = !lines
      ? face === "galley"
      : b
        ? b.hits[1 - open.by] > hitsOf(open)
        : hit < (lines[open.by][face] ?? 0);
    this.thrown[open.by] = {
      ...open,
      left: 0,
      faces: { ...open.faces, [face]: (open.faces[face] ?? 0) + 1 },
      scoring: scores ? { ...open.scoring, [face]: hit + 1 } : open.scoring,
    };
    if (!b) this.count(fight.round); // it ended the battle
  }

  /**
   * The position keeps the last throw only; the other side's stays on the table until its next one.
   * @param {Fight | null} b
   */
  remember(b) {
    if (!b) return;
    this.fight = b;
    const where = `${b.field} ${b.round}`;
    if (where !== this.where) this.thrown = [null, null];
    this.where = where;
    if (b.dice_for === "nothing") return;
    const pursuit = b.dice_for === "pursuit";
    const by = pursuit ? (b.side === "attacker" ? 1 : 0) : BY[b.dice_for];
    const before = this.thrown[by];
    const n = Object.values(b.faces).reduce((sum, k) => sum + Number(k), 0);
    if (pursuit) this.thrown = [null, null];
    this.thrown[by] = { by, faces: b.faces, scoring: b.scoring, left: b.dice, pursuit };
    if (n && JSON.stringify(before?.faces) !== JSON.stringify(b.faces)) sound("dice");
  }

  /** @param {HTMLElement} el @param {Throw | null} thrown */
  showThrow(el, thrown) {
    el.hidden = !thrown;
    if (!thrown) return;
    const dice = FACES.flatMap((face) =>
      Array.from({ length: thrown.faces[face] ?? 0 }, (_, k) =>
        h(`span.cast${k < (thrown.scoring[face] ?? 0) ? ".scores" : ".misses"}`, null, mark(face)),
      ),
    );
    fillWith(
      el,
      dice,
      Array.from({ length: thrown.left }, () => h("span.cast.still")),
    );
    const hits = hitsOf(thrown);
    if (!thrown.left) el.append(h("b.hits", null, speak(thrown.pursuit ? "pursuit" : "hits", { n: hits })));
    el.setAttribute(
      "aria-label",
      `${FACES.filter((f) => thrown.faces[f])
        .map((f) => `${thrown.faces[f]} ${this.table.word("face", f)}`)
        .join(", ")}. ${speak("hits", { n: hits })}`,
    );
    if (!still()) el.lastElementChild?.animate([{ rotate: "-20deg", scale: 0.6 }, {}], 260);
  }

  // -- the two sides --------------------------------------------------------------------------------

  /** @param {View} view @param {number} side @param {number} seat */
  showSide(view, side, seat) {
    const b = /** @type {Fight} */ (view.board.battle);
    const el = this.sides[side];
    const chooses = this.chooser(view) === side;
    el.className = `host s${seat}${view.to_move === seat ? " asked" : ""}${chooses ? " choosing" : ""}`;
    const head = h(
      "h4",
      null,
      arms(seat),
      h("span", null, this.table.seat(seat)),
      h("small", null, this.table.word("side", side ? "defender" : "attacker")),
    );
    if (!b.lines) {
      fillWith(
        el,
        head,
        h(
          "div.rank",
          null,
          view.board.ships
            .filter((ship) => ship.area === b.field && ship.owner === seat)
            .map((ship) => this.vessel(ship)),
        ),
      );
      return;
    }
    const army = this.table.armiesAt(b.field)[seat] ?? {};
    const leaders = (army.general ?? 0) + (army.emperor ?? 0);
    const field = view.board.provinces[b.field];
    const wall = side === 1 && field.city === "fortified" && field.owner === seat;
    fillWith(
      el,
      head,
      h(
        "p.chiefs",
        null,
        army.emperor ? mark("emperor", this.table.word("who", "emperor")) : null,
        Array.from({ length: army.general ?? 0 }, () => mark("general", this.table.word("cargo", "general"))),
        wall ? mark("wall", speak("walls")) : null,
        leaders || wall ? null : h("small", null, speak("noleader")),
      ),
      chooses ? this.pickers(view, side) : this.ranks(view, side, army),
    );
  }

  /** Line and reserve as they stand. @param {View} view @param {number} side @param {Heap} army */
  ranks(view, side, army) {
    const b = /** @type {LandFight} */ (view.board.battle);
    const settled = view.board.phase === "decide" || view.board.phase === "victims"; // the fallen are off the board already
    /** @type {Heap} */
    const line = {};
    /** @type {Heap} */
    const rest = {};
    const formed = UNITS.some((unit) => b.lines[side][unit]) && !settled;
    for (const unit of UNITS) {
      line[unit] = formed ? b.lines[side][unit] : 0;
      rest[unit] = (army[unit] ?? 0) - line[unit];
    }
    const fallen = settled ? {} : b.fallen[side];
    const scored = settled ? {} : (this.thrown[side]?.scoring ?? {});
    const beyond = Object.fromEntries(
      UNITS.map((unit) => [unit, Math.max(0, (scored[unit] ?? 0) - line[unit])]),
    );
    return [
      formed
        ? h(
            "div.rank",
            { role: "img", "aria-label": `${speak("line")}${colon()}${this.table.heap(line)}` },
            h("small", null, speak("line")),
            soldiers(line, fallen, scored),
          )
        : null,
      UNITS.some((unit) => rest[unit])
        ? h(
            "div.rank.reserve",
            { role: "img", "aria-label": `${speak("reserve")}${colon()}${this.table.heap(rest)}` },
            h("small", null, speak(formed ? "reserve" : "units")),
            soldiers(rest, {}, formed ? beyond : {}),
          )
        : null,
    ];
  }

  /** @param {import("./view.d.ts").Ship} ship */
  vessel(ship) {
    const load = UNITS.reduce((sum, unit) => sum + (ship.hold[unit] ?? 0), 0);
    return h(
      "span.vessel",
      {
        "data-touch": `ship:${ship.ship}`,
        "data-info": `ship:${ship.ship}`,
        role: "img",
        "aria-label": this.table.shipLabel(ship),
      },
      mark("galley"),
      ship.hold.emperor ? mark("emperor") : ship.hold.general ? mark("general") : null,
      load ? h("b", null, load) : null,
    );
  }

  // -- choosing how many of each kind -----------------------------------------------------------------

  /** The side of which this seat chooses units now, or -1. @param {View} view */
  chooser(view) {
    const b = view.board.battle;
    if (!b?.lines || view.seat === null || view.to_move !== view.seat || !CHOOSING.has(view.board.phase))
      return -1;
    if (!this.table.legal.some((choice) => choice.touches[0].startsWith("unit:"))) return -1;
    return b.side === "attacker" ? 0 : 1;
  }

  /**
   * How many of each kind there are to choose from: kinds that are settled already are closed.
   * @param {View} view @param {number} side
   */
  offer(view, side) {
    const b = /** @type {LandFight} */ (view.board.battle);
    const seat = side ? b.defender : b.attacker;
    const all = view.board.phase === "losses" ? b.lines[side] : (this.table.armiesAt(b.field)[seat] ?? {});
    const first = UNITS.indexOf(this.table.legal[0]?.touches[0].slice(5) ?? "");
    return Object.fromEntries(UNITS.map((unit, k) => [unit, k < first ? 0 : (all[unit] ?? 0)]));
  }

  /** @param {View} view @param {number} side */
  pickers(view, side) {
    const b = /** @type {LandFight} */ (view.board.battle);
    const offer = this.offer(view, side);
    const key = JSON.stringify([b, view.board.phase]);
    if (this.wishFor !== key) {
      this.wishFor = key;
      this.wish = cheapest(offer, b.need);
    }
    const wish = /** @type {Heap} */ (this.wish);
    const line = view.board.phase === "line";
    const scored = view.board.phase === "losses" ? (this.thrown[side]?.scoring ?? {}) : {};
    return h(
      `div.pickers.for-${view.board.phase}`,
      null,
      UNITS.filter((unit) => offer[unit]).map((unit) =>
        h(
          "div.rank",
          { role: "group", "aria-label": this.table.word("unit", unit) },
          Array.from({ length: offer[unit] }, (_, k) => {
            const chosen = k < wish[unit];
            return h(
              `button.soldier${chosen ? ".picked" : ""}${chosen && !line ? ".down" : ""}${k >= offer[unit] - (scored[unit] ?? 0) ? ".scored" : ""}`,
              {
                type: "button",
                "aria-pressed": String(chosen),
                "aria-label": `${this.table.word("unit", unit)} ${k + 1}`,
                onclick: () => this.pick(unit, chosen && wish[unit] === k + 1 ? k : k + 1),
              },
              mark(unit),
            );
          }),
          h("b", { "data-touch": `unit:${unit}`, "data-role": "group" }, `${wish[unit]} / ${offer[unit]}`),
        ),
      ),
    );
  }

  /**
   * So many of a kind; what is then too much or too little is made up by the other kinds.
   * @param {string} unit @param {number} n
   */
  pick(unit, n) {
    const view = /** @type {View} */ (this.table.view);
    const side = this.chooser(view);
    if (side < 0 || !this.wish) return;
    const offer = this.offer(view, side);
    const { need, attacker, defender } = /** @type {LandFight} */ (view.board.battle);
    const wish = this.wish;
    wish[unit] = Math.min(n, need);
    const others = UNITS.filter((other) => other !== unit);
    let over = UNITS.reduce((sum, one) => sum + wish[one], 0) - need;
    for (const other of over > 0 ? [...others].reverse() : others) {
      const by = over > 0 ? Math.min(over, wish[other]) : -Math.min(-over, offer[other] - wish[other]);
      wish[other] -= by;
      over -= by;
    }
    if (over < 0) wish[unit] -= over; // nobody else can make it up
    this.showSide(view, side, side ? defender : attacker);
    this.ask();
  }

  /**
   * The actions that come to the wish: each is looked up among what is legal then.
   * @returns {Promise<string[]>}
   */
  async actions() {
    const wish = /** @type {Heap} */ (this.wish);
    /** @type {string[]} */
    const actions = [];
    let legal = this.table.legal;
    const done = new Set();
    while (legal.length) {
      const unit = legal[0].touches[0].slice(5);
      const found = legal.find((choice) => choice.touches[1] === `amount:${wish[unit]}`);
      if (!UNITS.includes(unit) || done.has(unit) || !found) break;
      done.add(unit);
      actions.push(found.action);
      const after = await this.table.desk?.whatIf(actions);
      if (!after?.ok || after.stopped) break;
      legal = after.legal.filter(
        (choice) =>
          choice.touches[0].startsWith("unit:") && choice.action.split(" ")[0] === found.action.split(" ")[0],
      );
    }
    return actions;
  }

  /** Odds now, or after what is about to be chosen; what can be done. */
  async ask() {
    const view = /** @type {View} */ (this.table.view);
    const side = this.chooser(view);
    const mine = (this.asked = {});
    const b = view.board.battle;
    const deciding = view.board.phase === "decide" && view.to_move === view.seat;
    this.say.textContent =
      side >= 0 ? speak(`pick.${view.board.phase}`, { n: b?.need }) : deciding ? speak("decide") : "";
    this.done.hidden = side < 0;
    this.through.hidden = view.to_move !== view.seat || !b?.lines || view.board.phase === "victims";
    this.through.textContent = speak(this.toEnd ? "stop" : "to_end");
    this.foot.hidden = side < 0 && !deciding;
    const actions = side >= 0 && view.board.phase === "losses" ? await this.actions() : [];
    const advice = view.board.phase === "roll" ? null : await this.table.advise("battle", actions);
    if (this.asked !== mine) return;
    this.table.sheet?.mark(
      "refuge",
      view.board.phase === "decide" || view.board.phase === "victims" ? (advice?.retreats ?? []) : [],
    );
    if (advice?.odds) this.showOdds(advice.odds);
    else if (view.board.phase !== "roll") this.odds.hidden = true;
  }

  async confirm() {
    const actions = await this.actions();
    if (actions.length) this.table.desk?.play(actions);
  }

  /** @param {Heap} odds */
  showOdds(odds) {
    const b = this.table.view?.board.battle;
    if (!b) return;
    const rest = Math.max(0, 100 - odds.attacker - odds.defender);
    this.odds.hidden = false;
    const part = (/** @type {string} */ kind, /** @type {number} */ n) =>
      h(`span.${kind}`, { vars: { "--part": n } }, n >= 8 ? `${percent(n)} %` : "");
    fillWith(
      this.odds,
      part(`s${b.attacker}`, odds.attacker),
      rest >= 0.1 ? part("none", rest) : null,
      part(`s${b.defender}`, odds.defender),
    );
    const text = speak("odds", {
      attacker: percent(odds.attacker),
      defender: percent(odds.defender),
      neither: percent(rest),
    });
    this.odds.setAttribute("aria-label", text);
    this.odds.title = text;
  }

  /** @type {object} */
  asked = {};
}

/** @param {Throw} thrown */
const hitsOf = (thrown) => Object.values(thrown.scoring).reduce((sum, n) => sum + n, 0);

/**
 * Infantry first, then cavalry: what a player loses first, and lines up first.
 * @param {Heap} offer @param {number} need
 */
function cheapest(offer, need) {
  let left = need;
  return Object.fromEntries(
    UNITS.map((unit) => {
      const n = Math.min(left, offer[unit]);
      left -= n;
      return [unit, n];
    }),
  );
}

/**
 * One by one: the first ones fall, the last ones are those whose die has come.
 * @param {Heap} heap @param {Heap} fallen @param {Heap} scored
 */
function soldiers(heap, fallen, scored) {
  return UNITS.flatMap((unit) => {
    const n = heap[unit] ?? 0;
    return Array.from({ length: n }, (_, k) =>
      h(
        `span.soldier${k < (fallen[unit] ?? 0) ? ".down" : ""}${k >= n - (scored[unit] ?? 0) ? ".scored" : ""}`,
        null,
        mark(unit),
      ),
    );
  });
}
