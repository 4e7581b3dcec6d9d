/** The waiting room: who is there, the link to send, a free chair. */

import { post } from "../api.js";
import { fillWith, h, icon, randomHex } from "../dom.js";
import { go } from "../router.js";
import { remember } from "../settings.js";
import { seatName, t } from "../words.js";

/**
 * @param {HTMLElement} host
 * @param {import("./model.js").Model} model
 * @param {import("../words.js").Title | null} title
 * @param {boolean} badInvite
 */
export function waitingRoom(host, model, title, badInvite) {
  const table = /** @type {import("./model.js").Table} */ (model.table);
  const seats = table.seats.map((seat) =>
    h(
      "li",
      null,
      icon(seat.kind === "bot" ? "bot" : "person"),
      h("b", null, seat.kind === "open" || seat.kind === "link" ? t(`seat.${seat.kind}`) : seatName(seat)),
      model.yours.includes(seat.seat) ? h("small", null, t("you")) : null,
      seat.kind === "link" && model.invites[seat.seat]
        ? inviteLink(model.id, model.invites[seat.seat])
        : null,
    ),
  );
  const free = table.seats.some((s) => s.kind === "open");
  const sit = async () => {
    const nonce = randomHex(16);
    await post(`/api/matches/${encodeURIComponent(model.id)}/join`, { nonce });
    remember(`nonce.${model.id}`, nonce);
    model.link.look(null);
  };
  const leave = async () => {
    await post(`/api/matches/${encodeURIComponent(model.id)}/leave`);
    go("/");
  };
  fillWith(
    host,
    h(
      "section.waiting",
      null,
      h("h1", null, title?.name ?? ""),
      h("p", { role: "status" }, badInvite ? t("badinvite") : t("waiting.help")),
      h("ol.chairs", null, seats),
      h(
        "div.actions",
        null,
        free && !model.yours.length
          ? h("button.primary.big", { type: "button", onclick: sit }, t("sit"))
          : null,
        free && model.yours.length ? pageLink() : null,
        model.yours.length ? h("button.secondary", { type: "button", onclick: leave }, t("cancel")) : null,
      ),
      title?.chance
        ? h(
            "details.fair",
            null,
            h("summary", null, t("proof")),
            h("p", null, t("proof.before")),
            h("p.hash", null, table.fairness.commitment),
          )
        : null,
    ),
  );
}

/** @param {string} id @param {string} invite */
function inviteLink(id, invite) {
  return linkBox(`${location.origin}/m/${id}#invite=${invite}`);
}

function pageLink() {
  return linkBox(location.origin + location.pathname);
}

/** A link with a button to copy it. @param {string} url */
export function linkBox(url) {
  const field = /** @type {HTMLInputElement} */ (
    h("input.link", {
      type: "text",
      readonly: true,
      value: url,
      "aria-label": t("link"),
      onfocus: () => field.select(),
    })
  );
  const button = h(
    "button.primary",
    {
      type: "button",
      onclick: async () => {
        try {
          await navigator.clipboard.writeText(url);
        } catch {
          field.select();
          document.execCommand("copy");
        }
        button.textContent = t("copied");
      },
    },
    t("copy"),
  );
  return h("span.linkbox", null, field, button);
}
