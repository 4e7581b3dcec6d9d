/** The first page: what can be played, my matches, open matches. */

import { get, whoAmI } from "../api.js";
import { fillWith, h, icon } from "../dom.js";
import { pageHeader } from "../shell.js";
import { remember, setting } from "../settings.js";
import { startMatch } from "../start.js";
import { picture } from "../titles/pictures.js";
import { botName, hasWord, seatName, spoken, t } from "../words.js";

/** @typedef {import("../words.js").Title} Title */

/** @param {HTMLElement} host */
export async function homePage(host) {
  document.title = "Ludus";
  const titles = h("section.titles", { "aria-label": t("titles") });
  const mine = h("section.list", { id: "mine", hidden: true });
  const open = h("section.list", { hidden: true });
  const live = h("section.list", { hidden: true });
  const problem = h("p.problem", { role: "alert", hidden: true });
  fillWith(
    host,
    pageHeader(null),
    h(
      "main.home",
      { id: "main" },
      h("div.hero", null, h("h1", null, "LVDVS"), h("p", null, t("tagline"))),
      problem,
      titles,
      h("div.lists", null, mine, open, live),
    ),
  );
  let closed = false;
  const [told] = await Promise.all([get(spoken("/api/titles")), whoAmI().catch(() => null)]);
  if (closed) return {};
  const order = Object.entries(told.titles);
  fillWith(
    titles,
    order.map(([name, title], k) => titleCard(name, /** @type {Title} */ (title), k === 0, problem)),
  );
  const names = Object.fromEntries(order.map(([name, title]) => [name, /** @type {Title} */ (title).name]));
  const refresh = async () => {
    if (closed || document.hidden) return;
    try {
      const [a, b, c, d] = await Promise.all([
        get("/api/matches"),
        get("/api/matches/open?limit=20"),
        get("/api/matches/live?limit=20"),
        get("/api/matches?finished=true&limit=8"),
      ]);
      list(mine, t("mine"), [...a.matches, ...d.matches], names, "");
      list(
        open,
        t("open"),
        b.matches.filter((/** @type {any} */ m) => !m.yours.length),
        names,
        "sit",
      );
      list(
        live,
        t("livematches"),
        c.matches.filter((/** @type {any} */ m) => !m.yours.length),
        names,
        "watch",
      );
      if (location.hash === "#mine") mine.scrollIntoView();
    } catch {
      // offline: what is shown stays
    }
  };
  refresh();
  const timer = window.setInterval(refresh, 8000);
  return {
    close: () => {
      closed = true;
      clearInterval(timer);
    },
  };
}

/** @param {string} name @param {Title} title @param {boolean} first @param {HTMLElement} problem */
function titleCard(name, title, first, problem) {
  const bots = title.bots;
  const wanted = setting(`bot.${name}`, bots.length > 1 ? bots[1] : bots[0]);
  let bot = bots.includes(wanted) ? wanted : bots[0];
  const few = Math.min(...title.seats);
  /** @param {() => Promise<void>} work */
  const start = (work) => async (/** @type {Event} */ e) => {
    const button = /** @type {HTMLButtonElement} */ (e.currentTarget);
    button.disabled = true;
    problem.hidden = true;
    try {
      await work();
    } catch (error) {
      problem.textContent =
        /** @type {any} */ (error).status === 0 ? t("offline") : /** @type {Error} */ (error).message;
      problem.hidden = false;
      button.disabled = false;
    }
  };
  const others = (/** @type {(k: number) => import("../start.js").Wish} */ wish) =>
    Array.from({ length: few - 1 }, (_, k) => wish(k));
  const level = h(
    "div.levels",
    { role: "radiogroup", "aria-label": t("level") },
    bots.map((b, k) =>
      h(
        "label",
        { title: hasWord(`bot.${b}.help`) ? t(`bot.${b}.help`) : "" },
        h("input", {
          type: "radio",
          name: `bot-${name}`,
          value: b,
          checked: b === bot,
          onchange: () => {
            bot = b;
            remember(`bot.${name}`, b);
          },
        }),
        h(
          "span",
          null,
          h(
            "i.pips",
            { "aria-hidden": "true" },
            Array.from({ length: k + 1 }, () => h("u")),
          ),
          botName(b),
        ),
      ),
    ),
  );
  return h(
    `article.title${first ? ".first" : ""}${title.mark ? ".marked" : ""}`,
    { "data-title": name },
    picture(title),
    h(
      "div.about",
      null,
      h("h2", null, title.name, title.mark ? [" ", h("small.tag", null, title.mark)] : null),
      h("p.meta", null, t("seats", { n: span(title.seats) }), title.length ? ` · ${title.length}` : ""),
      h("p", null, title.blurb),
      h("div.versus", null, h("span", null, t("against")), level),
      h(
        "div.actions",
        null,
        h(
          "button.primary.big.playnow",
          {
            type: "button",
            onclick: start(() => startMatch(name, [{ kind: "me" }, ...others(() => ({ kind: "bot", bot }))])),
          },
          icon("play"),
          t("playnow"),
        ),
        h(
          "button.secondary.friend",
          {
            type: "button",
            onclick: start(() => startMatch(name, [{ kind: "me" }, ...others(() => ({ kind: "link" }))])),
          },
          icon("link"),
          t("friend"),
        ),
        h(
          "button.secondary.screen",
          {
            type: "button",
            onclick: start(() =>
              startMatch(name, [
                { kind: "me" },
                ...others((k) => ({ kind: "screen", name: t("player", { n: k + 2 }) })),
              ]),
            ),
          },
          icon("swap"),
          t("samescreen"),
        ),
        h("a.button.plain.more", { href: `/new/${name}`, "data-go": "" }, t("moreoptions")),
      ),
    ),
  );
}

/** @param {number[]} seats */
export function span(seats) {
  const [least, most] = [Math.min(...seats), Math.max(...seats)];
  return least === most ? String(least) : `${least}–${most}`;
}

/**
 * @param {HTMLElement} host @param {string} heading @param {any[]} matches
 * @param {Record<string, string>} names @param {string} verb
 */
function list(host, heading, matches, names, verb) {
  host.hidden = !matches.length;
  fillWith(
    host,
    h("h2", null, heading),
    h(
      "ul",
      null,
      matches.map((m) => {
        const mark = m.your_turn
          ? "yourturn"
          : m.state === "over"
            ? "over"
            : m.state === "waiting"
              ? "waiting"
              : m.state === "closed"
                ? "closedmatch"
                : "running";
        return h(
          `li.${mark}`,
          null,
          h(
            "a",
            { href: `/m/${m.id}`, "data-go": "" },
            h("b", null, names[m.title] ?? m.title),
            h(
              "span.names",
              null,
              m.seats
                .map((/** @type {any} */ s) =>
                  s.kind === "open" || s.kind === "link"
                    ? t("seat.empty")
                    : seatName({ ...s, bot: s.kind === "bot" ? s.name.replace(" (bot)", "") : undefined }),
                )
                .join(" – "),
            ),
            h("em", null, verb ? t(verb) : outcome(m, mark)),
          ),
        );
      }),
    ),
  );
}

/** @param {any} m @param {string} mark */
function outcome(m, mark) {
  if (mark !== "over" || m.yours.length !== 1 || !m.result) return t(mark);
  return t(["result.lost", "result.draw", "result.won"][m.result[m.yours[0]]] ?? "over");
}
