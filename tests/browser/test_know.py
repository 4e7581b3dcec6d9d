"""Knowing what one sees: what a match is called, how it stands, and by which names its places go."""

from __future__ import annotations

from collections.abc import Callable

from playwright.sync_api import Page, expect

import ludus
from browser.driving import my_turn
from browser.test_everywhere import ME, make
from samples import PLANNED, SMALL

NewPage = Callable[..., Page]
TIRO = {"kind": "bot", "bot": "tiro"}
# The fonts that were loaded, for what stands on the screen.
FONTS = """async () => {
  await document.fonts.ready;
  const loaded = [...document.fonts].filter((font) => font.status === "loaded");
  return [...new Set(loaded.map((font) => font.family.replaceAll('"', "")))].sort();
}"""


def test_a_match_goes_by_its_own_name_and_tells_its_score(new_page: NewPage, url: str) -> None:
    page, title = new_page(viewport={"width": 360, "height": 640}), ludus.title(PLANNED)
    option = next(o for o in title.options if o.games)
    value = next(v for v in option.values if v != option.default)
    name = title.called("en", {option.name: value})
    assert name != title.called("en", {}), "an option makes another game of it"
    make(page, url, SMALL, [ME, TIRO])
    make(page, url, PLANNED, [ME, TIRO], options={option.name: value})
    my_turn(page)
    expect(page.locator(".status b")).to_have_text(name)
    assert name in page.title()
    page.locator("button[aria-label='Menu']").click()
    expect(page.locator("dialog h2")).to_have_text(name)
    page.goto(url)
    row = page.locator("#mine a", has_text=name)
    expect(row.locator(".score")).to_have_text(f"{title.words.say('en', 'score')}: you 0, Recruit 0")
    expect(row).to_contain_text("Your turn")
    small = ludus.title(SMALL).words.say("en", "score").capitalize()
    assert any(text.startswith(f"{small}: you ") for text in page.locator("#mine .score").all_inner_texts())
    page.goto(f"{url}/new/{PLANNED}?{option.name}={value}")
    expect(page.locator("h1")).to_have_text(name)
    assert page.title() == f"{name} – Ludus"


def test_letters_are_drawn_in_fonts_that_are_shipped(new_page: NewPage, url: str) -> None:
    page = new_page()
    make(page, url, SMALL, [ME, TIRO])
    my_turn(page)
    assert page.evaluate(FONTS) == ["Alegreya Sans", "Cinzel"]
