/** The pieces of the Empire for its rules page. */

import { h, s } from "/js/dom.js";
import { mark, symbols } from "./emblems.js";

/** @param {string} id */
export function piece(id) {
  const name = id.split(":")[1];
  if (!document.getElementById("cq-infantry"))
    document.body.append(s("svg", { width: 0, height: 0, "aria-hidden": "true" }, symbols()));
  return h("span.bookmark", null, mark(name));
}
