"""Duellum's first game on a phone: the map goes where the lesson speaks of."""

from __future__ import annotations

import json
from collections.abc import Callable

from playwright.sync_api import Page

from browser.driving import press, until
from browser.test_lessons import await_step

NewPage = Callable[..., Page]

# Whether something of the map lies in its window.
SEEN = """(selector) => {
  const frame = document.querySelector(".mapwindow").getBoundingClientRect();
  return [...document.querySelectorAll(`.mapwindow ${selector}`)].some((el) => {
    const box = el.getBoundingClientRect();
    const [x, y] = [box.left + box.width / 2, box.top + box.height / 2];
    return box.width > 0 && x > frame.left && x < frame.right && y > frame.top && y < frame.bottom;
  });
}"""
AWAY = "() => document.querySelector('.mapwindow').scrollTo(0, 0)"


def test_the_map_shows_what_the_lesson_speaks_of(new_page: NewPage, url: str) -> None:
    page = new_page(viewport={"width": 390, "height": 844}, has_touch=True)
    page.goto(f"{url}/learn/duellum")
    await_step(page, "0.0")
    kept = json.dumps({"duellum": {"at": 1, "n": 2_000_000, "part": 2, "step": 0, "actions": []}})
    page.evaluate("(kept) => localStorage.setItem('ludus.progress.lesson', kept)", kept)
    page.reload()
    await_step(page, "2.0")
    page.wait_for_timeout(600)  # the drawing goes to one's own cities, where nobody says otherwise
    assert page.evaluate(SEEN, ".taught"), "the city that is spoken of"
    page.locator(".onward").tap()
    await_step(page, "2.1")
    press(page, "space:duellum_ii")
    await_step(page, "2.2")
    legions = "[data-touch='unit:legion@zama'].lit"
    until(lambda: page.evaluate(SEEN, legions), "the legions that are to be touched", 5)
    page.evaluate(AWAY)
    assert not page.evaluate(SEEN, legions)
    page.locator("[data-touch='region:massilia']").first.dispatch_event("click")
    page.locator(".toast").wait_for()
    until(lambda: page.evaluate(SEEN, legions), "the legions again, after a wrong try", 5)
