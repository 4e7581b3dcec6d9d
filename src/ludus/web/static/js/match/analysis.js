/** The analysis of a match that is over: its curve, the alternatives of each moment, what decided. */

import { get, isAway, post, Problem, remove } from "../api.js";
import { cssEscape, fillWith, h, icon, s } from "../dom.js";
import { botName, fillIn, rungNamed, seatName, spoken, t } from "../words.js";
import { drawArrows, dropArrows, placeOf } from "./arrows.js";
import { curvePicture, HIGH, linesOf, MARKS, marksOf, WIDE } from "./curve.js";
import { dialog } from "./info.js";
import { beginStudy } from "./study.js";

/** @typedef {import("./model.js").Model} Model */
/** @typedef {import("./curve.js").Step} Step */
/**
 * @typedef {{class?: string, plans?: string[][], others?: string[], ways?: string[][][],
 *   told?: string}} Words
 */
/** @typedef {{of: string, called: string, outcomes: [string, number, number][]}} Dice */
/**
 * @typedef {{state: string, done?: number, total?: number, before?: number, mine?: boolean,
 *   found?: {rows: Step[], seats: {decisions: number, rungs?: Record<string, number>}[], decisive:
 *   {choices: number[], throws: number[]}},
 *   told?: {headline: string, rough: string, judged: string, note: string, strengths: string[],
 *     sums: string[], decisive: {choices: string[], throws: string[]}, dice: Dice[], steps: Words[]}}} Told
 */

const LOOK = 1500; // milliseconds between two looks at how far it is
const AWAY = 4000; // the same while nobody answers

/** Millionths as points of a hundred. @param {number} value */
const points = (value) => Math.round(value / 1000) / 10;

export class Analysis {
  /**
   * @param {Model} model @param {HTMLElement} board
   * @param {{moment: (n: number) => void, shown: (things: Element[]) => void}} on shows the position after an
   *   entry; brings places of a map into sight
   */
  constructor(model, board, on) {
    this.model = model;
    this.board = board;
    this.on = on;
    this.timer = 0;
    this.place = 0;
    this.asked = false; // once without another touch: who opens this wants one
    this.read = false; // whether what decided has been shown by itself
    /** @type {Told | null} */
    this.made = null;
    document.head.append(h("link", { rel: "stylesheet", href: "/css/analysis.css" }));
    this.body = h("div.body");
    this.now = h("div.now", { "aria-live": "polite" });
    this.el = h("section.analysis", { "aria-label": t("analysis"), hidden: true }, this.body, this.now);
  }

  get path() {
    return `/api/matches/${encodeURIComponent(this.model.table?.id ?? "")}/analysis`;
  }

  toggle() {
    if (this.el.hidden) this.open();
    else this.close();
  }

  open() {
    this.el.hidden = false;
    if (this.made) this.at(this.place);
    else this.look();
  }

  close() {
    clearTimeout(this.timer);
    this.el.hidden = true;
    this.unmark();
  }

  /** Ask how far it is, and again as long as it is being made. */
  async look() {
    clearTimeout(this.timer);
    const told = await get(spoken(this.path)).catch((error) => this.fail(error));
    if (told) this.show(told);
  }

  /**
   * While the line or the server is missing one looks again; what could not be asked is asked then.
   * @param {unknown} error
   */
  fail(error) {
    clearTimeout(this.timer);
    if (isAway(error)) {
      this.asked = false;
      if (!this.el.hidden) this.timer = window.setTimeout(() => this.look(), AWAY);
    }
    const told = error instanceof Problem && error.status === 429 ? t("analysis.enough") : t("analysis.gone");
    const reason = error instanceof Problem && [403, 409].includes(error.status) ? error.message : told;
    fillWith(this.body, h("p", null, reason), this.askButton());
  }

  askButton() {
    return h("button.primary.small", { type: "button", onclick: () => this.ask() }, t("analysis.ask"));
  }

