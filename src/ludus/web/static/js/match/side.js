/** The panel beside the board: log, chat, note, and what else one can do at a table. */

import { get, putTo } from "../api.js";
import { h, icon } from "../dom.js";
import { play as sound } from "../sound.js";
import { t } from "../words.js";
import { digestOf, Log } from "./log.js";
import { Talk } from "./talk.js";

/** @typedef {import("./model.js").Model} Model */
/** @typedef {import("./model.js").Row} Row */

const TABS = /** @type {const} */ (["log", "chat", "note"]);

export class Side {
  /**
   * @param {Model} model
   * @param {{moment: (n: number) => void, close: () => void,
   *   bargain: (to: number, first: string) => import("./deal.js").Bargain | null,
   *   play: (actions: string[]) => Promise<boolean>}} on
   */
  constructor(model, on) {
    this.model = model;
    this.on = on;
    this.unread = 0;
    this.tab = "log";
    this.log = new Log(model, { moment: on.moment, earlier: () => this.loadEarlier() });
    this.talk = new Talk(model, on);
    this.note = /** @type {HTMLTextAreaElement} */ (
      h("textarea", {
        maxlength: 10000,
        placeholder: t("note.help"),
        "aria-label": t("note"),
        readonly: true,
      })
    );
    this.saved = h("small.saved", { "aria-live": "polite" });
    this.panes = {
      log: h(
        "div.pane",
        { id: "pane-log", role: "tabpanel", "aria-labelledby": "tab-log", tabindex: 0 },
        this.log.digest,
        this.log.earlier,
        this.log.list,
      ),
      chat: h(
        "div.pane",
        { id: "pane-chat", role: "tabpanel", "aria-labelledby": "tab-chat" },
        this.talk.lines,
        this.talk.peace,
        this.talk.form,
      ),
      note: h(
        "div.pane",
        { id: "pane-note", role: "tabpanel", "aria-labelledby": "tab-note" },
        this.note,
        this.saved,
      ),
    };
    // who reads the end still does when the window turns
    new ResizeObserver(() => this.atEnd && (this.panes.log.scrollTop = 1e9)).observe(this.panes.log);
    this.buttons = TABS.map((name) =>
      h(
        "button.tab",
        {
          type: "button",
          role: "tab",
          id: `tab-${name}`,
          "aria-controls": `pane-${name}`,
          onclick: () => this.open(name),
          onkeydown: (/** @type {KeyboardEvent} */ e) => this.arrows(e),
        },
        icon(name),
        h("span", null, t(name)),
        h("em.badge", { hidden: true }),
      ),
    );
    this.el = h(
      "aside.side",
      { "aria-label": t("side") },
      h(
        "header",
        null,
        h("div.tabs", { role: "tablist" }, this.buttons),
        h(
          "button.plain.shut",
          { type: "button", "aria-label": t("close"), onclick: on.close },
          icon("close"),
        ),
      ),
      Object.values(this.panes),
    );
    this.told = Infinity; // the log waits for the board, which shows one thing after the other
    this.atEnd = true; // the log follows what happens, unless somebody has scrolled up
    this.scrolled = 0;
    this.panes.log.addEventListener("scroll", () => this.onScroll(), { passive: true });
    this.open("log");
    this.saving = 0;
    this.note.addEventListener("input", () => {
      clearTimeout(this.saving);
      this.saved.textContent = "";
      this.saving = window.setTimeout(() => this.saveNote(), 900);
    });
    this.note.addEventListener("blur", () => this.saving && this.saveNote());
  }

  /** @param {KeyboardEvent} e */
  arrows(e) {
    const by = e.key === "ArrowRight" ? 1 : e.key === "ArrowLeft" ? -1 : 0;
    if (!by) return;
    const at = (TABS.indexOf(/** @type {any} */ (this.tab)) + by + TABS.length) % TABS.length;
    this.open(TABS[at]);
    this.buttons[at].focus();
  }

