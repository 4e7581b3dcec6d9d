/**
 * Touching: mouse, finger, pen, drag and keyboard all walk the same trie.
 *
 * A drawing marks its elements with `data-touch="ID"` (and `data-also="ID ..."` for places that do the
 * same, e.g. the card on a disc).  What the drawing does not show becomes a button of the action bar.
 */

import { amountsOf, choicesUnder, trieOf, walk } from "./trie.js";
import { cssEscape, s } from "../dom.js";

/** @typedef {import("./model.js").Choice} Choice */
/** @typedef {import("./trie.js").Node} Node */
/**
 * @typedef {{commit: (choice: Choice) => void, refuse: (path: string[]) => void,
 *   changed: (hands: Hands) => void, hover: (choice: Choice | null, node: Node | null) => void,
 *   inform: (element: HTMLElement | null, lasting: boolean) => void, descends: () => boolean,
 *   drop?: () => void}} On
 *   `descends`: a touch after which there is one way only goes that way; `drop`: somebody goes back while an
 *   answer is awaited
 */

const DRAG = 7; // pixels before a press becomes a drag
const FINGER = 22; // pixels around a small thing in which a finger means it
const LONG = 480; // milliseconds before a press becomes a question

export class Hands {
  /** @param {HTMLElement} board @param {On} on */
  constructor(board, on) {
    this.board = board;
    this.on = on;
    this.root = trieOf([]);
    /** @type {string[]} */
    this.path = [];
    /** @type {string[]} where touching begins: a button that is the only way on is gone through already */
    this.home = [];
    this.offeredKey = "";
    this.busy = false;
    this.keyboard = false;
    this.frozen = false; // while looking back, arrow keys belong to the replay
    /**
     * @type {{touch: string, el: HTMLElement, x: number, y: number, time: number, ghost: Element | null,
     *   timer: number, long: boolean} | null}
     */
    this.press = null;
    /** @type {string[]} the path of the last choice that was made */
    this.last = [];
    this.suppress = false;
    /** @type {Map<string, HTMLElement>} of several equal things, the one that was pressed last */
    this.pressed = new Map();
    this.listen();
  }

  get node() {
    return walk(this.root, this.path) ?? this.root;
  }

  /** Whether something was touched that leads on. */
  get begun() {
    return this.path.length > this.home.length;
  }

  /** New choices: begin anew.  The same ones once more (`key`) change nothing: what was touched stays.
   * @param {Choice[]} choices @param {string} [key] */
  offer(choices, key = "") {
    if (key && key === this.offeredKey) {
      this.light();
      return;
    }
    this.offeredKey = key;
    this.root = trieOf(choices);
    this.path = this.home = onlyWay(this.root);
    this.busy = false;
    this.dropGhost();
    this.light();
  }

  /** Mark what can be touched now; everything else goes dark. */
  light() {
    const next = this.busy ? new Map() : this.node.next;
    const first = this.root.next;
    const picked = this.picked();
    for (const el of this.board.querySelectorAll("[data-touch], [data-also]")) {
      const mine = /** @type {HTMLElement} */ (el);
      const ids = idsOf(mine);
      const lit = ids.some((id) => next.has(id));
      const again = !this.busy && !lit && this.begun && ids.some((id) => first.has(id));
      const own = mine.dataset.touch ?? "";
      const chosen = ids.some((id) => picked.has(id)) && !!own && (picked.get(own) ?? mine) === mine;
      mine.classList.toggle("lit", lit);
      mine.classList.toggle("again", again && !chosen);
      mine.classList.toggle("chosen", chosen);
      if (!mine.dataset.touch) continue;
      const active = lit || chosen || again;
      mine.setAttribute("role", active ? "button" : (mine.dataset.role ?? "img"));
      mine.tabIndex = lit || chosen ? 0 : -1; // what would begin anew does not stand in the way of Tab
      if (active) mine.setAttribute("aria-pressed", String(chosen));
      else mine.removeAttribute("aria-pressed");
    }
    this.on.changed(this);
  }

