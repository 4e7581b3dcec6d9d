/**
 * A position that somebody makes: the drawing of the title as the board, and beside it everything that can
 * be set, as
 * the server describes it from the layout (core/editing.py). Every change goes to the server, which counts
 * anew what
 * follows from it and says what stands against it; nothing is known of any rule here.
 */

import { get, post, whoAmI } from "../api.js";
import { fillWith, h, icon } from "../dom.js";
import { dialog, Toast } from "../match/info.js";
import { stillTable } from "../match/still.js";
import { linkBox } from "../match/waiting.js";
import { Zoom } from "../match/zoom.js";
import { packed, unpacked } from "../positions.js";
import { go } from "../router.js";
import { remember } from "../settings.js";
import { pageHeader } from "../shell.js";
import { startMatch } from "../start.js";
import { drawingOf, prepareEarly } from "../titles/index.js";
import { botName, chosenLevel, hasWord, labelOf, loadTitle, sideOf, spoken, t } from "../words.js";
import { Cells } from "./position_cells.js";

/** @typedef {import("./position_cells.js").Told} Told */

const STEPS = 200; // that can be taken back

const STYLE = "/css/positions.css"; // of this page alone

export class PositionPage {
  /** @param {string} name of the title @param {HTMLElement} host */
  constructor(name, host) {
    if (!document.head.querySelector(`link[href="${STYLE}"]`))
      document.head.append(h("link", { rel: "stylesheet", href: STYLE }));
    this.name = name;
    this.host = host;
    this.closed = false;
    /** @type {Told | null} */
    this.told = null;
    /** @type {string[]} positions before */
    this.before = [];
    /** @type {number | null} whose eyes saw it: the rest is dealt anew where play begins */
    this.eyes = null;
    /** @type {number | null} */
    this.eye = null;
    this.unread = false; // what was opened last cannot be read, and another position is shown
    this.picked = "";
    /** @type {Map<string, boolean> | undefined} which groups are open */
    this.unfolded = undefined;
    /** @type {HTMLElement | undefined} */
    this.back = undefined;
    /** @type {import("../words.js").Title | undefined} */
    this.title = undefined;
    this.line = Promise.resolve();
    /** @type {import("../titles/index.js").Drawing | null} */
    this.drawing = null;
    /** @type {Zoom | null} */
    this.zoom = null;
    this.stage = h("div.stage", null, h("p.loading", null, t("loading")));
    this.board = h("div.board", { tabindex: -1 }, this.stage);
    this.verdict = h("p.verdict", { role: "status" });
    this.tools = h("div.postools");
    this.cells = h("div.poscells");
    this.ways = h("div.posways");
    this.panel = h(
      "aside.pospanel",
      { "aria-label": t("position") },
      this.verdict,
      this.tools,
      this.cells,
      this.ways,
    );
    this.table = h("div.table", null, this.board);
    this.toast = new Toast(this.table);
    this.main = h("main.matchpage.positionpage", { id: "main", "data-title": name }, this.table, this.panel);
    document.body.classList.add("playing");
    this.game = h("b");
    const leave = h(
      "button.round",
      { type: "button", "aria-label": t("back"), title: t("back"), onclick: () => go(`/new/${name}`) },
      icon("close"),
    );
    const status = h("span.status", null, this.game, h("span", null, t("position")));
    fillWith(host, pageHeader(status, [leave]), this.main);
    this.stage.addEventListener("click", (e) => this.pick(e), true);
    this.begin();
  }

  async begin() {
    try {
      this.title = await loadTitle(this.name);
      prepareEarly(this.name);
      this.game.textContent = this.title.name;
      document.title = `${t("position")}: ${this.title.name} – Ludus`;
      await this.ask(await this.given(), true);
      this.lay();
    } catch (error) {
      if (!this.closed) this.nothing(/** @type {any} */ (error));
    }
  }

