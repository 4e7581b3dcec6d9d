"""What settles something for all is left to be read: at the end of a round, and at the end of a match."""

from __future__ import annotations

import random
import re
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from browser.conftest import NewPage
from browser.driving import is_over, my_turn, offered, play_by_clicking, press, start, until
from samples import BARE, SMALL, WIDE

# Whatever the bar says, with whether it is told at a pace, whether the result is there already, and how many
# hands lie open.
LISTEN = """() => {
  window.said = [];
  const prompt = document.querySelector("#prompt");
  new MutationObserver(() => window.said.push([prompt.textContent,
    !document.querySelector(".bar .pace").hidden, !!document.querySelector("dialog[open]"),
    document.querySelectorAll(".seatbox .opened .fingers").length]))
    .observe(prompt, { childList: true, characterData: true, subtree: true });
}"""


def told(page: Page, text: str) -> dict[str, list[Any]]:
    """How the bar said this, by the whole text."""
    return {said: how for said, *how in page.evaluate("() => window.said") if text in said}


def at_a_pace(new_page: NewPage) -> Page:
    page = new_page(viewport={"width": 360, "height": 640}, reduced_motion="no-preference")
    page.add_init_script("""localStorage.setItem("ludus.settings", '{"pace":"fast"}')""")
    return page


def test_what_ends_a_match_is_told_before_the_result_and_a_full_line_stands_out(
    new_page: NewPage, url: str
) -> None:
    page = at_a_pace(new_page)
    start(page, url, title=BARE, how="screen")
    my_turn(page)
    page.evaluate(LISTEN)
    for place in ("a-1", "b-1", "a-2", "b-2", "a-3"):
        until(lambda: f"board:{place}" in offered(page), place)  # noqa: B023
        press(page, f"board:{place}")
    until(lambda: is_over(page), "the result")
    assert list(told(page, "three stones in line").values()) == [[True, False, 0]]
    full = page.locator(".square.inline").evaluate_all("(all) => all.map((el) => el.dataset.touch)")
    assert full == ["board:a-1", "board:a-2", "board:a-3"]
    page.keyboard.press("Escape")
    expect(page.locator("dialog")).to_have_count(0)
    page.locator(".bar .result").click()  # who has closed it finds it again
    expect(page.locator("dialog .again")).to_be_visible()


def test_what_comes_of_my_own_last_word_is_told_as_what_others_do(new_page: NewPage, url: str) -> None:
    """Who calls last opens all hands: in the first round the other, in the second I."""
    page = at_a_pace(new_page)
    start(page, url, title=SMALL)
    my_turn(page)
    page.evaluate(LISTEN)
    rng = random.Random(1)
    for _ in range(30):
        play_by_clicking(page, rng, touches=1)
        if not my_turn(page) or len(told(page, " and called ")) == 2:
            break
    assert list(told(page, " and called ").values()) == [[True, False, 2]] * 2


# A match of somebody against two bots.
ON_ONE_SCREEN = """async (title) => {
  const { startMatch } = await import("/js/start.js");
  const others = ["Bruno", "Clara"].map((name) => ({ kind: "screen", name }));
  await startMatch(title, [{ kind: "me" }, ...others], { options: {} });
}"""
WITH_LINK = """async (title) => {
  const { startMatch } = await import("/js/start.js");
  await startMatch(title, [{ kind: "me" }, { kind: "link" }]);
}"""
AMONG_BOTS = """async (title) => {
  const { startMatch } = await import("/js/start.js");
  await startMatch(title, [{ kind: "me" }, ...Array(2).fill({ kind: "bot", bot: "tiro" })]);
}"""


def resigning_among_bots(new_page: NewPage, url: str) -> Page:
    """A match against two bots, in which somebody has touched "Resign"."""
    page = new_page()
    page.goto(url)
    page.locator(".title").first.wait_for()
    page.evaluate(AMONG_BOTS, SMALL)
    page.wait_for_url("**/m/*")
    my_turn(page)
    page.locator("header.top button[aria-label='Menu']").click()
    page.locator("dialog .item", has_text="Resign").click()
    return page


def test_who_resigns_among_bots_is_told_and_may_play_again(new_page: NewPage, url: str) -> None:
    page = resigning_among_bots(new_page, url)
    first = page.url
    expect(page.locator("dialog")).to_contain_text("You have lost then. Only bots would be left")
    page.locator("dialog .sure").click()
    sheet = page.locator("dialog.result")
    expect(sheet.locator("h2")).to_have_text("Defeat")
    expect(sheet).to_contain_text("Only bots were left, and the match ended there.")
    expect(sheet.locator(".analyse")).to_be_visible()
    expect(page.locator("#prompt")).to_have_text("Defeat")
    sheet.locator(".again").click()
    page.wait_for_url(lambda url: url != first)
    assert my_turn(page)


