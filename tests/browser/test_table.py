"""What the table does besides play: undo, reasons, previews, coming back, replay, languages, wrong links."""

from __future__ import annotations

import random
import re
from collections.abc import Callable
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, Response, Route, expect

from browser.driving import (
    entry,
    is_over,
    locate,
    my_turn,
    offered,
    play_by_clicking,
    start,
    until,
    words_on_screen,
)
from browser.test_matches import until_dice
from ludus.server.testing import ServerProcess
from samples import BARE, LARGE, SMALL, WIDE

NewPage = Callable[..., Page]


def money(page: Page) -> int:
    return int(page.locator(".plate.us .money").get_attribute("data-n") or 0)


def use_die(page: Page, disc: str) -> int:
    """Put a die on a disc; its value."""
    die = page.locator(".dice .die.lit").first
    value = int((die.get_attribute("data-touch") or "die:0")[4:])
    before = entry(page)
    die.click()
    locate(page, f"disc:{disc}").click()
    until(lambda: entry(page) > before, "the entry")
    return value


def test_undo_until_dice_or_cards_were_drawn(new_page: NewPage, url: str) -> None:
    page = new_page()
    start(page, url)
    until_dice(page, random.Random(6))
    had = money(page)
    first, second = use_die(page, "money"), use_die(page, "money")
    until(lambda: money(page) == had + first + second, "the money")
    page.keyboard.press("u")
    until(lambda: money(page) == had + first, "the last money back")
    my_turn(page)
    page.keyboard.press("u")
    until(lambda: money(page) == had, "all money back: what was taken back already is not asked for again")
    my_turn(page)
    use_die(page, "cards")
    until(lambda: page.locator(".offer .held").count() or offered(page), "the drawn cards")
    page.keyboard.press("u")
    toast = page.locator(".toast")
    expect(toast).to_contain_text("cannot take this back on your own")
    assert toast.locator("button.small").count() == 1, "the others can be asked"


def test_undo_right_after_a_reload_waits_for_the_story(new_page: NewPage, url: str) -> None:
    """The board stands before what led to it has come: a hand that is quicker is not ignored."""
    page = new_page()
    start(page, url)
    until_dice(page, random.Random(6))
    had = money(page)
    value = use_die(page, "money")
    until(lambda: money(page) == had + value, "the money")
    held: list[Route] = []
    page.route("**/entries?*", lambda route: held.append(route))
    page.reload()
    my_turn(page)
    page.keyboard.press("u")
    until(lambda: held, "the story to be asked for")
    for route in held:
        route.continue_()
    page.unroute("**/entries?*")
    until(lambda: money(page) == had, "the money back")


def test_asking_the_other_player_to_take_back(new_page: NewPage, url: str) -> None:
    host, guest = new_page(), new_page()
    start(host, url, how="friend")
    guest.goto(host.locator(".linkbox .link").input_value())
    rng = random.Random(3)
    for _ in range(200):
        if any(touch.startswith("die:") for touch in offered(host)) and "button:end" in offered(host):
            break
        until(lambda: offered(host) or offered(guest), "somebody's turn")
        play_by_clicking(host if offered(host) else guest, rng, touches=1)
    had = host.locator(".dice .die:not(.used)").count()
    use_die(host, "cards")
    until(lambda: my_turn(host), "the drawn cards")
    for answer in ("Refuse", "Agree"):
        host.keyboard.press("u")
        host.locator(".toast button", has_text="Ask the others").click()
        expect(guest.locator(".proposal")).to_contain_text("take back")
        guest.locator(".proposal button", has_text=answer).click()
        expect(host.locator(".proposal")).to_be_hidden()
        if answer == "Refuse":  # who has asked is told, and not only in the log
            expect(host.locator(".toast")).to_contain_text("refuses.")
    until(lambda: host.locator(".dice .die:not(.used)").count() == had, "the die back")
    expect(guest.locator(".toast")).to_contain_text("takes back a move.")
    expect(host.locator(".proposal")).to_be_hidden()


