/** A table for any title, from its view and touches alone: seats, facts, boards, and tiles to touch. */

import { fillWith, h } from "../dom.js";
import { hasWord, seatName, t } from "../words.js";
import { capital, kindName, touchName } from "../match/bar.js";
import { splitTouch } from "../match/trie.js";
import { drawBoard, isBoard, placeName, thing } from "./board.js";
import { picture } from "./pictures.js";

/** @typedef {import("../match/model.js").View} View */
/** @typedef {import("../match/hands.js").Hands} Hands */
/** @typedef {import("../words.js").Title} Title */

const HIDDEN = new Set(["phase", "result", "turn"]); // the bar, the dialog and the marked seat say it
const SEATS = new Set(["leader", "player", "active", "starter"]); // fields that hold a seat
const ONE_LINE = 60;

export class Generic {
  /** @param {Title} title */
  constructor(title) {
    this.title = title;
    /** @type {Map<string, string>} */
    this.labels = new Map();
    for (const [key, text] of Object.entries(title.words)) {
      const parts = key.split(".");
      if (parts[0] === "label" && parts.length === 3 && !this.labels.has(parts[2]))
        this.labels.set(parts[2], text);
    }
    this.hasFields = Object.keys(title.words).some((key) => key.startsWith("field."));
    this.seats = h("div.seats");
    this.facts = h("div.facts");
    this.boards = h("div.boards");
    this.heaps = h("div.heaps");
    this.offers = h("div.offers", { role: "group", "aria-label": t("choices") });
    this.crest = h("div.crest", { "aria-hidden": "true" });
    this.root = h(
      "div.generic",
      null,
      this.seats,
      this.facts,
      this.boards,
      this.crest,
      this.offers,
      this.heaps,
    );
    /** @type {Set<string>} */
    this.fields = new Set(); // those that are boards
    this.open = new Set();
    this.large = false;
  }

  /** @param {View} view @param {{table: import("../match/model.js").Table}} context */
  update(view, { table }) {
    const n = view.seats;
    if (!this.crest.firstChild) this.crest.append(picture(this.title));
    /** @type {[string, any][][]} */
    const own = Array.from({ length: n }, () => []);
    /** @type {[string, any][]} */
    const facts = [];
    /** @type {[string, any][]} */
    const heaps = [];
    /** @type {[string, import("./board.js").Board][]} */
    const boards = [];
    for (const [key, value] of Object.entries(view.board))
      if (isBoard(value) && this.title.words[`field.${key}`] !== "") boards.push([key, value]);
    this.fields = new Set(boards.map(([key]) => key));
    for (const [key, value] of Object.entries(view.board)) {
      if (this.fields.has(key) || HIDDEN.has(key) || empty(value) || this.dull(key, value)) continue;
      if (Array.isArray(value) && value.length === n && n > 1)
        value.forEach((one, seat) => own[seat].push([key, one]));
      else if (isPlain(value)) facts.push([key, value]);
      else heaps.push([key, value]);
    }
    // As many kinds of things as seats: they are those of the seats.
    const whose = boards.map(([, value]) => value).find((value) => value.things.length === n);
    fillWith(
      this.seats,
      table.seats.map((seat) => this.seat(seat, own[seat.seat] ?? [], view, whose)),
    );
    this.drawBoards(boards, view.to_move === "over");
    fillWith(
      this.facts,
      facts.map(([key, value]) =>
        h(
          "span.fact",
          { "data-info": `fact:${key}` },
          h("small", null, this.word(key)),
          h("b", null, this.value(key, value, table)),
        ),
      ),
    );
    fillWith(
      this.heaps,
      heaps.map(([key, value]) => this.heap(key, value)),
    );
  }

  /** @param {[string, import("./board.js").Board][]} boards @param {boolean} over */
  drawBoards(boards, over) {
    const focused = /** @type {HTMLElement | null} */ (document.activeElement)?.dataset?.touch;
    fillWith(
      this.boards,
      boards.map(([key, value]) => drawBoard(key, this.word(key), value, (name) => this.word(name), over)),
    );
    if (focused)
      /** @type {HTMLElement | null} */ (
        this.boards.querySelector(`[data-touch="${CSS.escape(focused)}"]`)
      )?.focus();
  }

