"""Gestures: what a person says with a touch or two, and the rules play as several actions."""

from __future__ import annotations

import random

import pytest

import ludus
from conftest import count
from ludus.core.gestures import by_itself, faulty, gestures
from ludus.titles import title_names


@pytest.mark.parametrize("name", title_names())
def test_every_gesture_can_be_played_as_it_stands_and_every_action_begins_one(name: str) -> None:
    title = ludus.title(name)
    for seed in range(count(20) // 10):
        game, dice = title.new(seed=seed), random.Random(seed)
        while not game.over and len(game.line) < 400:
            if dice.random() < 0.3:
                assert faulty(game) == "", game.position
            found = gestures(game)
            if dice.random() < 0.7 and not by_itself(game, found):
                game.play(*dice.choice(found).codes)
            else:
                game.play(dice.choice(game.legal()))
