/** The bar under the board: what is to be done, buttons for what the board does not show, numbers, undo. */

import { fillWith, h, icon } from "../dom.js";
import { hasWord, labelOf, t } from "../words.js";
import { amountsOf, choicesUnder, partOf, splitTouch } from "./trie.js";

/** @typedef {import("./hands.js").Hands} Hands */
/** @typedef {import("../words.js").Title} Title */
/** @typedef {{name?: (kind: string, id: string) => string | null}} Naming */

const MANY = 40;
export const END = "button:end"; // ends the turn

export class Bar {
  /** @param {{undo: () => void}} on */
  constructor(on) {
    this.prompt = h("p.prompt", { id: "prompt" });
    this.hint = h("p.hint", { "aria-live": "polite" });
    this.buttons = h("div.buttons");
    this.undo = h(
      "button.round",
      { type: "button", "aria-label": t("undo"), title: `${t("undo")} (U)`, onclick: on.undo },
      icon("undo"),
    );
    this.listButton = h(
      "button.round",
      {
        type: "button",
        "aria-label": t("choices"),
        title: `${t("choices")} (C)`,
        "aria-expanded": "false",
        onclick: () => this.toggleList(),
      },
      icon("list"),
    );
    this.list = h("nav.choices", { "aria-label": t("choices") });
    this.el = h(
      "section.bar",
      { "aria-label": t("bar") },
      this.undo,
      h("div.say", null, this.prompt, this.hint),
      this.buttons,
      this.listButton,
      this.list,
    );
    /** @type {number | null} */
    this.amount = null;
  }

  /** Buttons for what is being watched, always in the same place. @param {HTMLElement} el */
  control(el) {
    this.listButton.before(el);
  }

  /** @param {boolean} [open] */
  toggleList(open = !this.list.classList.contains("open")) {
    this.list.classList.toggle("open", open);
    this.listButton.setAttribute("aria-expanded", String(open));
    if (open) /** @type {HTMLElement | null} */ (this.list.querySelector("button"))?.focus();
  }

  /** @param {string} text @param {boolean} yours */
  say(text, yours) {
    this.prompt.textContent = text;
    this.el.classList.toggle("yours", yours);
  }

  /** Whether it says what somebody here is to do. */
  get isYours() {
    return this.el.classList.contains("yours");
  }

  /** @param {string} text @param {boolean} [news] what has happened, not what is touched */
  tell(text, news = false) {
    this.hint.textContent = text;
    this.hint.classList.toggle("news", news);
  }

  /**
   * What can be done now.
   * @param {Hands} hands @param {Title} title @param {Naming} drawing
   * @param {HTMLElement | null} [aside] another button
   */
  offer(hands, title, drawing, aside = null) {
    const part = hands.busy ? null : partOf(hands.root, hands.path);
    const homeless = hands.homeless().filter((touch) => !part || !touch.startsWith("amount:"));
    const numbered = homeless.some((touch) => touch.startsWith("amount:")); // else the board has them
    const amounts = hands.busy || !numbered ? null : amountsOf(hands.node);
    /** @type {HTMLElement[]} */
    const kids = [];
    if (hands.begun && !hands.busy)
      kids.push(h("button.plain.cancel", { type: "button", onclick: () => hands.back() }, t("back")));
    else if (aside) kids.push(aside);
    if (amounts) kids.push(this.stepper(hands, amounts));
    if (part) kids.push(this.parts(hands, part));
    const others = (amounts ? homeless.filter((touch) => !touch.startsWith("amount:")) : homeless).sort(
      (a, b) => Number(a === END) - Number(b === END), // always in the same place
    );
    if (others.length > 12) kids.push(this.crowd(hands, others, title, drawing));
    else
      for (const touch of others)
        kids.push(this.button(hands, touch, title, drawing, hands.node.next.size === 1));
    fillWith(this.buttons, kids);
    this.buttons.hidden = !kids.length;
    this.fillList(hands, title, drawing);
  }

