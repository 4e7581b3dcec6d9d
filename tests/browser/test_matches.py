"""Whole matches in a real browser: by mouse, by keyboard alone, on a phone, at one screen, two by a link."""

from __future__ import annotations

import random
import sqlite3
from collections.abc import Callable
from functools import partial

import pytest
from playwright.sync_api import Page, expect

import ludus
from browser.driving import (
    changed,
    choose,
    entry,
    is_over,
    my_turn,
    offered,
    play_by_clicking,
    start,
    until,
    words_on_screen,
)
from ludus.bots.levels import LEVELS, STRONGEST
from ludus.server.testing import ServerProcess
from samples import BARE, LARGE, SMALL

NewPage = Callable[..., Page]
FOCUS = """() => {
  const el = document.activeElement;
  return el.dataset?.touch ?? (el.matches(".go") ? "go" : "");
}"""
TOO_SMALL = """() => [...document.querySelectorAll("button, .lit")]
  .filter((el) => el.offsetWidth && !el.closest(".choices"))
  .map((el) => el.getBoundingClientRect())
  .filter((box) => Math.min(box.width, box.height) < 24).length"""


def test_a_whole_match_by_clicking(new_page: NewPage, url: str) -> None:
    page = new_page()
    start(page, url)
    play_by_clicking(page, random.Random(11))
    dialog = page.locator("dialog[open]")
    expect(dialog).to_be_visible()
    assert dialog.locator("h2").inner_text().casefold() in ("victory", "defeat", "a draw")
    assert dialog.locator(".places li").count() == 2
    box = dialog.bounding_box()
    assert box is not None and box["height"] <= 800, "the sheet of the result fits"
    last = dialog.locator(".last").inner_text().split(". ")[-1]
    expect(page.locator(".log .line").last).to_have_text(last)
    expect(dialog.locator(".course .margin")).to_contain_text("point")
    expect(dialog.locator(".course polyline")).to_have_count(2)
    expect(dialog.locator(".course th", has_text="Action dice")).to_be_visible()
    dialog.locator(".course .points button").first.click()
    expect(page.locator(".replay")).to_be_visible()
    page.locator(".replay button", has_text="Back to the end").click()
    page.locator("header.top button[aria-label='Menu']").click()
    page.locator("dialog .item", has_text="Result").click()
    dialog = page.locator("dialog[open]")
    dialog.locator("button.proof").click()
    until(lambda: page.locator("[data-proof]").count(), "the proof of the dice")
    assert page.locator("[data-proof]").get_attribute("data-proof") == "good", page.locator(
        ".verdict"
    ).inner_text()
    assert page.locator(".verdict .good").count() == 3
    page.keyboard.press("Escape")
    page.locator("header.top button[aria-label='Menu']").click()
    page.locator("dialog .item", has_text="Play again").click()
    page.wait_for_url("**/m/*")
    until(lambda: my_turn(page), "the next match")


def test_a_whole_match_by_keyboard_alone(new_page: NewPage, url: str) -> None:
    """Tab, arrows, digits, Enter and the list of choices; no pointer is ever used."""
    page, rng = new_page(), random.Random(5)
    page.goto(url)
    page.locator(f"[data-title={LARGE}]").wait_for()
    press_until(page, "Tab", lambda: focused(page).startswith("radio"))  # a newcomer's level, the quickest
    press_until(page, "Tab", lambda: "playnow" in focused(page))
    page.keyboard.press("Enter")
    page.wait_for_url("**/m/*")
    turn = 0
    while my_turn(page) and turn < 1500:
        turn += 1
        before = entry(page), offered(page)
        if turn % 4 == 0:
            by_the_list(page, rng)
        else:
            on_the_board(page, rng)
        until(partial(changed, page, before), "an answer", 10)
    assert is_over(page)


