"""Conquest's table on every screen: what is asked first, what is told, and what stays in its place."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from browser.driving import entry, my_turn, offered, until
from browser.titles.conquest.test_board import (
    BOT,
    LINK,
    begin,
    guest_of,
    march,
    offer_deal,
    press_point,
    touch,
)

NewPage = Callable[..., Page]
SMALL = ((360, 640), (390, 844), (844, 390))

# Plaques that lie on the numbers of other armies, and names of places that are covered by more than a third.
COVERED = """() => {
  const box = (el) => el.getBoundingClientRect();
  const part = (a, b) => {
    const w = Math.min(a.right, b.right) - Math.max(a.left, b.left);
    const h = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
    return w > 0 && h > 0 ? (w * h) / (b.width * b.height) : 0;
  };
  const armies = [...document.querySelectorAll(".army")], bad = [];
  for (const army of armies) {
    const plaque = army.querySelector(".plaque");
    if (!plaque) continue;
    for (const other of armies) for (const count of other.querySelectorAll(".count"))
      if (other === army ? part(box(plaque), box(count)) < 0.97 : part(box(plaque), box(count)) > 0.05)
        bad.push(`${army.dataset.info} on the number ${count.textContent} of ${other.dataset.info}`);
    for (const name of document.querySelectorAll("text.name:not(.sea)"))
      if (part(box(plaque), box(name)) > 0.34) bad.push(`${army.dataset.info} on ${name.textContent}`);
  }
  return bad;
}"""
FRAME = """() => {
  const { left, top, width, height } = document.querySelector(".mapframe").getBoundingClientRect();
  return [left, top, width, height].map(Math.round).join(" ");
}"""
# How much of the window of the map lies below the sheet.
BELOW = """() => {
  const at = (one) => document.querySelector(one).getBoundingClientRect().bottom;
  return Math.max(0, Math.round(at(".mapframe") - at(".leaf")));
}"""
PICK_AND_LEAVE = """() => {
  const leader = document.querySelector("[data-touch='leader:general@syria'].lit");
  leader.focus();
  for (const key of ["Enter", "Escape"])
    leader.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true }));
}"""
LEAVES = "() => [...document.querySelectorAll('.place.leaves')].map((el) => el.dataset.touch)"
ZOOM = "() => Number(document.querySelector('.mapsheet').style.getPropertyValue('--zoom') || 1)"
INSIDE = """(selector) => {
  const el = document.querySelector(selector), box = el.getBoundingClientRect();
  const top = document.elementFromPoint(box.left + box.width / 2, box.top + box.height / 2);
  const inside = box.right <= innerWidth && box.bottom <= innerHeight;
  return box.left >= 0 && box.top >= 0 && inside && el.contains(top);
}"""

# Leaders that are smaller than a finger needs, and words on the map that are too small to be read.
TINY = """() => {
  const size = (el) => el.getBoundingClientRect();
  const leaders = [...document.querySelectorAll("[data-touch^='leader:'].lit")];
  const small = leaders.filter((el) => Math.min(size(el).width, size(el).height) < 24);
  const sheet = document.querySelector("svg.sheet");
  const words = [...sheet.querySelectorAll("text.name")].filter(
    (el) => parseFloat(getComputedStyle(el).fontSize) * sheet.getScreenCTM().a < 9);
  return [leaders.length, ...small.map((el) => `${el.dataset.touch} ${size(el).width}`),
    ...words.map((el) => el.textContent)];
}"""


def phone(new_page: NewPage, width: int = 360, height: int = 640) -> Page:
    return new_page(viewport={"width": width, "height": height}, is_mobile=True, has_touch=True)


def seldom(page: Page, kind: str) -> None:
    page.locator(".rare > button").click()
    touch(page, f"button:{kind}")


def test_a_city_is_razed_only_when_asked_for_and_meant(new_page: NewPage, staged: str) -> None:
    """One touch on one's home does nothing of the kind; the menu asks first, and what it says is true."""
    page = begin(new_page(), staged, "razing", BOT)
    assert "region:aegyptus" not in my_turn(page)
    before = entry(page)
    page.mouse.click(*press_point(page, "region:aegyptus"))
    for sure in (False, True):
        seldom(page, "raze")
        touch(page, "region:aegyptus")
        expect(page.locator("dialog")).to_contain_text("This is your home.")
        page.locator(f"dialog .{'yes' if sure else 'no'}").click()
        expect(page.locator("dialog")).to_have_count(0)
        if not sure:
            assert entry(page) == before
    expect(page.locator(".log")).to_contain_text("razes the city in Egypt")
    seldom(page, "acclaim")
    expect(page.locator("dialog")).to_contain_text("If even one objects, your turn is over.")
    page.locator("dialog .no").click()


