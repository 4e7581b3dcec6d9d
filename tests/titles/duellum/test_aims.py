"""Antike Duellum: what a turn could be after."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from ludus.bots import Chair
from ludus.bots.centurio import Centurio
from ludus.core.chance import CHANCE
from ludus.core.game import Game
from ludus.core.scene import read_scene, set_up
from ludus.titles.duellum import TITLE
from ludus.titles.duellum.aims import ARMED, PERSONAGE, WALLED, aims, promise, urge
from ludus.titles.duellum.layout import GALLEY, NAVIGATIO, NAVIGATOR, SCHOLAR

CHOICES = TITLE.folder / "choices"


class WithoutAims(Centurio):
    whole_turns = replace(Centurio.whole_turns, aimed=0)


def table(name: str = "win-from-three-sides") -> Game[Any, Any]:
    return set_up(read_scene(CHOICES / f"{name}.toml", lambda name: TITLE), "plain")


def region(game: Game[Any, Any], name: str) -> int:
    return list(TITLE.labels(game.box)["region"]).index(name)


def listed(game: Game[Any, Any], seat: int) -> list[int]:
    out = [0] * TITLE.codes.size
    return out[: aims(game.position, game.box, seat, out)]


def cities(game: Game[Any, Any], seat: int) -> list[int]:
    return [aim for aim in listed(game, seat) if aim < PERSONAGE]


def after_the_turn(bot: Centurio, name: str) -> Game[Any, Any]:
    game = table(name)
    memories: tuple[dict[str, Any], dict[str, Any]] = ({}, {})
    active = game.position.active
    while not game.over and game.position.active == active:
        seat = game.to_move
        if seat == CHANCE:
            game.apply(game.draw())
        else:
            game.play(bot.choose(Chair(game, seat, 1, 1.0, memories[seat])))
    return game


def owner_after_the_turn(bot: Centurio) -> int:
    game = after_the_turn(bot, "win-from-three-sides")
    return int(game.position.owner[region(game, "carthago")])


def test_an_assault_from_three_sides_is_found_by_its_aim_alone() -> None:
    assert owner_after_the_turn(Centurio(TITLE)) == 1
    assert owner_after_the_turn(WithoutAims(TITLE)) == 2


def test_aims_are_enemy_cities_in_reach_and_a_temple_that_falls_now_comes_first() -> None:
    game = table()
    found = cities(game, 0)
    assert found[0] == region(game, "carthago")
    assert all(game.position.owner[r] == 2 for r in found)
    assert region(game, "saguntum") in found, "galleys come there in two steps"
    worth = [promise(game.position, game.box, 0, r) for r in found]
    assert worth == sorted(worth, reverse=True)
    assert cities(game, 1) == [], "Carthage has no unit on the board"
    game.position.know[0][NAVIGATIO] = 0
    assert region(game, "saguntum") not in cities(game, 0)


def test_every_unit_on_the_way_is_worth_more_than_what_tempts_it() -> None:
    game, carthago = table(), region(table(), "carthago")
    before = urge(game.position, game.box, 0, carthago)
    for text in ("go duellum", "send legion zama 2", "to carthago 2"):
        game.play(text)
    assert urge(game.position, game.box, 0, carthago) > before + 400


def test_a_last_personage_behind_a_toll_is_found_by_its_aim_alone() -> None:
    assert after_the_turn(Centurio(TITLE), "win-pay-for-the-distance").over
    assert not after_the_turn(WithoutAims(TITLE), "win-pay-for-the-distance").over


def test_a_personage_is_an_aim_while_it_is_near_and_its_stack_lasts() -> None:
    game = table("win-carthage-at-sea")
    assert PERSONAGE + NAVIGATOR in listed(game, 1)
    assert PERSONAGE + NAVIGATOR not in listed(game, 0), "Rome has one galley and lacks six points"
    game.position.persons[0][NAVIGATOR] = game.box.stack[NAVIGATOR]
    assert PERSONAGE + NAVIGATOR not in listed(game, 1), "none is left"


def test_who_is_after_a_navigator_leaves_no_sea_that_counts() -> None:
    game = table("win-carthage-at-sea")
    aim, galleys = PERSONAGE + NAVIGATOR, game.position.army[1][GALLEY]
    begun = urge(game.position, game.box, 1, aim)
    galleys[region(game, "carales")] += 1
    earned = urge(game.position, game.box, 1, aim)
    galleys[region(game, "baleares")] = 0
    assert earned > begun > urge(game.position, game.box, 1, aim)


def test_who_is_after_a_scholar_pays_the_way_with_something_else_than_gold() -> None:
    game = table("win-pay-for-the-distance")
    game.play("go scientia")
    worth = {}
    for good in ("marble", "gold"):
        paid = game.copy()
        paid.play(f"pay {good}")
        worth[good] = urge(paid.position, paid.box, 0, PERSONAGE + SCHOLAR)
    assert worth["marble"] > worth["gold"]


def test_an_own_city_that_could_fall_is_walled_or_armed() -> None:
    game = table("save-wall-the-temple")
    aquileia = region(game, "aquileia")
    found = listed(game, 0)
    assert WALLED + aquileia in found
    assert ARMED + aquileia not in found, "neither iron nor coins to arm with"
    assert WALLED + region(game, "massilia") not in found, "nobody can come there"
    before = urge(game.position, game.box, 0, WALLED + aquileia)
    game.play("wall aquileia")
    assert urge(game.position, game.box, 0, WALLED + aquileia) > before
    assert WALLED + aquileia not in listed(game, 0)
