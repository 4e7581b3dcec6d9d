"""Conquest of the Empire on its own board, from scenes: battles, ransom, six seats, phone, languages."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from browser.driving import entry, is_over, my_turn, offered, press, start_scene, until, words_on_screen
from browser.test_table import serious
from samples import LARGE

NewPage = Callable[..., Page]
ME, LINK, BOT = {"kind": "me"}, {"kind": "link"}, {"kind": "bot", "bot": "tiro"}
PHONE = {"viewport": {"width": 390, "height": 780}, "is_mobile": True, "has_touch": True}
MARKED = (
    "(how) => [...document.querySelectorAll(`.place.${how}`)].map((el) => el.dataset.touch.slice(7)).sort()"
)
ARMY = """([area, seat]) => [
  ...document.querySelectorAll(`.army.s${seat}[data-info="region:${area}"] .count`),
].map((el) => +el.textContent)"""
PIECES = "document.querySelectorAll('.army, .galley, .site, .place')"


def begin(page: Page, url: str, scene: str, *others: dict[str, str]) -> Page:
    start_scene(page, url, "conquest", scene, [ME, *others])
    page.locator(".conquest, .linkbox").first.wait_for()
    return page


def touch(page: Page, *ids: str, tap: bool = False) -> None:
    """One after the other, each as soon as it is lit."""
    for one in ids:
        until(lambda: one in offered(page), f"{one} among {offered(page)}")  # noqa: B023
        press(page, one, tap)


def at_rest(page: Page) -> None:
    """Wait until the map lies where it will stay."""
    before = [""]

    def same() -> bool:
        now = page.evaluate("() => JSON.stringify(document.querySelector('.leaf').getBoundingClientRect())")
        before[0], stays = now, now == before[0]
        return bool(stays)

    until(same, "the map at rest")


def march(page: Page, leader: str, *areas: str, tap: bool = False) -> None:
    touch(page, leader, tap=tap)
    touch(page, *[f"region:{area}" for area in areas], tap=tap)


def fight(page: Page, tap: bool = False) -> None:
    """The only battle there is begins without another word."""
    touch(page, "button:end_move", tap=tap)
    expect(page.locator(".battle")).to_be_visible()


def phase(page: Page) -> str:
    return str(page.locator(".conquest").get_attribute("data-phase"))


def confirm(page: Page) -> bool:
    """Touch the button of the battle screen, if it is there; and wait for what it does."""
    button, before = page.locator(".battle footer .primary"), entry(page)
    if not button.is_visible():
        return False
    button.evaluate("(el) => el.click()")
    until(lambda: entry(page) > before, "the battle to go on")
    return True


def offer_deal(page: Page, back: int = 0, payer: int = 0, talents: int = 0) -> None:
    """Name the terms in the dialogue: the captive in exchange and who pays, each the first or second."""
    form = page.locator("form.deal")
    for name, wanted in (("back", back), ("payer", payer)):
        expect(form.locator(f".{name} option").nth(wanted)).to_be_attached()
        if wanted:
            form.locator(f".{name}").select_option(index=wanted)
    if talents:
        expect(form.locator(".sum")).not_to_be_empty()
        form.locator(".talents").fill(str(talents))
        form.locator(".talents").blur()
        expect(form.locator(".sum")).to_contain_text(f"{talents} talents")
    expect(form.locator(".sum")).not_to_be_empty()
    form.locator("button").click()
    expect(form).to_have_count(0)


def guest_of(host: Page, new_page: NewPage) -> Page:
    """Somebody who follows the host's link."""
    guest = new_page()
    guest.goto(host.locator(".linkbox .link").input_value())
    for page in (host, guest):
        expect(page.locator(".conquest")).to_be_visible()
    return guest


def test_a_match_against_a_bot_to_its_end(new_page: NewPage, staged: str) -> None:
    """A march and a battle; the emperor falls with his last unit."""
    page = begin(new_page(), staged, "last-battle", BOT)
    march(page, "leader:general@syria", "palaestina")
    fight(page)
    for _ in range(12):
        my_turn(page)
        if is_over(page):
            break
        if not confirm(page) and "button:fight_on" in offered(page):
            touch(page, "button:fight_on")
    expect(page.locator("dialog h2")).to_have_text("Victory")
    expect(page.locator("dialog .places .winner")).to_have_count(1)


