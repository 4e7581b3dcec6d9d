/** The first page: what can be played, my matches, open matches. */

import { forgetMe, get, post, whoAmI } from "../api.js";
import { fillWith, h, icon } from "../dom.js";
import { clockName, clockText } from "../match/house.js";
import { calledWith, hasCounted, inARow, signed } from "../match/rated.js";
import { dialog } from "../match/info.js";
import { firstLine, lessonButton, syncLessons } from "../learning.js";
import { puzzleButton, puzzleLine } from "../puzzles.js";
import { pageHeader } from "../shell.js";
import { remember } from "../settings.js";
import { startMatch } from "../start.js";
import { picture } from "../titles/pictures.js";
import { botHelp, botName, chosenLevel, colon, matchName, rulesOf, seatName, spoken, t } from "../words.js";

/** @typedef {import("../words.js").Title} Title */

/** @param {HTMLElement} host */
export async function homePage(host) {
  document.title = "Ludus";
  const titles = h("section.titles", { "aria-label": t("titles") });
  const [mine, open, live, finished] = ["mine", "open", "live", "finished"].map((id) =>
    h("section.list", { id, hidden: true }),
  );
  const problem = h("p.problem", { role: "alert", hidden: true });
  const hero = h("div.hero", null, h("h1", null, "LVDVS"), h("p", null, t("tagline")));
  fillWith(
    host,
    pageHeader(null),
    h(
      "main.home",
      { id: "main" },
      hero,
      problem,
      h("div.lists", null, mine, open),
      titles,
      h("div.lists", null, live, finished),
    ),
  );
  let closed = false;
  /** What is to be seen in the lists: all of it before anything is shown, so that the page does not jump. */
  const lists = () =>
    Promise.all([
      get("/api/matches"),
      get("/api/matches/open?limit=20"),
      get("/api/matches/live?limit=20"),
      get("/api/matches?finished=true&limit=8"),
    ]);
  const me = whoAmI().catch(() => null);
  const [told, first] = await Promise.all([
    get(spoken("/api/titles")),
    me.then(lists).catch(() => null),
    syncLessons(),
  ]);
  if (closed) return {};
  const order = /** @type {[string, Title][]} */ (Object.entries(told.titles));
  const learn = firstLine(order, !first?.[0].matches.length && !first?.[3].matches.length);
  for (const line of [learn, puzzleLine(order)]) if (line) hero.append(line);
  fillWith(
    titles,
    order.flatMap(([name, title], k) => [
      titleCard(name, title, null, k === 0, problem),
      ...title.games.map((game) => titleCard(name, title, game, false, problem)),
    ]),
  );
  /** What a match is called, and what its score counts. @param {any} m */
  const named = (m) => {
    const title = /** @type {Title | undefined} */ (told.titles[m.title]);
    return title ? { name: matchName(title, m.options), counts: title.score } : { name: m.title, counts: "" };
  };
  let shown = "";
  /** @param {Awaited<ReturnType<typeof lists>>} found */
  const show = ([a, b, c, d]) => {
    const text = JSON.stringify([a, b, c, d]);
    if (text === shown) return; // a page at which nothing happens rests
    shown = text;
    const others = (/** @type {any[]} */ matches) => matches.filter((m) => !seatsOf(m).length);
    list(mine, t("mine"), a.matches.sort(byTurn), named, "");
    list(open, t("open"), others(b.matches), named, "sit");
    list(live, t("livematches"), others(c.matches), named, "watch");
    list(finished, t("finished"), d.matches, named, "");
  };
  const refresh = async () => {
    if (closed || document.hidden) return;
    try {
      show(await lists());
    } catch {
      // offline: what is shown stays
    }
  };
  if (first) show(first);
  if (location.hash === "#mine") mine.scrollIntoView();
  const timer = window.setInterval(refresh, 8000);
  return {
    close: () => {
      closed = true;
      clearInterval(timer);
    },
  };
}

/**
 * A title, or a game of its own that an option makes of it.
 * @param {string} name @param {Title} title @param {import("../words.js").Game | null} game
 * @param {boolean} first @param {HTMLElement} problem
 */
