/** The rondel: eight spaces, both stones, and what each space would cost now. */

import { fillWith, h, s } from "/js/dom.js";
import { speak } from "/js/words.js";
import { seatMark } from "./panels.js";
import { glyph, glyphPaths, ground } from "./pieces.js";

const SPACES = ["ferrum", "templum", "aurum", "duellum", "militia", "marmor", "scientia", "duellum_ii"];
const [OUTER, INNER] = [146, 50];

export class Rondel {
  /** @param {import("./reading.js").Reading} reading */
  constructor(reading) {
    this.reading = reading;
    this.stones = s("g.stones");
    /** @type {Record<string, SVGElement>} */
    this.prices = {};
    /** @type {Record<string, SVGElement>} */
    this.spaces = {};
    this.el = s(
      "svg.rondel",
      { viewBox: "-150 -150 300 300", role: "group", "aria-label": speak("rondel") },
      s("circle.rim", { r: 149 }),
      SPACES.map((space, k) => this.sector(space, k)),
      s("circle.hub", { r: INNER - 5 }),
      s("path.arrow", { d: arrow() }),
      this.stones,
    );
  }

  /** @param {string} space @param {number} k */
  sector(space, k) {
    const [x, y] = spot(k, 101);
    const outer = y < -40 ? -1 : 1; // the name stands outside of the sign, the stones inside
    const name = this.reading.label("space", space).replace(/\s*\(.*/, "");
    this.prices[space] = s("g.price", { transform: `translate(${spot(k, 134, 17)})` });
    const el = s(
      "g.space",
      {
        "data-touch": `space:${space}`,
        "data-info": `space:${space}`,
        role: "img",
        "aria-label": this.reading.label("space", space),
      },
      s("path.sector", { d: wedge(k) }),
      s("g.sign", { transform: `translate(${x} ${y - 9 * outer}) scale(1.3)` }, glyphPaths(space)),
      s("text", { x, y: y + (outer > 0 ? 24 : -16) }, name),
      this.prices[space],
    );
    this.spaces[space] = el;
    return el;
  }

  /** @param {import("./view.d.ts").Board} b */
  update(b) {
    for (const space of SPACES) {
      const toll = b.tolls?.[space];
      this.spaces[space].classList.toggle("gratis", toll === 0);
      this.spaces[space].classList.toggle("paid", !!toll);
      fillWith(this.prices[space], toll ? [s("circle", { r: 11 }), s("text", { y: 5 }, toll)] : []);
      this.spaces[space].setAttribute("aria-label", spaceSays(this.reading, space, toll));
      this.spaces[space].setAttribute("data-seen", stonesOn(b, space).join());
    }
    fillWith(
      this.stones,
      [0, 1].map((seat) => {
        const k = SPACES.indexOf(b.stone[seat]);
        const [x, y] = k < 0 ? [seat ? 19 : -19, 0] : spot(k, 61, seat ? 13 : -13);
        return s(
          `g.stone.s${seat}${Number(b.active) === seat ? ".active" : ""}`,
          { transform: `translate(${x} ${y})` },
          s("title", null, this.reading.side(b, seat)),
          ground(seat, 10.5),
          ground(seat, 5.5),
        );
      }),
    );
  }
}

/** The same for small screens: two rows, read clockwise, each space as large as a finger. */
export class Strip {
  /** @param {import("./reading.js").Reading} reading */
  constructor(reading) {
    this.reading = reading;
    /** @type {Record<string, {el: HTMLElement, price: HTMLElement, stones: HTMLElement}>} */
    this.spaces = {};
    for (const space of SPACES) {
      const [price, stones] = [h("b.price"), h("span.stones")];
      const name = reading.label("space", space).replace(/\s*\(.*/, "");
      const touch = `space:${space}`;
      const el = h(
        "div.space",
        { "data-touch": touch, "data-info": touch, role: "img" },
        glyph(space),
        stones,
        h("span.name", null, name),
        price,
      );
      this.spaces[space] = { el, price, stones };
    }
    const [front, back] = [SPACES.slice(0, 4), SPACES.slice(4).reverse()];
    this.el = h(
      "div.strip",
      { role: "group", "aria-label": speak("rondel") },
      [...front, ...back].map((space) => this.spaces[space].el),
    );
  }

  /** @param {import("./view.d.ts").Board} b */
  update(b) {
    for (const space of SPACES) {
      const { el, price, stones } = this.spaces[space];
      const toll = b.tolls?.[space];
      el.classList.toggle("paid", !!toll);
      el.setAttribute("aria-label", spaceSays(this.reading, space, toll));
      el.dataset.seen = stonesOn(b, space).join();
      price.textContent = toll ? String(toll) : "";
      fillWith(
        stones,
        stonesOn(b, space).map((seat) => seatMark(seat)),
      );
    }
  }
}

/** Whose stones stand there. @param {import("./view.d.ts").Board} b @param {string} space */
const stonesOn = (b, space) => [0, 1].filter((seat) => b.stone[seat] === space);

/** @param {import("./reading.js").Reading} reading @param {string} space @param {number} [toll] */
function spaceSays(reading, space, toll) {
  const price = toll === undefined ? "" : `, ${toll ? speak("toll", { n: toll }) : speak("free")}`;
  return reading.label("space", space) + price;
}

/** @param {number} k @param {number} r @param {number} [aside] degrees @returns {[number, number]} */
function spot(k, r, aside = 0) {
  const a = ((k * 45 + aside - 90) * Math.PI) / 180;
  return [Number((r * Math.cos(a)).toFixed(1)), Number((r * Math.sin(a)).toFixed(1))];
}

/** @param {number} k */
function wedge(k) {
  const at = (/** @type {number} */ r, /** @type {number} */ side) => spot(k, r, 22.5 * side).join(" ");
  return `M${at(OUTER, -1)}A${OUTER} ${OUTER} 0 0 1 ${at(OUTER, 1)}L${at(INNER, 1)}A${INNER} ${INNER} 0 0 0 ${at(INNER, -1)}Z`;
}

/** Which way the stones go. */
function arrow() {
  return "M-27-12A29.500 29.500 0 0 1 24-17M24-17L14-18.500M24-17L25-27";
}