def test_talents_are_given_away_in_a_menu_and_only_when_meant(new_page: NewPage, staged: str) -> None:
    """By no button beside others; how much goes to whom is asked about before it is gone."""
    page = begin(new_page(), staged, "gifts", BOT)
    assert not any("gift" in touch for touch in my_turn(page)), "not before the menu is open"
    before = entry(page)
    seldom(page, "gift")
    until(lambda: [one for one in offered(page) if one.startswith(("partner:", "go"))], "whom, or how much")
    if "partner:1" in offered(page):
        touch(page, "partner:1")
    for sure in (False, True):
        began = entry(page)
        page.get_by_role("button", name="more").click()
        touch(page, "go")
        expect(page.locator("dialog")).to_contain_text("10 talents and get nothing in return.")
        expect(page.locator("dialog .yes")).to_have_text(re.compile("^Give 10 talents to "))
        page.locator(f"dialog .{'yes' if sure else 'no'}").click()
        expect(page.locator("dialog")).to_have_count(0)
        if not sure:
            assert entry(page) == began
    until(lambda: entry(page) > before + 1, "the gift")
    expect(page.locator(".log")).to_contain_text("names 10 talents")


def test_while_marching_a_target_tells_its_odds(new_page: NewPage, staged: str) -> None:
    """On the map, beside the pointer and in the bar; where nobody can come is said of one's own only."""
    page = begin(new_page(), staged, "battle", BOT)
    touch(page, "leader:general@syria")
    expect(page.locator(".chance")).to_have_text(["1 %"])
    page.mouse.move(*press_point(page, "region:palaestina"))
    info = page.locator(".info")
    expect(info).to_contain_text("Attack in Palaestina: wins")
    expect(info).not_to_contain_text("Nobody can attack")
    expect(page.locator(".hint")).to_contain_text("March to Palaestina – Attack in Palaestina: wins")
    page.mouse.move(*press_point(page, "region:armenia"))
    expect(info).to_contain_text("Armenia")
    expect(info).not_to_contain_text("Nobody can attack")
    page.locator(".tray [aria-label='cavalry: more']").click()
    expect(page.locator(".many[title=cavalry] b")).to_have_text("2/4")
    back = page.locator(".bar .cancel").bounding_box()
    page.locator(".bar .cancel").click()
    assert "leader:general@syria" in offered(page) and entry(page) == 0, "nothing was played yet"
    end = page.locator(".bar .buttons [data-touch='button:end']").bounding_box()
    assert back and end and back["x"] + back["width"] < end["x"], "who goes back twice does not end the turn"


def test_a_march_that_leaves_units_behind_says_so(new_page: NewPage, staged: str) -> None:
    """Infantry goes one step, its general two: what lies beyond is dotted, and the hint names who stays."""
    page = begin(new_page(), staged, "open", BOT)
    touch(page, next(t for t in my_turn(page) if t.startswith("leader:general@")))
    beyond = until(lambda: page.evaluate(LEAVES), "places where not everybody gets")
    assert set(beyond) < {t for t in offered(page) if t.startswith("region:")}
    expect(page.locator(".tray .dotted")).to_be_visible()
    page.mouse.move(*press_point(page, beyond[0]))
    expect(page.locator(".bar .hint")).to_contain_text(re.compile(r"leaves \d+ infantry behind in "))


def test_who_goes_back_before_the_answer_has_come_is_back(new_page: NewPage, staged: str) -> None:
    """Where a leader could go is asked for: Escape meanwhile is not lost."""
    page = begin(new_page(), staged, "battle", BOT)
    until(lambda: "leader:general@syria" in offered(page), "a general")
    page.evaluate(PICK_AND_LEAVE)
    page.wait_for_timeout(1000)
    assert "leader:general@syria" in offered(page) and "button:stepwise" not in offered(page)


