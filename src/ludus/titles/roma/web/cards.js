/** What is printed on the cards.  A test keeps this equal to data/cards.json. */

/**
 * @typedef {{kind: "person" | "building", price: number, defence: number, dice: number, copies: number}}
 *   Print
 */

/**
 * @param {"person" | "building"} kind @param {number} copies @param {number} price @param {number} defence
 * @param {number} dice @returns {Print}
 */
const card = (kind, copies, price, defence, dice) => ({ kind, copies, price, defence, dice });

/** In the order of the card list. @type {Record<string, Print>} */
export const CARDS = {
  sicarius: card("person", 1, 9, 2, 1),
  architectus: card("person", 2, 3, 4, 1),
  consiliarius: card("person", 2, 4, 4, 1),
  legat: card("person", 2, 5, 2, 1),
  gladiator: card("person", 2, 6, 5, 1),
  mercator: card("person", 1, 7, 2, 1),
  consul: card("person", 2, 3, 3, 1),
  legionarius: card("person", 3, 4, 5, 1),
  nero: card("person", 1, 8, 9, 1),
  praetorianus: card("person", 2, 4, 4, 1),
  scaenicus: card("person", 2, 8, 3, 1),
  haruspex: card("person", 2, 4, 3, 1),
  senator: card("person", 2, 3, 3, 1),
  velites: card("person", 2, 5, 3, 1),
  essedum: card("person", 2, 6, 3, 1),
  tribunus_plebis: card("person", 2, 5, 5, 1),
  centurio: card("person", 2, 9, 5, 1),
  aesculapinum: card("building", 2, 5, 2, 1),
  basilica: card("building", 2, 6, 5, 0),
  machina: card("building", 2, 4, 4, 1),
  forum: card("building", 6, 5, 5, 2),
  mercatus: card("building", 2, 6, 3, 1),
  onager: card("building", 2, 5, 4, 1),
  templum: card("building", 2, 2, 2, 0),
  turris: card("building", 2, 6, 6, 0),
};
