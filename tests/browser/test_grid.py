"""A title without a drawing whose layout declares a board: places to touch, on any screen."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from browser.conftest import NewPage
from browser.driving import entry, my_turn, offered, press, start, until
from samples import BARE, SMALL

SIDES = """() => [...document.querySelectorAll(".square")].map((el) => {
  const box = el.getBoundingClientRect();
  const bar = document.querySelector(".bar").getBoundingClientRect();
  return [box.left, box.top, box.right, box.bottom, innerWidth, bar.top];
})"""


def stones(page: Page) -> int:
    return page.locator(".square .stone").count()


@pytest.mark.parametrize("size", [(390, 844), (360, 640), (844, 390)], ids=str)
def test_a_declared_board_is_touched_on_a_phone(new_page: NewPage, url: str, size: tuple[int, int]) -> None:
    width, height = size
    page = new_page(viewport={"width": width, "height": height}, is_mobile=True, has_touch=True)
    start(page, url, title=BARE)
    lit = my_turn(page)
    assert sorted(lit) == sorted(
        f"board:{row}-{column}" for row in "abc" for column in "123" if row + column != "b2"
    )
    for left, top, right, bottom, wide, bar in page.evaluate(SIDES):
        assert left >= 0 and right <= wide and bottom <= bar, "the whole board is seen"
        assert right - left >= 44 and bottom - top >= 44, "a finger hits it"
    press(page, "board:a-1", tap=True)
    until(lambda: stones(page) == 2, "the answer")
    expect(page.locator('[data-touch="board:a-1"] .stone')).to_have_class("stone t0")
    assert "board:a-1" not in my_turn(page)


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


# How much of what can be touched on the board lies in its window.
IN_SIGHT = """() => {
  const board = document.querySelector(".board").getBoundingClientRect();
  return [...document.querySelectorAll(".board [data-touch].lit")].filter((el) => {
    const box = el.getBoundingClientRect();
    return box.top >= board.top - 1 && box.bottom <= board.bottom + 1;
  }).length;
}"""


# Whether the round buttons of the bar and the number between them stand beside each other.
ONE_ROW = """() => {
  const tops = [...document.querySelectorAll(".bar > .round, .bar .stepper")].map((el) => {
    const box = el.getBoundingClientRect();
    return Math.round(box.top + box.height / 2);
  });
  return Math.max(...tops) - Math.min(...tops) < 8;
}"""


def test_what_can_be_touched_is_in_sight_and_the_outcome_of_a_round_is_told(
    new_page: NewPage, url: str
) -> None:
    page = new_page(viewport={"width": 360, "height": 640}, is_mobile=True, has_touch=True)
    start(page, url, title=SMALL)
    known = "1"
    for _ in range(20):
        ids = my_turn(page)
        if not ids:
            break
        now = page.locator(".fact b").first.inner_text()
        if now != known:
            expect(page.locator(".hint.news")).to_contain_text("win")  # whoever called last
            known = now
        before = entry(page)
        if page.locator(".board [data-touch].lit").count():
            until(lambda: page.evaluate(IN_SIGHT), "something to touch", 3)
        press(page, ids[-1], tap=True)
        until(lambda: entry(page) > before or offered(page) != ids, "an answer")  # noqa: B023
        if page.locator(".bar .stepper").count():
            assert page.evaluate(ONE_ROW), "all of the bar below the prompt in one row"
    assert int(known) > 2


def test_a_phone_on_its_side_shows_all_that_is_chosen_from(new_page: NewPage, url: str) -> None:
    """Under the numbers of the players; and no button stands before the question that it leads to."""
    page = new_page(viewport={"width": 844, "height": 390}, is_mobile=True, has_touch=True)
    start(page, url, title=SMALL)
    for _ in range(12):
        ids = my_turn(page)
        if page.locator(".bar .stepper").count():
            break
        lit = page.locator(".board [data-touch].lit").count()
        if lit:
            assert page.evaluate(IN_SIGHT) == lit
        before = entry(page)
        press(page, ids[-1], tap=True)
        until(lambda: entry(page) > before or offered(page) != ids, "an answer")  # noqa: B023
    expect(page.locator(".bar .stepper .number")).to_be_visible()
    expect(page.locator(".bar .cancel")).to_have_count(0)
    page.keyboard.press("Escape")
    expect(page.locator(".bar .stepper .number")).to_be_visible()


SIX = """async (title) => {
  const { startMatch } = await import("/js/start.js");
  await startMatch(title, [{ kind: "me" }, ...Array(5).fill({ kind: "bot", bot: "tiro" })]);
}"""
TINTS = """() => new Set([...document.querySelectorAll(".seatbox")].map((el) =>
  getComputedStyle(el).borderLeftColor)).size"""


def test_six_players_leave_room_for_what_is_chosen_from(new_page: NewPage, url: str) -> None:
    """Also in a later round, when everybody's last fingers and call stand there too; each has a tint."""
    page = new_page(viewport={"width": 360, "height": 640}, is_mobile=True, has_touch=True)
    page.goto(url)
    page.locator(".title").first.wait_for()
    page.evaluate(SIX, SMALL)
    page.wait_for_url("**/m/*")
    chosen = page.locator(".board [data-touch].lit")
    for _ in range(12):
        ids = my_turn(page)
        if chosen.count() and page.locator(".seatbox dl div").count() >= 24:
            break
        before = entry(page)
        press(page, ids[-1], tap=True)
        until(lambda: entry(page) > before or offered(page) != ids, "an answer")  # noqa: B023
    assert page.evaluate(TINTS) == 6
    for width, height in ((360, 640), (390, 844), (844, 390)):
        page.set_viewport_size({"width": width, "height": height})
        page.wait_for_timeout(300)
        assert page.evaluate(IN_SIGHT) == chosen.count() == 5, (width, height)
