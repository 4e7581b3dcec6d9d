"""Puzzles in a browser: found from the first page, solved and missed on every screen, rated, and kept."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

import ludus
from browser.driving import touch_all
from conftest import all_titles
from ludus.core.gestures import gestures
from ludus.lab.puzzles import PuzzleSetting, write_file
from ludus.puzzles.puzzle import Puzzle, fitting_puzzles
from ludus.puzzles.solving import begin
from ludus.server import staging
from samples import LARGE

NewPage = Callable[..., Page]
SCREENS = [(360, 640, "fr-FR", "light"), (844, 390, "it-IT", "dark"), (1440, 900, "de-DE", "light")]
_FITS = """() => {
  const says = document.querySelector(".lessonsays").getBoundingClientRect();
  return document.documentElement.scrollWidth <= innerWidth && says.width > 100 && says.top >= 0;
}"""


def path_to(puzzle: Puzzle, wanted: str) -> list[str] | None:
    """The touches of a gesture that is one choice."""
    game = begin(puzzle, "en").game
    for gesture in gestures(game):
        if [game.common.text(code) for code in gesture.codes] == [wanted]:
            return list(gesture.path)
    return None


def easy_to_touch() -> tuple[Puzzle, list[str], list[str]]:
    """A puzzle of one step, how its solution is touched, and how a wrong choice."""
    for puzzle in fitting_puzzles(ludus.title(LARGE))[0]:
        [asked, *more] = puzzle.asked
        wrong = next((c for c in asked.chances if not asked.is_good(c) and c != "end"), "")
        right, other = path_to(puzzle, asked.best), path_to(puzzle, wrong) if wrong else None
        if not more and right and other and asked.best != "end":
            return puzzle, right, other
    raise AssertionError("no puzzle can be touched")


@pytest.mark.parametrize(("width", "height", "locale", "theme"), SCREENS)
def test_a_puzzle_is_solved_and_missed(
    new_page: NewPage, url: str, width: int, height: int, locale: str, theme: str
) -> None:
    puzzle, right, wrong = easy_to_touch()
    size = {"width": width, "height": height}
    page = new_page(viewport=size, locale=locale, color_scheme=theme, has_touch=width < 700)
    page.goto(f"{url}/puzzles/{LARGE}/{puzzle.name}")
    expect(page.locator(".puzzlepage")).to_have_attribute("data-step", "0", timeout=30_000)
    assert page.evaluate(_FITS)
    touch_all(page, wrong, width < 700)
    expect(page.locator(".coach")).to_have_attribute("data-verdict", "wrong")
    expect(page.locator(".rated")).to_contain_text(re.compile(r"1200 → \d+"))
    assert page.evaluate(_FITS)
    kept = json.loads(page.evaluate("() => localStorage.getItem('ludus.progress.puzzles')"))
    assert kept[f"{LARGE}/{puzzle.name}"]["n"] == 1 and kept[LARGE]["rating"] < 1200
    page.locator(".again").click()
    expect(page.locator(".puzzlepage")).to_have_attribute("data-step", "0", timeout=30_000)
    touch_all(page, right, width < 700)
    expect(page.locator(".coach")).to_have_attribute("data-verdict", "best")
    expect(page.locator(".rated")).not_to_contain_text("→")  # only the first try counts
    kept = json.loads(page.evaluate("() => localStorage.getItem('ludus.progress.puzzles')"))
    assert kept[f"{LARGE}/{puzzle.name}"]["n"] == 1  # the solution was told: practised, not solved
    page.locator(".nextpuzzle").click()
    expect(page.locator(".puzzlepage")).to_have_attribute("data-step", "0", timeout=30_000)
    expect(page.locator(".puzzlepage")).not_to_have_attribute("data-puzzle", puzzle.name)


@pytest.mark.parametrize(("width", "height"), [(390, 844), (1440, 900)])
def test_many_cards_to_choose_from_are_folded_away(
    new_page: NewPage, url: str, width: int, height: int
) -> None:
    """A whole draw pile hides the table: who wants to look at it folds the cards away, and back."""
    named = next(p.name for p in fitting_puzzles(ludus.title(LARGE))[0] if asks_of_many(p))
    page = new_page(viewport={"width": width, "height": height})
    page.goto(f"{url}/puzzles/{LARGE}/{named}")
    fold, card = page.locator(".felt > .fold"), page.locator(".offer .held").first
    expect(card).to_be_visible(timeout=30_000)
    if width < 640:  # what the table asks, where its bar has no room for it
        expect(page.locator(".lessonsays")).to_contain_text("which card do you take?")
    fold.focus()
    page.keyboard.press("Enter")
    expect(fold).to_have_text("Back to the cards")
    expect(card).to_be_hidden()
    page.locator(".giveup").click()
    expect(page.locator(".coach")).to_have_attribute("data-verdict", "shown")
    fold.click()
    expect(card).to_be_visible()
    expect(fold).to_have_text("Look at the board")


def asks_of_many(puzzle: Puzzle) -> bool:
    board = begin(puzzle, "en").game.view(puzzle.seat)["board"]
    return bool(board["phase"] == "search" and len(board["aside"][puzzle.seat]) > 6)


def test_the_end_of_a_turn_is_asked_after_before_it_counts(new_page: NewPage, url: str) -> None:
    """Dice that are left: said as at a table, and the answer is given by who means it."""
    named = next(p.name for p in fitting_puzzles(ludus.title(LARGE))[0] if leaves_dice(p))
    page = new_page()
    page.goto(f"{url}/puzzles/{LARGE}/{named}")
    expect(page.locator(".puzzlepage")).to_have_attribute("data-step", "0", timeout=30_000)
    expect(page.locator(".lessonsays")).to_contain_text("Your turn.")
    expect(page.locator(".asks")).to_have_count(0)  # "Your turn: ..." would say it twice
    touch_all(page, ["button:end"])
    expect(page.locator(".toast")).to_contain_text("left to use")
    expect(page.locator(".coach")).to_have_attribute("data-verdict", "")
    page.locator(".toast button").first.click()
    expect(page.locator(".coach")).not_to_have_attribute("data-verdict", "")


def leaves_dice(puzzle: Puzzle) -> bool:
    attempt = begin(puzzle, "en")
    return path_to(puzzle, "end") == ["button:end"] and bool(staging.warning(attempt))


def test_puzzles_are_found_and_shown_with_the_keyboard(new_page: NewPage, url: str) -> None:
    page = new_page()
    page.goto(url)
    page.locator(f'[data-title="{LARGE}"] a.puzzles').click()
    expect(page.locator(".puzzlepage .lessoncount")).to_contain_text("strength")
    page.locator(".giveup").focus()
    page.keyboard.press("Enter")
    expect(page.locator(".coach")).to_have_attribute("data-verdict", "shown")
    page.goto(f"{url}/puzzles")
    card = page.locator(f'.puzzletitle[data-title="{LARGE}"]')
    expect(card.locator(".meta")).to_contain_text("0 of")
    card.locator(".daypuzzle").click()
    expect(page.locator(".puzzlepage .lessoncount")).to_contain_text("Puzzle of the day")


def test_a_link_to_no_puzzle_says_so(new_page: NewPage, url: str) -> None:
    page = new_page(allow=("404",))
    for place in (f"/puzzles/{LARGE}/nobody-made-it", "/puzzles/nonsense"):
        page.goto(url + place)
        expect(page.locator(".nothing")).to_contain_text("no such puzzle")
        expect(page.locator('.nothing a[href="/puzzles"]')).to_have_text("Puzzles")
        expect(page.locator('.nothing a[href="/"]')).to_have_text("Home")
    without = next(title.name for title in all_titles() if not fitting_puzzles(title)[0])
    page.goto(f"{url}/puzzles/{without}")
    expect(page.locator(".nothing")).to_contain_text("no puzzles for this game yet")
    page.locator('.nothing a[href="/puzzles"]').click()
    expect(page.locator(".puzzlehome")).to_contain_text("a number like a chess rating")
    page.goto(url)
    expect(page.locator('.hero a[href="/puzzles"]')).to_be_visible()


def test_a_file_of_puzzles_is_opened_played_and_not_rated(
    new_page: NewPage, url: str, tmp_path: Path
) -> None:
    puzzle, right, _ = easy_to_touch()
    row = {"name": "mine", "rating": puzzle.rating, "found": dict(puzzle.found)}
    row |= {"position": dict(puzzle.scene.position), "step": [dict(step) for step in puzzle.scene.steps]}
    file, bad = tmp_path / "mine.toml", tmp_path / "bad.toml"
    file.write_text(write_file(PuzzleSetting(LARGE, 2), [row], "a test"), encoding="utf-8")
    bad.write_text("[[[", encoding="utf-8")
    page = new_page(allow=("422",), locale="fr-FR", viewport={"width": 390, "height": 844})
    page.goto(f"{url}/puzzles/{LARGE}/file")
    expect(page.locator(".nothing")).to_contain_text("Aucun fichier")
    page.goto(f"{url}/puzzles")
    page.locator(".puzzletitle").first.wait_for()
    page.locator(".puzzlefile input").set_input_files(bad)
    expect(page.locator(".puzzlefile .problem")).to_contain_text("ne peut pas être joué")
    page.locator(".puzzlefile input").set_input_files(file)
    expect(page).to_have_url(re.compile(rf"/puzzles/{LARGE}/file$"))
    expect(page.locator(".puzzlepage")).to_have_attribute("data-puzzle", "mine", timeout=30_000)
    touch_all(page, right)
    expect(page.locator(".coach")).to_have_attribute("data-verdict", "best")
    expect(page.locator(".rated")).to_have_count(0)
    assert not page.evaluate("() => localStorage.getItem('ludus.progress.puzzles')")
    page.reload()
    expect(page.locator(".puzzlepage")).to_have_attribute("data-step", "0", timeout=30_000)
