"""What is said at the table of Conquest: peace that is given and broken, what pieces do, places in Latin."""

from __future__ import annotations

import re
from collections.abc import Callable

from playwright.sync_api import Page, expect

from browser.driving import until
from browser.titles.conquest.test_board import (
    BOT,
    LINK,
    begin,
    confirm,
    fight,
    guest_of,
    march,
    press_point,
    touch,
)

NewPage = Callable[..., Page]
WORDS = ".plate .word"


def test_a_peace_is_offered_countered_given_and_broken(new_page: NewPage, staged: str) -> None:
    host = begin(new_page(), staged, "battle", LINK)
    guest = guest_of(host, new_page)
    for page in (host, guest):
        page.locator("#tab-chat").click()
    host.locator("#pane-chat .peace").click()
    host.locator("form.deal .rounds").fill("5")
    host.locator("form.deal button").click()
    for page in (host, guest):
        expect(page.locator(".proposal")).to_contain_text("peace for 5 rounds")  # one object for both
    expect(host.locator(".proposal button")).to_have_text(["Take back"])
    guest.locator(".proposal button", has_text="Other terms").click()
    expect(guest.locator("form.deal .rounds")).to_have_value("5")
    guest.locator("form.deal .rounds").fill("2")
    guest.locator("form.deal button").click()
    expect(guest.locator(".lines .answers")).to_have_count(1)  # one's own can be taken back
    expect(host.locator(".proposal")).to_contain_text("peace for 2 rounds")
    assert host.locator(WORDS).count() == 0, "it is no word yet"
    host.locator(".proposal button", has_text="Agree").click()
    for page in (host, guest):
        expect(page.locator(".lines .peaceline").last).to_contain_text("peace in rounds 1 to 2")
        expect(page.locator(WORDS)).to_have_count(2)
    expect(guest.locator(".plate.s1 .word")).to_have_attribute("title", re.compile("until round 2"))
    guest.reload()
    expect(guest.locator(WORDS)).to_have_count(2)
    touch(host, "leader:general@syria")  # who is about to break a word is told so
    hint = host.locator(".bar .hint")

    def warned() -> bool:
        host.mouse.move(0, 0)  # a pointer that rests while the map is drawn anew is over nothing
        host.mouse.move(*press_point(host, "region:palaestina"))
        host.wait_for_timeout(500)  # the server is asked what would follow
        return bool(re.search(r"Peace with .+ until round 2", hint.inner_text()))

    until(warned, "the word that would be broken")
    expect(host.locator(".info")).to_contain_text("until round 2")
    host.keyboard.press("Escape")
    march(host, "leader:general@syria", "palaestina")
    assert host.locator(f"{WORDS}.broken").count() == 0, "nothing has happened that cannot be taken back"
    fight(host)
    confirm(guest), confirm(host)
    for page in (host, guest):
        expect(page.locator(".plate.s0 .word.broken")).to_have_attribute("title", re.compile("in round 1"))
        expect(page.locator(".plate.s1 .word")).to_have_count(0)


def test_captives_talents_and_peace_are_one_deal(new_page: NewPage, staged: str) -> None:
    host = begin(new_page(), staged, "ransom", LINK)
    guest = guest_of(host, new_page)
    touch(host, "button:ransom")
    form = host.locator("form.deal")
    expect(form.locator(".sum")).to_contain_text("a general of")
    form.locator(".talents").fill("20")
    form.locator(".talents").blur()
    expect(form.locator(".sum")).to_contain_text("20 talents")
    form.locator(".rounds").fill("3")
    form.locator("button").click()
    for page in (host, guest):
        tray = page.locator(".tray")
        expect(tray.locator("h3", has_text=" to ")).to_have_count(1)  # who offers whom, in words
        assert "→" not in tray.inner_text()
        expect(tray.locator(".bargain.s1")).to_contain_text("20 talents")
        expect(tray.locator(".bargain.peace")).to_contain_text("peace for 3 rounds")
        expect(page.locator(".proposal")).to_be_hidden()

    refuse = guest.locator('.bar .buttons [data-touch="button:refuse"]')
    expect(refuse).to_have_class("secondary")  # saying no is never the big red button
    touch(guest, "button:counter")
    counter = guest.locator("form.deal")
    expect(counter.locator(".rounds")).to_have_value("3")
    expect(counter.locator(".talents")).to_have_value("20")  # one begins with what was offered
    counter.locator(".talents").fill("0")
    counter.locator(".talents").blur()
    counter.locator(".rounds").fill("1")
    counter.locator(".back").select_option(index=1)
    expect(counter.locator(".sum p.s1")).to_contain_text("a general of")
    counter.locator("button").click()
    expect(host.locator(".tray .bargain.peace")).to_contain_text("peace for 1 round")
    touch(host, "button:accept")
    for page in (host, guest):
        expect(page.locator(WORDS)).to_have_count(2)
        expect(page.locator(".plate.s1 .captive")).to_have_count(1)

    touch(host, "button:ransom")
    form.locator(".rounds").fill("4")
    form.locator("button").click()
    touch(guest, "button:refuse")
    expect(host.locator(".toast")).to_contain_text("refuses the peace")
    expect(host.locator(WORDS)).to_have_count(2)


