"""Conquest of the Empire: what a path of touches was meant to be, and what stands against it, with its
numbers."""

from __future__ import annotations

from typing import Any

import pytest

from ludus.core.game import Game
from ludus.core.telling import Line, say_line
from ludus.core.touches import why_not
from ludus.core.words import LANGUAGES
from ludus.titles.conquest import TITLE
from ludus.titles.conquest import layout as at

Play = Game[Any, Any]
NAMES = ("Anna", "Ben")


def at_phase(phase: int = at.MOVE, talents: int = 0, seats: int = 2, **options: Any) -> Play:
    """Anna (Egypt) is at a phase of her turn; Ben is far away in Hispania."""
    game = TITLE.new(seed=1, seats=seats, homes="seated", acclamation="off", **options)
    game.s.phase, game.s.talents[0] = phase, talents
    return game


def area(game: Play, name: str) -> int:
    return game.labels["area"].index(name)


def says(game: Play, line: Line | None) -> str:
    return say_line(game.words, "en", line, NAMES) if line else ""


def said(game: Play, *path: str) -> tuple[str, str]:
    """The reason of a refused touch, in English, and the rule; a legal one has neither."""
    game.s = game.s  # the test has written to it
    found = why_not(game, path)
    return says(game, found.because), found.rule


def refused(game: Play, action: str) -> str:
    """The same for an action by its text."""
    game.s = game.s
    code = TITLE.codes.read(action, game.labels)
    assert code not in game.legal_codes(), action
    return says(game, TITLE.talk.because(game.sight(0), code))


def army(game: Play, seat: int, name: str, infantry: int) -> None:
    s, p = game.s, area(game, name)
    s.units[seat][p][at.INFANTRY], s.occupant[p] = infantry, seat


# -- purchase -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("phase", [at.RAZE, at.BUY])
def test_a_price_is_told_beside_what_one_has_and_with_the_inflation(phase: int) -> None:
    game = at_phase(phase, 5)
    assert said(game, "goods:infantry") == ("You have 5 talents; the price of 1 infantry is 10.", "7.1")
    game.s.talents[0] = 0
    assert said(game, "goods:catapult") == ("You have 0 talents; the price of 1 catapult is 30.", "7.1")
    assert said(game, "goods:galley") == ("You have 0 talents; the price of 1 galley is 20.", "7.1")
    game.s.talents[0], game.s.price = 25, 3
    text = "You have 25 talents; the price of 1 infantry is 30, with inflation ×3."
    assert said(game, "goods:infantry") == (text, "7.1")
    assert refused(game, "recruit infantry aegyptus 2").endswith(
        "the price of 2 infantry is 60, with inflation ×3."
    )


def test_who_has_just_enough_may_buy() -> None:
    game = at_phase(at.BUY, 10)
    assert said(game, "goods:infantry", "region:aegyptus") == ("", "")
    game.s.price = 2
    game.s.talents[0] = 20
    assert said(game, "goods:infantry", "region:aegyptus") == ("", "")


def test_pieces_are_counted_and_the_common_stock_is_told() -> None:
    game = at_phase(at.BUY, 400)
    s = game.s
    s.force[0][at.CATAPULT] = 6
    assert said(game, "goods:catapult") == ("You have 0 of 6 left: catapults.", "7.2")
    s.force[0][at.CATAPULT] = 5
    assert said(game, "goods:catapult", "region:aegyptus") == ("", "")
    assert refused(game, "recruit catapult aegyptus 2") == "You have 1 of 6 left: catapults."
    s.force[0][at.GALLEY] = 8
    assert said(game, "goods:galley") == ("You have 0 of 8 left: galleys.", "7.2")
    s.owner[area(game, "arabia")] = 0
    s.built[0] = 15
    assert said(game, "goods:city", "region:arabia") == ("", "")
    s.built[0] = 16
    assert said(game, "goods:city") == ("The stock is used up: all 16 cities are on the board.", "7.2")