  /**
   * @param {import("../match/model.js").Seat} seat @param {[string, any][]} own @param {View} view
   * @param {import("./board.js").Board} [whose]
   */
  seat(seat, own, view, whose) {
    const facts = own.flatMap(([key, value]) =>
      value &&
      typeof value === "object" &&
      !Array.isArray(value) &&
      !("count" in value) &&
      Object.values(value).some((v) => !isPlain(v))
        ? Object.entries(value)
        : /** @type {[string, any][]} */ ([[key, value]]),
    );
    return h(
      `section.seatbox.s${seat.seat}${view.to_move === seat.seat ? ".turn" : ""}`,
      { "aria-label": seatName(seat), "data-info": `seat:${seat.seat}` },
      h(
        "h3",
        null,
        h(`span.dot${seat.present ? ".here" : ""}`),
        h("b", null, seatName(seat)),
        whose ? this.playsWith(whose, whose.things[seat.seat]) : null,
        view.seat === seat.seat ? h("small", null, t("you")) : null,
        h("span.clock", { "data-clock": seat.seat }),
      ),
      h(
        "dl",
        null,
        facts
          .filter(([key, value]) => !empty(value) && !this.dull(key, value))
          .map(([key, value]) =>
            h(
              "div",
              { "data-info": `fact:${key}` },
              h("dt", null, this.word(key)),
              h("dd", null, this.text(value)),
            ),
          ),
      ),
    );
  }

  /** @param {string} key @param {any} value */
  heap(key, value) {
    const rows = Array.isArray(value)
      ? value.map((v, k) => /** @type {[string, any]} */ ([String(k + 1), v]))
      : Object.entries(value);
    const shown = rows.filter(([, v]) => !empty(v));
    const body = h(
      "dl",
      null,
      shown.map(([name, v]) => h("div", null, h("dt", null, this.word(name)), h("dd", null, this.text(v)))),
    );
    const box = /** @type {HTMLDetailsElement} */ (
      h(
        "details.heap",
        { open: shown.length <= 8 || this.open.has(key) },
        h("summary", null, this.word(key), " ", h("small", null, shown.length)),
        body,
      )
    );
    box.addEventListener("toggle", () => (box.open ? this.open.add(key) : this.open.delete(key)));
    return box;
  }

  /** Any value as a short text. @param {any} value @returns {string} */
  text(value) {
    if (value === null || value === undefined) return "?";
    if (isPlain(value)) return this.word(value);
    if (Array.isArray(value))
      return (
        value
          .filter((v) => !empty(v))
          .map((v) => this.text(v))
          .join(", ") || "–"
      );
    if (typeof value.count === "number" && Object.keys(value).length === 1)
      return t("generic.hidden", { n: value.count });
    const parts = Object.entries(value)
      .filter(([, v]) => !empty(v))
      .map(([name, v]) => (v === 1 || v === true ? this.word(name) : `${this.word(name)} ${this.text(v)}`));
    const all = parts.join(parts.length > 4 || parts.join("").length > ONE_LINE ? "; " : ", ");
    return all || "–";
  }

  /**
   * Bookkeeping that nobody needs to see: a field without a name for people, or one that stands at nought.
   * @param {string} key @param {any} value
   */
  dull(key, value) {
    const own = this.title.words[`field.${key}`];
    if (own !== undefined) return own === ""; // a title names a field "" to keep it off the screen
    if (hasWord(`field.${key}`) || this.labels.has(key)) return false;
    return this.hasFields || value === 0 || value === -1;
  }

  /**
   * The thing and its name; the sign alone where it is its own name.
   * @param {import("./board.js").Board} board @param {string} name
   */
  playsWith(board, name) {
    const shown = thing(board, name);
    const said = this.word(name);
    if (shown.textContent?.toLowerCase() !== said.toLowerCase()) return [shown, h("small", null, said)];
    shown.removeAttribute("aria-hidden");
    return [shown];
  }

