/** Who I am: a guest, or the holder of an account; and how I go on as myself on another device. */

import { forgetMe, post, remove, whoAmI } from "./api.js";
import { fillWith, h, icon } from "./dom.js";
import { dialog } from "./match/info.js";
import { linkBox } from "./match/waiting.js";
import { leaveBrowser, syncAll } from "./progress.js";
import { show } from "./router.js";
import { t } from "./words.js";

/** @typedef {import("./api.js").Me} Me */
/** @typedef {{name: string, label: string, secret?: boolean, complete: string, value?: string}} Field */

export async function openAccount() {
  const body = h("div.account", null, t("loading"));
  const sheet = dialog(t("account"), [body]);
  const me = await whoAmI().catch(() => null);
  if (!me) {
    fillWith(body, t("offline"));
    return;
  }
  /** Somebody else from now on, or with another name. */
  const changed = async () => {
    forgetMe();
    await syncAll(); // what was done as a guest goes along
    sheet.close();
    await show();
  };
  fillWith(
    body,
    h("p", null, t(me.account ? "account.as" : "account.guest", { name: me.name })),
    h("button.secondary.phone", { type: "button", onclick: takeToPhone }, icon("phone"), t("phone")),
    h("p", null, h("a", { href: "/mine", "data-go": "" }, t("myplay"))),
    me.account ? holder(changed) : guest(me, changed),
    h("details", null, h("summary", null, t("forget")), forgetting(me, changed)),
  );
}

/** @param {Me} me @param {() => Promise<void>} changed */
function guest(me, changed) {
  const make = form(
    t("account.create"),
    [nameField(me.name), passwordField("password", "new-password")],
    async (given) => {
      await post("/api/account", given);
      await changed();
    },
  );
  const enter = form(
    t("login"),
    [nameField(""), passwordField("password", "current-password")],
    async (given) => {
      await post("/api/login", given);
      await changed();
    },
  );
  return [
    h(
      "details.create",
      { name: "account" },
      h("summary", null, t("account.create")),
      h("p.help", null, t("account.help")),
      make,
    ),
    h(
      "details.login",
      { name: "account" },
      h("summary", null, t("login")),
      h("p.help", null, t("login.help")),
      enter,
    ),
  ];
}

/** @param {() => Promise<void>} changed */
function holder(changed) {
  const fields = [passwordField("old", "current-password"), passwordField("new", "new-password")];
  const renew = form(t("save"), fields, async (given, said) => {
    await post("/api/me/password", given);
    said.textContent = t("saved");
  });
  const leave = async () => {
    await syncAll();
    await post("/api/logout");
    leaveBrowser();
    await changed();
  };
  return [
    h("button.secondary.logout", { type: "button", onclick: leave }, t("logout")),
    h("details", null, h("summary", null, t("password.change")), renew),
  ];
}

/** @param {Me} me @param {() => Promise<void>} changed */
function forgetting(me, changed) {
  const fields = me.account ? [passwordField("password", "current-password")] : [];
  const gone = form(t("forget"), fields, async (given) => {
    await remove("/api/me", given);
    leaveBrowser();
    await changed();
  });
  return [h("p.help", null, t("forget.help")), gone];
}

/** @param {string} value @returns {Field} */
const nameField = (value) => ({ name: "name", label: t("name"), complete: "username", value });

/** @param {string} name @param {string} complete @returns {Field} */
const passwordField = (name, complete) => ({
  name,
  label: t(name === "password" ? "password" : `password.${name}`),
  secret: true,
  complete,
});

/**
 * A form that says what went wrong.
 * @param {string} verb @param {Field[]} fields
 * @param {(given: Record<string, string>, said: HTMLElement) => Promise<void>} work
 */
function form(verb, fields, work) {
  const said = h("p.problem", { role: "alert" });
  const inputs = fields.map((field) => ({
    ...field,
    el: /** @type {HTMLInputElement} */ (
      h("input", {
        type: field.secret ? "password" : "text",
        autocomplete: field.complete,
        required: true,
        maxlength: field.secret ? 128 : 40,
        value: field.value,
      })
    ),
  }));
  const send = async (/** @type {Event} */ e) => {
    e.preventDefault();
    said.textContent = "";
    try {
      await work(Object.fromEntries(inputs.map(({ name, el }) => [name, el.value])), said);
    } catch (error) {
      said.textContent = trouble(/** @type {import("./api.js").Problem} */ (error));
    }
  };
  return h(
    "form.person",
    { onsubmit: send },
    inputs.map(({ label, el }) => h("label", null, label, el)),
    h("button.primary", { type: "submit" }, verb),
    said,
  );
}

/** @param {import("./api.js").Problem} error */
function trouble(error) {
  if (!error.status) return t("offline");
  if (error.status === 429) return t("toomany");
  if (error.error === "password") return t("account.wrong");
  return t(error.error === "name taken" ? "name.refused" : "account.refused");
}

/** A link and a code with which another device goes on as me, once. */
export async function takeToPhone() {
  const body = h("div.account", null, t("loading"));
  dialog(t("phone"), [body]);
  try {
    const { code, seconds } = await post("/api/me/pass");
    const shown = `${code.slice(0, 5)}-${code.slice(5)}`;
    const here = location.pathname.startsWith("/m/") ? `&to=${encodeURIComponent(location.pathname)}` : "";
    fillWith(
      body,
      h("p", null, t("phone.help", { n: seconds / 60, place: `${location.host}/pass` })),
      h("p.code", null, h("output", null, shown)),
      linkBox(`${location.origin}/pass#code=${code}${here}`),
    );
  } catch (error) {
    fillWith(body, h("p.problem", null, trouble(/** @type {import("./api.js").Problem} */ (error))));
  }
}
