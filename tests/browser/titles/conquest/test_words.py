"""What is said at the table of Conquest: peace that is given and broken, what pieces do, places in Latin."""

from __future__ import annotations

import re
from collections.abc import Callable

from playwright.sync_api import Page, expect

from browser.titles.conquest.test_board import BOT, LINK, begin, confirm, fight, guest_of, march

NewPage = Callable[..., Page]
WORDS = ".plate .word"


def test_a_peace_is_offered_countered_given_and_broken(new_page: NewPage, staged: str) -> None:
    host = begin(new_page(), staged, "battle", LINK)
    guest = guest_of(host, new_page)
    for page in (host, guest):
        page.locator("#tab-chat").click()
    host.locator("#pane-chat .peace").click()
    host.locator(".offerpeace input").fill("5")
    host.locator(".offerpeace button").click()
    expect(guest.locator(".toast")).to_contain_text("peace for 5 rounds")
    guest.locator(".lines .answers button", has_text="Other terms").click()
    guest.locator(".offerpeace input").fill("2")
    guest.locator(".offerpeace button").click()
    expect(guest.locator(".lines .answers")).to_have_count(0)
    expect(host.locator(".toast")).to_contain_text("peace for 2 rounds")
    assert host.locator(WORDS).count() == 0, "it is no word yet"
    host.locator(".toast button", has_text="Agree").click()
    for page in (host, guest):
        expect(page.locator(".lines .peaceline").last).to_contain_text("peace in rounds 1 to 2")
        expect(page.locator(WORDS)).to_have_count(2)
    expect(guest.locator(".plate.s1 .word")).to_have_attribute("title", re.compile("until round 2"))
    guest.reload()
    expect(guest.locator(WORDS)).to_have_count(2)
    march(host, "leader:general@syria", "palaestina")
    assert host.locator(f"{WORDS}.broken").count() == 0, "nothing has happened that cannot be taken back"
    fight(host)
    confirm(guest), confirm(host)
    for page in (host, guest):
        expect(page.locator(".plate.s0 .word.broken")).to_have_attribute("title", re.compile("in round 1"))
        expect(page.locator(".plate.s1 .word")).to_have_count(0)


def test_pieces_say_what_they_do_and_places_go_by_their_latin_names(new_page: NewPage, staged: str) -> None:
    page = begin(new_page(locale="de"), staged, "purchase", BOT)
    names = page.locator("svg.sheet .names")
    expect(names).to_contain_text("Makedonien")
    page.locator('.wareitem[data-info="goods:cavalry"]').hover()
    expect(page.locator(".info")).to_contain_text("Zwei Schritte je Zug")
    page.locator("button.settings").click()
    page.locator('dialog input[name="places"][value="latin"]').check(force=True)
    expect(names).to_contain_text("Macedonia")
    expect(names).not_to_contain_text("Makedonien")
    assert "Makedonien" not in page.locator("main").inner_text()
