/**
 * The shell of the client, for when there is no line.  The server is asked first, always: what is kept here
 * answers only where it does not.  Nothing of /api is ever kept here, nor how the server is; puzzles that are
 * taken along are kept by the page that takes them (js/taken.js).
 */

const KEPT = "ludus-shell";
const WORDS = ["en", "fr", "it", "de"].map((lang) => `/words/${lang}.json`);

/** Keep the first page and every file that it names. */
async function keepShell() {
  const cache = await caches.open(KEPT);
  const page = await fetch("/", { cache: "no-store" });
  const named = [...(await page.clone().text()).matchAll(/(?:href|src)="(\/[^"]+)"/g)].map(
    (found) => found[1],
  );
  await cache.put("/", page);
  await cache.addAll([...new Set([...named.filter((path) => path !== "/"), ...WORDS])]);
}

const PATIENCE = 6000; // milliseconds for an answer where there is one here already;
const IMPATIENCE = 700; // and while none has come in that time
let silent = false;

/** @param {Request} request */
async function answer(request) {
  const cache = await caches.open(KEPT);
  const place = request.mode === "navigate" ? "/" : request;
  const kept = await cache.match(place);
  const asked = fetch(request).then(async (told) => {
    silent = false;
    if (told.ok && request.mode !== "navigate") await cache.put(place, told.clone());
    return told;
  });
  return kept ? inTime(asked).catch(() => kept) : asked;
}

/** A server may take every question and answer none.
 * @param {Promise<Response>} asked @returns {Promise<Response>} */
function inTime(asked) {
  return new Promise((done, fail) => {
    const late = setTimeout(
      () => {
        silent = true;
        fail(new Error("late"));
      },
      silent ? IMPATIENCE : PATIENCE,
    );
    asked.then(done, fail).finally(() => clearTimeout(late));
  });
}

self.addEventListener("install", (event) => {
  event.waitUntil(keepShell().then(() => self.skipWaiting()));
});
self.addEventListener("activate", (event) => event.waitUntil(self.clients.claim()));
self.addEventListener("fetch", (event) => {
  const { method, url } = event.request;
  const { origin, pathname } = new URL(url);
  if (method !== "GET" || origin !== location.origin) return;
  if (pathname.startsWith("/api/") || pathname === "/healthz") return;
  event.respondWith(answer(event.request));
});