def test_people_and_places_are_called_by_their_names(new_page: NewPage, staged: str) -> None:
    """Whom one attacks at sea; and a place is called the same on the map, in texts and in the log."""
    page = begin(new_page(locale="de-DE"), staged, "hosts", BOT, BOT)
    names = page.locator("text.name")
    expect(names.filter(has_text="Sizilien")).to_have_count(1)
    assert names.filter(has_text="Sicilia").count() == 0
    march(page, "leader:general@thracia", "dacia")
    expect(page.locator(".log")).to_contain_text("zieht nach Mösien")
    touch(page, "button:end_move", "region:mare_aegaeum")
    foes = page.locator(".bar .buttons [data-touch^=foe]")
    expect(foes).to_have_count(2)
    expect(foes.first).to_contain_text("in der Ägäis angreifen")
    assert "Glück" not in page.locator(".bar").inner_text()


def test_terms_are_named_as_they_will_be(new_page: NewPage, staged: str) -> None:
    """The number and the sum of the offer say the same talents, in fives, before anything is offered."""
    page = begin(new_page(), staged, "ransom", BOT)
    touch(page, "button:ransom")
    form = page.locator("form.deal")
    expect(form).to_contain_text("Recruit")
    assert "Fortuna" not in page.locator("body").inner_text(), "whoever it is has a name"
    form.locator(".talents").fill("15")
    form.locator(".talents").blur()
    expect(form.locator(".talents")).to_have_value("15")
    expect(form.locator(".sum")).to_contain_text("15 talents")
    expect(page.locator(".tray .bargain.s1")).to_have_count(0)


def test_hosts_can_be_read(new_page: NewPage, staged: str) -> None:
    """Two digits fit their plaque; no army lies on another's numbers nor on the name of a place."""
    for scene, others in (("hosts", 2), ("crowded", 1)):
        page = begin(new_page(viewport={"width": 1440, "height": 900}), staged, scene, *[BOT] * others)
        my_turn(page)
        assert page.evaluate(COVERED) == []


# How heavy letters are and how far their colour is from what they stand on: of land, of the sea, of a number.
LOUD = """() => {
  const tone = (text) => text.match(/[\\d.]+/g).slice(0, 3).map(Number);
  const bright = (text) => tone(text).reduce((sum, v, k) => sum + v * [0.3, 0.6, 0.1][k], 0);
  const of = (selector) => {
    const style = getComputedStyle(document.querySelector(selector));
    return [Number(style.fontWeight), Math.abs(bright(style.fill) - bright(style.stroke))];
  };
  return [of("text.name:not(.sea)"), of("text.name.sea")];
}"""


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_names_of_seas_are_quieter_than_those_of_lands(new_page: NewPage, staged: str, scheme: str) -> None:
    page = begin(new_page(color_scheme=scheme), staged, "battle", BOT)
    land, sea = page.evaluate(LOUD)
    assert sea[0] < land[0] and sea[1] < land[1]


@pytest.mark.parametrize(("width", "height"), SMALL)
def test_nothing_moves_under_the_finger(new_page: NewPage, staged: str, width: int, height: int) -> None:
    """The map keeps its place while one touches; all that is pressed lies on the screen, large enough."""
    page = begin(phone(new_page, width, height), staged, "battle", BOT)
    my_turn(page)
    frame = page.evaluate(FRAME)
    touch(page, "leader:general@syria", tap=True)
    steps = page.locator(".tray .step").all()
    assert all(min(box["width"], box["height"]) >= 40 for step in steps if (box := step.bounding_box()))
    assert page.evaluate(FRAME) == frame
    touch(page, "region:palaestina", tap=True)
    march(page, "leader:general@syria", "palaestina", tap=True)
    assert page.evaluate(FRAME) == frame
    touch(page, "button:end_move", tap=True)
    button = page.locator(".battle footer .primary")
    until(button.is_visible, "the other side's line")
    assert page.evaluate(INSIDE, ".battle footer .primary")
    assert page.evaluate(FRAME) == frame
    button.tap()
    until(lambda: page.locator(".cast").count(), "the dice")