  /**
   * What was chosen so far, each with its element: of two equal dice, one.
   * @returns {Map<string, Element | null>}
   */
  picked() {
    const find = (/** @type {string} */ id) => {
      const el = this.pressed.get(id);
      if (el?.isConnected && el.dataset.touch === id) return el;
      return this.board.querySelector(`[data-touch="${cssEscape(id)}"]`);
    };
    return new Map(this.path.map((id) => [id, find(id)]));
  }

  /** Touch a thing itself. @param {HTMLElement} el @param {string} id what it stands for */
  pick(el, id) {
    const other = this.path.includes(id) && this.picked().get(id) !== el && el.dataset.touch === id;
    this.pressed.set(id, el);
    if (other) this.light();
    else this.touch(id);
  }

  /** Touches that no element of the board stands for. @returns {string[]} */
  homeless() {
    if (this.busy) return [];
    return [...this.node.next.keys()].filter(
      (id) => !this.board.querySelector(`[data-touch="${cssEscape(id)}"]`),
    );
  }

  /** Touch something by its id, wherever it was pressed. @param {string} id */
  touch(id) {
    if (this.busy) return;
    const here = this.node.next.get(id);
    if (here) {
      this.step([...this.path, id]);
    } else if (this.path.includes(id)) {
      this.step(this.path.slice(0, this.path.indexOf(id)));
    } else if (this.root.next.has(id)) {
      this.step([id]);
    } else {
      this.on.refuse([...this.path, id]);
    }
  }

  /** @param {string[]} path */
  step(path) {
    const on = path.length > this.path.length && this.on.descends();
    this.path = path;
    while (on && this.node.next.size === 1) this.path = [...this.path, ...this.node.next.keys()];
    const choice = this.node.choice;
    if (choice) {
      this.last = this.path;
      this.busy = true;
      this.light();
      this.on.commit(choice);
    } else {
      this.light();
      const under = choicesUnder(this.node);
      this.on.hover(under.length === 1 ? under[0] : null, this.node);
    }
  }

  /**
   * A choice that was touched leads on: these take its place, below its path.
   * @param {string[]} path @param {Choice[]} choices
   */
  graft(path, choices) {
    const node = walk(this.root, path);
    const below = walk(trieOf(choices), path);
    this.busy = false;
    if (!node || !below) {
      this.path = this.home;
    } else {
      node.choice = null;
      node.next = below.next;
      this.path = path;
    }
    this.light();
  }

  /** The same choice as before, if it is there again. */
  again() {
    if (this.busy || !this.last.length || !walk(this.root, this.last)?.choice) return false;
    this.step(this.last);
    return true;
  }

  /** One touch back, over those that were not touched themselves. */
  back() {
    if (!this.begun) return false;
    if (this.busy) this.on.drop?.(); // what was asked for has not come yet
    let path = this.path.slice(0, -1);
    while (this.on.descends() && path.length && walk(this.root, path)?.next.size === 1)
      path = path.slice(0, -1);
    this.step(path);
    return true;
  }

  /** A commit was refused: everything is as before. */
  release() {
    this.busy = false;
    this.path = this.home;
    this.light();
  }

  /** Which id an element stands for at this moment. @param {HTMLElement} el */
  idOf(el) {
    const ids = idsOf(el);
    return (
      ids.find((id) => this.node.next.has(id)) ??
      ids.find((id) => this.path.includes(id)) ??
      ids.find((id) => this.root.next.has(id)) ??
      ids[0] ??
      null
    );
  }

  // -- pointer ------------------------------------------------------------------------------------

