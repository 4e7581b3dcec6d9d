/** A study of a finished match: comments on its moments and the matches that branch off it. */

import { get, post } from "../api.js";
import { fillWith, h } from "../dom.js";
import { go } from "../router.js";
import { t } from "../words.js";
import { linkBox } from "./waiting.js";

/** @typedef {{match: string, of: string, entry: number}} Branch */
/** @typedef {{match: string, entry: number, text: string}} Comment */
/**
 * @typedef {{id: string, name: string, match: string, revision: number, mine: boolean, branches: Branch[],
 *   comments: Comment[]}} Told
 */

/** The place of a study in the client; of a match in it, a moment. @param {string} id */
export const studyPlace = (id) => `/study/${id}`;

/** @param {string} match @param {string} study @param {number} entry */
const momentPlace = (match, study, entry) => `/m/${match}?study=${study}&at=${entry}`;

/** Begin a study of a match and show it. @param {string} match @param {number} entry */
export async function beginStudy(match, entry) {
  const made = await post("/api/studies", { match });
  await go(momentPlace(match, made.id, entry));
}

/** A study by its link: its match, from the beginning. @param {string} id */
export async function openStudy(id) {
  const told = await get(`/api/studies/${encodeURIComponent(id)}`);
  history.replaceState(null, "", momentPlace(told.match, told.id, 0));
  await go(location.pathname + location.search);
}

export class Study {
  /** @param {string} id @param {string} match the one that is shown @param {(n: number) => void} moment */
  constructor(id, match, moment) {
    this.id = id;
    this.match = match;
    this.moment = moment;
    this.at = 0;
    /** @type {Told | null} */
    this.told = null;
    this.problem = "";
    this.el = h("section.study", { "aria-label": t("study"), hidden: true });
  }

  get path() {
    return `/api/studies/${encodeURIComponent(this.id)}`;
  }

  async open() {
    this.told = await get(this.path).catch(() => null);
    this.problem = this.told ? "" : t("study.gone");
    this.el.hidden = false;
    this.show(this.at);
  }

  /** @param {Record<string, unknown>} change */
  async change(change) {
    if (!this.told) return;
    try {
      this.told = await post(this.path, { revision: this.told.revision, ...change });
      this.problem = "";
    } catch (error) {
      this.problem = /** @type {Error} */ (error).message;
      this.told = await get(this.path).catch(() => this.told);
    }
    this.show(this.at);
  }

  /** A match was begun from the moment that is shown. @param {string} branch @param {number} entry */
  async add(branch, entry) {
    if (this.told?.mine) await this.change({ match: this.match, entry, branch });
  }

  /** @param {number} n the moment that the replay shows */
  show(n) {
    this.at = n;
    const told = this.told;
    if (this.el.hidden) return;
    fillWith(
      this.el,
      this.problem ? h("p.problem", { role: "alert" }, this.problem) : null,
      told ? [this.places(told), this.comment(told, n), told.mine ? sharing(told.id) : null] : null,
    );
  }

  /** Where there is something: the moments with comments, and the branches. @param {Told} told */
  places(told) {
    const from = told.branches.find(({ match }) => match === this.match);
    const comments = told.comments
      .filter(({ match }) => match === this.match)
      .sort((a, b) => a.entry - b.entry);
    const branches = told.branches.filter(({ of }) => of === this.match).sort((a, b) => a.entry - b.entry);
    return h(
      "p.places",
      null,
      h("b", null, told.name || t("study")),
      from ? link(momentPlace(from.of, told.id, from.entry), t("study.back", { n: from.entry })) : null,
      comments.map(({ entry }) =>
        h(
          "button.small.secondary",
          { type: "button", "aria-pressed": String(entry === this.at), onclick: () => this.moment(entry) },
          t("study.at", { n: entry }),
        ),
      ),
      branches.map(({ match, entry }) =>
        link(`/m/${match}?study=${told.id}&at=0`, t("study.branch", { n: entry })),
      ),
      told.mine ? null : h("small", null, t("study.theirs")),
    );
  }

  /** @param {Told} told @param {number} n */
  comment(told, n) {
    const said = told.comments.find(({ match, entry }) => match === this.match && entry === n)?.text ?? "";
    if (!told.mine) return said ? h("p.said", null, said) : null;
    const text = /** @type {HTMLTextAreaElement} */ (
      h(
        "textarea",
        {
          rows: 2,
          maxlength: 600,
          "aria-label": t("study.comment", { n }),
          placeholder: t("study.comment", { n }),
        },
        said,
      )
    );
    return h(
      "div.write",
      null,
      text,
      h(
        "button.small.primary",
        { type: "button", onclick: () => this.change({ match: this.match, entry: n, comment: text.value }) },
        t("study.keep"),
      ),
    );
  }
}

/** For whoever began it: the link to give away. @param {string} id */
const sharing = (id) =>
  h("details.share", null, h("summary", null, t("study.theirs")), linkBox(location.origin + studyPlace(id)));

/** @param {string} href @param {string} text */
const link = (href, text) => h("a.button.small.secondary", { href, "data-go": "" }, text);
