/**
 * A closer look: wheel, pinch, and the keys + − 0; what is larger than its window is pushed about by
 * dragging whatever is not itself dragged to another place.
 *
 * A drawing with a large board says what is the window and what is the sheet in it (`map`).  The sheet
 * then fits its window at scale 1 and begins larger where that would leave it a narrow strip; what
 * lies beside the window keeps its size, and a button shows the whole sheet again.  Any other drawing is its
 * own sheet, in the board.
 */

import { h, icon, still } from "../dom.js";
import { t } from "../words.js";

/**
 * @typedef {{window: HTMLElement, sheet: HTMLElement | SVGElement, shape: number, least?: number,
 *   told?: () => Spot[]}} Map
 *   `shape`: width / height of the sheet; `least`: so wide it begins, where it is touched with a finger;
 *   `told`: where on it happened what is shown now, the most important last
 * @typedef {[number, number]} Spot in parts of the width and height of the sheet
 */
/**
 * @typedef {{drags: () => boolean, grabbed: () => void}} On whether the hand drags what it pressed; the board
 *   is being moved
 */
/**
 * @typedef {{id: number, x: number, y: number, left: number, top: number, time: number, vx: number, vy:
 *   number, moving: boolean}} Push
 */

const LEAST = 0.5;
const MOST = 3;
export const MOST_MAP = 8;
const STRIP = 1.5; // where a map that fits would leave so much of its window empty, it begins larger,
const BEGIN_MOST = 2.6; // but at most so much
const CLOSER = 2; // by the button, where it begins whole
const DRAG = 7; // pixels before a press pushes
const PUSH = 0.2; // of the window, by one key
const AROUND = 64; // pixels that are seen around where something happens,
const AROUND_MOST = 0.25; // but at most so much of the window
const GLIDE = 325; // milliseconds in which a glide loses two thirds of its speed

export class Zoom {
  /** @param {HTMLElement} board @param {HTMLElement} stage @param {On} on */
  constructor(board, stage, on) {
    this.board = board;
    this.on = on;
    this.window = board;
    /** @type {HTMLElement | SVGElement} */
    this.sheet = stage;
    this.shape = 0;
    this.least = 0;
    this.chosen = false; // whether somebody has zoomed: else the size of the window decides
    this.scale = 1;
    this.large = false; // a large board zooms by the wheel alone
    /** @type {globalThis.Map<number, {x: number, y: number}>} */
    this.fingers = new globalThis.Map();
    this.apart = 0;
    this.middle = [0, 0];
    /** @type {Push | null} */
    this.push = null;
    this.gliding = 0;
    this.begun = 1; // the scale at which the sheet began
    /** @type {(() => void) | null} */
    this.frame = null; // how it begins, if not with all
    this.size = [0, 0]; // of the window
    this.gaze = [0.5, 0.5]; // the middle of what somebody looks at, on the sheet
    /** @type {number[] | null} before all was shown */
    this.looked = null;
    this.kept = [0, 0]; // how far the window was pushed to show that, as far as it went
    /** @type {(() => void) | null} what was shown last, until a hand moves the window */
    this.due = null;
    this.button = h(
      "button.round.zoomkey",
      {
        type: "button",
        onclick: () => this.turn(),
      },
      icon("zoom"),
    );
    this.watch = new ResizeObserver(() => this.fit());
    board.addEventListener("wheel", (e) => this.wheel(e), { passive: false });
    board.addEventListener("pointerdown", (e) => this.down(e));
    board.addEventListener("pointermove", (e) => this.move(e));
    for (const name of ["pointerup", "pointercancel"])
      board.addEventListener(name, (e) => this.up(/** @type {PointerEvent} */ (e)));
    // Two fingers are ours; where one finger scrolls, that stays the browser's.
    board.addEventListener("touchmove", (e) => e.touches.length > 1 && e.cancelable && e.preventDefault(), {
      passive: false,
    });
    board.addEventListener("dragstart", (e) => e.preventDefault());
  }

  /** What is zoomed from now on. @param {{large?: boolean, map?: Map}} drawing */
  take({ large, map }) {
    this.large = !!large || !!map;
    this.board.classList.toggle("large", this.large);
    if (!map) return;
    this.window = map.window;
    this.sheet = map.sheet;
    this.shape = map.shape;
    this.least = matchMedia("(pointer: coarse)").matches ? (map.least ?? 0) : 0;
    this.window.classList.add("mapwindow");
    this.sheet.classList.add("mapsheet");
    this.window.append(this.button);
    this.fit();
    this.watch.observe(this.window);
    this.window.addEventListener("scroll", () => this.pushed(), { passive: true });
    this.showButton();
  }

