/** Small helpers to make elements.  Styles go through the CSSOM: the CSP forbids style attributes. */

const SVG = "http://www.w3.org/2000/svg";

/** @typedef {Node | string | number | null | undefined | false} Kid */
/** @typedef {Record<string, any>} Props */

/**
 * An element: `h("button.primary#go", {onclick}, "Go")`.
 * @param {string} spec tag, then .classes and #id
 * @param {Props | null} [props] `on...` are listeners, `vars` are CSS variables, others attributes
 * @param {...(Kid | Kid[])} kids
 * @returns {HTMLElement}
 */
export function h(spec, props, ...kids) {
  const el = document.createElement(tagOf(spec));
  return /** @type {HTMLElement} */ (fill(el, spec, props, kids));
}

/**
 * The same for SVG.
 * @param {string} spec
 * @param {Props | null} [props]
 * @param {...(Kid | Kid[])} kids
 * @returns {SVGElement}
 */
export function s(spec, props, ...kids) {
  const el = document.createElementNS(SVG, tagOf(spec));
  return /** @type {any} */ (fill(/** @type {any} */ (el), spec, props, kids));
}

/** @param {string} spec */
const tagOf = (spec) => spec.split(/[.#]/, 1)[0] || "div";

/**
 * @param {HTMLElement} el
 * @param {string} spec
 * @param {Props | null | undefined} props
 * @param {(Kid | Kid[])[]} kids
 */
function fill(el, spec, props, kids) {
  for (const part of spec.match(/[.#][^.#]+/g) ?? []) {
    if (part[0] === "#") el.id = part.slice(1);
    else el.classList.add(part.slice(1));
  }
  for (const [name, value] of Object.entries(props ?? {})) set(el, name, value);
  put(el, kids);
  return el;
}

/**
 * @param {HTMLElement} el
 * @param {string} name
 * @param {any} value
 */
function set(el, name, value) {
  if (value === undefined || value === null || value === false) return;
  if (name === "vars") {
    for (const [key, v] of Object.entries(value)) el.style.setProperty(key, String(v));
  } else if (name === "class") {
    el.classList.add(...String(value).split(/\s+/).filter(Boolean)); // beside those of the spec
  } else if (name.startsWith("on")) {
    el.addEventListener(name.slice(2), value);
  } else if (name === "value") {
    /** @type {any} */ (el).value = value;
  } else {
    el.setAttribute(name, value === true ? "" : String(value));
  }
}

/**
 * @param {Element} el
 * @param {(Kid | Kid[])[]} kids
 */
function put(el, kids) {
  for (const kid of kids.flat()) {
    if (kid === null || kid === undefined || kid === false) continue;
    el.append(kid instanceof Node ? kid : String(kid));
  }
}

/**
 * Replace all children.  Where just these stand there already they stay: a finger may lie on one of them, and
 * a button that is taken out and put back between press and release hears of no touch.
 * @template {Element} E
 * @param {E} el
 * @param {...(Kid | Kid[])} kids
 * @returns {E}
 */
export function fillWith(el, ...kids) {
  const wanted = kids.flat().filter((kid) => kid !== null && kid !== undefined && kid !== false);
  const stands = [...el.childNodes];
  if (wanted.length === stands.length && wanted.every((kid, k) => kid === stands[k])) return el;
  el.replaceChildren();
  put(el, kids);
  return el;
}

/** An icon of the house sprite (see icons.js).
 * @param {string} name
 * @param {string} [label] read aloud; without it the icon is decoration */
export function icon(name, label) {
  return s(
    "svg.icon",
    { viewBox: "0 0 24 24", ...(label ? { role: "img", "aria-label": label } : { "aria-hidden": "true" }) },
    s("use", { href: `#i-${name}` }),
  );
}

/** @param {string} id */
export const cssEscape = (id) => CSS.escape(id);

/** Random hexadecimal digits. @param {number} bytes */
export function randomHex(bytes) {
  const numbers = crypto.getRandomValues(new Uint8Array(bytes));
  return [...numbers].map((b) => b.toString(16).padStart(2, "0")).join("");
}

/** Whether motion should be spared. */
export function still() {
  return (
    document.documentElement.dataset.motion === "off" ||
    matchMedia("(prefers-reduced-motion: reduce)").matches
  );
}

/** @param {number} ms */
export const pause = (ms) => new Promise((done) => setTimeout(done, ms));
