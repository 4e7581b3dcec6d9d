"""Conquest of the Empire: who has attacked whom, for those who gave each other their word."""

from __future__ import annotations

from ludus.core.sight import Sight

from . import layout as at
from .layout import NOBODY, PROVINCES, Box, Position

Seen = Sight[Position, Box]


def round_of(sight: Seen) -> int:
    return sight.s.round


def hostile(before: Seen, after: Seen) -> list[tuple[int, int]]:
    """Dice thrown in a battle, land taken, generals captured: attacks of the seat whose turn it is."""
    b, a = before.s, after.s
    active = b.active
    struck = {a.enemy} if a.bout and a.phase == at.ROLL and b.phase != at.ROLL else set()
    struck |= {b.owner[p] for p in range(PROVINCES) if a.owner[p] == active != b.owner[p]}
    struck |= {seat for seat in range(after.seats) if a.pending[seat] > b.pending[seat]}
    return [(active, seat) for seat in sorted(struck - {active, NOBODY})]
