"""Micatio's first game on a phone: what Marcus does is watched, and who goes on twice goes on once."""

from __future__ import annotations

from collections.abc import Callable

from playwright.sync_api import Page, expect

import ludus
from browser.driving import until
from browser.test_lessons import await_step, do
from ludus.lessons.lesson import read_lesson
from ludus.lessons.playing import begin

NewPage = Callable[..., Page]
LOST = "The server is not answering"
# Heights of what lies in the bar under the board.
ROWS = """() => new Set([...document.querySelectorAll(".bar button")].map((el) => el.getBoundingClientRect())
  .filter((box) => box.width).map((box) => Math.round((box.top + box.bottom) / 20))).size"""


def test_a_second_press_on_go_on_asks_for_nothing(new_page: NewPage, url: str) -> None:
    page = new_page(viewport={"width": 390, "height": 844}, reduced_motion="no-preference")
    page.goto(f"{url}/learn/micatio")
    await_step(page, "0.0")
    go_on = page.locator(".onward")
    playing = begin(read_lesson(ludus.title("micatio")), 0, "en")
    while playing.now.key != "paid":
        if playing.now.is_read:
            go_on.click()
            playing.read()
        else:
            do(page, playing, False)
        await_step(page, f"0.{playing.step}")
    until(lambda: go_on.is_visible(), "what Marcus did")
    go_on.evaluate("(el) => { el.click(); el.click(); }")
    page.locator(".bar .pace").wait_for()
    expect(go_on).to_be_hidden()
    assert page.evaluate(ROWS) == 1, "one row of buttons"
    await_step(page, "0.5")
    assert LOST not in (page.locator(".toast").text_content() or "")