  listen() {
    const board = this.board;
    board.addEventListener("pointerdown", (e) => this.down(e));
    board.addEventListener("pointermove", (e) => this.move(e));
    board.addEventListener("pointerup", (e) => this.up(e));
    board.addEventListener("pointercancel", () => this.cancel());
    board.addEventListener("lostpointercapture", () => this.cancel());
    board.addEventListener("pointerover", (e) => this.over(e));
    board.addEventListener("pointerleave", () => {
      this.on.hover(null, null);
      this.on.inform(null, false);
    });
    board.addEventListener("contextmenu", (e) => {
      const el = thing(e.target);
      if (!el) return;
      e.preventDefault();
      this.on.inform(el, true);
    });
    board.addEventListener("click", (e) => this.click(e));
    board.addEventListener("keydown", (e) => this.key(e));
    board.addEventListener("focusin", (e) => {
      const el = thing(e.target);
      if (el && this.keyboard) {
        this.on.inform(el, false);
        this.preview(el);
      }
    });
    board.addEventListener("focusout", () => this.on.inform(null, false));
  }

  /** @param {PointerEvent} e */
  down(e) {
    this.keyboard = false;
    this.suppress = false;
    if (e.button !== 0) return;
    this.cancel();
    this.on.inform(null, true); // a sheet that was about to open would look like the answer to a long press
    const el = thing(e.target);
    const id = el && this.idOf(el);
    if (!el) return;
    const timer = window.setTimeout(() => {
      if (!this.press || this.press.ghost) return;
      this.press.long = true;
      this.suppress = true;
      this.on.inform(el, true);
    }, LONG);
    this.press = {
      touch: id ?? "",
      el,
      x: e.clientX,
      y: e.clientY,
      time: e.timeStamp,
      ghost: null,
      timer,
      long: false,
    };
  }

  /** The board itself is moved: nothing was touched. */
  letGo() {
    this.cancel();
    this.suppress = true;
  }

  /** Whether moving on now drags what was pressed.  A thing in an SVG says so itself: most are places. */
  drags() {
    const press = this.press;
    if (press?.ghost) return true;
    if (!press || press.long || this.busy) return false;
    if (press.el instanceof SVGElement && press.el.dataset.drag === undefined) return false;
    const node = this.root.next.get(press.touch) ?? this.node.next.get(press.touch);
    return !!node && !node.choice && node.next.size > 0;
  }

  /** @param {PointerEvent} e */
  move(e) {
    const press = this.press;
    if (!press) return;
    if (!press.ghost) {
      if (Math.hypot(e.clientX - press.x, e.clientY - press.y) < DRAG) return;
      if (!this.drags()) {
        clearTimeout(press.timer);
        this.press = null;
        return;
      }
      this.beginDrag(e);
    }
    const ghost = /** @type {HTMLElement} */ (press.ghost);
    ghost.style.setProperty("translate", `${e.clientX - press.x}px ${e.clientY - press.y}px`);
    this.under(e);
  }

  /** @param {PointerEvent} e */
  beginDrag(e) {
    const press = /** @type {NonNullable<Hands["press"]>} */ (this.press);
    clearTimeout(press.timer);
    this.pressed.set(press.touch, press.el);
    this.path = this.node.next.has(press.touch) ? [...this.path, press.touch] : [press.touch];
    const ghost = ghostOf(press.el);
    this.light();
    press.el.classList.add("dragged");
    press.ghost = ghost;
    try {
      this.board.setPointerCapture(e.pointerId);
    } catch {
      // the pointer is gone already
    }
  }

  /** What lies under a dragged thing and can be touched. @param {PointerEvent} e @returns {string | null} */
  under(e) {
    this.board.querySelector(".target")?.classList.remove("target");
    for (const found of document.elementsFromPoint(e.clientX, e.clientY)) {
      const el = thing(found);
      if (!el || el.closest(".ghost") || !this.board.contains(el)) continue;
      const id = idsOf(el).find((one) => this.node.next.has(one));
      if (id) {
        el.classList.add("target");
        const choice = this.node.next.get(id)?.choice ?? null;
        this.on.hover(choice, null);
        return id;
      }
      if (this.press && el !== this.press.el && el.dataset.touch) return `!${el.dataset.touch}`;
    }
    return null;
  }

