/** The panel beside the board: log, chat, note, and what else one can do at a table. */

import { get, putTo } from "../api.js";
import { fillWith, h, icon } from "../dom.js";
import { play as sound } from "../sound.js";
import { t } from "../words.js";
import { houseLine } from "./house.js";

/** @typedef {import("./model.js").Model} Model */
/** @typedef {import("./model.js").Row} Row */

const TABS = /** @type {const} */ (["log", "chat", "note"]);

export class Side {
  /** @param {Model} model @param {{moment: (n: number) => void, close: () => void}} on */
  constructor(model, on) {
    this.model = model;
    this.on = on;
    this.unread = 0;
    this.tab = "log";
    this.log = h("ol.log", { "aria-label": t("log") });
    this.earlier = h(
      "button.small",
      { type: "button", hidden: true, onclick: () => this.loadEarlier() },
      t("log.earlier"),
    );
    this.lines = h("ol.lines", { "aria-label": t("chat") });
    this.input = /** @type {HTMLInputElement} */ (
      h("input", {
        type: "text",
        maxlength: 500,
        placeholder: t("chat.say"),
        "aria-label": t("chat.say"),
        autocomplete: "off",
      })
    );
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
        this.earlier,
        this.log,
      ),
      chat: h(
        "div.pane",
        { id: "pane-chat", role: "tabpanel", "aria-labelledby": "tab-chat" },
        this.lines,
        h(
          "form.say",
          { onsubmit: (/** @type {Event} */ e) => this.say(e) },
          this.input,
          h("button.primary", { type: "submit" }, t("chat.send")),
        ),
      ),
      note: h(
        "div.pane",
        { id: "pane-note", role: "tabpanel", "aria-labelledby": "tab-note" },
        this.note,
        this.saved,
      ),
    };
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
    this.atEnd = true; // the log follows what happens, unless somebody has scrolled up
    const pane = this.panes.log;
    pane.addEventListener(
      "scroll",
      () => (this.atEnd = pane.scrollHeight - pane.scrollTop < pane.clientHeight + 80),
      { passive: true },
    );
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
      this.lines.scrollTop = this.lines.scrollHeight;
    }
    if (name === "log") requestAnimationFrame(() => (this.panes.log.scrollTop = 1e9));
  }

  badge() {
    const badge = /** @type {HTMLElement} */ (this.buttons[1].querySelector(".badge"));
    badge.hidden = !this.unread;
    badge.textContent = String(this.unread);
  }

  // -- log ----------------------------------------------------------------------------------------

  /** Write the whole log anew. */
  showLog() {
    const rows = [...this.model.rows.values()].sort((a, b) => a.n - b.n);
    const pane = this.panes.log;
    const below = this.atEnd ? 0 : pane.scrollHeight - pane.scrollTop;
    fillWith(
      this.log,
      rows.flatMap((row) => this.rowLines(row)),
    );
    this.earlier.hidden = !rows.length || rows[0].n <= 1;
    if (this.atEnd) requestAnimationFrame(() => (pane.scrollTop = 1e9));
    else pane.scrollTop = pane.scrollHeight - below;
  }

  /** @param {Row[]} rows */
  addRows(rows) {
    for (const row of rows) this.log.append(...this.rowLines(row));
    if (this.atEnd) requestAnimationFrame(() => (this.panes.log.scrollTop = 1e9));
  }

  /** @param {Row} row @returns {HTMLElement[]} */
  rowLines(row) {
    const said = row.who === "house" ? [houseLine(row.text, this.model.table)] : row.log;
    const mine = typeof row.who === "number" ? `.seat${row.who}` : `.${row.who}`;
    return said
      .filter(Boolean)
      .map((line) =>
        h(
          `li${mine}`,
          { "data-n": row.n },
          h(
            "button.line",
            { type: "button", title: t("log.moment"), onclick: () => this.on.moment(row.n) },
            line,
          ),
        ),
      );
  }

  async loadEarlier() {
    const first = Math.min(...this.model.rows.keys());
    await this.model.read(Math.max(1, first - 200), first - 1);
  }

  /** @param {number | null} n */
  mark(n) {
    for (const li of this.log.querySelectorAll(".now")) li.classList.remove("now");
    if (n === null) return;
    const found = [...this.log.querySelectorAll("[data-n]")]
      .filter((li) => Number(/** @type {HTMLElement} */ (li).dataset.n) <= n)
      .pop();
    found?.classList.add("now");
    found?.scrollIntoView({ block: "nearest" });
  }

  // -- chat and note ------------------------------------------------------------------------------

  /** What was said, and my note; until that is here nothing can be written over it. */
  async loadTalk() {
    const base = `/api/matches/${encodeURIComponent(this.model.id)}`;
    const chat = get(`${base}/chat`).then((told) =>
      fillWith(
        this.lines,
        told.lines.map((/** @type {any} */ line) => chatLine(line)),
      ),
    );
    const note = get(`${base}/note`).then((told) => {
      this.note.value = told.text;
      this.note.readOnly = false;
    });
    await Promise.all([chat, note]);
  }

  /** @param {any} line @param {string} me */
  hear(line, me) {
    this.lines.append(chatLine(line));
    this.lines.scrollTop = this.lines.scrollHeight;
    if (line.name !== me) {
      sound("chat");
      if (this.tab !== "chat" || !this.el.offsetWidth) this.unread += 1;
      this.badge();
    }
  }

  /** @param {Event} e */
  async say(e) {
    e.preventDefault();
    const text = this.input.value.trim();
    if (!text) return;
    const answer = await this.model.link.ask("chat", { text });
    if (answer.ok) this.input.value = "";
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

/** @param {{name: string, text: string, at: number, room: string}} line */
function chatLine(line) {
  const at = new Date(line.at * 1000).toLocaleTimeString(document.documentElement.lang, {
    hour: "2-digit",
    minute: "2-digit",
  });
  return h(
    `li.${line.room}`,
    null,
    h("b", null, line.name),
    " ",
    h("span", null, line.text),
    h("time", null, at),
  );
}
