/** What Roma's table tells about itself: cards and choices in words.  No rule is decided here. */

import { h, icon } from "/js/dom.js";
import { labelOf, speak } from "/js/words.js";

/** @typedef {import("./view.d.ts").View} View */
/** @typedef {import("/js/match/model.js").Choice} Choice */
/** @typedef {import("./table.js").RomaTable} RomaTable */

/**
 * What a thing is: title and lines.
 * @param {RomaTable} table @param {string} info
 * @returns {{title: string, lines: (string | Node)[]} | null}
 */
export function tellCard(table, info) {
  const b = /** @type {View} */ (table.view).board;
  const [what, thing] = info.split(":");
  const [name, place] = (thing ?? "").split("@");
  if (what === "card") {
    const print = table.print(name);
    const works = ["works.none", "works.one", "works.two"][print.dice];
    return {
      title: table.cardName(name),
      lines: [
        h(
          "span.facts",
          null,
          `${labelOf(table.title, "kind", print.kind)} · ${speak("price", { n: print.price })} · ${speak("defence", { n: defenceOf(table, name, place) })} · ${speak(works)}`,
        ),
        table.title.words[`effect.${name}`] ?? "",
        h("span.facts", null, speak("copies", { n: print.copies })),
      ],
    };
  }
  if (what === "disc" && (name === "money" || name === "cards"))
    return { title: table.discName(name), lines: [speak(`disc.${name}`)] };
  if (what === "disc")
    return {
      title: table.discName(name),
      lines: [speak("disc"), ...(b.idle.includes(Number(name)) ? [speak("idle")] : [])],
    };
  if (what === "slot") return { title: table.discName(name), lines: [speak("slot")] };
  if (what === "die") return { title: speak("dice"), lines: [speak("dice.help")] };
  if (what === "deck") return { title: speak("deck", { n: b.deck_size }), lines: [speak("deck.help")] };
  if (what === "stock") return { title: speak("stock", { n: b.stock }), lines: [speak("stock.help")] };
  if (what === "points" || what === "money")
    return { title: speak(`${what}.title`), lines: [speak(`${what}.help`)] };
  if (what === "discard")
    return { title: speak("discard", { n: sum(b.discard) }), lines: list(table, b.discard) };
  if (what === "theirs") return { title: speak("cards.theirs"), lines: knownHand(table, 1 - table.us) };
  return null;
}

/**
 * The printed defence of a card and, where it lies with another one, how that comes.
 * @param {RomaTable} table @param {string} name @param {string} [place] seat and disc, if it lies on one
 * @returns {number | string}
 */
function defenceOf(table, name, place) {
  const b = /** @type {View} */ (table.view).board;
  const [seat, disc] = (place ?? "").split(".");
  const { defence } = table.print(name);
  const now = b.defence[Number(seat)]?.[disc];
  if (!place || now === undefined || now === defence) return defence;
  const more = Object.entries(b.board[Number(seat)]).filter(
    ([at, card]) => card === "turris" && at !== disc,
  ).length;
  const less = defence + more - now;
  const [up, down] = [
    more ? ` + ${more} (${table.cardName("turris")})` : "",
    less ? ` − ${less} (${table.cardName("essedum")})` : "",
  ];
  return `${defence}${up}${down} = ${now}`;
}

/** @param {Record<string, number>} heap */
const sum = (heap) => Object.values(heap).reduce((a, n) => a + n, 0);

/** @param {RomaTable} table @param {Record<string, number>} heap */
function list(table, heap) {
  const names = Object.entries(heap).map(([name, n]) =>
    n > 1 ? `${table.cardName(name)} ×${n}` : table.cardName(name),
  );
  return names.length ? [names.join(", ")] : [speak("nothing")];
}

/** What is known of the other hand. @param {RomaTable} table @param {number} seat */
function knownHand(table, seat) {
  const b = /** @type {View} */ (table.view).board;
  const known = b.known?.[seat];
  if (!known || !sum(known)) return [speak("unknown")];
  return [speak("known"), ...list(table, known)];
}

/**
 * Chances and consequences, as the rules tell them.
 * @param {RomaTable} table @param {Choice} choice
 * @returns {Promise<string>}
 */
export async function hint(table, choice) {
  const told = await table.desk?.advise(choice.action);
  const [kind, disc] = choice.action.split(" ");
  if (choice.touches.includes("button:seal")) return speak("final");
  if (told?.faces !== undefined)
    return speak("odds", { need: told.need, n: told.faces, percent: Math.round((100 * told.faces) / 6) });
  if (told?.idle) return speak("idle");
  if (told?.missing !== undefined)
    return told.missing ? speak("notenough", { n: told.missing }) : speak("enough");
  if (told?.price !== undefined) {
    const price = told.price ? speak("pays", { n: told.price, left: told.left }) : speak("free");
    return told.covers ? `${price} ${speak("covers", { card: table.cardName(told.covers) })}` : price;
  }
  const b = /** @type {View} */ (table.view).board;
  return kind === "activate" ? (table.title.words[`effect.${b.board[b.player][disc]}`] ?? "") : "";
}

/**
 * A card in hand may be laid over another, which is discarded: such places look otherwise than free ones.
 * @param {RomaTable} table @param {import("/js/match/hands.js").Hands} hands
 * @returns {boolean} whether there are any
 */
export function showCovered(table, hands) {
  const picked = !hands.busy && (hands.path[0] ?? "").startsWith("card:");
  let some = false;
  for (const slot of table.slots[0]) {
    const could = picked && hands.node.next.has(slot.dataset.also ?? "") && !slot.classList.contains("empty");
    slot.querySelector(".swaps")?.remove();
    slot.classList.toggle("covered", could);
    if (could) slot.append(h("span.swaps", { "aria-hidden": "true" }, icon("swap")));
    some ||= could;
  }
  return some;
}

/**
 * The chance of each attack stands on its target: a finger cannot rest there without touching it.
 * @param {RomaTable} table @param {import("/js/match/hands.js").Hands} hands
 */
export async function showChances(table, hands) {
  for (const el of table.root.querySelectorAll(".slot > .chance")) el.remove();
  const { view } = table;
  if (view?.board.phase !== "target" || hands.busy) return;
  for (const [touch, { choice }] of hands.node.next) {
    const told = choice ? await table.desk?.advise(choice.action) : null;
    if (table.view !== view || hands.busy) return;
    const slot = table.root.querySelector(`.slot[data-touch="${touch}"]`);
    if (!slot || told?.faces === undefined || slot.querySelector(".chance")) continue;
    slot.append(h("b.chance", null, `${Math.round((100 * told.faces) / 6)}\u00a0%`));
  }
}
