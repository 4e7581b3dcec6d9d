"""Marches of two turns that an analysis compares, as arrows on the map."""

from __future__ import annotations

from playwright.sync_api import Page

from browser.conftest import NewPage
from browser.driving import until
from browser.titles.conquest.staged import TITLE
from browser.ways import compare_turns, missed

GENERAL = "leader:general@syria"
PLAYED = ["lead syria general", "take infantry 1", "march armenia"]
BEST = ["lead syria general", "take infantry 3", "march cilicia", "march galatia", "halt"]
NEAR = 6.0  # pixels


def stand(page: Page) -> bool:
    """Whether the arrow of the best turn and that of the one played stand between the right places."""
    best = missed(page, "best", [GENERAL, "region:cilicia", "region:galatia"])
    return max(best, missed(page, "played", [GENERAL, "region:armenia"])) < NEAR


def test_arrows_stand_between_the_provinces_of_each_march_also_on_a_smaller_map(
    new_page: NewPage, staged: str
) -> None:
    page = new_page()
    compare_turns(page, staged, TITLE, "open", PLAYED, [BEST])
    until(lambda: stand(page), "the arrows where they belong")
    assert page.locator(".board > .arrows > .arrow").count() == 2
    page.set_viewport_size({"width": 1000, "height": 700})
    until(lambda: stand(page), "the arrows on a smaller map")
