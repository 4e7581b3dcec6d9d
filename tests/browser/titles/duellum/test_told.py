"""What the other did, on Duellum's map: warnings before it, arrows while it is told, marks after it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from playwright.sync_api import Page, expect

from browser.driving import entry, my_turn, offered, press, start_scene, until

NewPage = Callable[..., Page]
ME, LINK, BOT = {"kind": "me"}, {"kind": "link"}, {"kind": "bot", "bot": "tiro"}
WARNED = "Rome can be conquered in the next turn: it holds 3, and 4 units stand near enough."
SILENT = """localStorage.setItem("ludus.settings", '{"warnings":"off"}')"""
MARKED = (
    "() => [...document.querySelectorAll('.board .fresh')].map((el) => el.dataset.touch ?? el.dataset.info)"
)


def begin(page: Page, url: str, other: dict[str, str] = BOT) -> Page:
    start_scene(page, url, "duellum", "border", [ME, other])
    page.locator(".duellum, .linkbox").first.wait_for()
    return page


def touch(page: Page, *ids: str) -> None:
    for one in ids:
        until(lambda: one in offered(page), f"{one} among {offered(page)}")  # noqa: B023
        press(page, one)


def marked(page: Page) -> set[Any]:
    return set(page.evaluate(MARKED))


def test_a_temple_that_stands_open_is_warned_of_unless_that_is_switched_off(
    new_page: NewPage, staged: str
) -> None:
    page = begin(new_page(), staged)
    touch(page, "space:scientia")
    until(lambda: "button:end" in offered(page), "the end of the turn")
    before, toast = entry(page), page.locator(".toast")
    press(page, "button:end")
    expect(toast).to_contain_text(WARNED)
    assert entry(page) == before and "button:end" in offered(page), "nothing was played yet"
    toast.locator("button", has_text="End anyway").click()
    until(lambda: entry(page) > before, "the end of the turn")

    page = begin(new_page(), staged)
    touch(page, "space:ferrum")  # nothing is left to choose: the turn would end by itself
    expect(page.locator(".toast")).to_contain_text(WARNED)
    assert "button:end" in offered(page) and page.locator(".bar.yours").count(), "nothing ends by itself"
    page.keyboard.press("u")
    until(lambda: "space:scientia" in offered(page), "the stone is free again")

    page = new_page()
    page.add_init_script(SILENT)
    begin(page, staged)
    touch(page, "space:scientia")
    until(lambda: "button:end" in offered(page), "the end of the turn")
    before = entry(page)
    press(page, "button:end")
    until(lambda: entry(page) > before, "the end of the turn at one touch")
    expect(page.locator(".toast", has_text="can be conquered")).to_have_count(0)


def test_what_is_refused_says_what_one_has_and_what_it_takes(new_page: NewPage, staged: str) -> None:
    page = begin(new_page(), staged)
    toast = page.locator(".toast")
    my_turn(page)
    page.locator('[data-touch="space:duellum"]').first.click()
    expect(toast).to_contain_text("You have 1 good; the way to DUELLUM (after AURUM) costs 3.")
    touch(page, "space:scientia")
    until(lambda: "button:end" in offered(page), "the turn of SCIENTIA")
    page.locator('[data-touch="know:moneta"]').click()
    expect(toast).to_contain_text("You have 1 gold, 0 coins; MONETA costs")


def test_the_other_marches_before_my_eyes(new_page: NewPage, staged: str) -> None:
    host = new_page(reduced_motion="no-preference")
    begin(host, staged, LINK)
    guest = new_page()
    guest.goto(host.locator(".linkbox .link").input_value())
    my_turn(host)
    touch(host, "space:scientia", "button:end")
    host.locator(".toast button", has_text="End anyway").click()

    touch(guest, "space:duellum", "unit:legion@neapolis", "region:roma")
    arrow = host.locator(".arrow.s1[data-from=neapolis][data-to=roma]")
    expect(arrow).to_have_count(1)
    expect(host.locator("#prompt")).to_contain_text("4 units reach Rome")
    expect(host.locator(".pace")).to_be_visible()
    assert not offered(host) and marked(host) == set()
    assert "conquers Rome" not in host.locator(".digest").inner_text()
    touch(guest, "button:done", "region:roma")
    until(lambda: "button:end" in offered(guest) or not offered(guest), "the conquest")
    if "button:end" in offered(guest):
        press(guest, "button:end")
    until(lambda: offered(host), "my turn")
    expect(host.locator(".pace")).to_be_hidden()
    expect(arrow).to_have_count(1)
    assert {"region:roma", "region:neapolis"} <= marked(host), marked(host)
    expect(host.locator(".digest")).to_contain_text("conquers Rome")
    expect(host.locator(".bar .hint.news")).to_contain_text("conquers Rome")
    touch(host, "space:ferrum")
    until(lambda: not marked(host), "no marks after the next touch")
    expect(arrow).to_have_count(0)
    expect(host.locator(".bar .hint", has_text="conquers Rome")).to_have_count(0)


BARE = """() => [...document.querySelectorAll('.rondel .taught text')].every(
  (el) => getComputedStyle(el).stroke === 'none')"""


def test_a_space_that_a_hint_names_can_be_read_and_is_itself_again_when_something_was_played(
    new_page: NewPage, staged: str
) -> None:
    page = begin(new_page(viewport={"width": 1440, "height": 900}), staged)
    until(lambda: "space:scientia" in offered(page), "my turn")
    page.keyboard.press("h")
    taught = page.locator(".rondel .space.taught")
    expect(taught).to_have_count(1, timeout=30_000)
    assert page.evaluate(BARE), "its name has no line around it"
    before = entry(page)
    # A screen reader clicks without a pointer.
    taught.evaluate("(el) => el.dispatchEvent(new MouseEvent('click', { bubbles: true }))")
    until(lambda: entry(page) > before, "a move")
    expect(page.locator(".board .taught")).to_have_count(0)
