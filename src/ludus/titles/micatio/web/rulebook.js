/** The hands of the finger game for its rules page. */

import { hand } from "./table.js";

/** @param {string} id */
export const piece = (id) => hand(Number(id.split(":")[1]));
