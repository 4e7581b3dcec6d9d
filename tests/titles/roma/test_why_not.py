"""Roma: what a path of touches was meant to be, and what is told of an action before it is done."""

from __future__ import annotations

from typing import Any

import pytest

from ludus.core.game import Game
from ludus.core.telling import say_line
from ludus.core.touches import paths, why_not
from ludus.titles.roma import TITLE
from ludus.titles.roma import layout as at


@pytest.fixture
def game() -> Game[Any, Any]:
    """Seat 0 has thrown 2, 4, 6, holds a Forum and has a Legionarius opposite a Turris on disc 4."""
    found = TITLE.new(seed=1)
    s = found.s
    while s.phase != at.ACT:
        found.play(found.legal()[0])
    s.player, s.dice[:] = 0, [2, 4, 6]
    for p in range(2):
        s.board[p][:] = [at.NONE] * len(s.board[p])
        s.hand[p][:] = [0] * len(s.hand[p])
    s.board[0][4], s.board[1][4] = at.LEGIONARIUS, at.TURRIS
    s.hand[0][at.FORUM], s.money[0] = 1, 7
    return found


@pytest.mark.parametrize(
    ("path", "action", "rule"),
    [
        (("die:4", "disc:6"), "", "P8"),
        (("die:4", "disc:4"), "activate 4", ""),
        (("die:2", "disc:2"), "activate 2", "R15"),
        (("card:forum", "side1:3"), "", "R21"),
        (("card:forum", "disc:money"), "", "R21"),
        (("card:nero", "disc:3"), "lay nero 3", "P9"),
        (("disc:cards",), "", "P5"),
        (("side1:4",), "target 4", "P13"),
        (("disc:9",), "", ""),
        (("moon:1",), "", ""),
    ],
)
def test_a_path_of_touches_is_answered_by_its_rule(
    game: Game[Any, Any], path: tuple[str, ...], action: str, rule: str
) -> None:
    tried = why_not(game, path)
    assert (tried.action, tried.rule) == (action, rule)


@pytest.mark.parametrize(
    ("path", "said"),
    [
        (("die:2", "disc:2"), "No card of yours lies on disc 2."),
        (("disc:5",), "None of your unused dice shows 5."),
        (("card:forum", "disc:3"), "You have 3 sesterces; Forum costs 5."),
        (("die:6", "disc:6"), "Disc 6 is blocked in this turn."),
        (("die:4", "disc:4"), ""),
        (("die:4", "disc:6"), ""),
    ],
)
def test_a_refusal_says_the_numbers_of_this_moment(
    game: Game[Any, Any], path: tuple[str, ...], said: str
) -> None:
    game.s.money[0], game.s.board[0][6], game.s.blocked[0][6] = 3, at.VELITES, 1
    line = why_not(game, path).because
    assert (say_line(game.words, "en", line, ()) if line else "") == said


def test_cards_that_stay_hidden_are_counted_and_the_last_one_takes_another_touch() -> None:
    game = TITLE.new(seed=1)
    for step in (1, 2):
        board = game.view(0)["board"]
        assert (board["phase"], board["step"], board["steps"]) == ("pass", step, 2)
        sealed = {path[-1] == "button:seal" for path in paths(game)}
        assert sealed == {step == 2}
        game.play(game.legal()[0])


def test_advice_tells_chances_and_prices(game: Game[Any, Any]) -> None:
    assert TITLE.advise is not None
    sight = game.sight(0)
    assert TITLE.advise(sight, "activate 4") == {"need": 6, "faces": 1}
    assert TITLE.advise(sight, "lay forum 4") == {"price": 5, "left": 2, "covers": "legionarius"}
    assert TITLE.advise(sight, "lay forum 1") == {"price": 5, "left": 2}
    assert TITLE.advise(sight, "money 6") is None
    assert TITLE.advise(sight, "no such thing") is None
