/** A plate for each seat: shape, name, home, talents, tribute, captives. */

import { fillWith, h, icon } from "/js/dom.js";
import { peaceLine } from "/js/match/talk.js";
import { seatName, speak, t } from "/js/words.js";
import { arms, mark } from "./emblems.js";

/** @typedef {import("/js/match/model.js").Table} Table */
/** @typedef {import("./view.d.ts").View} View */

export class Plate {
  /** @param {number} seat @param {(group: string, label: string) => string} word */
  constructor(seat, word) {
    this.seat = seat;
    this.word = word;
    this.who = h("b");
    this.home = h("small.homeof");
    this.talents = h("b");
    this.tribute = h("b");
    this.clock = h("span.clock");
    this.captives = h("span.held");
    this.words = h("span.words");
    this.dot = h("span.dot");
    this.purse = h(
      "span.purse",
      null,
      h("span", { title: speak("talents.title") }, mark("talents", speak("talents.title")), this.talents),
      h("span", { title: speak("tribute.title") }, mark("city", speak("tribute.title")), this.tribute),
      this.words,
    );
    this.el = h(
      `section.plate.s${seat}`,
      {
        "data-also": `partner:${seat} foe:${seat} captive:${seat}`,
        "data-info": `seat:${seat}`,
        role: "group",
      },
      arms(seat),
      h("span.who", null, this.dot, this.who),
      this.home,
      this.purse,
      this.captives,
      this.clock,
    );
    this.key = "";
    /** @type {ReturnType<Plate["given"]>} */
    this.promises = [];
  }

  /** @param {View} view @param {Table} table */
  show(view, table) {
    const facts = view.board.seats[this.seat];
    const who = table.seats[this.seat];
    const turn = view.board.active === this.seat && view.board.phase !== "ended";
    const key = JSON.stringify([
      facts,
      seatName(who),
      who.present,
      turn,
      view.to_move === this.seat,
      view.seat,
      view.board.round,
      table.peace,
    ]);
    if (key === this.key) return;
    this.key = key;
    this.who.textContent = seatName(who);
    this.dot.classList.toggle("here", who.present);
    const fallen = facts.home !== null && facts.emperor === null;
    this.el.classList.toggle("fallen", fallen);
    // where only some plates are seen, the one whose turn it is
    if (turn && !this.el.classList.contains("turn"))
      this.el.scrollIntoView({ block: "nearest", inline: "nearest" });
    this.el.classList.toggle("turn", turn);
    this.el.classList.toggle("asked", view.to_move === this.seat);
    const home = fallen
      ? speak("fallen")
      : facts.home
        ? this.word("home", facts.home) + (facts.home_held ? "" : ` – ${speak("homelost")}`)
        : "";
    this.home.textContent = [view.seat === this.seat ? t("you") : "", home].filter(Boolean).join(" · ");
    this.talents.textContent = String(facts.talents);
    this.tribute.textContent = String(facts.tribute);
    const held = Object.entries(facts.captives);
    const undecided = facts.undecided ? h("span", { title: speak("undecided") }, "?") : null;
    fillWith(
      this.captives,
      held.map(([owner, n]) =>
        h(
          "span.captive",
          { title: speak("captive", { name: seatName(table.seats[Number(owner)]) }) },
          arms(Number(owner)),
          mark("general"),
          Number(n) > 1 ? `×${n}` : null,
        ),
      ),
      undecided,
    );
    const given = (this.promises = this.given(view, table));
    fillWith(
      this.words,
      given.map(({ other, broken, says }) =>
        h(`span.word${broken ? ".broken" : ""}`, { title: says }, icon("olive"), arms(other)),
      ),
    );
    this.captives.hidden = !held.length && !undecided;
    this.el.setAttribute(
      "aria-label",
      [
        seatName(who),
        this.home.textContent,
        speak("talents", { n: facts.talents }),
        speak("tribute", { n: facts.tribute }),
        ...held.map(
          ([owner, n]) => `${speak("captive", { name: seatName(table.seats[Number(owner)]) })}: ${n}`,
        ),
        ...given.map(({ says }) => says),
      ]
        .filter(Boolean)
        .join(", "),
    );
  }

  /** The words of peace that this seat has kept, or broken. @param {View} view @param {Table} table */
  given(view, table) {
    return (table.peace ?? [])
      .filter(({ seat, to }) => [seat, to].includes(this.seat))
      .filter(({ state, by }) => state === "agreed" || (state === "broken" && by === this.seat))
      .filter(({ last }) => view.board.round <= last)
      .map((one) => {
        const other = one.seat === this.seat ? one.to : one.seat;
        const says =
          one.state === "broken"
            ? peaceLine(table, one)
            : t("peace.until", { name: seatName(table.seats[other]), round: one.last });
        return { other, broken: one.state === "broken", says };
      });
  }
}
