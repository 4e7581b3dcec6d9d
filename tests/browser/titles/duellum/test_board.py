"""Duellum's boards in a real browser: the last turn on each, first turns of each kind, dragging, planning."""

from __future__ import annotations

import random
from collections.abc import Callable
from functools import partial

import pytest
from playwright.sync_api import Page, expect

from browser.driving import (
    act,
    changed,
    entry,
    my_turn,
    offered,
    play_by_clicking,
    press,
    start_scene,
    touch_all,
    until,
    words_on_screen,
)
from browser.staged import START, scene_of
from browser.test_table import serious
from ludus.core.gestures import by_itself, gestures
from ludus.core.scene import set_up

NewPage = Callable[..., Page]
BOARDS = ("rome_carthage", "greece_persia", "casus_belli")
FIRST_TURNS: dict[str, list[tuple[str, ...]]] = {
    "marmor": [],
    "ferrum": [],
    "aurum": [],
    "templum": [("region:roma",)],  # nothing but a wall can be built there
    "militia": [("unit:legion@box", "region:cremona")],
    "scientia": [("unit:legion@supply", "amount:2")],
    "duellum": [],
    "duellum_ii": [],
}


def begin(page: Page, url: str, scene: str = START) -> Page:
    start_scene(page, url, "duellum", scene, [{"kind": "me"}, {"kind": "bot", "bot": "tiro"}])
    sit_down(page)
    return page


def sit_down(page: Page) -> None:
    page.locator(".duellum .sheet").wait_for()
    until(lambda: my_turn(page), "my turn")


def last_turn(scene: str) -> list[tuple[str, ...]]:
    """The actions of a scene as gestures, by their paths; what is played by itself is left out."""
    game, found = set_up(scene_of("duellum", scene)), []
    left = [text for step in scene_of("duellum", scene).steps for text in step["play"]]
    while left:
        texts = {gesture: [game.action(code).text for code in gesture.codes] for gesture in gestures(game)}
        begun = [gesture for gesture, said in texts.items() if left[: len(said)] == said]
        gesture = max(begun, key=lambda gesture: len(gesture.codes))
        if gesture is not by_itself(game, list(texts)):
            found.append(gesture.path)
        left = left[len(gesture.codes) :]
        game.play(*gesture.codes)
    assert game.over
    return found


@pytest.mark.parametrize("board", BOARDS)
def test_the_last_turn_on_each_board(new_page: NewPage, staged: str, board: str) -> None:
    page = begin(new_page(), staged, f"last-turn-{board}")
    assert page.locator(".sheet").get_attribute("aria-label")
    for path in last_turn(f"last-turn-{board}"):
        act(page, path)
    dialog = page.locator("dialog[open]")
    expect(dialog).to_be_visible()
    assert dialog.locator("h2").inner_text().casefold() == "victory"
    dialog.locator("button.proof").click()
    until(lambda: page.locator("[data-proof]").count(), "the proof of the dice")
    assert page.locator("[data-proof]").get_attribute("data-proof") == "good"


@pytest.mark.parametrize("space", FIRST_TURNS)
def test_a_first_turn_of_every_kind(new_page: NewPage, staged: str, space: str) -> None:
    page = begin(new_page(), staged)
    turn = entry(page)
    act(page, (f"space:{space}",))
    for path in FIRST_TURNS[space]:
        act(page, path)
    while "space:templum" not in (now := my_turn(page)):
        before = entry(page), now
        press(page, "button:end")
        until(partial(changed, page, before), "an answer")
    said = page.locator(".log").inner_text()
    assert entry(page) > turn and "Rome" in page.locator(".seatplate.us").inner_text()
    assert {"templum": "wall in Rome", "militia": "arms in Cremona", "scientia": "enlists 2"}.get(
        space, "moves to"
    ) in said


def my_stacks(page: Page) -> list[str]:
    return [touch for touch in offered(page) if touch.startswith("unit:") and "@box" not in touch]


