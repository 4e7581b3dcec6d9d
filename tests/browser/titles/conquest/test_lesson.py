"""The first game of Conquest: what is bought in it is seen, and what its battle tells afterwards."""

from __future__ import annotations

import json
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

import ludus
from browser.test_lessons import await_step, do
from ludus.lessons.lesson import FirstGame, read_lesson
from ludus.lessons.playing import begin

NewPage = Callable[..., Page]

# How much of each button of the tray lies in what is seen of it.
SEEN = """() => {
  const tray = document.querySelector(".tray").getBoundingClientRect();
  return [...document.querySelectorAll(".tray .wareitem, .tray .token")].map((el) => {
    const box = el.getBoundingClientRect();
    return (Math.min(tray.bottom, box.bottom) - Math.max(tray.top, box.top)) / box.height;
  });
}"""


def go_to(page: Page, lesson: FirstGame, number: int, key: str) -> None:
    """Play a part from its beginning to a step."""
    playing = begin(lesson, number, "en")
    while playing.now.key != key:
        await_step(page, f"{number}.{playing.step}")
        if playing.now.is_read:
            page.locator(".onward").click()
            playing.read()
        else:
            do(page, playing, False)
    await_step(page, f"{number}.{playing.step}")


@pytest.mark.parametrize("size", [(360, 640), (390, 844), (844, 390)])
def test_what_is_bought_and_how_many_is_seen_whole(
    new_page: NewPage, url: str, size: tuple[int, int]
) -> None:
    page = new_page(viewport={"width": size[0], "height": size[1]}, has_touch=True)
    page.goto(f"{url}/learn/conquest")
    go_to(page, read_lesson(ludus.title("conquest")), 0, "buy")
    page.locator("[data-touch='goods:infantry']").click()
    page.locator(".tray .token").first.wait_for()
    assert min(page.evaluate(SEEN)) > 0.98


def open_battle(page: Page, url: str, lesson: FirstGame) -> int:
    """The lesson at the part with the battle; its number."""
    number = next(n for n, part in enumerate(lesson.parts) if part.key == "battle")
    page.goto(f"{url}/learn/conquest")
    await_step(page, "0.0")
    place = {"at": 1, "n": number * 1_000_000, "part": number, "step": 0, "actions": []}
    kept = json.dumps({"conquest": place})
    page.evaluate("(kept) => localStorage.setItem('ludus.progress.lesson', kept)", kept)
    page.reload()
    return number


def test_the_last_round_of_a_battle_is_counted_too(new_page: NewPage, url: str) -> None:
    """The battle is over with its last die: no position shows the throw as a whole."""
    lesson = read_lesson(ludus.title("conquest"))
    page = new_page()
    go_to(page, lesson, open_battle(page, url, lesson), "city")
    expect(page.locator(".moment .course")).to_have_text("Hits in each round: 1: 1–1 · 2: 1–0")


def test_the_answer_to_a_wrong_loss_goes_with_the_right_one(new_page: NewPage, url: str) -> None:
    lesson = read_lesson(ludus.title("conquest"))
    page = new_page(viewport={"width": 390, "height": 844}, has_touch=True)
    number = open_battle(page, url, lesson)
    go_to(page, lesson, number, "losses")
    page.locator(".battle [data-touch='unit:cavalry']").first.click()
    expect(page.locator(".toast")).to_contain_text(lesson.say("en", "battle.losses_wrong"))
    step = page.evaluate("() => document.querySelector('.lessonpage').dataset.step")
    page.locator(".battle footer .primary").click()
    expect(page.locator(".lessonpage")).not_to_have_attribute("data-step", step)
    expect(page.locator(".toast")).to_be_hidden()


# Which of these regions lie whole in the window of the map.
IN_VIEW = """(regions) => {
  const frame = document.querySelector(".mapwindow").getBoundingClientRect();
  return regions.filter((region) => {
    const box = document.querySelector(`.board [data-touch="${region}"]`).getBoundingClientRect();
    return box.left > frame.left - 1 && box.right < Math.min(frame.right, innerWidth) + 1
      && box.top > frame.top - 1 && box.bottom < Math.min(frame.bottom, innerHeight) + 3;
  });
}"""
WIDE = "() => document.querySelector('.mapsheet').getBoundingClientRect().width"


@pytest.mark.parametrize("size", [(390, 844), (1280, 800)])
def test_a_part_begins_in_its_corner_of_the_map(new_page: NewPage, url: str, size: tuple[int, int]) -> None:
    """All regions that a part asks for are on the screen, and the rest of the world is not in the way."""
    lesson = read_lesson(ludus.title("conquest"))
    page = new_page(viewport={"width": size[0], "height": size[1]}, has_touch=size[0] < 640)
    page.goto(f"{url}/learn/conquest")
    await_step(page, "0.0")
    for number, part in enumerate(lesson.parts):
        if number:
            open_battle(page, url, lesson)
            await_step(page, f"{number}.0")
        asked = {touch for step in part.steps for touch in (*step.touch, *step.light)}
        regions = sorted({*part.view, *(touch for touch in asked if touch.startswith("region:"))})
        assert len(regions) > 2
        page.locator(f".board [data-touch='{regions[0]}']").wait_for()
        page.wait_for_timeout(600)  # the drawing goes to one's own home, where nobody says otherwise
        assert page.evaluate(IN_VIEW, regions) == regions
        assert page.evaluate(WIDE) > 1.2 * size[0], "it is a corner of the map"
    page.locator(".zoomkey").click()
    assert page.evaluate(WIDE) <= size[0], "the whole world, for who wants it"