  /**
   * @param {Hands} hands @param {string} touch @param {Title} title @param {Naming} drawing
   * @param {boolean} [sole]
   */
  button(hands, touch, title, drawing, sole = false) {
    const strong = sole || ["button:default", "button:done", END].includes(touch);
    return h(
      `button${strong ? ".primary" : ".secondary"}`,
      {
        type: "button",
        "data-touch": touch,
        onclick: () => hands.touch(touch),
        onmouseenter: () => this.hoverOf(hands, touch),
        onfocus: () => this.hoverOf(hands, touch),
        onmouseleave: () => hands.on.hover(null, null),
      },
      touchName(hands, touch, title, drawing),
    );
  }

  /** @param {Hands} hands @param {string} touch */
  hoverOf(hands, touch) {
    const node = hands.node.next.get(touch);
    hands.on.hover(node?.choice ?? null, node ?? null);
  }

  /**
   * Many things that the board does not show, by kind.
   * @param {Hands} hands @param {string[]} touches @param {Title} title @param {Naming} drawing
   */
  crowd(hands, touches, title, drawing) {
    return h(
      "div.crowd",
      null,
      touches.map((touch) => this.button(hands, touch, title, drawing)),
    );
  }

  /** A number: buttons, digits and arrow keys work. @param {Hands} hands @param {number[]} amounts */
  stepper(hands, amounts) {
    const sorted = [...amounts].sort((a, b) => a - b);
    let at = sorted.indexOf(amounts[0]);
    const field = /** @type {HTMLInputElement} */ (
      h("input.number", {
        type: "number",
        inputmode: "numeric",
        min: sorted[0],
        max: sorted[sorted.length - 1],
        value: sorted[at],
        "aria-label": t("amount"),
      })
    );
    const go = h("button.primary.go", { type: "button", onclick: () => hands.touch(`amount:${sorted[at]}`) });
    const show = () => {
      field.value = String(sorted[at]);
      const choice = hands.node.next.get(`amount:${sorted[at]}`)?.choice ?? null;
      go.textContent = capital(choice?.say ?? t("ok"));
      hands.on.hover(choice, null);
    };
    /** @param {number} by */
    const step = (by) => {
      at = Math.max(0, Math.min(sorted.length - 1, at + by));
      show();
    };
    field.addEventListener("input", () => {
      const wanted = sorted.indexOf(Number(field.value));
      if (wanted >= 0) {
        at = wanted;
        go.textContent = capital(hands.node.next.get(`amount:${sorted[at]}`)?.choice?.say ?? t("ok"));
      }
    });
    field.addEventListener("keydown", (e) => {
      if (e.key === "Enter") go.click();
      if (e.key === "ArrowUp" || e.key === "ArrowDown") {
        e.preventDefault();
        step(e.key === "ArrowUp" ? 1 : -1);
      }
    });
    show();
    return h(
      "div.stepper",
      { role: "group", "aria-label": t("amount") },
      h("button.round", { type: "button", "aria-label": t("less"), onclick: () => step(-1) }, icon("minus")),
      field,
      h("button.round", { type: "button", "aria-label": t("more"), onclick: () => step(1) }, icon("plus")),
      go,
    );
  }

  /**
   * How many go along; where to is touched next.
   * @param {Hands} hands @param {{base: string[], all: number, numbers: number[], now: number}} part
   */
  parts(hands, { base, all, numbers, now }) {
    const at = numbers.indexOf(now);
    const go = (/** @type {number} */ k) => {
      const n = numbers[k];
      hands.step(n === all ? base : [...base, `amount:${n}`]);
    };
    const round = (/** @type {string} */ name, /** @type {string} */ label, /** @type {number} */ k) =>
      h(
        "button.round",
        { type: "button", "aria-label": label, disabled: !(k in numbers), onclick: () => go(k) },
        icon(name),
      );
    return h(
      "div.stepper.parts",
      { role: "group", "aria-label": t("amount") },
      round("minus", t("less"), at - 1),
      h("output", null, t("of", { n: now, all })),
      round("plus", t("more"), at + 1),
    );
  }

