"""Roma's table in a real browser: what lies where, what is told when, and that it fits on a phone."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from itertools import pairwise
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from browser.driving import act, end_turn, entry, my_turn, press, start_scene, touch_all, until
from ludus.titles import title as title_of

NewPage = Callable[..., Page]
ME, BOT = {"kind": "me"}, {"kind": "bot", "bot": "tiro"}


def begin(page: Page, url: str, scene: str, seats: list[dict[str, str]]) -> Page:
    start_scene(page, url, "roma", scene, seats)
    page.locator(".roma .strip").wait_for()
    until(lambda: my_turn(page), "my turn")
    return page


def discs_with(page: Page, side: str, found: str) -> list[int]:
    """The discs of a row whose slots are or hold something."""
    script = """([side, found]) => [...document.querySelectorAll(`.row.${side} .slot`)]
      .flatMap((slot, k) => (slot.matches(found) || slot.querySelector(found) ? [k + 1] : []))"""
    return list(page.evaluate(script, [side, found]))


def test_face_down_cards_lie_where_they_were_put_and_the_last_one_is_asked_about(
    new_page: NewPage, staged: str
) -> None:
    page = begin(new_page(), staged, "face-down", [BOT, ME])
    assert discs_with(page, "them", ".card.back") == [2, 3, 5, 6]
    assert discs_with(page, "us", ".card.down") == [1, 4]
    expect(page.locator(".bar .prompt")).to_contain_text("3 of 4")
    press(page, "card:velites")  # what it is called is said once, and then what it does
    expect(page.locator(".bar .hint")).to_have_text(
        re.compile("^Velites: now touch what is lit. (?!Velites).")
    )
    page.keyboard.press("Escape")
    act(page, ("card:velites", "disc:2"))
    expect(page.locator(".bar .prompt")).to_contain_text("4 of 4")
    touch_all(page, ("card:machina", "disc:3"))
    expect(page.locator(".bar .hint")).to_contain_text("cannot take your cards back")
    assert discs_with(page, "us", ".card") == [1, 2, 4]
    press(page, "button:seal")
    until(lambda: discs_with(page, "them", ".card:not(.back)") == [2, 3, 5, 6], "all cards to be turned up")


def test_blocks_are_shown_of_two_equal_dice_one_is_picked_and_refusals_say_numbers(
    new_page: NewPage, staged: str
) -> None:
    page = begin(new_page(), staged, "turn", [ME, BOT])
    assert discs_with(page, "us", ".slot.blocked") == [5]
    for plate in (".us", ".them"):  # points are no money
        expect(page.locator(f".plate{plate} .points use[href$=laurel]")).to_have_count(1)
        expect(page.locator(f".plate{plate} .money use[href$=laurel]")).to_have_count(0)
    assert discs_with(page, "them", ".slot.blocked") == [2]
    expect(page.locator(".disc.blocked")).to_have_attribute("data-touch", "disc:5")
    expect(page.locator(".disc.blocked-them")).to_have_attribute("data-touch", "disc:2")
    threes = page.locator('.die[data-touch="die:3"]')
    for k in (0, 1):
        threes.nth(k).click()
        assert page.evaluate("() => [...document.querySelectorAll('.die.chosen')].length") == 1
        expect(threes.nth(k)).to_have_class("die lit chosen".replace(" lit", ""))
    page.keyboard.press("Escape")
    page.locator('.hand [data-touch="card:centurio"]').click()
    expect(page.locator(".toast")).to_contain_text("You have 0 sesterces; Centurio costs 9.")
    touch_all(page, ("die:5", "disc:5")[:1])
    page.locator('.disc[data-touch="disc:5"]').click()
    expect(page.locator(".toast")).to_contain_text("Disc 5 is blocked")


def test_places_where_a_card_would_be_covered_look_otherwise(new_page: NewPage, staged: str) -> None:
    page = begin(new_page(), staged, "laying", [ME, BOT])
    assert discs_with(page, "us", ".slot.covered") == []
    press(page, "card:consul")
    assert discs_with(page, "us", ".slot.covered") == [1, 2, 3]
    expect(page.locator(".bar .hint")).to_contain_text("Dashed: the card that lies there is discarded.")
    press(page, "disc:2")
    until(lambda: discs_with(page, "us", ".slot.covered") == [], "the card to be laid")
    expect(page.locator(".discard .card")).to_have_attribute("data-card", "forum")


def test_the_discard_pile_shows_no_card_on_top_that_nobody_knows(new_page: NewPage, staged: str) -> None:
    """A position knows which cards lie there, and not in which order."""
    page = begin(new_page(), staged, "laying", [ME, BOT])
    act(page, ("card:consul", "disc:2"))
    expect(page.locator(".discard .card")).to_have_attribute("data-card", "forum")
    act(page, ("card:velites", "disc:3"))
    expect(page.locator(".discard .card")).to_have_attribute("data-card", "tribunus_plebis")
    page.reload()
    until(lambda: my_turn(page), "my turn")
    expect(page.locator(".discard .count")).to_have_text("2")
    expect(page.locator(".discard .card.unknown")).to_have_count(1)


def test_a_sheet_says_how_the_defence_on_the_table_comes(new_page: NewPage, staged: str) -> None:
    page = begin(new_page(), staged, "laying", [ME, BOT])
    page.locator(".row.us .slot").nth(1).hover()
    expect(page.locator(".info")).to_contain_text("defence 5 + 1 (Turris) = 6")
    page.locator(".row.us .slot").nth(0).hover()
    expect(page.locator(".info")).to_contain_text("defence 6 ·")


def test_a_used_die_shows_nothing_that_nobody_knows(new_page: NewPage, staged: str) -> None:
    page = begin(new_page(), staged, "turn", [ME, BOT])
    act(page, ("die:3", "disc:money"))
    assert page.locator(".die.used:not(.blank)").count() == 1, "it was seen: it keeps its three"
    page.reload()
    until(lambda: my_turn(page), "my turn")
    assert page.locator(".die.used.blank").count() == 1
    assert page.locator(".die.used .cube").evaluate("(el) => getComputedStyle(el).visibility") == "hidden"
    assert page.locator(".dice .die:not(.used)").count() == 2
    page.goto(f"{page.url}?at={entry(page)}")  # the same moment in a replay
    expect(page.locator(".replay")).to_be_visible()
    expect(page.locator(".die.used.blank")).to_have_count(1)
    assert page.locator(".die.used .cube").evaluate("(el) => getComputedStyle(el).visibility") == "hidden"


# What the page shows at every change: the bar, whether it is mine, the log, and whether dice roll.
WATCH = """() => {
  window.seen = [];
  const look = () => {
    const dice = [...document.querySelectorAll(".dice .die")];
    window.seen.push({
      bar: document.querySelector(".prompt").textContent,
      yours: document.querySelector(".bar").classList.contains("yours"),
      last: [...document.querySelectorAll(".log [data-n]")].pop()?.textContent ?? "",
      rolling: dice.some((die) => die.getAnimations({ subtree: true }).some((a) => a.playState === "running"
        && a.effect.getTiming().duration === 700)),
      dark: dice.some((die) => die.matches(".used") && die.getAnimations({ subtree: true }).length > 0),
    });
  };
  new MutationObserver(look).observe(document.querySelector(".table"),
    { subtree: true, childList: true, characterData: true, attributes: true, attributeFilter: ["class"] });
  new MutationObserver(look).observe(document.querySelector(".log"), { childList: true, subtree: true });
}"""


# A whole turn of the guest in one message: money for all dice.
TURN = """async () => {
  const { get, post } = await import("/js/api.js");
  const path = `/api/matches/${location.pathname.split("/")[2]}`;
  const now = await get(`${path}?lang=en`);
  const first = now.legal.some(({ action }) => action === "accept") ? ["accept"] : [];
  const actions = [...first, ...now.view.board.dice.map((die) => `money ${die}`), "end"];
  await post(`${path}/commands`, { do: "play", client: "a-whole-turn", seat: 1, expect: now.entry, actions });
}"""


def test_what_the_other_does_is_told_when_it_is_seen(new_page: NewPage, staged: str) -> None:
    page, guest = new_page(reduced_motion="no-preference"), new_page()
    page.add_init_script("""localStorage.setItem("ludus.settings", '{"pace":"fast"}')""")
    start_scene(page, staged, "roma", "turn", [ME, {"kind": "link"}])
    guest.goto(page.locator(".linkbox .link").input_value())
    until(lambda: my_turn(page), "my turn")
    page.evaluate(WATCH)
    end_turn(page)
    until(lambda: my_turn(guest), "the turn of the guest")
    guest.evaluate(TURN)
    until(lambda: my_turn(page), "my next turn")
    seen: list[dict[str, Any]] = page.evaluate("() => window.seen")
    mine = next(k for k, now in enumerate(seen) if now["yours"] and k and not seen[k - 1]["yours"])
    other = [now for now in seen[:mine] if not now["yours"]]
    assert sum(now["bar"] != before["bar"] for before, now in pairwise(other)) > 4, "every step is told"
    assert not any("Your turn" in now["bar"] for now in other)
    assert not any("throws" in now["last"] for now in other if now["rolling"]), json.dumps(other)
    assert not any(now["dark"] for now in other), "no die lands dark"
    assert any("throws" in now["bar"] for now in other)


NEEDED = (".hand .held", ".plate.us .money", ".plate.them .money", ".dice .die", ".disc", ".row.us .slot")


@pytest.mark.parametrize("size", ["320x568", "360x640", "844x390", "667x375"])
def test_everything_that_is_touched_is_on_the_screen_of_a_phone(
    new_page: NewPage, staged: str, size: str
) -> None:
    width, height = map(int, size.split("x"))
    page = new_page(viewport={"width": width, "height": height}, has_touch=True, is_mobile=True)
    begin(page, staged, "turn", [ME, BOT])
    script = """(selectors) => {
      const board = document.querySelector(".board").getBoundingClientRect();
      const bar = document.querySelector(".bar").getBoundingClientRect();
      return selectors.flatMap((selector) => [...document.querySelectorAll(selector)].flatMap((el) => {
        const box = el.getBoundingClientRect();
        const inside = box.width > 0 && box.left >= 0 && box.right <= innerWidth + 1
          && box.top >= board.top - 1 && box.bottom <= bar.top + 1;
        const small = el.matches("[data-touch]") && Math.min(box.width, box.height) < 39.5;
        return inside && !small ? [] : [`${selector} ${["left", "top", "width", "height"]
          .map((side) => Math.round(box[side]))}`];
      }));
    }"""
    assert page.evaluate(script, list(NEEDED)) == []


# What a screen reader says of things on the table that is wrong: many where there is one, a colon at a word.
ODD = {
    "fr": r"\b1 (?:sesterces|cartes|points)\b|\w: ",
    "it": r"\b1 (?:sesterzi|carte|punti)\b",
    "de": r"\b1 (?:Sesterzen|Handkarten|Karten|Siegpunkte|Punkte)\b",
    "en": r"\b1 (?:sesterces|cards|points|victory points)\b",
}


@pytest.mark.parametrize("lang", ODD)
def test_one_is_one_and_colons_stand_as_in_the_language(new_page: NewPage, staged: str, lang: str) -> None:
    page = begin(new_page(locale=lang), staged, "turn", [ME, BOT])
    labelled = page.locator(".roma [aria-label]")
    said = labelled.evaluate_all("(all) => all.map((el) => el.getAttribute('aria-label'))")
    words = title_of("roma").words
    for text in said:
        assert not re.search(ODD[lang], text), text
    assert all("{n:" in words.say(lang, f"web.{key}") for key in ("money", "cards", "points", "stock"))


# What a message covers: the hand, and whatever would hear a touch where its words stand.
COVERS = """() => {
  const box = (selector) => document.querySelector(selector).getBoundingClientRect();
  const [toast, hand] = [box(".toast"), box(".hand")];
  const words = box(".toast span");
  const under = document.elementFromPoint(words.left + words.width / 2, words.top + words.height / 2);
  return [toast.bottom > hand.top && toast.top < hand.bottom, !!under.closest(".toast")];
}"""


@pytest.mark.parametrize("size", [(360, 640), (844, 390), (1280, 800)], ids=str)
def test_a_message_covers_no_hand_and_lets_a_touch_through(
    new_page: NewPage, staged: str, size: tuple[int, int]
) -> None:
    page = new_page(viewport={"width": size[0], "height": size[1]})
    start_scene(page, staged, "roma", "turn", [ME, {"kind": "bot", "bot": "tiro"}])
    until(lambda: my_turn(page), "my turn")
    page.locator('.hand [data-touch="card:centurio"]').click()
    expect(page.locator(".toast")).to_contain_text("Centurio")
    assert page.evaluate(COVERS) == [False, False]


# What of the board and the dice lies under the cards to choose from.
HIDDEN = """() => {
  const offer = document.querySelector(".offer").getBoundingClientRect();
  return [...document.querySelectorAll(".row .slot, .disc, .dice .die, .offer .held")].filter((el) => {
    const box = el.getBoundingClientRect();
    const inside = box.left < offer.right && box.right > offer.left && box.top < offer.bottom
      && box.bottom > offer.top;
    return el.closest(".offer") ? box.bottom > offer.bottom + 1 : inside;
  }).map((el) => el.className);
}"""


@pytest.mark.parametrize("size", [(360, 640), (390, 844), (844, 390), (1440, 900)], ids=str)
def test_choosing_does_not_cover_the_board_and_the_dice(
    new_page: NewPage, staged: str, size: tuple[int, int]
) -> None:
    page = new_page(viewport={"width": size[0], "height": size[1]}, has_touch=size[0] < 1000)
    begin(page, staged, "turn", [ME, BOT])
    touch_all(page, ["die:5", "disc:cards"])
    until(lambda: page.locator(".offer .held").count() > 1, "cards to choose from")
    assert page.evaluate(HIDDEN) == []


@pytest.mark.parametrize("lang", ["en", "fr", "it", "de"])
def test_what_becomes_final_is_read_whole_on_a_phone_on_its_side(
    new_page: NewPage, staged: str, lang: str
) -> None:
    page = new_page(viewport={"width": 844, "height": 390}, has_touch=True, is_mobile=True, locale=lang)
    begin(page, staged, "face-down", [BOT, ME])
    act(page, ("card:velites", "disc:2"))
    touch_all(page, ("card:machina", "disc:3"))
    hint = page.locator(".bar .hint")
    expect(hint).to_contain_text("Machina")
    fits = "(el) => el.scrollWidth <= el.clientWidth && el.scrollHeight <= el.clientHeight + 1"
    assert hint.evaluate(fits)
    box = hint.bounding_box()
    assert box is not None and box["y"] + box["height"] <= 390


def test_at_the_keyboard_the_focus_goes_on_to_what_is_touched_next(new_page: NewPage, staged: str) -> None:
    """From a die to a disc without a Tab; the discs come before the dice in the page."""
    page = begin(new_page(), staged, "turn", [ME, BOT])
    before = entry(page)
    page.locator('.die[data-touch="die:5"]').focus()
    page.keyboard.press("Enter")
    assert page.evaluate("() => document.activeElement.matches('.disc.lit')")
    page.keyboard.press("Escape")
    page.locator('.die[data-touch="die:5"]').focus()
    for key in ("Enter", "Enter"):
        page.keyboard.press(key)
    until(lambda: entry(page) > before, "the die to be used")
