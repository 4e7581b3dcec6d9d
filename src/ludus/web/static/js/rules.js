/** A rulebook: the page is there already; this adds drawn pieces, boards to step through and a search. */

import { get } from "./api.js";
import { fillWith, h, icon } from "./dom.js";
import { addIcons } from "./icons.js";
import { stillTable } from "./match/still.js";
import { apply, setting } from "./settings.js";
import { drawingOf, prepare } from "./titles/index.js";
import { fillIn, LANGUAGES, loadTitle, loadWords, speakFor, spoken, t } from "./words.js";

/** @typedef {import("./words.js").Title} Title */
/** @typedef {{view: any, said: string, rule: string, rows: any[]}} Moment */
/** @typedef {{scene: string, title: string, seats: string[], options: Record<string, any>,
 *   moments: Moment[]}} Example */

apply();
addIcons();
const main = /** @type {HTMLElement} */ (document.getElementById("main"));
const name = main.dataset.title ?? "";
const form = /** @type {HTMLFormElement | null} */ (document.querySelector(".booksearch"));
const stepText = form?.dataset.step ?? "";

/** The language that was chosen here counts where the address names none. */
function respeak() {
  const page = document.documentElement.dataset.tongue ?? "";
  const chosen = setting("lang", page.slice(0, 2)) + (setting("places") === "latin" ? "-la" : "");
  if (!(chosen.slice(0, 2) in LANGUAGES)) return false;
  if (new URLSearchParams(location.search).has("lang") || chosen === page) return false;
  location.replace(`${location.pathname}?lang=${chosen}${location.hash}`);
  return true;
}

// -- the search ---------------------------------------------------------------------------------------------

const MOST = 12; // hits that are shown

/** Without accents and capitals. @param {string} text */
const plain = (text) => text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();

/** What something says; its parts apart, and without the marks beside it. @param {Element | null} el */
function words(el) {
  const copy = /** @type {Element | undefined} */ (el?.cloneNode(true));
  for (const mark of copy?.querySelectorAll(".origin, [data-piece]") ?? []) mark.remove();
  for (const part of copy?.querySelectorAll("p, li, dt, dd, small, div") ?? []) part.prepend(" ");
  return (copy?.textContent ?? "").replace(/\s+/g, " ").trim();
}

// What a chapter says besides its rules, pieces and examples, which are found by themselves.
const SAID =
  ":scope > p, :scope > ul:not(.booklist, .bookpieces, .bookorigins) > li, :scope > .bookoptions > div";

/**
 * What is found: what a hit is called, what it says, and all in which words are looked for.
 * @param {HTMLElement} el @returns {{id: string, head: string, body: string, name: string, text: string}[]}
 */
function told(el) {
  const text = (/** @type {string} */ of) => words(el.querySelector(of));
  const place = (/** @type {string} */ head, /** @type {string} */ body, more = "") => ({
    id: el.id,
    head,
    body,
    name: plain(head),
    text: plain(`${head} ${body} ${more}`),
  });
  if (el.dataset.find === "rule") return [place(el.id, text("dd"))];
  if (el.dataset.find === "example") return [place(text("figcaption b"), text(".shows"))];
  if (el.dataset.find !== "chapter") return [place(text("b"), text("p"), text("small"))];
  const head = text("h2");
  const said = [.../** @type {NodeListOf<HTMLElement>} */ (el.querySelectorAll(SAID))];
  const lines = said.map((line, k) => {
    line.id ||= `${el.id}-${k + 1}`;
    const body = words(line);
    return { id: line.id, head, body, name: "", text: plain(body) };
  });
  return [place(head, ""), ...lines];
}

/** @param {HTMLFormElement} form */
function search(form) {
  const input = /** @type {HTMLInputElement} */ (document.getElementById("find"));
  const list = /** @type {HTMLElement} */ (document.getElementById("found"));
  const places = [.../** @type {NodeListOf<HTMLElement>} */ (main.querySelectorAll("[data-find]"))].flatMap(
    told,
  );
  form.hidden = false;
  const look = () => {
    const what = plain(input.value.trim());
    const parts = what.split(/\s+/);
    const hits = what ? places.filter(({ text }) => parts.every((part) => text.includes(part))) : [];
    // What is called so comes before what speaks of it.
    const rank = (/** @type {{name: string}} */ place) =>
      place.name === what ? 0 : place.name.startsWith(what) ? 1 : place.name.includes(what) ? 2 : 3;
    const best = hits
      .map((hit) => ({ ...hit, rank: rank(hit) }))
      .sort((a, b) => a.rank - b.rank)
      .slice(0, MOST);
    fillWith(
      list,
      best.map(({ id, head, body }) =>
        h("li", null, h("a", { href: `#${id}` }, h("b", null, head), " ", h("span", null, body))),
      ),
      what && !best.length
        ? h("li", null, fillIn(form.dataset.nothing ?? "", { what: input.value.trim() }))
        : null,
    );
  };
  input.addEventListener("input", look);
  list.addEventListener("click", (e) => {
    if (!(e.target instanceof Element) || !e.target.closest("a")) return;
    input.value = "";
    look();
    setTimeout(goThere); // also where the address points there already
  });
  form.addEventListener("submit", (e) => {
    e.preventDefault();
    /** @type {HTMLElement | null} */ (list.querySelector("a"))?.click();
  });
  document.getElementById("print")?.addEventListener("click", () => window.print());
}

// -- what is folded -----------------------------------------------------------------------------------------

