"""Making positions: set things on the board and beside it, take back, share, play on, hand in."""

from __future__ import annotations

import re
from functools import partial
from pathlib import Path

from playwright.sync_api import Page, expect

from browser.conftest import NewPage
from browser.driving import changed, entry, my_turn, offered, press, start, until
from ludus.server.testing import ServerProcess
from samples import LARGE

GOOD = "A game can begin here."


def editor(page: Page, url: str, more: str = "") -> None:
    page.goto(f"{url}/positions/{LARGE}{more}")
    expect(page.locator(".posways .begins").first).to_be_visible(timeout=30_000)


def test_a_card_is_laid_by_touching_a_place_of_the_board(new_page: NewPage, url: str) -> None:
    page = new_page()
    editor(page, url)
    expect(page.locator(".verdict")).to_contain_text(GOOD)
    page.locator(".board [data-info='disc:4']").first.click()
    page.locator(".picked [data-path='board.0.4']").select_option(label="Forum")
    expect(page.locator(".board [data-info='card:forum']")).to_have_count(1)
    expect(page.locator(".verdict")).to_contain_text(GOOD)  # the draw pile has one less by itself
    page.locator(".postools button").first.click()
    expect(page.locator(".board [data-info='card:forum']")).to_have_count(0)


def test_what_cannot_be_is_said_with_its_field_and_cannot_be_played(new_page: NewPage, url: str) -> None:
    page = new_page()
    editor(page, url)
    page.locator(".board [data-info='stock']").first.click()
    page.locator(".picked [data-path='stock']").fill("3")
    page.locator(".picked [data-path='stock']").press("Enter")
    verdict = page.locator(".verdict")
    expect(verdict).to_contain_text("points are neither made nor lost")
    expect(verdict.locator(".blame")).to_have_text("Points in the stock")
    expect(page.locator(".posways .begins").first).to_be_disabled()
    page.locator(".postools button").first.click()
    expect(verdict).to_contain_text(GOOD)
    expect(page.locator(".posways .begins").first).to_be_enabled()


def test_a_position_goes_round_by_link_and_file_and_is_played_on(
    new_page: NewPage, url: str, tmp_path: Path
) -> None:
    page = new_page()
    editor(page, url)
    page.locator(".board [data-info='disc:2']").first.click()
    page.locator(".picked [data-path='board.1.2']").select_option(label="Nero")
    expect(page.locator(".board [data-info='card:nero']")).to_have_count(1)
    page.get_by_role("button", name="As a link").click()
    link = page.locator("dialog input.link").input_value()
    assert len(link) < 1500
    with page.expect_download() as saved:
        page.locator("dialog [aria-label='Close']").first.click()
        page.get_by_role("button", name="Save as a file").click()
    file = tmp_path / "nero.toml"
    saved.value.save_as(file)
    other = new_page()
    other.goto(link)
    expect(other.locator(".board [data-info='card:nero']")).to_have_count(1, timeout=30_000)
    editor(other, url)
    expect(other.locator(".board [data-info='card:nero']")).to_have_count(0)
    other.locator("input[type=file]").set_input_files(file)
    expect(other.locator(".board [data-info='card:nero']")).to_have_count(1)
    other.get_by_role("button", name="Against a bot").click()
    expect(other).to_have_url(re.compile("/m/"), timeout=30_000)
    expect(other.locator(".status")).to_contain_text("From a position, not rated")
    expect(other.locator(".board [data-info='card:nero']")).to_have_count(1)


def to_the_dice(page: Page, url: str) -> None:
    """Into a match, as far as where dice lie on the table and are mine to use."""
    start(page, url, LARGE)
    for _ in range(40):
        if any(touch.startswith("die:") for touch in my_turn(page)):
            return
        before = entry(page), offered(page)
        press(page, before[1][0])
        until(partial(changed, page, before), "what comes of it", 20)
    raise AssertionError("no dice were thrown")


