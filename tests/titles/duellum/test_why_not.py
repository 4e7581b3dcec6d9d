"""Antike Duellum: what a path of touches was meant to be, and what stands against it, with its numbers."""

from __future__ import annotations

from typing import Any

import pytest

from ludus.core.game import Game
from ludus.core.telling import Line, say_line
from ludus.core.touches import why_not
from ludus.core.words import LANGUAGES
from ludus.titles.duellum import TITLE
from ludus.titles.duellum import layout as at

Play = Game[Any, Any]


def at_stretch(main: int, goods: tuple[int, int, int, int] = (0, 0, 0, 0), **options: Any) -> Play:
    """Beige (Rome) is at a stretch of its turn, with so much marble, iron, gold and coins."""
    game = TITLE.new(seed=1, board="rome_carthage", **options)
    s = game.s
    while s.phase != at.RONDEL:
        game.play(game.legal()[0])
    s.active, s.phase, s.main = 0, main, main
    s.goods[0][:] = list(goods)
    return game


def place(game: Play, name: str) -> int:
    return game.labels["region"].index(name)


def said(game: Play, *path: str) -> tuple[str, str]:
    """The reason of a refused touch, in English, and the rule; a legal one has neither."""
    game.s = game.s  # the test has written to it
    found = why_not(game, path)
    return say_line(game.words, "en", found.because, ()) if found.because else "", found.rule


def test_a_toll_says_what_one_has_and_what_the_way_costs() -> None:
    game = at_stretch(at.RONDEL, (1, 0, 0, 1))
    game.s.stone[0] = at.FERRUM
    assert said(game, "space:ferrum") == ("You have 2 goods; the way to FERRUM costs 5.", "P1")
    assert said(game, "space:scientia") == ("You have 2 goods; the way to SCIENTIA costs 3.", "P1")
    assert said(game, "space:marmor") == ("", ""), "the last that can be paid"
    game.s.goods[0][0] = 0
    assert said(game, "space:marmor") == ("You have 1 good; the way to MARMOR costs 2.", "P1")


def test_a_city_says_its_price_and_the_surcharge_for_its_neighbours() -> None:
    game = at_stretch(at.FOUND, (1, 1, 0, 0))
    s, r = game.s, place(game, "neapolis")
    assert said(game, "region:neapolis") == ("You have no legion or galley in Naples.", "R10")
    s.army[0][0][r] = 1
    near = [game.box.near[r][k] for k in range(game.box.near_n[r])]
    for q in near:
        s.makes[q] = 0
    s.makes[near[0]] = s.makes[near[1]] = at.MARBLE + 1
    have = "You have 1 marble, 1 iron, 0 gold, 0 coins; founding Naples"
    price = "costs 1 marble, 1 iron, 1 gold"
    assert said(game, "region:neapolis") == (f"{have} (iron) {price}.", "P4"), "the cheapest is meant"
    more = "and, for neighbouring cities that make the same, 2 coins."
    assert said(game, "region:neapolis", "token:marble") == (f"{have} (marble) {price} {more}", "P4")
    s.goods[0][at.GOLD] = 1
    assert said(game, "region:neapolis", "token:iron") == ("", "")
    assert said(game, "region:neapolis", "token:marble")[1] == "R6", "only the surcharge is lacking"
    s.goods[0][at.COIN] = 2
    assert said(game, "region:neapolis", "token:marble") == ("", "")
    s.bank_tokens[2] = 0
    gone = f"The bank has no token for iron left: all {game.box.tokens[2]} are on the board."
    assert said(game, "region:neapolis", "token:iron") == (gone, "R13")
    s.owner[r] = 2
    assert said(game, "region:neapolis") == ("There is a city in Naples already.", "R10")
    s.cities[0] = game.box.max_cities
    full = f"All your {game.box.max_cities} disks for cities are on the board."
    assert said(game, "region:neapolis") == (full, "R57")


def test_what_stands_against_a_city_does_so_while_temples_are_built() -> None:
    game = at_stretch(at.TEMPLUM, (9, 9, 9, 9))
    assert said(game, "region:neapolis") == ("You have no legion or galley in Naples.", "R10")
    game.s.army[0][0][place(game, "neapolis")] = 1
    assert said(game, "region:neapolis") == ("", "R1"), "in its time it could be founded"