def test_a_table_loads_its_own_drawing_only_and_compressed(new_page: NewPage, url: str) -> None:
    page = new_page()
    start(page, url)
    my_turn(page)
    answers: list[Response] = []
    page.on("response", lambda answer: answers.append(answer))
    page.reload()
    my_turn(page)
    drawings = {m[1] for a in answers if (m := re.search(r"/titles/(\w+)/\w+\.js", a.url))}
    assert drawings == {LARGE}
    script = next(a for a in answers if a.url.endswith(f"/titles/{LARGE}/table.js"))
    assert script.header_value("content-encoding") == "gzip"
    secret = next(a for a in answers if "/api/matches/" in a.url)
    assert secret.header_value("content-encoding") is None, "what is not for everybody is not compressed"


STYLES = "() => [...document.styleSheets].map((sheet) => new URL(sheet.href).pathname)"


def test_a_table_that_is_opened_anew_has_its_styles_in_the_same_order(new_page: NewPage, url: str) -> None:
    """Those of the title come last: else the client would win where both speak of the same class."""
    page = new_page()
    start(page, url, title=WIDE)
    my_turn(page)
    before = page.evaluate(STYLES)
    page.reload()
    my_turn(page)
    assert page.evaluate(STYLES) == before
    assert [path.startswith("/titles/") for path in before] == sorted(
        path.startswith("/titles/") for path in before
    )


def test_giving_up(new_page: NewPage, url: str) -> None:
    page = new_page()
    start(page, url)
    my_turn(page)
    page.locator("button[aria-label='Menu']").click()
    page.locator("dialog .item", has_text="Resign").click()
    page.locator("dialog .sure").click()
    expect(page.locator("dialog h2")).to_have_text("Defeat")
    expect(page.locator("dialog")).to_contain_text("Decided by resignation")


def test_a_clock_and_options(new_page: NewPage, url: str) -> None:
    page = new_page()
    page.goto(f"{url}/new/{LARGE}")
    page.locator("#clock").select_option("1")
    page.locator("details summary").click()
    page.locator("#option-triples").select_option("repeat")
    page.locator("button[type=submit]").click()
    my_turn(page)
    expect(page.locator(".plate.us .clock")).to_have_text(re.compile(r"1[45]:\d\d"))
    page.locator("button[aria-label='Menu']").click()
    page.locator("dialog details summary").click()
    expect(page.locator("dialog .options")).to_contain_text("as long as triples come")


def test_a_long_press_tells_what_a_thing_is(new_page: NewPage, url: str) -> None:
    page = new_page(viewport={"width": 390, "height": 780}, is_mobile=True, has_touch=True)
    start(page, url)
    my_turn(page)
    before = entry(page)
    card = page.locator(".hand .held").first
    box = card.bounding_box()
    assert box is not None
    at = {"clientX": box["x"] + 20, "clientY": box["y"] + 20, "pointerType": "touch", "bubbles": True}
    card.dispatch_event("pointerdown", {**at, "button": 0})
    expect(page.locator(".info")).to_be_visible()
    card.dispatch_event("pointerup", at)
    card.dispatch_event("click", {"bubbles": True})
    assert entry(page) == before, "a long press is no touch"


def test_a_refusal_names_its_rule(new_page: NewPage, url: str) -> None:
    page = new_page()
    start(page, url)
    until_dice(page, random.Random(7))
    page.locator(".row.them .slot:not(.empty)").first.click()
    toast = page.locator(".toast")
    expect(toast.locator(".rule")).to_have_text(re.compile(r"[FPR]\d+"))
    assert len(toast.inner_text()) > 30
    die = page.locator(".dice .die.lit").first
    value = (die.get_attribute("data-touch") or "")[4:]
    other = next(n for n in "123456" if n != value)
    die.click()
    page.locator(f".strip .d-{other}").click()
    expect(toast.locator(".rule")).to_have_text("P8")