  /** A key or label in the reader's language, as far as the title's words know it. @param {any} value */
  word(value) {
    if (typeof value === "number") return String(value);
    if (typeof value === "boolean") return t(value ? "yes" : "no");
    const text = String(value);
    const found =
      this.title.words[`field.${text}`] ??
      (hasWord(`field.${text}`) ? t(`field.${text}`) : this.labels.get(text));
    return capital(found || text.replaceAll("_", " "));
  }

  /**
   * A fact; a number that is a seat is shown by the name.
   * @param {string} key @param {any} value @param {import("../match/model.js").Table} table
   */
  value(key, value, table) {
    const seat = SEATS.has(key) ? table.seats[Number(value)] : undefined;
    return seat ? seatName(seat) : this.word(value);
  }

  /** Tiles for what can be touched; buttons and numbers stay in the bar. @param {Hands} hands */
  tiles(hands) {
    const next = hands.busy ? [] : [...hands.node.next.keys()];
    const shown = [...hands.path, ...next].filter(
      (touch) => !/^(button|amount):/.test(touch) && !this.fields.has(splitTouch(touch)[0]),
    );
    /** @type {Map<string, string[]>} */
    const groups = new Map();
    for (const touch of shown) {
      const [kind] = splitTouch(touch);
      groups.set(kind, [...(groups.get(kind) ?? []), touch]);
    }
    const focused = /** @type {HTMLElement | null} */ (document.activeElement)?.dataset?.touch;
    fillWith(
      this.offers,
      [...groups].map(([kind, touches]) =>
        h(
          "div.group",
          null,
          groups.size > 1 ? h("h4", null, capital(kindName(this.title, kind))) : null,
          h(
            "div.tiles",
            null,
            touches.map((touch) => {
              const chosen = hands.path.includes(touch);
              const el = h(
                `div.tile.k-${kind}${chosen ? ".chosen" : ".lit"}`,
                { "data-touch": touch, role: "button", tabindex: 0, "aria-pressed": String(chosen) },
                this.face(touch),
                h(
                  "span",
                  null,
                  chosen ? capital(touchPlain(touch, this)) : touchName(hands, touch, this.title, this),
                ),
              );
              return el;
            }),
          ),
        ),
      ),
    );
    if (focused)
      /** @type {HTMLElement | null} */ (
        this.offers.querySelector(`[data-touch="${CSS.escape(focused)}"]`)
      )?.focus();
  }

  /**
   * What a tile shows beside its name: nothing, until a title draws it.
   * @type {(touch: string) => Node | null}
   */
  face() {
    return null;
  }

  /** @param {number} seat @param {string} text @param {boolean} low */
  clock(seat, text, low) {
    const el = this.root.querySelector(`[data-clock="${seat}"]`);
    if (!el) return;
    el.textContent = text;
    el.classList.toggle("low", low);
  }

  /** What a thing is called; the rules say the rest. @param {string} what */
  info(what) {
    const [kind, id] = splitTouch(what);
    if (kind !== "fact" && kind !== "seat") return null;
    const seat = kind === "seat" ? this.seats.children[Number(id)]?.getAttribute("aria-label") : null;
    return { title: seat ?? this.word(id), lines: [], quotes: true };
  }

  /** @param {string} kind @param {string} id */
  name(kind, id) {
    if (this.fields.has(kind)) return placeName(id);
    const found = this.labels.get(id);
    return found && kind !== "button" && kind !== "amount" ? found : null;
  }
}

/** @param {string} touch @param {Generic} drawing */
function touchPlain(touch, drawing) {
  const [kind, id] = splitTouch(touch);
  return drawing.name(kind, id) ?? id.replaceAll("_", " ").replace("@", " · ");
}

/** @param {any} value */
const isPlain = (value) => ["number", "string", "boolean"].includes(typeof value);

/** Nothing to show: none, nought, empty. @param {any} value @returns {boolean} */
function empty(value) {
  if (value === null || value === undefined || value === "none" || value === "" || value === false)
    return true;
  if (Array.isArray(value)) return value.every((v) => empty(v) || v === 0);
  if (typeof value === "object")
    return Object.keys(value).length === 0 || Object.values(value).every((v) => empty(v));
  return false;
}