def test_a_battle_by_touching(new_page: NewPage, staged: str) -> None:
    """Line and losses are touched, dice lie beside what they match, the odds follow."""
    page = begin(new_page(), staged, "battle", BOT)
    march(page, "leader:general@syria", "palaestina")
    march(page, "leader:general@syria", "palaestina")
    until(lambda: page.evaluate(ARMY, ["palaestina", 0]) == [6, 4, 2], "twelve units with two leaders")
    fight(page)
    battle = page.locator(".battle")
    picked = battle.locator("button.soldier.picked")
    expect(picked).to_have_count(7)  # five, and one for each leader
    expect(battle.locator(".odds")).to_have_attribute("aria-label", re.compile("attacker"))
    battle.locator("button.soldier").last.click()
    expect(picked).to_have_count(7)  # what the line is too long for goes back to the reserve
    assert confirm(page)
    while not page.locator(".battle button.soldier").count() and battle.is_visible():
        if "button:fight_on" in my_turn(page):
            touch(page, "button:fight_on")
    if battle.is_visible():  # else the defenders fell before they had hit anybody
        answer = battle.locator(".throw").nth(1)
        expect(answer).to_contain_text("hit")
        lost = battle.locator("button.soldier.down").count()
        assert answer.locator(".cast.scores").count() >= lost >= 1
        before = sum(page.evaluate(ARMY, ["palaestina", 0]))
        assert confirm(page)
        until(lambda: sum(page.evaluate(ARMY, ["palaestina", 0])) == before - lost, "the losses off the map")


def test_a_sea_battle(new_page: NewPage, staged: str) -> None:
    """A sea zone is touched, then the owner picks what sinks; both throws of a round lie there."""
    page = begin(new_page(), staged, "sea", BOT)
    touch(page, "button:end_move", "region:mare_libycum")
    until(lambda: entry(page) >= 2, "the battle")
    while my_turn(page) and phase(page) not in ("raze", "buy"):
        ids, before = offered(page), entry(page)
        ships = [t for t in ids if t.startswith("ship:")]
        if page.locator(".battle").is_visible() and ships:
            assert page.locator(".battle .throw:visible").count() >= 1
            assert page.locator(".battle .cast.still").count() == 0, "all dice of the round lie there"
            press(page, ships[0])
        else:
            press(page, next(t for t in ids if t in ("button:keep", "button:end_combat")))
        until(lambda: entry(page) > before, "the next question")  # noqa: B023
    expect(page.locator(".log")).to_contain_text("attacks the galleys")


def test_where_one_could_withdraw_is_marked(new_page: NewPage, staged: str) -> None:
    host = begin(new_page(), staged, "siege", LINK)
    guest = guest_of(host, new_page)
    march(host, "leader:general@syria", "palaestina")
    fight(host)
    while "button:withdraw" not in offered(guest):
        until(lambda: offered(host) or offered(guest), "somebody's turn")
        assert not is_over(host) and host.locator(".battle").is_visible(), "a round cannot end this siege"
        confirm(host if offered(host) else guest)
    until(lambda: guest.evaluate(MARKED, "refuge"), "the places of retreat")
    refuge = guest.evaluate(MARKED, "refuge")
    touch(guest, "button:withdraw")
    until(lambda: confirm(host) or any(t.startswith("region:") for t in offered(guest)), "the flight")
    until(lambda: any(t.startswith("region:") for t in offered(guest)), "where to")
    assert sorted(t[7:] for t in offered(guest) if t.startswith("region:")) == refuge
    touch(guest, f"region:{refuge[0]}")
    until(lambda: host.evaluate(ARMY, [refuge[0], 1]), "the army in safety")


def test_ransom_accepted_and_refused(new_page: NewPage, staged: str) -> None:
    host = begin(new_page(), staged, "ransom", LINK)
    guest = guest_of(host, new_page)
    touch(host, "button:ransom")
    offer_deal(host, talents=20)
    expect(guest.locator(".tray .bargain.s1")).to_contain_text("20 talents")
    refuse = guest.locator('.buttons [data-touch="button:refuse"]')
    expect(refuse).to_have_class("secondary")  # who says no does not do so with the big red button
    touch(guest, "button:accept")
    expect(host.locator(".plate.s0 .purse")).to_contain_text("40")
    expect(host.locator(".plate.s1 .purse")).to_contain_text("60")
    touch(host, "button:ransom")
    offer_deal(host)
    touch(guest, "button:refuse")
    until(lambda: "button:end" in offered(host), "the host again")
    assert "button:ransom" not in offered(host), "one offer for a captive and turn"
    expect(host.locator(".hint.news")).to_contain_text("refuses")
    expect(host.locator(".plate.s1 .captive")).to_have_count(1)
    expect(guest.locator(".log")).to_contain_text("refuses")


