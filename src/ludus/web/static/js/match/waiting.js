/** The waiting room: who is there, the link to send, a free chair. */

import { post, whoAmI } from "../api.js";
import { fillWith, h, icon } from "../dom.js";
import { go } from "../router.js";
import { matchName, optionValue, seatName, t } from "../words.js";
import { clockName } from "./house.js";
import { dialog } from "./info.js";
import { calledWith, needsAccount, ratedLine } from "./rated.js";
import { isRefusal } from "./session.js";

/**
 * @param {HTMLElement} host
 * @param {import("./session.js").Session} session
 */
export function waitingRoom(host, session) {
  const { model, title, invite } = session;
  const table = /** @type {import("./model.js").Table} */ (model.table);
  const seats = table.seats.map((seat) =>
    h(
      "li",
      null,
      icon(seat.kind === "bot" ? "bot" : "person"),
      h("b", null, seat.kind === "open" || seat.kind === "link" ? t(`seat.${seat.kind}`) : calledWith(seat)),
      model.yours.includes(seat.seat) ? h("small", null, t("you")) : null,
      seat.kind === "link" && model.invites[seat.seat]
        ? inviteLink(model.id, model.invites[seat.seat])
        : null,
    ),
  );
  const free = table.seats.some((s) => s.kind === "open");
  const refused = h("div");
  const problem = h("p.problem", { role: "alert" });
  const me = table.rated && !model.yours.length ? whoAmI() : null;
  me?.then(({ account }) => {
    if (account) return;
    fillWith(refused, needsAccount(), invite ? h("p", null, t("rated.account.invited")) : null);
    for (const button of host.querySelectorAll(".sit")) /** @type {HTMLElement} */ (button).hidden = true;
  }).catch(() => undefined);
  const sit = async () => {
    try {
      await session.sit(invite);
      model.link.look(null);
    } catch (error) {
      if (invite && isRefusal(error)) refuse();
      else problem.textContent = toldOf(error);
    }
  };
  /** Somebody else was quicker. */
  const refuse = () => {
    session.badInvite = true;
    look();
  };
  /** Who does not want to sit down stays and sees what comes of it. */
  const look = () => {
    session.forgetInvite();
    waitingRoom(host, session);
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
      h("h1", null, title ? matchName(title, table.options) : ""),
      h("p", { role: "status" }, said(session)),
      h("ol.chairs", null, seats),
      h(
        "p.agreed",
        null,
        icon("clock"),
        [clockName(table.clock), table.rated ? t("rated") : ""].filter(Boolean).join(" · "),
      ),
      title ? options(title, table) : null,
      ratedLine(table),
      refused,
      problem,
      h(
        "div.actions",
        null,
        (free || invite) && !model.yours.length
          ? h("button.primary.big.sit", { type: "button", onclick: sit }, t("sit"))
          : null,
        invite ? h("button.secondary.look", { type: "button", onclick: look }, t("rated.look")) : null,
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

/** What somebody is to know first: who invites them and to what, or for whom the table waits.
 * @param {import("./session.js").Session} session */
function said({ table, invite, badInvite }) {
  const host = table.seats.find(({ kind }) => kind === "person");
  if (invite && host) return t("rated.invited", { name: seatName(host) });
  return t(badInvite ? "badinvite" : "waiting.help");
}

/** @param {any} error */
const toldOf = ({ status, message }) => (status ? message : t("offline"));

/**
 * What differs from how the title is usually played.
 * @param {import("../words.js").Title} title @param {import("./model.js").Table} table
 */
function options(title, table) {
  const changed = Object.entries(table.options).filter(
    ([name, value]) => name in title.options && title.options[name].default !== value,
  );
  if (!changed.length) return null;
  const rows = changed.map(([name, value]) =>
    h("li", null, title.options[name].name, ": ", h("b", null, optionValue(title, name, value))),
  );
  return h("ul.options", { "aria-label": t("options") }, rows);
}

/** @param {string} id @param {string} invite */
function inviteLink(id, invite) {
  return linkBox(`${location.origin}/m/${id}#invite=${invite}`);
}

function pageLink() {
  return linkBox(location.origin + location.pathname);
}

/** A link with a button to copy it, and one that shows it to the camera of a phone. @param {string} url */
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
  const show = h(
    "button.secondary.qr",
    {
      type: "button",
      "aria-label": t("qr"),
      title: t("qr"),
      onclick: async () => {
        const { svg } = await post("/api/qr", { link: url }).catch(() => ({ svg: "" }));
        if (!svg) return;
        const drawn = new DOMParser().parseFromString(svg, "image/svg+xml").documentElement;
        drawn.setAttribute("role", "img");
        drawn.setAttribute("aria-label", t("qr.help"));
        dialog(t("qr"), [h("p", null, t("qr.help")), h("div.qrcode", null, document.adoptNode(drawn))]);
      },
    },
    icon("qr"),
  );
  return h("span.linkbox", null, field, button, show);
}