def test_below_the_map_is_nothing_empty_until_the_tray_needs_it(new_page: NewPage, staged: str) -> None:
    """A home at the lower edge of the map: no band below it; what is picked there is seen above the tray."""
    page = begin(phone(new_page, 390, 844), staged, "lone", BOT)
    my_turn(page)
    leader = page.locator("[data-touch='leader:emperor@aegyptus']").first
    until(lambda: page.evaluate(BELOW) == 0, "the map as far as the bar")
    assert page.evaluate("() => document.querySelector('.mapframe').scrollTop") > 0
    touch(page, "leader:emperor@aegyptus", tap=True)
    tray = page.locator(".tray")
    until(tray.is_visible, "the tray")

    def is_above() -> bool:
        piece, over = leader.bounding_box(), tray.bounding_box()
        return bool(piece and over and piece["y"] + piece["height"] < over["y"])

    until(is_above, "the leader above the tray")


def test_the_fall_of_an_emperor_is_told(new_page: NewPage, staged: str) -> None:
    page = begin(new_page(), staged, "fall", BOT, BOT)
    march(page, "leader:general@thracia", "asia")
    touch(page, "button:end_move")
    moment = page.locator(".moment")
    expect(moment).to_contain_text("The emperor of Recruit has fallen!")
    expect(moment).to_contain_text("Everything passes to")
    for _ in range(moment.count()):
        moment.locator("button").click()
    expect(page.locator(".plate.s1")).to_have_class("plate s1 fallen")


def test_an_online_table_begins_whole_and_a_button_leads_back(new_page: NewPage, staged: str) -> None:
    host = begin(new_page(), staged, "battle", LINK)
    guest = guest_of(host, new_page)
    for page in (host, guest):
        until(lambda: page.evaluate(FRAME), "the map")  # noqa: B023
        assert page.evaluate(ZOOM) == 1
    small = begin(phone(new_page), staged, "battle", BOT)
    my_turn(small)
    assert small.evaluate(ZOOM) > 1.5
    button = small.locator(".zoomkey")
    expect(button).to_have_attribute("aria-label", "Show the whole map")
    button.tap()
    assert small.evaluate(ZOOM) == 1
    button.tap()
    assert small.evaluate(ZOOM) > 1.5


@pytest.mark.parametrize("size", SMALL, ids=str)
def test_on_small_screens_leaders_have_room_for_a_finger(
    new_page: NewPage, staged: str, size: tuple[int, int]
) -> None:
    page = begin(phone(new_page, *size), staged, "open", BOT)
    my_turn(page)
    assert page.evaluate(TINY) == [3]


# What is wrong with plates and title: captives over numbers, names in two lines, plates out of sight.
PLATES = """() => {
  const box = (el) => el.getBoundingClientRect();
  const wrong = [];
  for (const plate of document.querySelectorAll(".conquest .plate")) {
    const [held, purse, name] = [".held", ".purse", ".who b"].map((part) => plate.querySelector(part));
    const [a, b] = [box(held), box(purse.querySelector("span:nth-child(2)"))];
    if (a.width && a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom)
      wrong.push(`captives over the tribute of ${name.textContent}`);
    if (box(name).height > 1.5 * parseFloat(getComputedStyle(name).fontSize))
      wrong.push(`${name.textContent} in two lines`);
    if (innerHeight < 480 && box(plate).bottom > box(plate.parentElement).bottom)
      wrong.push(`${name.textContent} out of sight`);
  }
  const title = document.querySelector(".status b");
  if (title.scrollWidth > title.clientWidth + 1) wrong.push("the title");
  return wrong;
}"""


@pytest.mark.parametrize("size", [(390, 844), (844, 390), (1024, 768)])
def test_six_plates_can_be_read(new_page: NewPage, staged: str, size: tuple[int, int]) -> None:
    page = new_page(viewport={"width": size[0], "height": size[1]}, has_touch=size != (1024, 768))
    begin(page, staged, "empires", *[BOT] * 5)
    my_turn(page)
    assert page.locator(".plate .captive").count() > 0
    assert page.evaluate(PLATES) == []


