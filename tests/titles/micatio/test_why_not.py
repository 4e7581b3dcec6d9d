"""Micatio: what stands against a number, with the numbers that go."""

from __future__ import annotations

from typing import Any

from ludus.core.game import Game
from ludus.core.telling import say_line
from ludus.titles.micatio import TITLE


def said(game: Game[Any, Any], action: str, lang: str = "en") -> str:
    code = TITLE.codes.read(action, game.labels)
    line = TITLE.talk.because(game.sight(game.to_move), code)
    return say_line(game.words, lang, line, ()) if line else ""


def test_a_stake_and_a_sum_say_how_far_they_go() -> None:
    game = TITLE.new(seed=1, seats=2)
    game.s.coins[0] = 3
    game.s = game.s
    assert said(game, "stake 4") == "You have 3 coins; the stake is 1 to 3."
    assert said(game, "stake 3") == "" == said(game, "guess 9"), "it may be staked; and this is not asked"
    assert said(game, "stake 4", "it") == "Hai 3 monete; la posta va da 1 a 3."
    game.s.coins[0] = 1
    game.s = game.s
    assert said(game, "stake 2") == "You have 1 coin; the stake is 1 to 1."
    game.play("stake 1")
    game.play("show 1")
    assert said(game, "guess 7") == "With 1 finger of yours the sum is 2 to 6."
    assert said(game, "guess 6") == ""
    assert said(game, "guess 7", "fr") == "Avec 1 doigt à vous, le total va de 2 à 6."