def test_a_temple_says_its_price_with_the_neighbouring_temples() -> None:
    game = at_stretch(at.TEMPLUM, (5, 0, 0, 0))
    s, r = game.s, place(game, "roma")
    s.walls[0] = 0
    assert said(game, "region:roma") == ("You have 5 marble, 0 coins; a temple costs 6 marble.", "P3")
    s.goods[0][at.COIN] = 1
    assert said(game, "region:roma") == ("", "")
    s.temple[game.box.near[r][0]] = 1
    short = (
        "You have 5 marble, 1 coin; a temple in Rome costs 6 marble and, for neighbouring temples, 1 coin."
    )
    assert said(game, "region:roma") == (short, "R6")
    s.bank_temples = 0
    none = f"The bank has no temple left: all {game.box.temples} are built."
    assert said(game, "region:roma") == (none, "P11")
    s.temple[r] = 1
    assert said(game, "region:roma", "button:temple") == ("There is a temple in Rome already.", "R15")
    s.owner[r] = 2
    assert said(game, "region:roma") == ("You have no city in Rome.", "R15")


def test_a_wall_says_its_price_and_when_the_next_one_comes() -> None:
    game = at_stretch(at.TEMPLUM)
    s, r = game.s, place(game, "roma")
    s.temple[r], s.walls[0] = 1, 1
    assert said(game, "region:roma") == ("You have 0 marble, 0 coins; a wall costs 1 marble.", "P13")
    s.walls[0] = 0
    mark = next(n for n in range(1, 9) if game.box.wall_at[n])
    next_one = f"Your supply has no wall left; personage number {mark} brings the next one."
    assert said(game, "region:roma") == (next_one, "R16")
    s.persons[0][at.KING] = game.box.goal
    assert said(game, "region:roma") == ("Your supply has no wall left.", "R16")
    s.wall[r] = 1
    assert said(game, "region:roma", "button:wall") == ("There is a wall in Rome already.", "R15")


def test_arming_says_what_the_box_holds_what_a_city_may_arm_and_the_price() -> None:
    game = at_stretch(at.MILITIA, (0, 1, 0, 0))
    s, r = game.s, place(game, "roma")
    s.ready[at.LEGION], s.recruits[0][at.LEGION] = 0, 2
    late = "Your recruitment box holds 2 legions, but only since this turn."
    assert said(game, "unit:legion@box") == (late, "R17")
    s.recruits[0][at.LEGION] = 0
    assert said(game, "unit:legion@box") == ("There is no legion in your recruitment box.", "R17")
    s.ready[at.LEGION] = s.recruits[0][at.LEGION] = 2
    short = ("You have 1 iron, 0 coins; each unit costs 2 iron.", "P12")
    assert said(game, "unit:legion@box") == said(game, "region:roma") == short
    s.goods[0][at.COIN] = 1
    assert said(game, "unit:legion@box", "region:roma") == ("", "")
    s.armed[r] = 1
    full = ("1 unit was armed in Rome in this turn, and no more than 1 may be.", "R18")
    assert said(game, "unit:legion@box", "region:roma") == full
    s.temple[r] = 1
    assert said(game, "unit:legion@box", "region:roma") == ("", "")
    s.armed[r] = 3
    full = ("3 units were armed in Rome in this turn, and no more than 3 may be.", "R18")
    assert said(game, "unit:legion@box", "region:roma") == full
    assert said(game, "unit:legion@box", "region:neapolis") == ("You have no city in Naples.", "R18")


def test_a_leader_says_what_it_needs() -> None:
    game = at_stretch(at.MILITIA, (0, 2, 0, 0), special_units="it")
    s, r = game.s, place(game, "roma")
    s.ready[at.LEADER] = 1
    assert said(game, "unit:leader@box", "region:roma") == ("There is no temple in Rome.", "V1")
    s.temple[r] = 1
    short = "You have 2 iron, 0 coins; the leader costs 3 iron."
    assert said(game, "unit:leader@box", "region:roma") == (short, "V1")
    s.goods[0][at.IRON] = 3
    assert said(game, "unit:leader@box", "region:roma") == ("", "")
    s.leader_at[0], s.ready[at.LEADER] = r + 1, 0
    assert said(game, "unit:leader@box") == ("Your leader is on the map already.", "V1")


