/**
 * Everything that can be set in a position, as rows of steppers and lists; made from the layout's
 * description.
 */

import { h, icon } from "../dom.js";
import { kindName } from "../match/bar.js";
import { t } from "../words.js";

/** @typedef {{name: string, called: string, shape: number[], axes: string[], holds: string, heap: boolean,
 * low: number,
 *   high: number}} Field */
/** @typedef {{title: string, seats: number, options: Record<string, any>, position: string, values:
 * Record<string, any>,
 *   wrong: {reason: string, field: string} | null, view: any, eye: number, to_move: any, fields: Field[],
 *   names: Record<string, {id: string, name: string}[]>}} Told */
/** @typedef {{field: Field, at: number[]}} Cell one number of a field */

const FEW = 9; // cells that are shown without being asked for
const MANY = 90; // of one place
const NOBODY = -1;

/** @param {string} text */
const capital = (text) => text.charAt(0).toUpperCase() + text.slice(1);

export class Cells {
  /** @param {import("./position.js").PositionPage} page */
  constructor(page) {
    this.page = page;
    this.told = /** @type {Told} */ (page.told);
  }

  // -- names --------------------------------------------------------------------------------------------

  /** What a place of an axis is called. @param {string} group @param {number} place */
  axisName(group, place) {
    if (group === "seat") return this.page.seatName(place);
    return this.told.names[group]?.[place]?.name || (group === "-" ? String(place + 1) : String(place));
  }

  /** How many places of an axis there are. @param {Field} field @param {number} axis */
  size(field, axis) {
    const group = field.axes[axis];
    const most = group === "seat" ? this.told.seats : (this.told.names[group]?.length ?? field.shape[axis]);
    return Math.min(field.shape[axis], most);
  }

  /** @param {Cell} cell */
  path({ field, at }) {
    const words = at.map((place, axis) => this.told.names[field.axes[axis]]?.[place]?.id || String(place));
    return [field.name, ...words].join(".");
  }

  /** @param {Cell} cell @returns {number} */
  value({ field, at }) {
    return at.reduce((value, place) => value[place], this.told.values[field.name]);
  }

  /**
   * All numbers of a field, with some axes given.
   * @param {Field} field @param {Map<number, number>} [fixed] axis and place
   */
  cellsOf(field, fixed = new Map()) {
    /** @type {number[][]} */
    let found = [[]];
    field.shape.forEach((_, axis) => {
      const place = fixed.get(axis);
      const places =
        place === undefined ? Array.from({ length: this.size(field, axis) }, (_, n) => n) : [place];
      found = found.flatMap((at) => places.map((n) => [...at, n]));
    });
    return found.map((at) => ({ field, at }));
  }

  // -- places -------------------------------------------------------------------------------------------

  /** What a thing on the board stands for here: "GROUP:PLACE", "field:NAME", or "". @param {string} id */
  placeOf(id) {
    const [kind, rest = ""] = id.split(/:(.*)/s);
    const whole = rest.split("@").at(-1) ?? "";
    const tokens = [rest, whole, ...rest.split(/[@ ]/)].filter(Boolean);
    if (kind === "seat" && Number(rest) < this.told.seats) return `seat:${Number(rest)}`;
    const board = this.told.fields.find((field) => field.name === kind && field.axes.length === 2);
    const [row, column] = rest.split("-");
    if (board && column !== undefined) {
      const at = [row, column].map((word, axis) =>
        this.told.names[board.axes[axis]]?.findIndex((one) => one.id === word),
      );
      if (at.every((n) => n !== undefined && n >= 0)) return `cell:${board.name}.${at.join(".")}`;
    }
    for (const token of tokens)
      for (const [group, names] of Object.entries(this.told.names)) {
        const place = names.findIndex((one) => one.id === token);
        if (place >= 0 && this.counts(group) && (group === kind || !/^\d+$/.test(token)))
          return `${group}:${place}`;
      }
    return this.told.fields.some((field) => field.name === kind) ? `field:${kind}` : "";
  }

  /** Whether an axis of any field counts these things. @param {string} group */
  counts(group) {
    return this.told.fields.some((field) => field.axes.includes(group));
  }

