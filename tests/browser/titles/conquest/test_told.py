"""What the other did, on Conquest's map: warnings before, arrows while it is told, marks after it."""

from __future__ import annotations

from collections.abc import Callable

from playwright.sync_api import Page, expect

from browser.driving import entry, my_turn, offered, until
from browser.titles.conquest.test_board import LINK, MARKED, begin, guest_of, march, press_point, touch

NewPage = Callable[..., Page]


def test_the_other_marches_before_my_eyes(new_page: NewPage, staged: str) -> None:
    host = new_page(reduced_motion="no-preference")
    begin(host, staged, "open", LINK)
    guest = guest_of(host, new_page)
    my_turn(host)
    before = entry(host)
    touch(host, "button:end")
    warning = host.locator(".toast")
    expect(warning).to_contain_text("Your emperor stands in Egypt without a guard")
    assert entry(host) == before and "button:end" in offered(host), "nothing was played yet"
    warning.locator("button", has_text="End anyway").click()

    march(guest, "leader:general@palaestina", "arabia")
    arrow = host.locator(".arrow.s1[data-from=palaestina][data-to=arabia]")
    expect(arrow).to_have_count(1)
    expect(host.locator("#prompt")).to_contain_text("marches to Arabia")
    expect(host.locator(".pace")).to_be_visible()
    assert not offered(host) and host.evaluate(MARKED, "fresh") == []
    assert "takes Arabia" not in host.locator(".digest").inner_text()
    touch(guest, "button:end")
    until(lambda: not guest.locator(".bar.yours").count(), "my turn")
    if not offered(host):
        host.mouse.click(*press_point(host, "region:aegyptus"))
    until(lambda: offered(host), "my turn at a touch", 3)
    expect(host.locator(".pace")).to_be_hidden()
    assert {"arabia", "palaestina"} <= set(host.evaluate(MARKED, "fresh"))
    expect(arrow).to_have_count(1)
    expect(host.locator(".digest")).to_contain_text("takes Arabia")
    expect(host.locator(".bar .hint.news")).to_contain_text("takes Arabia")
    turns = host.locator(".log .round .turn > details > summary")
    expect(turns.last).to_contain_text("Round 1:")
    turns.last.click()
    assert host.locator(".log .turn").last.locator(".line").first.is_hidden(), "a turn folds"
    touch(host, "leader:general@syria")
    assert host.evaluate(MARKED, "fresh") == [], "until the next touch"
    expect(arrow).to_have_count(0)
    expect(host.locator(".hint.news")).to_have_count(0)