def test_an_exchange_is_offered_countered_and_accepted(new_page: NewPage, staged: str) -> None:
    host = begin(new_page(), staged, "ransom", LINK)
    guest = guest_of(host, new_page)
    touch(host, "button:ransom")
    offer_deal(host, back=1, payer=1, talents=10)
    expect(guest.locator(".tray .bargain.s0")).to_contain_text("10 talents")
    expect(guest.locator(".tray .bargain.s1")).to_contain_text("a general of")
    touch(guest, "button:counter")
    offer_deal(guest, talents=15)  # who pays is as it was offered
    expect(host.locator(".tray .bargain.s0")).to_contain_text("15 talents")
    touch(host, "button:accept")
    expect(host.locator(".plate.s0 .purse")).to_contain_text("75")
    expect(host.locator(".plate.s1 .purse")).to_contain_text("25")
    expect(host.locator(".plate.s1 .captive")).to_have_count(1)
    expect(host.locator(".plate.s0 .captive")).to_have_count(1)


def test_nobody_is_made_emperor_by_a_slip(new_page: NewPage, staged: str) -> None:
    page = begin(new_page(), staged, "vote", BOT)
    touch(page, "button:agree")
    asked = page.locator("dialog")
    expect(asked).to_contain_text(re.compile(r"the game is over and .* has won"))
    assert entry(page) == 0, "nothing is played yet"
    asked.locator(".no").click()
    touch(page, "button:object")
    until(lambda: entry(page) > 0, "the match to go on")


def test_six_seats_two_of_them_people(new_page: NewPage, staged: str) -> None:
    host = begin(
        new_page(viewport={"width": 1600, "height": 900}), staged, "empires", LINK, BOT, BOT, BOT, BOT
    )
    guest = guest_of(host, new_page)
    expect(host.locator(".plate")).to_have_count(6)
    pieces = host.evaluate(
        """() => [...document.querySelectorAll(".army .count")].reduce((sum, el) => sum + +el.textContent, 0)
          + document.querySelectorAll(".chief, .galley").length"""
    )
    assert pieces >= 150
    touch(host, "button:end")
    until(lambda: offered(guest), "the guest's turn")
    leader = next(t for t in offered(guest) if t.startswith("leader:general@"))
    touch(guest, leader)
    area = next(t for t in my_turn(guest) if t.startswith("region:"))
    touch(guest, area)
    for page in (guest, host):
        expect(page.locator(".log")).to_contain_text("marches to")


@pytest.mark.parametrize("size", [(1024, 768), (390, 844)], ids=str)
def test_bots_of_a_kind_can_be_told_apart(new_page: NewPage, staged: str, size: tuple[int, int]) -> None:
    width, height = size
    page = begin(new_page(viewport={"width": width, "height": height}), staged, "empires", *[BOT] * 5)
    names = page.locator(".plate .who b")
    expect(names.nth(3)).to_have_text("Recruit III")
    cut = names.evaluate_all(
        "(all) => all.filter((el) => el.scrollWidth > el.clientWidth + 1).map((el) => el.textContent)"
    )
    assert not [name for name in cut if name.startswith("Recruit")]


def test_pieces_are_changed_in_place(new_page: NewPage, staged: str) -> None:
    """A move touches what moved and nothing else of the map."""
    page = begin(new_page(), staged, "empires", *[BOT] * 5)
    expect(page.locator(".cell.hot")).to_have_text(["105×2", "205×3"])
    expect(page.locator(".countdown")).to_have_text(["✓", ""])
    touch(page, "leader:general@macedonia")
    page.evaluate(f"() => {PIECES}.forEach((el) => (el.kept = true))")
    touch(page, "region:thracia")
    until(lambda: "thracia" not in page.evaluate(MARKED, "lit") or offered(page), "the march")
    fresh = page.evaluate(f"() => [...{PIECES}].filter((el) => !el.kept).length")
    assert fresh <= 1


