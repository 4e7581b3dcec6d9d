/**
 * The log: what was told, by rounds and turns, which fold; on top a digest of what the others did last.
 */

import { fillWith, h } from "../dom.js";
import { t } from "../words.js";
import { repeated } from "./bar.js";
import { houseLine, nameThen } from "./house.js";

/** @typedef {import("./model.js").Model} Model */
/** @typedef {import("./model.js").Row} Row */

const OPEN = 2; // so many rounds are open unless somebody has folded them
const MOST = 6; // sentences of a digest

/**
 * What the others did since my last turn, in the sentences that the title thinks worth it; for who only
 * watches, the last turn.
 * @param {Row[]} rows in order @param {number[]} yours @returns {string[]}
 */
export function digestOf(rows, yours) {
  const stand = rows.filter((row) => row.stands && row.who !== "house");
  const seatOf = (/** @type {Row} */ row) => row.turn ?? (typeof row.who === "number" ? row.who : null);
  const mine = (/** @type {Row} */ row) => yours.includes(seatOf(row) ?? -1);
  let end = stand.findLastIndex((row) => seatOf(row) !== null && !mine(row));
  if (end < 0) return [];
  const last = seatOf(stand[end]);
  let begin = end;
  while (end + 1 < stand.length && seatOf(stand[end + 1]) === null) end++; // dice that decide for all
  const others = (/** @type {Row} */ row) =>
    yours.length ? !mine(row) : seatOf(row) === last || seatOf(row) === null;
  while (begin > 0 && others(stand[begin - 1])) begin--;
  const told = stand.slice(begin, end + 1);
  const news = told.flatMap((row) => row.news ?? []);
  return (news.length ? folded(news) : told.flatMap((row) => row.log).slice(-3)).slice(-MOST);
}

/** What is said several times in a row is said once, as in the log. @param {string[]} said */
function folded(said) {
  /** @type {[string, number][]} */
  const found = [];
  for (const one of said) {
    const last = found[found.length - 1];
    if (last?.[0] === one) last[1]++;
    else found.push([one, 1]);
  }
  return found.map(([one, times]) => repeated(one, times));
}

export class Log {
  /** @param {Model} model @param {{moment: (n: number) => void, earlier: () => void}} on */
  constructor(model, on) {
    this.model = model;
    this.on = on;
    this.digest = h("section.digest", { hidden: true, "aria-label": t("log.digest") });
    this.earlier = h("button.small", { type: "button", hidden: true, onclick: on.earlier }, t("log.earlier"));
    this.list = h("ol.log", { "aria-label": t("log") });
    /** @type {Map<string, boolean>} what somebody has folded or unfolded, by its first entry */
    this.wished = new Map();
    /** @type {HTMLDetailsElement[]} */
    this.rounds = [];
    /** @type {number} */
    this.round = -1;
    /** @type {number | null} whose turn is told */
    this.seat = null;
    this.name = ""; // how that seat was called then
    /** @type {Element} where lines are written */
    this.to = this.list;
    /** @type {Element} where turns are written */
    this.turns = this.list;
    this.heading = ""; // of the turn that begins next
    /** @type {HTMLElement[]} its first lines */
    this.first = [];
  }

  /** Nothing is told yet. */
  begin() {
    this.rounds = [];
    this.round = -1;
    this.seat = null;
    this.turns = this.to = fillWith(this.list);
    this.heading = "";
    this.first = [];
  }

  /** Write it anew. @param {Row[]} rows in order */
  fill(rows) {
    this.begin();
    for (const row of rows) this.add(row);
    this.earlier.hidden = !rows.length || rows[0].n <= 1;
    this.fold();
  }

  /** @param {Row[]} rows what was told next */
  append(rows) {
    for (const row of rows) this.add(row);
    this.fold();
  }

  /** @param {Row} row */
  add(row) {
    const lines = this.lines(row);
    const next = lines.splice(lines.length - (row.after ?? 0));
    if (row.who !== "house" && lines.length) this.place(row);
    for (const line of lines) this.put(line);
    this.to.append(...next); // until that turn is there, and for good if there is none
    if (!row.heading) return;
    this.heading = row.heading;
    this.first = next;
  }