  /**
   * Where it begins: a moment of a match, a link, or an empty box.
   * @returns {Promise<Record<string, any>>}
   */
  async given() {
    const asked = new URLSearchParams(location.search);
    const match = asked.get("match");
    if (match) {
      await whoAmI();
      const seat = asked.get("seat");
      const found = await get(
        `/api/matches/${encodeURIComponent(match)}/moments/${Number(asked.get("entry") ?? 0)}/position` +
          (seat === null ? "" : `?seat=${Number(seat)}`),
      );
      this.eyes = this.eye = found.eyes;
      return { seats: found.seats, options: found.options, position: found.position };
    }
    const code = new URLSearchParams(location.hash.slice(1)).get("p");
    if (!code) return {};
    const found = await unpacked(code);
    if (!found) {
      this.unread = true;
      return {};
    }
    this.eyes = found.eyes ?? null;
    return { seats: found.seats, options: found.options, position: found.position };
  }

  /** @param {{status?: number, message?: string}} error */
  nothing(error) {
    this.main.classList.add("bare");
    const known = !!this.title;
    fillWith(
      this.main,
      h(
        "div.nothing",
        null,
        h("h1", null, t(known ? "position.bad" : "gone.title")),
        h("p", null, !error.status ? t("offline") : known ? error.message : t("position.nogame")),
        known
          ? h("a.button.primary", { href: `/positions/${this.name}`, "data-go": "" }, t("position.empty"))
          : null,
        h("a.button.secondary", { href: "/", "data-go": "" }, t("home")),
      ),
    );
  }

  // -- asking -------------------------------------------------------------------------------------------

  /** What the position is of. */
  get at() {
    const { seats, options, position } = /** @type {Told} */ (this.told);
    return { seats, options, position };
  }

  /** @param {Record<string, any>} body @param {boolean} [describe] */
  async ask(body, describe = false) {
    const told = await post(spoken(`/api/titles/${this.name}/position`), {
      ...body,
      eye: this.eye,
      describe,
    });
    if (this.closed) return;
    this.told = { ...this.told, ...told };
    await this.draw().catch((error) => {
      if (!told.wrong) throw error;
      this.stage.classList.add("stale"); // what cannot be may have no picture: a die of seven
    });
    this.show();
  }

  /**
   * One change after the other.
   * @param {Record<string, any>} body @param {boolean} [describe] @param {boolean} [keeps]
   */
  change(body, describe = false, keeps = true) {
    this.line = this.line.then(async () => {
      const was = this.told?.position;
      try {
        await this.ask(
          body.position === undefined && !body.scene && body.edits ? { ...this.at, ...body } : body,
          describe,
        );
        this.unread = false;
        if (keeps && was !== undefined && was !== this.told?.position)
          this.before = [...this.before, was].slice(-STEPS);
      } catch (error) {
        const { status, message } = /** @type {any} */ (error);
        this.unread = !!body.scene && status >= 400 && status < 500 && status !== 429;
        if (!this.unread) this.toast.show(status ? message : t("offline"));
      }
      this.show();
    });
    return this.line;
  }

  /** @param {string} path @param {number | string} value */
  set(path, value) {
    return this.change({ edits: [{ path, value }] });
  }

  undo() {
    const position = this.before.pop();
    if (position !== undefined) this.change({ ...this.at, position }, false, false);
  }

  // -- showing ------------------------------------------------------------------------------------------

  /** @param {number} seat */
  seatName(seat) {
    const { title, told } = this;
    return title && told ? sideOf(title, told.options, seat) : "";
  }

  async draw() {
    const { told, title } = this;
    this.stage.classList.toggle("stale", !told?.view);
    if (!told?.view || !title) return;
    if (!this.drawing) {
      this.drawing = await drawingOf(this.name, title, told.view);
      if (this.closed) return;
      fillWith(this.stage, this.drawing.root);
      this.zoom = new Zoom(this.board, this.stage, { drags: () => false, grabbed: () => undefined });
      this.zoom.take(this.drawing);
    }
    const names = Array.from({ length: told.seats }, (_, seat) => this.seatName(seat));
    const table = stillTable(this.name, told.options, names, { to_move: told.to_move, state: "running" });
    await this.drawing.update(told.view, { table, rows: [], passed: [] });
  }

