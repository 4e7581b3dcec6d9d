"""Terni lapilli, the talking half: why not, and how a game ended.  All else is made from the layout."""

from __future__ import annotations

from ludus.core.sight import Sight
from ludus.core.telling import Line, plain_line

from .layout import CODES, ENDED, PLACE, Box, Position
from .rules import has_line, is_centre_barred

Seen = Sight[Position, Box]


def why_not(sight: Seen, code: int) -> str:
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


def log(before: Seen, seat: int, kind: str, args: tuple[int, ...] | None, after: Seen) -> list[Line]:
    lines = [plain_line(CODES, before, seat, kind, args)]
    if after.s.phase == ENDED:
        if after.s.won == 0:
            lines.append(Line("event.cap", {"moves": after.s.moves}))
        else:
            how = "line" if has_line(after.s, after.box, after.s.won) else "shut_in"
            lines.append(Line(f"event.{how}", {"seat": seat}))
    return lines
