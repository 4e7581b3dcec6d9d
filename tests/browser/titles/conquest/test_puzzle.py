"""A puzzle in the middle of a battle: two choices, and the board shows what they are about."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from ludus.puzzles.puzzle import fitting_puzzles
from ludus.titles.conquest import TITLE

NewPage = Callable[..., Page]


@pytest.mark.parametrize(("size", "locale"), [((390, 844), "fr-FR"), ((1280, 800), "en-GB")])
def test_whether_to_stay_in_a_battle_is_answered(
    new_page: NewPage, url: str, size: tuple[int, int], locale: str
) -> None:
    found = fitting_puzzles(TITLE)[0]
    puzzle = next(p for p in found if p.scene.position["phase"] == "decide" and len(p.asked) == 1)
    best = puzzle.asked[0].best
    page = new_page(viewport={"width": size[0], "height": size[1]}, locale=locale, has_touch=size[0] < 640)
    page.goto(f"{url}/puzzles/conquest/{puzzle.name}")
    expect(page.locator(".puzzlepage")).to_have_attribute("data-step", "0", timeout=30_000)
    expect(page.locator(".battle")).to_be_visible()
    expect(page.locator("[data-touch='button:fight_on']")).to_be_visible()
    page.locator(f"[data-touch='button:{best}']").click()
    expect(page.locator(".coach")).to_have_attribute("data-verdict", "best")
