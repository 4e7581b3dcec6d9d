/** Choosing seats, options and a clock; the disputed rulings are folded away. */

import { get } from "../api.js";
import { fillWith, h, icon } from "../dom.js";
import { optionValue } from "../match/menu.js";
import { pageHeader } from "../shell.js";
import { startMatch } from "../start.js";
import { picture } from "../titles/pictures.js";
import { botName, lang, loadTitle, t } from "../words.js";
import { span } from "./home.js";

const CLOCKS = [
  ["none", 0, 0],
  ["match", 900, 10],
  ["match", 1800, 20],
  ["move", 120, 0],
  ["move", 86400, 0],
  ["move", 259200, 0],
];

/** @param {HTMLElement} host @param {string} name */
export async function setupPage(host, name) {
  const { titles } = await get(`/api/titles?lang=${lang()}`);
  if (!(name in titles)) {
    nothing(host);
    return {};
  }
  const title = await loadTitle(name);
  document.title = `${title.name} – Ludus`;
  const bots = title.bots;
  /** @type {Record<string, string | number>} */
  const options = {};
  const chairs = h("ol.chairs");
  let count = Math.min(...title.seats);
  /** @type {string[]} */
  let wishes = ["me", ...Array.from({ length: 11 }, () => `bot:${bots[Math.min(1, bots.length - 1)]}`)];
  const choices = [
    ["me", t("seat.me")],
    ...bots.map((bot) => [`bot:${bot}`, t("seat.bot", { bot: botName(bot) })]),
    ["link", t("seat.link")],
    ["open", t("seat.open")],
    ["screen", t("seat.screen")],
  ];
  const showChairs = () =>
    fillWith(
      chairs,
      Array.from({ length: count }, (_, k) =>
        h(
          "li",
          null,
          icon("person"),
          h(
            "select",
            {
              "aria-label": t("seat", { seat: k + 1 }),
              onchange: (/** @type {Event} */ e) => {
                const value = /** @type {HTMLSelectElement} */ (e.target).value;
                if (value === "me") wishes = wishes.map((w) => (w === "me" ? "screen" : w));
                wishes[k] = value;
                showChairs();
              },
            },
            choices.map(([value, text]) => h("option", { value, selected: wishes[k] === value }, text)),
          ),
        ),
      ),
    );
  showChairs();
  const clock = /** @type {HTMLSelectElement} */ (
    h(
      "select",
      { id: "clock" },
      CLOCKS.map(([kind, seconds, increment], k) =>
        h("option", { value: k }, clockName(String(kind), Number(seconds), Number(increment))),
      ),
    )
  );
  const isPublic = /** @type {HTMLInputElement} */ (h("input", { type: "checkbox", id: "public" }));
  const problem = h("p.problem", { role: "alert", hidden: true });
  const entries = Object.entries(title.options);
  /** @param {boolean} disputed */
  const fields = (disputed) =>
    entries.filter(([, o]) => o.disputed === disputed).map(([key, o]) => optionField(title, key, o, options));
  const start = async (/** @type {Event} */ e) => {
    e.preventDefault();
    problem.hidden = true;
    const [kind, seconds, increment] = CLOCKS[Number(clock.value)];
    const seats = wishes.slice(0, count).map((wish, k) => {
      if (wish.startsWith("bot:")) return { kind: "bot", bot: wish.slice(4) };
      return wish === "screen" ? { kind: wish, name: t("player", { n: k + 1 }) } : { kind: wish };
    });
    try {
      await startMatch(name, /** @type {any} */ (seats), {
        options,
        public: isPublic.checked,
        clock: { kind: String(kind), seconds: Number(seconds), increment: Number(increment) },
      });
    } catch (error) {
      problem.textContent = /** @type {Error} */ (error).message;
      problem.hidden = false;
    }
  };
  const disputed = fields(true);
  fillWith(
    host,
    pageHeader(null),
    h(
      "main.setup",
      { id: "main" },
      h(
        "div.banner",
        null,
        picture(title),
        h(
          "div",
          null,
          h("h1", null, title.name),
          h("p", null, title.blurb),
          h("p.meta", null, t("seats", { n: span(title.seats) })),
        ),
      ),
      h(
        "form",
        { onsubmit: start },
        h(
          "section",
          null,
          h("h2", null, t("setup.seats")),
          title.seats.length > 1
            ? h(
                "label.field",
                null,
                t("setup.count"),
                h(
                  "select",
                  {
                    onchange: (/** @type {Event} */ e) => {
                      count = Number(/** @type {HTMLSelectElement} */ (e.target).value);
                      showChairs();
                    },
                  },
                  title.seats.map((n) => h("option", { value: n, selected: n === count }, n)),
                ),
              )
            : null,
          chairs,
        ),
        entries.length
          ? h(
              "section",
              null,
              h("h2", null, t("options")),
              fields(false),
              disputed.length
                ? h(
                    "details",
                    null,
                    h("summary", null, t("disputed")),
                    h("p.help", null, t("disputed.help")),
                    disputed,
                  )
                : null,
            )
          : null,
        h(
          "section",
          null,
          h("h2", null, t("setup.more")),
          h("label.field", { for: "clock" }, t("clock"), clock),
          h(
            "label.check",
            { for: "public" },
            isPublic,
            h("span", null, t("public")),
            h("small.help", null, t("public.help")),
          ),
        ),
        problem,
        h("div.actions", null, h("button.primary.big", { type: "submit" }, icon("play"), t("begin"))),
      ),
    ),
  );
  return {};
}

/**
 * @param {import("../words.js").Title} title @param {string} key @param {import("../words.js").Option} option
 * @param {Record<string, string | number>} chosen
 */
function optionField(title, key, option, chosen) {
  const id = `option-${key}`;
  return h(
    "div.field",
    null,
    h("label", { for: id }, option.name),
    h(
      "select",
      {
        id,
        "aria-describedby": `${id}-help`,
        onchange: (/** @type {Event} */ e) => {
          chosen[key] = option.values[/** @type {HTMLSelectElement} */ (e.target).selectedIndex];
        },
      },
      option.values.map((value) =>
        h("option", { value, selected: value === option.default }, optionValue(title, key, value)),
      ),
    ),
    h("small.help", { id: `${id}-help` }, option.help),
  );
}

/** @param {string} kind @param {number} seconds @param {number} increment */
function clockName(kind, seconds, increment) {
  if (kind === "none") return t("clock.none");
  if (seconds >= 86400) return t(`clock.${kind}.days`, { n: seconds / 86400 });
  return t(`clock.${kind}`, { n: seconds / 60, more: increment });
}

/** @param {HTMLElement} host */
export function nothing(host) {
  document.title = "Ludus";
  fillWith(
    host,
    pageHeader(null),
    h(
      "main.plainpage",
      { id: "main" },
      h(
        "div.nothing",
        null,
        h("h1", null, t("gone.title")),
        h("p", null, t("gone")),
        h("a.button.primary", { href: "/", "data-go": "" }, t("home")),
      ),
    ),
  );
}
