"""Conquest of the Empire: what a turn could be after."""

from __future__ import annotations

from typing import Any

from ludus.core.game import Game
from ludus.core.scene import read_scene, set_up
from ludus.titles.conquest import TITLE
from ludus.titles.conquest.aims import WORTH_A_TRY, aims, promise, urge
from ludus.titles.conquest.layout import RAZE

SCENE = TITLE.folder / "choices" / "win-overwhelming-force.toml"


def table() -> Game[Any, Any]:
    return set_up(read_scene(SCENE, lambda name: TITLE), "plain")


def province(game: Game[Any, Any], name: str) -> int:
    return list(TITLE.labels(game.box)["area"]).index(name)


def listed(game: Game[Any, Any], seat: int) -> list[int]:
    out = [0] * TITLE.codes.size
    return out[: aims(game.position, game.box, seat, out)]


def test_an_emperor_who_can_be_beaten_comes_first_and_the_own_army_last() -> None:
    game = table()
    assert listed(game, 0) == [province(game, "cyrenaica"), province(game, "aegyptus")]


def test_armies_that_are_too_strong_or_too_far_are_no_aims() -> None:
    game, cyrenaica = table(), province(table(), "cyrenaica")
    assert promise(game.position, game.box, 0, cyrenaica) > WORTH_A_TRY
    game.position.units[1][cyrenaica][0] = 40
    assert promise(game.position, game.box, 0, cyrenaica) < WORTH_A_TRY
    assert promise(game.position, game.box, 0, province(game, "hispania")) == 0, "far away"
    assert promise(game.position, game.box, 0, province(game, "syria")) == -1, "nobody is there"


def test_units_that_come_count_while_units_move_and_never_after() -> None:
    game, cyrenaica = table(), province(table(), "cyrenaica")
    worth = [urge(game.position, game.box, 0, cyrenaica)]
    for text in ("lead aegyptus general", "take infantry 5", "march cyrenaica"):
        game.play(text)
        worth.append(urge(game.position, game.box, 0, cyrenaica))
    assert worth[0] == worth[1] < worth[2] < worth[3]
    game.position.phase = RAZE
    assert urge(game.position, game.box, 0, cyrenaica) == 0