def centre(page: Page, selector: str) -> tuple[float, float]:
    """The middle of it, once it stays where it is: a map may still be going to what is told."""
    found = page.locator(selector).first
    seen = [found.bounding_box()]

    def rests() -> bool:
        seen.append(found.bounding_box())
        return len(seen) > 5 and seen[-1] == seen[-5]

    until(rests, f"{selector} at rest")
    box = seen[-1]
    assert box is not None
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def test_planning_and_moving_in_one_gesture(new_page: NewPage, staged: str) -> None:
    page = begin(new_page(), staged, "manoeuvre")
    act(page, ("space:duellum",))
    unit = until(lambda: my_stacks(page), "units that can move")[0]
    stack = f'.units [data-touch="{unit}"]'
    home = unit.split("@")[1]
    page.mouse.move(*centre(page, stack))
    until(lambda: page.locator(".place.reach").count(), "where it can go")
    reach = page.locator(".place.reach").evaluate_all("(all) => all.map((el) => el.dataset.touch)")
    assert f"region:{home}" not in reach
    spots = page.evaluate(
        """(touch) => { const el = document.querySelector(`.places [data-touch="${touch}"]`);
        const box = el.getBoundingClientRect();
        for (let v = .1; v < 1; v += .1) for (let u = .1; u < 1; u += .1) {
          const [x, y] = [box.left + box.width * u, box.top + box.height * v];
          if (document.elementFromPoint(x, y) === el) return [x, y]; } }""",
        reach[0],
    )
    before = entry(page)
    page.mouse.down()
    page.mouse.move(*spots, steps=6)
    page.mouse.up()
    until(lambda: entry(page) == before + 2, "setting out and arriving in one message")
    name = page.locator(f'.places [data-touch="{reach[0]}"]').get_attribute("aria-label") or ""
    assert name.split(",")[0] in page.locator(".log").inner_text()


def test_what_is_told_of_a_region(new_page: NewPage, staged: str) -> None:
    page = begin(new_page(), staged)
    page.locator('.places [data-touch="region:neapolis"]').dispatch_event("contextmenu")
    info = page.locator(".info")
    expect(info).to_contain_text("1 marble, 1 iron, 1 gold")
    expect(info).to_contain_text("gold +1")  # Rome makes gold
    for neighbour in ("Rome", "Ancona", "Croton"):
        expect(info).to_contain_text(neighbour)
    page.locator(".us .recruits .unit").first.dispatch_event("contextmenu")
    expect(info).to_contain_text("Crosses one land border a turn")


def test_why_a_space_costs_too_much(new_page: NewPage, staged: str) -> None:
    page = begin(new_page(), staged)
    act(page, ("space:marmor",))  # nothing else can be done: the turn ends by itself
    until(lambda: "space:marmor" in offered(page), "my next turn")
    assert page.locator(".space.paid").count() == 5
    assert page.locator('[data-touch="space:marmor"] .price').text_content() == "5"


PHONES = [(320, 568), (360, 640), (375, 667), (390, 844), (844, 390)]
# The size of the map; of what a finger is for, all that is smaller than 40 px, cut or covered; the sheet.
_ROOM = """(selector) => {
  const map = document.querySelector(".mapframe").getBoundingClientRect();
  const wrong = [...document.querySelectorAll(selector)].filter((el) => {
    const box = el.getBoundingClientRect();
    const [x, y] = [box.left + box.width / 2, box.top + box.height / 2];
    return Math.min(box.width, box.height) < 40 || box.left < 0 || box.right > innerWidth ||
      box.bottom > innerHeight || !el.contains(document.elementFromPoint(x, y));
  }).map((el) => el.dataset.touch ?? el.textContent);
  return [map.width, map.height, wrong, document.querySelector(".leaf").clientWidth];
}"""


def has_height(page: Page, height: int) -> bool:
    return bool(page.evaluate("() => innerHeight") == height)


def test_a_phone_has_a_map_and_room_for_fingers(new_page: NewPage, staged: str) -> None:
    page = new_page(viewport={"width": 360, "height": 640}, has_touch=True, is_mobile=True)
    begin(page, staged, "middle")
    tabs = {
        "rondel": ".space",
        "knows": ".know, .knows .unit:not(.walls, .points)",
        "events": ".display .event",
    }
    for width, height in PHONES:
        page.set_viewport_size({"width": width, "height": height})
        until(partial(has_height, page, height), "the screen")
        assert page.evaluate("() => document.documentElement.scrollWidth <= innerWidth")
        places = set()
        for tab, things in tabs.items():
            page.locator(f'.heads [data-tab="{tab}"]').tap()
            more = ".us .good, .us .unit, .heads button, .bar > button:not([disabled])"
            wide, high, wrong, sheet = page.evaluate(_ROOM, f"{things}, {more}")
            assert wrong == [], (width, height, tab)
            for plate in (".us", ".them"):
                expect(page.locator(f"{plate} .tally b")).to_be_in_viewport(ratio=1)
            assert wide > 300 and high >= 175 and sheet >= 680, (width, height, wide, high, sheet)
            places.add((wide, high))
        assert len(places) == 1, "the map keeps its place"


