"""Every piece explains itself: by a long touch, by the key and the button `?`, in four languages."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from browser.driving import entry, my_turn, offered, speak, start, start_scene, until
from browser.staged import scene_names, titles_with
from conftest import all_titles
from ludus.core.title import Title
from ludus.core.words import LANGUAGES
from samples import LARGE, SMALL

NewPage = Callable[..., Page]
LEFT = "closed before the connection is established"  # the line of a table that another language replaces
PHONE = {"width": 360, "height": 640}
SHEET = ".info:not([hidden])"

# Ask each kind of piece that is drawn: what it is called, what is said, which rules are linked.
_ALL = """async () => {
  const found = {};
  const drawn = ".board [data-touch], .board [data-info], .bar .buttons [data-touch]";
  for (const el of document.querySelectorAll(drawn)) {
    if (el.closest(".ghost, [hidden]")) continue;
    const id = el.dataset.info ?? el.closest("[data-info]")?.dataset.info ?? el.dataset.touch;
    const [kind, name = ""] = id.split(/:(.*)/s);
    const key = /^(card|button|fact|disc|know|good|person|goods|piece)$/.test(kind) ? id : kind;
    if (found[key]) continue;
    el.dispatchEvent(new MouseEvent("contextmenu", { bubbles: true, cancelable: true }));
    await new Promise((done) => setTimeout(done, 15));
    const sheet = document.querySelector(".info:not([hidden])");
    found[key] = sheet ? {
      title: sheet.querySelector("h4").textContent,
      text: [...sheet.querySelectorAll("p")].slice(0, -1).map((p) => p.textContent).join(" "),
      rules: [...sheet.querySelectorAll(".rules a.rule")].map((a) => a.getAttribute("href")),
    } : { title: "", text: "", rules: [] };
  }
  return found;
}"""


def explained(page: Page, title: Title[Any, Any], lang: str) -> dict[str, Any]:
    """What is said of every kind of piece; each is called something, is told and names rules there are."""
    found: dict[str, Any] = page.evaluate(_ALL)
    assert found
    for piece, told in found.items():
        assert told["title"], piece
        assert told["text"], (piece, lang, told)
        assert told["rules"], (piece, lang)
        for href in told["rules"]:
            path, _, rule = href.partition("#")
            assert path.startswith(f"/rules/{title.name}?lang={lang}"), (piece, href)
            assert title.words.has(f"rule.{rule}"), (piece, href)
    return found


@pytest.mark.parametrize("title", all_titles(), ids=lambda t: t.name)
def test_every_kind_of_piece_explains_itself_in_four_languages(
    new_page: NewPage, url: str, title: Title[Any, Any]
) -> None:
    page = new_page(allow=(LEFT,))
    start(page, url, title.name)
    said: dict[str, set[str]] = {}
    for lang in LANGUAGES:
        speak(page, lang)
        my_turn(page)
        for piece, told in explained(page, title, lang).items():
            said.setdefault(piece, set()).add(told["text"])
    assert all(len(texts) > 1 for piece, texts in said.items() if not piece.startswith("seat")), said


@pytest.mark.parametrize(
    ("name", "scene"), [(name, scene) for name in titles_with("staged.py") for scene in scene_names(name)]
)
def test_pieces_of_staged_positions_explain_themselves_in_four_languages(
    new_page: NewPage, staged: str, name: str, scene: str
) -> None:
    title = next(t for t in all_titles() if t.name == name)
    seats = [{"kind": "me"}, *({"kind": "screen", "name": f"P{k}"} for k in range(1, min(title.seats)))]
    page = new_page(allow=(LEFT,))
    start_scene(page, staged, name, scene, seats)
    said: dict[str, set[str]] = {}
    for lang in LANGUAGES:
        speak(page, lang)
        until(lambda: page.locator(".board [data-info], .board [data-touch]").count() > 5, "the board")
        page.wait_for_timeout(300)
        for piece, told in explained(page, title, lang).items():
            said.setdefault(piece, set()).add(told["text"])
    alike = [piece for piece, texts in said.items() if len(texts) == 1 and not piece.startswith("seat")]
    assert not alike, "these say the same in every language"


def centre(page: Page, selector: str) -> tuple[float, float]:
    box = page.locator(selector).first.bounding_box()
    assert box
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def test_a_stranger_with_a_phone_is_told_how_to_ask_and_asks(new_page: NewPage, url: str) -> None:
    page = new_page(viewport=PHONE, has_touch=True, is_mobile=True)
    start(page, url, LARGE)
    my_turn(page)
    expect(page.locator(".askhint")).to_contain_text("Hold a piece")
    before = entry(page), offered(page)
    page.locator(".round.ask").tap()
    expect(page.locator(".askhint")).to_have_count(0)
    expect(page.locator(".bar .hint")).to_contain_text("Touch anything")
    page.touchscreen.tap(*centre(page, ".board .lit[data-info]"))
    expect(page.locator(SHEET)).to_be_visible()
    expect(page.locator(f"{SHEET} .rules a").first).to_be_visible()
    assert (entry(page), offered(page)) == before, "asking played something"
    expect(page.locator(".board .chosen")).to_have_count(0)
    box = page.locator(SHEET).bounding_box()
    assert box and box["x"] >= 0 and box["x"] + box["width"] <= PHONE["width"]
    with page.context.expect_page() as opened:
        page.locator(f"{SHEET} .rules a").first.tap()
    assert "/rules/" in opened.value.url


def test_holding_a_button_explains_it_and_does_not_press_it(new_page: NewPage, url: str) -> None:
    page = new_page()
    start(page, url, SMALL)
    my_turn(page)
    until(lambda: page.locator(".bar .buttons button, .board .tile").count(), "something to hold")
    spot = ".bar .buttons button" if page.locator(".bar .buttons button").count() else ".board .tile"
    before = entry(page)
    page.mouse.move(*centre(page, spot))
    page.mouse.down()
    expect(page.locator(f"{SHEET}.lasting")).to_be_visible()
    page.mouse.up()
    page.wait_for_timeout(200)
    assert entry(page) == before


def test_the_key_explains_what_has_the_focus_and_goes_back(new_page: NewPage, url: str) -> None:
    page = new_page()
    start(page, url, LARGE)
    my_turn(page)
    page.keyboard.press("b")
    focused = page.evaluate("document.activeElement.dataset.touch")
    page.keyboard.press("?")
    sheet = page.locator(f"{SHEET}[role=dialog]")
    expect(sheet).to_be_focused()
    assert sheet.get_attribute("aria-label")
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.closest('.info') !== null"), "its links can be reached"
    page.keyboard.press("Escape")
    expect(page.locator(SHEET)).to_have_count(0)
    assert page.evaluate("document.activeElement.dataset.touch") == focused
    page.evaluate("document.activeElement.blur()")
    page.mouse.move(2, 2)
    page.keyboard.press("?")
    expect(page.locator("dialog .keys")).to_be_visible()
