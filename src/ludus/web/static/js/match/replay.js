/** Looking back: slider, steps by entry, turn or round, autoplay at a speed, and a link to the moment. */

import { fillWith, h, icon } from "../dom.js";
import { remember, setting } from "../settings.js";
import { fillIn, seatName, t } from "../words.js";
import { nameThen } from "./house.js";

/** @typedef {import("./model.js").Model} Model */
/** @typedef {import("./model.js").Row} Row */

const UNITS = ["entry", "turn", "round"];
const SPEEDS = [0.5, 1, 2, 4];
const STEP = 900; // milliseconds between two steps of autoplay at speed 1

/**
 * Where turns and rounds end: the number of the last action of each, as the title counts them.  Where it does
 * not, a turn is what a seat does in a row, with dice between its actions or not, and a round begins with a
 * seat that has had its turn in the one before.
 * @param {Iterable<Row>} rows in order
 */
export function endsOf(rows) {
  /** @type {number[]} */
  const turns = [];
  /** @type {number[]} */
  const rounds = [];
  /** @type {Set<number>} */
  const had = new Set();
  let [seat, last, counted] = [-1, 0, 0];
  for (const { n, who, stands, turn, round = 0 } of rows) {
    if (typeof who !== "number" || !stands) continue;
    const now = turn ?? who;
    if (last && (now !== seat || round !== counted)) {
      turns.push(last);
      if (round ? round !== counted : had.has(now)) {
        rounds.push(last);
        had.clear();
      }
    }
    had.add(now);
    [seat, last, counted] = [now, n, round];
  }
  return { turns, rounds };
}

export class Replay {
  /**
   * @param {Model} model
   * @param {{show: (n: number) => void, leave: () => void, eye: (seat: number) => void,
   *   analysis: () => void, playOn: (n: number) => void}} on
   */
  constructor(model, on) {
    this.model = model;
    this.on = on;
    this.at = 0;
    this.active = false;
    this.timer = 0;
    this.unit = setting("replay.unit", "entry");
    this.speed = setting("replay.speed", 1);
    /** @type {ReturnType<typeof endsOf>} */
    this.ends = { turns: [], rounds: [] };
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
    this.analysis = button("curve", t("analysis"), () => this.on.analysis());
    this.analysis.classList.add("analyse");
    this.branch = button("branch", t("playon"), () => this.on.playOn(this.at));
    this.branch.classList.add("playon");
    const first = button("first", t("replay.first"), () => this.go(0));
    const last = button("last", t("replay.last"), () => this.go(this.model.entry));
    for (const far of [first, last, this.auto]) far.classList.add("far");
    this.back = h("button.primary.small", { type: "button", onclick: () => this.leave() });
    this.el = h(
      "section.replay",
      { "aria-label": t("replay"), hidden: true },
      first,
      button("prev", t("replay.prev"), () => this.step(-1)),
      this.auto,
      button("next", t("replay.next"), () => this.step(1)),
      last,
      choice(
        t("replay.unit"),
        UNITS.map((unit) => [unit, t(`replay.unit.${unit}`)]),
        this.unit,
        (unit) => {
          this.unit = unit;
          remember("replay.unit", unit);
        },
      ),
      choice(
        t("replay.speed"),
        SPEEDS.map((speed) => [String(speed), fillIn("{speed} ×", { speed })]),
        String(this.speed),
        (speed) => {
          this.speed = Number(speed);
          remember("replay.speed", this.speed);
        },
      ),
      this.slider,
      this.label,
      this.eyes,
      this.analysis,
      this.branch,
      button("link", t("replay.link"), () => this.copy()),
      this.back,
    );
    this.showAuto();
  }

  /** @param {number} n */
  async enter(n) {
    this.active = true;
    this.el.hidden = false;
    this.analysis.hidden = this.branch.hidden = !this.model.over;
    this.back.textContent = t(this.model.over ? "replay.end" : "replay.leave");
    this.slider.max = String(this.model.entry);
    this.showEyes();
    await this.model.read(1);
    this.slider.max = String(this.model.entry);
    this.findEnds();
    if (this.active) this.go(n);
  }

  findEnds() {
    this.ends = endsOf([...this.model.rows.values()].sort((a, b) => a.n - b.n));
  }

  /** One step of the chosen unit. @param {1 | -1} way */
  step(way) {
    this.go(this.next(way));
  }

  /** @param {1 | -1} way */
  next(way) {
    const { entry } = this.model;
    if (this.unit === "entry") return this.at + way;
    const ends = [0, ...(this.unit === "turn" ? this.ends.turns : this.ends.rounds), entry];
    return way > 0 ? (ends.find((n) => n > this.at) ?? entry) : (ends.findLast((n) => n < this.at) ?? 0);
  }

  /** In which turn an entry lies, from 1 on. @param {number} n */
  turnAt(n) {
    return 1 + this.ends.turns.filter((end) => end < n).length;
  }

  tellPlace() {
    const { entry: last, rows, table } = this.model;
    const row = rows.get(this.at);
    const { round = 0, turn = null } = row ?? {};
    const name = row && turn !== null ? nameThen(row, turn, table) : "";
    const counts = [...rows.values()].some((row) => row.round);
    if (counts && !round) {
      this.label.textContent = t("replay.of", { n: this.at, last });
      return;
    }
    const where = round
      ? [t("log.round", { n: round }), ...(name ? [name] : [])].join(", ")
      : t("replay.turn", { turn: this.turnAt(this.at) });
    this.label.textContent = t("replay.where", { where, n: this.at, last });
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
            title: t("replay.eye", { name: seatName(seat) }),
            onclick: () => this.on.eye(seat.seat),
          },
          icon("eye"),
          seatName(seat),
        ),
      ),
    );
  }

  /** @param {number} n */
  go(n) {
    this.at = Math.max(0, Math.min(this.model.entry, n));
    this.slider.value = String(this.at);
    this.slider.setAttribute("aria-valuetext", t("replay.of", { n: this.at, last: this.model.entry }));
    this.tellPlace();
    const url = new URL(location.href);
    url.searchParams.set("at", String(this.at));
    history.replaceState(history.state, "", url);
    this.on.show(this.at);
    if (this.at >= this.model.entry) this.stop();
  }

  /** More entries came while looking back. */
  grow() {
    this.slider.max = String(this.model.entry);
    if (!this.active) return;
    this.findEnds();
    this.tellPlace();
  }

  toggle() {
    if (this.timer) {
      this.stop();
      return;
    }
    if (this.at >= this.model.entry) this.go(0);
    this.playOn();
    this.showAuto();
  }

  /** The next step after a while; as long as nobody has stopped it. */
  playOn() {
    this.timer = window.setTimeout(() => {
      this.go(this.unit === "entry" ? this.nextTold() : this.next(1));
      if (this.timer) this.playOn();
    }, STEP / this.speed);
  }

  /** The next entry about which something is said: throws and deals pass in one step. */
  nextTold() {
    for (let n = this.at + 1; n < this.model.entry; n++) if (this.model.rows.get(n)?.log.length) return n;
    return this.model.entry;
  }

  stop() {
    clearTimeout(this.timer);
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

/**
 * @param {string} label @param {string[][]} choices @param {string} now
 * @param {(value: string) => void} choose
 */
function choice(label, choices, now, choose) {
  return h(
    "select",
    {
      "aria-label": label,
      title: label,
      onchange: (/** @type {Event} */ e) => choose(/** @type {HTMLSelectElement} */ (e.target).value),
    },
    choices.map(([value, text]) => h("option", { value, selected: value === now }, text)),
  );
}
