/** What players say: to all at the table, to one alone, and their word of peace. */

import { get } from "../api.js";
import { fillWith, h, icon } from "../dom.js";
import { loadTitle, seatName, t } from "../words.js";
import { dialog } from "./info.js";

/** @typedef {import("./model.js").Model} Model */
/** @typedef {import("./model.js").Table} Table */
/** @typedef {import("./model.js").Peace} Peace */
/** @typedef {{n: number, room: string, name: string, text: string, at: number, seat?: number, to?: number} &
 *   Partial<Peace>} Line */

const MOST_ROUNDS = 20;

/** What a line says of a peace. @param {Table} table @param {Peace} peace */
export function peaceLine(table, peace) {
  const other = peace.by === peace.to ? peace.seat : peace.to;
  const called = (/** @type {number} */ seat) => seatName(table.seats[seat]);
  return t(`peace.${peace.state}`, {
    name: called(peace.by ?? peace.seat),
    other: called(other),
    n: peace.rounds,
    first: peace.first,
    last: peace.last,
    round: peace.round,
  });
}

export class Talk {
  /** @param {Model} model */
  constructor(model) {
    this.model = model;
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
      { type: "button", hidden: true, onclick: () => this.offer() },
      icon("olive"),
      t("peace.offer"),
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
    const key = JSON.stringify([people, open, model.table?.state, this.hasPeace]);
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
    this.peace.hidden = !this.hasPeace || !others.length || model.table?.state !== "running";
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

  /** Ask with whom and for how long; a counter-offer goes to whoever has offered. @param {Peace} [answers] */
  offer(answers) {
    const seats = this.others().filter((seat) => !answers || seat.seat === answers.seat);
    if (!seats.length) return;
    const whom = /** @type {HTMLSelectElement} */ (
      h(
        "select",
        { "aria-label": t("peace.with") },
        seats.map((seat) => h("option", { value: String(seat.seat) }, seatName(seat))),
      )
    );
    const rounds = /** @type {HTMLInputElement} */ (
      h("input", {
        type: "number",
        min: 1,
        max: MOST_ROUNDS,
        value: answers?.rounds ?? 3,
        "aria-label": t("peace.rounds"),
      })
    );
    const said = h("p.problem", { role: "alert" });
    const send = async (/** @type {Event} */ e) => {
      e.preventDefault();
      const answer = await this.model.link.ask("peace", {
        to: Number(whom.value),
        rounds: Number(rounds.value),
        seat: this.model.eye,
        ...(answers ? { answers: answers.peace } : {}),
      });
      if (answer.ok) sheet.close();
      else said.textContent = answer.error === "lost" ? t("offline") : t("peace.failed");
    };
    const sheet = dialog(t("peace.offer"), [
      h("p", null, t("peace.help")),
      h(
        "form.offerpeace",
        { onsubmit: send },
        h("label", null, t("peace.with"), whom),
        h("label", null, t("peace.rounds"), rounds),
        said,
        h("button.primary", { type: "submit" }, t("peace.send")),
      ),
    ]);
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
    if (peace.state !== "offered" || !this.model.yours.includes(peace.to)) return [];
    return [
      [t("agree"), () => this.answer(peace, true)],
      [t("peace.counter"), () => this.offer(peace)],
      [t("refuse"), () => this.answer(peace, false)],
    ];
  }

  // -- lines --------------------------------------------------------------------------------------------

  /** @param {Line} line */
  lineOf(line) {
    const { table } = this.model;
    const at = new Date(line.at * 1000).toLocaleTimeString(document.documentElement.lang, {
      hour: "2-digit",
      minute: "2-digit",
    });
    const peace = line.peace && table ? /** @type {Peace} */ (line) : null;
    const alone = line.room === "pair" && !peace && table && line.to !== undefined;
    const answers = peace ? this.answersTo(peace) : [];
    return h(
      `li.in-${line.room}${peace ? ".peaceline" : ""}`,
      null,
      peace ? icon("olive") : h("b", null, line.name),
      alone ? h("small", null, " → ", seatName(table.seats[Number(line.to)])) : null,
      " ",
      h("span", null, peace && table ? peaceLine(table, peace) : line.text),
      h("time", null, at),
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
