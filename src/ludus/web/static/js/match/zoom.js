/** A closer look: pinch, wheel, and the keys + − 0.  What is larger than the window can be pushed about. */

const LEAST = 0.5;
const MOST = 3;

export class Zoom {
  /** @param {HTMLElement} host scrolls @param {HTMLElement} inner grows */
  constructor(host, inner) {
    this.host = host;
    this.inner = inner;
    this.scale = 1;
    this.large = false; // a large board zooms by the wheel alone
    /** @type {Map<number, PointerEvent>} */
    this.fingers = new Map();
    this.apart = 0;
    host.addEventListener("wheel", (e) => this.wheel(e), { passive: false });
    host.addEventListener("pointerdown", (e) => e.pointerType === "touch" && this.fingers.set(e.pointerId, e), true);
    host.addEventListener("pointermove", (e) => this.pinch(e), true);
    for (const name of ["pointerup", "pointercancel"]) host.addEventListener(name, (e) => {
      this.fingers.delete(/** @type {PointerEvent} */ (e).pointerId);
      this.apart = 0;
    }, true);
  }

  /** @param {WheelEvent} e */
  wheel(e) {
    if (!e.ctrlKey && !this.large) return;
    e.preventDefault();
    this.to(this.scale * Math.exp(-e.deltaY / 400), e.clientX, e.clientY);
  }

  /** @param {PointerEvent} e */
  pinch(e) {
    if (!this.fingers.has(e.pointerId)) return;
    this.fingers.set(e.pointerId, e);
    if (this.fingers.size !== 2) return;
    const [a, b] = [...this.fingers.values()];
    const apart = Math.hypot(a.clientX - b.clientX, a.clientY - b.clientY);
    if (this.apart) this.to((this.scale * apart) / this.apart, (a.clientX + b.clientX) / 2, (a.clientY + b.clientY) / 2);
    this.apart = apart;
    e.preventDefault();
  }

  /** @param {string} key */
  key(key) {
    if (key === "+" || key === "=") this.to(this.scale * 1.2);
    else if (key === "-") this.to(this.scale / 1.2);
    else if (key === "0") this.to(1);
    else return false;
    return true;
  }

  /** @param {number} scale @param {number} [x] @param {number} [y] */
  to(scale, x, y) {
    const box = this.host.getBoundingClientRect();
    const px = (x ?? box.left + box.width / 2) - box.left;
    const py = (y ?? box.top + box.height / 2) - box.top;
    const now = Math.max(LEAST, Math.min(MOST, Math.abs(scale - 1) < 0.04 ? 1 : scale));
    const by = now / this.scale;
    this.scale = now;
    this.inner.style.setProperty("--zoom", String(now));
    this.host.classList.toggle("zoomed", now > 1);
    this.host.scrollLeft = (this.host.scrollLeft + px) * by - px;
    this.host.scrollTop = (this.host.scrollTop + py) * by - py;
  }
}
