/** What hovering tells of the board, what a touch that is not allowed tries, and the chances of the dice. */

import { h } from "../../dom.js";
import { capital } from "../../match/bar.js";
import { t } from "../../words.js";

/** @typedef {import("./table.js").ConquestTable} Table */
/** @typedef {import("../../match/model.js").Row} Row */
/** @typedef {{title: string, lines: (string | Node)[]}} Told */

/** @param {Table} table @param {string} what @returns {Told | null} */
export function tell(table, what) {
  const [kind, id] = [what.slice(0, what.indexOf(":")), what.slice(what.indexOf(":") + 1)];
  if (what === "track") return tellTrack(table);
  if (kind === "region") return tellRegion(table, id);
  if (kind === "leader") return tellLeader(table, id);
  if (kind === "ship") return tellShip(table, Number(id));
  if (kind === "goods") return tellGoods(table, id);
  if (kind === "seat") return tellSeat(table, Number(id));
  if (kind === "road") return { title: table.word("edge", id) === id ? id.split("-").map((area) => table.area(area)).join(" – ") : table.word("edge", id), lines: [t("conquest.road.help")] };
  return null;
}

/** A line that is filled when the answer has come. @param {Table} table @param {string} about @param {(advice: any) => string[]} say */
function later(table, about, say) {
  const el = h("span.later", { "aria-busy": "true" }, "…");
  table.advise(about).then((advice) => {
    el.removeAttribute("aria-busy");
    el.replaceChildren(...(advice ? say(advice) : []).flatMap((line, k) => (k ? [h("br"), line] : [line])));
  });
  return el;
}

/** @param {Table} table @param {string} id @returns {Told} */
function tellRegion(table, id) {
  const facts = table.board.provinces[id];
  /** @type {(string | Node)[]} */
  const lines = [];
  if (facts) {
    lines.push(`${t("conquest.value", { n: facts.value + (facts.city ? 5 : 0) })} · ${facts.owner === null ? t("conquest.nobody") : table.seat(facts.owner)}`);
    if (facts.city) lines.push(t(facts.city === "fortified" ? "conquest.walled" : "conquest.city"));
    for (const [seat, heap] of Object.entries(facts.armies ?? {})) lines.push(`${table.seat(Number(seat))}: ${table.heap(/** @type {any} */ (heap))}`);
  }
  for (const { say, touches } of table.legal) {
    if (touches.length === 2 && touches[1] === `region:${id}` && touches[0].startsWith("goods:")) lines.push(`${capital(say)}: ${t("conquest.talents", { n: table.board.prices[touches[0].slice(6)] })}`);
  }
  for (const ship of table.board.ships) if (ship.area === id) lines.push(table.shipLabel(ship));
  lines.push(later(table, `region:${id}`, (advice) => {
    table.sheet?.mark("near", [...(advice.land ?? []), ...(advice.strait ?? []), ...(advice.sea ?? [])]);
    const names = (/** @type {string[]} */ areas) => areas.map((area) => table.area(area)).join(", ");
    const dangers = (advice.dangers ?? []).map((/** @type {any} */ d) => t("conquest.danger", { name: table.seat(d.seat), units: table.heap(d.units), n: d.leaders }) + (d.odds ? ` – ${t("conquest.danger.odds", { p: d.odds.attacker })}` : ""));
    return [advice.land?.length ? `${t("conquest.land")}: ${names(advice.land)}` : "", advice.strait?.length ? `${t("conquest.strait")}: ${names(advice.strait)}` : "", advice.sea?.length ? `${t("conquest.sea")}: ${names(advice.sea)}` : "", ...dangers, facts && !dangers.length ? t("conquest.nodanger") : ""].filter(Boolean);
  }));
  return { title: table.area(id), lines };
}

/** @param {Table} table @param {string} id @returns {Told} */
function tellLeader(table, id) {
  const [who, area] = id.split("@");
  return { title: `${table.word("who", who)} · ${table.area(area)}`, lines: [later(table, `leader:${id}`, (advice) => reachLines(table, advice))] };
}

