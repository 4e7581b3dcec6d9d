/**
 * The proof of the dice, made in this browser: SHA-256(match id | key) is the commitment that was shown
 * before play, and outcome i comes from HMAC-SHA256(key, nonces | i).
 */

import { get } from "../api.js";
import { fillWith, h } from "../dom.js";
import { t } from "../words.js";
import { hmacSha256, sha256 } from "./sha256.js";

/** @typedef {import("./model.js").Row} Row */
/** @typedef {import("./model.js").Table} Table */
/** @typedef {{before: (row: Row) => [string, number][] | null, note: (row: Row) => void, back: (rows: number) => void}} Odds */
/** @typedef {{n: number, index: number, text: string, u: number, derived: string | null, good: boolean | null}} Proof */

/** @param {string} text */
export const bytesOf = (text) => new Uint8Array((text.match(/../g) ?? []).map((pair) => parseInt(pair, 16)));
/** @param {Uint8Array} bytes */
export const hexOf = (bytes) => [...bytes].map((b) => b.toString(16).padStart(2, "0")).join("");

/** @param {string} id @param {string} key */
export async function commitmentOf(id, key) {
  const text = new TextEncoder().encode(id);
  const secret = bytesOf(key);
  const all = new Uint8Array(text.length + secret.length);
  all.set(text);
  all.set(secret, text.length);
  return hexOf(await sha256(all));
}

/** The 32-bit number of outcome i. @param {string} key @param {string[]} nonces @param {number} i */
export async function numberOf(key, nonces, i) {
  const joined = bytesOf(nonces.join(""));
  const message = new Uint8Array(joined.length + 8);
  message.set(joined);
  new DataView(message.buffer).setBigUint64(joined.length, BigInt(i));
  const digest = await hmacSha256(bytesOf(key), message);
  return new DataView(digest.buffer).getUint32(0);
}

/** The outcome that a number stands for. @param {number} u @param {[string, number][]} outcomes */
export function pick(u, outcomes) {
  const total = outcomes.reduce((sum, [, weight]) => sum + weight, 0);
  let mark = Number((BigInt(u) * BigInt(total)) >> 32n);
  for (const [text, weight] of outcomes) {
    mark -= weight;
    if (mark < 0) return text;
  }
  return outcomes[outcomes.length - 1]?.[0] ?? null;
}

/** Every outcome of chance of a finished match, derived again. @param {Table} table @param {Row[]} rows @param {Odds | null} odds */
export async function prove(table, rows, odds) {
  const { key, nonces } = table.fairness;
  /** @type {Proof[]} */
  const proofs = [];
  /** @type {Row[]} */
  let standing = [];
  for (const row of rows) {
    if (row.who === "house") {
      if (row.text.startsWith("undo ")) {
        const to = Number(row.text.split(" ")[2]);
        standing = standing.filter((r) => r.n <= to);
        odds?.back(standing.length);
      }
      continue;
    }
    if (row.who === "chance") {
      const index = standing.filter((r) => r.who === "chance").length;
      const u = await numberOf(key ?? "", nonces ?? [], index);
      const outcomes = odds ? odds.before(row) : evenDie(row);
      const derived = outcomes ? pick(u, outcomes) : null;
      proofs.push({ n: row.n, index, text: row.text, u, derived, good: derived === null ? null : derived === row.text });
    }
    odds?.note(row);
    standing.push(row);
  }
  return proofs;
}

/** A title without a drawing of its own: what reads `roll 4` is an even die. @param {Row} row @returns {[string, number][] | null} */
function evenDie(row) {
  const [kind, value] = row.text.split(" ");
  if (!["roll", "battle", "die"].includes(kind) || !/^[1-6]$/.test(value ?? "")) return null;
  return [1, 2, 3, 4, 5, 6].map((n) => [`${kind} ${n}`, 1]);
}

/**
 * The page of the proof.
 * @param {HTMLElement} host
 * @param {Table} table
 * @param {Odds | null} odds
 * @param {string | null} mine the nonce that this browser gave
 */
export async function showProof(host, table, odds, mine) {
  const fair = table.fairness;
  if (!fair.key) {
    fillWith(host, h("p", null, t("proof.later")), h("p.hash", null, fair.commitment));
    return;
  }
  fillWith(host, h("p", null, t("proof.working")));
  /** @type {Row[]} */
  const rows = [];
  for (let since = 0; ; ) {
    const told = await get(`/api/matches/${encodeURIComponent(table.id)}/entries?since=${since}&limit=200&whole=true&seat=0`);
    rows.push(...told.entries);
    if (!told.entries.length || rows.length >= told.last) break;
    since = rows[rows.length - 1].n;
  }
  const again = await commitmentOf(table.id, fair.key);
  const proofs = await prove(table, rows, odds);
  const wrong = proofs.filter((p) => p.good === false).length;
  const unknown = proofs.filter((p) => p.good === null).length;
  const kept = again === fair.commitment;
  const own = mine ? (fair.nonces ?? []).includes(mine) : null;
  /** @param {boolean | null} good @param {string} text */
  const line = (good, text) => h(`li.${good === null ? "unknown" : good ? "good" : "bad"}`, null, h("b", { "aria-hidden": "true" }, good === null ? "·" : good ? "✓" : "✗"), text);
  fillWith(host,
    h("ul.verdict", null,
      line(kept, t(kept ? "proof.kept" : "proof.broken")),
      own === null ? null : line(own, t(own ? "proof.mine" : "proof.notmine")),
      line(wrong ? false : true, t(wrong ? "proof.wrong" : "proof.right", { n: wrong || proofs.length - unknown })),
      unknown ? line(null, t("proof.unknown", { n: unknown })) : null),
    h("p", null, t("proof.how")),
    h("dl.hashes", null,
      h("dt", null, t("proof.commitment")), h("dd.hash", null, fair.commitment),
      h("dt", null, t("proof.key")), h("dd.hash", null, fair.key),
      h("dt", null, t("proof.nonces")), h("dd.hash", null, (fair.nonces ?? []).join(" "))),
    h("details", null, h("summary", null, t("proof.all", { n: proofs.length })),
      h("div.tablebox", { tabindex: 0, role: "region", "aria-label": t("proof.all", { n: proofs.length }) }, h("table", null,
        h("thead", null, h("tr", null, ["i", t("proof.entry"), "u", t("proof.derived"), t("proof.record")].map((text) => h("th", { scope: "col" }, text)))),
        h("tbody", null, proofs.map((p) => h(`tr.${p.good === false ? "bad" : "good"}`, null, h("td", null, p.index), h("td", null, p.n), h("td", null, p.u), h("td", null, p.derived ?? "–"), h("td", null, p.text))))))),
    h("p", null, h("a", { href: `/api/matches/${encodeURIComponent(table.id)}/file`, download: "" }, t("file")), " – ", t("proof.file")));
  host.dataset.proof = kept && !wrong ? "good" : "bad";
}
