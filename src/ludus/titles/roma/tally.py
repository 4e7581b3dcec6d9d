"""What each seat has that no field counts, for the words of reasons: discs that are not blocked."""

from __future__ import annotations

from ludus.core.sight import Sight

from .layout import SEATS, Box, Position


def tally(sight: Sight[Position, Box]) -> dict[str, list[int]]:
    return {"working": [-sum(1 for n in sight.s.blocked[seat] if n) for seat in range(SEATS)]}
