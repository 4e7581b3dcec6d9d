"""Rated matches in the browser: who may make one, what is shown at the table, and what it did."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

from playwright.sync_api import Page, expect

from browser.driving import offered, until
from samples import SMALL

NewPage = Callable[..., Page]
PASSWORD = "carpe diem quam"
_ASK = """async ([method, path, body]) => {
  const headers = body ? { "content-type": "application/json" } : {};
  const answer = await fetch(path, { method, headers, body: body ? JSON.stringify(body) : undefined });
  return answer.json();
}"""


# Whether what says how strong somebody is can be read whole in the header.
_STRENGTHS = """() => {
  const bar = document.querySelector("header .status").getBoundingClientRect();
  const inside = (el) => {
    const { left, right, top, bottom } = el.getBoundingClientRect();
    const across = left >= bar.left && right <= bar.right + 1;
    return across && top >= bar.top - 1 && bottom <= bar.bottom + 1 && el.scrollWidth <= el.clientWidth + 1;
  };
  const aloud = (el) => getComputedStyle(el.parentElement).position === "absolute"; // read, not seen
  const seen = (el) => el.getClientRects().length && !aloud(el);
  return [...document.querySelectorAll(".status .howstrong, .status .strengths")].filter(seen).map(inside);
}"""


def ask(page: Page, method: str, path: str, body: dict[str, Any] | None = None) -> Any:
    return page.evaluate(_ASK, [method, path, body])


def holder(new_page: NewPage, url: str, name: str, **wishes: Any) -> Page:
    """The page of somebody with an account."""
    page = new_page(**wishes)
    page.goto(url)
    page.locator("article.title").first.wait_for()
    called = f"{name} {random.randrange(10**8)}"
    assert ask(page, "POST", "/api/account", {"name": called, "password": PASSWORD})["name"] == called
    page.reload()
    return page


def command(page: Page, match_id: str, **body: Any) -> None:
    client = f"c{random.randrange(10**9)}"
    assert ask(page, "POST", f"/api/matches/{match_id}/commands", {"client": client, **body})["ok"]


def test_a_rated_match_from_the_set_up_to_the_curve(new_page: NewPage, url: str) -> None:
    anna = holder(new_page, url, "Annia")
    bruno = holder(new_page, url, "Bartholomaeus", viewport={"width": 390, "height": 844})
    anna.goto(f"{url}/new/{SMALL}")
    anna.locator("#hints").check()
    anna.locator("#rated").check()
    assert anna.locator("#hints").is_disabled() and not anna.locator("#hints").is_checked()
    assert anna.locator("#clock").input_value() == "1", "a rated match needs a clock"
    seats = anna.locator(".chairs select")
    expect(seats).to_have_count(2)
    assert seats.nth(1).locator("option").all_text_contents() == ["A friend, by link", "Open to anyone"]
    seats.nth(1).select_option("open")
    expect(anna.locator(".uneven")).to_contain_text("Lots decide")
    anna.locator("#public").check()
    anna.locator("form button[type=submit]").click()
    anna.wait_for_url("**/m/*")
    match_id = anna.url.rpartition("/")[2]
    expect(anna.locator(".waiting .chairs")).to_contain_text("1200 ± 350")
    expect(anna.locator(".waiting .ratedline")).to_contain_text("Both think alone")
    bruno.goto(url)
    row = bruno.locator(f'#open a[href="/m/{match_id}"]')
    expect(row).to_contain_text("Rated")
    expect(row.locator(".howstrong")).to_have_text("strength (1200 ± 350)")  # no digits of the name
    row.click()
    bruno.locator(".waiting .big").click()
    for page in (anna, bruno):
        expect(page.locator(".waiting")).to_have_count(0)
        expect(page.locator(".status")).to_contain_text("1200 ± 350")
    expect(bruno.locator(".status .strengths")).to_be_visible()
    assert bruno.evaluate("() => document.documentElement.scrollWidth") <= 390
    for width, height in ((844, 390), (640, 360), (360, 640), (1024, 768)):
        bruno.set_viewport_size({"width": width, "height": height})
        shown = bruno.evaluate(_STRENGTHS)
        assert shown and all(shown), (width, shown)
    now = {page: ask(page, "GET", f"/api/matches/{match_id}") for page in (anna, bruno)}
    mover, state = next((page, told) for page, told in now.items() if told["legal"])
    command(mover, match_id, expect=state["entry"], actions=[state["legal"][0]["action"]])
    command(bruno, match_id, do="resign")
    for page, change in ((anna, "1200 → 1362 (+162)"), (bruno, "1200 → 1038 (−162)")):
        expect(page.locator("dialog .places")).to_contain_text(change)
    anna.goto(f"{url}/mine")
    known = anna.locator(f'.strength [data-title="{SMALL}"]')
    expect(known).to_contain_text("1362 ±")
    expect(known).to_contain_text("1 rated match")
    expect(known.locator("svg.strengthcurve polyline")).to_have_count(1)
    known.locator("summary").click()
    anna.set_viewport_size({"width": 360, "height": 640})
    assert anna.evaluate("() => document.documentElement.scrollWidth") <= 360, "whatever somebody is called"
    expect(known.locator("table a")).to_have_attribute("href", f"/m/{match_id}")
    anna.goto(url)
    expect(anna.locator(f'#finished a[href="/m/{match_id}"]')).to_contain_text("Rated +162")


CLOCK = {"kind": "match", "seconds": 600, "increment": 5}
SEATS = [{"kind": "me"}, {"kind": "link"}]
INVITED: dict[str, Any] = {"title": SMALL, "seats": SEATS, "clock": CLOCK, "rated": True}


def invitation(page: Page, url: str, **wish: Any) -> tuple[str, str]:
    """A match with a seat for whoever has the link; its id and the link."""
    made = ask(page, "POST", "/api/matches", {**INVITED, **wish})
    match_id = made["table"]["id"]
    return match_id, f"{url}/m/{match_id}#invite={made['invites']['1']}"


def test_an_invitation_to_a_rated_match_asks_before_it_seats(new_page: NewPage, url: str) -> None:
    """The clock would run, and it counts: who, what, by which clock and what that means is said first."""
    anna, bruno = holder(new_page, url, "Annia"), holder(new_page, url, "Brutus")
    match_id, link = invitation(anna, url, options={"rounds": 20})
    bruno.goto(link)
    room = bruno.locator(".waiting")
    for told in ("Annia", "invites you to a rated match", "1200 ± 350", "10 minutes", "20", "Lots decide"):
        expect(room).to_contain_text(told)
    assert ask(anna, "GET", f"/api/matches/{match_id}")["table"]["state"] == "waiting"
    room.locator(".look").click()
    expect(room).to_contain_text("when every seat is taken")
    expect(room.locator(".sit, .look")).to_have_count(0)
    assert ask(anna, "GET", f"/api/matches/{match_id}")["table"]["state"] == "waiting"
    bruno.goto(link)
    bruno.reload()
    room.locator(".sit").click()
    expect(room).to_have_count(0)
    assert "invite" not in bruno.url
    assert ask(bruno, "GET", f"/api/matches/{match_id}")["yours"] != []
    late = new_page()
    late.goto(link)
    expect(late.locator(".toast")).to_contain_text("already been used")


def test_an_invitation_that_is_not_good_says_so_when_one_sits_down(new_page: NewPage, url: str) -> None:
    anna, bruno = holder(new_page, url, "Annia"), holder(new_page, url, "Brutus", allow=("status of 403",))
    match_id, _ = invitation(anna, url)
    bruno.goto(f"{url}/m/{match_id}#invite=somethingelse")
    bruno.locator(".waiting .sit").click()
    expect(bruno.locator(".waiting")).to_contain_text("no longer valid")
    expect(bruno.locator(".waiting .sit")).to_have_count(0)


def test_an_invitation_that_is_not_rated_is_one_touch(new_page: NewPage, url: str) -> None:
    anna, guest = holder(new_page, url, "Annia"), new_page()
    _, link = invitation(anna, url, rated=False)
    guest.goto(link)
    expect(guest.locator(".status")).to_contain_text("Annia")
    expect(guest.locator(".waiting")).to_have_count(0)
    assert "invite" not in guest.url


def test_a_guest_is_told_what_a_rated_match_needs_where_it_is_made_and_where_one_sits_down(
    new_page: NewPage, url: str
) -> None:
    anna, guest = holder(new_page, url, "Annia"), new_page()  # and nothing is asked that would be refused
    _, link = invitation(anna, url)
    guest.goto(f"{url}/new/{SMALL}")
    expect(guest.locator(".needsaccount")).to_contain_text("need an account")
    assert guest.locator("#rated").is_disabled()
    guest.goto(link)
    expect(guest.locator(".waiting .needsaccount")).to_be_visible()
    expect(guest.locator(".waiting")).to_contain_text("Your invitation stays good")
    expect(guest.locator(".waiting .sit")).to_be_hidden()
    guest.locator(".needsaccount button").click()
    guest.locator("details.create summary").click()
    guest.locator("details.create input").first.fill(f"Gaia {random.randrange(10**8)}")
    guest.locator("details.create input").last.fill(PASSWORD)
    guest.locator("details.create button").click()
    guest.locator(".waiting .sit").click()  # the invitation is still good, and one is asked
    expect(guest.locator(".waiting")).to_have_count(0)
    expect(guest.locator(".status .howstrong")).to_have_text(["strength (1200 ± 350)"] * 2)
    guest.locator("button[aria-label='Menu']").click()
    menu = guest.locator("dialog")
    expect(menu).to_contain_text("Both think alone")
    expect(menu.locator(".item", has_text="Change this position")).to_have_count(0)
    expect(menu.locator(".item", has_text="Match file")).to_have_count(0)
    expect(menu.locator(".item", has_text="Resign")).to_be_visible()
    menu.locator(".item", has_text="Leave the table").click()
    asked = guest.locator("dialog").last
    expect(asked).to_contain_text("your clock runs on")
    expect(asked).not_to_contain_text("bot")  # nobody takes a seat in it


def begun(one: Page, other: Page, **wish: Any) -> tuple[str, Page, Page]:
    """A rated match of two that has begun: its id, who is to move, and the other."""
    match_id = ask(one, "POST", "/api/matches", {**INVITED, "seats": OPEN, **wish})["table"]["id"]
    ask(other, "POST", f"/api/matches/{match_id}/join", {})
    first = ask(one, "GET", f"/api/matches/{match_id}")["legal"]
    return (match_id, one, other) if first else (match_id, other, one)


OPEN = [{"kind": "me"}, {"kind": "open"}]


def test_who_has_left_finds_the_way_back_and_the_other_is_told(new_page: NewPage, url: str) -> None:
    anna, bruno = holder(new_page, url, "Annia"), holder(new_page, url, "Brutus")
    match_id, mover, other = begun(anna, bruno, public=True)
    for page in (mover, other):
        page.goto(f"{url}/m/{match_id}")
    mover.locator("button[aria-label='Menu']").click()
    mover.locator("dialog .item", has_text="Leave the table").click()
    mover.locator("dialog .sure").click()
    expect(mover.locator(".bar .prompt")).to_contain_text("your clock runs")
    expect(other.locator(".bar .prompt")).to_contain_text(
        "has left the table and loses when the time runs out"
    )
    mover.goto(url)
    row = mover.locator(f'#mine a[href="/m/{match_id}"]')
    expect(row).to_contain_text("Come back: your clock runs")
    expect(mover.locator(f'#live a[href="/m/{match_id}"]')).to_have_count(0)
    row.click()
    mover.locator(".bar .comeback").click()
    until(lambda: offered(mover), "my turn", 10)
    expect(mover.locator(".bar .comeback")).to_have_count(0)


def test_a_seat_is_offered_to_whom_it_is_given_alone(new_page: NewPage, url: str) -> None:
    anna, bruno = holder(new_page, url, "Annia"), holder(new_page, url, "Brutus")
    stranger = holder(new_page, url, "Casca", allow=("status of 403",))
    match_id, mover, _ = begun(anna, bruno)
    stranger.goto(f"{url}/m/{match_id}")
    stranger.locator(".board .table, .board svg, .board [class]").first.wait_for()
    command(mover, match_id, do="leave")
    expect(stranger.locator(".bar .prompt")).to_contain_text("has left")
    stranger.locator("button[aria-label='Menu']").click()
    expect(stranger.locator("dialog .item", has_text="Settings")).to_be_visible()
    expect(stranger.locator("dialog .item", has_text="seat")).to_have_count(0)
    expect(stranger.locator("dialog .item", has_text="Come back")).to_have_count(0)


def test_a_match_that_ended_before_the_first_move_did_not_count_and_says_so(
    new_page: NewPage, url: str
) -> None:
    anna, bruno = holder(new_page, url, "Annia"), holder(new_page, url, "Brutus")
    match_id, mover, other = begun(anna, bruno)
    command(mover, match_id, do="resign")
    for page in (mover, other):
        page.goto(url)
        row = page.locator(f'#finished a[href="/m/{match_id}"]')
        expect(row.locator(".facts")).to_have_text("Rated: did not count")
        expect(row.locator("em")).to_have_text("Finished")  # neither won nor lost


def test_what_the_house_refuses_in_the_menu_is_said(new_page: NewPage, url: str) -> None:
    anna, bruno = holder(new_page, url, "Annia"), holder(new_page, url, "Brutus")
    match_id, mover, other = begun(anna, bruno)
    command(other, match_id, do="leave")
    mover.goto(f"{url}/m/{match_id}")
    mover.locator("button[aria-label='Menu']").click()
    mover.locator("dialog .item", has_text="draw").click()
    expect(mover.locator(".toast")).to_contain_text("nobody sits at seat")


def test_who_comes_back_to_a_seat_moves_at_once(new_page: NewPage, url: str) -> None:
    """The clock runs: nobody should have to load the page again first."""
    anna, bruno = holder(new_page, url, "Annia"), holder(new_page, url, "Brutus")
    clock = {"kind": "move", "seconds": 86400}
    wish = {"title": SMALL, "seats": [{"kind": "me"}, {"kind": "open"}], "clock": clock, "rated": True}
    match_id = ask(anna, "POST", "/api/matches", wish)["table"]["id"]
    ask(bruno, "POST", f"/api/matches/{match_id}/join", {})
    mover = next(p for p in (anna, bruno) if ask(p, "GET", f"/api/matches/{match_id}")["legal"])
    command(mover, match_id, do="leave")
    mover.goto(f"{url}/m/{match_id}")
    mover.locator("button[aria-label='Menu']").click()
    mover.locator("dialog .item", has_text="Come back").click()
    until(lambda: offered(mover), "my turn", 10)
