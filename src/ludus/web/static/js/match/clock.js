/** How much time is left, in words. */

import { t } from "../words.js";

/** @param {number} seconds */
export function clockText(seconds) {
  const whole = Math.ceil(seconds);
  if (whole >= 86400) return t("days", { n: Math.floor(whole / 86400), h: Math.floor((whole % 86400) / 3600) });
  const [hours, minutes, rest] = [Math.floor(whole / 3600), Math.floor((whole % 3600) / 60), whole % 60];
  const tail = `${String(minutes).padStart(hours ? 2 : 1, "0")}:${String(rest).padStart(2, "0")}`;
  return hours ? `${hours}:${tail}` : tail;
}

