/** What must not be overlooked: a fallen emperor, a lost home, kept until closed; captured generals, until
 * one plays on. */

import { fillWith, h, icon } from "/js/dom.js";
import { speak, t } from "/js/words.js";
import { arms, mark } from "./emblems.js";

/** @typedef {import("./view.d.ts").View} View */
/** @typedef {{kind: string, seat: number, text: string, more?: string | Node[]}} Moment */

export class Moments {
  /** @param {import("./table.js").ConquestTable} table */
  constructor(table) {
    this.table = table;
    /** @type {Moment[]} */
    this.queue = [];
    this.el = h("section.moment", { hidden: true, role: "status", "aria-live": "polite" });
  }

  /** What has come between two views. @param {View} before @param {View} after */
  compare(before, after) {
    const was = before.board.seats;
    const is = after.board.seats;
    const name = (/** @type {number} */ seat) => this.table.seat(seat);
    is.forEach((facts, seat) => {
      const old = was[seat];
      if (old.emperor !== null && facts.emperor === null) {
        if (seat === after.seat) return; // a window says it
        const heir = is.findIndex((s, k) => s.colours > was[k].colours);
        this.add({
          kind: "emperor",
          seat,
          text: speak("moment.falls", { name: name(seat) }),
          more: heir < 0 ? "" : speak("moment.heir", { name: name(heir) }),
        });
      } else if (old.home_held && !facts.home_held)
        this.add({
          kind: "city",
          seat,
          text: speak("moment.home", { name: name(seat), in: this.table.word("in", facts.home ?? "") }),
        });
      if (facts.undecided > old.undecided && facts.emperor !== null) {
        const n = facts.undecided - old.undecided;
        this.add({ kind: "general", seat, text: speak("moment.captured", { name: name(seat), n }) });
      }
    });
  }

  /**
   * A battle is over: who hit how often in which round, and what was lost.
   * @param {import("./battle.js").Story} story @param {Record<string, number>[]} lost
   */
  battle({ field, seats, rounds }, lost) {
    const cost = seats.map((seat, side) =>
      h(
        "p",
        null,
        arms(seat),
        " ",
        speak("moment.lost", { name: this.table.seat(seat), what: this.table.heap(lost[side]) }),
      ),
    );
    const course = rounds.map((hits, k) => `${k + 1}: ${hits.join("–")}`).join(" · ");
    this.add({
      kind: field in this.table.board.provinces ? "catapult" : "galley",
      seat: this.table.us,
      text: speak("moment.battle", { in: this.table.word("in", field) }),
      more: [...cost, h("p.course", null, speak("moment.course", { course }))],
    });
  }

  /** @param {Moment} moment */
  add(moment) {
    if (this.table.root.closest(".past")) return; // who looks back is told by the log
    this.queue.push(moment);
    this.show();
  }

  show() {
    const [first] = this.queue;
    this.el.hidden = !first;
    if (!first) return;
    this.el.className = `moment s${first.seat}`;
    fillWith(
      this.el,
      h("span.seal", null, mark(first.kind), arms(first.seat)),
      h(
        "div",
        null,
        h("b", null, first.text),
        typeof first.more === "string" ? h("p", null, first.more) : (first.more ?? null),
      ),
      h(
        "button.round",
        { type: "button", "aria-label": t("close"), onclick: () => this.next() },
        icon("close"),
      ),
    );
  }

  /** Who plays on has read of captives; of what weighs more it is told until it is closed. */
  goOn() {
    this.queue = this.queue.filter(({ kind }) => kind !== "general");
    this.show();
  }

  /** A turn has ended, and with it what is told who only watches. @param {View} view */
  ended({ seat, out }) {
    if (seat !== null && !out.includes(seat)) return;
    this.queue = [];
    this.show();
  }

  next() {
    this.queue.shift();
    this.show();
  }
}
