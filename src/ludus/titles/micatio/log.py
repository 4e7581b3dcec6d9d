"""Micatio: the story, from what a seat saw before an action and what it sees after."""

from __future__ import annotations

from ludus.core.contract import MAX_SEATS
from ludus.core.sight import Sight
from ludus.core.telling import Line, plain_line

from .layout import CODES, Box, Position

Seen = Sight[Position, Box]

NEWS = frozenset(("event.opened", "event.won", "event.nobody"))


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
