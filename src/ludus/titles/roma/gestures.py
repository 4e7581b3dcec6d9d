"""Roma: what is said before a turn ends."""

from __future__ import annotations

from ludus.core.sight import Sight
from ludus.core.telling import Line

from .layout import Box, Position

Seen = Sight[Position, Box]


def warning(sight: Seen) -> Line | None:
    """Dice that are still to be used: each of them would bring money or a card at least."""
    unused = sum(1 for die in sight.s.dice if die)
    return Line("warning.dice", {"number": unused}) if unused else None
