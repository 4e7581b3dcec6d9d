"""What every table and page has, whatever is played: clocks, the line, presence, the log, names, lists."""

from __future__ import annotations

import contextlib
import json
import random
import re
import sqlite3
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Error, Page, WebSocketRoute, expect

import ludus
from browser.driving import NOWHERE, my_turn, offered, play_by_clicking, start, until, words_on_screen
from ludus.server.testing import ServerProcess
from samples import LARGE, PLANNED, SMALL, WIDE

NewPage = Callable[..., Page]
PHONE = {"width": 360, "height": 640}
MAKE = """async ([title, seats, more]) => {
  const { startMatch } = await import("/js/start.js");
  await startMatch(title, seats, more);
}"""
ME, FRIEND, OPEN = {"kind": "me"}, {"kind": "link"}, {"kind": "open"}
QUARTER = {"kind": "match", "seconds": 900, "increment": 10}
SIZES = (
    """(selector) => [...document.querySelectorAll(selector)].map((el) => el.getBoundingClientRect().width)"""
)
# Rows that are wider than their list, or whose parts stand outside of it.
OUTSIDE = """() => [...document.querySelectorAll(".list")].flatMap((list) => {
  const { left, right } = list.getBoundingClientRect();
  return [...list.querySelectorAll("a, a *")].filter((el) => {
    const box = el.getBoundingClientRect();
    return box.left < left - 1 || box.right > right + 1;
  }).map((el) => el.outerHTML);
})"""
ENDLESS = """() => document.getAnimations()
  .filter((a) => a.effect.getTiming().iterations === Infinity).map((a) => a.animationName)"""
# How often the page is changed by nobody in a while.
CHANGES = """() => new Promise((done) => {
  let changes = 0;
  const watch = new MutationObserver((found) => (changes += found.length));
  watch.observe(document, { subtree: true, childList: true, attributes: true, characterData: true });
  setTimeout(() => { watch.disconnect(); done(changes); }, 700);
})"""


def make(page: Page, url: str, title: str, seats: list[dict[str, str]], **more: Any) -> str:
    """Into a new match; its id."""
    page.goto(url + NOWHERE)
    page.locator(".nothing").wait_for()
    page.evaluate(MAKE, [title, seats, more])
    page.wait_for_url("**/m/*")
    return page.url.rpartition("/")[2]


def joined(host: Page, guest: Page) -> None:
    guest.goto(host.locator(".linkbox .link").first.input_value())
    for page in (host, guest):
        expect(page.locator("section.bar")).to_be_visible()


def test_clocks_presence_and_the_end_by_time(new_page: NewPage, server: ServerProcess) -> None:
    host, guest = new_page(), new_page()
    for page in (host, guest):  # a machine whose clock is wrong, and answers that lie about theirs
        page.add_init_script("const real = Date.now; Date.now = () => real() + 120_000;")
        page.route("**/api/**", lie_about_the_date)
    match_id = make(host, server.url, LARGE, [ME, FRIEND], clock=QUARTER)
    expect(host.locator(".waiting .agreed")).to_have_text("15 minutes a player, +10 s a move")
    assert not host.locator(".side").is_visible(), "there is no story yet"
    joined(host, guest)
    for page in (host, guest):
        expect(page.locator(".clock").first).to_have_text(re.compile(r"1[45]:\d\d"))
        assert all(width > 4 for width in page.evaluate(SIZES, ".plate .dot")), "who is there is to be seen"
        expect(page.locator(".plate .dot.here")).to_have_count(2)
    run_out(server, match_id)
    for page in (host, guest):
        expect(page.locator("dialog")).to_contain_text("Decided on time.")
    expect(host.locator("dialog h2")).to_have_text("Defeat")
    expect(guest.locator("dialog h2")).to_have_text("Victory")
    expect(guest.locator(".toast")).to_contain_text("has run out of time")
    guest.locator("dialog .again").click()
    guest.wait_for_url(lambda url: match_id not in url)
    expect(host.locator("dialog .wanted")).to_have_text("The next match is ready.")
    host.locator("dialog .again", has_text="Join").click()
    host.wait_for_url(guest.url)
    expect(host.locator("section.bar")).to_be_visible()


