"""A title without a drawing whose layout declares a board: places to touch, on any screen."""

from __future__ import annotations

import random

import pytest
from playwright.sync_api import Page, expect

from browser.conftest import NewPage
from browser.driving import my_turn, play_by_clicking, press, start, until
from samples import BARE, SMALL

SIDES = """() => [...document.querySelectorAll(".square")].map((el) => {
  const box = el.getBoundingClientRect();
  const bar = document.querySelector(".bar").getBoundingClientRect();
  return [box.left, box.top, box.right, box.bottom, innerWidth, bar.top];
})"""


LOWEST_TILE = """Math.max(...[...document.querySelectorAll(".tile")].map(
  (el) => el.getBoundingClientRect().bottom))"""


def stones(page: Page) -> int:
    return page.locator(".square .stone").count()


@pytest.mark.parametrize(("wide", "high"), [(390, 844), (360, 640)])
def test_a_declared_board_is_touched_on_a_phone(new_page: NewPage, url: str, wide: int, high: int) -> None:
    page = new_page(viewport={"width": wide, "height": high}, is_mobile=True, has_touch=True)
    start(page, url, title=BARE)
    lit = my_turn(page)
    assert sorted(lit) == sorted(
        f"board:{row}-{column}" for row in "abc" for column in "123" if row + column != "b2"
    )
    for left, top, right, bottom, width, bar in page.evaluate(SIDES):
        assert left >= 0 and right <= width and bottom <= bar, "the whole board is seen"
        assert right - left >= 44 and bottom - top >= 44, "a finger hits it"
    press(page, "board:a-1", tap=True)
    until(lambda: stones(page) == 2, "the answer")
    expect(page.locator('[data-touch="board:a-1"] .stone')).to_have_class("stone t0")
    assert "board:a-1" not in my_turn(page)


def test_what_can_be_touched_is_on_a_small_screen_whatever_the_plates_say(
    new_page: NewPage, url: str
) -> None:
    """In the second round the plates have most to tell."""
    page = new_page(viewport={"width": 360, "height": 640}, is_mobile=True, has_touch=True)
    start(page, url, title=SMALL)
    rng, seen = random.Random(1), 0
    for _ in range(40):
        my_turn(page)
        if page.locator(".offers .tile").count():
            seen += 1
            lowest = page.evaluate(LOWEST_TILE)
            bar = page.locator(".bar").bounding_box()
            assert bar is not None and lowest <= bar["y"], f"tiles lie under the bar, time {seen}"
        if seen == 3:
            return
        play_by_clicking(page, rng, touches=1, tap=True)
    raise AssertionError("no third round")


def test_what_is_not_on_the_board_is_said_and_a_taken_place_is_refused(new_page: NewPage, url: str) -> None:
    page = new_page()
    start(page, url, title=BARE)
    my_turn(page)
    expect(page.locator(".seatbox.s0 .stone.t0")).to_have_count(1)
    expect(page.locator(".seatbox.s0")).to_contain_text("White")
    press(page, "board:c-3")
    until(lambda: stones(page) == 2, "the answer")
    my_turn(page)
    page.locator('[data-touch="board:c-3"]').click()
    expect(page.locator(".toast .rule")).to_have_text("T3")
    assert stones(page) == 2
