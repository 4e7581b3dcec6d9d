"""Antike Duellum: what a turn could be after."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from ludus.bots import Chair
from ludus.bots.centurio import Centurio
from ludus.core.game import Game
from ludus.core.scene import read_scene, set_up
from ludus.titles.duellum import TITLE
from ludus.titles.duellum.aims import aims, promise, urge
from ludus.titles.duellum.layout import NAVIGATIO

SCENE = TITLE.folder / "choices" / "win-from-three-sides.toml"


class WithoutAims(Centurio):
    whole_turns = replace(Centurio.whole_turns, aimed=0)


def table() -> Game[Any, Any]:
    return set_up(read_scene(SCENE, lambda name: TITLE), "plain")


def region(game: Game[Any, Any], name: str) -> int:
    return list(TITLE.labels(game.box)["region"]).index(name)


def listed(game: Game[Any, Any], seat: int) -> list[int]:
    out = [0] * TITLE.codes.size
    return out[: aims(game.position, game.box, seat, out)]


def owner_after_the_turn(bot: Centurio) -> int:
    game = table()
    memory: dict[str, Any] = {}
    while not game.over and game.to_move == 0:
        game.play(bot.choose(Chair(game, 0, 1, 1.0, memory)))
    return int(game.position.owner[region(game, "carthago")])


def test_an_assault_from_three_sides_is_found_by_its_aim_alone() -> None:
    assert owner_after_the_turn(Centurio(TITLE)) == 1
    assert owner_after_the_turn(WithoutAims(TITLE)) == 2


def test_aims_are_enemy_cities_in_reach_and_a_temple_that_falls_now_comes_first() -> None:
    game = table()
    found = listed(game, 0)
    assert found[0] == region(game, "carthago")
    assert all(game.position.owner[r] == 2 for r in found)
    assert region(game, "saguntum") in found, "galleys come there in two steps"
    worth = [promise(game.position, game.box, 0, r) for r in found]
    assert worth == sorted(worth, reverse=True)
    assert listed(game, 1) == [], "Carthage has no unit on the board"
    game.position.know[0][NAVIGATIO] = 0
    assert region(game, "saguntum") not in listed(game, 0)


def test_every_unit_on_the_way_is_worth_more_than_what_tempts_it() -> None:
    game, carthago = table(), region(table(), "carthago")
    before = urge(game.position, game.box, 0, carthago)
    for text in ("go duellum", "send legion zama 2", "to carthago 2"):
        game.play(text)
    assert urge(game.position, game.box, 0, carthago) > before + 400
