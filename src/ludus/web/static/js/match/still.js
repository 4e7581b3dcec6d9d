/** A table at which nothing happens: for boards that are only looked at. */

/**
 * What a drawing is told of it: who sits there.
 * @param {string} title @param {Record<string, any>} options @param {string[]} names of the seats
 * @param {{entries?: number, to_move?: any, state?: string}} [more]
 */
export function stillTable(title, options, names, more = {}) {
  return /** @type {import("./model.js").Table} */ (
    /** @type {unknown} */ ({
      id: "",
      title,
      options,
      state: "over",
      public: true,
      same_screen: false,
      entries: 0,
      to_move: null,
      seats: names.map((name, seat) => ({ seat, kind: "person", name, status: "playing", present: true })),
      clock: { kind: "none", seconds: 0, increment: 0 },
      proposal: null,
      result: null,
      ending: "",
      again: null,
      watching: 0,
      fairness: { commitment: "" },
      ...more,
    })
  );
}
