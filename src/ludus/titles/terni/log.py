"""Terni lapilli: the story, which tells how a game ended besides the actions themselves."""

from ludus.core.sight import Sight
from ludus.core.telling import Line, plain_line

from .layout import CODES, ENDED, Box, Position
from .rules import has_line

Seen = Sight[Position, Box]


def log(before: Seen, seat: int, kind: str, args: tuple[int, ...] | None, after: Seen) -> list[Line]:
    lines = [plain_line(CODES, before, seat, kind, args)]
    if after.s.phase == ENDED and after.s.won == 0:
        lines.append(Line("event.cap", {"moves": after.s.moves}))
    elif after.s.phase == ENDED:
        how = "line" if has_line(after.s, after.box, after.s.won) else "shut_in"
        lines.append(Line(f"event.{how}", {"seat": seat}))
    return lines
