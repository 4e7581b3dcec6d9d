"""Where another page begins: at its top, with what was chosen last."""

from __future__ import annotations

from collections.abc import Callable

from playwright.sync_api import Page, expect

from browser.driving import until
from samples import LARGE

NewPage = Callable[..., Page]


def test_another_page_begins_at_its_top(new_page: NewPage, url: str) -> None:
    page = new_page(viewport={"width": 390, "height": 500})
    page.goto(url)
    way = page.locator(f"a[href='/new/{LARGE}'], a[href^='/new/']").last
    way.wait_for()
    page.evaluate("() => scrollTo(0, document.documentElement.scrollHeight)")
    assert page.evaluate("() => scrollY") > 0
    way.dispatch_event("click", {"bubbles": True, "cancelable": True})
    page.locator(".setup form").wait_for()
    until(lambda: page.evaluate("() => scrollY") == 0, "the top of the page", 3)


def test_the_level_of_a_game_from_a_position_is_kept(new_page: NewPage, url: str) -> None:
    page = new_page()
    page.goto(f"{url}/positions/{LARGE}")
    level = page.locator(".posplay select").last
    level.wait_for(timeout=30_000)
    strongest = level.locator("option").last.get_attribute("value") or ""
    level.select_option(strongest)
    page.locator(".posways .begins").first.click()
    page.wait_for_url("**/m/*")
    page.goto(f"{url}/positions/{LARGE}")
    expect(page.locator(".posplay select").last).to_have_value(strongest, timeout=30_000)
