"""Duellum's map on a phone, which shows a part of it."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Page

from browser.driving import press, until
from browser.titles.duellum.test_board import begin

NewPage = Callable[..., Page]
PHONE = {"viewport": {"width": 390, "height": 844}, "is_mobile": True, "has_touch": True}
MIDDLE = """() => {
  const frame = document.querySelector(".mapwindow"), sheet = document.querySelector(".mapsheet");
  const [f, s] = [frame.getBoundingClientRect(), sheet.getBoundingClientRect()];
  return [(f.left + f.width / 2 - s.left) / s.width, (f.top + f.height / 2 - s.top) / s.height];
}"""
AWAY = """() => {
  const frame = document.querySelector(".mapwindow");
  frame.scrollTo(0, frame.scrollHeight);
}"""
SHOWN = "() => [...document.querySelectorAll('.lit')].map((el) => el.dataset.touch)"
CUT = """() => {
  const bar = [...document.querySelectorAll(".bar > .round, .bar .buttons button, .bar .number")];
  const seen = bar.map((el) => [el, el.getBoundingClientRect()]).filter(([, box]) => box.width);
  seen.sort(([, a], [, b]) => a.left - b.left);
  return seen.filter(([, box], k) => box.left < 0 || box.right > (seen[k + 1]?.[1].left ?? innerWidth))
    .map(([el]) => el.outerHTML);
}"""
UNSEEN = """() => {
  const box = document.querySelector(".mapwindow").getBoundingClientRect();
  return [...document.querySelectorAll(".mapwindow .places .lit")].filter((el) => {
    const r = el.getBoundingClientRect(), x = r.left + r.width / 2, y = r.top + r.height / 2;
    return x < box.left || x > box.right || y < box.top || y > box.bottom;
  }).map((el) => el.dataset.touch);
}"""


def resting_middle(page: Page) -> list[float]:
    """What lies in the middle once the map has come to one's own cities, in the north, and stays there."""
    seen: list[list[float]] = []

    def rests() -> bool:
        seen.append(page.evaluate(MIDDLE))
        return seen[-1][1] < 0.45 and len(seen) > 15 and all(one == seen[-1] for one in seen[-15:])

    until(rests, "the map at rest")
    return seen[-1]


def test_who_turns_the_phone_sees_the_same_place(new_page: NewPage, staged: str) -> None:
    page = begin(new_page(**PHONE), staged)
    seen = resting_middle(page)
    for width, height in ((844, 390), (360, 640), (844, 390), (390, 844)):
        page.set_viewport_size({"width": width, "height": height})
        until(lambda: page.evaluate(MIDDLE) == pytest.approx(seen, abs=0.02), f"{seen} in the middle")


def test_all_cities_that_can_be_armed_are_shown(new_page: NewPage, staged: str) -> None:
    page = begin(new_page(**PHONE), staged)
    until(lambda: page.evaluate(MIDDLE)[1] < 0.45, "one's own cities in the north")
    page.evaluate(AWAY)
    press(page, "space:militia", tap=True)
    until(lambda: page.locator(".mapwindow .places .lit").count() > 2, "cities to arm in")
    until(lambda: page.evaluate(UNSEEN) == [], "all of them in view")


def test_a_tab_opens_where_all_that_is_lit_lies_under_it(new_page: NewPage, staged: str) -> None:
    page = begin(new_page(**PHONE), staged, "quarry")
    press(page, "space:marmor", tap=True)
    card = page.locator('.beside [data-touch="card:quarry"].lit')
    until(card.is_visible, "the card that can be played")
    page.locator('[data-tab="rondel"]').tap()
    page.wait_for_timeout(400)
    assert not card.is_visible(), "somebody wants to look at another tab"
    page.locator('[data-tab="events"]').tap()
    press(page, "card:quarry", tap=True)
    until(lambda: "card:quarry" not in page.evaluate(SHOWN), "the card to be played")


@pytest.mark.parametrize("locale", ["en-GB", "de"])
def test_a_number_and_its_button_are_seen_whole(new_page: NewPage, staged: str, locale: str) -> None:
    page = begin(new_page(**PHONE, locale=locale), staged)
    press(page, "space:scientia", tap=True)
    until(lambda: "unit:legion@supply" in page.evaluate(SHOWN), "legions to recruit")
    press(page, "unit:legion@supply", tap=True)
    page.locator(".bar .stepper .go").wait_for()
    for width in (390, 360):
        page.set_viewport_size({"width": width, "height": 844})
        assert page.evaluate(CUT) == [], (locale, width)
