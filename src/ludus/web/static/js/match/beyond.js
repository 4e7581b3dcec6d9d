/** Arrows at the edges of a map of which a part is seen: what else can be touched lies there. */

import { h, icon } from "../dom.js";
import { t } from "../words.js";

/** @typedef {[number, number]} Spot */

const MARGIN = 0.25; // of the window, that is seen around what is shown

/** How far beyond an edge a point lies. @type {Record<string, (spot: Spot, window: DOMRect) => number>} */
const EDGES = {
  west: ([x], { left }) => left - x,
  east: ([x], { right }) => x - right,
  north: ([, y], { top }) => top - y,
  south: ([, y], { bottom }) => y - bottom,
};

export class Beyond {
  /** @param {import("./zoom.js").Zoom} zoom */
  constructor(zoom) {
    this.zoom = zoom;
    /** @type {Element[]} */
    this.things = [];
    const says = t("map.beyond");
    this.buttons = Object.keys(EDGES).map((edge) =>
      h(
        `button.round.beyond.${edge}`,
        { type: "button", hidden: true, "aria-label": says, title: says, onclick: () => this.go(edge) },
        icon("next"),
      ),
    );
    zoom.window.append(...this.buttons);
    zoom.window.addEventListener("scroll", () => this.place(), { passive: true });
  }

  /** @param {Element[]} things */
  show(things) {
    this.things = things;
    this.place();
  }

  /** The middles of what lies beyond an edge, the nearest last. @param {string} edge @returns {Spot[]} */
  at(edge) {
    const window = this.zoom.window.getBoundingClientRect();
    const far = (/** @type {Spot} */ spot) => EDGES[edge](spot, window);
    return this.things
      .map((el) => el.getBoundingClientRect())
      .filter((box) => box.width && box.height)
      .map((box) => /** @type {Spot} */ ([box.left + box.width / 2, box.top + box.height / 2]))
      .filter((spot) => far(spot) > 0)
      .sort((a, b) => far(b) - far(a));
  }

  place() {
    Object.keys(EDGES).forEach((edge, k) => (this.buttons[k].hidden = !this.at(edge).length));
  }

  /** The nearest of what lies there, and as much more as fits, straight that way. @param {string} edge */
  go(edge) {
    const [sheet, window] = [this.zoom.sheet, this.zoom.window].map((el) => el.getBoundingClientRect());
    const across = edge === "west" || edge === "east";
    const room = (across ? window.width : window.height) * (1 - 2 * MARGIN);
    const there = this.at(edge);
    const least = EDGES[edge](there[there.length - 1], window);
    const near = there.filter((spot) => EDGES[edge](spot, window) < least + room);
    const [midx, midy] = [window.left + window.width / 2, window.top + window.height / 2];
    this.zoom.follow(
      near
        .map(([x, y]) => (across ? [x, midy] : [midx, y]))
        .map(([x, y]) => [(x - sheet.left) / sheet.width, (y - sheet.top) / sheet.height]),
    );
  }
}
