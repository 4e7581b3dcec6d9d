"""Why not, by touching: whatever is touched in whatever title, an answer, and a rule that has words."""

from __future__ import annotations

import random
from typing import Any

import pytest

from conftest import all_titles
from ludus.core.title import Title
from ludus.core.touches import paths, why_not


@pytest.mark.parametrize("title", all_titles(), ids=lambda t: t.name)
def test_every_touch_of_a_game_gets_an_answer(title: Title[Any, Any]) -> None:
    """Touches of earlier moments, alone and after one another, at a later one."""
    rng, told = random.Random(3), 0
    seen: list[tuple[str, ...]] = [("nothing:here",)]
    game = title.new(seed=3)
    for _ in range(60):
        now = paths(game)
        for path in rng.sample(seen, min(6, len(seen))):
            tried = why_not(game, path)
            assert not tried.rule or title.words.has(f"rule.{tried.rule}"), (path, tried)
            if path in now:
                assert not tried.rule, (path, tried)
            told += bool(tried.rule)
        path = rng.choice(list(now))
        seen += [path, path[-1:], (seen[-1][0], path[-1])]
        game.play(now[path])
        if game.over:
            break
    assert told > 5