# What sticks out of the dialogue at its right.
OUTSIDE = """() => {
  const dialog = document.querySelector("dialog").getBoundingClientRect();
  return [...document.querySelectorAll("dialog select, dialog input, dialog button, dialog p")]
    .filter((el) => el.getBoundingClientRect().right > dialog.right - 4).map((el) => el.className);
}"""


def test_a_deal_fits_on_a_phone(new_page: NewPage, staged: str) -> None:
    page = new_page(viewport={"width": 360, "height": 640}, is_mobile=True, has_touch=True)
    begin(page, staged, "ransom", BOT)
    touch(page, "button:ransom", tap=True)
    expect(page.locator("form.deal .sum")).to_contain_text("a general of")
    assert page.evaluate(OUTSIDE) == []


def test_a_bot_says_yes_or_no_and_why(new_page: NewPage, staged: str) -> None:
    host = begin(new_page(), staged, "battle", BOT)
    host.locator("#tab-chat").click()
    host.locator("#pane-chat .peace").click()
    host.locator("form.deal .rounds").fill("9")
    host.locator("form.deal button").click()
    expect(host.locator(".lines .peaceline").last).to_contain_text("refuses the peace")
    expect(host.locator(".lines .peaceline").last).to_contain_text("“That is too long for me.”")
    expect(host.locator(".proposal")).to_be_hidden()


def test_a_private_word_is_answered_privately_and_a_used_invitation_says_so(
    new_page: NewPage, staged: str
) -> None:
    host = begin(new_page(), staged, "ransom", LINK)
    link = host.locator(".linkbox .link").input_value()
    guest = guest_of(host, new_page)
    late = new_page(allow=("409", "403"))
    late.goto(link)
    expect(late.locator(".toast")).to_contain_text("you are watching")
    guest.locator("#tab-chat").click()
    guest.evaluate("() => document.querySelector('form.say .to').removeAttribute('hidden')")  # as with three
    host.locator("#tab-chat").click()
    host.evaluate("() => document.querySelector('form.say .to').removeAttribute('hidden')")
    host.locator("form.say .to").select_option("1")
    host.locator("form.say input").fill("Between us")
    host.locator("form.say input").press("Enter")
    expect(guest.locator(".lines .in-pair")).to_contain_text("Between us")
    expect(guest.locator("form.say .to")).to_have_value("0")


def test_pieces_say_what_they_do_and_places_go_by_their_latin_names(new_page: NewPage, staged: str) -> None:
    page = begin(new_page(locale="de"), staged, "purchase", BOT)
    names = page.locator("svg.sheet .names")
    expect(names).to_contain_text("Makedonien")
    page.locator('.wareitem[data-info="goods:cavalry"]').hover()
    expect(page.locator(".info")).to_contain_text("Zwei Schritte je Zug")
    page.locator("button.settings").click()
    page.locator('dialog label:has(input[name="places"][value="latin"])').click()  # the sheet closes by it
    expect(names).to_contain_text("Macedonia")
    expect(names).not_to_contain_text("Makedonien")
    assert "Makedonien" not in page.locator("main").inner_text()
