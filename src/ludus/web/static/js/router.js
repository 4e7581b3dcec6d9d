/** Places of the client: / , /new/TITLE , /learn/TITLE , /positions/TITLE , /puzzles , /puzzles/TITLE/NAME
 * , /m/ID ,
 * /study/ID , /explore/TITLE , /mine . */

/** @typedef {{close?: () => void}} Page */
/** @type {[RegExp, (match: RegExpMatchArray) => Promise<Page | void> | Page | void][]} */
const places = [];
/** @type {Page | null} */
let here = null;
let turn = 0;

/** @param {RegExp} pattern @param {(match: RegExpMatchArray) => Promise<Page | void> | Page | void} open */
export function place(pattern, open) {
  places.push([pattern, open]);
}

/** @param {string} path */
export async function go(path) {
  const isOther = path !== location.pathname + location.search + location.hash;
  if (isOther) history.pushState(null, "", path);
  await show();
  if (isOther) scrollTo({ top: 0, behavior: "instant" });
}

export async function show() {
  const mine = ++turn;
  here?.close?.();
  here = null;
  for (const sheet of document.querySelectorAll("dialog")) sheet.remove();
  for (const [pattern, open] of places) {
    const match = location.pathname.match(pattern);
    if (!match) continue;
    const page = (await open(match)) ?? null;
    if (mine === turn) here = page;
    else page?.close?.();
    return;
  }
}

export function startRouter() {
  addEventListener("popstate", () => show());
  document.addEventListener("click", (e) => {
    const link = e.target instanceof Element ? e.target.closest("a[data-go]") : null;
    if (!link || e.ctrlKey || e.metaKey || e.shiftKey || e.button) return;
    e.preventDefault();
    go(link.getAttribute("href") ?? "/");
  });
}