  /** All of it, or where one has looked before. */
  turn() {
    if (this.scale > 1) {
      this.looked = this.gaze;
      this.choose(1);
      return;
    }
    this.choose(this.begun > 1 ? this.begun : CLOSER);
    if (this.looked) this.center(this.looked);
  }

  /** The button says what it does now. */
  showButton() {
    const says = t(this.scale > 1 ? "map.whole" : "map.closer");
    this.button.setAttribute("aria-label", says);
    this.button.title = `${says} (${this.scale > 1 ? "0" : "+"})`;
    this.button.classList.toggle("back", this.scale > 1);
  }

  close() {
    this.watch.disconnect();
    cancelAnimationFrame(this.gliding);
  }

  /** Where on the sheet the middle of a window of that size lies. @param {number} w @param {number} h */
  middleOf(w, h) {
    const [sheet, window] = [this.sheet.getBoundingClientRect(), this.window.getBoundingClientRect()];
    const [x, y] = [window.left + w / 2 - sheet.left, window.top + h / 2 - sheet.top];
    return [x / sheet.width, y / sheet.height];
  }

  /** The window has a size, or another one: at scale 1 the whole sheet is seen, else the same middle. */
  fit() {
    const { clientWidth: w, clientHeight: h } = this.window;
    if (!w || !h || (w === this.size[0] && h === this.size[1])) return;
    const gaze = this.gaze;
    this.size = [w, h];
    const fit = Math.min(w, h * this.shape);
    this.sheet.style.setProperty("--fit", `${fit}px`);
    this.sheet.style.setProperty("--shape", String(this.shape));
    if (!this.chosen) {
      const cover = Math.max(w, h * this.shape) / fit;
      this.begun = Math.max(cover < STRIP ? 1 : Math.min(cover, BEGIN_MOST), this.least / fit);
      this.to(this.begun);
      if (this.frame) {
        this.frame();
        return;
      }
    }
    this.center(gaze);
    this.due?.(); // it may have stopped on its way there
  }

  /** @param {number[]} gaze where on the sheet the middle of the window is to be */
  center(gaze) {
    const [left, top] = this.middleOf(this.size[0], this.size[1]);
    const sheet = this.sheet.getBoundingClientRect();
    this.window.scrollLeft += (gaze[0] - left) * sheet.width;
    this.window.scrollTop += (gaze[1] - top) * sheet.height;
    this.kept = [this.window.scrollLeft, this.window.scrollTop];
    this.gaze = gaze;
  }

  /** The window was pushed: not by itself, while a page that is turned finds its sizes. */
  pushed() {
    const { clientWidth: w, clientHeight: h, scrollLeft, scrollTop } = this.window;
    if (w !== this.size[0] || h !== this.size[1]) return;
    if (Math.hypot(scrollLeft - this.kept[0], scrollTop - this.kept[1]) > 1.5)
      this.gaze = this.middleOf(w, h);
  }

  /**
   * Show where something happens, with the shortest way there: all of it, or what fits, the last before all.
   * @param {Spot[]} spots
   */
  follow(spots) {
    if (!spots.length || this.push || this.fingers.size) return;
    cancelAnimationFrame(this.gliding);
    this.due = () => this.follow(spots);
    const [sheet, window] = [this.sheet.getBoundingClientRect(), this.window.getBoundingClientRect()];
    /** @param {number[]} at @param {number} from @param {number} size */
    const way = (at, from, size) => {
      const margin = Math.min(AROUND, size * AROUND_MOST);
      let [low, high] = [Math.min(...at), Math.max(...at)];
      if (high - low > size - 2 * margin) low = high = at[at.length - 1];
      return Math.max(0, high + margin - from - size) + Math.min(0, low - margin - from);
    };
    const left = way(
      spots.map(([x]) => sheet.left + x * sheet.width),
      window.left,
      this.window.clientWidth,
    );
    const top = way(
      spots.map(([, y]) => sheet.top + y * sheet.height),
      window.top,
      this.window.clientHeight,
    );
    if (left || top) this.window.scrollBy({ left, top, behavior: still() ? "instant" : "smooth" });
  }

