/**
 * What lies beside the map.  On a small screen it is a tray with tabs, always of the same height: the map
 * keeps its place, whatever is looked at.
 */

import { h } from "/js/dom.js";
import { speak } from "/js/words.js";

/** @typedef {"rondel" | "knows" | "events" | "score"} Tab */

const TABS = /** @type {const} */ (["rondel", "knows", "events", "score"]);
/** Where the next touch is, by the phase. @type {Record<string, Tab>} */
const NEEDED = { rondel: "rondel", scientia: "knows", pick: "events", strike: "events" };

export class Tray {
  /** @param {Record<Tab, HTMLElement>} panels */
  constructor(panels) {
    this.heads = TABS.map((tab) =>
      h("button.plain", { type: "button", "data-tab": tab, onclick: () => this.open(tab) }, speak(tab)),
    );
    for (const tab of TABS) panels[tab].dataset.panel = tab;
    this.el = h(
      "div.beside",
      null,
      h("div.heads", { role: "group", "aria-label": speak("tray") }, this.heads),
      Object.values(panels),
    );
    this.phase = "";
    this.offered = "";
    this.open("rondel");
  }

  /** @param {Tab} tab */
  open(tab) {
    this.el.dataset.tab = tab;
    for (const head of this.heads) head.setAttribute("aria-pressed", String(head.dataset.tab === tab));
  }

  /** Another stretch of the turn may need another tab. @param {string} phase @param {boolean} mine */
  follow(phase, mine) {
    if (phase === this.phase) return;
    this.phase = phase;
    if (NEEDED[phase] && (mine || phase === "rondel")) this.open(NEEDED[phase]);
  }

  /**
   * Where all that can be touched lies under one closed tab, that is opened: once for each question, since
   * who opens another one then wants to look at it.
   * @param {HTMLElement} board @param {string} question
   */
  show(board, question) {
    if (question === this.offered) return;
    this.offered = question;
    const tabs = [...board.querySelectorAll("[data-touch].lit")].map(
      (el) => /** @type {HTMLElement | null} */ (el.closest("[data-panel]"))?.dataset.panel,
    );
    const tab = TABS.find((one) => one === tabs[0]);
    if (tab && tabs.every((one) => one === tab)) this.open(tab);
  }
}
