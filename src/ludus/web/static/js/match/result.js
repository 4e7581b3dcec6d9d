/** The end: who won, what to do next. */

import { post } from "../api.js";
import { h, icon } from "../dom.js";
import { go } from "../router.js";
import { play as sound } from "../sound.js";
import { seatName, t } from "../words.js";
import { dialog } from "./info.js";
import { changeText, ratedLine } from "./rated.js";

const LOSS = 0,
  DRAW = 1,
  WIN = 2;

/** @param {import("./model.js").Table} table @param {number[]} yours also those that were given up */
export function verdict(table, yours) {
  if (table.state === "closed") return t("closedmatch");
  const result = table.result ?? [];
  const winners = table.seats.filter((s) => result[s.seat] === WIN);
  if (yours.length === 1) return t(["result.lost", "result.draw", "result.won"][result[yours[0]] ?? LOSS]);
  if (winners.length) return t("result.wins", { name: winners.map(seatName).join(", ") });
  return t("result.draw");
}

/**
 * @param {import("./model.js").Model} model
 * @param {string[]} lines what the log said last
 * @param {{replay: (n: number) => void, analysis: () => void, proof: (() => void) | null}} on no proof where
 *   nothing was drawn
 * @returns {{sheet: HTMLDialogElement, offered: () => void}} `offered`: somebody has asked for the next match
 */
export function showResult(model, lines, on) {
  const yours = model.own;
  const table = /** @type {import("./model.js").Table} */ (model.table);
  const closed = table.state === "closed";
  const result = table.result ?? [];
  const won = yours.length === 1 && result[yours[0]] === WIN;
  if (yours.length === 1) sound(won ? "win" : result[yours[0]] === DRAW ? "turn" : "lose");
  const rows = table.seats.map((seat) =>
    h(
      `li${result[seat.seat] === WIN ? ".winner" : ""}`,
      null,
      h("span.crown", { "aria-hidden": "true" }, result[seat.seat] === WIN ? icon("laurel") : null),
      h("b", null, seatName(seat)),
      h(
        "span",
        null,
        table.ending === "abandoned" && result[seat.seat]
          ? "" // it was not decided between the bots
          : t(["result.place.loss", "result.place.draw", "result.place.win"][result[seat.seat] ?? 0]),
      ),
      seat.status !== "playing" ? h("small", null, t(`status.${seat.status}`)) : null,
      seat.strength?.after === undefined ? null : h("small.change", null, changeText(seat)),
    ),
  );
  const wanted = h("p.wanted", { role: "status" });
  const next = h("button.primary.again", { type: "button", onclick: () => again(table.id) }, t("again"));
  const sheet = dialog(
    verdict(table, yours),
    [
      closed ? h("p", null, t("closed.help")) : h("ol.places", null, rows),
      closed ? "" : (ratedLine(table) ?? ""),
      table.ending !== "played" && table.ending
        ? h("p", null, t(`ending.${table.ending}`))
        : h("p.last", null, lines.slice(-3).join(" ")),
      wanted,
      h(
        "div.actions",
        null,
        model.mayPlayAgain ? next : "",
        h(
          "button.secondary",
          {
            type: "button",
            onclick: () => {
              sheet.close();
              on.replay(0);
            },
          },
          icon("play"),
          t("replay"),
        ),
        closed
          ? null
          : h(
              "button.secondary.analyse",
              {
                type: "button",
                onclick: () => {
                  sheet.close();
                  on.analysis();
                },
              },
              icon("curve"),
              t("analysis"),
            ),
        on.proof && !closed
          ? h(
              "button.secondary.proof",
              {
                type: "button",
                onclick: () => {
                  sheet.close();
                  on.proof?.();
                },
              },
              icon("dice"),
              t("proof"),
            )
          : "",
        h(
          "a.button.secondary",
          { href: `/api/matches/${encodeURIComponent(table.id)}/file`, download: "" },
          icon("file"),
          t("file"),
        ),
        h("a.button.secondary", { href: "/", "data-go": "" }, icon("home"), t("home")),
      ),
    ],
    won ? ".won" : ".result",
  );
  if (closed) return { sheet, offered: () => undefined };
  import("./course.js").then(({ showCourse }) =>
    showCourse(sheet, table, (n) => {
      sheet.close();
      on.replay(n);
    }),
  );
  const offered = () => {
    wanted.textContent = t("again.wanted");
    next.textContent = t("again.join");
  };
  if (table.again && model.mayPlayAgain) offered();
  return { sheet, offered };
}

/** @param {string} id */
export async function again(id) {
  const state = await post(`/api/matches/${encodeURIComponent(id)}/again`);
  for (const sheet of document.querySelectorAll("dialog")) /** @type {HTMLDialogElement} */ (sheet).close();
  go(`/m/${state.table.id}`);
}