  async ask() {
    this.asked = true;
    const told = await post(spoken(this.path)).catch((error) => this.fail(error));
    if (told) this.show(told);
  }

  async stop() {
    const told = await remove(this.path, {}).catch(() => this.look());
    if (told) this.show(told);
  }

  /** @param {Told} told */
  show(told) {
    if (told.state === "done" && !told.found) {
      this.look();
      return;
    }
    if (told.state === "done") {
      this.made = told;
      this.draw();
      this.at(this.place);
      this.begin();
      return;
    }
    if (told.state === "none" && !this.asked) {
      this.ask();
      return;
    }
    const open = told.state === "waiting" || told.state === "running";
    const { done = 0, total = 0, before = 0 } = told;
    const loading = told.state === "running" ? !total : told.state === "waiting" && !before;
    const said = t(loading ? "analysis.loading" : `analysis.${told.state}`, { n: before, done, total });
    fillWith(
      this.body,
      h("p", null, said),
      open
        ? h(
            "progress",
            loading ? { "aria-label": said } : { max: total || 1, value: done, "aria-label": said },
          )
        : null,
      open && told.mine
        ? h("button.secondary.small", { type: "button", onclick: () => this.stop() }, t("analysis.stop"))
        : null,
      open || told.state === "off" ? null : this.askButton(),
    );
    if (open && !this.el.hidden) this.timer = window.setTimeout(() => this.look(), LOOK);
  }

  /** What decided opens by itself, once, unless something else is being read. */
  begin() {
    if (this.read || this.el.hidden) return;
    this.read = true;
    if (!document.querySelector("dialog[open]")) this.more();
  }

  /** The seat as which I have played, where it is one alone. */
  get me() {
    const own = [...this.model.yours, ...this.model.resigned];
    return own.length === 1 ? own[0] : null;
  }

  /** @param {Parameters<typeof seatName>[0]} seat */
  who(seat) {
    return seat.seat === this.me ? t("you") : seatName(seat);
  }

  // -- the curve --------------------------------------------------------------------------------------

  draw() {
    const rows = this.made?.found?.rows ?? [];
    const last = this.model.entry;
    this.cursor = s("path.cursor");
    const curve = s(
      "svg.curve",
      {
        viewBox: `0 0 ${WIDE} ${HIGH}`,
        preserveAspectRatio: "none",
        role: "img",
        "aria-label": t("analysis.curve"),
        onclick: (/** @type {MouseEvent} */ e) => this.touch(e, curve),
      },
      s("path.half", { d: `M0 ${HIGH / 2}H${WIDE}` }),
      marksOf(rows, last).map(({ x, kind }) => s(`path.mark.${kind}`, { d: `M${x} 0V${HIGH}` })),
      linesOf(rows, last).map((line, seat) => s(`polyline.of${seat}`, { points: line })),
      this.cursor,
    );
    const table = this.model.table;
    fillWith(
      this.body,
      curve,
      h(
        "div.under",
        null,
        table
          ? h(
              "span.legend",
              null,
              table.seats.map((seat) => h(`span.of${seat.seat}`, null, h("i"), seatName(seat))),
            )
          : null,
        h(
          "span.legend.marks",
          null,
          MARKS.filter((kind) => marksOf(rows, last).some((mark) => mark.kind === kind)).map((kind) =>
            h(`span.${kind}`, null, h("i"), t(`analysis.mark.${kind}`)),
          ),
        ),
        h("button.secondary.small.more", { type: "button", onclick: () => this.more() }, t("analysis.more")),
        this.studyButton(),
      ),
    );
  }

  /** A study begins at the moment that is shown; in a study there is one already. */
  studyButton() {
    const id = this.model.table?.id;
    if (!id || new URLSearchParams(location.search).has("study")) return null;
    const begin = () => beginStudy(id, this.place).catch((error) => this.fail(error));
    return h("button.secondary.small.begin", { type: "button", onclick: begin }, t("study.begin"));
  }