  /** The cells of a place. @param {string} place @returns {Cell[]} */
  cellsAt(place) {
    const [group, which] = place.split(":");
    if (group === "field") {
      const field = this.told.fields.find((one) => one.name === which);
      return field ? this.cellsOf(field) : [];
    }
    if (group === "cell") {
      const [name, ...at] = which.split(".");
      const field = this.told.fields.find((one) => one.name === name);
      return field ? [{ field, at: at.map(Number) }] : [];
    }
    return this.told.fields
      .filter((field) => field.called && field.axes.includes(group))
      .flatMap((field) => this.cellsOf(field, new Map([[field.axes.lastIndexOf(group), Number(which)]])));
  }

  /** @param {string} place */
  nameOf(place) {
    const [group, which] = place.split(":");
    if (group === "field") return this.page.called(which);
    if (group === "cell") {
      const [name, ...at] = which.split(".");
      const field = /** @type {Field} */ (this.told.fields.find((one) => one.name === name));
      return at.map((n, axis) => this.axisName(field.axes[axis], Number(n))).join(" ");
    }
    return this.axisName(group, Number(which));
  }

  // -- rows ---------------------------------------------------------------------------------------------

  sections() {
    const { fields } = this.told;
    const named = fields.filter((field) => field.called);
    const single = named.filter((field) => !field.shape.length || field.axes[0] === "-");
    const seated = named.filter((field) => field.axes[0] === "seat" && field.axes.length < 3);
    const others = named.filter(
      (field) => field.axes.length === 1 && !single.includes(field) && !seated.includes(field),
    );
    const rest = fields.filter((field) => !field.called);
    return [
      this.place(),
      this.section(t("position.turn"), single, true),
      ...Array.from({ length: this.told.seats }, (_, seat) =>
        this.section(this.page.seatName(seat), seated, false, new Map([[0, seat]])),
      ),
      others.length ? this.section(t("position.board"), others) : null,
      rest.length ? this.section(t("position.rest"), rest, false, undefined, t("position.rest.help")) : null,
    ];
  }

  /** A place of the board, picked there or in a list. */
  place() {
    const { picked } = this.page;
    const groups = Object.keys(this.told.names).filter((group) => this.counts(group) && this.named(group));
    const list = h(
      "select",
      {
        "aria-label": t("position.pick"),
        onchange: (/** @type {Event} */ e) =>
          this.page.choose(/** @type {HTMLSelectElement} */ (e.target).value),
      },
      h("option", { value: "" }, t("position.pick")),
      groups.map((group) =>
        h(
          "optgroup",
          { label: capital(kindName(/** @type {any} */ (this.page.title), group)) },
          this.told.names[group].map(({ name }, place) =>
            name
              ? h("option", { value: `${group}:${place}`, selected: picked === `${group}:${place}` }, name)
              : null,
          ),
        ),
      ),
    );
    const cells = picked ? this.cellsAt(picked).slice(0, MANY) : [];
    return h(
      "section.picked",
      null,
      list,
      picked ? h("h2", null, this.nameOf(picked)) : null,
      this.rows(
        cells,
        picked.startsWith("field:") || picked.startsWith("cell:") ? "" : picked.split(":")[0],
        true,
      ),
    );
  }

  /** Whether fields that have a name count these things. @param {string} group */
  named(group) {
    return this.told.fields.some((field) => field.called && field.axes.includes(group));
  }

  /**
   * @param {string} head @param {Field[]} fields @param {boolean} [open] @param {Map<number, number>} [fixed]
   * @param {string} [help] what they are
   */
  section(head, fields, open = false, fixed = undefined, help = "") {
    const key = `open ${head}`;
    const kept = (this.page.unfolded ??= new Map());
    return h(
      "details.posgroup",
      {
        open: kept.get(key) ?? open,
        ontoggle: (/** @type {Event} */ e) =>
          kept.set(key, /** @type {HTMLDetailsElement} */ (e.target).open),
      },
      h("summary", null, head),
      help ? h("p.help", null, help) : null,
      fields.flatMap((field) => this.rows(this.cellsOf(field, fixed), fixed ? "seat" : "", false)),
    );
  }

  /**
   * Cells, each field under its name; of many only those that hold something, with a list to add others.
   * @param {Cell[]} cells @param {string} given the axis that need not be named @param {boolean} all
   */
  rows(cells, given, all) {
    /** @type {Map<Field, Cell[]>} */
    const byField = new Map();
    for (const cell of cells) byField.set(cell.field, [...(byField.get(cell.field) ?? []), cell]);
    return [...byField].map(([field, some]) => {
      const shown =
        some.length <= FEW || (all && some.length <= 2 * FEW)
          ? some
          : some.filter((cell) => !this.isEmpty(cell));
      const hidden = some.filter((cell) => !shown.includes(cell));
      return h(
        `fieldset.posfield${some.length === 1 && !this.cellName(some[0], given) ? ".single" : ""}`,
        null,
        h("legend", null, this.page.called(field.name)),
        shown.map((cell) => this.row(cell, given)),
        hidden.length ? this.adder(hidden, given) : null,
      );
    });
  }