  /** What a field is called. @param {string} name */
  called(name) {
    const field = this.told?.fields.find((one) => one.name === name);
    return field?.called || (hasWord(`field.${name}`) ? t(`field.${name}`) : name.replaceAll("_", " "));
  }

  show() {
    const { told } = this;
    if (!told) return;
    const { wrong } = told;
    const { unread } = this;
    const says = wrong ? `${t("position.wrong")} ${wrong.reason}` : t("position.good");
    this.verdict.classList.toggle("bad", unread || !!wrong);
    fillWith(
      this.verdict,
      icon(unread || wrong ? "close" : "check"),
      h("span", null, unread ? t("position.bad") : says),
      !unread && wrong?.field
        ? h(
            "button.plain.blame",
            { type: "button", onclick: () => this.choose(`field:${wrong.field}`) },
            this.called(wrong.field),
          )
        : null,
    );
    for (const button of this.ways.querySelectorAll("button.begins"))
      button.toggleAttribute("disabled", !!wrong);
    this.back?.toggleAttribute("disabled", !this.before.length);
    fillWith(this.cells, new Cells(this).sections());
  }

  /** Something on the board was touched. @param {MouseEvent} e */
  pick(e) {
    const target = e.target instanceof Element ? e.target.closest("[data-info], [data-touch]") : null;
    const id = target?.getAttribute("data-info") ?? target?.getAttribute("data-touch");
    if (!id) return;
    const found = new Cells(this).placeOf(id);
    if (!found) return;
    e.preventDefault();
    e.stopPropagation();
    this.choose(found);
  }

  /** @param {string} place */
  choose(place) {
    this.picked = place;
    this.show();
    this.cells.querySelector(".picked")?.scrollIntoView({ block: "nearest" });
  }

  /** What stays while the position changes: tools above, ways to go on below. */
  lay() {
    const { told, title } = this;
    if (!told || !title) return;
    /** @param {string} sign @param {string} label @param {() => void} work */
    const tool = (sign, label, work) =>
      h("button.secondary", { type: "button", onclick: work }, icon(sign), label);
    const again = (/** @type {boolean} */ dealt) => () => {
      this.eyes = null;
      this.change({ seats: told.seats, options: told.options, dealt }, true);
    };
    this.back = tool("undo", t("undo"), () => this.undo());
    const eye = h(
      "select",
      {
        "aria-label": t("position.eye"),
        onchange: (/** @type {Event} */ e) => {
          this.eye = Number(/** @type {HTMLSelectElement} */ (e.target).value);
          this.change(this.at, false, false);
        },
      },
      Array.from({ length: told.seats }, (_, seat) =>
        h("option", { value: seat, selected: seat === told.eye }, this.seatName(seat)),
      ),
    );
    fillWith(
      this.tools,
      this.back,
      tool("close", t("position.empty"), again(false)),
      tool("cards", t("position.dealt"), again(true)),
      title.hides ? h("label", null, t("position.eye"), " ", eye) : null,
    );
    fillWith(this.ways, this.playing(), this.sharing());
    this.show();
  }

  // -- going on -----------------------------------------------------------------------------------------

  playing() {
    const { told, title } = this;
    if (!told || !title) return null;
    const mine = /** @type {HTMLSelectElement} */ (
      h(
        "select",
        null,
        Array.from({ length: told.seats }, (_, seat) =>
          h("option", { value: seat, selected: seat === (this.eyes ?? told.eye) }, this.seatName(seat)),
        ),
      )
    );
    const bot = /** @type {HTMLSelectElement} */ (
      h(
        "select",
        null,
        title.levels.map((one) =>
          h("option", { value: one, selected: one === chosenLevel(this.name, title) }, botName(one)),
        ),
      )
    );
    /**
     * @param {string} sign
     * @param {string} label @param {(seat: number) => import("../start.js").Wish} other
     */
    const way = (sign, label, other) =>
      h(
        "button.primary.begins",
        { type: "button", onclick: () => this.play(Number(mine.value), other) },
        icon(sign),
        label,
      );
    return h(
      "section.posplay",
      null,
      h("h2", null, t("position.play")),
      h("p.help", null, t("position.unrated"), " ", this.eyes === null ? "" : t("position.hidden")),
      h("label", null, t("position.iam"), " ", mine),
      h("label", null, t("level"), " ", bot),
      h(
        "div.actions",
        null,
        way("bot", t("position.bot"), () => {
          remember(`bot.${this.name}`, bot.value);
          return { kind: "bot", bot: bot.value };
        }),
        way("link", t("friend"), () => ({ kind: "link" })),
        way("swap", t("position.both"), () => ({ kind: "screen" })),
      ),
    );
  }