  /**
   * The same choices as a list, for screen readers and everybody who prefers words.
   * @param {Hands} hands @param {Title} title @param {Naming} drawing
   */
  fillList(hands, title, drawing) {
    const had = this.list.contains(document.activeElement);
    const all = hands.busy ? [] : distinct(choicesUnder(hands.root));
    const rows =
      all.length <= MANY
        ? all.map((choice) =>
            h(
              "li",
              null,
              h(
                "button",
                {
                  type: "button",
                  "data-action": choice.action,
                  onclick: () => hands.step(choice.touches),
                  onfocus: () => hands.on.hover(choice, null),
                },
                capital(choice.say),
              ),
            ),
          )
        : [...hands.node.next.keys()].map((touch) =>
            h(
              "li",
              null,
              h(
                "button",
                { type: "button", "data-pick": touch, onclick: () => hands.touch(touch) },
                touchName(hands, touch, title, drawing),
              ),
            ),
          );
    if (all.length > MANY && hands.begun)
      rows.unshift(h("li", null, h("button", { type: "button", onclick: () => hands.back() }, t("back"))));
    fillWith(
      this.list,
      h("h3", null, t("choices")),
      rows.length ? h("ol", null, rows) : h("p", null, t("nochoices")),
    );
    if (had) /** @type {HTMLElement | null} */ (this.list.querySelector("button"))?.focus();
  }
}

/** @param {Hands} hands @param {string} touch @param {Title} title @param {Naming} drawing */
export function touchName(hands, touch, title, drawing) {
  const node = hands.node.next.get(touch);
  if (node?.choice) return capital(node.choice.say);
  return capital(nameOf(touch, title, drawing));
}

/**
 * The name of a touch that is not the whole action.
 * @param {string} touch @param {Title} title @param {Naming} drawing
 */
export function nameOf(touch, title, drawing) {
  const [kind, id] = splitTouch(touch);
  const own = drawing.name?.(kind, id);
  if (own) return own;
  if (kind === "button")
    return title.words[`touch.${id}`] ?? title.words[`button.${id}`] ?? fillWord(title, id);
  if (kind === "amount" || kind === "steps") return id;
  const [thing, place] = id.split("@");
  const named = labelOf(title, kind, thing);
  if (!place) return /^\d+$/.test(named) ? `${kindName(title, kind)} ${named}` : named;
  const where = ["region", "area", "place"]
    .map((group) => title.words[`label.${group}.${place}`])
    .find(Boolean);
  return `${named} · ${where ?? place.replaceAll("_", " ")}`;
}

/** @param {Title} title @param {string} kind */
export function kindName(title, kind) {
  return title.words[`kind.${kind}`] ?? (hasWord(`kind.${kind}`) ? t(`kind.${kind}`) : kind);
}

/**
 * A button that leads further is called after its action, without what follows.
 * @param {Title} title @param {string} id
 */
function fillWord(title, id) {
  const text = title.words[`action.${id}`];
  return text ? text.replace(/\s*\{[^}]*\}\s*/g, " ").trim() || id : id.replaceAll("_", " ");
}

/** What can be reached in several ways is listed once. @param {import("./model.js").Choice[]} choices */
function distinct(choices) {
  const ways = choices.map(({ action, actions = [action], say }) => [say, ...actions].join("|"));
  return choices.filter((_, k) => ways.indexOf(ways[k]) === k);
}

/** @param {string} text */
export function capital(text) {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/**
 * Sentences in a row: what is said again and again is said once and counted.
 * @param {string[]} lines @returns {string[]}
 */
export function counted(lines) {
  /** @type {{line: string, times: number}[]} */
  const found = [];
  for (const line of lines.filter(Boolean)) {
    const last = found[found.length - 1];
    if (last?.line === line) last.times += 1;
    else found.push({ line, times: 1 });
  }
  return found.map(({ line, times }) => repeated(line, times));
}

/** A sentence that was said several times. @param {string} line @param {number} times */
export function repeated(line, times) {
  return times > 1 ? line.replace(/\.?$/, (stop) => ` (× ${times})${stop}`) : line;
}