def test_planning(new_page: NewPage, staged: str) -> None:
    """Hovering marks where a leader can go and tells neighbours and dangers; far ends can be touched."""
    page = begin(new_page(viewport={"width": 1600, "height": 900}), staged, "battle", BOT)
    my_turn(page)
    page.locator("[data-touch='leader:general@syria']").hover()
    until(lambda: page.evaluate(MARKED, "reach"), "the reach")
    assert page.evaluate(MARKED, "risky") == ["palaestina"]
    expect(page.locator(".info")).to_contain_text("Attack in Palaestina: wins")
    page.locator(".site").first.hover(force=True)
    page.mouse.move(*press_point(page, "region:aegyptus"))
    expect(page.locator(".info")).to_contain_text("By land: ")
    expect(page.locator(".info")).to_contain_text("could come with")
    touch(page, "leader:emperor@aegyptus")
    until(lambda: "africa" in page.evaluate(MARKED, "far"), "the far ends")
    page.mouse.click(*press_point(page, "region:africa"))
    until(lambda: page.locator("[data-touch='leader:emperor@africa']").count(), "the emperor in Africa")


def press_point(page: Page, touch_id: str) -> tuple[float, float]:
    """A point where an area lies on top."""
    found = page.evaluate(
        """(id) => {
          const el = document.querySelector(`.place[data-touch="${id}"]`), box = el.getBoundingClientRect();
          for (let k = 1; k < 400; k++) {
            const x = box.left + box.width * ((k * 0.618) % 1), y = box.top + box.height * ((k * 0.371) % 1);
            if (document.elementFromPoint(x, y) === el) return [x, y];
          }
          return null;
        }""",
        touch_id,
    )
    assert found, f"{touch_id} is covered"
    return found[0], found[1]


def test_another_table_in_the_same_visit(new_page: NewPage, staged: str) -> None:
    """Each table is drawn with its own styles only, without a new page load."""
    page = begin(new_page(), staged, "battle", BOT)
    my_turn(page)
    page.locator(".brand").click()
    page.locator(f'[data-title="{LARGE}"] .playnow').click()
    expect(page.locator(f".{LARGE}")).to_be_visible()
    sheets = (
        "() => [...document.styleSheets].map((s) => [s.href?.split('/titles/').pop(), s.media.mediaText])"
    )
    found = dict(page.evaluate(sheets))
    assert (found["conquest/style.css"], found[f"{LARGE}/style.css"]) == ("not all", "all")


def test_a_refusal_names_its_rule(new_page: NewPage, staged: str) -> None:
    page = begin(new_page(), staged, "purchase", BOT, BOT)
    touch(page, "goods:wall")
    page.mouse.click(*press_point(page, "region:achaia"))
    expect(page.locator(".toast .rule")).to_have_text("7.6")
    expect(page.locator(".toast")).to_contain_text("There is no city in Achaea.")


def test_a_refusal_says_what_one_has_and_what_it_costs(new_page: NewPage, staged: str) -> None:
    """A ware without money for it; and a march that was begun and not played is reckoned with."""
    page = begin(new_page(), staged, "razing", BOT)
    touch(page, "goods:catapult", "amount:2")
    until(lambda: entry(page) > 0 and "goods:catapult" not in offered(page), "the catapults")
    page.locator('.wareitem[data-touch="goods:galley"]').click()
    expect(page.locator(".toast")).to_contain_text("You have 0 talents; the price of 1 galley is 20.")

    page = begin(new_page(), staged, "open", BOT)
    touch(page, "leader:general@syria")
    until(lambda: "region:cilicia" in offered(page), "the march")
    page.mouse.click(*press_point(page, "region:thracia"))
    far = "The leader has 2 points left; without roads the way to Thrace costs 4."
    expect(page.locator(".toast")).to_contain_text(far)


def test_buying_and_keys(new_page: NewPage, staged: str) -> None:
    """A road, a city, several units by one number; the same again by a key."""
    page = begin(new_page(), staged, "purchase", BOT, BOT)
    talents = page.locator(".plate.s0 .purse b").first
    my_turn(page)
    page.mouse.move(*press_point(page, "region:achaia"))
    expect(page.locator(".info")).to_contain_text("Found a city in Achaea: 30 talents")
    touch(page, "goods:infantry")
    page.keyboard.press("3")
    expect(talents).to_have_text("370")
    touch(page, "goods:city")  # there is one province for it
    expect(talents).to_have_text("340")
    road = next(t for t in touch_and_see(page, "goods:road") if t.startswith("road:"))
    touch(page, road)
    expect(talents).to_have_text("330")
    expect(page.locator(".road.built")).to_have_count(1)
    page.keyboard.press("u")
    expect(talents).to_have_text("340")
    expect(page.locator(".road.built")).to_have_count(0)
    until(lambda: "goods:road" in offered(page), "the road again")
    page.keyboard.press(".")
    expect(talents).to_have_text("330")