def test_a_place_to_build_says_what_lacks_there() -> None:
    game = at_phase(at.BUY, 25)
    s, arabia, egypt = game.s, area(game, "arabia"), area(game, "aegyptus")
    assert said(game, "goods:city", "region:arabia") == ("You do not hold Arabia.", "7.6")
    assert said(game, "goods:city", "region:aegyptus") == ("There is a city in Egypt already.", "7.6")
    assert said(game, "goods:wall", "region:aegyptus") == ("The city in Egypt is walled already.", "7.6")
    s.owner[arabia] = 0
    assert said(game, "goods:wall", "region:arabia") == ("There is no city in Arabia.", "7.6")
    assert said(game, "goods:city") == ("You have 25 talents; the price of 1 city is 30.", "7.1")
    edge = next(e for e in range(game.box.edges) if set(game.box.edge_end[e]) == {arabia, egypt})
    road = f"road:{game.labels['edge'][edge]}"
    assert said(game, "goods:road", road) == ("There is no city in Arabia.", "7.6")
    s.city[arabia] = 1
    assert said(game, "goods:road", road) == ("", "")
    s.talents[0] = 5
    assert said(game, "goods:road", road) == ("You have 5 talents; the price of 1 road is 10.", "7.1")
    assert said(game, "goods:wall") == ("You have 5 talents; the price of 1 wall is 20.", "7.1")
    s.road[edge] = 1
    assert said(game, "goods:road", road) == ("There is a road there already.", "7.6")
    assert said(game, "goods:road") == ("", "7.6"), "no other two cities are neighbours"
    assert said(game, "goods:infantry", "region:arabia") == ("", "7.3")
    assert said(game, "goods:galley", "region:mare_pelusium") == ("", "7.4")


def test_a_home_that_is_lost_or_besieged_says_so() -> None:
    game = at_phase(at.BUY, 100)
    s, egypt = game.s, area(game, "aegyptus")
    army(game, 0, "aegyptus", 0)
    army(game, 1, "aegyptus", 2)
    assert said(game, "goods:infantry") == ("2 enemy units stand in Egypt.", "7.3")
    assert said(game, "goods:galley") == ("2 enemy units stand in Egypt.", "7.4")
    s.owner[egypt] = 1
    assert said(game, "goods:infantry") == ("You do not hold Egypt.", "7.3")


@pytest.mark.parametrize("phase", [at.MOVE, at.BUY])
def test_a_touch_that_nobody_knows_is_no_action(phase: int) -> None:
    game = at_phase(phase)
    for path in (("region:moon",), ("goods:mule",), ("leader:mule@moon",), ("road:moon",), ("ship:moon",)):
        assert said(game, *path) == ("", ""), path
    assert said(game, "goods:infantry", "region:moon") == ("", "7.3")


# -- movement -----------------------------------------------------------------------------------------


def test_a_leader_says_its_points_and_who_stands_in_its_way() -> None:
    game = at_phase()
    s, egypt = game.s, area(game, "aegyptus")
    army(game, 1, "arabia", 1)
    game.s = game.s
    game.play("lead aegyptus general")
    far = "The leader has 2 points left; without roads the way to Armenia costs 3."
    assert said(game, "region:armenia") == (far, "2.1")
    assert said(game, "region:creta") == ("No way by land leads to Crete.", "2.1")
    alone = "1 enemy unit stands in Arabia, and no unit goes along."
    assert said(game, "region:arabia") == (alone, "2.10")
    army(game, 1, "arabia", 3)
    assert said(game, "region:arabia")[0].startswith("3 enemy units stand in Arabia")
    game.play("take infantry 1")
    assert said(game, "region:arabia") == ("", "")
    assert refused(game, "take infantry 5") == "From here you can take only 4 infantry along."
    s = game.s
    s.units[0][egypt][at.INFANTRY] = 9
    assert refused(game, "take infantry 7") == "1 unit goes along already; a leader takes at most 7."
    game.s = game.s
    assert TITLE.codes.read("take infantry 6", game.labels) in game.legal_codes(), "seven in all"


