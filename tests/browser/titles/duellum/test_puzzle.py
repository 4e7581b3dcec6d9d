"""Puzzles of Antike Duellum on a phone: what can be pressed is read whole."""

from __future__ import annotations

from collections.abc import Callable

from playwright.sync_api import Page

import ludus
from browser.driving import until
from ludus.puzzles.puzzle import fitting_puzzles

NewPage = Callable[..., Page]
CUT = """() => {
  const bar = document.querySelector(".bar .buttons");
  return bar.childElementCount ? bar.scrollWidth - bar.clientWidth : -1;
}"""


def test_a_long_choice_beside_the_solution_is_read_whole(new_page: NewPage, url: str) -> None:
    found, _ = fitting_puzzles(ludus.title("duellum"))
    puzzle = next(one for one in found if "trade" in one.asked[0].chances)
    page = new_page(viewport={"width": 360, "height": 640}, locale="fr-FR", is_mobile=True, has_touch=True)
    page.goto(f"{url}/puzzles/duellum/{puzzle.name}")
    until(
        lambda: page.evaluate(CUT) >= 0 if page.locator(".bar .buttons button").count() else False, "choices"
    )
    assert page.evaluate(CUT) == 0
