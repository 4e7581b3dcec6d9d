"""Terni lapilli: which numbered rule forbids an action, and what stands against it now."""

from ludus.core.sight import Sight
from ludus.core.telling import Line

from .layout import CODES, PLACE, Box, Position
from .rules import is_centre_barred


def why_not(sight: Sight[Position, Box], code: int) -> str:
    s, box = sight.s, sight.box
    kind, args = CODES.split(code)
    if kind == "place":
        return "T4" if args == (1, 1) and is_centre_barred(s, box) else "T3"
    if s.phase == PLACE:
        return "T3"
    row, column, to_row, to_column = args
    if s.board[row][column] != sight.to_move + 1 or s.board[to_row][to_column] != 0:
        return "T5"
    return "T6" if abs(row - to_row) == abs(column - to_column) else "T5"


def because(sight: Sight[Position, Box], code: int) -> Line | None:
    """Who still holds stones places them first."""
    s = sight.s
    if s.phase != PLACE or CODES.kind(code) != "move":
        return None
    return Line("because.hand", {"n": s.hand[sight.to_move]})
