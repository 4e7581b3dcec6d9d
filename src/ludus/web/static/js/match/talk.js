/** What players say: to all at the table, to one alone, and their word of peace. */

import { get } from "../api.js";
import { fillWith, h, icon } from "../dom.js";
import { botName, loadTitle, seatName, speak, t, timeName } from "../words.js";

/** @typedef {import("./model.js").Model} Model */
/** @typedef {import("./model.js").Table} Table */
/** @typedef {import("./model.js").Peace} Peace */
/** @typedef {{n: number, room: string, name: string, text: string, at: number, seat?: number, to?: number,
 *   excuse?: string, stand_in?: string} &
 *   Partial<Peace>} Line */

/** What a line says of a peace. @param {Table} table @param {Peace} peace */
export function peaceLine(table, peace) {
  const other = peace.by === peace.to ? peace.seat : peace.to;
  const called = (/** @type {number} */ seat) => seatName(table.seats[seat]);
  const says = t(`peace.${peace.state}`, {
    name: called(peace.by ?? peace.seat),
    other: called(other),
    n: peace.rounds,
    first: peace.first,
    last: peace.last,
    round: peace.round,
  });
  return peace.why ? `${says} ${speak(`peace.${peace.why}`)}` : says;
}

/** What somebody says; a bot that has failed says so in the reader's language. @param {Line} line */
function said(line) {
  if (!line.excuse) return line.text;
  const next = line.stand_in ? t("bot.stands_in", { bot: botName(line.stand_in) }) : t("bot.drawn");
  return `${t(`bot.${line.excuse}`)} ${next}`;
}

export class Talk {
  /**
   * @param {Model} model
   * @param {{bargain: (to: number, first: string) => import("./deal.js").Bargain | null,
   *   play: (actions: string[]) => Promise<boolean>}} on
   */
  constructor(model, on) {
    this.model = model;
    this.on = on;
    this.hasPeace = false;
    this.lines = h("ol.lines", { "aria-label": t("chat") });
    this.to = /** @type {HTMLSelectElement} */ (h("select.to", { "aria-label": t("talk.to"), hidden: true }));
    this.input = /** @type {HTMLInputElement} */ (
      h("input", {
        type: "text",
        maxlength: 500,
        placeholder: t("chat.say"),
        "aria-label": t("chat.say"),
        autocomplete: "off",
      })
    );
    this.peace = h(
      "button.secondary.peace",
      { type: "button", hidden: true, onclick: () => this.negotiate() },
      icon("olive"),
      t("deal"),
    );
    this.form = h(
      "form.say",
      { onsubmit: (/** @type {Event} */ e) => this.say(e) },
      this.to,
      this.input,
      h("button.primary", { type: "submit" }, t("chat.send")),
    );
    this.key = "";
  }

  /** What was said so far. */
  async load() {
    const { model } = this;
    if (!model.table) return;
    this.hasPeace = (await loadTitle(model.table.title)).peace;
    const told = await get(`/api/matches/${encodeURIComponent(model.id)}/chat`);
    model.takePeace(told.peace ?? []);
    fillWith(
      this.lines,
      told.lines.map((/** @type {Line} */ line) => this.lineOf(line)),
    );
    this.refresh();
    this.lines.scrollTop = this.lines.scrollHeight;
    if (model.peace.size) model.tell("table"); // it stands on the plates
  }

  /** @param {Line} line */
  hear(line) {
    this.lines.append(this.lineOf(line));
    const from = line.room === "pair" && !line.peace ? line.seat : undefined;
    const answered = from !== undefined && !this.model.yours.includes(from);
    if (answered && !this.input.value && !this.to.hidden) this.to.value = String(from); // the answer is for them
    this.lines.scrollTop = this.lines.scrollHeight;
    this.refresh();
  }

  /** The people at other seats, to whom one can speak alone. */
  others() {
    const { table, yours } = this.model;
    if (!table || !yours.length || table.same_screen) return [];
    return table.seats.filter((seat) => seat.kind === "person" && !yours.includes(seat.seat));
  }

  /** To whom one can speak, and what of the offers is still open. */
  refresh() {
    const { model } = this;
    const others = this.others();
    const open = [...model.peace.values()].filter((one) => one.state === "offered").map((one) => one.peace);
    const people = others.map((seat) => [seat.seat, seatName(seat)]);
    const partners = this.partners().length;
    const key = JSON.stringify([people, open, partners, model.table?.state, this.hasPeace]);
    if (key === this.key) return;
    this.key = key;
    const wanted = this.to.value;
    this.to.hidden = !others.length || (model.table?.seats.length ?? 0) < 3;
    fillWith(this.to, [
      h("option", { value: "" }, t("talk.all")),
      ...others.map((seat) =>
        h("option", { value: String(seat.seat) }, t("talk.alone", { name: seatName(seat) })),
      ),
    ]);
    this.to.value = others.some((seat) => String(seat.seat) === wanted) ? wanted : "";
    this.peace.hidden = !this.givesPeace || !this.partners().length;
    for (const buttons of this.lines.querySelectorAll("[data-offer]"))
      if (!open.includes(Number(buttons.getAttribute("data-offer")))) buttons.remove();
  }

