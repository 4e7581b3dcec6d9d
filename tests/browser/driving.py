"""Driving the client as a person would: touch what is lit, by mouse, finger or keyboard."""

from __future__ import annotations

import json
import random
import time
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from playwright.sync_api import Page

import ludus
from browser.staged import START, scene_of
from ludus.web import STATIC
from samples import LARGE

NOWHERE = "/nowhere"  # a page of the client with nothing on it
LIT = ".board [data-touch].lit, .bar .buttons [data-touch], .bar .stepper .go"
WAIT = 45.0  # a bot that thinks for the first time has much to load
LAST = {"button:end", "button:done", "button:decline"}  # touched when nothing else is left, or now and then

# What can be touched now: a short description of each thing that is lit and visible.
_OFFERED = """(selector) => [...document.querySelectorAll(selector)].filter((el) => {
  const box = el.getBoundingClientRect();
  return box.width > 0 && box.height > 0 && !el.closest("[inert]");
}).map((el) => el.dataset.touch ?? "go")"""
# Where to press it: the middle of what is lit, else (a region has no middle) a point where it lies on top.
_PLACE = """async (touch) => {
  await new Promise((done) => requestAnimationFrame(done));
  const id = `[data-touch="${CSS.escape(touch)}"]`;
  const found = touch === "go" ? ".bar .stepper .go" : `.board ${id}.lit, .bar .buttons ${id}`;
  const parts = [0.5, 0.35, 0.65, 0.2, 0.8, 0.1, 0.9, 0.27, 0.73, 0.43, 0.57];
  let last = null;
  for (const el of document.querySelectorAll(found)) {
    el.scrollIntoView({ block: "nearest", inline: "nearest" });
    const box = el.getBoundingClientRect();
    for (const v of parts) for (const u of parts) {
      const [x, y] = [box.left + box.width * u, box.top + box.height * v];
      const top = document.elementFromPoint(x, y);
      if (box.width && top && (el.contains(top) || top === el)) return [x, y];
      last ??= `${touch} is covered by ${top?.outerHTML.slice(0, 120)}`;
    }
  }
  return last ?? `${touch} is gone`;
}"""
_DIALOG = "() => !!document.querySelector('dialog[open]')"
_ENTRY = "() => +(document.querySelector('main.matchpage')?.dataset.entry ?? 0)"


def until(ready: Callable[[], Any], what: str = "it", seconds: float = WAIT) -> Any:
    """Wait until something is true.  (Playwright's own wait needs eval, which our CSP forbids.)"""
    ends = time.monotonic() + seconds
    while True:
        found = ready()
        if found:
            return found
        if time.monotonic() > ends:
            raise AssertionError(f"waited {seconds:.0f} s for {what}")
        time.sleep(0.02)


def offered(page: Page) -> list[str]:
    found: list[str] = page.evaluate(_OFFERED, LIT)
    return found


def is_over(page: Page) -> bool:
    return bool(page.evaluate(_DIALOG))


def entry(page: Page) -> int:
    """The number of the last entry that the board shows; not every one is told in the log."""
    return int(page.evaluate(_ENTRY))


def my_turn(page: Page) -> list[str]:
    """Wait until something can be touched, or the match is over; what can be touched."""
    until(lambda: offered(page) or is_over(page), "my turn")
    return [] if is_over(page) else offered(page)


def choose(rng: random.Random, ids: list[str]) -> int:
    """The place of the thing to touch: ending a turn comes last."""
    good = [k for k, touch in enumerate(ids) if touch not in LAST]
    if good and rng.random() < 0.93:
        return rng.choice(good)
    return rng.randrange(len(ids))


def locate(page: Page, touch: str, k: int = 0) -> Any:
    if touch == "go":
        return page.locator(".bar .stepper .go")
    return page.locator(f'.board [data-touch="{touch}"].lit, .bar .buttons [data-touch="{touch}"]').nth(k)


def _resting_place(page: Page, touch: str) -> Any:
    """Where to press, once that stays where it is: a map may still be going to what is told."""
    before = page.evaluate(_PLACE, touch)
    for _ in range(100):
        place = page.evaluate(_PLACE, touch)
        if place == before:
            break
        before = place
    return before


def press(page: Page, touch: str, tap: bool = False) -> None:
    """A real press in the middle of it; without Playwright's waiting, which costs half a second."""
    place = _resting_place(page, touch)
    assert isinstance(place, list), place
    if tap:
        page.touchscreen.tap(*place)
    else:
        page.mouse.click(*place)


