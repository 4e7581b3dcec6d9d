"""Rulebooks in the browser: read, searched, printed, stepped through, and reached from everywhere."""

from __future__ import annotations

import random
import re
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from browser.driving import start
from browser.test_matches import until_dice
from browser.test_table import serious
from conftest import all_titles
from ludus.core.title import Title
from ludus.rulebook.book import book_of
from samples import BARE, LARGE, SMALL

NewPage = Callable[..., Page]
NARROW = {"width": 360, "height": 640}
BOARD = "dialog.bookboard"


def open_book(page: Page, url: str, name: str, lang: str = "en", at: str = "") -> None:
    page.goto(f"{url}/rules/{name}?lang={lang}{at}")
    page.locator(".booksearch").wait_for()
    page.wait_for_load_state("networkidle")


@pytest.mark.parametrize("title", all_titles(), ids=lambda t: t.name)
def test_every_example_steps_to_its_end_on_its_board(
    new_page: NewPage, url: str, title: Title[Any, Any]
) -> None:
    page = new_page(viewport=NARROW)
    open_book(page, url, title.name, "fr")
    assert page.evaluate("document.documentElement.scrollWidth") <= NARROW["width"]
    empty = page.locator("[data-piece]:empty")
    assert [e.get_attribute("data-piece") for e in empty.all()] == [], "a piece that is not drawn"
    for example in book_of(title, "fr").examples():
        page.locator(f"[id='{example.scene}'] button").click()
        last = len(example.played.moments) - 1
        for n in range(last + 1):
            expect(page.locator(BOARD)).to_have_attribute("data-at", str(n))
            if n < last:
                page.locator(f"{BOARD} footer button").last.click()
        assert page.locator(BOARD).get_attribute("data-last") == str(last)
        expect(page.locator(f"{BOARD} footer button").last).to_be_disabled()
        page.keyboard.press("Escape")
        expect(page.locator(BOARD)).to_have_count(0)


@pytest.mark.parametrize("title", all_titles(), ids=lambda t: t.name)
def test_every_rulebook_draws_pieces(new_page: NewPage, url: str, title: Title[Any, Any]) -> None:
    """Also where the table is drawn by the platform."""
    page = new_page()
    open_book(page, url, title.name)
    drawn = page.locator("[data-piece] > *")
    assert drawn.count() >= 1
    box = drawn.first.bounding_box()
    assert box and box["width"] > 20 and box["height"] > 20, box


def test_the_search_finds_rules_cards_and_pieces(new_page: NewPage, url: str) -> None:
    page = new_page()
    open_book(page, url, LARGE)
    book = book_of(next(t for t in all_titles() if t.name == LARGE), "en")
    rule, thing = book.rules()[0], next(iter(book.things.values()))
    found = page.locator("#found a")
    page.locator("#find").fill(rule.number.lower())
    expect(found.first.locator("b")).to_have_text(rule.number)
    page.locator("#find").fill(thing.name.upper())
    expect(found.first.locator("b")).to_have_text(thing.name)
    page.keyboard.press("Enter")
    assert page.url.endswith(f"#{thing.anchor}")
    expect(page.locator(f"[id='{thing.anchor}']")).to_be_in_viewport()
    page.locator("#find").fill("xyzzy")
    expect(page.locator("#found")).to_contain_text("xyzzy")


def test_the_search_reads_chapters_and_no_marks(new_page: NewPage, url: str) -> None:
    title = next(t for t in all_titles() if t.name == LARGE)
    book = book_of(title, "en")
    said = next(
        "".join(span.text for span in part.lines[0])
        for section in book.sections
        for part in section.parts
        if part.kind == "text" and all(span.kind == "text" for span in part.lines[0])
    )
    marked = next(rule for rule in book.rules() if rule.origins and rule.choices)
    page = new_page()
    open_book(page, url, LARGE)
    found = page.locator("#found a")
    page.locator("#find").fill(said)
    expect(found).to_have_count(1)
    expect(found.locator("span")).to_have_text(said)
    page.keyboard.press("Enter")
    expect(page.get_by_text(said, exact=True)).to_be_in_viewport()
    page.locator("#find").fill(marked.number)
    own = found.first.locator("span")
    expect(own).to_contain_text(f"{marked.sentence} {book.say('changed_by', option=marked.choices[0].name)}")


