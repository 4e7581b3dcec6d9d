"""What each side has, for the words of reasons: the game, once it is won."""

from __future__ import annotations

from ludus.core.sight import Sight

from .layout import Box, Position


def tally(sight: Sight[Position, Box]) -> dict[str, list[int]]:
    return {"game": [int(sight.s.won == seat + 1) for seat in range(2)]}
