/** The menu of a table, and the list of keys. */

import { h, icon } from "../dom.js";
import { editorOf } from "../positions.js";
import { go } from "../router.js";
import { openSettings } from "../shell.js";
import { botName, loadTitle, matchName, optionValue, rulesOf, seatName, t } from "../words.js";
import { confirmed, dialog } from "./info.js";
import { calledWith, ratedLine } from "./rated.js";
import { again } from "./result.js";
import { linkBox } from "./waiting.js";

/** @typedef {import("./model.js").Model} Model */

/**
 * @param {Model} model
 * @param {{refused: (answer: any) => void, result: () => void, proof: () => void, replay: () => void,
 *   analysis: () => void, entry: () => number, hint: (() => void) | null, threats: (() => void) | null,
 *   deal: (() => void) | null}} on `refused`: says why something was not done
 */
export async function tableMenu(model, on) {
  const table = model.table;
  if (!table) return;
  const [title, claims] = await Promise.all([loadTitle(table.title), model.askClaims()]);
  /** @param {Promise<any>} asked */
  const told = async (asked) => {
    const answer = await asked;
    if (!answer.ok) on.refused(answer);
  };
  const order = (/** @type {Record<string, any>} */ body) => told(model.link.command(body));
  const running = table.state === "running";
  const seat = model.eye;
  const playing =
    running && seat !== null && table.seats[seat]?.status === "playing" && model.yours.includes(seat);
  /** @param {string} name @param {string} label @param {() => void} work */
  const item = (name, label, work) =>
    h(
      "button.item",
      {
        type: "button",
        onclick: () => {
          sheet.close();
          work();
        },
      },
      icon(name),
      label,
    );
  const free = running ? table.seats.filter((s) => s.kind === "free") : [];
  const options = Object.entries(table.options).map(([name, value]) =>
    h("li", null, title.options[name]?.name ?? name, ": ", h("b", null, optionValue(title, name, value))),
  );
  const sheet = dialog(matchName(title, table.options), [
    h(
      "div.items",
      null,
      table.state === "over" ? item("laurel", t("result"), on.result) : "",
      model.mayPlayAgain ? item("swap", t("again"), () => again(table.id)) : "",
      on.hint ? item("eye", t("hint"), on.hint) : "",
      on.threats ? item("threat", t("threats"), on.threats) : "",
      item("play", t("replay"), on.replay),
      table.state === "over" || (!table.rated && (model.yours.length || !title.hides))
        ? item("swap", t("position.here"), () => go(editorOf(table.title, table.id, on.entry(), seat)))
        : "",
      table.state === "over" ? item("curve", t("analysis"), on.analysis) : "",
      table.state === "over" && !location.search.includes("study=")
        ? item("branch", t("study.begin"), async () =>
            (await import("./study.js")).beginStudy(table.id, on.entry()),
          )
        : "",
      title.chance ? item("dice", t("proof"), on.proof) : "",
      playing && on.deal ? item("olive", t("deal"), on.deal) : "",
      playing ? item("even", t("offerdraw"), () => order({ do: "propose", kind: "draw", seat })) : "",
      playing
        ? item("flag", t("resign"), async () =>
            (await import("./resign.js")).askToResign(model, seat, on.refused),
          )
        : "",
      playing
        ? item("close", t("leave"), () =>
            confirmed(t(table.rated ? "leave.rated" : "leave.sure"), () => order({ do: "leave", seat })),
          )
        : "",
      ...claims.map((k) =>
        item(
          "person",
          k === model.leftSeat ? t("comeback") : t("claim", { name: seatName(table.seats[k]) }),
          () => told(model.claim(k)),
        ),
      ),
      ...free.map((s) =>
        model.yours.length && !table.rated
          ? item("bot", t("takeover", { name: seatName(s), bot: botName(title.substitute) }), () =>
              order({ do: "take_over", seat: s.seat, bot: title.substitute }),
            )
          : "",
      ),
      model.yours.length
        ? item("phone", t("phone"), async () => (await import("../account.js")).takeToPhone())
        : "",
      h("a.item", { href: rulesOf(table.title), target: "_blank" }, icon("book"), t("rules")),
      item("help", t("keys"), keyHelp),
      item("globe", t("settings"), openSettings),
      table.rated && !model.ended ? "" : fileLink(table.id, seat),
      item("home", t("home"), () => go("/")),
    ),
    table.start ? h("p.help", null, t("position.started")) : "",
    table.rated ? h("h3", null, t("rated")) : "",
    table.rated
      ? h(
          "ul.options",
          null,
          table.seats.map((s) => h("li", null, calledWith(s))),
        )
      : "",
    ratedLine(table) ?? "",
    h("h3", null, t("watchlink")),
    linkBox(`${location.origin}/m/${table.id}`),
    options.length
      ? h("details", null, h("summary", null, t("options")), h("ul.options", null, options))
      : "",
  ]);
}

/** @param {string} id @param {number | null} seat whose eyes */
function fileLink(id, seat) {
  const eyes = seat === null ? "" : `?seat=${seat}`;
  const href = `/api/matches/${encodeURIComponent(id)}/file${eyes}`;
  return h("a.item", { href, download: "" }, icon("file"), t("file"));
}

export function keyHelp() {
  const keys = [
    ["Tab", "keys.tab"],
    ["← ↑ → ↓", "keys.arrows"],
    ["Enter", "keys.enter"],
    ["1–9", "keys.digits"],
    ["Esc", "keys.escape"],
    ["B", "keys.board"],
    ["C", "keys.choices"],
    ["A", "keys.all"],
    [".", "keys.again"],
    ["U", "keys.undo"],
    ["H", "keys.hint"],
    ["L", "keys.log"],
    ["M", "keys.chat"],
    ["R", "keys.replay"],
    ["␣ → Esc", "keys.told"],
    ["+ − 0", "keys.zoom"],
    ["⇧ ← →", "keys.push"],
    ["?", "keys.explain"],
    ["?", "keys.help"],
  ];
  dialog(t("keys"), [
    h(
      "dl.keys",
      null,
      keys.map(([key, text]) => h("div", null, h("dt", null, h("kbd", null, key)), h("dd", null, t(text)))),
    ),
  ]);
}
