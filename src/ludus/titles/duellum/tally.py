"""What each side has on the board, for the words of reasons: temples, walls and leaders are kept by
region there, not by side."""

from __future__ import annotations

from ludus.core.sight import Sight

from .layout import SIDES, Box, Position


def tally(sight: Sight[Position, Box]) -> dict[str, list[int]]:
    s = sight.s
    return {
        "temples": [_built(s, s.temple, seat) for seat in range(SIDES)],
        "walls_built": [_built(s, s.wall, seat) for seat in range(SIDES)],
        "leader": [int(s.leader_at[seat] > 0) for seat in range(SIDES)],
    }


def _built(s: Position, there: list[int], seat: int) -> int:
    return sum(1 for r, owner in enumerate(s.owner) if owner == seat + 1 and there[r])
