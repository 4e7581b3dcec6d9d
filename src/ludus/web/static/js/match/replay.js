/** Looking back: slider, steps, autoplay, and a link to the moment. */

import { fillWith, h, icon } from "../dom.js";
import { t } from "../words.js";

/** @typedef {import("./model.js").Model} Model */

export class Replay {
  /**
   * @param {Model} model
   * @param {{show: (n: number) => void, leave: () => void, eye: (seat: number) => void}} on
   */
  constructor(model, on) {
    this.model = model;
    this.on = on;
    this.at = 0;
    this.active = false;
    this.timer = 0;
    this.slider = /** @type {HTMLInputElement} */ (
      h("input.slider", {
        type: "range",
        min: 0,
        step: 1,
        "aria-label": t("replay.moment"),
        oninput: () => this.go(Number(this.slider.value)),
      })
    );
    this.label = h("output.count", { "aria-live": "off" });
    this.auto = h("button.round", { type: "button", onclick: () => this.toggle() });
    this.eyes = h("span.eyes");
    /** @param {string} name @param {string} label @param {() => void} work */
    const button = (name, label, work) =>
      h("button.round", { type: "button", "aria-label": label, title: label, onclick: work }, icon(name));
    this.el = h(
      "section.replay",
      { "aria-label": t("replay"), hidden: true },
      button("first", t("replay.first"), () => this.go(0)),
      button("prev", t("replay.prev"), () => this.go(this.at - 1)),
      this.auto,
      button("next", t("replay.next"), () => this.go(this.at + 1)),
      button("last", t("replay.last"), () => this.go(this.model.entry)),
      this.slider,
      this.label,
      this.eyes,
      button("link", t("replay.link"), () => this.copy()),
      h("button.primary.small", { type: "button", onclick: () => this.leave() }, t("replay.leave")),
    );
    this.showAuto();
  }

  /** @param {number} n */
  async enter(n) {
    this.active = true;
    this.el.hidden = false;
    this.slider.max = String(this.model.entry);
    this.showEyes();
    await this.model.read(1);
    this.slider.max = String(this.model.entry);
    if (this.active) this.go(n);
  }

  showEyes() {
    const table = this.model.table;
    const choices = this.model.over && table ? table.seats : [];
    fillWith(
      this.eyes,
      choices.map((seat) =>
        h(
          "button.eye",
          {
            type: "button",
            "aria-pressed": String(seat.seat === this.model.eye),
            title: t("replay.eye", { name: seat.name || String(seat.seat + 1) }),
            onclick: () => this.on.eye(seat.seat),
          },
          icon("eye"),
          String(seat.seat + 1),
        ),
      ),
    );
  }

  /** @param {number} n */
  go(n) {
    this.at = Math.max(0, Math.min(this.model.entry, n));
    this.slider.value = String(this.at);
    this.slider.setAttribute("aria-valuetext", t("replay.of", { n: this.at, last: this.model.entry }));
    this.label.textContent = `${this.at} / ${this.model.entry}`;
    const url = new URL(location.href);
    url.searchParams.set("at", String(this.at));
    history.replaceState(history.state, "", url);
    this.on.show(this.at);
    if (this.at >= this.model.entry) this.stop();
  }

  /** More entries came while looking back. */
  grow() {
    this.slider.max = String(this.model.entry);
    this.label.textContent = `${this.at} / ${this.model.entry}`;
  }

  toggle() {
    if (this.timer) {
      this.stop();
      return;
    }
    if (this.at >= this.model.entry) this.go(0);
    this.timer = window.setInterval(() => this.go(this.nextTold()), 900);
    this.showAuto();
  }

  /** The next entry about which something is said: throws and deals pass in one step. */
  nextTold() {
    for (let n = this.at + 1; n < this.model.entry; n++) if (this.model.rows.get(n)?.log.length) return n;
    return this.model.entry;
  }

  stop() {
    clearInterval(this.timer);
    this.timer = 0;
    this.showAuto();
  }

  showAuto() {
    const label = t(this.timer ? "replay.pause" : "replay.play");
    this.auto.setAttribute("aria-label", label);
    this.auto.title = label;
    fillWith(this.auto, icon(this.timer ? "pause" : "play"));
  }

  async copy() {
    try {
      await navigator.clipboard.writeText(location.href);
      this.label.textContent = t("copied");
    } catch {
      this.label.textContent = location.href;
    }
  }

  leave() {
    this.stop();
    this.active = false;
    this.el.hidden = true;
    const url = new URL(location.href);
    url.searchParams.delete("at");
    history.replaceState(history.state, "", url);
    this.on.leave();
  }
}