  /**
   * Show something that can be touched, where nothing of it is seen; all of it, where that has room.
   * @param {Element[]} things @param {number} [margin] how much of the window counts as its edge
   */
  reveal(things, margin = 0) {
    const within = things.filter((el) => this.window.contains(el));
    if (!within.length) return;
    this.due = () => this.reveal(things, margin);
    const window = this.window.getBoundingClientRect();
    const [across, down] = [window.width * margin, window.height * margin];
    const middles = within
      .map((el) => el.getBoundingClientRect())
      .filter((box) => box.width && box.height)
      .map((box) => [box.left + box.width / 2, box.top + box.height / 2]);
    const seen = middles.filter(
      ([x, y]) =>
        x > window.left + across &&
        x < window.right - across &&
        y > window.top + down &&
        y < window.bottom - down,
    );
    if (seen.length === middles.length) return;
    const [xs, ys] = [middles.map(([x]) => x), middles.map(([, y]) => y)];
    const fits =
      Math.max(...xs) - Math.min(...xs) <= window.width - 2 * Math.min(AROUND, window.width * AROUND_MOST) &&
      Math.max(...ys) - Math.min(...ys) <= window.height - 2 * Math.min(AROUND, window.height * AROUND_MOST);
    if (seen.length && !fits) return;
    const sheet = this.sheet.getBoundingClientRect();
    const shown = fits ? middles : middles.slice(0, 1);
    this.follow(shown.map(([x, y]) => [(x - sheet.left) / sheet.width, (y - sheet.top) / sheet.height]));
  }

  /** Show all of some things, smaller if there is no other way. @param {Element[]} things */
  showAll(things) {
    if (!this.shape || !things.length) return;
    const boxes = things.map((el) => el.getBoundingClientRect()).filter((box) => box.width && box.height);
    const { clientWidth: w, clientHeight: h } = this.window;
    /** @param {(box: DOMRect) => number} of @param {number} size */
    const tooWide = (of, size) =>
      Math.max(...boxes.map(of)) - Math.min(...boxes.map(of)) > size * (1 - 2 * AROUND_MOST);
    if (tooWide((box) => box.left + box.width / 2, w) || tooWide((box) => box.top + box.height / 2, h))
      this.to(1);
    this.reveal(things, 0.08);
  }

  // -- larger and smaller ---------------------------------------------------------------------------

  /** @param {WheelEvent} e */
  wheel(e) {
    const inside = this.window.contains(/** @type {Node} */ (e.target));
    if (!inside || (!e.ctrlKey && !this.large)) return;
    this.due = null;
    e.preventDefault();
    const pixels = e.deltaMode === 1 ? 24 : e.deltaMode === 2 ? 400 : 1;
    if (e.shiftKey) this.window.scrollBy(e.deltaX * pixels, e.deltaY * pixels);
    else this.choose(this.scale * Math.exp((-e.deltaY * pixels) / 400), e.clientX, e.clientY);
  }

  /** @param {KeyboardEvent} e */
  key(e) {
    const { clientWidth: w, clientHeight: h } = this.window;
    const way = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[e.key];
    this.due = null;
    if (e.key === "+" || e.key === "=") this.choose(this.scale * 1.25);
    else if (e.key === "-") this.choose(this.scale / 1.25);
    else if (e.key === "0") this.choose(1);
    else if (e.shiftKey && way)
      this.window.scrollBy({
        left: way[0] * w * PUSH,
        top: way[1] * h * PUSH,
        behavior: still() ? "auto" : "smooth",
      });
    else return false;
    return true;
  }

  /** Somebody zooms. @param {number} scale @param {number} [x] @param {number} [y] */
  choose(scale, x, y) {
    this.chosen = true;
    this.due = null;
    this.to(scale, x, y);
  }

  /**
   * The point of the sheet that is at x, y stays there.
   * @param {number} scale @param {number} [x] @param {number} [y]
   */
  to(scale, x, y) {
    const box = this.window.getBoundingClientRect();
    const [px, py] = [x ?? box.left + box.width / 2, y ?? box.top + box.height / 2];
    const most = this.shape ? MOST_MAP : MOST;
    const now = Math.max(this.shape ? 1 : LEAST, Math.min(most, Math.abs(scale - 1) < 0.04 ? 1 : scale));
    if (now === this.scale) return;
    const before = this.sheet.getBoundingClientRect();
    this.scale = now;
    this.sheet.style.setProperty("--zoom", String(now));
    this.board.classList.toggle("zoomed", now > 1);
    this.showButton();
    const after = this.sheet.getBoundingClientRect();
    this.window.scrollLeft += after.left + ((px - before.left) / before.width) * after.width - px;
    this.window.scrollTop += after.top + ((py - before.top) / before.height) * after.height - py;
    this.gaze = this.middleOf(this.size[0], this.size[1]);
  }

