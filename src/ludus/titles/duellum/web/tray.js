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
}
