"""Who plays, where and as whom: accounts, another device, sides, names at one screen; and Ludus as an app."""

from __future__ import annotations

import random
from collections.abc import Callable

from playwright.sync_api import Page, expect

import ludus
from browser.driving import my_turn, offered, play_by_clicking, start, until
from browser.test_everywhere import make
from samples import PLANNED, SMALL, WIDE

NewPage = Callable[..., Page]
PASSWORD = "carpe diem quam"


def account(page: Page) -> None:
    page.locator(".who").click()
    expect(page.locator("dialog .account .phone")).to_be_visible()


def test_an_account_and_my_seat_on_another_device(new_page: NewPage, url: str) -> None:
    page, phone, late = (new_page(allow=("status of 4",)) for _ in range(3))
    name = f"Livia {random.randrange(10**8)}"
    start(page, url, SMALL)
    my_turn(page)
    table = page.url
    page.locator(".brand").click()
    account(page)
    page.locator("details.create summary").click()
    page.locator("details.create input").first.fill(name)
    page.locator("details.create input").last.fill("short")
    page.locator("details.create button").click()
    expect(page.locator("details.create .problem")).to_contain_text("8 to 128")
    page.locator("details.create input").last.fill(PASSWORD)
    page.locator("details.create button").click()
    expect(page.locator("dialog")).to_have_count(0)
    account(page)
    expect(page.locator("dialog .account")).to_contain_text(f"logged in as {name}")
    page.keyboard.press("Escape")
    page.goto(table)
    my_turn(page)
    page.locator("button[aria-label='Menu']").click()
    page.locator("dialog .item", has_text="Take my seat to another device").click()
    said = page.locator("dialog output").inner_text()
    link = page.locator("dialog .link").input_value()
    assert said.replace("-", "") in link
    page.locator("dialog .qr").click()
    code = page.locator("dialog .qrcode svg").bounding_box()
    assert code and code["width"] == code["height"] > 150
    page.locator("dialog").last.locator("header .plain").click()
    phone.goto(link)
    phone.locator("#code").wait_for()
    assert phone.evaluate("() => location.href") == f"{url}/pass", "a code stays in no history"
    phone.locator("button.big").click()
    phone.wait_for_url(table)
    assert my_turn(phone), "I sit there, too"
    late.goto(link)
    late.locator("button.big").click()
    expect(late.locator(".problem")).to_contain_text("already used")
    late.goto(url)
    account(late)
    late.locator("details.login summary").click()
    late.locator("details.login input").first.fill(name)
    late.locator("details.login input").last.fill("wrong wrong")
    late.locator("details.login button").click()
    expect(late.locator("details.login .problem")).to_have_text("The name or the password is wrong.")
    late.locator("details.login input").last.fill(PASSWORD)
    late.locator("details.login button").click()
    expect(late.locator("#mine a")).to_have_count(1)
    account(late)
    late.locator("dialog .logout").click()
    expect(late.locator("#mine")).to_be_hidden()