  /** @param {PointerEvent} e */
  up(e) {
    const press = this.press;
    if (!press) return;
    clearTimeout(press.timer);
    if (!press.ghost) {
      this.press = null;
      // On a busy machine the timer can come before a release that was quick: the clock of the events
      // decides.
      if (press.long && e.timeStamp - press.time < LONG) {
        this.suppress = false;
        this.on.inform(null, true);
      }
      return;
    }
    const id = this.under(e);
    this.dropGhost();
    this.suppress = true;
    if (id && !id.startsWith("!")) {
      this.touch(id);
      const amounts = amountsOf(this.node); // who drags a heap means all of it
      if (amounts && !this.busy) this.touch(`amount:${amounts[0]}`);
    } else {
      const path = this.path;
      this.step(this.path.slice(0, -1));
      if (id) this.on.refuse([...path, id.slice(1)]);
    }
  }

  cancel() {
    if (!this.press) return;
    const dragging = !!this.press.ghost;
    this.dropGhost();
    if (dragging) this.step(this.path.slice(0, -1));
  }

  dropGhost() {
    if (!this.press) return;
    clearTimeout(this.press.timer);
    this.press.ghost?.remove();
    this.press.el.classList.remove("dragged");
    this.board.querySelector(".target")?.classList.remove("target");
    this.press = null;
  }

  /** @param {MouseEvent} e */
  click(e) {
    if (this.suppress) {
      this.suppress = false;
      return;
    }
    const el = this.meant(e, thing(e.target));
    if (!el) return;
    const id = this.idOf(el);
    if (id) this.pick(el, id);
    else this.on.inform(el, true);
  }

  /**
   * A finger beside a small thing means it, unless something that can be touched lies under the finger.
   * @param {MouseEvent} e @param {HTMLElement | null} el
   */
  meant(e, el) {
    const finger = /** @type {PointerEvent} */ (e).pointerType === "touch";
    const next = this.busy ? new Map() : this.node.next;
    if (!finger || (el && idsOf(el).some((id) => next.has(id)))) return el;
    let [best, least] = [el, FINGER];
    for (const lit of /** @type {NodeListOf<HTMLElement>} */ (this.board.querySelectorAll("svg .lit"))) {
      const box = lit.getBoundingClientRect();
      if (Math.max(box.width, box.height) > 2 * FINGER) continue;
      const far = Math.hypot(e.clientX - box.left - box.width / 2, e.clientY - box.top - box.height / 2);
      if (far < least) [best, least] = [lit, far];
    }
    return best;
  }

  /** @param {PointerEvent} e */
  over(e) {
    if (e.pointerType !== "mouse" || this.press) return;
    const el = thing(e.target);
    this.on.inform(el, false);
    if (el) this.preview(el);
    else this.on.hover(null, null);
  }

  /** @param {HTMLElement} el */
  preview(el) {
    const id = this.idOf(el);
    const node = id && !this.busy ? this.node.next.get(id) : null;
    this.on.hover(node?.choice ?? null, node ?? null);
  }

  // -- keyboard -----------------------------------------------------------------------------------

  /** @param {KeyboardEvent} e */
  key(e) {
    this.keyboard = true;
    const el = thing(e.target);
    if ((e.key === "Enter" || (e.key === " " && !this.frozen)) && el && e.target === el) {
      e.preventDefault();
      const id = this.idOf(el);
      if (id) this.pick(el, id);
      else this.on.inform(el, true);
      if (this.begun && !this.busy) this.focusNext();
    } else if (
      e.key.startsWith("Arrow") &&
      el &&
      !e.shiftKey &&
      !this.frozen &&
      !(e.target instanceof HTMLInputElement)
    ) {
      e.preventDefault();
      const other = neighbour(this.board, el, e.key);
      if (other) {
        this.on.inform(null, true);
        if (!other.hasAttribute("tabindex")) other.tabIndex = -1;
        other.focus();
      }
    }
  }

  /** Put the focus where play goes on, for somebody at the keyboard. */
  focusNext() {
    if (!this.keyboard) return;
    const now = document.activeElement;
    if (now && now !== document.body && this.board.contains(now) && now.matches(".lit")) return;
    const lit = /** @type {HTMLElement | null} */ (this.board.querySelector("[data-touch].lit"));
    lit?.focus({ preventScroll: true });
  }
}