def touch_and_see(page: Page, one: str) -> list[str]:
    touch(page, one)
    return until(lambda: [t for t in offered(page) if t != one], f"what follows {one}")  # type: ignore[no-any-return]


def test_units_are_chosen_one_by_one(new_page: NewPage, staged: str) -> None:
    """All go along unless fewer are wanted; step by step the second token takes two."""
    page = begin(new_page(), staged, "battle", BOT)
    touch(page, "leader:general@aegyptus")
    infantry = page.locator(".many[title=infantry]")
    expect(infantry.locator("b")).to_have_text("3/3")
    infantry.locator("button").first.click()
    expect(infantry.locator("b")).to_have_text("2/3")
    for n in (3, 1, 3):  # the number itself: all, or just one
        infantry.locator(".whole").click()
        expect(infantry.locator("b")).to_have_text(f"{n}/3")
    infantry.locator("button").first.click()
    expect(infantry.locator("b")).to_have_text("2/3")
    touch(page, "region:cyrenaica")
    until(lambda: page.evaluate(ARMY, ["cyrenaica", 0]) == [2], "two in Cyrenaica")
    assert page.evaluate(ARMY, ["aegyptus", 0]) == [1]
    touch(page, "leader:general@syria", "button:stepwise")
    page.locator(".heaprow", has_text="infantry").locator(".token").nth(1).click()
    expect(page.locator(".tray .chip b")).to_have_text("2")
    touch(page, "region:cilicia")
    until(lambda: page.evaluate(ARMY, ["cilicia", 0]) == [2], "two in Cilicia")


def test_a_phone_by_touch(new_page: NewPage, staged: str) -> None:
    page = begin(new_page(**PHONE), staged, "battle", BOT)
    for size in ({"width": 390, "height": 780}, {"width": 780, "height": 390}):
        page.set_viewport_size(size)  # type: ignore[arg-type]
        my_turn(page)
        at_rest(page)
        assert page.evaluate("() => document.documentElement.scrollWidth") <= size["width"]
        march(page, "leader:general@syria", "palaestina", tap=True)
    fight(page, tap=True)
    page.locator(".battle footer .primary").tap()
    until(lambda: page.locator(".cast").count(), "the dice")


def test_by_keyboard_alone(new_page: NewPage, staged: str) -> None:
    page = begin(new_page(), staged, "last-battle", BOT)
    my_turn(page)
    page.keyboard.press("b")
    for _ in range(60):
        if page.evaluate("() => document.activeElement.dataset?.touch") == "leader:general@syria":
            break
        page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    until(lambda: "region:palaestina" in offered(page), "the march")
    page.keyboard.press("c")
    page.locator(".choices button[data-action='march palaestina']").focus()
    page.keyboard.press("Enter")
    until(lambda: page.evaluate(ARMY, ["palaestina", 0]), "the army in Palaestina")
    label = page.locator(".place[data-touch='region:palaestina']").get_attribute("aria-label") or ""
    assert "Palaestina" in label and "infantry" in label


@pytest.mark.parametrize("lang", ["fr", "it", "de"])
def test_languages(new_page: NewPage, staged: str, lang: str) -> None:
    page = new_page(locale=f"{lang}-{lang.upper()}")
    english, own = words_on_screen("conquest", "en"), words_on_screen("conquest", lang)
    foreign = {v for k, v in english.items() if own[k] != v and len(v) > 4 and "{" not in v}
    begin(page, staged, "battle", BOT)
    march(page, "leader:general@syria", "palaestina")
    texts = [page.inner_text("body")]
    fight(page)
    until(page.locator(".battle footer .primary").is_visible, "the other side's line")
    expect(page.locator(".battle footer .primary")).to_have_text(own["web.confirm"])
    texts.append(page.inner_text("body"))
    assert not {line.strip() for text in texts for line in text.splitlines()} & foreign


def test_accessibility(new_page: NewPage, staged: str) -> None:
    """axe finds nothing serious on the light map, nor on the dark battle screen."""
    page = begin(new_page(), staged, "battle", BOT)
    my_turn(page)
    problems = serious(page)
    march(page, "leader:general@syria", "palaestina")
    fight(page)
    until(page.locator(".battle footer .primary").is_visible, "the other side's line")
    page.emulate_media(color_scheme="dark")
    problems += serious(page)
    assert not problems, problems
