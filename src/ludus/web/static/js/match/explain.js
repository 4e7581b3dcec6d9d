/**
 * Every piece explains itself: what it is (the drawing tells), what can be done with it now (the choices
 * tell), which rules speak of it (`pieces.toml` of the title).  Asked by pointing, by holding, by the key `?`
 * and by the button `?`, after which the next touch asks.
 */

import { h, icon } from "../dom.js";
import { remember, setting } from "../settings.js";
import { fillIn, rulesOf, t } from "../words.js";
import { capital, nameOf } from "./bar.js";
import { thing } from "./hands.js";
import { choicesUnder } from "./trie.js";

/** @typedef {import("./prompt.js").Prompt} Prompt */
/** @typedef {import("../words.js").Title} Title */
/** @typedef {{title: string, lines: (string | Node)[], quotes?: boolean}} Told */

const MOST = 3; // choices and rules that are told in full
const LONG = 480; // milliseconds before a press becomes a question

/**
 * The rules that speak of a piece: those of its own name, else of its kind (core/pieces.py does the same).
 * @param {Title} title @param {string} piece @returns {string[]}
 */
export function rulesAbout(title, piece) {
  const at = piece.indexOf(":");
  const [kind, name] = at < 0 ? [piece, ""] : [piece.slice(0, at), piece.slice(at + 1)];
  const plain = name.replace(/^\d+ /, "").split("@")[0];
  const names = [piece, `${kind}:${plain}`, kind, kind.replace(/\d+$/, "")];
  return names.map((one) => title.pieces[one]).find(Boolean) ?? [];
}

/**
 * A rule by its number, with a way to the rulebook that leaves the table open.
 * @param {Title} title @param {string} name of the title @param {string} rule
 */
function chip(title, name, rule) {
  const says = fillIn(title.words[`rule.${rule}`] ?? "");
  return h(
    "a.rule",
    { href: rulesOf(name, rule), target: "_blank", title: says, "aria-label": `${rule}: ${says}` },
    /\d/.test(rule) ? rule : t("rules"), // one without a number has no name that says anything
  );
}

/**
 * What a piece is, what it does now, which rules speak of it; null where there is nothing to say.
 * @param {Prompt} prompt @param {HTMLElement} el @param {boolean} lasting then it is asked why not
 * @returns {Told | null}
 */
export function explanationOf(prompt, el, lasting) {
  const { title, titleName } = prompt.session;
  const { drawing } = prompt.stage;
  if (!title || !drawing) return null;
  const info = el.dataset.info ?? el.closest("[data-info]")?.getAttribute("data-info") ?? "";
  const touch = touchOf(prompt, el);
  const told = (info && drawing.info?.(info)) || null;
  const piece = told || !touch ? info : touch;
  if (!piece) return null;
  const rules = rulesAbout(title, piece.startsWith("amount") ? (prompt.hands.path.at(-1) ?? piece) : piece);
  const numbers = rules.length || !touch ? rules : rulesAbout(title, touch);
  const name = touch ? nameOf(touch, title, drawing) : "";
  const now = touch ? nowLine(prompt, touch, lasting, el.dataset.also ?? "") : null;
  const lines = [...(told?.lines ?? []), ...(now ? [now] : [])];
  if (!told || told.quotes)
    for (const rule of numbers.slice(0, MOST - 1))
      lines.push(h("span.quoted", null, fillIn(title.words[`rule.${rule}`] ?? "")));
  if (numbers.length)
    lines.push(
      h(
        "span.rules",
        null,
        h("small", null, t("explain.rules")),
        numbers.map((rule) => [" ", chip(title, titleName, rule)]).flat(),
      ),
    );
  const pressed = touch?.startsWith("button:") ? el.textContent?.trim() : ""; // a button is called what stands on it
  const heading =
    pressed || told?.title || capital(name) || el.getAttribute("aria-label") || el.textContent || "";
  return lines.length ? { title: heading, lines } : null;
}

/** What an element stands for when it is touched. @param {Prompt} prompt @param {HTMLElement} el */
function touchOf(prompt, el) {
  if (el.closest(".stepper")) return "amount:";
  return el.dataset.touch || el.dataset.also ? (prompt.hands.idOf(el) ?? "") : "";
}

/**
 * What can be done with it at this moment, or why nothing.
 * @param {Prompt} prompt @param {string} touch @param {boolean} lasting
 * @param {string} also what it stands for once something else is touched
 * @returns {Node | null}
 */
