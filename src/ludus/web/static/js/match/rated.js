/** Rated matches in words: how strong who sits there is, and what the match did to it. */

import { h } from "../dom.js";
import { seatName, t } from "../words.js";

/**
 * @typedef {{rating: number, deviation: number, games: number, after?: number, after_deviation?: number,
 *   unplayed?: boolean}} Strength at the table; `after`: when the match has counted
 * @typedef {{seat: number, kind?: string, name?: string, bot?: string, strength?: Strength}} Sitting
 */

/** "1512 ± 80", which stays on one line. @param {{rating: number, deviation: number}} strength */
export const strengthText = ({ rating, deviation }) => `${rating}\u00a0±\u00a0${deviation}`;

/**
 * A number that says how strong somebody is, set apart from the name before it: names may end in digits.
 * @param {string} number
 */
export const setApart = (number) =>
  h("span.howstrong", null, " ", h("span.sr", null, `${t("strength.of")} `), `(${number})`);

/** A name, with how strong its bearer is where that counts.
 * @param {Sitting} seat @returns {(string | Node)[]} */
export const calledWith = (seat) => [
  seatName(seat),
  ...(seat.strength ? [setApart(strengthText(seat.strength))] : []),
];

/**
 * Those at a table in a row.
 * @param {Sitting[]} seats @param {(seat: any) => (string | Node)[]} [called]
 */
export const inARow = (seats, called = calledWith) =>
  seats.flatMap((seat, k) => [...(k ? [" – "] : []), ...called(seat)]);

/** Whether a match that is over has changed how strong they are. @param {{seats: Sitting[]}} match */
export const hasCounted = ({ seats }) => seats.some(({ strength }) => strength?.after !== undefined);

/** "+12", with the sign of print. @param {number} n */
export const signed = (n) => (n < 0 ? `−${-n}` : `+${n}`);

/** What the match did to somebody: "1512 → 1524 (+12)"; "" where it did nothing. @param {Sitting} seat */
export function changeText({ strength }) {
  if (strength?.after === undefined) return "";
  const { rating, after } = strength;
  return t("rated.change", { from: rating, to: after, change: signed(after - rating) });
}

/** What is to be known of a rated table: as long as it is open how it is played, then whether it counted.
 * @param {{rated?: boolean, state: string, seats: Sitting[]}} table */
export function ratedLine(table) {
  if (!table.rated) return null;
  const over = table.state === "over";
  if (over && hasCounted(table)) return null;
  const lots = table.state === "waiting" ? ` ${t("rated.lot")}` : "";
  return h("p.help.ratedline", null, over ? t("rated.unplayed") : t("rated.rules") + lots);
}

/** Why a guest cannot sit here, and the way to an account. */
export function needsAccount() {
  const open = async () => (await import("../account.js")).openAccount();
  return h(
    "div.needsaccount",
    { role: "status" },
    h("p", null, t("rated.account")),
    h("button.secondary", { type: "button", onclick: open }, t("account.create")),
  );
}
