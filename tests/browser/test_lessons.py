"""The first game of every title, played in a browser as a newcomer would: right, wrong, left and resumed."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from itertools import groupby
from typing import Any

import pytest
from playwright.sync_api import Page, Route, expect

import ludus
from browser.driving import my_turn, offered, press, start, touch_all, until
from conftest import all_titles
from ludus.core.scene import read_scene_text, set_up
from ludus.core.starting import write_start
from ludus.core.title import Title
from ludus.lessons.lesson import read_lesson
from ludus.lessons.playing import LessonGame, begin, gesture_for
from samples import BARE, LARGE

NewPage = Callable[..., Page]
# Each title on another screen and in another language.
SCREENS: list[tuple[int, int, str, str]] = [
    (360, 640, "fr-FR", "light"),
    (390, 844, "de-DE", "dark"),
    (844, 390, "it-IT", "light"),
    (1440, 900, "en-GB", "dark"),
    (360, 640, "en-GB", "light"),
]
_STEP = "() => document.querySelector('.lessonpage')?.dataset.step ?? ''"
_ENTRY = "() => +(document.querySelector('.lessonpage')?.dataset.entry ?? -1)"
# What is said, and the board beside it, can be read without scrolling the page.
_FITS = """() => {
  const says = document.querySelector(".lessonsays").getBoundingClientRect();
  const wide = document.documentElement.scrollWidth <= innerWidth;
  return wide && says.width > 100 && says.bottom <= innerHeight && says.top >= 0;
}"""


def await_step(page: Page, key: str) -> None:
    until(lambda: page.evaluate(_STEP) == key, f"step {key} (it is {page.evaluate(_STEP)})", 20)


def keep(page: Page, place: dict[str, Any]) -> None:
    """The browser remembers that a learner was there."""
    kept = json.dumps({f"lesson.{LARGE}": place})
    page.evaluate("(kept) => localStorage.setItem('ludus.settings', kept)", kept)


def do(page: Page, playing: LessonGame, tap: bool) -> None:
    """What the present step wants, gesture by gesture."""
    here, step = playing.step, playing.now
    while not playing.is_finished and playing.step == here:
        way = step.plays[0]
        path, texts = (step.touch, list(way)) if step.touch else gesture_for(playing, way)
        for is_key, touches in groupby(path, lambda touch: touch.startswith("key:")):
            if is_key:
                for touch in touches:
                    page.keyboard.press(touch.removeprefix("key:"))
            else:
                touch_all(page, list(touches), tap)
        before = playing.step
        playing.play(texts)
        if playing.step == before:
            until(lambda: page.evaluate(_ENTRY) == len(playing.rows), f"an answer to {path}", 20)


@pytest.mark.parametrize(
    ("title", "screen"),
    list(zip(all_titles(), SCREENS, strict=False)),
    ids=lambda it: getattr(it, "name", ""),
)
def test_a_lesson_is_played_to_its_end(
    new_page: NewPage, url: str, title: Title[Any, Any], screen: tuple[int, int, str, str]
) -> None:
    width, height, locale, theme = screen
    phone = width < 1000
    page = new_page(
        viewport={"width": width, "height": height},
        locale=locale,
        color_scheme=theme,
        has_touch=phone,
        is_mobile=phone,
    )
    lesson = read_lesson(title)
    page.goto(f"{url}/learn/{title.name}")
    for number, part in enumerate(lesson.parts):
        playing = begin(lesson, number, "en")
        while not playing.is_finished:
            await_step(page, f"{number}.{playing.step}")
            said = lesson.say(locale[:2], f"{part.key}.{playing.now.key}")
            assert page.locator(".lessonsays").text_content() == said
            assert page.evaluate(_FITS), f"{part.key}.{playing.now.key}"
            if playing.now.is_read:
                page.locator(".onward").click()
                playing.read()
            else:
                do(page, playing, phone)
    page.locator(".freegame").wait_for()
    page.goto(url)
    page.locator(".title").first.wait_for()
    expect(page.locator(f".learnline a[href='/learn/{title.name}']")).to_have_count(0)


def test_on_a_slow_line_the_way_on_comes_with_what_it_leads_on_from_and_hears_the_first_touch(
    new_page: NewPage, url: str
) -> None:
    """It is offered when something is said, and is still the same when the board comes under the finger."""
    page = new_page()
    asked: list[Route] = []
    page.route("**/lesson?*", lambda route: asked.append(route))
    drawn: list[Route] = []
    page.route("**/titles/*/table.js", lambda route: drawn.append(route))
    page.goto(f"{url}/learn/{LARGE}")
    until(lambda: page.title() is not None and asked, "the question where one is")
    assert page.locator(".onward").count() == 0, "nothing is said yet"
    asked[0].continue_()
    page.unroute("**/lesson?*")
    await_step(page, "0.0")
    assert drawn and page.locator(".loading").count(), "the board is not there yet"
    page.locator(".onward").hover()
    page.mouse.down()
    for route in drawn:
        route.continue_()
    page.unroute("**/titles/*/table.js")
    expect(page.locator(".loading")).to_have_count(0)
    page.mouse.up()
    await_step(page, "0.1")


def test_a_newcomer_is_offered_a_lesson_leaves_it_and_goes_on(new_page: NewPage, url: str) -> None:
    page = new_page()
    page.goto(url)
    page.locator(".title").first.wait_for()
    line = page.locator(".hero .learnline a[href^='/learn/']")
    expect(line).to_have_attribute("href", f"/learn/{LARGE}")
    line.click()
    await_step(page, "0.0")
    page.locator(".onward").click()
    await_step(page, "0.1")
    page.locator("header button").filter(has=page.locator("use[href='#i-close']")).click()
    page.locator(".title").first.wait_for()
    expect(page.locator(".hero .learnline a[href^='/learn/']")).to_contain_text("Go on with")
    page.locator(".hero .learnline a[href^='/learn/']").click()
    await_step(page, "0.1")
    page.goto(f"{url}/new/{LARGE}")
    page.locator(".setup form").wait_for()
    expect(page.locator(".setup .learnline a")).to_contain_text("Go on with")


def test_a_wrong_try_is_answered_and_changes_nothing(new_page: NewPage, url: str) -> None:
    title = next(t for t in all_titles() if t.name == LARGE)
    lesson = read_lesson(title)
    playing = begin(lesson, 0, "en")
    page = new_page()
    page.goto(f"{url}/learn/{LARGE}")
    while playing.now.is_read:
        await_step(page, f"0.{playing.step}")
        page.locator(".onward").click()
        playing.read()
    await_step(page, f"0.{playing.step}")
    lit = set(offered(page))
    dark = page.evaluate(
        "() => [...document.querySelectorAll('.board [data-touch]:not(.lit)')].map((el) => el.dataset.touch)"
    )
    other = next(
        touch for touch in dark if touch.startswith(next(iter(lit)).split(":")[0]) and touch not in lit
    )
    sheet = page.locator(".info.lasting")
    page.locator(f'.board [data-touch="{other}"]').first.click(button="right")
    expect(sheet).to_be_visible()
    expect(sheet).not_to_contain_text("Not now")  # what is wanted stands against it, and no rule
    page.keyboard.press("Escape")
    wanted = gesture_for(playing, playing.now.plays[0])[0][-1]  # touched after something else
    page.locator(f'.board [data-touch="{wanted}"]').first.click(button="right")
    expect(sheet.locator(".now")).to_contain_text("Now:")
    page.keyboard.press("Escape")
    page.locator(f'.board [data-touch="{other}"]').first.click()
    own = lesson.say("en", f"{lesson.parts[0].key}.{playing.now.key}_wrong")
    expect(page.locator(".toast")).to_contain_text(own)
    assert page.evaluate(_STEP) == f"0.{playing.step}"
    here = playing.step
    do(page, playing, False)
    await_step(page, f"0.{playing.step}")
    expect(page.locator(".toast")).to_be_hidden()  # what was wrong is right now
    page.locator(".bar button.round").first.click()  # undo: one may try again
    await_step(page, f"0.{here}")


def test_progress_that_no_longer_fits_begins_the_lesson_anew(new_page: NewPage, url: str) -> None:
    page = new_page(allow=("409", "404"))
    page.goto(url)
    keep(page, {"part": 40, "step": 3, "actions": ["fly"]})
    page.goto(f"{url}/learn/{LARGE}")
    await_step(page, "0.0")
    page.goto(f"{url}/learn/nothing")
    page.locator(".nothing").wait_for()


def test_a_lesson_restarts_only_when_it_is_meant(new_page: NewPage, url: str) -> None:
    title = next(t for t in all_titles() if t.name == LARGE)
    lesson = read_lesson(title)
    part, step = next(
        (k, n)
        for k, part in enumerate(lesson.parts)
        for n, step in enumerate(part.steps)
        if step.is_read and (k or n)
    )
    page = new_page()
    page.goto(url)
    keep(page, {"part": part, "step": 0, "actions": []})
    page.goto(f"{url}/learn/{LARGE}")
    playing = begin(lesson, part, "en")
    while playing.step < step:
        await_step(page, f"{part}.{playing.step}")
        if playing.now.is_read:
            page.locator(".onward").click()
            playing.read()
        else:
            do(page, playing, False)
    await_step(page, f"{part}.{step}")
    page.locator("button.anew").click()
    toast = page.locator(".toast")
    expect(toast).to_contain_text("Restart the lesson from its first step?")
    assert page.evaluate(_STEP) == f"{part}.{step}", "nothing is lost yet"
    toast.locator("button.plain").click()
    assert page.evaluate(_STEP) == f"{part}.{step}"
    page.locator("button.anew").click()
    toast.locator("button.small").click()
    await_step(page, "0.0")
    expect(toast).to_be_hidden()


def test_the_lesson_ends_in_a_free_game(new_page: NewPage, url: str) -> None:
    title = next(t for t in all_titles() if t.name == LARGE)
    lesson = read_lesson(title)
    page = new_page()
    page.goto(url)
    last = len(lesson.parts) - 1
    keep(page, {"part": last, "step": 0, "actions": []})
    page.goto(f"{url}/learn/{LARGE}")
    playing = begin(lesson, last, "en")
    while not playing.is_finished:
        await_step(page, f"{last}.{playing.step}")
        if playing.now.is_read:
            page.locator(".onward").click()
            playing.read()
        else:
            do(page, playing, False)
    page.locator(".freegame").click()
    page.wait_for_url("**/m/*")
    assert my_turn(page)
    until(lambda: "You could:" in (page.locator(".toast").text_content() or ""), "a tip")
    assert page.locator(".board .taught").count(), "it is shown on the board, too"
    press(page, offered(page)[0])
    expect(page.locator(".board .taught")).to_have_count(0)
    left = page.evaluate(f"JSON.parse(localStorage.getItem('ludus.settings'))['tips.{LARGE}']")
    assert left == 9, "tips become rarer"


def menu_of(page: Page) -> list[str]:
    page.locator("header button").filter(has=page.locator("use[href='#i-menu']")).click()
    page.locator("dialog .item").first.wait_for()
    return page.locator("dialog .item").all_text_contents()


def test_a_hint_is_for_tables_against_bots(new_page: NewPage, url: str) -> None:
    page = new_page()
    start(page, url, LARGE)
    my_turn(page)
    page.keyboard.press("h")
    until(lambda: "You could:" in (page.locator(".toast").text_content() or ""), "a hint")
    page.keyboard.press("Escape")
    assert "Hint" in menu_of(page)
    page.locator("dialog .item").filter(has_text="Hint").click()
    until(lambda: "You could:" in (page.locator(".toast").text_content() or ""), "a hint from the menu")
    start(page, url, LARGE, how="screen")
    page.locator(".curtain button").first.wait_for()
    assert "Hint" not in menu_of(page)


def test_threats_call_a_bot_as_the_table_does(new_page: NewPage, url: str) -> None:
    page = new_page()
    start(page, url, LARGE)
    my_turn(page)
    assert "Threats" in menu_of(page)
    page.locator("dialog .item").filter(has_text="Threats").click()
    toast = page.locator(".toast")
    until(lambda: re.search("could happen|nothing hurt", toast.text_content() or ""), "threats")
    assert "(bot)" not in (toast.text_content() or "")


CLOSING = f"""
title = "{BARE}"
name = "Black closes the upper line with the next stone, unless white lies there"
[position]
hand = [1, 1]
board = [["black", "black", "none"], ["white", "none", "none"], ["none", "none", "white"]]
[[step]]
seat = 0
play = "place a 3"
"""


def test_threats_are_marked_on_the_board_until_something_is_touched(new_page: NewPage, url: str) -> None:
    game = set_up(read_scene_text(CLOSING, ludus.title))
    page = new_page()
    page.goto(url)
    page.locator(".title").first.wait_for()
    page.evaluate(
        """async ([title, start]) => {
          const { startMatch } = await import("/js/start.js");
          await startMatch(title, [{ kind: "me" }, { kind: "bot", bot: "miles" }], { start });
        }""",
        [BARE, {"position": write_start(ludus.title(BARE), game.box, game.position)}],
    )
    page.wait_for_url("**/m/*")
    my_turn(page)
    menu_of(page)
    page.locator("dialog .item").filter(has_text="Threats").click()
    until(lambda: page.locator(".board .taught").count(), "what is threatened")
    lit = page.locator(".board .taught").evaluate_all("(els) => els.map((el) => el.dataset.touch)")
    assert lit == ["board:a-3"], lit
    told = re.compile(r"the other side wins the game \(in (\d+) of \1 tries\)")
    expect(page.locator(".toast")).to_contain_text(told)
    press(page, "board:a-3")
    expect(page.locator(".board .taught")).to_have_count(0)
