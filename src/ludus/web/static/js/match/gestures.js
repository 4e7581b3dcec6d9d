/**
 * Gestures: a choice that leads straight into a question of the same seat is joined with the answers, so
 * that "three legions to Genua" is one path of touches and one message.  The server tells the answers
 * (what-if); which choices lead on, the drawing says.
 */

/** @typedef {import("./model.js").Choice} Choice */
/** @typedef {import("./model.js").Model} Model */

export class Gestures {
  /** @param {Model} model */
  constructor(model) {
    this.model = model;
    this.key = "";
    /** @type {Choice[] | null} what was joined for `key` */
    this.joined = null;
  }

  /**
   * The choices as they are offered now: joined, as soon as the answers are known.
   * @param {string} key @param {Choice[]} legal @param {((choice: Choice) => boolean) | undefined} leadsOn
   *   @param {() => void} ready
   */
  offer(key, legal, leadsOn, ready) {
    if (this.key !== key) {
      this.key = key;
      this.joined = null;
      if (leadsOn && legal.some(leadsOn)) this.join(key, legal, leadsOn, ready);
    }
    return this.joined ?? legal;
  }

  /**
   * @param {string} key @param {Choice[]} legal @param {(choice: Choice) => boolean} leadsOn
   * @param {() => void} ready
   */
  async join(key, legal, leadsOn, ready) {
    /** @type {Choice[]} */
    const joined = [];
    for (const choice of legal) {
      const answer = leadsOn(choice) ? await this.model.whatIf([choice.action]) : null;
      if (this.key !== key) return;
      if (answer?.ok && answer.played === 1 && answer.legal.length) {
        joined.push(
          ...answer.legal.map((/** @type {Choice} */ next) => ({
            ...next,
            first: [choice.action],
            touches: [...choice.touches, ...next.touches],
          })),
        );
      } else joined.push(choice);
    }
    this.joined = joined;
    ready();
  }
}