  /**
   * The mark that lies nearest to a touch, else the moment itself.
   * @param {MouseEvent} e @param {Element} curve
   */
  touch(e, curve) {
    const { left, width } = curve.getBoundingClientRect();
    const x = ((e.clientX - left) / width) * WIDE;
    const marks = marksOf(this.made?.found?.rows ?? [], this.model.entry);
    const near = marks
      .filter((mark) => Math.abs(mark.x - x) < (12 / width) * WIDE)
      .sort((a, b) => Math.abs(a.x - x) - Math.abs(b.x - x))[0];
    this.on.moment(near ? near.moment : Math.round((x / WIDE) * this.model.entry));
  }

  /** What is said of the moment that the replay shows. @param {number} n */
  at(n) {
    this.place = n;
    const { found, told } = this.made ?? {};
    if (this.el.hidden || !found || !told) return;
    const x = (n / Math.max(1, this.model.entry)) * WIDE;
    this.cursor?.setAttribute("d", `M${x} 0V${HIGH}`);
    const choice = found.rows.findIndex(
      (row) => row.kind === "choice" && row.entry - 1 <= n && n < row.until,
    );
    const thrown = found.rows.findIndex((row) => row.kind === "throw" && row.entry - 1 < n && n <= row.until);
    this.unmark();
    fillWith(
      this.now,
      thrown >= 0 ? this.luck(found.rows[thrown]) : null,
      choice >= 0 ? this.choices(found.rows[choice], told.steps[choice]) : null,
    );
    if (choice >= 0) this.mark(found.rows[choice], told.steps[choice]);
  }

  /** @param {Step} row */
  luck(row) {
    const brought = row.brought.map((value, seat) => ({ value, seat }));
    const seats = this.model.table?.seats ?? [];
    const said = brought
      .filter(({ seat }) => seats[seat])
      .map(({ value, seat }) => `${this.who(seats[seat])} ${signed(value)}`);
    return h("p.luck", null, t("analysis.luck", { what: said.join(", ") }));
  }

  /** @param {Step} row @param {Words} words */
  choices(row, words) {
    const seat = this.model.table?.seats[row.seat];
    const chances = row.options ?? [];
    const [name, cost] = [seat ? capital(this.who(seat)) : "", points(row.cost ?? 0)];
    return [
      h(
        "p.judged",
        null,
        h(`b.${row.class}`, null, words.class ?? ""),
        " ",
        cost ? t("analysis.cost", { name, points: cost }) : name,
      ),
      h(
        "ol.options",
        null,
        chances.map(({ chance }, k) =>
          h(
            `li${k === row.played ? ".played" : ""}`,
            null,
            h("b", null, fillIn("{n} %", { n: points(chance) })),
            " ",
            planSaid(words.plans?.[k] ?? []),
            k === row.played ? h("small", null, ` (${t("analysis.played")})`) : null,
            rungsAt(row, k).map((rung) => h("span.rung", null, botName(rung))),
          ),
        ),
      ),
      this.others(row.others ?? [], words.others ?? []),
      this.made?.told?.note ? h("p.help", null, h("small", null, this.made.told.note)) : null,
    ];
  }

  /**
   * All the rest of what could have been chosen, where somebody wants to see it.
   * @param {[number, number][]} chances @param {string[]} said
   */
  others(chances, said) {
    if (!said.length) return null;
    const lines = said.map((one, k) =>
      h("li", null, h("b", null, fillIn("{n} %", { n: points(chances[k][1]) })), " ", one),
    );
    return h(
      "details.unchosen",
      null,
      h("summary", null, t("analysis.others", { n: said.length })),
      h("ol.options", null, lines),
    );
  }

  // -- on the board -------------------------------------------------------------------------------------