def lie_about_the_date(route: Any) -> None:
    with contextlib.suppress(Error):  # the page has gone on meanwhile
        answer = route.fetch()
        route.fulfill(response=answer, headers={**answer.headers, "date": "Mon, 16 Nov 2026 00:00:00 GMT"})


def run_out(server: ServerProcess, match_id: str) -> None:
    """Let the time of whoever is to move be up."""
    with sqlite3.connect(server.db) as db:
        told, deadline = db.execute(
            "SELECT clock_state, deadline FROM matches WHERE id = ?", (match_id,)
        ).fetchone()
        state = json.loads(told)
        state["since"] -= 1000
        db.execute(
            "UPDATE matches SET clock_state = ?, deadline = ?, revision = revision + 1, incarnation = 'later'"
            " WHERE id = ?",
            (json.dumps(state), deadline - 1000, match_id),
        )


def test_who_has_just_opened_the_table_is_shown_as_there(new_page: NewPage, url: str) -> None:
    """The page comes before its line does, and knows nobody who looks at it yet."""
    page = new_page()
    start(page, url)
    my_turn(page)
    page.reload()
    my_turn(page)
    expect(page.locator(".plate.us .dot.here")).to_have_count(1)


def test_other_matches_that_wait_leave_room_for_the_name_of_this_one(new_page: NewPage, url: str) -> None:
    page = new_page(viewport={"width": 360, "height": 640}, is_mobile=True, has_touch=True)
    for _ in range(2):
        start(page, url, title=SMALL)
        my_turn(page)
    start(page, url, title=WIDE)
    my_turn(page)
    others = page.locator("header.top .others")
    expect(others).to_be_visible(timeout=15_000)
    expect(others).to_have_attribute("aria-label", re.compile("2 matches are waiting for you"))
    assert others.inner_text() == "2"
    title = page.locator(".status b")
    assert title.evaluate("(el) => el.scrollWidth <= el.clientWidth + 1"), "no word is cut"
    header = page.locator("header.top").bounding_box()
    assert header is not None and header["height"] < 64


def test_a_dead_line_is_noticed_and_replaced(new_page: NewPage, url: str) -> None:
    """Nothing is heard and nothing is told: the server is asked, and does not answer."""
    page, dead = new_page(), [False]
    page.clock.install()

    def carry(line: WebSocketRoute) -> None:
        far = line.connect_to_server()
        line.on_message(lambda message: None if dead[0] else far.send(message))
        far.on_message(lambda message: None if dead[0] else line.send(message))

    page.route_web_socket("**/socket*", carry)
    start(page, url, SMALL)
    my_turn(page)
    page.clock.fast_forward(30_000)
    expect(page.locator(".lost")).to_be_hidden()
    dead[0] = True
    page.clock.fast_forward(11_000)

    def noticed() -> bool:  # an answer that was under way may have put it off
        page.clock.fast_forward(6_000)
        return page.locator(".lost").is_visible()

    until(noticed, "that the line is dead", 10)
    dead[0] = False
    page.clock.fast_forward(12_000)
    expect(page.locator(".lost")).to_be_hidden()
    play_by_clicking(page, random.Random(1), touches=1)