function titleCard(name, title, game, first, problem) {
  let bot = chosenLevel(name, title);
  const options = game?.options ?? {};
  const asked = Object.entries(options).map(([key, value]) => [key, String(value)]);
  const id = [name, ...Object.values(options)].join("-");
  const more = `/new/${name}${asked.length ? `?${new URLSearchParams(asked)}` : ""}`;
  const expect = h("p.expect", { id: `expect-${id}` }, botHelp(bot));
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
    title.levels.map((b, k) =>
      h(
        "label",
        { title: botHelp(b) },
        h("input", {
          type: "radio",
          name: `bot-${id}`,
          value: b,
          checked: b === bot,
          "aria-describedby": expect.id,
          onchange: () => {
            bot = b;
            expect.textContent = botHelp(b);
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
    { "data-title": id },
    picture(title),
    h(
      "div.about",
      null,
      h("h2", null, game?.name ?? title.name, title.mark ? [" ", h("small.tag", null, title.mark)] : null),
      h("p.meta", null, t("seats", { n: span(title.seats) }), title.length ? ` · ${title.length}` : ""),
      h("p", null, game?.blurb ?? title.blurb),
      h("div.versus", null, h("span", null, t("against")), level, expect),
      h(
        "div.actions",
        null,
        h(
          "button.primary.big.playnow",
          {
            type: "button",
            onclick: start(() =>
              startMatch(name, [{ kind: "me" }, ...others(() => ({ kind: "bot", bot }))], { options }),
            ),
          },
          icon("play"),
          t("playnow"),
        ),
        h(
          "button.secondary.friend",
          {
            type: "button",
            onclick: start(() =>
              startMatch(name, [{ kind: "me" }, ...others(() => ({ kind: "link" }))], { options }),
            ),
          },
          icon("link"),
          t("friend"),
        ),
        h(
          "button.secondary.screen",
          {
            type: "button",
            onclick: () => atOneScreen(few, (people) => startMatch(name, people, { options })),
          },
          icon("swap"),
          t("samescreen"),
        ),
        h("a.button.plain.more", { href: more, "data-go": "" }, t("moreoptions")),
        h(
          "a.button.plain.rulebook",
          { href: rulesOf(name, Object.values(options).join("-")), target: "_blank" },
          icon("book"),
          t("rules"),
        ),
        // what is known of openings is known of the title as it is usually played
        game ? null : h("a.button.plain.explore", { href: `/explore/${name}`, "data-go": "" }, t("explore")),
        game ? null : lessonButton(name, title),
        game ? null : puzzleButton(name, title),
      ),
    ),
  );
}

/**
 * Ask those at the screen for their names, then begin.
 * @param {number} few @param {(seats: import("../start.js").Wish[]) => Promise<void>} begin
 */
async function atOneScreen(few, begin) {
  const me = await whoAmI().catch(() => null);
  const fields = Array.from(
    { length: few },
    (_, k) =>
      /** @type {HTMLInputElement} */ (
        h("input", {
          type: "text",
          maxlength: 40,
          autocomplete: "off",
          "aria-label": t("seat.name", { n: String(k + 1) }),
          value: k ? t("player", { n: k + 1 }) : (me?.name ?? ""),
          readonly: !k && !!me?.account,
        })
      ),
  );
  const said = h("p.problem", { role: "alert" });
  const send = async (/** @type {Event} */ e) => {
    e.preventDefault();
    const others = fields.slice(1).map((field) => ({ kind: "screen", name: field.value.trim() }));
    const mine = fields[0].value.trim();
    try {
      if (mine && mine !== me?.name) {
        await post("/api/me/name", { name: mine }); // a guest is called by chance until then
        forgetMe();
      }
      await begin(/** @type {import("../start.js").Wish[]} */ ([{ kind: "me" }, ...others]));
    } catch (error) {
      const { status } = /** @type {import("../api.js").Problem} */ (error);
      said.textContent = t(status ? "name.refused" : "offline");
    }
  };
  const go = h("button.primary", { type: "submit" }, t("begin"));
  dialog(t("samescreen"), [
    h("p", null, t("screen.help")),
    h("form.person.atscreen", { onsubmit: send }, fields, said, go),
  ]);
  fields[me?.account ? 1 : 0]?.select();
}

/** @param {number[]} seats */
export function span(seats) {
  const [least, most] = [Math.min(...seats), Math.max(...seats)];
  return least === most ? String(least) : `${least}–${most}`;
}

/** My seats, also those that I have left and nobody has taken. @param {any} m @returns {number[]} */
const seatsOf = (m) => [...m.yours, ...m.away];

/** Whether something waits for me: my turn, or the clock of a seat that I have left. @param {any} m */
const waits = (m) => m.state === "running" && seatsOf(m).includes(m.to_move);

/** My turn first, and of those where the least time is left. @param {any} a @param {any} b */
function byTurn(a, b) {
  return (
    Number(waits(b)) - Number(waits(a)) ||
    (a.left ?? Infinity) - (b.left ?? Infinity) ||
    b.updated - a.updated
  );
}

/**
 * @param {HTMLElement} host @param {string} heading @param {any[]} matches
 * @param {(match: any) => {name: string, counts: string}} named @param {string} verb
 */
function list(host, heading, matches, named, verb) {
  host.hidden = !matches.length;
  fillWith(
    host,
    h("h2", null, heading),
    h(
      "ul",
      null,
      matches.map((m) => {
        const own = seatsOf(m);
        const seats = m.seats.filter((/** @type {any} */ s) => !own.includes(s.seat) || own.length > 1);
        const { name, counts } = named(m);
        return h(
          `li${waits(m) ? ".yourturn" : ""}`,
          null,
          h(
            "a",
            { href: `/m/${m.id}`, "data-go": "" },
            h("b", null, name),
            h("em", null, verb ? t(verb) : standing(m)),
            m.score
              ? h("span.names.score", null, score(m, counts))
              : h(`span.names${m.rated ? ".rated" : ""}`, null, inARow(seats, whoIs)),
            h("span.facts", null, m.left === null ? agreed(m) : t("timeleft", { time: clockText(m.left) })),
          ),
        );
      }),
    ),
  );
}

/** How the seats stand, mine first: "laurels: you 12, Miles 9". @param {any} m @param {string} counts */
function score(m, counts) {
  const mine = seatsOf(m);
  const own = (/** @type {any} */ seat) => mine.length === 1 && mine[0] === seat.seat;
  const seats = [...m.seats].sort((a, b) => Number(own(b)) - Number(own(a)) || a.seat - b.seat);
  const each = seats.flatMap((seat, k) => [
    `${k ? ", " : ""}${own(seat) ? t("you") : whoSits(seat)} `,
    h("span.points", null, m.score[seat.seat]), // set apart: names may end in digits
  ]);
  return [counts ? `${counts}${colon()}` : "", ...each];
}

/** @param {any} seat */
const whoSits = (seat) => (["open", "link"].includes(seat.kind) ? t("seat.empty") : seatName(seat));

/** The same with how strong they are, where that counts. @param {any} seat */
const whoIs = (seat) => (["open", "link"].includes(seat.kind) ? [t("seat.empty")] : calledWith(seat));

/** Whether it counts, and the clock that was agreed, where nobody's runs. @param {any} m */
function agreed(m) {
  const clock = m.clock.kind === "none" || m.state === "over" ? "" : clockName(m.clock);
  const rated = isVoid(m) ? t("rated.void") : [t("rated"), changed(m)].filter(Boolean).join(" ");
  return [m.rated ? rated : "", clock].filter(Boolean).join(" · ");
}

/** Whether it was to be rated and counts for nobody. @param {any} m */
const isVoid = (m) => m.rated && ["over", "closed"].includes(m.state) && !hasCounted(m);

/** What a rated match did to my strength. @param {any} m */
function changed(m) {
  const own = seatsOf(m);
  const strength = own.length === 1 ? m.seats[own[0]].strength : null;
  return strength?.after === undefined ? "" : signed(strength.after - strength.rating);
}

/** @type {Record<string, string>} */
const STATES = { waiting: "waiting", closed: "closedmatch" };

/** How a match stands for me, or whose turn it is. @param {any} m */
function standing(m) {
  if (m.your_turn) return t("yourturn");
  if (m.state === "running" && m.away.length) return t(waits(m) ? "comeback.clock" : "comeback");
  if (m.state === "running" && m.to_move !== null) return t("turnof", { name: whoSits(m.seats[m.to_move]) });
  if (m.state !== "over") return t(STATES[m.state] ?? "running");
  const own = seatsOf(m);
  if (own.length !== 1 || !m.result || isVoid(m)) return t("over");
  return t(["result.lost", "result.draw", "result.won"][m.result[own[0]]] ?? "over");
}