  // -- fingers and mouse ----------------------------------------------------------------------------

  /** @param {PointerEvent} e */
  down(e) {
    cancelAnimationFrame(this.gliding);
    this.due = null;
    if (e.pointerType === "touch") this.fingers.set(e.pointerId, { x: e.clientX, y: e.clientY });
    if (this.fingers.size === 2) {
      this.push = null;
      this.on.grabbed();
      this.pinch();
    } else if (e.button === 0 && this.pushable(e)) {
      const { scrollLeft: left, scrollTop: top } = this.window;
      this.push = {
        id: e.pointerId,
        x: e.clientX,
        y: e.clientY,
        left,
        top,
        time: e.timeStamp,
        vx: 0,
        vy: 0,
        moving: false,
      };
    }
  }

  /** A finger scrolls by itself where the browser may do it (see table.css). @param {PointerEvent} e */
  pushable(e) {
    const target = /** @type {Element} */ (e.target);
    if (!this.window.contains(target) || target.closest("input, textarea, select")) return false;
    const { scrollWidth, clientWidth, scrollHeight, clientHeight } = this.window;
    return (
      (scrollWidth > clientWidth || scrollHeight > clientHeight) &&
      (e.pointerType !== "touch" || this.large || this.scale > 1)
    );
  }

  /** @param {PointerEvent} e */
  move(e) {
    if (this.fingers.has(e.pointerId)) this.fingers.set(e.pointerId, { x: e.clientX, y: e.clientY });
    if (this.fingers.size === 2) this.pinch();
    else if (this.push?.id === e.pointerId) this.pushBy(this.push, e);
  }

  /** @param {Push} push @param {PointerEvent} e */
  pushBy(push, e) {
    const [dx, dy] = [e.clientX - push.x, e.clientY - push.y];
    if (!push.moving) {
      if (Math.hypot(dx, dy) < DRAG) return;
      if (this.on.drags()) {
        this.push = null;
        return;
      }
      push.moving = true;
      this.on.grabbed();
      this.board.classList.add("pushing");
      this.board.setPointerCapture(e.pointerId);
    }
    const passed = Math.max(1, e.timeStamp - push.time);
    const [left, top] = [push.left - dx, push.top - dy];
    push.vx = (left - this.window.scrollLeft) / passed;
    push.vy = (top - this.window.scrollTop) / passed;
    push.time = e.timeStamp;
    this.window.scrollLeft = left;
    this.window.scrollTop = top;
  }

  /** Two fingers: what lies between them stays there, nearer or farther. */
  pinch() {
    const [a, b] = [...this.fingers.values()];
    const apart = Math.hypot(a.x - b.x, a.y - b.y);
    const [x, y] = [(a.x + b.x) / 2, (a.y + b.y) / 2];
    if (this.apart) {
      this.window.scrollLeft -= x - this.middle[0];
      this.window.scrollTop -= y - this.middle[1];
      this.choose((this.scale * apart) / this.apart, x, y);
    }
    this.apart = apart;
    this.middle = [x, y];
  }

  /** @param {PointerEvent} e */
  up(e) {
    this.fingers.delete(e.pointerId);
    this.apart = 0;
    const push = this.push;
    if (push?.id !== e.pointerId) return;
    this.push = null;
    this.board.classList.remove("pushing");
    const resting = e.timeStamp - push.time > 60;
    if (push.moving && e.type === "pointerup" && e.pointerType === "touch" && !resting && !still())
      this.glide(push.vx, push.vy);
  }

  /**
   * After a flick the sheet runs on for a moment.
   * @param {number} vx @param {number} vy pixels in a millisecond
   */
  glide(vx, vy) {
    let last = performance.now();
    let { scrollLeft: left, scrollTop: top } = this.window;
    const step = (/** @type {number} */ now) => {
      const passed = Math.max(0, now - last);
      last = now;
      left += vx * passed;
      top += vy * passed;
      vx *= Math.exp(-passed / GLIDE);
      vy *= Math.exp(-passed / GLIDE);
      this.window.scrollLeft = left;
      this.window.scrollTop = top;
      if (Math.hypot(vx, vy) > 0.02) this.gliding = requestAnimationFrame(step);
    };
    this.gliding = requestAnimationFrame(step);
  }
}