/** A button behind which alone the choices lie says nothing new: its questions are asked at once.
 * @param {Node} root */
function onlyWay(root) {
  /** @type {string[]} */
  const path = [];
  for (let node = root; node.next.size === 1;) {
    const [[touch, next]] = node.next;
    if (next.choice || !touch.startsWith("button:")) break;
    path.push(touch);
    node = next;
  }
  return path;
}

/**
 * The thing of the board that an event happened to.
 * @param {EventTarget | null} target
 * @returns {HTMLElement | null}
 */
export function thing(target) {
  if (!(target instanceof Element)) return null;
  return target.closest("[data-touch], [data-also], [data-info]");
}

/**
 * A copy that follows the pointer, beside what it was taken from: there the same styles hold.
 * @param {HTMLElement | SVGElement} el
 * @returns {Element}
 */
function ghostOf(el) {
  const box = el.getBoundingClientRect();
  const copy = /** @type {HTMLElement} */ (el.cloneNode(true));
  copy.classList.remove("lit", "again", "chosen");
  copy.removeAttribute("data-touch");
  copy.removeAttribute("data-also");
  const svg = el instanceof SVGElement ? el.ownerSVGElement : null;
  const ghost = svg ? svgAround(copy, el, svg) : copy;
  ghost.classList.add("ghost");
  ghost.setAttribute("aria-hidden", "true");
  for (const name of /** @type {const} */ (["left", "top", "width", "height"]))
    ghost.style.setProperty(name, `${box[name]}px`);
  (svg ?? el).parentElement?.append(ghost);
  const now = ghost.getBoundingClientRect(); // "fixed" is not always the window
  ghost.style.setProperty("left", `${2 * box.left - now.left}px`);
  ghost.style.setProperty("top", `${2 * box.top - now.top}px`);
  return ghost;
}

/**
 * A piece of an SVG in an SVG of its own, as large as it was.
 * @param {Element} copy @param {Element} el @param {SVGSVGElement} svg
 */
function svgAround(copy, el, svg) {
  const box = el.getBoundingClientRect();
  const around = /** @type {SVGSVGElement} */ (svg.cloneNode(false));
  for (const name of ["id", "viewBox", "preserveAspectRatio", "width", "height"])
    around.removeAttribute(name);
  const at = /** @type {SVGGraphicsElement} */ (el.parentNode).getScreenCTM();
  const group = s(
    "g",
    at ? { transform: `matrix(${at.a} ${at.b} ${at.c} ${at.d} ${at.e - box.left} ${at.f - box.top})` } : null,
  );
  group.append(copy);
  around.append(group);
  return around;
}

/** @param {HTMLElement} el @returns {string[]} */
function idsOf(el) {
  const ids = [];
  if (el.dataset.touch) ids.push(el.dataset.touch);
  if (el.dataset.also) ids.push(...el.dataset.also.split(" "));
  return ids;
}

/**
 * The nearest thing in the direction of an arrow key.
 * @param {HTMLElement} board @param {HTMLElement} from @param {string} key
 */
function neighbour(board, from, key) {
  const a = from.getBoundingClientRect();
  const [ax, ay] = [a.left + a.width / 2, a.top + a.height / 2];
  const horizontal = key === "ArrowLeft" || key === "ArrowRight";
  const sign = key === "ArrowRight" || key === "ArrowDown" ? 1 : -1;
  let best = null;
  let least = Infinity;
  for (const el of /** @type {NodeListOf<HTMLElement>} */ (
    board.querySelectorAll("[data-touch], [data-info]")
  )) {
    const b = el.getBoundingClientRect();
    if (el === from || !b.width) continue;
    const dx = b.left + b.width / 2 - ax;
    const dy = b.top + b.height / 2 - ay;
    const along = (horizontal ? dx : dy) * sign;
    if (along < 4) continue;
    const cost = along + 3 * Math.abs(horizontal ? dy : dx);
    if (cost < least) [best, least] = [el, cost];
  }
  return best;
}
