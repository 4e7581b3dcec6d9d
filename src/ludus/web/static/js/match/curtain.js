/** Several people at the same screen: hands are covered while it goes to another player. */

import { h, icon } from "../dom.js";
import { seatName, t } from "../words.js";

/** @typedef {import("./session.js").Session} Session */

export class Curtain {
  /** @param {Session} session @param {HTMLElement} main @param {{present: () => void}} on */
  constructor(session, main, on) {
    this.session = session;
    this.main = main;
    this.on = on;
    this.raised = false; // once by the one who sits here first
    /** @type {HTMLElement | null} */
    this.el = null;
  }

  /** Cover what the next player may not see yet, or uncover. */
  fall() {
    const { model, table } = this.session;
    const seat = table.to_move;
    const several = model.yours.length > 1 && table.state === "running";
    if (
      !several ||
      typeof seat !== "number" ||
      !model.yours.includes(seat) ||
      (seat === model.eye && this.raised)
    ) {
      this.rise();
      return;
    }
    if (!this.session.title?.hides || this.alone()) {
      if (seat !== model.eye) model.link.look(seat); // nothing to cover: the next one is asked at once
      return;
    }
    if (this.el?.dataset.seat === String(seat)) return;
    this.el?.remove();
    const name = seatName(table.seats[seat]);
    const go = h(
      "button.primary.big",
      { type: "button", onclick: () => this.passTo(seat) },
      t("cover.go", { name }),
    );
    const said = [h("h2", null, t("cover", { name })), h("p", null, t("cover.help"))];
    this.el = h(
      "div.curtain",
      { "data-seat": seat, role: "dialog", "aria-label": t("cover", { name }) },
      icon("swap"),
      said,
      go,
    );
    this.main.append(this.el);
    this.hide(true);
    go.focus();
  }

  /** Whether one person plays all sides: then the house has called them all by that name, with a number. */
  alone() {
    const { model, table } = this.session;
    const names = model.yours.map((seat) => table.seats[seat].name ?? "");
    const owner = names.reduce((found, name) => (name.length < found.length ? name : found));
    return names.every((name) => name.startsWith(owner) && /^( \d+)?$/.test(name.slice(owner.length)));
  }

  /** @param {number} seat */
  passTo(seat) {
    const { model } = this.session;
    this.raised = true;
    this.rise();
    if (seat === model.eye) this.on.present();
    else model.link.look(seat);
  }

  rise() {
    this.el?.remove();
    this.el = null;
    this.hide(false);
  }

  /** @param {boolean} covered */
  hide(covered) {
    for (const el of this.main.children) if (el !== this.el) /** @type {HTMLElement} */ (el).inert = covered;
    this.main.classList.toggle("covered", covered);
  }
}
