"""Micatio, the talking half: why not, what reveals something, and what is told besides the actions."""

from __future__ import annotations

from ludus.core.contract import MAX_SEATS
from ludus.core.sight import Sight
from ludus.core.telling import Line, plain_line

from .layout import CODES, GUESS, SHOW, STAKE, Box, Position
from .rules import next_seat, playing

Seen = Sight[Position, Box]


def why_not(sight: Seen, code: int) -> str:
    kind = CODES.kind(code)
    phase = sight.s.phase
    if kind == "roll":
        return "M7"
    if kind == "stake":
        return "M2"
    if kind == "show":
        return "M3" if phase != STAKE else "M2"
    if phase != GUESS:
        return "M3" if phase == SHOW else "M2"
    return "M4"


def reveals(s: Position, box: Box, code: int) -> bool:
    """The last guess of a round opens all hands."""
    return s.phase == GUESS and playing(s) > 1 and next_seat(s, box, s.turn) == s.leader


def log(before: Seen, seat: int, kind: str, args: tuple[int, ...] | None, after: Seen) -> list[Line]:
    lines = [plain_line(CODES, before, seat, kind, args)]
    opened = sum(before.s.chosen) > 0 and sum(after.s.chosen) == 0
    if opened:
        for p in range(after.seats):
            if after.s.shown[p]:
                fields = {"seat": p, "fingers": after.s.shown[p], "sum": after.s.called[p]}
                lines.append(Line("event.opened", fields))
    if after.s.round > before.s.round:
        lines.append(_round_line(before, after))
    return lines


def _round_line(before: Seen, after: Seen) -> Line:
    gain = [after.s.coins[p] - before.s.coins[p] for p in range(MAX_SEATS)]
    if max(gain) <= 0:
        return Line("event.nobody", {})
    return Line("event.won", {"seat": gain.index(max(gain)), "coins": max(gain)})
