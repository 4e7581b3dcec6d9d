"""Playing on from a moment of a finished match, studies with comments and branches, and the pages over many
matches."""

from __future__ import annotations

import json
import re

import pytest
from playwright.sync_api import Page

from browser.conftest import NewPage
from browser.driving import until
from browser.test_analysis_page import finished
from conftest import all_titles
from ludus.analysis.calibration import FOLDER
from ludus.server.exploring import KEPT
from samples import BARE


def at_a_moment(page: Page, url: str) -> None:
    """The replay of a finished match, some steps after its beginning."""
    finished(page, url)
    page.locator("dialog[open] button.secondary", has_text="Replay").click()
    page.locator(".replay .playon").wait_for()
    page.locator('.replay [aria-label="One step forward"]').click()
    page.locator('.replay [aria-label="One step forward"]').click()
    until(lambda: "at=2" in page.url, "the moment")


def test_a_match_is_played_on_against_a_bot(new_page: NewPage, url: str) -> None:
    page = new_page()
    at_a_moment(page, url)
    before = page.url
    page.locator(".replay .playon").click()
    page.locator("dialog.playon .primary").click()
    page.wait_for_url(lambda now: "/m/" in now and now.split("?")[0] != before.split("?")[0])
    page.locator(".board [data-touch]").first.wait_for()


@pytest.mark.parametrize("size", [(1280, 800), (360, 640)], ids=["wide", "phone"])
def test_a_study_has_comments_and_branches_and_is_read_by_its_link(
    new_page: NewPage, url: str, size: tuple[int, int]
) -> None:
    page = new_page(viewport={"width": size[0], "height": size[1]})
    at_a_moment(page, url)
    page.locator(".replay .playon").click()
    page.locator("dialog.playon .secondary", has_text=re.compile("study", re.I)).click()
    page.locator(".study textarea").wait_for()
    page.locator(".study textarea").fill("Too early.")
    page.locator(".study .write .primary").click()
    until(lambda: page.locator(".study .places button").count() == 1, "a comment is kept")
    page.locator(".study summary").click()
    assert "/study/" in page.locator(".study .linkbox input").input_value(), "who began it can share it"
    wide = page.evaluate("() => document.documentElement.scrollWidth - innerWidth")
    assert wide <= 0, "nothing sticks out"
    study = re.search(r"study=([\w-]+)", page.url)
    assert study is not None
    page.locator(".replay .playon").click()
    page.locator("dialog.playon .secondary").first.click()
    page.wait_for_url(lambda now: "study=" not in now)
    other = new_page()
    other.goto(f"{url}/study/{study[1]}")
    other.locator(".study .places a").wait_for()
    assert other.locator(".study textarea").count() == 0, "who reads it does not write in it"
    other.locator(".study .places button").click()
    until(lambda: other.locator(".study .said").count() == 1, "what was said of the moment")
    assert other.locator(".study .said").inner_text() == "Too early."
    other.locator(".study .places a").click()
    until(lambda: study[1] in other.url and other.locator(".study .places a").count() == 1, "the branch")


def test_how_every_title_is_begun_is_shown(new_page: NewPage, url: str) -> None:
    page = new_page()
    for title in all_titles():
        kept = json.loads((title.folder / FOLDER / KEPT).read_text(encoding="utf-8"))
        page.goto(f"{url}/explore/{title.name}")
        page.locator("main.exploring h2").nth(1).wait_for()
        assert f"{kept['games']} games" in page.locator("main.exploring").inner_text()
        lines = page.locator("main.exploring table.explored").last.locator("tr")
        assert lines.count() == 1 + len(kept["rows"]), title.name
        assert all(lines.nth(k).locator("td").first.inner_text() for k in range(1, lines.count()))


def test_the_pages_over_many_matches_open(new_page: NewPage, url: str) -> None:
    page = new_page()
    page.goto(f"{url}/explore/{BARE}")
    page.locator("main.exploring h2").first.wait_for()
    assert page.locator("main.exploring h2").count() == 2
    page.goto(f"{url}/mine")
    page.locator("main.exploring p").first.wait_for()


def test_my_studies_are_found_again_and_deleted_when_i_am_sure(new_page: NewPage, url: str) -> None:
    page = new_page()
    at_a_moment(page, url)
    page.locator(".replay .playon").click()
    page.locator("dialog.playon .secondary", has_text=re.compile("study", re.I)).click()
    page.locator(".study textarea").wait_for()
    page.goto(f"{url}/mine")
    line = page.locator(".studies li")
    until(lambda: line.count() == 1, "the study")
    way = line.locator("a").get_attribute("href")
    line.locator("button").click()
    page.locator("dialog[open] .sure").click()
    until(lambda: line.count() == 0, "it is gone")
    page.goto(f"{url}/mine")
    page.locator("main.exploring h1").wait_for()
    assert way and not page.locator(f'a[href="{way}"]').count()
