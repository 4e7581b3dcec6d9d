/** The keys of a table. */

import { amountsOf } from "./trie.js";

/** @typedef {import("../pages/match.js").MatchPage} MatchPage */
/** @typedef {import("./replay.js").Replay} Replay */

/** @param {MatchPage} page @param {KeyboardEvent} e */
export function onKey(page, e) {
  if (e.ctrlKey || e.metaKey || e.altKey || e.defaultPrevented) return;
  const typing = e.target instanceof Element && e.target.matches("input, textarea, select");
  if (document.querySelector("dialog[open]")) return;
  if (e.key === "Escape") {
    if (page.stage.telling.watched) page.stage.telling.skip();
    else if (page.prompt.bar.list.classList.contains("open")) page.prompt.bar.toggleList(false);
    else if (!page.prompt.hands.back()) page.prompt.info.hide();
    return;
  }
  if (typing) return;
  if (page.replay?.active && replayKey(page.replay, e)) return;
  if (page.stage.telling.watched && tellingKey(page.stage.telling, e)) return;
  const key = e.key.toLowerCase();
  if (/^\d$/.test(key) && touchDigit(page, key)) e.preventDefault();
  else if (page.stage.zoom?.key(e)) e.preventDefault();
  else if (key === "a" && touchAll(page)) e.preventDefault();
  else if (key === "." && page.prompt.hands.again()) page.prompt.hands.focusNext();
  else if (key === "u") page.prompt.undo();
  else if (key === "h") page.hints?.give(false);
  else if (key === "l") page.toggleSide();
  else if (key === "c") {
    e.preventDefault();
    page.prompt.hands.keyboard = true;
    page.prompt.bar.toggleList();
  } else if (key === "m") {
    e.preventDefault();
    page.toggleSide(true);
    page.side?.open("chat");
    page.side?.talk.input.focus();
  } else if (key === "r" && page.session.opened?.view) page.lookAt(page.session.model.entry);
  else if (key === "b") focusBoard(page);
  else if (key === "?" && page.asking.explainHere()) e.preventDefault();
  else if (key === "?") import("./menu.js").then(({ keyHelp }) => keyHelp());
}

/** @param {MatchPage} page */
function focusBoard(page) {
  page.prompt.hands.keyboard = true;
  const lit = /** @type {HTMLElement | null} */ (
    page.stage.board.querySelector(".lit[data-touch]") ?? page.prompt.bar.buttons.querySelector("button")
  );
  lit?.focus();
}

/**
 * A digit touches the number it names: an amount, a die, a disc.
 * @param {MatchPage} page @param {string} digit
 */
function touchDigit(page, digit) {
  const next = page.prompt.hands.busy ? [] : [...page.prompt.hands.node.next.keys()];
  const named = next.filter((touch) => touch.endsWith(`:${digit}`));
  const found =
    named.find((touch) => touch.startsWith("amount:")) ??
    named.find((touch) => touch.startsWith("die:")) ??
    named[0];
  if (!found) return false;
  page.prompt.hands.keyboard = true;
  page.prompt.hands.touch(found);
  page.prompt.hands.focusNext();
  return true;
}

/**
 * Everything at once: what a drawing has ready, a button that means all, or the number that comes first.
 * @param {MatchPage} page
 */
function touchAll(page) {
  if (page.prompt.hands.busy) return false;
  if (page.stage.drawing?.all?.()) return true;
  const next = [...page.prompt.hands.node.next.keys()];
  const found =
    next.find((touch) => touch === "button:default" || /^button:.*_all$/.test(touch)) ??
    (amountsOf(page.prompt.hands.node) ? next.find((touch) => touch.startsWith("amount:")) : undefined);
  if (!found) return false;
  page.prompt.hands.keyboard = true;
  page.prompt.hands.touch(found);
  return true;
}

/**
 * While others are watched.
 * @param {import("./telling.js").Telling} telling @param {KeyboardEvent} e
 */
function tellingKey(telling, e) {
  const pressed = e.target instanceof Element && e.target.matches("button, a, summary");
  if (e.key === "ArrowRight") telling.step();
  else if (e.key === " " && !pressed) telling.toggle();
  else return false;
  e.preventDefault();
  return true;
}

/** @param {Replay} replay @param {KeyboardEvent} e */
function replayKey(replay, e) {
  if (e.key === "ArrowLeft") replay.step(-1);
  else if (e.key === "ArrowRight") replay.step(1);
  else if (e.key === "Home") replay.go(0);
  else if (e.key === "End") replay.go(replay.model.entry);
  else if (e.key === " ") replay.toggle();
  else return false;
  e.preventDefault();
  return true;
}
