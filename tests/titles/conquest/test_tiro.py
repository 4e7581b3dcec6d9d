"""What a newcomer meets: tiro plays weakly, and does nothing that makes one smile."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

import ludus
from ludus.bots import Chair, make_bot

HARM = {"acclaim", "agree", "raze"}


@pytest.mark.parametrize("seats", [2, 4])
def test_tiro_neither_asks_for_the_crown_nor_gives_it_away_nor_razes_what_it_has(seats: int) -> None:
    title = ludus.title("conquest")
    tiro = make_bot("tiro", title)
    played: Counter[str] = Counter()
    for seed in range(2):
        game: ludus.Game[Any, Any] = title.new(seed=seed, seats=seats)
        while not game.over and len(game.line) < 250:
            action = tiro.choose(Chair(game, seat=game.to_move, seed=seed * 1000 + len(game.line)))
            played[action.kind] += 1
            game.play(action)
        assert not game.over
    assert not HARM & set(played), played
    assert {"lead", "march", "recruit"} <= set(played), "it buys and marches"
