/** Choosing seats, options and a clock; the disputed rulings are folded away. */

import { get, whoAmI } from "../api.js";
import { fillWith, h, icon } from "../dom.js";
import { clockName } from "../match/house.js";
import { needsAccount } from "../match/rated.js";
import { lessonLine } from "../learning.js";
import { puzzleButton } from "../puzzles.js";
import { remember } from "../settings.js";
import { pageHeader } from "../shell.js";
import { startMatch } from "../start.js";
import { picture } from "../titles/pictures.js";
import {
  botHelp,
  botName,
  chosenLevel,
  gameOf,
  lang,
  loadTitle,
  matchName,
  optionValue,
  rulesOf,
  sideOf,
  t,
  unevenSides,
} from "../words.js";
import { span } from "./home.js";

/** @type {[string, number, number][]} */
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
  /** @type {Record<string, string | number>} */
  const options = asked(title);
  document.title = `${matchName(title, options)} – Ludus`;
  /** @type {Record<number, string>} what those at the screen are called */
  const called = {};
  const game = gameOf(title, options);
  const chairs = h("ol.chairs");
  const uneven = h("p.help.uneven");
  let count = Math.min(...title.seats);
  /** @type {string[]} */
  const wishes = ["me", ...Array.from({ length: 11 }, () => `bot:${chosenLevel(name, title)}`)];
  const choices = [
    ["me", t("seat.me")],
    ...title.levels.map((bot) => [`bot:${bot}`, t("seat.bot", { bot: botName(bot) })]),
    ["link", t("seat.link")],
    ["open", t("seat.open")],
    ["screen", t("seat.screen")],
  ];
  const rated = /** @type {HTMLInputElement} */ (
    h("input", { type: "checkbox", id: "rated", onchange: () => rate() })
  );
  const showChairs = () => {
    uneven.textContent = rated.checked ? t("rated.lot") : unevenSides(title, options);
    fillWith(
      chairs,
      Array.from({ length: count }, (_, k) =>
        h(
          "li",
          null,
          icon(wishes[k].startsWith("bot:") ? "bot" : "person"),
          h(
            "label.whose",
            { for: `seat-${k}` },
            rated.checked ? t("player", { n: k + 1 }) : sideOf(title, options, k),
          ),
          h(
            "select",
            {
              id: `seat-${k}`,
              onchange: (/** @type {Event} */ e) => {
                const value = /** @type {HTMLSelectElement} */ (e.target).value;
                const mine = wishes.indexOf("me");
                if (value === "me" && mine >= 0) wishes[mine] = wishes[k]; // we change places
                wishes[k] = value;
                if (value.startsWith("bot:")) remember(`bot.${name}`, value.slice(4));
                showChairs();
              },
            },
            choices
              .filter(([value]) => !rated.checked || (k ? ["link", "open"] : ["me"]).includes(value))
              .map(([value, text]) => h("option", { value, selected: wishes[k] === value }, text)),
          ),
          wishes[k] === "screen" ? nameField(called, k) : null,
          wishes[k].startsWith("bot:") ? h("small.help", null, botHelp(wishes[k].slice(4))) : null,
        ),
      ),
    );
  };
  showChairs();
  const clock = /** @type {HTMLSelectElement} */ (
    h(
      "select",
      { id: "clock" },
      CLOCKS.map(([kind, seconds, increment], k) =>
        h("option", { value: k }, clockName({ kind, seconds, increment })),
      ),
    )
  );
  const isPublic = /** @type {HTMLInputElement} */ (h("input", { type: "checkbox", id: "public" }));
  const hints = /** @type {HTMLInputElement} */ (h("input", { type: "checkbox", id: "hints" }));
  const people = /** @type {HTMLSelectElement} */ (
    h(
      "select",
      {
        onchange: () => {
          count = Number(people.value);
          showChairs();
        },
      },
      title.seats.map((n) => h("option", { value: n, selected: n === count }, n)),
    )
  );
  /** Two people with a clock, and no help. */
  const rate = () => {
    hints.disabled = people.disabled = clock.options[0].disabled = rated.checked;
    if (rated.checked) {
      hints.checked = false;
      people.value = "2";
      count = 2;
      wishes[0] = "me";
      if (!["link", "open"].includes(wishes[1])) wishes[1] = "link";
      if (clock.value === "0") clock.value = "1";
    }
    showChairs();
  };
  const forAccounts = h("div");
  whoAmI()
    .then((me) => {
      rated.disabled = !me.account;
      if (!me.account) fillWith(forAccounts, needsAccount());
    })
    .catch(() => undefined);
  const problem = h("p.problem", { role: "alert", hidden: true });
  const entries = Object.entries(title.options);
  /** @param {boolean} disputed */
  const fields = (disputed) =>
    entries
      .filter(([, o]) => o.disputed === disputed)
      .map(([key, o]) => optionField(title, key, o, options, showChairs));
  const start = async (/** @type {Event} */ e) => {
    e.preventDefault();
    problem.hidden = true;
    const [kind, seconds, increment] = CLOCKS[Number(clock.value)];
    const seats = wishes.slice(0, count).map((wish, k) => {
      if (wish.startsWith("bot:")) return { kind: "bot", bot: wish.slice(4) };
      return wish === "screen"
        ? { kind: wish, name: called[k] || t("player", { n: k + 1 }) }
        : { kind: wish };
    });
    try {
      await startMatch(name, /** @type {any} */ (seats), {
        options,
        public: isPublic.checked,
        hints: hints.checked,
        rated: rated.checked,
        clock: { kind, seconds, increment },
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
          h("h1", null, matchName(title, options)),
          h("p", null, game?.blurb ?? title.blurb),
          h("p.meta", null, t("seats", { n: span(title.seats) })),
          h(
            "a.button.plain.rulebook",
            { href: rulesOf(name, Object.values(game?.options ?? {}).join("-")), target: "_blank" },
            icon("book"),
            t("rules"),
          ),
          h(
            "a.button.plain",
            { href: `/positions/${name}`, "data-go": "" },
            icon("swap"),
            t("position.make"),
          ),
        ),
      ),
      h(
        "form",
        { onsubmit: start },
        game ? null : lessonLine(name, title, true),
        game ? null : puzzleButton(name, title),
        h(
          "section",
          null,
          h("h2", null, t("setup.seats")),
          title.seats.length > 1 ? h("label.field", null, t("setup.count"), people) : null,
          chairs,
          uneven,
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
          h(
            "label.check",
            { for: "hints" },
            hints,
            h("span", null, t("hints.allow")),
            h("small.help", null, t("hints.allow.help")),
          ),
          title.seats.includes(2)
            ? h(
                "label.check",
                { for: "rated" },
                rated,
                h("span", null, t("rated")),
                h("small.help", null, t("rated.help")),
              )
            : null,
          title.seats.includes(2) ? forAccounts : null,
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
 * @param {Record<string, string | number>} chosen @param {() => void} changed
 */
function optionField(title, key, option, chosen, changed) {
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
          changed();
        },
      },
      option.values.map((value) =>
        h(
          "option",
          { value, selected: value === (chosen[key] ?? option.default) },
          optionValue(title, key, value),
        ),
      ),
    ),
    h("small.help", { id: `${id}-help` }, option.help),
  );
}

/**
 * The options that the link asks for.
 * @param {import("../words.js").Title} title
 */
function asked(title) {
  /** @type {Record<string, string | number>} */
  const found = {};
  for (const [name, given] of new URLSearchParams(location.search)) {
    const value = title.options[name]?.values.find((v) => String(v) === given);
    if (value !== undefined) found[name] = value;
  }
  return found;
}

/** @param {Record<number, string>} called @param {number} seat */
function nameField(called, seat) {
  const field = /** @type {HTMLInputElement} */ (
    h("input", {
      type: "text",
      maxlength: 40,
      autocomplete: "off",
      "aria-label": t("seat.name", { n: String(seat + 1) }),
      placeholder: t("player", { n: seat + 1 }),
      value: called[seat] ?? "",
      oninput: () => (called[seat] = field.value.trim()),
    })
  );
  return field;
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
