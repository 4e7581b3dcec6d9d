"""A title without a drawing whose layout declares a board: places to touch, on any screen."""

from __future__ import annotations

import random
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from browser.conftest import NewPage
from browser.driving import is_over, my_turn, offered, play_by_clicking, press, start, until
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


# Whatever the bar says, with whether it is told at a pace, whether the result is there already, and how many
# hands lie open.
LISTEN = """() => {
  window.said = [];
  const prompt = document.querySelector("#prompt");
  new MutationObserver(() => window.said.push([prompt.textContent,
    !document.querySelector(".bar .pace").hidden, !!document.querySelector("dialog[open]"),
    document.querySelectorAll(".seatbox .opened .fingers").length]))
    .observe(prompt, { childList: true, characterData: true, subtree: true });
}"""


def told(page: Page, text: str) -> dict[str, list[Any]]:
    """How the bar said this, by the whole text."""
    return {said: how for said, *how in page.evaluate("() => window.said") if text in said}


def at_a_pace(new_page: NewPage) -> Page:
    page = new_page(viewport={"width": 360, "height": 640}, reduced_motion="no-preference")
    page.add_init_script("""localStorage.setItem("ludus.settings", '{"pace":"fast"}')""")
    return page


def test_what_ends_a_match_is_told_before_the_result_and_a_full_line_stands_out(
    new_page: NewPage, url: str
) -> None:
    page = at_a_pace(new_page)
    start(page, url, title=BARE, how="screen")
    my_turn(page)
    page.evaluate(LISTEN)
    for place in ("a-1", "b-1", "a-2", "b-2", "a-3"):
        until(lambda: f"board:{place}" in offered(page), place)  # noqa: B023
        press(page, f"board:{place}")
    until(lambda: is_over(page), "the result")
    assert list(told(page, "three stones in line").values()) == [[True, False, 0]]
    full = page.locator(".square.inline").evaluate_all("(all) => all.map((el) => el.dataset.touch)")
    assert full == ["board:a-1", "board:a-2", "board:a-3"]


def test_what_comes_of_my_own_last_word_is_told_as_what_others_do(new_page: NewPage, url: str) -> None:
    """Who calls last opens all hands: in the first round the other, in the second I."""
    page = at_a_pace(new_page)
    start(page, url, title=SMALL)
    my_turn(page)
    page.evaluate(LISTEN)
    rng = random.Random(1)
    for _ in range(30):
        play_by_clicking(page, rng, touches=1)
        if not my_turn(page) or len(told(page, " and called ")) == 2:
            break
    assert list(told(page, " and called ").values()) == [[True, False, 2]] * 2
