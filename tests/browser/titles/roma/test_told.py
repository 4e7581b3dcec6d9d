"""The other's turn at a pace: nothing is seen before it is told; pause, step, skip."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

from playwright.sync_api import Page, expect

from browser.driving import (
    end_turn,
    entry,
    locate,
    my_turn,
    offered,
    play_by_clicking,
    press,
    start,
    start_scene,
    touch_all,
    until,
)
from browser.titles.roma.test_board import ME, TURN

NewPage = Callable[..., Page]
# What is told so far: coins in the log and on the plate.  Two equal dice are one line that counts twice.
TOLD = """() => {
  const lines = [...document.querySelectorAll(".log .seat1[data-n]")].flatMap((el) =>
    Array(Number(el.dataset.times ?? 1)).fill(el.textContent));
  const taken = lines.map((line) => Number(/takes (\\d+) sesterce/.exec(line)?.[1] ?? 0));
  return { coins: taken.reduce((sum, n) => sum + n, 0), lines: lines.length,
    money: Number(document.querySelector(".plate.them .money").dataset.n),
    caption: document.querySelector("#prompt").textContent };
}"""
LISTEN = """() => {
  window.said = [];
  const bar = document.querySelector("#prompt");
  new MutationObserver(() => window.said.push(bar.textContent))
    .observe(bar, { childList: true, characterData: true, subtree: true });
}"""
HIDE = """() => {
  Object.defineProperty(document, "hidden", { configurable: true, get: () => true });
  document.dispatchEvent(new Event("visibilitychange"));
}"""


def told(page: Page) -> dict[str, Any]:
    found: dict[str, Any] = page.evaluate(TOLD)
    return found


def test_the_beginning_is_told_in_few_words(new_page: NewPage, url: str) -> None:
    """Who lays down last turns up all cards: the board shows them, the log names them, the bar need not."""
    page = new_page(viewport={"width": 390, "height": 844}, is_mobile=True, has_touch=True)
    start(page, url, "roma")
    my_turn(page)
    page.evaluate(LISTEN)
    for _ in range(40):
        play_by_clicking(page, random.Random(3), touches=1, tap=True)
        if page.locator(".log").get_by_text("throws").count():
            break
    assert page.locator(".log").get_by_text("turns up").count() == 2
    assert max(map(len, page.evaluate("() => window.said"))) < 120


def test_a_turn_is_told_step_by_step_and_skipped(new_page: NewPage, staged: str) -> None:
    page, guest = new_page(reduced_motion="no-preference"), new_page()
    page.add_init_script("""localStorage.setItem("ludus.settings", '{"pace":"slow"}')""")
    start_scene(page, staged, "roma", "turn", [ME, {"kind": "link"}])
    guest.goto(page.locator(".linkbox .link").input_value())
    until(lambda: my_turn(page), "my turn")
    had = told(page)["money"] - told(page)["coins"]
    press(page, "button:end")
    warning = page.locator(".toast")
    expect(warning).to_contain_text("You have 3 dice left to use.")
    assert "button:end" in offered(page), "nothing is played yet"
    locate(page, "button:end").hover()  # what that would change is asked for
    warning.locator("button", has_text="End anyway").evaluate("(el) => el.click()")
    assert "Waiting for" not in page.locator("#prompt").inner_text()
    until(lambda: my_turn(guest), "the turn of the guest")
    guest.evaluate(TURN)
    buttons = page.locator(".bar .pace button")
    expect(buttons).to_have_count(3)
    until(lambda: buttons.first.is_visible(), "the first step")
    buttons.nth(1).click()
    expect(buttons.first).to_have_attribute("aria-label", "Go on")
    while not told(page)["lines"]:  # first the dice
        buttons.nth(1).click()
    steps: list[Callable[[], None]] = [buttons.nth(1).click, lambda: page.keyboard.press("ArrowRight")]
    for step in steps:
        before = told(page)
        assert before["money"] == had + before["coins"], "the plate says what the log says"
        assert not offered(page) and entry(page) < 10
        expect(page.locator(".delta")).to_have_count(0)  # nothing is shown of what is still to be told
        step()
        until(lambda: told(page)["lines"] > before["lines"], "the next step")  # noqa: B023
    page.keyboard.press("Escape")
    until(lambda: offered(page), "my turn", 3)
    now = told(page)
    assert now["coins"] == now["money"] - had > 0
    expect(page.locator(".bar .pace")).to_be_hidden()
    expect(page.locator(".digest")).to_be_visible()

    page.evaluate(HIDE)
    if "button:end" not in offered(page):  # three of a kind are kept
        press(page, offered(page)[0])
        until(lambda: "button:end" in offered(page), "the dice")
    end_turn(page)
    until(lambda: my_turn(guest), "the second turn of the guest")
    guest.evaluate(TURN.replace("a-whole-turn", "another-turn"))
    until(lambda: offered(page), "my turn at once", 3)
    assert told(page)["money"] > now["money"]


PACE = """() => {
  const el = document.querySelector(".bar .pace");
  return el.hidden ? "" : getComputedStyle(el).visibility;
}"""


# The first of it that is painted, however late somebody asks.
FIRST_PACE = f"""() => {{
  const look = () => (window.firstPace = ({PACE})()) || requestAnimationFrame(look);
  look();
}}"""


def test_no_button_of_the_playback_comes_under_a_thumb(new_page: NewPage, staged: str) -> None:
    """What lay there a moment ago ended the turn.  Held, the bar says so and has the way on in words."""
    page, guest = (
        new_page(
            reduced_motion="no-preference",
            viewport={"width": 390, "height": 844},
            is_mobile=True,
            has_touch=True,
        ),
        new_page(),
    )
    page.add_init_script("""localStorage.setItem("ludus.settings", '{"pace":"slow"}')""")
    start_scene(page, staged, "roma", "turn", [ME, {"kind": "link"}])
    guest.goto(page.locator(".linkbox .link").input_value())
    until(lambda: my_turn(page), "my turn")
    end_turn(page)
    until(lambda: my_turn(guest), "the turn of the guest")
    page.evaluate(FIRST_PACE)
    guest.evaluate(TURN)
    assert until(lambda: page.evaluate("window.firstPace"), "the first step") == "hidden", "not at once"
    until(lambda: page.evaluate(PACE) == "visible", "the buttons", 5)
    page.locator(".bar .pace button").first.tap()
    held = page.locator(".bar .pace .goon")
    expect(held).to_have_text("PausedGo on")
    held.tap()
    expect(held).to_have_count(0)


# Which of my cards were marked as attacked, from now on.
ATTACKED = """() => {
  window.attacked = new Set();
  new MutationObserver(() => {
    for (const el of document.querySelectorAll(".row.us .slot.attacked"))
      window.attacked.add(el.dataset.touch);
  }).observe(document.querySelector(".board"), { subtree: true, attributeFilter: ["class"] });
}"""


def test_what_is_attacked_is_marked_while_the_die_falls(new_page: NewPage, staged: str) -> None:
    page, guest = new_page(reduced_motion="no-preference"), new_page()
    start_scene(page, staged, "roma", "attack", [ME, {"kind": "link"}])
    guest.goto(page.locator(".linkbox .link").input_value())
    until(lambda: my_turn(guest), "the turn of the guest")
    page.evaluate(ATTACKED)
    touch_all(guest, ["die:2", "disc:2", "side0:3"])
    until(lambda: page.evaluate("() => [...window.attacked]") == ["side0:3"], "the mark", 10)
    until(lambda: not page.locator(".slot.attacked").count(), "the end of the battle", 20)


def test_the_chance_of_an_attack_stands_on_its_target_and_a_long_press_previews(
    new_page: NewPage, staged: str
) -> None:
    """For fingers too, which cannot rest on a thing without touching it."""
    host, page = (
        new_page(),
        new_page(viewport={"width": 390, "height": 844}, is_mobile=True, has_touch=True),
    )
    start_scene(host, staged, "roma", "attack", [ME, {"kind": "link"}])
    page.goto(host.locator(".linkbox .link").input_value())
    until(lambda: my_turn(page), "the turn of the guest")
    press(page, "die:2", tap=True)
    before, money = entry(page), page.locator(".disc.d-money")
    box = money.bounding_box()
    assert box is not None
    at = {"clientX": box["x"] + 9, "clientY": box["y"] + 9, "pointerType": "touch", "bubbles": True}
    money.dispatch_event("pointerdown", {**at, "button": 0})
    expect(page.locator(".plate.us .money .delta")).to_have_text("+2")
    expect(page.locator(".info")).to_be_visible()
    money.dispatch_event("pointerup", at)
    money.dispatch_event("click", {"bubbles": True})
    assert entry(page) == before, "a long press is no touch"
    touch_all(page, ["disc:2"], tap=True)
    expect(page.locator(".row.them .slot .chance")).to_have_text(["67\u00a0%", "83\u00a0%"])
    press(page, "side0:3", tap=True)
    expect(page.locator(".slot .chance")).to_have_count(0)
