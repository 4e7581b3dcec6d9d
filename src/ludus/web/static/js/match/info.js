/** The little sheet that tells what a thing is, and the line that says why something is not allowed. */

import { fillWith, h, icon } from "../dom.js";
import { t } from "../words.js";

export class Info {
  /** @param {HTMLElement} host */
  constructor(host) {
    this.host = host;
    this.el = h("div.info", { role: "tooltip", id: "info", hidden: true });
    this.lasting = false;
    this.timer = 0;
    /** @type {Element | null} where the focus was before somebody at the keyboard asked */
    this.asker = null;
    host.append(this.el);
    for (const name of ["pointerdown", "click"]) this.el.addEventListener(name, (e) => e.stopPropagation());
    this.el.addEventListener("keydown", (e) => {
      if (e.key !== "Escape") return;
      e.stopPropagation();
      this.hide();
    });
    document.addEventListener("pointerdown", (e) => {
      if (!this.el.hidden && !this.el.contains(/** @type {Node} */ (e.target))) this.hide();
    });
  }

  /**
   * @param {HTMLElement | null} anchor
   * @param {{title: string, lines: (string | Node)[]} | null} told
   * @param {boolean} lasting stays until something else is touched
   * @param {boolean} [focus] somebody at the keyboard reads it, and goes back when it is closed
   */
  show(anchor, told, lasting, focus = false) {
    if (this.lasting && !lasting) return;
    clearTimeout(this.timer);
    if (!anchor || !told) {
      this.hide();
      return;
    }
    this.lasting = lasting;
    if (!lasting) this.el.hidden = true;
    this.timer = window.setTimeout(
      () => {
        this.open(anchor, told);
        if (focus) this.read();
      },
      lasting ? 0 : 350,
    );
  }

  /** @param {HTMLElement} anchor @param {{title: string, lines: (string | Node)[]}} told */
  open(anchor, told) {
    if (!anchor.isConnected) return;
    fillWith(
      this.el,
      this.lasting
        ? h(
            "button.round.infoclose",
            { type: "button", "aria-label": t("close"), title: t("close"), onclick: () => this.hide() },
            icon("close"),
          )
        : null,
      h("h4", null, told.title),
      told.lines.filter(Boolean).map((line) => h("p", null, line)),
    );
    this.el.classList.toggle("lasting", this.lasting);
    this.el.setAttribute("role", this.lasting ? "dialog" : "tooltip");
    this.el.setAttribute("aria-label", told.title);
    this.el.hidden = false;
    const a = anchor.getBoundingClientRect();
    const me = this.el.getBoundingClientRect();
    const gap = 8;
    let left = a.left + a.width / 2 - me.width / 2;
    let top = a.top - me.height - gap;
    if (top < 4) top = a.bottom + gap;
    if (top + me.height > innerHeight - 4) {
      top = Math.max(4, Math.min(a.top, innerHeight - me.height - 4));
      left = a.right + gap + me.width < innerWidth ? a.right + gap : a.left - me.width - gap;
    }
    left = Math.max(6, Math.min(left, innerWidth - me.width - 6));
    this.el.style.setProperty("left", `${left}px`);
    this.el.style.setProperty("top", `${top}px`);
  }

  /** The focus goes to what is told. */
  read() {
    this.asker = document.activeElement;
    this.el.tabIndex = -1;
    this.el.focus();
  }

  hide() {
    clearTimeout(this.timer);
    this.lasting = false;
    const back = this.el.contains(document.activeElement) ? this.asker : null;
    this.el.hidden = true;
    if (back instanceof HTMLElement || back instanceof SVGElement) back.focus();
    this.asker = null;
  }
}

export class Toast {
  /** @param {HTMLElement} host */
  constructor(host) {
    this.el = h("div.toast", { role: "alert", hidden: true });
    host.append(this.el);
    this.timer = 0;
  }

  /**
   * @param {string} text
   * @param {{rule?: string, href?: string, actions?: [string, () => void][], ms?: number}} [more] `href`:
   *   where the rule stands in the rulebook
   */
  show(text, more = {}) {
    clearTimeout(this.timer);
    const buttons = (more.actions ?? []).map(([label, work]) =>
      h(
        "button.small",
        {
          type: "button",
          onclick: () => {
            this.hide();
            work();
          },
        },
        label,
      ),
    );
    fillWith(
      this.el,
      more.rule ? ruleMark(more.rule, more.href) : null,
      h("span", null, text),
      buttons,
      h(
        "button.plain",
        { type: "button", "aria-label": t("close"), onclick: () => this.hide() },
        icon("close"),
      ),
    );
    this.el.hidden = false;
    this.timer = window.setTimeout(
      () => this.hide(),
      more.ms ?? 3500 + 55 * text.length + 6000 * buttons.length,
    );
  }

  hide() {
    clearTimeout(this.timer);
    this.el.hidden = true;
  }
}

/** The number of a rule; where the rulebook tells it, a way there that leaves the table open.
 * @param {string} rule @param {string} [href] */
const ruleMark = (rule, href) => {
  const called = /\d/.test(rule) ? rule : t("rules"); // one without a number has no name that says anything
  return href
    ? h("a.rule", { href, target: "_blank", title: t("rule.open") }, called)
    : h("b.rule", { title: t("rule") }, called);
};

// So long after it opened (milliseconds) a touch beside a dialog is meant for it, not for what lay there.
const MEANT = 600;

/**
 * A dialog of the house.  Closes by Escape, its cross, a button, or a touch beside it.
 * @param {string} title
 * @param {(HTMLElement | string)[]} kids
 * @param {string} [kind]
 */
export function dialog(title, kids, kind = "") {
  const el = /** @type {HTMLDialogElement} */ (
    h(
      `dialog.sheet${kind}`,
      { "aria-label": title },
      h(
        "header",
        null,
        h("h2", null, title),
        h(
          "button.plain",
          { type: "button", "aria-label": t("close"), onclick: () => el.close() },
          icon("close"),
        ),
      ),
      kids,
    )
  );
  const opened = performance.now();
  el.addEventListener("close", () => el.remove());
  el.addEventListener("click", (e) => {
    if (e.target === el && performance.now() - opened > MEANT) el.close();
  });
  document.body.append(el);
  el.showModal();
  return el;
}

/**
 * Ask before something is done.
 * @param {string} question @param {() => void} work
 */
export function confirmed(question, work) {
  const sheet = dialog(question, [
    h(
      "div.actions",
      null,
      h(
        "button.primary.sure",
        {
          type: "button",
          onclick: () => {
            sheet.close();
            work();
          },
        },
        t("yes"),
      ),
      h("button.secondary", { type: "button", onclick: () => sheet.close() }, t("no")),
    ),
  ]);
}