def test_know_how_and_recruits_say_their_price_in_gold_and_what_the_supply_holds() -> None:
    game = at_stretch(at.SCIENTIA, (0, 0, 1, 0))
    s, box = game.s, game.box
    first, second = box.know_first[at.STRATA], box.know_second[at.STRATA]
    assert said(game, "know:strata") == (f"You have 1 gold, 0 coins; STRATA costs {first} gold.", "P5")
    s.know[1][at.STRATA] = 1
    assert said(game, "know:strata") == (f"You have 1 gold, 0 coins; STRATA costs {second} gold.", "P5")
    s.goods[0][at.COIN] = second - 1
    assert said(game, "know:strata") == ("", "")
    s.know[0][at.STRATA] = 1
    assert said(game, "know:strata") == ("You have STRATA already.", "R22")
    s.goods[0][:] = [0, 0, 1, 0]
    galley = "You have 1 gold, 0 coins; recruiting 1 galley costs 2 gold."
    assert said(game, "unit:galley@supply") == (galley, "P6")
    assert said(game, "unit:legion@supply", "amount:1") == ("", "")
    two = "You have 1 gold, 0 coins; recruiting 2 legions costs 2 gold."
    assert said(game, "unit:legion@supply", "amount:2") == (two, "P6")
    s.supply[0][at.LEGION] = 0
    assert said(game, "unit:legion@supply") == ("Your supply holds 0 legions.", "P11")


def test_a_march_says_the_steps_that_are_left() -> None:
    game = at_stretch(at.MOVE)
    s, r = game.s, place(game, "roma")
    s.army[0][at.LEGION][r] = s.left[at.LEGION][1][r] = 1
    far = "A legion in Rome has 1 step left; this way takes at least 2."
    assert said(game, "unit:legion@roma", "region:croton") == (far, "R24")
    assert said(game, "unit:legion@roma", "region:carthago") == ("", "R28"), "over sea"
    s.left[at.LEGION][1][r] = 0
    tired = "No legion in Rome has a step left in this turn."
    assert said(game, "unit:legion@roma") == (tired, "R24")
    s.leader_at[0] = r + 1
    assert said(game, "unit:leader@roma") == ("Your leader has no step left in this turn.", "V2")


def test_a_conquest_says_how_many_units_are_there_and_how_many_it_takes() -> None:
    game = at_stretch(at.CONQUEST)
    s, r = game.s, place(game, "carthago")
    s.army[0][at.LEGION][r], s.wall[r], s.army[1][at.GALLEY][r] = 1, 1, 1
    assert said(game, "region:carthago") == ("You have 1 unit in Carthage; the city takes 3.", "R30")
    s.army[0][at.GALLEY][r] = 1
    s.wall[r] = 0
    assert said(game, "region:carthago") == ("", "")
    s.siege[r], s.temple[r] = 1, 1
    assert said(game, "region:carthago") == ("You have 2 units in Carthage; the city takes 3.", "R30")
    s.main = s.phase = at.MOVE
    assert said(game, "region:carthago") == ("", "R29"), "in its time"


def test_a_trade_says_how_many_goods_it_takes() -> None:
    game = at_stretch(at.FOUND, (1, 0, 0, 1))
    game.s.know[0][at.COMMERCIUM] = 1
    sight, code = game.sight(0), at.TRADE
    line = TITLE.talk.because(sight, code)
    assert line and say_line(game.words, "en", line, ()) == "You have 2 goods; a trade takes 3."
    game.s.goods[0][0] = 2
    game.s = game.s
    assert code in game.legal_codes()


@pytest.mark.parametrize("main", [at.MILITIA, at.MOVE, at.FOUND])
def test_a_touch_that_nobody_knows_is_no_action(main: int) -> None:
    game = at_stretch(main)
    for path in (("region:moon",), ("unit:mule@box",), ("unit:legion@roma", "region:moon"), ("moon:1",)):
        assert said(game, *path) == ("", ""), path
    assert (
        said(game, "unit:mule@roma", "region:neapolis") == said(game, "region:moon", "token:iron") == ("", "")
    )


@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_reason_is_said_in_every_language(lang: str) -> None:
    """Nothing stays in braces, and one is one."""
    words = TITLE.words
    fields = {
        "number": 1, "toll": 2, "tax": 1, "gives": 3, "mark": 4, "armed": 1, "most": 1, "needed": 2,
        "goods": [("count", "marble", 1), ("count", "coin", 1)], "price": ("count", "gold", 1),
        "units": ("count", "galley", 1), "unit": ("unit", "galley"), "know": ("know", "strata"),
        "space": ("space", "marmor"), "region": ("region", "roma"), "token": ("token", "iron"),
    }  # fmt: skip
    keys = [key for key in words.keys("en") if key.startswith("because.")]
    assert len(keys) > 30
    for key in keys:
        text = say_line(words, lang, Line(key, fields), ())
        assert "{" not in text and "1 unit were" not in text and text[-1] == ".", text
        assert lang == "en" or text != say_line(words, "en", Line(key, fields), ()), key
