/**
 * Hints at tables against bots, and at those that allow them: what a bot would do, and why.  After a lesson
 * they come by themselves at the first turns, ever more rarely; else from the menu or by the key H.
 * Threats: what the others could do after my turn.
 */

import { remember, setting } from "../settings.js";
import { fillIn, t, tongue } from "../words.js";
import { capital } from "./bar.js";

/** @typedef {import("../pages/match.js").MatchPage} MatchPage */

const SHOWN = new Set([10, 9, 8, 6, 4, 1]); // turns that are left of those with tips, when one is given
const LONG = 15000; // milliseconds in which it can be read

/**
 * What an action changes: in words of the title where it has some, else in numbers.
 * @param {import("../words.js").Title | null} title
 * @param {{gain?: number, others?: number, why?: string[]}} answer
 */
export function changes(title, { gain = 0, others = 0, why = [] }) {
  if (why.length) return `${capital(why.join(", "))}.`;
  const counted = title?.words.reached;
  if (!counted) return "";
  const said = (/** @type {number} */ n) => fillIn(counted, { n: Math.abs(n) });
  const parts = [
    gain > 0 ? t("hint.gain", { what: said(gain) }) : gain < 0 ? t("hint.cost", { what: said(gain) }) : "",
    others < 0 ? t("hint.hurt", { what: said(others) }) : "",
  ].filter(Boolean);
  return parts.length ? `${capital(parts.join(", "))}.` : "";
}

/** A sentence with its full stop. @param {string} said */
const whole = (said) => (/[.!?…]$/.test(said) ? said : `${said}.`);

/** How the turn could go on, and what all of it brings. @param {{then?: string[], turn?: string[]}} answer */
const wholeTurn = ({ then = [], turn = [] }) => [
  then.length ? t("hint.then", { what: then.join(t("hint.and")) }) : "",
  turn.length ? t("hint.turn", { what: turn.join(", ") }) : "",
];

export class Hints {
  /** @param {MatchPage} page */
  constructor(page) {
    this.page = page;
    this.mine = false; // whether it was my turn before
    this.asking = false;
  }

  /** Whether only bots play against me, or the table allows it. */
  get allowed() {
    const { opened: model } = this.page.session;
    if (!model?.table || !model.yours.length || model.over) return false;
    if (model.table.hints) return true;
    if (model.yours.length !== 1) return false;
    return model.table.seats.every(({ seat, kind }) => kind === "bot" || model.yours.includes(seat));
  }

  /** My turn may have begun: a tip, where some are left. */
  atTurn() {
    const { model, titleName } = this.page.session;
    const mine = model.acting !== null;
    const begins = mine && !this.mine;
    this.mine = mine;
    const left = Number(setting(`tips.${titleName}`, 0));
    if (!begins || left < 1 || !this.allowed) return;
    remember(`tips.${titleName}`, left - 1);
    if (SHOWN.has(left)) this.give(true);
  }

  /** @param {boolean} quick a tip, by a bot that answers at once */
  async give(quick) {
    const { session, toast, stage } = this.page;
    const { model } = session;
    if (this.asking || model.acting === null || !this.allowed) return;
    const at = model.entry;
    this.asking = true;
    if (!quick) toast.show(t("hint.thinking"), { ms: LONG });
    const answer = await model.link.ask("hint", { seat: model.eye, quick, lang: tongue() });
    this.asking = false;
    if (session.closed || model.entry !== at || this.page.prompt.hands.busy) return;
    const all = (/** @type {import("./model.js").Choice} */ { action, actions }) => actions ?? [action];
    const same = JSON.stringify(answer.actions);
    const choice =
      model.gestures.find((one) => JSON.stringify(all(one)) === same) ??
      model.gestures.find((one) => all(one)[0] === answer.action);
    if (!answer.ok || !choice) {
      if (!quick) toast.show(answer.error === "lost" ? t("lost") : t("hint.none"));
      return;
    }
    // What the drawing would tell of it ("costs 6 and leaves 1") is in the reasons, where there are any.
    const why = changes(this.page.session.title, answer) || (await stage.drawing?.hint?.(choice)) || "";
    const could = t("hint.could", { what: choice.say });
    const said = [whole(why ? `${could} – ${why}` : could), ...wholeTurn(answer)].filter(Boolean).join(" ");
    if (model.entry !== at) return;
    document.querySelector(".askhint")?.remove(); // one thing at a time is said on a phone
    toast.show(model.withNames(said), { ms: LONG });
    this.light(choice.touches);
  }

  /** What the others could do after my turn, and what that would cost me. */
  async threats() {
    const { session, toast } = this.page;
    const { model } = session;
    if (this.asking || !this.allowed) return;
    this.asking = true;
    toast.show(t("hint.thinking"), { ms: LONG });
    const answer = await model.link.ask("threats", { seat: model.eye, lang: tongue() });
    this.asking = false;
    if (session.closed) return;
    if (!answer.ok) {
      toast.show(answer.error === "lost" ? t("lost") : t("threats.unknown"));
      return;
    }
    /** @type {{said: string, tries: number, touches: string[]}[]} */
    const found = answer.threats;
    const told = found.map(({ said, tries }) =>
      tries ? t("threats.one", { what: said, n: tries, of: answer.tries }) : `${said}.`,
    );
    const text = told.length
      ? [t("threats.could"), ...told].join("\n")
      : t("threats.none", { n: answer.tries });
    toast.show(model.withNames(text), { ms: LONG });
    if (model.entry === answer.entry) this.light(found.flatMap(({ touches }) => touches));
  }

  /** What would be touched is shown until something is. @param {string[]} touches */
  light(touches) {
    const { board } = this.page.stage;
    const things = touches.flatMap((touch) => [
      ...board.querySelectorAll(`[data-touch="${CSS.escape(touch)}"]`),
    ]);
    for (const el of things) el.classList.add("taught");
    const dim = () => things.forEach((el) => el.classList.remove("taught"));
    for (const name of ["pointerdown", "keydown"]) addEventListener(name, dim, { once: true, capture: true });
  }
}
