/**
 * What two seats can trade by the rules: a captive general, perhaps another for him, talents of one of them.
 * Asked in a form; what is possible the rules say, step by step.
 */

import { fillWith, h } from "/js/dom.js";
import { speak } from "/js/words.js";

/** @typedef {import("/js/match/model.js").Choice} Choice */
/** @typedef {import("./table.js").ConquestTable} ConquestTable */

const FIVE = 5; // talents are named in fives

/** All that a choice stands for. @param {Choice} choice */
const actionsOf = (choice) => choice.actions ?? [choice.action];

/** The offer that a choice begins: "ransom 2", "release 2", "counter"; else "". @param {Choice} choice */
export function opening(choice) {
  const last = actionsOf(choice).slice(-1)[0];
  return /^(?:ransom \d+|release \d+|counter)$/.test(last) ? last : "";
}

export class Bargain {
  /** @param {ConquestTable} table @param {Choice[]} openings @param {string} first the one to begin with */
  constructor(table, openings, first) {
    this.table = table;
    this.openings = openings;
    /** @type {string[]} what is offered so far; none: nothing */
    this.said = [];
    this.asked = 0;
    this.asking = Promise.resolve();
    this.must = openings.some((choice) => opening(choice) === "counter");
    this.wished = -1; // who is to pay, until that was asked
    this.what = this.select("what", "deal.what", () => this.begin());
    this.back = this.select("back", "deal.back", () => this.renew());
    this.payer = this.select("payer", "deal.payer", () => this.renew());
    this.talents = /** @type {HTMLInputElement} */ (
      h("input.talents", { type: "number", step: FIVE, "aria-label": speak("deal.talents") })
    );
    this.talents.addEventListener("change", () => this.renew());
    this.terms = h(
      "div.terms",
      { hidden: true },
      h("label", null, speak("deal.back"), this.back),
      h("label", null, speak("deal.payer"), this.payer),
      h("label", null, speak("deal.talents"), this.talents),
    );
    this.sum = h("div.sum", { "aria-live": "polite" });
    const options = openings.map((choice, k) => [String(k), this.general(opening(choice))]);
    fill(this.what, this.must ? options : [["", speak("deal.no_captive")], ...options]);
    const begun = openings.findIndex((choice) => opening(choice) === first);
    if (begun >= 0) this.what.value = String(begun);
    this.el = h("div.bargains", null, h("label", null, speak("deal.what"), this.what), this.terms, this.sum);
    this.begin();
  }

  /**
   * Whose general an action is about, in words that a narrow field has room for.
   * @param {string} action
   */
  general(action) {
    const [kind, seat] = action.split(" ");
    const offer = kind === "counter" ? this.table.board.offer : null;
    const onTable = offer?.kind === "release" ? offer.gives : offer?.gets;
    const owner = onTable ?? (kind === "ransom" ? this.table.us : Number(seat));
    return speak("deal.general", { name: this.table.seat(owner) });
  }

  /** What is offered, once the rules have answered. */
  async actions() {
    await this.asking;
    return this.said;
  }

  /** Something else is named. */
  renew() {
    this.asking = this.ask();
  }

  /** @param {string} name @param {string} label @param {() => void} onchange */
  select(name, label, onchange) {
    return /** @type {HTMLSelectElement} */ (h(`select.${name}`, { "aria-label": speak(label), onchange }));
  }

  /** Another offer begins, without terms; or a counter-offer, with those that are on the table. */
  begin() {
    const offered = this.must ? this.table.board.offer : null;
    this.back.replaceChildren();
    this.payer.replaceChildren();
    this.talents.value = offered ? String(offered.talents) : "";
    this.wished = offered?.payer ?? -1;
    this.renew();
  }

  /** What the rules let be named, given what is named already. */
  async ask() {
    const mine = ++this.asked;
    const chosen = this.openings[Number(this.what.value || -1)];
    this.terms.hidden = !chosen;
    this.said = [];
    if (!chosen) {
      fillWith(this.sum);
      return;
    }
    const said = [...actionsOf(chosen)];
    let after = await this.after(said);
    const captives = after.legal.filter((choice) => choice.action.startsWith("exchange "));
    fill(this.back, [
      ["", speak("deal.no_captive")],
      ...captives.map((choice) => [choice.action, this.general(choice.action)]),
    ]);
    if (this.back.value) {
      said.push(this.back.value);
      after = await this.after(said);
    }
    const payer = after.view?.board.offer?.payer ?? 0;
    const { active, partner } = this.parties(after.view);
    const other = payer === active ? partner : active;
    const turns = after.legal.some((choice) => choice.action === "reverse");
    fill(this.payer, [["", this.table.seat(payer)], ...(turns ? [["reverse", this.table.seat(other)]] : [])]);
    if (turns && this.wished === other) this.payer.value = "reverse";
    this.wished = -1;
    if (this.payer.value) {
      said.push("reverse");
      after = await this.after(said);
    }
    const fives = after.legal
      .filter((choice) => choice.action.startsWith("amount "))
      .map((choice) => Number(choice.action.slice(7)));
    const [least, most] = [Math.min(...fives), Math.max(...fives)];
    const wanted = Math.round(Number(this.talents.value) / FIVE);
    const named = Math.max(least, Math.min(most, wanted));
    if (mine !== this.asked) return;
    this.talents.min = String(least * FIVE);
    this.talents.max = String(most * FIVE);
    const typing = document.activeElement === this.talents && this.talents.value;
    if (!typing) this.talents.value = String(named * FIVE);
    said.push(`amount ${named}`);
    after = await this.after(said);
    if (mine !== this.asked) return;
    this.said = said;
    fillWith(this.sum, after.view ? this.table.tray.shares(after.view) : null);
  }

  /** @param {import("./view.d.ts").View | null} view */
  parties(view) {
    return { active: view?.board.active ?? 0, partner: view?.board.offer?.partner ?? 0 };
  }

  /** @param {string[]} actions */
  async after(actions) {
    const found = await this.table.desk?.whatIf(actions);
    return found?.ok
      ? { legal: found.legal, view: found.view }
      : { legal: /** @type {Choice[]} */ ([]), view: null };
  }
}

/** Other options, and what was chosen stays if it is still there. @param {HTMLSelectElement} el
 * @param {string[][]} options */
function fill(el, options) {
  const before = el.value;
  fillWith(
    el,
    options.map(([value, text]) => h("option", { value }, text)),
  );
  el.value = options.some(([value]) => value === before) ? before : options[0][0];
  el.disabled = options.length < 2;
}
