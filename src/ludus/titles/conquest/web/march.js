/**
 * A leader or galley that was touched, before anything is played: who goes along, and where they can go.  One
 * more touch, on a place, plays all of it.
 */

import { fillIn } from "/js/words.js";

/** @typedef {import("/js/match/model.js").Choice} Choice */
/** @typedef {Record<string, number>} Heap */
/**
 * @typedef {{steps: string[], odds?: {attacker: number, defender: number} | null,
 *   left?: Record<string, Heap>}} Way `left`: who cannot go so far, by the province where they stay
 */

export class March {
  /** @param {import("./table.js").ConquestTable} table */
  constructor(table) {
    this.table = table;
    this.touch = "";
    /** @type {Choice | null} the action that picks the leader or galley */
    this.pick = null;
    /** @type {Record<string, string[]>} for each kind the actions that take one, two, three of it */
    this.offer = {};
    /** @type {string[]} the actions that take along who goes along */
    this.along = [];
    /** @type {Heap} */
    this.wish = {};
    /** @type {Record<string, Way>} */
    this.reach = {};
  }

  /**
   * Whether it is this one whose destination is asked for.
   * @param {import("/js/match/hands.js").Hands} hands
   */
  isOn(hands) {
    return !!this.touch && hands.path[0] === this.touch && this.table.board.phase === "move";
  }

  /** @param {Choice} pick @returns {Promise<Choice[] | null>} */
  async begin(pick) {
    const advice = await this.table.advise(pick.touches[0]);
    if (!advice) return null;
    this.pick = pick;
    this.touch = pick.touches[0];
    this.offer = advice.offer;
    this.reach = advice.reach;
    this.along = advice.along;
    this.wish = this.counted(advice.along);
    return this.choices();
  }

  /** How many of each kind some actions take. @param {string[]} along */
  counted(along) {
    const all = along.some((action) => action.endsWith("_all"));
    return Object.fromEntries(
      Object.entries(this.offer).map(([kind, actions]) => {
        const unit = !/general|emperor/.test(kind);
        const taken = actions.findIndex((action) => along.includes(action)) + 1;
        return [kind, taken || (all && unit ? actions.length : 0)];
      }),
    );
  }

  /** Another number of a kind goes along. @param {string} kind @param {number} n */
  async take(kind, n) {
    if (!this.pick) return;
    this.wish = { ...this.wish, [kind]: Math.max(0, Math.min(n, this.offer[kind].length)) };
    const wish = this.wish;
    const taken = Object.entries(wish).flatMap(([one, k]) => (k ? [this.offer[one][k - 1]] : []));
    const actions = [this.pick.action, ...taken];
    this.along = taken;
    const advice = await this.table.advise("moving", actions);
    if (this.wish !== wish) return;
    this.reach = Object.fromEntries(
      Object.entries(/** @type {Record<string, Way>} */ (advice?.reach ?? {})).map(([area, way]) => [
        area,
        { ...way, steps: [...actions, ...way.steps] },
      ]),
    );
    this.table.desk?.graft([this.touch], this.choices());
  }

  /** What would be played before a step. @param {string[]} path @returns {string[]} */
  begun(path) {
    return this.pick && path[0] === this.touch ? [this.pick.action, ...this.along] : [];
  }

  /** @returns {Choice[]} */
  choices() {
    const { words } = this.table.title;
    const pick = /** @type {Choice} */ (this.pick);
    const going = words[this.touch.startsWith("ship:") ? "action.voyage" : "action.march"];
    return [
      ...Object.entries(this.reach).map(([area, { steps }]) => ({
        action: steps.filter((step) => step !== "halt").pop() ?? "",
        actions: steps,
        say: fillIn(going, { to: this.table.word("to", area) }),
        touches: [this.touch, `region:${area}`],
      })),
      { ...pick, say: words["web.stepwise"], touches: [this.touch, "button:stepwise"] },
    ];
  }
}
