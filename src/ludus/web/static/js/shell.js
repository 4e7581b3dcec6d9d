/** What every page has: header, settings, footer. */

import { forgetMe, post, whoAmI } from "./api.js";
import { fillWith, h, icon } from "./dom.js";
import { dialog } from "./match/info.js";
import { askForNotices, watchOthers } from "./notify.js";
import { show } from "./router.js";
import { paceName, remember, setting } from "./settings.js";
import { LANGUAGES, lang, loadWords, t } from "./words.js";

/** @type {(() => void) | null} */
let stop = null;

/** @param {HTMLElement | null} middle @param {HTMLElement[]} [tools] */
export function pageHeader(middle, tools = []) {
  const others = h("a.others", { href: "/#mine", "data-go": "", hidden: true });
  stop?.();
  stop = watchOthers((waiting) => {
    others.hidden = !waiting.length;
    const says = waiting.length === 1 ? t("others.one") : t("others", { n: waiting.length });
    others.setAttribute("aria-label", says);
    others.title = says;
    // A phone has room for the number alone.
    fillWith(others, h("span.says", null, says), h("b.number", null, waiting.length));
    others.setAttribute("href", waiting.length === 1 ? `/m/${waiting[0].id}` : "/#mine");
  });
  return h(
    "header.top",
    null,
    h("a.skip", { href: "#main" }, t("skip")),
    h("a.brand", { href: "/", "data-go": "", "aria-label": `Ludus – ${t("home")}` }, "LVDVS"),
    middle ?? h("span.status"),
    others,
    tools,
    middle
      ? null
      : h(
          "button.round.who",
          {
            type: "button",
            "aria-label": t("account"),
            title: t("account"),
            onclick: async () => (await import("./account.js")).openAccount(),
          },
          icon("person"),
        ),
    h(
      "button.round.settings",
      { type: "button", "aria-label": t("settings"), title: t("settings"), onclick: openSettings },
      icon("globe"),
    ),
  );
}

/**
 * @param {string} label @param {string} name @param {[string, string][]} choices @param {string} now
 * @param {(value: string) => void} choose
 */
function segments(label, name, choices, now, choose) {
  return h(
    "fieldset.segments",
    null,
    h("legend", null, label),
    choices.map(([value, text]) =>
      h(
        "label",
        null,
        h("input", { type: "radio", name, value, checked: value === now, onchange: () => choose(value) }),
        h("span", null, text),
      ),
    ),
  );
}

export function openSettings() {
  const sheet = dialog(t("settings"), []);
  const name = /** @type {HTMLInputElement} */ (
    h("input", { type: "text", maxlength: 40, "aria-label": t("name"), autocomplete: "nickname" })
  );
  const said = h("small", { role: "status" });
  whoAmI()
    .then((me) => (name.value = me.name))
    .catch(() => undefined);
  const rename = async (/** @type {Event} */ e) => {
    e.preventDefault();
    try {
      await post("/api/me/name", { name: name.value });
      forgetMe();
      said.textContent = t("saved");
    } catch {
      said.textContent = t("name.refused");
    }
  };
  const respeak = async (/** @type {string} */ what, /** @type {string} */ value) => {
    remember(what, value);
    await loadWords();
    sheet.close();
    await show();
    const { takeFresh } = await import("./taken.js");
    await takeFresh(); // puzzles that were taken along speak the language, too
  };
  sheet.append(
    segments(
      t("language"),
      "lang",
      /** @type {[string, string][]} */ (Object.entries(LANGUAGES)),
      lang(),
      (value) => respeak("lang", value),
    ),
    segments(
      t("places"),
      "places",
      [
        ["own", t("places.own")],
        ["latin", t("places.latin")],
      ],
      setting("places", "own"),
      (value) => respeak("places", value),
    ),
    segments(
      t("theme"),
      "theme",
      [
        ["auto", t("theme.auto")],
        ["light", t("theme.light")],
        ["dark", t("theme.dark")],
      ],
      setting("theme", "auto"),
      (value) => remember("theme", value),
    ),
    segments(
      t("sound"),
      "sound",
      [
        ["on", t("on")],
        ["off", t("off")],
      ],
      setting("sound", "on"),
      (value) => remember("sound", value),
    ),
    segments(
      t("motion"),
      "motion",
      [
        ["on", t("on")],
        ["off", t("off")],
      ],
      setting("motion", "on"),
      (value) => remember("motion", value),
    ),
    segments(
      t("pace"),
      "pace",
      [
        ["slow", t("pace.slow")],
        ["normal", t("pace.normal")],
        ["fast", t("pace.fast")],
        ["once", t("pace.once")],
      ],
      paceName(),
      (value) => remember("pace", value),
    ),
    segments(
      t("warnings"),
      "warnings",
      [
        ["on", t("on")],
        ["off", t("off")],
      ],
      setting("warnings", "on"),
      (value) => remember("warnings", value),
    ),
    segments(
      t("single"),
      "single",
      [
        ["on", t("on")],
        ["off", t("off")],
      ],
      setting("single", "on"),
      (value) => remember("single", value),
    ),
    segments(
      t("notices"),
      "notices",
      [
        ["on", t("on")],
        ["off", t("off")],
      ],
      setting("notices", "off"),
      async (value) => remember("notices", value === "on" && (await askForNotices()) ? "on" : "off"),
    ),
    h(
      "form.rename",
      { onsubmit: rename },
      h("label", null, t("name"), name),
      h("button.secondary", { type: "submit" }, t("save")),
      said,
    ),
  );
}