def play_by_clicking(page: Page, rng: random.Random, touches: int = 2000, tap: bool = False) -> int:
    """Touch things at random until the match is over; how many were touched."""
    for done in range(touches):
        ids = my_turn(page)
        if not ids:
            return done
        touch = ids[choose(rng, ids)]
        before = entry(page), ids
        press(page, touch, tap)
        until(partial(changed, page, before), f"an answer to {touch}", 10)
    return touches


def changed(page: Page, before: tuple[int, list[str]]) -> bool:
    return is_over(page) or (entry(page), offered(page)) != before or not offered(page) or is_warned(page)


def is_warned(page: Page) -> bool:
    """Whether it is asked if the turn is really to end."""
    return page.locator(".toast:not([hidden]) button.small").count() > 0


def end_turn(page: Page) -> None:
    """End the turn, whatever could still be done."""
    before = entry(page)
    press(page, "button:end")
    until(lambda: is_warned(page) or entry(page) > before, "the end of the turn", 10)
    if is_warned(page):
        page.locator(".toast button.small").click()


_SHOWN = "(selector) => [...document.querySelectorAll(selector)].map((el) => el.dataset.touch ?? 'amount')"


def _is_shown(page: Page, touch: str) -> bool:
    shown = page.evaluate(_SHOWN, LIT)
    return touch in shown or (touch.startswith("amount:") and "amount" in shown)


def _either_is_shown(page: Page, touch: str, after: str) -> bool:
    return _is_shown(page, touch) or _is_shown(page, after)


def touch_all(page: Page, path: Sequence[str], tap: bool = False) -> None:
    """Touch one thing after the other; a number is typed.  A button that only leads on may be left out."""
    for touch, after in zip(path, [*path[1:], ""], strict=True):
        until(partial(_either_is_shown, page, touch, after), f"{touch} to be lit", 20)
        if not _is_shown(page, touch):
            continue
        if touch.startswith("amount:") and page.locator(".bar .stepper").count():
            page.locator(".bar .stepper .number").fill(touch.removeprefix("amount:"))
            press(page, "go", tap)
        else:
            press(page, touch, tap)


def act(page: Page, path: Sequence[str], tap: bool = False) -> None:
    """One whole action."""
    before = entry(page)
    touch_all(page, path, tap)
    until(lambda: entry(page) > before or is_over(page), f"an answer to {path}", 20)


def start_scene(page: Page, url: str, title: str, scene: str, seats: list[dict[str, str]]) -> None:
    """Into a match that begins at one of its scenes; for a server with staged titles."""
    options = {"scene": scene} if scene == START else {**scene_of(title, scene).options, "scene": scene}
    page.goto(url + NOWHERE)
    page.locator(".nothing").wait_for()
    page.evaluate(
        """async ([title, options, seats]) => {
          const { startMatch } = await import("/js/start.js");
          await startMatch(title, seats, { options });
        }""",
        [title, options, seats],
    )
    page.wait_for_url("**/m/*")


def start(page: Page, url: str, title: str = LARGE, bot: int = 0, how: str = "playnow") -> None:
    """From the first page into a match: the two clicks of the promise."""
    page.goto(url)
    page.locator(f'[data-title="{title}"] .levels label').nth(bot).click()
    page.locator(f'[data-title="{title}"] .{how}').click()
    if how == "screen":
        page.locator("dialog .atscreen button").click()
    page.wait_for_url("**/m/*")


def speak(page: Page, lang: str) -> None:
    """Go on in another language: what the choice in the settings does."""
    page.evaluate(
        """async (lang) => {
          const names = ["settings", "words", "router"].map((name) => import(`/js/${name}.js`));
          const [{ remember }, { loadWords }, { show }] = await Promise.all(names);
          remember("lang", lang);
          await loadWords();
          await show();
        }""",
        lang,
    )
    until(lambda: page.evaluate("document.documentElement.lang") == lang, f"the language {lang}", 10)


def words_on_screen(title: str, lang: str) -> dict[str, str]:
    """What the client and the drawing of a title say."""
    client: dict[str, str] = json.loads((STATIC / f"words/{lang}.json").read_text(encoding="utf-8"))
    words = ludus.title(title).words
    return client | {key: words.say(lang, key) for key in words.keys(lang) if key.startswith("web.")}