def test_who_has_no_point_left_says_so() -> None:
    game = at_phase()
    s, egypt = game.s, area(game, "aegyptus")
    s.emperor_points = 0
    spent = "Your emperor has no point left in this turn."
    assert said(game, "leader:emperor@aegyptus") == (spent, "2.1")
    s.spent[egypt][at.SPENT_GENERAL] = 4
    spent = "No general of yours in Egypt has a point left in this turn."
    assert said(game, "leader:general@aegyptus") == (spent, "2.1")
    s.spent[egypt][at.SPENT_GENERAL] = 3
    assert said(game, "leader:general@aegyptus") == ("", "")


def test_a_galley_says_its_points_its_room_and_who_stands_on_the_shore() -> None:
    game = at_phase()
    s, egypt = game.s, area(game, "aegyptus")
    s.ship_owner[0], s.ship_area[0], s.ship_points[0], s.ship_from[0] = 0, egypt, 2, -1
    s.force[0][at.GALLEY] = 1
    s.units[0][egypt][at.INFANTRY] = 9
    army(game, 1, "palaestina", 2)
    game.s = game.s
    game.play("sail 0")
    assert refused(game, "load infantry 1") == "There is no leader aboard."
    assert said(game, "region:cyrenaica") == ("", "3.1"), "two points are enough, but not in one step"
    far = "The galley has 2 points left; the way to Sicily costs 3."
    assert said(game, "region:sicilia") == (far, "3.1")
    game.play("load general 1", "load infantry 6")
    assert refused(game, "load infantry 2") == "6 units are aboard already; a galley carries at most 7."
    assert refused(game, "load infantry 4") == "From here you can take only 3 infantry aboard."
    game.play("load infantry 1")
    game.s.ship_generals[0] = 0
    assert refused(game, "voyage mare_pelusium") == "7 units are aboard without a leader."
    game.s.ship_generals[0] = 1
    game.s.cargo[0][at.INFANTRY] = 0
    game.s = game.s
    game.play("voyage mare_pelusium")
    guarded = "2 enemy units stand in Palaestina, and no unit is aboard."
    assert said(game, "region:palaestina") == (guarded, "12.11")
    game.s.cargo[0][at.INFANTRY] = 1
    assert said(game, "region:palaestina") == ("", "")
    game.s.phase, game.s.ship_points[0] = at.MOVE, 0
    assert said(game, "ship:0") == ("This galley has no point left in this turn.", "3.1")


# -- bargaining ---------------------------------------------------------------------------------------


def test_gifts_and_offers_say_what_the_payer_has() -> None:
    game = at_phase(at.DEAL, 0, seats=3, free_gifts="on")
    assert refused(game, "gift 1") == "You have 0 talents; gifts are made in fives."
    game.s.talents[0] = 5
    game.s = game.s
    assert TITLE.codes.read("gift 1", game.labels) in game.legal_codes()
    game.play("gift 1")
    assert refused(game, "amount 2") == "Anna has 5 talents."
    game.s.talents[0] = 20
    game.s = game.s
    game.play("amount 1")
    assert refused(game, "gift 1") == "Ben has had a gift from you in this turn."


def test_a_refuge_says_who_stands_there() -> None:
    game = at_phase(at.RETREAT)
    s = game.s
    s.field, s.loser, s.winner_here = area(game, "aegyptus"), 0, 1
    army(game, 1, "arabia", 2)
    assert said(game, "region:arabia") == ("2 enemy units stand in Arabia.", "4.15")


@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_reason_is_said_in_every_language(lang: str) -> None:
    """Nothing stays in braces."""
    fields: dict[str, Any] = {
        "talents": 1, "price": 30, "times": 2, "left": 1, "limit": 20, "number": 1, "most": 7, "points": 1,
        "steps": 3, "goods": ("goods", "catapult"), "other_seat": 1, "payer_seat": 1,
        "in": ("in", "arabia"), "to": ("to", "arabia"), "the": ("the", "arabia"),
    }  # fmt: skip
    words = TITLE.words
    keys = [key for key in words.keys("en") if key.startswith("because.")]
    assert len(keys) > 20
    for key in keys:
        number = 1 if "guarded" in key else ("count", "infantry", 1)
        line = Line(key, {**fields, "units": number})
        text = say_line(words, lang, line, NAMES)
        assert "{" not in text and text[-1] == ".", text
        assert lang == "en" or text != say_line(words, "en", line, NAMES), key