def test_the_log_follows_after_a_long_turn(new_page: NewPage, url: str) -> None:
    page = new_page()
    start(page, url, SMALL)
    my_turn(page)
    found = page.evaluate(
        """async () => {
          const { Side } = await import("/js/match/side.js");
          const side = new Side({ rows: new Map(), table: null }, { moment: () => 0, close: () => 0 });
          const pane = side.panes.log;
          Object.assign(side.el.style, { display: "block", height: "300px", overflow: "hidden" });
          Object.assign(pane.style, { height: "200px", overflow: "auto" });
          document.body.append(side.el);
          const frame = () => new Promise(requestAnimationFrame);
          const row = (n) => ({ n, who: 0, text: "", log: [`line ${n}`], stands: true });
          const far = () => pane.scrollHeight - pane.scrollTop - pane.clientHeight;
          for (let k = 0; k < 30; k++) {
            side.addRows(Array.from({ length: 9 }, (_, j) => row(9 * k + j)));
            if (k % 3) pane.dispatchEvent(new Event("scroll"));
            if (k % 2) await frame();
          }
          await frame(); await frame();
          const followed = far();
          pane.scrollTop -= 400;
          await frame(); await frame();
          side.addRows([row(999)]);
          await frame(); await frame();
          return [followed, far()];
        }"""
    )
    assert found[0] < 5, "it stays at the end while much is written at once"
    assert found[1] > 300, "who has scrolled up stays there"


def test_what_is_said_again_and_again_is_counted_in_log_and_bar(new_page: NewPage, url: str) -> None:
    page = new_page()
    start(page, url, SMALL)
    my_turn(page)
    found = page.evaluate(
        """async () => {
          const { Log } = await import("/js/match/log.js");
          const { counted } = await import("/js/match/bar.js");
          const log = new Log({ rows: new Map(), table: null }, { moment: () => 0 });
          const row = (n, who, line) => ({ n, who, text: "", log: [line], stands: true });
          log.fill([row(1, 0, "pays"), row(2, 0, "pays"), row(3, 0, "takes"), row(4, 0, "pays")]);
          log.append([row(5, 0, "pays"), row(6, 0, "pays"), row(7, 1, "pays")]);
          const lines = [...log.list.querySelectorAll(".line")].map((el) => el.textContent);
          return [lines, counted(["pays", "pays", "", "pays", "takes", "pays"])];
        }"""
    )
    assert found == [["pays × 2", "takes", "pays × 3", "pays"], ["pays (× 3)", "takes", "pays"]]


def test_bots_of_one_kind_are_told_apart(new_page: NewPage, url: str) -> None:
    page = new_page()
    bot = {"kind": "bot", "bot": "tiro"}
    make(page, url, SMALL, [ME, bot, bot])
    my_turn(page)
    expect(page.locator(".seatbox b").nth(1)).to_have_text("Recruit")
    expect(page.locator(".seatbox b").nth(2)).to_have_text("Recruit II")
    play_by_clicking(page, random.Random(3), touches=6)
    until(lambda: "Recruit II " in page.locator(".log").inner_text(), "what the second did", 5)
    assert "(bot)" not in page.inner_text("body")
    page.locator(".brand").click()
    expect(page.locator("#mine .names").first).to_contain_text("Recruit II ")


@pytest.mark.parametrize("lang", ["en", "fr", "it", "de"])
def test_what_is_chosen_is_said_in_words(new_page: NewPage, url: str, lang: str) -> None:
    """Options by what they mean; one day is one day, and half a minute more has the language's comma."""
    page = new_page(locale=lang)
    for title in map(ludus.title, ludus.title_names()):
        page.goto(f"{url}/new/{title.name}")
        page.locator("form").wait_for()
        for option in title.options:
            shown = page.locator(f"#option-{option.name} option").all_text_contents()
            said = {v: f"option.{option.name}.value.{v}" for v in option.values}
            assert shown == [
                title.words.say(lang, key) if isinstance(v, str) or title.words.has(key) else str(v)
                for v, key in said.items()
            ]
    clocks = page.locator("#clock option").all_text_contents()
    day = {"en": "1 day a move", "fr": "1 jour par coup", "it": "1 giorno a mossa", "de": "1 Tag je Zug"}
    assert day[lang] in clocks
    told = page.evaluate(
        """async () => {
          const { clockName } = await import("/js/match/house.js");
          return clockName({ kind: "move", seconds: 90, increment: 0 });
        }"""
    )
    assert ("1.5 " if lang == "en" else "1,5 ") in told
    client = words_on_screen(PLANNED, lang)
    assert not [key for key, text in client.items() if " …" in text and lang != "de"], (
        "as the language has it"
    )


