/** Duellum's pieces for its rules page. */

import { h, s } from "/js/dom.js";
import { labelOf } from "/js/words.js";
import { cityMark, glyph, stack } from "./pieces.js";

/** @param {string} more @param {(Node | null)[]} drawn */
const onMap = (more, drawn) =>
  s(`svg.onmap${more}`, { viewBox: "-34 -34 68 68", "aria-hidden": "true" }, drawn);

/** @param {string} id @param {import("/js/words.js").Title} title */
export function piece(id, title) {
  const [kind, name] = id.split(":");
  if (kind === "unit") return onMap(".s0", [s("g.unit.s0", null, stack(0, name, 1))]);
  if (kind === "city")
    return onMap("", [
      s(
        "g.city.s0",
        null,
        cityMark({ seat: 0, makes: "gold", temple: name === "temple", wall: name === "wall" }),
      ),
    ]);
  if (kind === "card") return h("div.event", null, h("span", null, labelOf(title, "card", name)));
  if (["good", "person", "know", "space"].includes(kind)) return glyph(name);
  return null;
}