def test_a_moment_of_a_match_gets_other_dice_and_is_played_on_against_a_friend(
    new_page: NewPage, url: str
) -> None:
    page = new_page()
    to_the_dice(page, url)
    page.locator("header button").filter(has=page.locator("use[href='#i-menu']")).click()
    page.locator("dialog .item").filter(has_text="Change this position").click()
    expect(page).to_have_url(re.compile(rf"/positions/{LARGE}\?match=\w+&entry=\d+&seat=0"))
    verdict = page.locator(".verdict")
    expect(verdict).to_contain_text(GOOD, timeout=30_000)
    expect(page.locator(".posplay .help")).to_contain_text("dealt anew")
    for place in range(3):
        value = page.locator(f"[data-path='dice.{place}']")
        value.fill("6")
        value.press("Enter")
        expect(page.locator(f"[data-path='dice.{place}']")).to_have_value("6")
        expect(verdict).not_to_have_class(re.compile("stale"))
    expect(verdict).to_contain_text(GOOD)
    expect(page.locator(".board .die[data-touch='die:6']")).to_have_count(3)
    page.locator(".posways .begins", has_text="With a friend").click()
    expect(page).to_have_url(re.compile("/m/"), timeout=30_000)
    link = page.locator("input.link").first.input_value()
    friend = new_page()
    friend.goto(link)
    for one in (page, friend):
        expect(one.locator(".status")).to_contain_text("From a position, not rated", timeout=30_000)
    page.keyboard.press("Escape")
    assert my_turn(page).count("die:6") == 3
    assert not offered(friend), "it is not the friend's turn"


def test_a_link_that_says_nonsense_is_told_so(new_page: NewPage, url: str) -> None:
    page = new_page()
    editor(page, url, "#p=AAAA")
    expect(page.locator(".verdict.bad")).to_have_text("This position cannot be read.")
    page.get_by_role("button", name="New game").click()
    expect(page.locator(".verdict")).to_contain_text(GOOD)


def test_a_file_that_is_damaged_or_impossible_is_told_so(new_page: NewPage, url: str, tmp_path: Path) -> None:
    page = new_page(allow=("422",), locale="de-DE")
    editor(page, url)
    expect(page.locator("header .status")).to_contain_text(LARGE.capitalize())
    with page.expect_download() as saved:
        page.get_by_role("button", name="Als Datei sichern").click()
    text = Path(saved.value.path()).read_text(encoding="utf-8")
    file = tmp_path / "damaged.toml"
    verdict, toast = page.locator(".verdict.bad"), page.locator(".toast")
    file.write_text(text[:200] + "[[[", encoding="utf-8")
    page.locator("input[type=file]").set_input_files(file)
    expect(verdict).to_have_text("Diese Stellung ist nicht lesbar.")
    file.write_text(re.sub(r"(?m)^dice = .*$", "dice = [7, 0, 0]", text), encoding="utf-8")
    page.locator("input[type=file]").set_input_files(file)
    expect(verdict).to_contain_text("So nicht möglich")
    expect(toast).not_to_contain_text("Server")
    page.locator("header").get_by_role("button", name="Zurück").click()
    expect(page.locator(".setup")).to_be_visible()


def test_a_game_that_nobody_knows_is_told_so(new_page: NewPage, url: str) -> None:
    page = new_page(allow=("404",))
    page.goto(f"{url}/positions/nonsense")
    expect(page.locator(".nothing")).to_contain_text("There is no game of this name here.")
    page.locator(".nothing a[href='/']").click()
    expect(page.locator(".title").first).to_be_visible()


def test_a_bug_of_the_rules_is_handed_in(new_page: NewPage, server: ServerProcess) -> None:
    page = new_page()
    editor(page, server.url)
    page.get_by_role("button", name="Report a rules bug").click()
    page.locator("dialog textarea").fill("The Forum should pay here.")
    with page.expect_download() as saved:
        page.get_by_role("button", name="Hand in").click()
    assert "The Forum should pay here." in Path(saved.value.path()).read_text(encoding="utf-8")
    expect(page.locator(".toast")).to_contain_text("Handed in")