def test_sides_names_and_games_of_their_own(new_page: NewPage, url: str) -> None:
    page, title = new_page(), ludus.title(PLANNED)
    option = next(o for o in title.options if o.games)
    value = next(v for v in option.values if v != option.default)
    page.goto(url)
    card = page.locator(f'[data-title="{PLANNED}-{value}"]')
    expect(card.locator("h2")).to_contain_text(title.words.say("en", f"option.{option.name}.value.{value}"))
    card.locator(".more").click()
    page.locator("form").wait_for()
    assert page.locator(f"#option-{option.name}").evaluate("(el) => el.selectedIndex") == 1
    sides = page.locator(".chairs .whose")
    page.goto(f"{url}/new/{WIDE}")
    expect(sides.first).to_have_text("Seat 1")  # its sides are those of a battle
    page.goto(f"{url}/new/{PLANNED}")
    expect(sides).to_have_text(["Rome", "Carthage"])
    expect(page.locator(".uneven")).to_contain_text("Carthage wins more often")
    page.locator("#seat-1").select_option("me")
    assert page.locator("#seat-0").input_value().startswith("bot:"), "we have changed places"
    page.locator("#option-board").select_option(index=1)
    expect(sides).to_have_text(["Persia", "Greece"])
    expect(page.locator(".uneven")).to_contain_text("Persia wins more often")
    page.set_viewport_size({"width": 360, "height": 640})
    page.locator("#seat-0").select_option("screen")
    assert page.evaluate("() => document.documentElement.scrollWidth") <= 360
    page.locator(".chairs input").fill("Drusilla")
    page.locator("form button[type=submit]").click()
    page.wait_for_url("**/m/*")
    until(lambda: "Drusilla" in (page.text_content("body") or ""), "who sits there")
    page.goto(url)
    page.locator(f'[data-title="{SMALL}"] .screen').click()
    page.locator("dialog .atscreen input").nth(0).fill("Cornelia")  # a guest is not called by chance
    page.locator("dialog .atscreen input").nth(1).fill("Aemilia")
    page.locator("dialog .atscreen button").click()
    page.wait_for_url("**/m/*")
    until(lambda: "Cornelia" in (page.text_content("body") or ""), "who has begun")
    until(lambda: "Aemilia" in (page.text_content("body") or ""), "who sits there")  # perhaps covered


def test_a_replay_by_turns_and_rounds_at_a_speed(new_page: NewPage, url: str) -> None:
    page = new_page()
    make(page, url, SMALL, [{"kind": "me"}, {"kind": "bot", "bot": "tiro"}])
    play_by_clicking(page, random.Random(2), touches=14)
    until(lambda: offered(page) or page.locator("dialog").count(), "my turn")
    page.keyboard.press("Escape")
    found = page.evaluate(
        """async () => {
          const { endsOf } = await import("/js/match/replay.js");
          const rows = [0, 0, "chance", 1, "house", 1, 0, "chance", 1, 1].map((who, k) => ({
            n: k + 1, who, stands: k !== 5 }));
          return endsOf(rows);
        }"""
    )
    assert found == {"turns": [2, 4, 7], "rounds": [4]}
    page.locator(".log .line:visible").first.click()  # earlier rounds are folded
    replay = page.locator(".replay")
    slider = replay.locator("input[type=range]")
    replay.locator("select").first.select_option("turn")
    page.keyboard.press("Home")
    until(lambda: slider.input_value() == "0", "the beginning")
    replay.locator("button[aria-label='One step forward']").click()
    first = int(slider.input_value())
    assert first > 1, "a turn of several actions in one step"
    expect(replay.locator(".count")).to_contain_text("Round 1")
    replay.locator("select").nth(1).select_option("4")
    replay.locator("button[aria-label='Play']").click()
    until(lambda: int(slider.input_value()) > first, "autoplay")


def test_ludus_as_an_app(new_page: NewPage, url: str) -> None:
    page = new_page(allow=("net::ERR_", "Failed to load"), service_workers="allow")
    page.goto(url)
    page.locator(".title").first.wait_for()
    manifest = page.request.get(f"{url}{page.locator('link[rel=manifest]').get_attribute('href')}").json()
    assert manifest["display"] == "standalone" and manifest["start_url"] == "/"
    for icon in manifest["icons"]:
        answer = page.request.get(url + icon["src"])
        assert answer.ok and answer.headers["content-type"] == icon["type"]
    page.evaluate(
        """async () => {
          await navigator.serviceWorker.register("/sw.js");
          await navigator.serviceWorker.ready;
        }"""
    )
    page.context.set_offline(True)
    for path in ("/m/AAAAAAAAAAAAAAAAAA", "/"):
        page.goto(url + path)
        expect(page.locator(".offline h1")).to_have_text("You are offline")
    kept = page.evaluate("async () => (await (await caches.open('ludus-shell')).keys()).map((r) => r.url)")
    assert kept and not [one for one in kept if "/api/" in one], "nothing of mine is kept"
    page.context.set_offline(False)
    expect(page.locator(".title").first).to_be_visible(timeout=15_000)  # it comes back by itself