  /** @param {number} seat @param {(seat: number) => import("../start.js").Wish} other */
  async play(seat, other) {
    const { seats, options, position } = this.at;
    const wishes = Array.from({ length: seats }, (_, p) =>
      p === seat ? /** @type {const} */ ({ kind: "me" }) : other(p),
    );
    const start = { position, ...(this.eyes === null ? {} : { eyes: this.eyes }) };
    await startMatch(this.name, wishes, { options, start }).catch((error) =>
      this.toast.show(error.status ? error.message : t("offline")),
    );
  }

  sharing() {
    /** @param {string} sign @param {string} label @param {() => void} work */
    const way = (sign, label, work) =>
      h("button.secondary", { type: "button", onclick: work }, icon(sign), label);
    const file = /** @type {HTMLInputElement} */ (
      h("input", { type: "file", accept: ".toml,text/plain", hidden: true, onchange: () => this.read(file) })
    );
    return h(
      "section.posshare",
      null,
      h("h2", null, t("position.share")),
      h(
        "div.actions",
        null,
        way("link", t("position.link"), () => this.link()),
        way("file", t("position.save"), () => this.save("", "")),
        way("file", t("position.open"), () => file.click()),
        way("flag", t("position.report"), () => this.report()),
        file,
      ),
    );
  }

  async link() {
    const code = await packed({ ...this.at, eyes: this.eyes });
    dialog(t("position.link"), [linkBox(`${location.origin}/positions/${this.name}#p=${code}`)]);
  }

  /** As a scene file. @param {string} name @param {string} note */
  async save(name, note) {
    const answer = await fetch(`/api/titles/${this.name}/position/scene`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ ...this.at, name, note }),
    }).catch(() => null);
    if (!answer?.ok) {
      this.toast.show(t("offline"));
      return;
    }
    const url = URL.createObjectURL(await answer.blob());
    h("a", { href: url, download: `${this.name}.toml` }).click();
    setTimeout(() => URL.revokeObjectURL(url), 1000);
  }

  /** @param {HTMLInputElement} input */
  async read(input) {
    const text = await input.files?.[0]?.text();
    input.value = "";
    if (!text) return;
    if (text.length > 60000) {
      this.unread = true;
      this.show();
      return;
    }
    this.eyes = null;
    await this.change({ scene: text }, true);
  }

  /** Hand it in: the host finds it, and the file is saved here, too. */
  report() {
    const note = /** @type {HTMLTextAreaElement} */ (
      h("textarea", { rows: 5, maxlength: 2000, required: true })
    );
    const said = h("p.problem", { role: "alert" });
    const send = async (/** @type {Event} */ e) => {
      e.preventDefault();
      try {
        await whoAmI();
        await post(`/api/titles/${this.name}/position/report`, { ...this.at, note: note.value });
        await this.save(t("position.report"), note.value);
        sheet.close();
        this.toast.show(t("position.report.done"));
      } catch (error) {
        const { status } = /** @type {any} */ (error);
        said.textContent = t(status === 429 ? "toomany" : status ? "position.report.failed" : "offline");
      }
    };
    const sheet = dialog(t("position.report"), [
      h(
        "form.person",
        { onsubmit: send },
        h("label", null, t("position.report.help"), note),
        h("button.primary", { type: "submit" }, t("position.report.send")),
        said,
      ),
    ]);
  }

  /** A name of a group. @param {string} group @param {string} label */
  label(group, label) {
    return this.title ? labelOf(this.title, group, label) : label;
  }

  close() {
    this.closed = true;
    document.body.classList.remove("playing");
    this.zoom?.close();
  }
}