def test_a_choice_is_seen_before_it_is_made(new_page: NewPage, url: str) -> None:
    """What if: the money that a die would bring stands beside the purse."""
    page = new_page()
    start(page, url)
    until_dice(page, random.Random(9))
    die = page.locator(".dice .die.lit").first
    value = (die.get_attribute("data-touch") or "")[4:]
    die.click()
    page.locator(".d-money").hover()
    expect(page.locator(".plate.us .money .delta")).to_have_text(f"+{value}")
    page.keyboard.press("Escape")
    expect(page.locator(".delta")).to_have_count(0)
    page.locator(".row.us .slot:not(.empty)").first.hover()
    expect(page.locator(".info")).to_be_visible()
    assert len(page.locator(".info").inner_text()) > 40


def test_coming_back_in_the_middle_of_a_turn(new_page: NewPage, tmp_path: Path) -> None:
    """The server is killed and starts again; the table goes on where it was."""
    own = ServerProcess(str(tmp_path / "own.db"), {"bot_think": "0.05"})
    own.start()
    try:
        page = new_page(allow=("WebSocket connection", "net::ERR_"))
        start(page, own.url)
        until_dice(page, random.Random(10))
        had = money(page)
        value = use_die(page, "money")
        until(lambda: money(page) == had + value, "the money")
        seen = entry(page)
        own.kill()
        expect(page.locator(".lost")).to_be_visible()
        own.start()
        expect(page.locator(".lost")).to_be_hidden(timeout=20_000)
        assert (entry(page), money(page)) == (seen, had + value)
        before = entry(page)
        play_by_clicking(page, random.Random(1), touches=6)
        assert entry(page) > before
        page.reload()
        until(lambda: entry(page) > before, "the match after a reload")
    finally:
        own.kill()


def test_a_table_whose_words_do_not_come_says_so(new_page: NewPage, url: str) -> None:
    """The line goes while a table is opened: a page says so, and leads back when there is one again."""
    page = new_page(allow=("net::ERR_",))
    start(page, url)
    page.route("**/api/titles/*", lambda route: route.abort())
    page.reload()
    expect(page.locator(".offline h1")).to_be_visible()
    page.unroute("**/api/titles/*")
    page.locator(".offline button").click()
    expect(page.locator(".table .bar")).to_be_visible()


# What of the replay's buttons lies under another one, or off the screen.
PUSHED_AWAY = """() => [...document.querySelectorAll(".replay button:not(.eye)")].filter((el) => {
  const box = el.getBoundingClientRect();
  const top = document.elementFromPoint(box.left + box.width / 2, box.top + box.height / 2);
  return box.width > 0 && !el.contains(top);
}).map((el) => el.title || el.textContent)"""


def test_on_a_phone_on_its_side_all_buttons_of_a_replay_have_their_place(new_page: NewPage, url: str) -> None:
    page = new_page(viewport={"width": 844, "height": 390}, is_mobile=True, has_touch=True)
    start(page, url)
    my_turn(page)
    page.locator("header.top button[aria-label='Menu']").click()
    page.locator("dialog .item", has_text="Resign").click()
    page.locator("dialog .sure").click()
    page.locator("dialog.result").wait_for()
    page.goto(f"{page.url.split('?')[0]}?at=2")
    expect(page.locator(".replay .analyse")).to_be_visible()
    expect(page.locator(".replay .eye")).to_have_count(2)
    assert page.evaluate(PUSHED_AWAY) == []


