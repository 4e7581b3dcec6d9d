/** Making a match.  Every seat of this browser gives its own part of the dice after seeing the commitment. */

import { post, whoAmI } from "./api.js";
import { randomHex } from "./dom.js";
import { go } from "./router.js";
import { remember } from "./settings.js";
import { prepareEarly } from "./titles/index.js";
import { tongue } from "./words.js";

/** @typedef {{kind: "me" | "open" | "link" | "bot" | "screen", bot?: string, name?: string}} Wish */

/**
 * @param {string} title
 * @param {Wish[]} seats
 * @param {{options?: Record<string, string | number>, public?: boolean, clock?: {kind: string, seconds:
 *   number, increment: number}, start?: Record<string, any>, hints?: boolean, rated?: boolean}} [more]
 * @param {(id: string) => Promise<unknown>} [made] is told of the match before it is shown
 */
export async function startMatch(title, seats, more = {}, made = async () => undefined) {
  prepareEarly(title);
  await whoAmI();
  const body = { title, seats, own_nonce: true, client: randomHex(8), ...more };
  const begun = await post(`/api/matches?lang=${tongue()}`, body);
  const id = begun.table.id;
  const nonces = [];
  for (const seat of begun.yours) {
    const nonce = randomHex(16);
    nonces.push(nonce);
    await post(`/api/matches/${id}/nonce`, { seat, nonce });
  }
  remember(`nonce.${id}`, nonces[0]);
  await made(id);
  await go(`/m/${id}`);
}