@pytest.mark.parametrize("size", [(360, 640), (844, 390)])
def test_a_phone(new_page: NewPage, staged: str, size: tuple[int, int]) -> None:
    page = new_page(viewport={"width": size[0], "height": size[1]}, has_touch=True, is_mobile=True)
    begin(page, staged, "middle")
    assert play_by_clicking(page, random.Random(3), touches=25, tap=True) == 25


def test_the_rondel_marks_where_a_stone_came_and_went_not_every_price(new_page: NewPage, staged: str) -> None:
    page = new_page(viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True)
    begin(page, staged, "middle")
    before = entry(page)
    press(page, "space:aurum", tap=True)
    until(lambda: entry(page) > before, "production")
    if "button:end" in my_turn(page):
        press(page, "button:end", tap=True)
    until(lambda: page.locator(".strip .fresh").count(), "the marks")
    fresh = page.locator(".strip .fresh")
    assert fresh.count() <= 2
    assert page.locator(".strip .fresh .stones .s1").count() == 1, "where the stone of the other stands now"


@pytest.mark.parametrize("lang", ["en", "fr", "it", "de"])
def test_every_language(new_page: NewPage, staged: str, lang: str) -> None:
    page = begin(new_page(locale=lang), staged, "middle")
    words = words_on_screen("duellum", lang)
    keys = {key[4:] for key, text in words.items() if key.startswith("web.") and text.lower() != key[4:]}
    shown = page.locator(".duellum").inner_text()
    for key in ("web.knows", "web.box", "web.supply"):
        assert words[key].casefold() in shown.casefold(), key
    labels = page.locator(".duellum [aria-label]").evaluate_all(
        "(all) => all.map((el) => el.getAttribute('aria-label'))"
    )
    assert not [text for text in labels if text in keys or "undefined" in text or "{" in text]


def test_numbers_and_cards_are_reached_by_keyboard(new_page: NewPage, staged: str) -> None:
    page = begin(new_page(), staged)
    before = entry(page)
    page.locator('[data-touch="space:scientia"]').focus()
    page.keyboard.press("Enter")
    until(lambda: entry(page) > before, "the stone")
    touch_all(page, ("unit:legion@supply",))
    page.locator(".stepper .number").press("ArrowDown")
    page.locator(".stepper .number").press("Enter")
    until(lambda: "enlists" in page.locator(".log").inner_text(), "the recruits")


def test_a_position_on_paper(new_page: NewPage, staged: str) -> None:
    page = begin(new_page(color_scheme="dark"), staged)
    page.emulate_media(media="print")
    for gone in (".top", ".bar"):
        expect(page.locator(gone)).to_be_hidden()
    expect(page.locator(".duellum .sheet")).to_be_visible()
    paper = page.evaluate("() => getComputedStyle(document.documentElement).getPropertyValue('--paper')")
    assert paper.strip() in ("#fff", "#ffffff")


def test_nothing_serious_for_axe(new_page: NewPage, staged: str) -> None:
    """The light board with pieces on it, and the dark one."""
    page = begin(new_page(), staged, "middle")
    assert serious(page) == []
    page.emulate_media(color_scheme="dark")
    page.reload()
    sit_down(page)
    assert serious(page) == []


# Words of event cards that are broken, or stick out of their card.
BROKEN = """() => {
  const range = document.createRange(), bad = [];
  for (const { firstChild: text, parentElement: card } of document.querySelectorAll(".event > span")) {
    const box = card.getBoundingClientRect();
    for (const word of box.width ? text.data.matchAll(/\\S+/g) : []) {
      range.setStart(text, word.index);
      range.setEnd(text, word.index + word[0].length);
      const { left, right } = range.getBoundingClientRect();
      const rows = new Set([...range.getClientRects()].map((row) => Math.round(row.top)));
      if (rows.size > 1 || left < box.left - 1 || right > box.right + 1) bad.push(word[0]);
    }
  }
  return bad;
}"""


@pytest.mark.parametrize("lang", ["en", "fr", "it", "de"])
def test_names_of_event_cards_are_not_broken(new_page: NewPage, staged: str, lang: str) -> None:
    page = begin(new_page(viewport={"width": 1440, "height": 900}, locale=lang), staged, "cards")
    expect(page.locator(".seatplate .event")).to_have_count(6)
    assert page.evaluate(BROKEN) == []