def test_who_resigns_among_bots_may_watch_them_to_the_end(new_page: NewPage, url: str) -> None:
    page = resigning_among_bots(new_page, url)
    page.locator("dialog .watch").click()
    sheet = page.locator("dialog.result")
    sheet.wait_for(timeout=45000)
    expect(sheet.locator("h2")).to_have_text("Defeat")
    expect(sheet.locator("li", has_text="resigned")).to_have_count(1)


def test_who_left_comes_back_to_the_seat_in_which_a_bot_plays_on(new_page: NewPage, url: str) -> None:
    host = new_page()
    host.goto(url)
    host.locator(".title").first.wait_for()
    host.evaluate(WITH_LINK, SMALL)
    host.wait_for_url("**/m/*")
    guest = new_page()
    guest.goto(host.locator(".linkbox .link").input_value())
    until(lambda: offered(host) or offered(guest), "the match")

    def menu(page: Page, item: str) -> None:
        page.locator("header.top button[aria-label='Menu']").click()
        page.locator("dialog .item", has_text=item).click()

    menu(guest, "Leave the table")
    guest.locator("dialog .sure").click()
    expect(guest.locator(".bar .comeback")).to_be_visible()
    menu(host, " play for ")
    expect(host.locator(".toast")).to_have_text(re.compile(r"\w+ plays on for \w+ \d+\."))
    other = guest.context.new_page()
    other.goto(url)
    expect(other.locator("section.list li", has_text="A bot plays on for you")).to_have_count(1)
    guest.locator(".bar .comeback").click()
    expect(guest.locator(".bar .comeback")).to_have_count(0)
    until(lambda: offered(guest) or offered(host), "play between the two")
    menu(guest, "Resign")
    expect(guest.locator("dialog")).to_contain_text("The match ends at once")


@pytest.mark.parametrize("title", [SMALL, WIDE])
def test_who_has_resigned_keeps_the_name_and_the_bot_that_plays_on_has_one(
    title: str, new_page: NewPage, url: str
) -> None:
    page = new_page()
    page.goto(url)
    page.locator(".title").first.wait_for()
    page.evaluate(ON_ONE_SCREEN, title)
    page.wait_for_url("**/m/*")
    curtain, done = page.locator(".curtain button"), page.locator(".log .seat0 .line")
    until(lambda: curtain.is_visible() or offered(page), "my turn")
    if curtain.is_visible():  # where hands are hidden
        curtain.click()
    rng = random.Random(1)
    while not done.count():
        play_by_clicking(page, rng, touches=1)
    page.locator("header.top button[aria-label='Menu']").click()
    page.locator("dialog .item", has_text="Resign").click()
    page.locator("dialog .sure").click()
    for _ in range(2):  # as it happens, and as it is read again
        log = page.locator(".log")
        expect(log).to_contain_text("plays on for ")

        def told_of(log: Any = log) -> list[str]:
            lines = log.locator(".line").all_text_contents()  # also where a phase of the match is folded
            return [line for line in lines if re.search("resigns|plays on", line)]

        until(lambda: len(told_of()) == 2, "both lines")
        told = told_of()
        assert "(bot)" not in "".join(told), told
        bot = told[1].removesuffix(" plays on for ")
        assert bot[0].isupper() and bot not in told[0], told
        name = told[0].removesuffix(" resigns.")
        turns = log.locator(".turn.seat0 > details > summary").all_text_contents()
        assert name in done.all_text_contents()[0] and bot not in done.all_text_contents()[0]
        assert turns[0] == name if title == WIDE else not turns, "the turns of a round have names"
        page.reload()


# What the others did, where dice decide after the last of them, in nobody's turn.
DIGEST = """async () => {
  const { digestOf } = await import("/js/match/log.js");
  const row = (n, who, news) => ({ n, who, turn: null, stands: true, log: [news], news: [news] });
  return digestOf([row(1, 0, "I call"), row(2, 1, "all are right"), row(3, "chance", "I win")], [0]);
}"""


def test_what_dice_decide_for_all_is_a_part_of_what_happened(new_page: NewPage, url: str) -> None:
    page = new_page()
    page.goto(url)
    assert page.evaluate(DIGEST) == ["all are right", "I win"]