def test_replay(new_page: NewPage, url: str) -> None:
    page = new_page()
    start(page, url)
    until_dice(page, random.Random(12))
    last = entry(page)
    page.locator(".log .line").nth(3).click()
    replay = page.locator(".replay")
    expect(replay).to_be_visible()
    assert not offered(page), "nothing can be touched in the past"
    slider = replay.locator("input[type=range]")
    at = int(slider.input_value())
    page.keyboard.press("ArrowRight")
    until(lambda: int(slider.input_value()) == at + 1, "one step")
    page.keyboard.press("Home")
    until(lambda: slider.input_value() == "0", "the beginning")
    replay.locator("button[aria-label='Play']").click()
    until(lambda: int(slider.input_value()) > 0, "autoplay")
    link = page.url
    assert "at=" in link
    replay.locator("button", has_text="Back to the present").click()
    expect(replay).to_be_hidden()
    assert offered(page)
    page.goto(re.sub(r"at=\d+", "at=8", link))
    until(lambda: page.locator(".replay input[type=range]").input_value() == "8", "the moment of the link")
    assert last >= 8


@pytest.mark.parametrize("lang", ["fr", "it", "de"])
def test_languages(new_page: NewPage, url: str, lang: str) -> None:
    """In the browser's language, and no English words in between."""
    page = new_page(locale=f"{lang}-{lang.upper()}")
    english, own = words_on_screen(LARGE, "en"), words_on_screen(LARGE, lang)
    foreign = {v for k, v in english.items() if own[k] != v and len(v) > 4 and "{" not in v}
    page.goto(url)
    expect(page.locator(".playnow").first).to_have_text(own["playnow"])
    texts = [page.inner_text("body")]
    start(page, url)
    my_turn(page)
    texts.append(page.inner_text("body"))
    for button in ("menu", "settings"):
        page.locator(f"button[aria-label='{own[button]}']").first.click()
        texts.append(page.inner_text("dialog"))
        page.keyboard.press("Escape")
    page.goto(f"{url}/new/{LARGE}")
    page.locator("form").wait_for()
    texts.append(page.inner_text("body"))
    lines = {line.strip() for text in texts for line in text.splitlines()}
    assert not lines & foreign
    assert page.evaluate("() => document.documentElement.lang") == lang


def test_a_whole_turn_in_french(new_page: NewPage, url: str) -> None:
    page = new_page(locale="fr-FR")
    start(page, url)
    until_dice(page, random.Random(13))
    expect(page.locator(".bar .buttons")).to_contain_text("Finir le tour")
    assert "dés" in page.locator(".log").inner_text()
    page.locator("button[aria-label='Réglages et langue']").click()
    page.locator("dialog label", has_text="Deutsch").click()
    expect(page.locator(".bar .buttons")).to_contain_text("Zug beenden")


@pytest.mark.parametrize("path", ["/m/AAAAAAAAAAAAAAAA", "/m/x", "/nowhere/at/all", "/new/chess"])
def test_wrong_links(new_page: NewPage, url: str, path: str) -> None:
    page = new_page()
    page.goto(url + path)
    expect(page.locator(".nothing h1")).to_have_text("Nothing here")
    page.locator(".nothing a").click()
    expect(page.locator(f"[data-title={LARGE}]")).to_be_visible()


def test_an_invitation_that_was_used_already(new_page: NewPage, url: str) -> None:
    host, guest = new_page(), new_page()
    late = new_page(allow=("status of 4",))
    start(host, url, how="friend")
    link = host.locator(".linkbox .link").input_value()
    guest.goto(link)
    expect(guest.locator(f".{LARGE}")).to_be_visible()
    late.goto(link)
    expect(late.locator(f".{LARGE}")).to_be_visible()
    assert late.locator(".hand .card").count() == 0


def test_my_matches_and_the_page_title(new_page: NewPage, url: str) -> None:
    page = new_page()
    start(page, url)
    my_turn(page)
    assert page.title().startswith("● ")
    where = page.url
    page.locator(".brand").click()
    row = page.locator("#mine a").first
    expect(row).to_be_visible()
    row.click()
    page.wait_for_url(where)
    page.locator("#tab-note").click()
    page.locator("#pane-note textarea").fill("cave canem")
    expect(page.locator(".saved")).to_have_text("Saved")
    page.reload()
    until(lambda: page.locator("#pane-note textarea").input_value() == "cave canem", "the note")
    page.keyboard.press("?")
    expect(page.locator("dialog .keys")).to_be_visible()