  /** @param {"log" | "chat" | "note"} name */
  open(name) {
    this.tab = name;
    TABS.forEach((tab, k) => {
      this.panes[tab].hidden = tab !== name;
      this.buttons[k].setAttribute("aria-selected", String(tab === name));
      this.buttons[k].tabIndex = tab === name ? 0 : -1;
    });
    if (name === "chat") {
      this.unread = 0;
      this.badge();
      this.talk.lines.scrollTop = this.talk.lines.scrollHeight;
    }
    if (name === "log") requestAnimationFrame(() => (this.panes.log.scrollTop = 1e9));
  }

  /** Only who scrolls up leaves the end: that it moved away because more was written is no wish. */
  onScroll() {
    const { scrollTop, scrollHeight, clientHeight } = this.panes.log;
    const near = scrollHeight - scrollTop < clientHeight + 80;
    if (near || scrollTop < this.scrolled) this.atEnd = near;
    this.scrolled = scrollTop;
  }

  badge() {
    const badge = /** @type {HTMLElement} */ (this.buttons[1].querySelector(".badge"));
    badge.hidden = !this.unread;
    badge.textContent = String(this.unread);
  }

  // -- log ----------------------------------------------------------------------------------------

  /** Write the whole log anew. */
  showLog() {
    const rows = this.rows();
    const pane = this.panes.log;
    const below = this.atEnd ? 0 : pane.scrollHeight - pane.scrollTop;
    this.log.fill(rows);
    this.sum();
    if (this.atEnd) requestAnimationFrame(() => (pane.scrollTop = 1e9));
    else pane.scrollTop = pane.scrollHeight - below;
  }

  /** All that is told so far, in order. */
  rows() {
    return [...this.model.rows.values()].filter((row) => row.n <= this.told).sort((a, b) => a.n - b.n);
  }

  /** What the others did last, as far as it is told. */
  digest() {
    return digestOf(this.rows(), this.model.playing);
  }

  sum() {
    this.log.sum(this.digest());
  }

  /** Nothing after an entry is told before the board has shown it. @param {number} n */
  waitAt(n) {
    this.told = Math.min(this.told, n);
  }

  /** The board shows the present: all is told. @param {Row[]} [rows] what has just come */
  catchUp(rows = []) {
    const behind = this.told < this.model.entry - rows.length;
    this.told = Infinity;
    if (behind) this.showLog();
    else if (rows.length) this.addRows(rows);
  }

  /** @param {Row[]} rows */
  addRows(rows) {
    this.log.append(rows);
    if (rows.length) this.told = Math.max(this.told, rows[rows.length - 1].n);
    this.sum();
    if (this.atEnd) requestAnimationFrame(() => (this.panes.log.scrollTop = 1e9));
  }

  async loadEarlier() {
    const first = Math.min(...this.model.rows.keys());
    await this.model.read(Math.max(1, first - 200), first - 1);
  }

  /** @param {number | null} n */
  mark(n) {
    this.log.mark(n);
  }

  // -- chat and note ------------------------------------------------------------------------------

  /** What was said, and my note; until that is here nothing can be written over it. */
  async loadTalk() {
    const note = get(`/api/matches/${encodeURIComponent(this.model.id)}/note`).then((told) => {
      this.note.value = told.text;
      this.note.readOnly = false;
    });
    await Promise.all([this.talk.load(), note]);
  }

  /** @param {import("./talk.js").Line} line @param {string} me */
  hear(line, me) {
    this.talk.hear(line);
    if (line.name !== me) {
      sound("chat");
      if (this.tab !== "chat" || !this.el.offsetWidth) this.unread += 1;
      this.badge();
    }
  }

  async saveNote() {
    clearTimeout(this.saving);
    this.saving = 0;
    try {
      await putTo(`/api/matches/${encodeURIComponent(this.model.id)}/note`, { text: this.note.value });
      this.saved.textContent = t("note.saved");
    } catch {
      this.saved.textContent = t("offline");
    }
  }
}
