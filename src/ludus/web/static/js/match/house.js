/** House entries in words: what happened beside the game. */

import { seatName, t } from "../words.js";

/** @param {string} text @param {import("./model.js").Table | null} table */
export function houseLine(text, table) {
  const [kind, first, ...rest] = text.split(" ");
  const seat = table?.seats[Number(first)];
  const name = seat ? seatName(seat) : "";
  if (kind === "vote") return t(`house.vote.${rest[0]}`, { name });
  if (kind === "claim" || kind === "take_over") return t(`house.${kind}`, { name: rest.join(" "), seat: Number(first) + 1 });
  return t(`house.${kind}`, { name, entry: rest[0] ?? "" });
}