def test_a_level_is_chosen_on_the_first_page_and_kept(new_page: NewPage, url: str) -> None:
    """All with a line what to expect; a newcomer's at first, then the last one chosen, also at set-up."""
    page, words = new_page(), words_on_screen(LARGE, "en")
    levels = page.locator(f"[data-title={LARGE}] .levels label")
    line = page.locator(f"[data-title={LARGE}] .expect")
    page.goto(url)
    page.locator(f"[data-title={LARGE}]").wait_for()
    assert levels.all_inner_texts() == [words[f"bot.{name}"] for name in (*LEVELS, STRONGEST)]
    assert page.locator(f"[data-title={LARGE}] input:checked").get_attribute("value") == "tiro"
    assert line.inner_text() == words["bot.tiro.help"]
    levels.nth(4).click()
    assert line.inner_text() == words["bot.legatus.help"]
    page.reload()
    page.locator(f"[data-title={LARGE}]").wait_for()
    assert page.locator(f"[data-title={LARGE}] input:checked").get_attribute("value") == "legatus"
    page.goto(f"{url}/new/{LARGE}")
    seat = page.locator(".chairs li").nth(1)
    assert seat.locator("select").input_value() == "bot:legatus"
    assert seat.locator(".help").inner_text() == words["bot.legatus.help"]
    seat.locator("select").select_option("bot:optio")
    assert seat.locator(".help").inner_text() == words["bot.optio.help"]
    page.locator("form button[type=submit]").click()
    page.wait_for_url("**/m/*")
    until(lambda: words["bot.optio"] in page.locator("body").inner_text(), "the name of the bot")


def press_until(page: Page, key: str, ready: Callable[[], bool]) -> None:
    for _ in range(60):
        page.keyboard.press(key)
        if ready():
            return
    raise AssertionError(f"{key} does not lead there; focus is on {focused(page)}")


def focused(page: Page) -> str:
    return str(
        page.evaluate("() => (document.activeElement?.type ?? '') + ' ' + document.activeElement?.className")
    )


def by_the_list(page: Page, rng: random.Random) -> None:
    page.keyboard.press("c")
    until(lambda: page.evaluate("() => !!document.activeElement.closest('.choices')"), "the list")
    for _ in range(rng.randrange(min(4, page.locator(".choices button").count()))):
        page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    if page.locator(".choices.open").count():
        page.keyboard.press("Escape")


def on_the_board(page: Page, rng: random.Random) -> None:
    """Walk with Tab to the thing that was chosen, then Enter."""
    ids = offered(page)
    if not ids:
        return
    wanted = ids[choose(rng, ids)]
    page.keyboard.press("b")
    for _ in range(80):
        now = page.evaluate(FOCUS)
        if now == wanted:
            page.keyboard.press("Enter")
            return
        page.keyboard.press("Tab")
    raise AssertionError(f"Tab does not lead to {wanted}")


def test_a_phone_by_touch(new_page: NewPage, url: str) -> None:
    page = new_page(viewport={"width": 390, "height": 780}, is_mobile=True, has_touch=True)
    start(page, url)
    touched = play_by_clicking(page, random.Random(3), touches=40, tap=True)
    assert touched
    wide = page.evaluate("() => document.documentElement.scrollWidth")
    assert wide <= 390, "the page is wider than the phone"
    small = page.evaluate(TOO_SMALL)
    assert small == 0, "some things are too small for a finger"


def test_dragging_a_die_to_a_disc(new_page: NewPage, url: str) -> None:
    page = new_page()
    start(page, url)
    rng = random.Random(2)
    until_dice(page, rng)
    money = page.locator(".plate.us .money")
    before = int(money.get_attribute("data-n") or 0)
    die = page.locator(".dice .die.lit").first
    value = int((die.get_attribute("data-touch") or "die:0")[4:])
    die.hover()
    page.mouse.down()
    page.mouse.move(600, 300, steps=4)
    target = page.locator(".d-money").bounding_box()
    assert target is not None
    page.mouse.move(target["x"] + target["width"] / 2, target["y"] + target["height"] / 2, steps=6)
    expect(page.locator(".ghost")).to_have_count(1)
    page.mouse.up()
    until(lambda: int(money.get_attribute("data-n") or 0) == before + value, "the money")


def until_dice(page: Page, rng: random.Random) -> None:
    """Play until dice lie there to be used, two at least."""
    for _ in range(400):
        ids = my_turn(page)
        if sum(touch.startswith("die:") for touch in ids) >= 2 and "button:end" in ids:
            return
        play_by_clicking(page, rng, touches=1)
    raise AssertionError("no dice")


