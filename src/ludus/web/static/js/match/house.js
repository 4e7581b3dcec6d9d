/** What happened beside the game, and how much time is left, in words. */

import { botName, seatName, t } from "../words.js";

/** @param {number} seconds */
export function clockText(seconds) {
  const whole = Math.ceil(seconds);
  if (whole >= 86400)
    return t("days", { n: Math.floor(whole / 86400), h: Math.floor((whole % 86400) / 3600) });
  const [hours, minutes, rest] = [Math.floor(whole / 3600), Math.floor((whole % 3600) / 60), whole % 60];
  const tail = `${String(minutes).padStart(hours ? 2 : 1, "0")}:${String(rest).padStart(2, "0")}`;
  return hours ? `${hours}:${tail}` : tail;
}

/**
 * What clock was agreed.
 * @param {{kind: string, seconds: number, increment: number}} clock
 */
export function clockName({ kind, seconds, increment }) {
  if (kind === "none") return t("clock.none");
  const [unit, size] = seconds >= 86400 ? ["days", 86400] : seconds >= 60 ? ["minutes", 60] : ["seconds", 1];
  const span = t(`span.${unit}`, { n: seconds / Number(size) });
  return t(increment ? `clock.${kind}.more` : `clock.${kind}`, { span, more: increment });
}

/**
 * A house entry.
 * @param {import("./model.js").Row} row @param {import("./model.js").Table | null} table
 */
export function houseLine(row, table) {
  const [kind, first, ...rest] = row.text.split(" ");
  const name = nameThen(row, Number(first), table);
  if (kind === "vote") return t(`house.vote.${rest[0]}`, { name });
  if (kind === "claim" || kind === "take_over")
    return t(`house.${kind}`, { name: shownName(rest.join(" ")), seat: Number(first) + 1 });
  return t(`house.${kind}`, { name, entry: rest[0] ?? "" });
}

/**
 * How a seat was called when an entry was made, whoever sits there now.
 * @param {{name?: string}} row of that seat @param {number} seat
 * @param {import("./model.js").Table | null} table
 */
export function nameThen({ name = "" }, seat, table) {
  const sits = table?.seats[seat];
  return shownName(name) || (sits ? seatName(sits) : "");
}

/** A name of the record: bots are called as everywhere on the page. @param {string} name */
function shownName(name) {
  const [, bot, numeral] = /^([\w-]+)((?: [IVX]+)?) \(bot\)$/.exec(name) ?? [];
  return bot ? botName(bot) + numeral : name;
}