def test_lists_keep_to_their_place(new_page: NewPage, url: str) -> None:
    """Long names and words on a small phone; open matches with their clock; mine before all titles."""
    page, guest = new_page(viewport=PHONE, locale="de"), new_page(viewport=PHONE, locale="de")
    name = f"Gaius Iulius Maximilianus {random.randrange(10**6)}"
    page.goto(url)
    page.locator(".title").first.wait_for()
    page.evaluate("async (name) => (await import('/js/api.js')).post('/api/me/name', { name })", name)
    make(page, url, LARGE, [ME, OPEN], public=True, clock=QUARTER)
    for title in (PLANNED, SMALL):  # in the small one I begin, and my clock runs
        make(page, url, title, [ME, {"kind": "bot", "bot": "tiro"}], clock=QUARTER)
    for one in (page, guest):
        one.goto(url)
        one.locator(".title").first.wait_for()
        expect(one.locator(".list:visible").first).to_be_visible()
        assert one.evaluate(OUTSIDE) == []
        assert one.evaluate("() => document.documentElement.scrollWidth") <= PHONE["width"]
        first = one.locator(".list:visible").first.bounding_box()
        titles = one.locator(".titles").bounding_box()
        assert first and titles and first["y"] < titles["y"]
    assert "noch 1" in page.locator("#mine").inner_text(), "the time that is left"
    assert "15 Minuten pro Spieler, +10 s je Zug" in guest.locator("#open").inner_text()
    assert name in guest.locator("#open").inner_text()
    guest.locator("#open a", has_text=name).click()  # who is about to sit down sees what was agreed
    expect(guest.locator(".agreed")).to_have_text("15 Minuten pro Spieler, +10 s je Zug")
    expect(guest.locator("section.bar")).to_be_hidden()


def is_at_rest(page: Page) -> None:
    assert page.evaluate(ENDLESS) == []
    page.evaluate("() => document.getAnimations().forEach((motion) => motion.finish())")
    until(lambda: page.evaluate(CHANGES) == 0, "rest", 6)


@pytest.mark.parametrize("title", ludus.title_names())
def test_a_table_that_waits_is_at_rest(new_page: NewPage, url: str, title: str) -> None:
    """In my turn, in the other's, and in a lesson that waits for a touch."""
    page, guest = new_page(reduced_motion="no-preference"), new_page(reduced_motion="no-preference")
    start(page, url, title)
    my_turn(page)
    is_at_rest(page)
    make(page, url, title, [ME, FRIEND])
    joined(page, guest)
    until(lambda: offered(page) or offered(guest), "somebody's turn")
    for one in (page, guest):
        is_at_rest(one)
    page.goto(f"{url}/learn/{title}")
    onward = page.locator(".onward")
    until(lambda: onward.count() or offered(page), "the first step")
    while onward.count():
        onward.click()
        page.wait_for_timeout(300)
    until(lambda: offered(page), "something to touch")
    is_at_rest(page)


# What is cut of the drawings of small titles on the first page, which are things and no landscapes.
CUT_PICTURES = """() => [...document.querySelectorAll(".title.marked")].filter((title) => {
  const window = title.querySelector(".picture").getBoundingClientRect();
  return [...title.querySelectorAll(".picture > :not(rect)")].some((el) => {
    const box = el.getBoundingClientRect();
    const across = box.left >= window.left && box.right <= window.right;
    return !across || box.top < window.top || box.bottom > window.bottom;
  });
}).map((title) => title.dataset.title)"""


@pytest.mark.parametrize("size", [(360, 640), (390, 844), (844, 390), (1440, 900)], ids=str)
def test_pictures_on_the_first_page_are_whole(new_page: NewPage, url: str, size: tuple[int, int]) -> None:
    page = new_page(viewport={"width": size[0], "height": size[1]})
    page.goto(url)
    page.locator(".title.marked .picture").last.wait_for()
    assert page.evaluate(CUT_PICTURES) == []
