/**
 * The proof of the dice, made in this browser: SHA-256(match id | key) is the commitment that was shown
 * before play, and outcome i comes from HMAC-SHA256(key, nonces | i).
 */

import { get } from "../api.js";
import { fillWith, h } from "../dom.js";
import { t } from "../words.js";
import { hmacSha256, sha256 } from "./sha256.js";

/** @typedef {import("./model.js").Table} Table */
/**
 * What the server tells of a finished match: lists of outcomes with their weights, each once, and the rows of
 * chance
 * that were drawn from them; between them, after which entry everything was taken back.
 * @typedef {{outcomes: [string, number][][], rows: {n: number, text: string, outcomes: number, back_to?:
 *   number}[]}} Chances
 * @typedef {{n: number, index: number, text: string, u: number, derived: string | null, good: boolean}} Proof
 */

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

/**
 * Every outcome of chance of a finished match, derived again.
 * @param {{key: string, nonces: string[]}} fairness @param {Chances} chances
 */
export async function prove({ key, nonces }, chances) {
  /** @type {Proof[]} */
  const proofs = [];
  /** @type {number[]} the entries of outcomes that stand */
  let standing = [];
  for (const { n, text, outcomes, back_to: to } of chances.rows) {
    if (to !== undefined) {
      standing = standing.filter((entry) => entry <= to);
      continue;
    }
    const index = standing.length;
    const u = await numberOf(key, nonces, index);
    const derived = pick(u, chances.outcomes[outcomes]);
    proofs.push({ n, index, text, u, derived, good: derived === text });
    standing.push(n);
  }
  return proofs;
}

/**
 * The page of the proof.
 * @param {HTMLElement} host
 * @param {Table} table
 * @param {string | null} mine the nonce that this browser gave
 */
export async function showProof(host, table, mine) {
  const fair = table.fairness;
  if (!fair.key) {
    fillWith(host, h("p", null, t("proof.later")), h("p.hash", null, fair.commitment));
    return;
  }
  fillWith(host, h("p", null, t("proof.working")));
  const chances = await get(`/api/matches/${encodeURIComponent(table.id)}/chances`);
  const again = await commitmentOf(table.id, fair.key);
  const proofs = await prove({ key: fair.key, nonces: fair.nonces ?? [] }, chances);
  const wrong = proofs.filter((p) => !p.good).length;
  const kept = again === fair.commitment;
  const own = mine ? (fair.nonces ?? []).includes(mine) : null;
  /** @param {boolean} good @param {string} text */
  const line = (good, text) =>
    h(`li.${good ? "good" : "bad"}`, null, h("b", { "aria-hidden": "true" }, good ? "✓" : "✗"), text);
  fillWith(
    host,
    h(
      "ul.verdict",
      null,
      line(kept, t(kept ? "proof.kept" : "proof.broken")),
      own === null ? null : line(own, t(own ? "proof.mine" : "proof.notmine")),
      line(!wrong, t(wrong ? "proof.wrong" : "proof.right", { n: wrong || proofs.length })),
    ),
    h("p", null, t("proof.how")),
    h(
      "dl.hashes",
      null,
      h("dt", null, t("proof.commitment")),
      h("dd.hash", null, fair.commitment),
      h("dt", null, t("proof.key")),
      h("dd.hash", null, fair.key),
      h("dt", null, t("proof.nonces")),
      h("dd.hash", null, (fair.nonces ?? []).join(" ")),
    ),
    h(
      "details",
      null,
      h("summary", null, t("proof.all", { n: proofs.length })),
      h(
        "div.tablebox",
        { tabindex: 0, role: "region", "aria-label": t("proof.all", { n: proofs.length }) },
        h(
          "table",
          null,
          h(
            "thead",
            null,
            h(
              "tr",
              null,
              ["i", t("proof.entry"), "u", t("proof.derived"), t("proof.record")].map((text) =>
                h("th", { scope: "col" }, text),
              ),
            ),
          ),
          h(
            "tbody",
            null,
            proofs.map((p) =>
              h(
                `tr.${p.good ? "good" : "bad"}`,
                null,
                h("td", null, p.index),
                h("td", null, p.n),
                h("td", null, p.u),
                h("td", null, p.derived ?? "–"),
                h("td", null, p.text),
              ),
            ),
          ),
        ),
      ),
    ),
    h(
      "p",
      null,
      h("a", { href: `/api/matches/${encodeURIComponent(table.id)}/file`, download: "" }, t("file")),
      " – ",
      t("proof.file"),
    ),
  );
  host.dataset.proof = kept && !wrong ? "good" : "bad";
}
