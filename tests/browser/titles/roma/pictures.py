"""A picture of Roma's table."""

from __future__ import annotations

import random

from playwright.sync_api import Browser

from browser.driving import my_turn, play_by_clicking, press, start
from browser.pictures import new_page, take
from ludus.server.testing import ServerProcess

TRIES = 12
FULL = """() => {
  const n = (selector) => document.querySelectorAll(selector).length;
  return n(".row.us .slot:not(.empty)") >= 5 && n(".row.them .slot:not(.empty)") >= 4
    && n(".hand .held") >= 2 && n(".dice .die.lit") >= 2;
}"""
# A die whose own disc can be activated.
DIE = """() => [...document.querySelectorAll(".choices button[data-action^='activate ']")]
  .map((button) => "die:" + button.dataset.action.split(" ")[1])[0] ?? null"""


def take_pictures(browser: Browser, server: ServerProcess) -> None:
    """A table in the middle of a match, with a die in the hand."""
    for attempt in range(TRIES):
        page, rng = new_page(browser, 1440, 900), random.Random(attempt)
        start(page, server.url, "roma")
        for _ in range(250):
            if not my_turn(page):
                break
            die = page.evaluate(DIE)
            if die and page.evaluate(FULL):
                press(page, die)
                page.mouse.move(2, 400)
                page.wait_for_timeout(500)
                take(page, "roma-table")
                return
            play_by_clicking(page, rng, touches=1)
        page.context.close()
    raise SystemExit("no table was worth a picture; try again")
