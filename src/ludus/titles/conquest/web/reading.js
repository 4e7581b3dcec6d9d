/** What hovering tells of the board. */

import { h } from "/js/dom.js";
import { capital } from "/js/match/bar.js";
import { speak } from "/js/words.js";
import { percent } from "./numbers.js";

/** @typedef {import("./table.js").ConquestTable} Table */
/** @typedef {{title: string, lines: (string | Node)[]}} Told */

/** @param {Table} table @param {string} what @returns {Told | null} */
export function tell(table, what) {
  const [kind, id] = [what.slice(0, what.indexOf(":")), what.slice(what.indexOf(":") + 1)];
  if (what === "track") return tellTrack(table);
  if (kind === "region") return tellRegion(table, id);
  if (kind === "leader") return tellLeader(table, id);
  if (kind === "ship") return tellShip(table, Number(id));
  if (kind === "goods") return tellGoods(table, id);
  if (kind === "piece") return { title: capital(table.word("piece", id)), lines: [does(table, id)] };
  if (kind === "seat") return tellSeat(table, Number(id));
  if (kind === "road")
    return {
      title:
        table.word("edge", id) === id
          ? id
              .split("-")
              .map((area) => table.area(area))
              .join(" – ")
          : table.word("edge", id),
      lines: [speak("road.help")],
    };
  return null;
}

/**
 * A line that is filled when the answer has come.
 * @param {Table} table @param {string} about @param {(advice: any) => string[]} say
 */
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
    lines.push(
      `${speak("value", { n: facts.worth ?? facts.value })} · ${facts.owner === null ? speak("nobody") : table.seat(facts.owner)}`,
    );
    if (facts.city) lines.push(speak(facts.city === "fortified" ? "walled" : "city"));
    for (const [seat, heap] of Object.entries(facts.armies ?? {}))
      lines.push(`${table.seat(Number(seat))}: ${table.heap(heap)}`);
  }
  for (const { say, touches } of table.legal) {
    if (touches.length === 2 && touches[1] === `region:${id}` && touches[0].startsWith("goods:"))
      lines.push(`${capital(say)}: ${speak("talents", { n: table.board.prices[touches[0].slice(6)] })}`);
  }
  for (const ship of table.board.ships) if (ship.area === id) lines.push(table.shipLabel(ship));
  const odds = table.ways[id]?.odds;
  if (odds) lines.push(speak("attack.odds", { in: table.word("in", id), p: percent(odds.attacker) }));
  lines.push(...promised(table, id));
  lines.push(
    later(table, `region:${id}`, (advice) => {
      table.sheet?.mark("near", [...(advice.land ?? []), ...(advice.strait ?? []), ...(advice.sea ?? [])]);
      const names = (/** @type {string[]} */ areas) => areas.map((area) => table.area(area)).join(", ");
      const dangers = (odds ? [] : (advice.dangers ?? [])).map(
        (/** @type {any} */ d) =>
          speak("danger", {
            name: table.seat(d.seat),
            units: table.heap({ ...d.units, general: d.leaders }),
          }) + (d.odds ? ` – ${speak("danger.odds", { p: percent(d.odds.attacker) })}` : ""),
      );
      const safe = facts?.owner === table.us && !dangers.length;
      return [
        advice.land?.length ? `${speak("land")}: ${names(advice.land)}` : "",
        advice.strait?.length ? `${speak("strait")}: ${names(advice.strait)}` : "",
        advice.sea?.length ? `${speak("sea")}: ${names(advice.sea)}` : "",
        ...dangers,
        safe ? speak("nodanger") : "",
      ].filter(Boolean);
    }),
  );
  return { title: table.area(id), lines };
}

/** The word that an attack on a province would break. @param {Table} table @param {string} id */
export function promised(table, id) {
  const { owner = null, armies = {} } = table.board.provinces[id] ?? {};
  return (table.plates[table.us]?.promises ?? [])
    .filter(({ other, broken }) => !broken && (other === owner || other in armies))
    .map(({ says }) => says);
}

/** @param {Table} table @param {string} id @returns {Told} */
function tellLeader(table, id) {
  const [who, area] = id.split("@");
  return {
    title: `${table.word("who", who)} · ${table.area(area)}`,
    lines: [does(table, who), later(table, `leader:${id}`, (advice) => reachLines(table, advice))],
  };
}

/** @param {Table} table @param {number} number @returns {Told | null} */
function tellShip(table, number) {
  const ship = table.board.ships.find((one) => one.ship === number);
  if (!ship) return null;
  return {
    title: table.shipLabel(ship),
    lines: [
      does(table, "galley"),
      speak("points", { n: ship.points }),
      later(table, `ship:${number}`, (advice) => reachLines(table, advice)),
    ],
  };
}

/** @param {Table} table @param {any} advice */
function reachLines(table, advice) {
  const areas = Object.entries(advice.reach ?? {});
  const fights = areas
    .filter(([, way]) => way.odds)
    .map(([area, way]) =>
      speak("attack.odds", { in: table.word("in", area), p: percent(way.odds.attacker) }),
    );
  return [areas.length ? speak("reach", { n: areas.length }) : speak("noreach"), ...fights];
}

/** @param {Table} table @param {string} goods @returns {Told} */
function tellGoods(table, goods) {
  const b = table.board;
  const left = { ...b.seats[table.us].left, ...b.stock }[goods];
  return {
    title: table.word("goods", goods),
    lines: [
      speak("price", { n: b.prices[goods] }) + (b.price > 1 ? ` (×${b.price})` : ""),
      speak("left", { n: left }),
      does(table, goods),
    ],
  };
}

/** What a piece is good for. @param {Table} table @param {string} piece */
const does = (table, piece) => table.title.words[`effect.${piece.replace("tired_", "")}`] ?? "";

/** @param {Table} table @param {number} seat @returns {Told} */
function tellSeat(table, seat) {
  const facts = table.board.seats[seat];
  const pieces = Object.entries(facts.pieces).map(
    ([goods, n]) => `${table.word("goods", goods)}: ${n} (${speak("left", { n: facts.left[goods] })})`,
  );
  const held = Object.entries(facts.captives).map(
    ([owner, n]) => `${speak("captive", { name: table.seat(Number(owner)) })}: ${n}`,
  );
  return {
    title: table.seat(seat),
    lines: [
      speak("talents", { n: facts.talents }),
      speak("tribute", { n: facts.tribute }),
      ...pieces,
      ...held,
    ],
  };
}

/** @param {Table} table @returns {Told} */
function tellTrack(table) {
  const lines = table.board.inflation.map((step) => {
    const what = speak("inflation", { mark: step.at, times: step.times });
    if (step.state === "announced")
      return `${what} ${speak("countdown", { name: table.seat(step.by), n: step.turns })}`;
    return step.state === "in_force" ? `${what} ${speak("inforce")}` : what;
  });
  return { title: speak("track"), lines };
}
