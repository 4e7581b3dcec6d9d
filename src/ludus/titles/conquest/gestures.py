"""Conquest of the Empire: what is said with one gesture.

The phases of a turn follow each other without a word: after the movement a person fights, or buys, or
ends the turn; bargaining is offered beside buying.
"""

from __future__ import annotations

from ludus.core.sight import Sight
from ludus.core.telling import Line

from . import layout as at
from .advice import in_danger
from .layout import CODES, PROVINCES, Box, Position
from .naming import place
from .rules.board import home_of

Seen = Sight[Position, Box]

# Kinds of actions that begin a march, and those that lead it on: one way on the board.
MARCHES = {"lead": ("march",), "sail": ("voyage",)}

_PASSES = ("end_move", "end_combat", "end_razing", "end_purchase", "end_turn")


def passes(sight: Seen, code: int) -> bool:
    return CODES.kind(code) in _PASSES


def ahead(sight: Seen) -> bool:
    """Bargaining is offered while one buys; a button ends all movement and leads to battle or to market."""
    return sight.s.phase in (at.BUY, at.DEAL)


def asks(sight: Seen, code: int) -> bool:
    """The end of a turn cannot be taken back, and who can do nothing else may want to look at the board."""
    return CODES.kind(code) in (*_PASSES, "retreat")


def warning(sight: Seen) -> Line | None:
    """An emperor without a guard, or an empty home, where somebody could march in."""
    s, seat, areas = sight.s, sight.to_move, sight.labels["area"]
    home = home_of(s, sight.box, seat)
    for what, area in (("emperor", s.emperor[seat]), ("home", home if s.owner[home] == seat else -1)):
        is_open = 0 <= area < PROVINCES and not sum(s.units[seat][area])
        if is_open and in_danger(sight, area, seat):
            return Line(f"warning.{what}", place(areas[area]))
    return None
