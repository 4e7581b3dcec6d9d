"""What miles does in Conquest: it spends, settles, strikes where odds are good, and votes with sense."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ludus.bots import Chair, make_bot
from ludus.core.game import Game
from ludus.titles.conquest import TITLE
from ludus.titles.conquest import layout as at
from ludus.titles.conquest.box import areas, settle

PLACES = {name: number for number, name in enumerate(areas())}
AEGYPTUS, HISPANIA = 0, 1  # the seats of a game for two, homes in the order of turns


def table(change: Callable[[at.Position], None] = lambda s: None, **options: Any) -> Game[Any, Any]:
    """A game for two at its first turn, changed a little; counts follow from what stands on the board."""
    game = TITLE.new(seed=1, seats=2, homes="seated", **options)
    s = game.position
    change(s)
    settle(s, game.box, frozenset())
    assert game.form.check(game.s) == 0
    return game


def choice(game: Game[Any, Any]) -> str:
    chair = Chair(game, game.to_move, seed=3, budget=1e9)
    return make_bot("miles", TITLE).choose(chair).text


def turn(game: Game[Any, Any], until: int) -> list[str]:
    """What miles does until a phase."""
    done = []
    while game.position.phase != until:
        done.append(choice(game))
        game.play(done[-1])
    return done


def test_it_settles_and_spends() -> None:
    game = table(acclamation="off")
    before = game.position.tribute[AEGYPTUS]
    assert any(text.startswith("march") for text in turn(game, at.RAZE))
    assert game.position.tribute[AEGYPTUS] > before
    turn(game, at.BUY)
    assert game.position.talents[AEGYPTUS] >= 20
    while game.to_move == AEGYPTUS:
        game.play(choice(game))
    assert game.position.talents[AEGYPTUS] < 10


def test_it_takes_an_emperor_who_is_left_alone() -> None:
    def alone(s: at.Position) -> None:
        s.emperor[HISPANIA] = PLACES["cyrenaica"]

    game = table(alone, acclamation="off")
    while game.position.phase in (at.MOVE, at.MUSTER):
        game.play(choice(game))
    assert game.over and game.outcome is not None and game.outcome.returns == (2, 0)


def test_it_does_not_throw_its_legion_against_walls() -> None:
    def strong(s: at.Position) -> None:
        p = PLACES["cyrenaica"]
        s.units[HISPANIA][p][at.INFANTRY], s.owner[p], s.city[p] = 9, HISPANIA, 2

    game = table(strong, acclamation="off")
    assert "march cyrenaica" not in turn(game, at.RAZE)


def hopeless(s: at.Position) -> None:
    """Hispania owns nearly everything."""
    for p in range(at.PROVINCES):
        if p != PLACES["aegyptus"]:
            s.owner[p] = HISPANIA
    s.units[HISPANIA][PLACES["hispania"]][at.CAVALRY] = 20
    s.units[AEGYPTUS][PLACES["aegyptus"]][at.INFANTRY] = 1


def test_it_asks_for_no_acclamation_without_reason() -> None:
    game = table()
    game.position.phase = at.DEAL
    assert choice(game) == "end_turn"


def test_it_objects_unless_all_is_lost() -> None:
    for change, answer in ((lambda s: None, "object"), (hopeless, "agree")):
        game = table(change)
        s = game.position
        s.active, s.phase, s.partner = HISPANIA, at.VOTE, AEGYPTUS
        assert game.to_move == AEGYPTUS and choice(game) == answer
