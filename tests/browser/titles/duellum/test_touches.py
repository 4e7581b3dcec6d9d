"""How many touches a turn of Duellum takes: pressed in a real browser, and of a whole game."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

from playwright.sync_api import Page, expect

from browser.driving import entry, is_over, my_turn, offered, press, start_scene, until
from browser.staged import scene_of
from ludus.core.game import Game
from ludus.core.gestures import Gesture, by_itself, gestures
from ludus.core.scene import set_up
from ludus.core.touches import paths

NewPage = Callable[..., Page]
ME, SCREEN = {"kind": "me"}, {"kind": "screen"}


# -- a game that was played ------------------------------------------------------------------------------


def pressed(found: list[Gesture], gesture: Gesture) -> list[str]:
    """What is pressed for a gesture, one after the other: a number by the buttons of its stepper."""
    presses: list[str] = []
    for k, touch in enumerate(gesture.path):
        beside = [one.path[k] for one in found if one.path[:k] == gesture.path[:k] and len(one.path) > k]
        numbers = [int(one[7:]) for one in beside if one.startswith("amount:")]
        if not touch.startswith("amount:"):
            presses.append(touch)
        elif len(numbers) < len(beside):  # so many fewer than all
            presses += ["less"] * (max(numbers) + 1 - int(touch[7:]))
        else:
            by = int(touch[7:]) - numbers[0]
            presses += ["more" if by > 0 else "less"] * abs(by) + ["go"]
    return presses


def played(scene: str) -> Iterator[tuple[Game[Any, Any], Gesture, list[str]]]:
    """The game of a scene as gestures: the position before each, the gesture, and what is pressed.  What is
    played by itself is not pressed."""
    game = set_up(scene_of("duellum", scene))
    for step in scene_of("duellum", scene).steps:
        left = list(step["play"])
        while left:
            found = gestures(game)
            said = {gesture: [game.action(code).text for code in gesture.codes] for gesture in found}
            begun = [gesture for gesture in found if left[: len(said[gesture])] == said[gesture]]
            if not begun:  # what is proposed is not what was chosen
                gesture = next(
                    one for one in found if one.proposed and said[one][: -one.proposed] == left[:1]
                )
                yield game, gesture, [*pressed(found, gesture), "otherwise"]
                game.play(*gesture.codes[: -gesture.proposed])
                left = left[len(gesture.codes) - gesture.proposed :]
                continue
            gesture = max(begun, key=lambda gesture: (len(gesture.codes), -len(gesture.path)))
            free = gesture is by_itself(game, found)
            yield game, gesture, [] if free else pressed(found, gesture)
            left = left[len(gesture.codes) :]
            game.play(*gesture.codes)


def test_a_whole_game_takes_three_touches_a_turn_or_fewer() -> None:
    touches = single = turns = 0
    for game, gesture, presses in played("whole-game"):
        touches += len(presses)
        turns += game.action(gesture.codes[0]).kind == "go"
        for code in gesture.codes:  # action by action, as the rules play it
            single += next(len(path) for path, action in paths(game).items() if action.code == code)
            game = game.after(code)
    assert turns > 120
    assert touches / turns < 3, f"{touches} touches in {turns} turns"
    assert touches < 0.6 * single, f"{touches} touches instead of {single}"


def turns_of(scene: str) -> Iterator[tuple[str, list[str], list[str]]]:
    """Each turn of a game: the space of the stone, the kinds of its actions, and what was pressed."""
    space, kinds, pressings = "", list[str](), list[str]()
    for game, gesture, presses in played(scene):
        first = game.action(gesture.codes[0])
        if first.kind == "go":
            if space:
                yield space, kinds, pressings
            space, kinds, pressings = first.text.split()[1], [], []
        for code in gesture.codes:
            kinds.append(game.action(code).kind)
            game = game.after(code)
        pressings += presses
    yield space, kinds, pressings


def test_production_is_one_touch_arming_three_and_a_city_two() -> None:
    turns = list(turns_of("whole-game"))
    produced = [(kinds, presses) for space, kinds, presses in turns if space in ("marmor", "ferrum", "aurum")]
    alone = [presses for kinds, presses in produced if "found" not in kinds and "otherwise" not in presses]
    assert len(alone) > 0.85 * len(produced)
    assert all(len(presses) == 1 for presses in alone), alone
    for kinds, presses in produced:  # a city is two more, and then the end of the turn is a choice
        if "found" in kinds and "otherwise" not in presses:
            assert len(presses) <= 2 + 2 * kinds.count("found"), presses
    armed = [presses for space, kinds, presses in turns if space == "militia"]
    assert len(armed) > 3
    for presses in armed:  # a unit is named only where the city could arm either
        assert len(presses) == 3 + any(touch.startswith("unit:") for touch in presses), presses


def press_lit(page: Page, touch: str) -> None:
    until(lambda: touch in offered(page), f"{touch} to be lit")
    press(page, touch)


def has_come(page: Page, number: int) -> bool:
    return entry(page) >= number or is_over(page)


def test_the_last_turns_of_that_game_by_pressing(new_page: NewPage, staged: str) -> None:
    """What is counted above is what it takes: both seats are played on one screen."""
    page = new_page()
    start_scene(page, staged, "duellum", "last-turns", [ME, SCREEN])
    for _, gesture, presses in played("last-turns"):
        before = entry(page)
        for touch in presses:
            if touch == "otherwise":
                page.locator(".otherwise").click()
                continue
            if touch in ("less", "more"):
                page.locator(".stepper").get_by_role("button", name=touch.capitalize()).click()
                continue
            press_lit(page, touch)
        until(partial(has_come, page, before + len(gesture.codes)), f"{gesture.path}")
    assert is_over(page)


# -- turns of each kind ------------------------------------------------------------------------------------


def touch(page: Page, *path: str) -> int:
    """Press one thing after the other; how many entries came of it."""
    before = entry(page)
    for one in path:
        press_lit(page, one)
    until(lambda: entry(page) > before, f"an answer to {path}")
    return entry(page) - before


def undo(page: Page) -> None:
    before = entry(page)
    page.keyboard.press("u")
    until(lambda: entry(page) > before, "undo")


def test_a_turn_of_each_kind_takes_few_touches_and_a_gesture_is_taken_back_as_one(
    new_page: NewPage, staged: str
) -> None:
    page = new_page()
    start_scene(page, staged, "duellum", "workshop", [ME, SCREEN])
    until(lambda: "space:templum" in my_turn(page), "my turn")
    prompt, log = page.locator("#prompt"), page.locator(".log")

    touch(page, "space:templum")  # a wall in Roma, without a button before it
    assert touch(page, "region:roma", "button:wall") == 2, "wall and payment"
    expect(log).to_contain_text("wall in Rome")
    page.locator(".otherwise").click()
    expect(prompt).to_have_text("How many coins do you pay instead of marble?")
    page.locator(".stepper .number").fill("1")
    touch(page, "go")
    expect(page.locator('.us .good[data-touch="good:coin"] b')).to_have_text("2")
    undo(page)  # the wall with the payment
    assert "region:roma" in my_turn(page)
    undo(page)
    assert "space:militia" in my_turn(page)

    touch(page, "space:militia")  # three touches: the stone, the city, the end
    assert touch(page, "region:cremona") == 2
    expect(log).to_contain_text("arms in Cremona")
    undo(page)
    undo(page)

    touch(page, "space:duellum")  # two a group, over two borders with STRATA
    assert touch(page, "unit:legion@roma", "region:aquileia") == 4
    expect(page.locator('.units [data-touch="unit:legion@aquileia"] .count')).to_have_text("3")
    page.reload()  # what one gesture played is known to a page that did not play it
    until(lambda: "unit:legion@aquileia" in my_turn(page), "the table again")
    undo(page)
    until(lambda: "unit:legion@roma" in my_turn(page), "all of it taken back")
    press(page, "unit:legion@roma")  # some of them
    page.get_by_role("button", name="Less").click()
    expect(page.locator(".parts output")).to_have_text("2 of 3")
    assert touch(page, "region:ancona") == 2
    expect(page.locator('.units [data-touch="unit:legion@ancona"] .count')).to_have_text("2")

    assert touch(page, "region:neapolis", "token:iron") > 3, "a city in two touches, out of the manoeuvre"
    expect(log).to_contain_text("founds Naples")


def test_a_trade_is_one_dialogue_and_a_single_choice_plays_itself_unless_switched_off(
    new_page: NewPage, staged: str
) -> None:
    page = new_page()
    start_scene(page, staged, "duellum", "workshop", [ME, SCREEN])
    until(lambda: "button:trade" in my_turn(page), "my turn")
    trade = page.locator('.buttons [data-touch="button:trade"]')
    expect(trade).to_have_class("secondary")  # what is beside the way is not the big red button
    before = entry(page)
    press(page, "button:trade")
    sheet = page.locator("dialog[open]")
    expect(sheet.locator("legend")).to_have_text(["You give three", "You take two"])
    expect(sheet.locator(".go")).to_be_disabled()
    sheet.locator('[data-tally="+take iron"]').click()
    sheet.locator('[data-tally="+take gold"]').click()
    sheet.locator(".go").click()
    until(lambda: entry(page) == before + 6, "the trade, in one message")
    goods = page.locator(".us .good b")
    expect(goods).to_have_text(["5", "7", "7", "3"])
    undo(page)
    expect(goods).to_have_text(["8", "6", "6", "3"])
    press(page, "button:trade")
    expect(sheet).to_be_visible()
    page.keyboard.press("Escape")
    expect(sheet).to_have_count(0)
    until(lambda: "space:marmor" in offered(page), "nothing has happened")

    # Production is one touch where no city could be founded: here one could.
    touch(page, "space:marmor")
    assert "button:end" in my_turn(page)
    press(page, "button:end")
    until(lambda: "space:aurum" in offered(page), "the turn of Carthage")
    turn = entry(page)
    touch(page, "space:aurum")
    until(lambda: entry(page) == turn + 2, "production, and the end of the turn by itself")

    page.evaluate("async () => (await import('/js/settings.js')).remember('single', 'off')")
    until(lambda: "button:trade" in my_turn(page), "Rome again")
    touch(page, "space:ferrum")
    press(page, "button:end")
    until(lambda: "space:marmor" in offered(page), "Carthage again")
    touch(page, "space:marmor")
    expect(page.locator('.buttons [data-touch="button:end"]')).to_be_visible()


def test_what_is_played_by_itself_is_said_before_and_what_is_picked_is_said_in_words(
    new_page: NewPage, staged: str
) -> None:
    page = new_page(reduced_motion="no-preference")
    start_scene(page, staged, "duellum", "workshop", [ME, SCREEN])
    until(lambda: "space:ferrum" in my_turn(page), "my turn")
    hint = page.locator(".bar .hint")
    touch(page, "space:militia")
    until(lambda: "region:roma" in offered(page), "where to arm")
    press_lit(page, "region:roma")
    expect(hint).to_have_text("Rome: now touch what is lit beside the map.")
    page.keyboard.press("Escape")
    press_lit(page, "button:end")
    until(lambda: "space:aurum" in offered(page), "the turn of Carthage")
    press_lit(page, "space:aurum")
    expect(hint).to_contain_text("The only choice left is played for you: “end the turn”.")
    until(lambda: "space:marmor" in offered(page), "Rome again")
    expect(hint).not_to_contain_text("played for you")
