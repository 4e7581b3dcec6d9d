/** Roma's dice: the three action dice in their tray, and the battle die beside its target. */

import { h, pause, still } from "/js/dom.js";
import { play as sound } from "/js/sound.js";
import { speak } from "/js/words.js";
import { dieFace } from "./pieces.js";

/** @typedef {import("./view.d.ts").View} View */
/** @typedef {import("./view.d.ts").Board} Board */
/** @typedef {import("/js/match/model.js").Row<View>} Row */

/** How a cube must stand to show a number. @type {Record<number, [number, number]>} */
const TURN = { 1: [0, 0], 2: [-90, 0], 3: [0, -90], 4: [0, 90], 5: [90, 0], 6: [0, 180] };

const ROLL = 700; // milliseconds
const NEXT = 70; // between two dice of a throw

/** A die that can roll. */
export class Die {
  /** @param {string} [kind] */
  constructor(kind = "") {
    this.cube = h(
      "div.cube",
      { "aria-hidden": "true" },
      [1, 2, 3, 4, 5, 6].map((n) => h(`div.face.f${n}`, null, dieFace(n))),
    );
    this.el = h(`div.die${kind}.blank`, null, this.cube);
    this.value = 0;
    /** @type {Promise<unknown>} kept when it has landed */
    this.landed = Promise.resolve();
  }

  /** Lie still; 0: it is used, and shows what it showed before. @param {number} value */
  set(value) {
    this.value = value;
    if (value) this.show(value);
    this.el.classList.toggle("used", !value);
  }

  /** @param {number} value */
  show(value) {
    this.cube.style.setProperty("transform", turned(value, 0));
    this.el.classList.remove("blank");
  }

  /** What it is to a hand and to a screen reader. */
  say() {
    if (this.value) {
      this.el.dataset.touch = `die:${this.value}`;
      this.el.dataset.info = "die";
    } else {
      delete this.el.dataset.touch;
      delete this.el.dataset.info;
      this.el.removeAttribute("tabindex");
      this.el.setAttribute("role", "img");
    }
    this.el.setAttribute("aria-label", this.value ? speak("die", { n: this.value }) : speak("used"));
  }

  /** What it showed is not known: a table that was just opened, or another moment. */
  forget() {
    this.value = 0;
    this.el.classList.add("blank");
  }

  /** Roll to a value. @param {number} value @param {number} [k] the how manieth of a throw it is */
  roll(value, k = 0) {
    this.value = value;
    this.el.classList.remove("used");
    this.show(value);
    if (still()) return;
    const end = turned(value, 0);
    const start = `rotateX(${360 + 300 * Math.random()}deg) rotateY(${-540 - 360 * Math.random()}deg) rotateZ(${180 * Math.random()}deg)`;
    const options = {
      duration: ROLL,
      delay: NEXT * k,
      easing: "cubic-bezier(.2,.7,.25,1)",
      fill: /** @type {FillMode} */ ("backwards"),
    };
    this.cube.animate([{ transform: start }, { transform: end }], options);
    const x = (Math.random() - 0.5) * 60;
    const fall = this.el.animate(
      [
        { translate: `${x}px -90px`, opacity: 0 },
        { translate: `${x / 3}px 6px`, opacity: 1, offset: 0.55 },
        { translate: `${x / 6}px -12px`, offset: 0.75 },
        { translate: "0 0" },
      ],
      options,
    );
    // In a tab that nobody sees animations stand still, and timers go on.
    this.landed = Promise.race([fall.finished.catch(() => undefined), pause(3 * ROLL)]);
  }
}

/** @param {number} value @param {number} more */
function turned(value, more) {
  const [x, y] = TURN[value];
  return `rotateX(${x}deg) rotateY(${y + more}deg) rotateZ(0deg)`;
}

/** The action dice. */
export class Tray {
  constructor() {
    this.dice = [new Die(), new Die(), new Die()];
    for (const die of this.dice) die.el.setAttribute("role", "img");
    this.el = h(
      "div.dice",
      null,
      this.dice.map((die) => die.el),
    );
    this.at = 0; // the last entry that was shown moving
  }

  /**
   * @param {Board} board @param {Board | undefined} before @param {Row[]} rows what happened in between
   * @param {boolean} theirs whether the other side throws
   * @returns {Promise<unknown>} kept when they lie still
   */
  show(board, before, rows, theirs) {
    const follows = this.follows(board, before, rows);
    const rolled = !!before && rows.some((row) => row.who === "chance" && row.text.startsWith("roll "));
    if (!follows) for (const die of this.dice) die.forget();
    if (rolled) {
      sound("dice");
      this.dice.forEach((die, k) => (board.dice[k] ? die.roll(board.dice[k], k) : die.set(0)));
    } else this.keep(board.dice);
    this.el.classList.toggle("theirs", theirs);
    for (const die of this.dice) die.say();
    return Promise.all(this.dice.map((die) => die.landed));
  }

  /**
   * Whether the used dice are those of this moment; after a leap nobody knows what they showed.
   * @param {Board} board @param {Board | undefined} before @param {Row[]} rows
   */
  follows(board, before, rows) {
    const [first, last] = [rows[0], rows[rows.length - 1]];
    const follows = first
      ? !this.at || first.n === this.at + 1
      : before?.turn === board.turn && before.dice.join() === board.dice.join();
    this.at = last?.n ?? (follows ? this.at : 0);
    return follows;
  }

  /**
   * Dice that are still there stay where they lie; used ones go dark in their place.
   * @param {number[]} now
   */
  keep(now) {
    const rest = [...now];
    const kept = this.dice.map(({ value }) => {
      const at = value ? rest.indexOf(value) : -1;
      return at >= 0 ? rest.splice(at, 1)[0] : 0;
    });
    for (const value of rest) kept[kept.indexOf(0)] = value;
    this.dice.forEach((die, k) => die.set(kept[k]));
  }
}

const FIGHT = 2400; // milliseconds for which the battle die lies there

/** The battle die: it falls beside its target. */
export class BattleDie {
  constructor() {
    this.die = new Die(".battle");
    this.el = h("div.battlebox", { hidden: true, "aria-hidden": "true" }, this.die.el);
    this.ends = 0;
    this.timer = 0;
    this.stays = false;
  }

  /** @param {number} value @param {number} disc */
  roll(value, disc) {
    this.el.style.setProperty("--at", String(disc ? disc - 1 : 2.5));
    this.el.hidden = false;
    this.ends = Date.now() + FIGHT;
    sound("dice");
    this.die.roll(value);
    clearTimeout(this.timer);
    this.timer = window.setTimeout(() => this.clear(), FIGHT + 100);
  }

  /**
   * It goes with its turn, and stays while a die may still be added.
   * @param {Board} board @param {Board} [before]
   */
  show(board, before) {
    if (before && before.turn !== board.turn) this.ends = 0;
    this.stays = board.phase === "extra_die";
    this.clear();
  }

  clear() {
    if (!this.stays && Date.now() > this.ends) this.el.hidden = true;
  }
}
