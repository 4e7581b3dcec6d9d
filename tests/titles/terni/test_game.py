"""Terni lapilli: what is claimed of the game as a whole."""

from __future__ import annotations

from typing import Any

import pytest

import ludus
from ludus.core.chance import OVER
from ludus.core.telling import say_line

Node = tuple[Any, ...]


def solve(**options: Any) -> tuple[int, list[int]]:
    """Who wins with best play (0: nobody can force it), and so for each first action.

    Backwards from the ends, over all positions; the cap, which only ends what nobody can win, is left out.
    """
    title = ludus.title("terni")
    rules, layout, box = title.rules, title.position, title.box_for(**options)
    out = [0] * title.codes.size
    following: dict[Node, list[Node]] = {}
    movers: dict[Node, int] = {}
    winner: dict[Node, int] = {}

    def node(s: Any) -> Node:
        return (s.turn, s.won, s.phase, tuple(s.hand), *map(tuple, s.board))

    start = title.new(**options).position
    waiting = [start]
    while waiting:
        s = waiting.pop()
        here = node(s)
        if here in following:
            continue
        following[here], movers[here] = [], rules.to_move(s, box)
        if movers[here] == OVER:
            winner[here] = s.won
            continue
        for code in out[: rules.legal(s, box, out)]:
            after = layout.copy(s)
            after.moves = 0
            rules.apply(after, box, code)
            following[here].append(node(after))
            waiting.append(after)
    open_nodes = [n for n in following if n not in winner]
    while decided := {n: w for n in open_nodes if (w := forced(movers[n] + 1, following[n], winner))}:
        winner |= decided
        open_nodes = [n for n in open_nodes if n not in winner]
    first = node(start)
    return winner.get(first, 0), [winner.get(n, 0) for n in following[first]]


def forced(mover: int, following: list[Node], winner: dict[Node, int]) -> int:
    results = [winner.get(n, 0) for n in following]
    if mover in results:
        return mover
    return 3 - mover if all(r == 3 - mover for r in results) else 0


@pytest.mark.parametrize(
    ("options", "best", "middle"),
    [
        ({}, 0, None),
        ({"centre": "free"}, 1, 1),
        ({"centre": "free", "diagonals": "off"}, 0, 0),
        ({"centre": "free", "moves": "any"}, 0, 0),
    ],
    ids=str,
)
def test_the_first_stone_decides_in_the_middle_only(
    options: dict[str, str], best: int, middle: int | None
) -> None:
    found, first = solve(**options)
    assert found == best
    if middle is not None:
        assert first[4] == middle
        assert 1 not in first[:4] + first[5:]


def test_who_still_holds_stones_is_told_how_many() -> None:
    game = ludus.title("terni").new(seed=1)
    code = game.title.codes.code("move", 0, 0, 1, 0)
    for stones in ("3 stones", "2 stones"):
        line = game.title.talk.because(game.sight(game.to_move), code)
        assert line and say_line(game.words, "en", line, ()) == f"You have {stones} left to place."
        game.play(game.legal()[0])
        game.play(game.legal()[-1])
    line = game.title.talk.because(game.sight(game.to_move), code)
    assert line and say_line(game.words, "it", line, ()) == "Hai ancora 1 sassolino da posare."
