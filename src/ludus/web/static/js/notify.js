/** One's attention: the title of the page, notices of the browser, matches elsewhere that wait. */

import { get, whoAmI } from "./api.js";
import { setting } from "./settings.js";
import { t } from "./words.js";

/** @param {string | null} text */
export function setAttention(text) {
  const plain = document.title.replace(/^● [^–]*– /, "");
  document.title = text ? `● ${text} – ${plain}` : plain;
}

/** @param {string} title @param {string} body @param {string} path */
export function notify(title, body, path) {
  if (setting("notices", "off") !== "on" || !document.hidden) return;
  if (!("Notification" in window) || Notification.permission !== "granted") return;
  const notice = new Notification(title, { body, tag: path });
  notice.onclick = () => {
    focus();
    if (location.pathname !== path) location.href = path;
    notice.close();
  };
}

/** @returns {Promise<boolean>} whether notices may be shown */
export async function askForNotices() {
  if (!("Notification" in window)) return false;
  return (await Notification.requestPermission()) === "granted";
}

/** Look now and then whether another match waits for me. @param {(waiting: any[]) => void} show */
export function watchOthers(show) {
  let known = new Set();
  const look = async () => {
    if (document.hidden && setting("notices", "off") !== "on") return;
    try {
      await whoAmI();
      const { matches } = await get("/api/matches");
      const waiting = matches.filter(
        (/** @type {any} */ m) => m.your_turn && location.pathname !== `/m/${m.id}`,
      );
      for (const m of waiting) if (!known.has(m.id)) notify(t("notify.turn"), m.title, `/m/${m.id}`);
      const news = waiting.length !== known.size || waiting.some((/** @type {any} */ m) => !known.has(m.id));
      known = new Set(waiting.map((/** @type {any} */ m) => m.id));
      if (news) show(waiting); // a page at which nothing happens rests
    } catch {
      // offline, or no identity yet: later
    }
  };
  const timer = window.setInterval(look, 20000);
  look();
  return () => clearInterval(timer);
}
