"""`ludus lab explore`: what beginnings bots play and how they score, kept with the title for the page."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from ludus import titles as registry
from ludus.analysis.beginnings import Explored, shares_of
from ludus.analysis.calibration import FOLDER
from ludus.bots import Chair, make_bot
from ludus.core.compilation import has_numba

KEPT = "beginnings.json"


def explore(
    name: str,
    bots: Sequence[str],
    games: int,
    seed: int,
    progress: Callable[[int], None] = lambda games: None,
    given: Mapping[str, Any] | None = None,
) -> Explored:
    """Beginnings of games between bots, seats in turn; with the options that are `given`."""
    title = registry.title(name)
    seats, values = title.read_setting(None, {**title.simulation, **(given or {})})
    options: dict[str, Any] = {**values}
    players = [make_bot(bots[k % len(bots)], title) for k in range(seats)]
    form = "compiled" if has_numba() else "plain"
    found = Explored()
    for k in range(games):
        game = title.new(seed=seed * 1_000_003 + k, seats=seats, form=form, **options)
        turned = players[k % seats :] + players[: k % seats]
        memories: list[dict[str, Any]] = [{} for _ in turned]
        while not game.over:
            p = game.to_move
            chair = Chair(game, p, seed + k, turned[p].budget, memories[p])
            game.apply(turned[p].choose(chair).code)
        said = [(played.seat, title.codes.text(played.code, game.labels)) for played in game.line]
        found.add(title, said, shares_of(game.form.returns(game.s)))
        progress(1)
    return found


def keep(name: str, found: Explored, facts: dict[str, Any]) -> Path:
    """With the title, where the page finds it."""
    path = registry.title(name).folder / FOLDER / KEPT
    path.parent.mkdir(exist_ok=True)
    path.write_text(json.dumps({**facts, **found.to_json()}, indent=1) + "\n", encoding="utf-8")
    return path