def test_a_link_to_a_rule_unfolds_it_and_paper_has_everything(new_page: NewPage, url: str) -> None:
    page = new_page()
    rules = book_of(next(t for t in all_titles() if t.name == LARGE), "en").rules()
    open_book(page, url, LARGE, at=f"#{rules[-1].number}")
    expect(page.locator(f"[id='{rules[-1].number}']")).to_be_in_viewport()
    expect(page.locator(f"[id='{rules[0].number}']")).to_be_hidden()
    page.locator(f"a.rulelink[href='#{rules[0].number}']").first.click()
    expect(page.locator(f"[id='{rules[0].number}']")).to_be_visible()
    page.evaluate("dispatchEvent(new Event('beforeprint'))")
    page.emulate_media(media="print")
    for rule in rules:
        assert page.locator(f"[id='{rule.number}']").is_visible(), rule.number
    assert not page.locator(".booksearch").is_visible()


def test_the_language_chosen_at_the_tables_is_the_one_of_the_rules(new_page: NewPage, url: str) -> None:
    page = new_page()
    page.goto(url)
    page.evaluate("localStorage.setItem('ludus.settings', JSON.stringify({ lang: 'it' }))")
    page.goto(f"{url}/rules/{SMALL}#M5")
    page.wait_for_url(re.compile(r"lang=it#M5$"))
    expect(page.locator("html")).to_have_attribute("lang", "it")
    page.goto(f"{url}/rules/{SMALL}?lang=de")
    page.wait_for_load_state("networkidle")
    expect(page.locator("html")).to_have_attribute("lang", "de")


def test_without_a_script_everything_can_be_read(new_page: NewPage, url: str) -> None:
    page = new_page(java_script_enabled=False)
    page.goto(f"{url}/rules/{SMALL}?lang=en")
    for rule in book_of(next(t for t in all_titles() if t.name == SMALL), "en").rules():
        assert page.locator(f"[id='{rule.number}']").is_visible()


def test_the_rules_are_one_touch_away_and_the_table_stays(new_page: NewPage, url: str) -> None:
    page = new_page()
    page.goto(url)
    page.locator(".title").first.wait_for()
    assert page.locator("a.rulebook").count() >= len(all_titles())
    page.goto(f"{url}/new/{BARE}")
    with page.expect_popup() as opened:
        page.locator("a.rulebook").click()
    expect(opened.value.locator("main")).to_have_attribute("data-title", BARE)
    start(page, url)
    until_dice(page, random.Random(7))
    here = page.url
    page.locator("button[aria-label='Menu']").click()
    with page.expect_popup() as opened:
        page.locator("a.item", has_text="Rules").click()
    opened.value.locator(".booksearch").wait_for()
    assert page.url == here
    page.keyboard.press("Escape")
    page.locator(".row.them .slot:not(.empty)").first.click()
    rule = page.locator(".toast a.rule")
    number = rule.inner_text()
    with page.expect_popup() as opened:
        rule.click()
    assert opened.value.url.endswith(f"/rules/{LARGE}?lang=en#{number}")
    expect(opened.value.locator(f"[id='{number}']")).to_be_in_viewport()
    assert page.url == here


def test_a_wrong_address_gets_a_clear_page(new_page: NewPage, url: str) -> None:
    page = new_page(allow=("404",), viewport=NARROW)
    page.goto(f"{url}/rules/nothing?lang=fr")
    expect(page.locator("main")).to_contain_text("« nothing »")
    page.goto(f"{url}/rules/{SMALL}?lang=xx")
    page.locator(".booklinks a", has_text="Deutsch").click()
    expect(page.locator("html")).to_have_attribute("lang", "de")


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_rulebooks_are_accessible(new_page: NewPage, url: str, scheme: str) -> None:
    page = new_page(color_scheme=scheme)
    open_book(page, url, LARGE)
    problems = serious(page)
    page.locator(".bookexample button").first.click()
    page.locator(f"{BOARD}[data-at='0']").wait_for()
    problems += serious(page)
    page.goto(f"{url}/rules?lang=it")
    problems += serious(page)
    assert not problems, problems