  /** @param {Cell} cell */
  isEmpty(cell) {
    const value = this.value(cell);
    return value === NOBODY || (value === 0 && cell.field.holds !== "seat");
  }

  /** What tells a cell from the others of its field. @param {Cell} cell @param {string} given */
  cellName({ field, at }, given) {
    const last = field.axes.lastIndexOf(given);
    return at
      .map((place, axis) =>
        axis === last || (field.axes[axis] === "-" && at.length === 1)
          ? ""
          : this.axisName(field.axes[axis], place),
      )
      .filter(Boolean)
      .join(" · ");
  }

  /** @param {Cell} cell @param {string} given */
  row(cell, given) {
    const name = this.cellName(cell, given);
    return h(
      "label.poscell",
      null,
      h("span", null, name),
      this.control(cell, name || this.page.called(cell.field.name)),
    );
  }

  /** @param {Cell} cell @param {string} label */
  control(cell, label) {
    const { holds } = cell.field;
    if (holds === "seat" || this.told.names[holds]) return this.list(cell, label);
    return this.stepper(cell, label);
  }

  /** @param {Cell} cell @param {string} label */
  list(cell, label) {
    const { field } = cell;
    const value = this.value(cell);
    const names =
      field.holds === "seat"
        ? Array.from({ length: this.told.seats }, (_, seat) => ({ id: "", name: this.page.seatName(seat) }))
        : this.told.names[field.holds];
    const choose = (/** @type {Event} */ e) => {
      const chosen = Number(/** @type {HTMLSelectElement} */ (e.target).value);
      this.page.set(this.path(cell), names[chosen]?.id || chosen);
    };
    return h(
      "select",
      { "aria-label": label, "data-path": this.path(cell), onchange: choose },
      field.shape.length || value === NOBODY
        ? h("option", { value: NOBODY, selected: value === NOBODY }, "–")
        : null,
      names.map(({ id, name }, n) =>
        h("option", { value: n, selected: n === value }, id === "none" ? "–" : name),
      ),
    );
  }

  /** @param {Cell} cell @param {string} label */
  stepper(cell, label) {
    const value = this.value(cell);
    const { low, high } = cell.field;
    const put = (/** @type {number} */ n) =>
      this.page.set(this.path(cell), Math.max(low, Math.min(high, Math.trunc(n) || 0)));
    const button = (/** @type {string} */ sign, /** @type {number} */ by) =>
      h(
        "button.round.small",
        {
          type: "button",
          "aria-label": `${label} ${by > 0 ? "+" : "−"}1`,
          disabled: by > 0 ? value >= high : value <= Math.min(0, low + 1),
          onclick: () => put(value + by),
        },
        icon(sign),
      );
    return h(
      "span.posstep",
      null,
      button("minus", -1),
      h("input", {
        type: "number",
        inputmode: "numeric",
        min: low,
        max: high,
        value,
        "aria-label": label,
        "data-path": this.path(cell),
        onchange: (/** @type {Event} */ e) => put(Number(/** @type {HTMLInputElement} */ (e.target).value)),
      }),
      button("plus", 1),
    );
  }

  /**
   * A list of what is not there yet: the first of it is put there.
   * @param {Cell[]} cells @param {string} given
   */
  adder(cells, given) {
    const add = (/** @type {Event} */ e) => {
      const cell = cells[Number(/** @type {HTMLSelectElement} */ (e.target).value)];
      if (!cell) return;
      const { holds } = cell.field;
      if (holds) this.page.choose(`cell:${cell.field.name}.${cell.at.join(".")}`);
      else this.page.set(this.path(cell), 1);
    };
    return h(
      "select.posadd",
      { "aria-label": t("position.add"), onchange: add },
      h("option", { value: "" }, t("position.add")),
      cells.map((cell, n) => {
        const name = this.cellName(cell, given);
        return name && name !== "none" ? h("option", { value: n }, name) : null;
      }),
    );
  }
}
