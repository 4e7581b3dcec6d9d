/** The picture of a title: `picture.svg` in its folder, drawn in the colours of the page; else a laurel. */

import { s } from "../dom.js";

/** @param {import("../words.js").Title} title */
export function picture(title) {
  const svg = title.picture
    ? document.importNode(
        new DOMParser().parseFromString(title.picture, "image/svg+xml").documentElement,
        true,
      )
    : laurel();
  svg.classList.add("picture");
  svg.setAttribute("aria-hidden", "true");
  return svg;
}

function laurel() {
  return s(
    "svg",
    { viewBox: "0 0 400 300", preserveAspectRatio: "xMidYMid slice" },
    s("rect.sky", { width: 400, height: 300 }),
    s("path.sun", { d: "M200 118A34 34 0 1 0 200.100 118Z", transform: "translate(110 -40) scale(.9)" }),
    s(
      "g",
      { transform: "translate(64 50) scale(.68)" },
      s("path.wash", { d: "M200 60A90 90 0 1 0 200.100 60Z" }),
      s("path.line", {
        d: "M200 60A90 90 0 1 0 200.100 60ZM200 240C140 232 116 186 134 112M200 240C260 232 284 186 266 112",
      }),
      s("path.hatch", {
        d: "M134 140L110 116M132 170L104 156M144 200L114 196M266 140L290 116M268 170L296 156M256 200L286 196",
      }),
    ),
  );
}