  /** Write a line; what is said again and again is written once and counted. @param {HTMLElement} line */
  put(line) {
    const last = /** @type {HTMLElement | null} */ (this.to.lastElementChild);
    const same = last?.className === line.className && last.dataset.said === line.dataset.said;
    if (!last || !same || !line.dataset.said) {
      this.to.append(line);
      return;
    }
    const times = Number(last.dataset.times ?? 1) + 1;
    last.dataset.times = String(times);
    last.querySelector(".times")?.remove();
    last.firstElementChild?.append(h("span.times", null, ` × ${times}`));
  }

  /** Begin the round and the turn of a row, if it is the first of it. @param {Row} row */
  place(row) {
    const { n, who, turn, round = 0 } = row;
    if (round && round !== this.round) {
      this.round = round;
      this.seat = null;
      this.turns = this.to = h("ol");
      const el = this.group(`r${n}`, "round", t("log.round", { n: round }), this.turns);
      this.list.append(el);
      this.rounds.push(/** @type {HTMLDetailsElement} */ (el.firstElementChild));
    }
    const seat = turn === undefined && typeof who === "number" ? who : (turn ?? null);
    const name = seat === null ? "" : nameThen(row, seat, this.model.table);
    if (seat === null || (seat === this.seat && name === this.name && !this.heading)) return;
    this.seat = seat;
    this.name = name;
    for (const line of this.first) line.className = `seat${seat}`; // what the end of a turn began is no part of it
    this.to = h("ol", null, this.first);
    this.first = [];
    const title = this.round > 0 ? name : this.heading || name; // what is in a round need not say which
    this.turns.append(this.group(`t${n}`, `turn.seat${seat}`, title, this.to));
    this.heading = "";
  }

  /** @param {string} key @param {string} kind @param {string} title @param {Element} inside */
  group(key, kind, title, inside) {
    const fold = /** @type {HTMLDetailsElement} */ (
      h("details", { open: this.wished.get(key) ?? true }, h("summary", null, title), inside)
    );
    fold.firstElementChild?.addEventListener("click", () => this.wished.set(key, !fold.open));
    return h(`li.${kind}`, { "data-key": key }, fold);
  }

  /** Earlier rounds are folded, unless somebody wants to read them. */
  fold() {
    for (const el of this.rounds.slice(0, -OPEN))
      if (!this.wished.has(el.parentElement?.dataset.key ?? "")) el.open = false;
  }

  /** @param {Row} row @returns {HTMLElement[]} */
  lines(row) {
    const said = row.who === "house" ? [houseLine(row, this.model.table)] : row.log;
    const mine = typeof row.who === "number" ? `.seat${row.who}` : `.${row.who}`;
    return said
      .filter(Boolean)
      .map((line) =>
        h(
          `li${mine}`,
          { "data-n": row.n, "data-said": line },
          h(
            "button.line",
            { type: "button", title: t("log.moment"), onclick: () => this.on.moment(row.n) },
            line,
          ),
        ),
      );
  }

  /** What the others did last. @param {string[]} sentences */
  sum(sentences) {
    this.digest.hidden = !sentences.length;
    fillWith(
      this.digest,
      h("h3", null, t("log.digest")),
      sentences.map((sentence) => h("p", null, sentence)),
    );
  }

  /** @param {number | null} n */
  mark(n) {
    for (const li of this.list.querySelectorAll(".now")) li.classList.remove("now");
    if (n === null) return;
    const found = [...this.list.querySelectorAll("[data-n]")]
      .filter((li) => Number(/** @type {HTMLElement} */ (li).dataset.n) <= n)
      .pop();
    for (let el = found?.closest("details"); el; el = el.parentElement?.closest("details")) el.open = true;
    found?.classList.add("now");
    found?.scrollIntoView({ block: "nearest" });
  }
}