  /**
   * Mark on the board where the best choice and the one that was played are touched.
   * @param {Step} row @param {Words} words
   */
  mark(row, words) {
    const [best, played] = [words.ways?.[0] ?? [], words.ways?.[row.played ?? 0] ?? []];
    for (const id of played.flat()) this.lit(id, "was-played");
    for (const id of best.flat()) this.lit(id, "was-best");
    for (const el of this.board.querySelectorAll(".was-best")) this.bring(el);
    drawArrows(this.board, { best, played });
    const places = best.flat().map((id) => placeOf(this.board, id));
    // once what is said of the moment has taken its room from the board
    requestAnimationFrame(() =>
      requestAnimationFrame(() => this.on.shown(places.filter((el) => el !== null))),
    );
  }

  /** Where the board is longer than its room, what is marked is brought into it. @param {Element} el */
  bring(el) {
    const [room, box] = [this.board.getBoundingClientRect(), el.getBoundingClientRect()];
    if (!box.height) return;
    if (box.bottom > room.bottom) this.board.scrollTop += box.bottom - room.bottom + 8;
    else if (box.top < room.top) this.board.scrollTop -= room.top - box.top + 8;
  }

  /** @param {string} id @param {string} name */
  lit(id, name) {
    for (const el of this.board.querySelectorAll(`[data-touch="${cssEscape(id)}"]`)) el.classList.add(name);
  }

  unmark() {
    dropArrows(this.board);
    for (const el of this.board.querySelectorAll(".was-best, .was-played"))
      el.classList.remove("was-best", "was-played");
  }

  /** Bots are called as at the table, not as in the record. @param {string} sentence */
  called(sentence) {
    for (const seat of this.model.table?.seats ?? [])
      if (seat.kind === "bot" && seat.name) sentence = sentence.replaceAll(seat.name, seatName(seat));
    return rungNamed(sentence);
  }

  // -- all of it ----------------------------------------------------------------------------------------

  more() {
    const { found, told } = this.made ?? {};
    const table = this.model.table;
    if (!found || !told || !table) return;
    /** @param {number[]} places @param {string[]} said */
    const listed = (places, said) =>
      h(
        "ul.decided",
        null,
        said.map((sentence, k) =>
          h(
            "li",
            null,
            this.called(sentence),
            " ",
            h(
              "button.small.secondary",
              {
                type: "button",
                onclick: () => {
                  sheet.close();
                  const row = found.rows[places[k]];
                  this.on.moment(row.kind === "throw" ? row.until : row.entry - 1);
                },
              },
              t("analysis.see"),
            ),
          ),
        ),
      );
    const sums = h(
      "details.sums",
      null,
      h("summary", null, t("analysis.sums")),
      told.sums.map((said) => h("p", null, this.called(said))),
      told.note ? h("p.help", null, told.note) : null,
      told.judged ? h("p.help", null, told.judged) : null,
    );
    const sheet = dialog(
      t("analysis"),
      [
        h("p.headline", null, this.called(told.headline)),
        told.rough ? h("p.rough", null, h("small", null, told.rough)) : "",
        this.onPaper(),
        found.decisive.choices.length ? h("h3", null, t("analysis.decisions")) : "",
        listed(found.decisive.choices, told.decisive.choices),
        found.decisive.throws.length ? h("h3", null, t("analysis.throws")) : "",
        listed(found.decisive.throws, told.decisive.throws),
        told.strengths.length ? h("h3", null, t("analysis.strength")) : "",
        told.strengths.map((said) => h("p", null, this.called(said))),
        this.likeRungs(),
        told.dice.length ? h("h3", null, t("dice.stats")) : "",
        told.dice.map((dice) => diceTable({ ...dice, of: this.called(dice.of) })),
        sums,
        h(
          "div.actions",
          null,
          h(
            "a.button.secondary",
            { href: `${this.path}/file`, download: "" },
            icon("file"),
            t("analysis.file"),
          ),
          h("button.secondary", { type: "button", onclick: () => this.savePicture() }, t("analysis.picture")),
          h("button.secondary", { type: "button", onclick: () => print() }, t("analysis.print")),
          h("a.button.secondary", { href: "/mine", "data-go": "" }, t("myplay")),
          h("a.button.secondary", { href: `/explore/${table.title}`, "data-go": "" }, t("explore")),
        ),
      ].flat(),
      ".analysed",
    );
    unfolded(sheet, /** @type {HTMLDetailsElement} */ (sums));
  }

