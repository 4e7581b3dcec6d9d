/** The client begins here. */

import { askEarly, BACK, Problem, whoAmI } from "./api.js";
import { addIcons } from "./icons.js";
import { offlinePage } from "./pages/offline.js";
import { go, place, show, startRouter } from "./router.js";
import { apply } from "./settings.js";
import { loadWords, spoken } from "./words.js";

apply();
addIcons();
const host = /** @type {HTMLElement} */ (document.getElementById("app"));

place(/^\/$/, async () => (await import("./pages/home.js")).homePage(host));
place(/^\/new\/([a-z_0-9]+)$/, async (m) => (await import("./pages/setup.js")).setupPage(host, m[1]));
place(
  /^\/m\/([A-Za-z0-9_-]{1,40})$/,
  async (m) => new (await import("./pages/match.js")).MatchPage(m[1], host),
);
place(/^\/learn\/([a-z_0-9]+)$/, async (m) => new (await import("./pages/lesson.js")).LessonPage(m[1], host));
place(
  /^\/positions\/([a-z_0-9]+)$/,
  async (m) => new (await import("./pages/position.js")).PositionPage(m[1], host),
);
place(/^\/puzzles$/, async () => (await import("./pages/puzzles.js")).puzzlesPage(host));
place(
  /^\/puzzles\/([a-z_0-9]+)(?:\/([A-Za-z0-9_-]{1,40}))?$/,
  async (m) => new (await import("./pages/puzzle.js")).PuzzlePage(m[1], m[2] ?? "", host),
);
place(/^\/explore\/([a-z_0-9]+)$/, async (m) =>
  (await import("./pages/explore.js")).explorePage(host, m[1]).catch(() => go("/")),
);
place(/^\/mine$/, async () => (await import("./pages/explore.js")).minePage(host));
place(/^\/study\/([A-Za-z0-9_-]{8,32})$/, async (m) => {
  await (await import("./match/study.js")).openStudy(m[1]).catch(() => go("/"));
});
place(/^\/pass$/, async () => (await import("./pages/pass.js")).passPage(host));
place(/^/, async () => (await import("./pages/setup.js")).nothing(host));

// Everything that the first page needs is asked for at once, not one after the other.
whoAmI().catch(() => undefined);
if (location.pathname === "/") askEarly(spoken("/api/titles"));
const title = document.querySelector("meta[name=ludus-title]")?.getAttribute("content");
if (title) {
  askEarly(spoken(`/api/titles/${title}`));
  if (!location.search) askEarly(spoken(location.pathname.replace("/m/", "/api/matches/")));
}
// Tries at puzzles that were made without a line count when there is one, whatever page is open then.
const late = () => {
  if (document.hidden || !localStorage.getItem("ludus.progress.tries")) return;
  import("./taken.js").then(({ sendTries }) => sendTries()).catch(() => undefined);
};
for (const back of ["online", BACK]) addEventListener(back, late);
document.addEventListener("visibilitychange", late);

try {
  await loadWords();
  startRouter();
  await show();
} catch (error) {
  offlinePage(host);
  if (!(error instanceof Problem) || error.status) throw error;
}

late();

// The shell for when there is no line; not before the page itself has all that it needs.
if ("serviceWorker" in navigator)
  setTimeout(() => navigator.serviceWorker.register("/sw.js").catch(() => undefined), 4000);
