"""What the kit reports: counts, and the first thing that was wrong with all that reproduces it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from ..game import Game


class Broken(Exception):
    """A promise of the contract that a title does not keep."""

    def __init__(self, promise: str, detail: str) -> None:
        self.promise, self.detail = promise, detail
        super().__init__(f"{promise}: {detail}")


@dataclass
class Failure:
    """Where a promise was broken: the game up to there and the action after which it was seen."""

    promise: str
    detail: str
    game: Game[Any, Any]
    box_name: str
    options: Mapping[str, Any]
    action: str

    def __str__(self) -> str:
        where = self.box_name or " ".join(f"{k}={v}" for k, v in self.options.items())
        place = ", ".join(filter(None, (f"seed {self.game.seed}", f"action {len(self.game.line)}", where)))
        return f"{self.promise}: {self.detail} ({place})"


@dataclass
class Counts:
    """What a run saw."""

    plies: int = 0
    games: int = 0
    decisions: int = 0
    legal: int = 0
    most_legal: int = 0
    refusals: int = 0
    explained: int = 0
    oracle_positions: int = 0
    kinds: dict[str, int] = field(default_factory=dict)

    @property
    def mean_legal(self) -> float:
        return self.legal / max(1, self.decisions)

    @property
    def explained_share(self) -> float:
        return self.explained / max(1, self.refusals)
