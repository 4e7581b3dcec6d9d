"""Making positions of Antike Duellum: what is set at a region of the map stands there, and is played on."""

from __future__ import annotations

import re
from collections.abc import Callable

from playwright.sync_api import Page, expect

NewPage = Callable[..., Page]


def test_legions_and_a_temple_are_set_at_a_region_and_played_on(new_page: NewPage, url: str) -> None:
    page = new_page()
    page.goto(f"{url}/positions/duellum")
    expect(page.locator(".verdict")).to_contain_text("A game can begin here.", timeout=30_000)
    page.locator(".board [data-touch='region:roma'], .board [data-info='region:roma']").first.click()
    expect(page.locator(".picked h2")).to_have_text("Rome")
    legions = page.locator(".picked [data-path='army.0.legion.roma']")
    legions.fill("2")
    legions.press("Enter")
    expect(page.locator(".board [data-touch='unit:legion@roma']")).to_have_count(1)
    page.locator(".picked [data-path='temple.roma']").fill("1")
    page.locator(".picked [data-path='temple.roma']").press("Enter")
    expect(page.locator(".verdict")).to_contain_text("A game can begin here.")
    page.locator(".picked [data-path='owner.roma']").select_option(label="–")
    expect(page.locator(".verdict.bad")).to_contain_text("Not possible like this")  # a temple without a city
    expect(page.locator(".posways .begins").first).to_be_disabled()
    page.locator(".postools button").first.click()
    expect(page.locator(".verdict")).to_contain_text("A game can begin here.")
    page.get_by_role("button", name="Against a bot").click()
    expect(page).to_have_url(re.compile("/m/"), timeout=30_000)
    expect(page.locator(".status")).to_contain_text("From a position, not rated")
    expect(page.locator(".board [data-touch='unit:legion@roma']")).to_have_count(1)