/** @param {Table} table @param {number} number @returns {Told | null} */
function tellShip(table, number) {
  const ship = table.board.ships.find((/** @type {any} */ one) => one.ship === number);
  if (!ship) return null;
  return { title: table.shipLabel(ship), lines: [t("conquest.points", { n: ship.points }), later(table, `ship:${number}`, (advice) => reachLines(table, advice))] };
}

/** @param {Table} table @param {any} advice */
function reachLines(table, advice) {
  const areas = Object.entries(advice.reach ?? {});
  const fights = areas.filter(([, way]) => way.odds).map(([area, way]) => t("conquest.attack.odds", { place: table.area(area), p: way.odds.attacker }));
  return [areas.length ? t("conquest.reach", { n: areas.length }) : t("conquest.noreach"), ...fights];
}

/** @param {Table} table @param {string} goods @returns {Told} */
function tellGoods(table, goods) {
  const b = table.board;
  const left = { ...b.seats[table.us].left, ...b.stock }[goods];
  return { title: table.word("goods", goods), lines: [t("conquest.price", { n: b.prices[goods] }) + (b.price > 1 ? ` (×${b.price})` : ""), t("conquest.left", { n: left })] };
}

/** @param {Table} table @param {number} seat @returns {Told} */
function tellSeat(table, seat) {
  const facts = table.board.seats[seat];
  const pieces = Object.entries(facts.pieces).map(([goods, n]) => `${table.word("goods", goods)}: ${n} (${t("conquest.left", { n: facts.left[goods] })})`);
  const held = Object.entries(facts.captives).map(([owner, n]) => `${t("conquest.captive", { name: table.seat(Number(owner)) })}: ${n}`);
  return { title: table.seat(seat), lines: [t("conquest.talents", { n: facts.talents }), t("conquest.tribute", { n: facts.tribute }), ...pieces, ...held] };
}

/** @param {Table} table @returns {Told} */
function tellTrack(table) {
  const lines = table.board.inflation.map((/** @type {any} */ step, /** @type {number} */ k) => {
    const what = t("conquest.inflation", { mark: step.at, times: k + 2 });
    if (step.state === "announced") return `${what} ${t("conquest.countdown", { name: table.seat(step.by), n: step.turns })}`;
    return step.state === "in_force" ? `${what} ${t("conquest.inforce")}` : what;
  });
  return { title: t("conquest.track"), lines };
}

// -- what was meant ---------------------------------------------------------------------------------

/** The single action that a path of touches tries, so that the rules can say why not.
 * @param {string} phase @param {string[]} path @returns {string | null} */
export function attempted(phase, path) {
  const last = path[path.length - 1];
  const place = last.startsWith("region:") ? last.slice(7) : null;
  const goods = path.find((touch) => touch.startsWith("goods:"))?.slice(6);
  if (place && goods) return { city: `found ${place}`, wall: `fortify ${place}`, galley: `launch ${place} 0` }[goods] ?? `recruit ${goods} ${place} 1`;
  if (last.startsWith("road:")) return `pave ${last.slice(5)}`;
  if (last.startsWith("ship:")) return `${phase === "sink" ? "sink" : "sail"} ${last.slice(5)}`;
  if (last.startsWith("leader:")) {
    const [who, area] = last.slice(7).split("@");
    return `lead ${area} ${who}`;
  }
  if (!place) return null;
  return { muster: `march ${place}`, sail: `voyage ${place}`, battles: `battle ${place}`, retreat: `retreat ${place}`, raze: `raze ${place}`, choose_home: `choose ${place}` }[phase] ?? null;
}

// -- the proof of the dice --------------------------------------------------------------------------

const DIE = { infantry: 2, cavalry: 1, catapult: 1, galley: 1, blank: 1 };

/** The weights of each chance outcome of a finished match, from what everybody saw: battle dice; homes are not told. */
export class Odds {
  /** @param {Row} row @returns {[string, number][] | null} */
  before(row) {
    if (!row.text.startsWith("roll ")) return null;
    return Object.entries(DIE).map(([face, weight]) => [`roll ${face}`, weight]);
  }

  note() {}

  back() {}
}