  /** @param {Event} e */
  async say(e) {
    e.preventDefault();
    const text = this.input.value.trim();
    if (!text) return;
    const alone = this.to.value === "" ? {} : { to: Number(this.to.value), seat: this.model.eye };
    const answer = await this.model.link.ask("chat", { text, ...alone });
    if (answer.ok) this.input.value = "";
  }

  // -- peace --------------------------------------------------------------------------------------------

  /** With whom there is something to negotiate. */
  partners() {
    const { table, yours } = this.model;
    if (!table || !yours.length || table.state !== "running") return [];
    return table.seats.filter((seat) => !yours.includes(seat.seat) && seat.status === "playing");
  }

  /** Peace is given between those who are not at one screen. */
  get givesPeace() {
    return this.hasPeace && !this.model.table?.same_screen;
  }

  /**
   * Negotiate; a counter-offer goes to whoever has offered.
   * @param {{to?: number, first?: string, answers?: Peace}} [wish] see deal.js
   */
  async negotiate(wish = {}) {
    const { to } = wish;
    const seats = this.partners().filter((seat) => to === undefined || seat.seat === to);
    if (!seats.length) return;
    const open = [...this.model.peace.values()].find(
      (one) => one.state === "offered" && one.deal && one.seat === to && this.model.yours.includes(one.to),
    );
    const answers = wish.answers ?? (wish.first === "counter" ? open : undefined);
    const { openDeal } = await import("./deal.js");
    openDeal({
      ...wish,
      seats,
      answers,
      peace: this.givesPeace,
      bargain: this.on.bargain,
      send: (whom, rounds, actions) => this.propose(whom, rounds, actions, answers),
    });
  }

  /**
   * Offer a deal; what is wrong with it, or "".  Peace that goes with what the game offers is known to the
   * other before that is.
   * @param {number} to @param {number} rounds @param {string[]} actions @param {Peace} [answers]
   */
  async propose(to, rounds, actions, answers) {
    const { link, eye } = this.model;
    const deal = actions.length > 0;
    let n = 0;
    if (rounds) {
      const counters = answers ? { answers: answers.peace } : {};
      const answer = await link.ask("peace", { to, rounds, deal, seat: eye, ...counters });
      if (!answer.ok) return t(answer.error === "lost" ? "offline" : "peace.failed");
      n = answer.n;
    } else if (answers) await this.answer(answers, false);
    if (!deal || (await this.on.play(actions))) return "";
    if (n) await link.ask("answer_peace", { offer: n, yes: false });
    return t("peace.failed");
  }

  /** @param {Peace} peace @param {boolean} yes */
  answer(peace, yes) {
    return this.model.link.ask("answer_peace", { offer: peace.peace, yes });
  }

  /**
   * What one can say to an offer, where it is for me to say.
   * @param {Peace} peace @returns {[string, () => void][]}
   */
  answersTo(peace) {
    if (peace.state !== "offered" || peace.deal) return [];
    if (this.model.yours.includes(peace.seat)) return [[t("deal.back"), () => this.answer(peace, false)]];
    if (!this.model.yours.includes(peace.to)) return [];
    return [
      [t("agree"), () => this.answer(peace, true)],
      [t("peace.counter"), () => this.negotiate({ to: peace.seat, answers: peace })],
      [t("refuse"), () => this.answer(peace, false)],
    ];
  }

  // -- lines --------------------------------------------------------------------------------------------

  /** @param {Line} line */
  lineOf(line) {
    const { table } = this.model;
    const peace = line.peace && table ? /** @type {Peace} */ (line) : null;
    const alone = line.room === "pair" && !peace && table && line.to !== undefined;
    const answers = peace ? this.answersTo(peace) : [];
    const bot = table?.seats.find((seat) => seat.kind === "bot" && seat.name === line.name);
    return h(
      `li.in-${line.room}${peace ? ".peaceline" : ""}`,
      null,
      peace ? icon("olive") : h("b", null, bot ? seatName(bot) : line.name),
      alone ? h("small", null, " → ", seatName(table.seats[Number(line.to)])) : null,
      " ",
      h("span", null, peace && table ? peaceLine(table, peace) : said(line)),
      h("time", null, timeName(line.at * 1000)),
      answers.length
        ? h(
            "span.answers",
            { "data-offer": String(peace?.peace) },
            answers.map(([label, work]) => h("button.small", { type: "button", onclick: work }, label)),
          )
        : null,
    );
  }
}