def test_two_browsers_in_one_match_by_a_link(new_page: NewPage, url: str) -> None:
    host, guest = new_page(), new_page()
    start(host, url, how="friend")
    link = host.locator(".linkbox .link").input_value()
    assert "#invite=" in link
    guest.goto(link)
    expect(guest.locator(f".{LARGE}")).to_be_visible()
    expect(host.locator(f".{LARGE}")).to_be_visible()
    assert "invite" not in guest.url
    rng = random.Random(8)
    for _ in range(24):
        pages = [p for p in (host, guest) if offered(p)]
        if not pages:
            until(lambda: offered(host) or offered(guest) or is_over(host), "somebody's turn")
            continue
        play_by_clicking(pages[0], rng, touches=1)
    until(lambda: entry(host) == entry(guest), "the same entry on both screens")
    host.keyboard.press("m")
    host.keyboard.type("salve!")
    host.keyboard.press("Enter")
    expect(guest.locator(".lines")).to_contain_text("salve!")
    third = new_page()
    third.goto(link.split("#")[0])
    expect(third.locator(f".{LARGE}")).to_be_visible()
    assert third.locator(".hand .card").count() == 0, "a spectator sees a hand"
    expect(host.locator(".status")).to_contain_text("1 watching")


def test_at_one_screen_the_hands_are_covered(new_page: NewPage, url: str) -> None:
    page = new_page()
    start(page, url, how="screen")
    names = []
    rng = random.Random(4)
    for _ in range(40):
        until(lambda: page.locator(".curtain").count() or offered(page) or is_over(page), "a turn")
        if page.locator(".curtain").count():
            assert not page.locator(".hand").is_visible(), "a hand shows through"
            names.append(page.locator(".curtain h2").inner_text())
            page.locator(".curtain button").click()
            expect(page.locator(".curtain")).to_have_count(0)
        elif offered(page):
            ids = offered(page)
            page.locator(
                f'.board [data-touch="{ids[choose(rng, ids)]}"].lit, .bar .buttons [data-touch="{ids[0]}"]'
            ).first.click()
        if len(set(names)) > 1 and len(names) > 2:
            break
    assert len(set(names)) == 2


def test_at_one_screen_nothing_is_covered_where_nothing_is_hidden(new_page: NewPage, url: str) -> None:
    page = new_page()
    start(page, url, title=BARE, how="screen")
    for place in ("a-1", "b-2", "c-3"):
        page.locator(f'[data-touch="board:{place}"].lit').click()
        expect(page.locator(f'[data-touch="board:{place}"] .stone')).to_be_visible()
        expect(page.locator('[data-touch="board:a-2"].lit')).to_be_visible()
        assert page.locator(".curtain").count() == 0


@pytest.mark.parametrize("title", [name for name in ludus.title_names() if name != LARGE])
def test_every_title_is_played_from_its_touches(new_page: NewPage, url: str, title: str) -> None:
    """Short ones, which have no drawing of their own, to their end; longer ones for a while."""
    page = new_page()
    start(page, url, title=title)
    short = title in (SMALL, BARE)
    touched = play_by_clicking(page, random.Random(1), touches=2000 if short else 25)
    if not short:
        assert touched == 25 or is_over(page)  # a rash emperor falls soon
        return
    assert is_over(page)
    if not ludus.title(title).has_chance:
        expect(page.locator("dialog .again")).to_be_visible()
        assert page.locator("dialog button.proof").count() == 0, "there is nothing to prove"
        return
    page.locator("dialog button.proof").click()
    until(lambda: page.locator("[data-proof='good']").count(), "the proof")


def test_a_match_of_other_rules_is_shown_as_it_was_written(new_page: NewPage, server: ServerProcess) -> None:
    page = new_page(allow=("409",))
    start(page, server.url)
    match_id = page.url.rpartition("/")[2]
    with sqlite3.connect(server.db) as db:
        changed_box = "UPDATE matches SET box_hash = 'other', incarnation = 'other', revision = revision + 1"
        db.execute(f"{changed_box} WHERE id = ?", (match_id,))
        db.execute("DELETE FROM snapshots WHERE match_id = ?", (match_id,))
    page.goto(f"{server.url}/m/{match_id}")
    expect(page.locator(".stored li").first).to_contain_text("chance: draw ?")
    expect(page.locator("h1")).to_have_text("This match is kept as it was recorded")
    with page.expect_download() as download:
        page.locator(".nothing a[download]").click()
    text = download.value.path().read_text(encoding="utf-8")
    assert f"match: {match_id}" in text and "key:" not in text
