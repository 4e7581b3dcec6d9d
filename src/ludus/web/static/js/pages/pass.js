/** The other end of "take my seat to my phone": a code is typed, or came with the link. */

import { forgetMe, post } from "../api.js";
import { fillWith, h } from "../dom.js";
import { go } from "../router.js";
import { pageHeader } from "../shell.js";
import { t } from "../words.js";

/** @param {HTMLElement} host */
export function passPage(host) {
  document.title = "Ludus";
  const given = new URLSearchParams(location.hash.slice(1));
  history.replaceState(null, "", location.pathname); // a code has no business in the history
  const field = /** @type {HTMLInputElement} */ (
    h("input.code", {
      id: "code",
      type: "text",
      required: true,
      maxlength: 20,
      autocomplete: "one-time-code",
      autocapitalize: "characters",
      spellcheck: "false",
      value: given.get("code") ?? "",
    })
  );
  const said = h("p.problem", { role: "alert" });
  const enter = async (/** @type {Event} */ e) => {
    e.preventDefault();
    said.textContent = "";
    try {
      await post("/api/pass", { code: field.value.trim() });
      forgetMe();
      const to = given.get("to") ?? "/";
      await go(/^\/m\/[A-Za-z0-9_-]+$/.test(to) ? to : "/");
    } catch (error) {
      const { status } = /** @type {import("../api.js").Problem} */ (error);
      said.textContent = t(
        { 0: "offline", 409: "pass.busy", 429: "toomany" }[/** @type {0 | 409 | 429} */ (status)] ??
          "pass.bad",
      );
    }
  };
  fillWith(
    host,
    pageHeader(null),
    h(
      "main.plainpage",
      { id: "main" },
      h(
        "form.waiting",
        { onsubmit: enter },
        h("h1", null, t("pass.title")),
        h("p", null, t("pass.help")),
        h("label", { for: "code" }, t("phone.code"), field),
        said,
        h("div.actions", null, h("button.primary.big", { type: "submit" }, t("pass.go"))),
      ),
    ),
  );
  return {};
}