/** Where the address points to, and what it lies in is unfolded. */
function goThere() {
  const there = document.getElementById(decodeURIComponent(location.hash.slice(1)));
  if (!there) return;
  there.closest("details")?.setAttribute("open", "");
  there.scrollIntoView();
}

/** Who reads on is not stopped by long lists; on paper everything is there. */
function fold() {
  const folded = [...main.querySelectorAll("details")];
  for (const one of folded) one.open = false;
  addEventListener("beforeprint", () => folded.forEach((one) => (one.open = true)));
  addEventListener("hashchange", goThere);
}

// -- pieces -------------------------------------------------------------------------------------------------

/** A title draws its pieces in `web/rulebook.js`: `piece(id, title)` is an element, or null. */
async function drawPieces() {
  const places = /** @type {NodeListOf<HTMLElement>} */ (main.querySelectorAll("[data-piece]"));
  const script = main.dataset.pieces;
  if (!places.length || !script) return;
  const title = await loadTitle(name);
  if (title.drawing) await prepare(name);
  speakFor(title);
  const { piece } = await import(script);
  for (const place of places) {
    const drawn = piece(place.dataset.piece, title);
    if (drawn) place.replaceChildren(drawn);
  }
}

// -- examples -----------------------------------------------------------------------------------------------

class Board {
  /** @param {Example} example @param {Title} title @param {string} caption */
  constructor(example, title, caption) {
    this.example = example;
    this.title = title;
    this.at = 0;
    /** @type {import("./titles/index.js").Drawing | null} */
    this.drawing = null;
    /** @param {string} name @param {string} label @param {() => void} work */
    const button = (name, label, work) =>
      h("button.round", { type: "button", "aria-label": label, title: label, onclick: work }, icon(name));
    this.prev = button("prev", t("replay.prev"), () => this.go(this.at - 1));
    this.next = button("next", t("replay.next"), () => this.go(this.at + 1));
    this.count = h("output.count");
    this.said = h("p.booksaid", { "aria-live": "polite" });
    this.stage = h("div.stage");
    this.el = /** @type {HTMLDialogElement} */ (
      h(
        "dialog.bookboard",
        { "aria-label": caption },
        h(
          "header",
          null,
          h("p", null, caption),
          button("close", t("close"), () => this.el.close()),
        ),
        h(
          "div.matchpage",
          { "data-title": example.title },
          h("div.table", null, h("div.board", { tabindex: -1 }, this.stage)),
        ),
        h("footer", null, this.prev, this.said, this.count, this.next),
      )
    );
    this.el.addEventListener("close", () => this.el.remove());
    this.el.addEventListener("keydown", (e) => {
      if (e.key === "ArrowRight") this.go(this.at + 1);
      else if (e.key === "ArrowLeft") this.go(this.at - 1);
    });
  }

  /** What a drawing is told of the table: who sits there, and nothing that happens by itself. */
  get table() {
    const { title, options, seats, moments } = this.example;
    const entries = moments.flatMap(({ rows }) => rows).length;
    return stillTable(title, options, seats, { entries });
  }

  async open() {
    document.body.append(this.el);
    this.el.showModal();
    const { title, moments } = this.example;
    this.drawing = await drawingOf(title, this.title, moments[0].view);
    fillWith(this.stage, this.drawing.root);
    const { Zoom } = await import("./match/zoom.js");
    const zoom = new Zoom(/** @type {HTMLElement} */ (this.stage.parentElement), this.stage, {
      drags: () => false,
      grabbed: () => undefined,
    });
    zoom.take(this.drawing);
    if (this.drawing.map) zoom.choose(1); // wherever something happens, it is seen
    this.el.addEventListener("close", () => zoom.close());
    this.go(0);
    this.next.focus();
  }

  /** @param {number} to */
  go(to) {
    const { moments } = this.example;
    const last = moments.length - 1;
    if (to < 0 || to > last || !this.drawing) return;
    const on = to === this.at + 1;
    this.at = to;
    const { view, said, rule, rows } = moments[to];
    // A step on is shown moving; any other moment is simply there.
    this.drawing.update(view, { table: this.table, rows: on ? rows : [], passed: on ? [] : rows });
    fillWith(
      this.said,
      said || (to ? "…" : t("replay.start")),
      " ",
      rule
        ? h("a.rulelink", { href: `#${rule}`, onclick: () => this.el.close() }, /\d/.test(rule) ? rule : "§")
        : null,
    );
    this.count.textContent = fillIn(stepText, { n: to, last });
    this.prev.toggleAttribute("disabled", to === 0);
    this.next.toggleAttribute("disabled", to === last);
    this.el.dataset.at = String(to);
    this.el.dataset.last = String(last);
  }
}

function examples() {
  for (const figure of /** @type {NodeListOf<HTMLElement>} */ (main.querySelectorAll("[data-example]"))) {
    const button = /** @type {HTMLButtonElement} */ (figure.querySelector("button"));
    button.hidden = false;
    button.addEventListener("click", async () => {
      button.disabled = true;
      try {
        const [title, example] = await Promise.all([
          loadTitle(name),
          get(spoken(`/api/titles/${name}/examples/${figure.dataset.example}`)),
        ]);
        const caption = figure.querySelector(".shows")?.textContent ?? "";
        await new Board(example, title, caption).open();
      } catch {
        button.after(h("p.problem", { role: "alert" }, t("offline")));
      }
      button.disabled = false;
    });
  }
}

if (!respeak()) {
  await loadWords();
  if (form) {
    search(form);
    fold();
    goThere();
    examples();
    await drawPieces();
    goThere(); // what stands above may have grown
  }
}
