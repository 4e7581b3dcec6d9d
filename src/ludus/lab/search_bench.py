"""How fast the search of legatus is: simulated decisions a second of one core, over a game of its own."""

from __future__ import annotations

from dataclasses import dataclass
from time import process_time
from typing import Any

from ludus.bots import Chair
from ludus.bots.legatus import Legatus
from ludus.core.errors import LudusError
from ludus.core.title import Title

from .engine_bench import options_of


@dataclass(frozen=True)
class SearchSpeed:
    """What was counted: decisions within simulated turns, and the choices that they were made for."""

    title: str
    choices: int
    decisions: int
    seconds: float  # of the processor, on one core

    @property
    def rate(self) -> float:
        return self.decisions / max(1e-9, self.seconds)


class _Counted(Legatus):
    seconds = 0.2


def measure(title: Title[Any, Any], seconds: float) -> SearchSpeed:
    """Let legatus play itself for some seconds."""
    if not Legatus.can_play(title):
        raise LudusError(f"{title.name} has no net, so legatus cannot play it")
    bot = _Counted(title)
    game = title.new(seed=1, form="compiled", **options_of(title))
    chair = Chair(game, game.to_move, budget=0.01)
    bot.choose(chair)  # loads everything
    planner = bot.planner(chair)
    assert planner is not None
    planner.room.count[0] = choices = 0
    begun = process_time()
    memory: list[dict[str, Any]] = [{} for _ in range(6)]
    while process_time() - begun < seconds:
        if game.over:
            game = title.new(seed=choices, form="compiled", **options_of(title))
        seat = game.to_move
        chair = Chair(game, seat, seed=choices, memory=memory[seat])
        used = bot.planner(chair)
        assert used is not None
        if used is not planner:
            used.room.count[0] += planner.room.count[0]
            planner = used
        game.apply(bot.choose(chair).code)
        choices += 1
    return SearchSpeed(title.name, choices, int(planner.room.count[0]), process_time() - begun)
