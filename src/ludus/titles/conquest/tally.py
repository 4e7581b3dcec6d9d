"""What each seat has on the map, for the words of reasons: cities and walls are kept by place, captives by
whose they are."""

from __future__ import annotations

from ludus.core.sight import Sight

from .layout import PROVINCES, SHIPS, Box, Position


def tally(sight: Sight[Position, Box]) -> dict[str, list[int]]:
    s, seats = sight.s, range(sight.seats)
    return {
        "cities": [sum(1 for p in range(PROVINCES) if s.owner[p] == k and s.city[p]) for k in seats],
        "walls": [sum(1 for p in range(PROVINCES) if s.owner[p] == k and s.city[p] == 2) for k in seats],
        "leaders": [_generals(s, k) for k in seats],
        "prisoners": [sum(s.captives[k]) for k in seats],
        "ruler": [int(s.emperor[k] >= 0) for k in seats],
    }


def _generals(s: Position, seat: int) -> int:
    aboard = sum(s.ship_generals[n] for n in range(SHIPS) if s.ship_owner[n] == seat)
    return sum(s.generals[seat]) + aboard