def test_a_screen_reader_hears_what_happens(new_page: NewPage, url: str) -> None:
    page = new_page()
    start(page, url)
    until_dice(page, random.Random(14))
    use_die(page, "money")
    expect(page.locator("#live")).to_contain_text("sesterces")
    choices = page.locator(".choices button[data-action]")
    until(lambda: choices.count() > 0, "the list")
    mirror = page.evaluate("() => [...document.querySelectorAll('.choices button')].map((b) => b.innerText)")
    assert any("sesterces" in text for text in mirror) or any("nd the turn" in text for text in mirror)


def serious(page: Page) -> list[str]:
    page.evaluate((files("axe_playwright_python") / "axe.min.js").read_text(encoding="utf-8"))
    found: dict[str, Any] = page.evaluate("() => axe.run()")
    assert len(found["passes"]) > 10, "axe has looked at next to nothing"
    return [
        f"{v['id']}: {[n['target'] for n in v['nodes'][:3]]}"
        for v in found["violations"]
        if v["impact"] in ("serious", "critical")
    ]


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_accessibility(new_page: NewPage, url: str, scheme: str) -> None:
    """axe finds nothing serious on any page, light or dark."""
    page = new_page(color_scheme=scheme)
    page.goto(url)
    page.locator(".title").first.wait_for()
    problems = serious(page)
    page.goto(f"{url}/new/{LARGE}")
    page.locator("form").wait_for()
    problems += serious(page)
    start(page, url)
    until_dice(page, random.Random(15))
    problems += serious(page)
    page.locator(".dice .die.lit").first.click()
    problems += serious(page)
    page.keyboard.press("Escape")
    page.locator("button[aria-label='Menu']").click()
    problems += serious(page)
    page.keyboard.press("Escape")
    for title in (SMALL, BARE):
        start(page, url, title=title)
        my_turn(page)
        problems += serious(page)
    assert not problems, problems


def test_the_proof_finds_a_changed_key(new_page: NewPage, url: str) -> None:
    """The functions of the proof, against fixed values and against forged ones."""
    page = new_page()
    page.goto(url)
    told = page.evaluate(
        """async () => {
          const v = await import("/js/match/verify.js");
          const h = await import("/js/match/sha256.js");
          const data = new TextEncoder().encode("abc");
          const key = "000102030405060708090a0b0c0d0e0f";
          const nonces = ["00".repeat(16), "ff".repeat(16)];
          const message = new Uint8Array(40); message.fill(255, 16, 32); message[39] = 5;
          const mine = h.hmac(v.bytesOf(key), message);
          return {
            plain: v.hexOf(h.digest(data)), web: v.hexOf(await h.sha256(data)),
            commitment: await v.commitmentOf("match", key),
            forged: await v.commitmentOf("match", key.replace("00", "01")),
            number: await v.numberOf(key, nonces, 5), byHand: new DataView(mine.buffer).getUint32(0),
            picks: [0, 2 ** 31, 2 ** 32 - 1].map((u) => v.pick(u, [["a", 1], ["b", 2], ["c", 1]])),
          };
        }"""
    )
    from ludus.core.chance import Keyed
    from ludus.match.fairness import commitment

    key = bytes(range(16))
    assert told["plain"] == told["web"] == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
    assert told["commitment"] == commitment("match", key) != told["forged"]
    assert told["number"] == told["byHand"] == Keyed(key, [bytes(16), b"\xff" * 16]).u32(5)
    assert told["picks"] == ["a", "b", "c"]
    assert not is_over(page)