# Who chooses stands beside the other side of a battle, with so many pieces of the first row in sight.
CHOOSER = """() => {
  const box = (el) => el.getBoundingClientRect();
  const field = box(document.querySelector(".battle .field"));
  const [one, other] = [...document.querySelectorAll(".battle .host")].map(box);
  const seen = [...document.querySelectorAll(".battle .choosing .soldier")].filter(
    (el) => box(el).top >= field.top && box(el).bottom <= field.bottom + 1);
  return [one.right <= other.left, seen.length];
}"""


def test_who_chooses_in_a_battle_sees_the_pieces_on_a_phone_on_its_side(
    new_page: NewPage, staged: str
) -> None:
    """Also at a table that was opened by its address: its styles come after those of the client."""
    host, guest = begin(new_page(), staged, "battle", LINK), phone(new_page, 844, 390)
    guest.goto(host.locator(".linkbox .link").input_value())
    expect(guest.locator(".conquest")).to_be_visible()
    march(host, "leader:general@syria", "palaestina")
    touch(host, "button:end_move")
    expect(guest.locator(".battle .choosing .soldier").first).to_be_visible()
    beside, seen = guest.evaluate(CHOOSER)
    assert beside and seen >= 6


# What is chosen in a field that is too narrow for it: its words, as wide as they would be beside it.
CUT_CHOICES = """() => [...document.querySelectorAll("form.deal select")].filter((el) => {
  const twin = el.cloneNode();
  twin.append(new Option(el.selectedOptions[0].text));
  twin.style.cssText = "position: absolute; width: max-content";
  el.after(twin);
  const wide = twin.getBoundingClientRect().width;
  twin.remove();
  return wide > el.getBoundingClientRect().width + 0.5;
}).map((el) => el.selectedOptions[0].text)"""


@pytest.mark.parametrize("lang", ["en", "fr", "it", "de"])
def test_whose_general_is_bargained_for_can_be_read_on_a_phone(
    new_page: NewPage, staged: str, lang: str
) -> None:
    """In an offer, with everything chosen, and in a counter-offer, which is about the same captive."""
    host = begin(new_page(locale="en-GB"), staged, "ransom", LINK)
    guest = new_page(viewport={"width": 360, "height": 640}, is_mobile=True, has_touch=True, locale=lang)
    guest.goto(host.locator(".linkbox .link").input_value())
    touch(host, "button:ransom")
    form = host.locator("form.deal")
    expect(form.locator(".back option")).to_have_count(2)
    for name in ("what", "back"):
        form.locator(f".{name}").select_option(index=1)
    host.set_viewport_size({"width": 360, "height": 640})
    assert host.evaluate(CUT_CHOICES) == []
    host.set_viewport_size({"width": 1280, "height": 800})
    offer_deal(host, talents=10)
    touch(guest, "button:counter", tap=True)
    captive = guest.locator("form.deal .what option:checked")
    expect(captive).to_contain_text(host.locator(".plate.s0 .who b").inner_text())
    assert guest.evaluate(CUT_CHOICES) == []


# What can be pressed and does not lie whole on the screen, on top, with its words.
CUT_OFF = """() => [
  ...document.querySelectorAll(".bar .buttons button, .tray .wareitem, .tray > p"),
].filter((el) => {
  const box = el.getBoundingClientRect();
  const top = document.elementFromPoint(box.left + box.width / 2, box.bottom - 3);
  const fits = el.scrollWidth <= el.clientWidth + 1 && el.scrollHeight <= el.clientHeight + 1;
  return box.bottom > innerHeight || box.right > innerWidth || !el.contains(top) || !fits;
}).map((el) => el.textContent)"""


@pytest.mark.parametrize("lang", ["en", "fr", "it", "de"])
def test_what_is_bought_and_bargained_lies_whole_on_a_phone(
    new_page: NewPage, staged: str, lang: str
) -> None:
    page = new_page(viewport={"width": 360, "height": 640}, is_mobile=True, has_touch=True, locale=lang)
    begin(page, staged, "ransom", BOT)
    assert "button:release" in my_turn(page)
    for width, height in SMALL:
        page.set_viewport_size({"width": width, "height": height})
        page.wait_for_timeout(300)
        assert page.evaluate(CUT_OFF) == [], (width, height)