  /** How often each seat chose what each rung of the ladder would have chosen. */
  likeRungs() {
    const counted = this.made?.found?.seats ?? [];
    const names = Object.keys(counted[0]?.rungs ?? {});
    const seats = this.model.table?.seats ?? [];
    if (!names.length) return [];
    return [
      h("h3", null, t("analysis.rungs")),
      h(
        "table.rungs",
        null,
        h(
          "tr",
          null,
          h("th"),
          names.map((name) => h("th", { scope: "col" }, botName(name))),
        ),
        counted.map(({ rungs = {}, decisions }, seat) =>
          h(
            "tr",
            null,
            h("th", { scope: "row" }, seats[seat] ? capital(this.who(seats[seat])) : ""),
            names.map((name) =>
              h(
                "td",
                null,
                decisions ? fillIn("{n} %", { n: Math.round((100 * rungs[name]) / decisions) }) : "–",
              ),
            ),
          ),
        ),
      ),
    ];
  }

  picture() {
    const names = (this.model.table?.seats ?? []).map(seatName);
    const rows = this.made?.found?.rows ?? [];
    return curvePicture(rows, this.model.entry, names, (kind) => t(`analysis.mark.${kind}`));
  }

  /** The curve as it is printed: on the screen it stands above. */
  onPaper() {
    const drawn = new DOMParser().parseFromString(this.picture(), "image/svg+xml").documentElement;
    return h("div.onpaper", { "aria-hidden": "true" }, document.importNode(drawn, true));
  }

  /** The curve as a file of its own. */
  savePicture() {
    const table = this.model.table;
    if (!table) return;
    const url = URL.createObjectURL(new Blob([this.picture()], { type: "image/svg+xml" }));
    const link = h("a", { href: url, download: `${table.title}-${table.id}.svg` });
    link.click();
    setTimeout(() => URL.revokeObjectURL(url), 1000);
  }
}

/**
 * On paper nothing is folded away.
 * @param {HTMLDialogElement} sheet @param {HTMLDetailsElement} fold
 */
function unfolded(sheet, fold) {
  const paper = matchMedia("print");
  let open = fold.open;
  const change = () => {
    if (paper.matches) open = fold.open;
    fold.open = paper.matches || open;
  };
  paper.addEventListener("change", change);
  sheet.addEventListener("close", () => paper.removeEventListener("change", change));
}

/** No line ends with what belongs to the next one. @param {string[]} plan */
const planSaid = (plan) => plan.map((one) => one.replaceAll(": ", ":\u00a0")).join(" ·\u00a0") || "…";

/** @param {string} text */
const capital = (text) => text.charAt(0).toUpperCase() + text.slice(1);

/** @param {number} value */
const signed = (value) => (value > 0 ? "+" : "") + fillIn("{n}", { n: points(value) }).replace("-", "−");

/** Who of the ladder would have chosen an option. @param {Step} row @param {number} k */
const rungsAt = (row, k) => Object.keys(row.rungs ?? {}).filter((name) => row.rungs?.[name] === k);

/** @param {Dice} dice */
const diceTable = ({ of, called, outcomes }) =>
  h(
    "table.dice",
    null,
    h("caption", null, of ? `${called} (${of})` : called),
    outcomes.map(([text, count, expected]) =>
      h(
        "tr",
        null,
        h("th", { scope: "row" }, text),
        h("td", null, `${count} `, h("small", null, fillIn("({n})", { n: expected }))),
      ),
    ),
  );
