/**
 * What one seldom does, in a menu of its own: raze a city, give talents away, ask to be acclaimed, abdicate.
 * What is gone for good is asked about first.
 */

import { h } from "/js/dom.js";
import { dialog } from "/js/match/info.js";
import { capital } from "/js/match/bar.js";
import { asking, speak } from "/js/words.js";

/** @typedef {import("/js/match/model.js").Choice} Choice */

const SELDOM = ["raze", "gift", "acclaim", "abdicate"];
const FIVE = 5; // talents are given in fives
const ASKED = new Set(["raze", "acclaim", "agree", "abdicate", "remove"]);

export class Rare {
  /** @param {import("./table.js").ConquestTable} table */
  constructor(table) {
    this.table = table;
    const word = (/** @type {string} */ kind) => table.title.words[`touch.${kind}`];
    this.items = SELDOM.map((kind) =>
      h(
        "div.item",
        { "data-touch": `button:${kind}`, "data-role": "none", role: "none" },
        capital(word(kind)),
      ),
    );
    this.list = h("div.seldom", { hidden: true }, this.items);
    this.button = h(
      "button.round",
      {
        type: "button",
        "aria-label": speak("rare"),
        title: speak("rare"),
        "aria-expanded": "false",
        onclick: () => this.toggle(),
      },
      "⋯",
    );
    this.el = h("div.rare", { hidden: true }, this.button, this.list);
  }

  /** @param {boolean} [open] */
  toggle(open = this.list.hidden) {
    this.list.hidden = !open;
    this.button.setAttribute("aria-expanded", String(open));
  }

  /** @param {import("/js/match/hands.js").Hands} hands */
  show(hands) {
    const some = !hands.busy && SELDOM.some((kind) => hands.root.next.has(`button:${kind}`));
    this.el.hidden = !some;
    if (!some || hands.path.length) this.toggle(false);
  }

  /** Whether it is meant. @param {Choice} choice @returns {Promise<boolean>} */
  confirm(choice) {
    const [kind, area] = choice.action.split(" ");
    const gift = kind === "amount" && this.table.board.offer?.kind === "gift";
    if (!ASKED.has(kind) && !gift) return Promise.resolve(true);
    return new Promise((answer) => {
      let meant = false;
      const close = (/** @type {boolean} */ yes) => {
        meant = yes;
        sheet.close();
      };
      const does = gift ? this.giving(Number(area)) : capital(choice.say);
      const sheet = dialog(asking(does), [
        h("p", null, gift ? this.given(Number(area)) : this.warning(kind, area)),
        h(
          "div.actions",
          null,
          h("button.secondary.yes", { type: "button", onclick: () => close(true) }, does),
          h(
            "button.primary.no",
            { type: "button", autofocus: true, onclick: () => close(false) },
            speak("ask.no"),
          ),
        ),
      ]);
      sheet.addEventListener("close", () => answer(meant));
    });
  }

  /** What the button says that gives it away. @param {number} fives */
  giving(fives) {
    const to = this.table.board.offer?.partner ?? 0;
    return speak("give", { name: this.table.seat(to), n: FIVE * fives });
  }

  /** @param {number} fives */
  given(fives) {
    const to = this.table.board.offer?.partner ?? 0;
    return speak("ask.gift", { name: this.table.seat(to), n: FIVE * fives });
  }

  /** @param {string} kind @param {string} area */
  warning(kind, area) {
    const { active, seats } = this.table.board;
    const home = kind === "raze" && seats[this.table.us]?.home === area;
    return speak(home ? "ask.home" : `ask.${kind}`, { name: this.table.seat(active) });
  }
}