function nowLine(prompt, touch, lasting, also) {
  const { hands, session } = prompt;
  const { opened: model, title, titleName } = session;
  if (!model || model.acting === null || hands.busy || touch === "amount:") return null;
  const node = hands.node.next.get(touch) ?? hands.root.next.get(touch);
  /** @param {import("./model.js").Choice[]} choices */
  const told = (choices) => {
    const can = [...new Set(choices.map(({ say }) => capital(say)))];
    const more = can.length > MOST ? ` ${t("explain.more", { n: can.length - MOST })}` : "";
    return [h("b", null, t("explain.now")), ` ${can.slice(0, MOST).join(" · ")}${more}`];
  };
  if (node) return h("span.now", null, told(choicesUnder(node)));
  if (!lasting || prompt.on.past() || prompt.stage.showing || hands.path.includes(touch)) return null;
  const el = h("span.now");
  model.whyNot([...hands.path, touch]).then((answer) => {
    const why = answer.because || fillIn(title?.words[`rule.${answer.rule}`] ?? "");
    if (!why || !title || answer.no_reason === "prompt") return; // that stands on the page already
    if (answer.no_reason) {
      // This very piece may be part of what a learner is to do.
      const wanted = choicesUnder(hands.root).filter(({ touches }) =>
        [touch, also].some((one) => touches.includes(one)),
      );
      el.append(...(wanted.length ? told(wanted) : [why]));
      return;
    }
    el.append(h("b", null, t("explain.notnow")), " ", why);
    if (answer.rule) el.append(" ", chip(title, titleName, answer.rule));
    if (answer.instead) el.append(h("span.instead", null, answer.instead));
  });
  return el;
}

/** Asking by hand: the button `?`, holding a button of the bar, the key `?`, and the line that says so. */
export class Asking {
  /** @param {Prompt} prompt @param {HTMLElement} table board and bar */
  constructor(prompt, table) {
    this.prompt = prompt;
    this.table = table;
    this.held = 0; // the timer of a button that is held
    this.button = h(
      "button.round.ask",
      {
        type: "button",
        "aria-label": t("explain.ask"),
        title: `${t("explain.ask")} (?)`,
        "aria-pressed": "false",
        onclick: () => this.ask(!this.asks),
      },
      icon("help"),
    );
    const bar = prompt.bar.el;
    bar.addEventListener("pointerdown", (e) => this.hold(e));
    for (const name of ["pointerup", "pointercancel", "pointerleave"])
      bar.addEventListener(name, () => clearTimeout(this.held));
    bar.addEventListener("contextmenu", (e) => {
      if (!this.explain(e.target)) return;
      e.preventDefault();
    });
    for (const name of ["pointerdown", "pointerup", "click"])
      table.addEventListener(name, (e) => this.heard(/** @type {PointerEvent} */ (e)), true);
  }

  get asks() {
    return this.button.getAttribute("aria-pressed") === "true";
  }

  /** From now on the next touch asks, or no longer. @param {boolean} on */
  ask(on) {
    this.button.setAttribute("aria-pressed", String(on));
    this.table.classList.toggle("asking", on);
    this.prompt.bar.tell(on ? t(coarse() ? "explain.touch" : "explain.click") : this.prompt.news, true);
  }

  /** While somebody asks, a touch is a question and plays nothing. @param {PointerEvent} e */
  heard(e) {
    if (this.swallow && e.type === "click") {
      this.swallow = false;
      e.stopPropagation();
      e.preventDefault();
      return;
    }
    if (!this.asks || !pieceAt(e.target)) return;
    e.stopPropagation();
    if (e.type !== "click") return;
    e.preventDefault();
    this.ask(false);
    if (!this.explain(e.target)) this.prompt.bar.tell(t("explain.nothing"), true);
  }

  /** @param {PointerEvent} e */
  hold(e) {
    clearTimeout(this.held);
    this.swallow = false;
    if (e.button !== 0 || !pieceAt(e.target)) return;
    this.held = window.setTimeout(() => {
      this.swallow = true; // whoever holds a button asks: it does nothing, whatever there is to tell
      if (!this.explain(e.target)) this.prompt.bar.tell(t("explain.nothing"), true);
    }, LONG);
  }

  /**
   * Open the sheet of a piece; whether it has one.
   * @param {EventTarget | null} target @param {boolean} [focus] for somebody at the keyboard
   */
  explain(target, focus = false) {
    const el = pieceAt(target);
    if (!el || !this.table.contains(el)) return false;
    const told = explanationOf(this.prompt, el, true);
    if (!told) return false;
    this.prompt.info.show(el, told, true, focus);
    return true;
  }

  /** What the key `?` asks about: what has the focus, else what the pointer is on. */
  explainHere() {
    const focused = document.activeElement;
    if (focused && pieceAt(focused) && this.explain(focused, true)) return true;
    const under = [...this.table.querySelectorAll(":hover")].at(-1) ?? null;
    return this.explain(under, true);
  }

  /** Once it is said under the button that pieces can be asked, until something is touched. */
  invite() {
    if (Number(setting("explain.told", 0))) return;
    remember("explain.told", 1);
    const says = h("p.askhint", { role: "status" }, t(coarse() ? "explain.hold" : "explain.point"));
    this.button.after(says);
    for (const name of ["pointerdown", "keydown"])
      addEventListener(name, () => says.remove(), { once: true, capture: true });
  }
}

/** @param {EventTarget | null} target @returns {HTMLElement | null} */
function pieceAt(target) {
  if (!(target instanceof Element)) return null;
  return thing(target) ?? /** @type {HTMLElement | null} */ (target.closest(".stepper"));
}

const coarse = () => matchMedia("(pointer: coarse)").matches;
