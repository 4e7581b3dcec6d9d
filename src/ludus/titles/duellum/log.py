"""Antike Duellum: the story, from what a seat saw before an action and what it sees after."""

from __future__ import annotations

from ludus.core.codes import label
from ludus.core.sight import Sight
from ludus.core.telling import Line, plain_line

from . import layout as at
from .layout import CODES, Box, Position
from .rules.building import is_production, produced_at, yield_of

Seen = Sight[Position, Box]


def log(before: Seen, seat: int, kind: str, args: tuple[int, ...] | None, after: Seen) -> list[Line]:
    """The action itself, then what came of it: production, battles, conquests, personages, the end."""
    lines = _acted(before, seat, kind, args)
    lines += _produced(before, after)
    lines += _conquered(before, kind, after)
    if kind != "aim" and after.s.taken == before.s.taken:
        lines += _battle(before, after)
    lines += _gained(before, after)
    if after.s.phase == at.ENDED:
        won = after.s.winner >= 0
        lines.append(Line("event.won", {"seat": after.s.winner}) if won else Line("event.cap", {}))
    return lines


def _acted(before: Seen, seat: int, kind: str, args: tuple[int, ...] | None) -> list[Line]:
    """The action as a sentence; nothing where nothing happens that anybody wants to read."""
    if kind == "first" and args is not None:
        return [Line("log.first", {"seat": args[0], "number": before.box.second_coins})]
    no_news = (kind == "done" and before.s.phase != at.FOUND) or (kind == "coins" and args == (0,))
    return [] if no_news else [plain_line(CODES, before, seat, kind, args)]


def _produced(before: Seen, after: Seen) -> list[Line]:
    p = after.s.active
    space = after.s.stone[p]
    waited = before.s.main in (at.RONDEL, at.PRODUCE)
    if not waited or after.s.main != at.FOUND or not is_production(space):
        return []
    good = produced_at(space)
    number = yield_of(before.s, before.box, p, good)
    return [Line("event.produced", {"seat": p, "number": number, "good": ("good", at.GOODS[good])})]


def _battle(before: Seen, after: Seen) -> list[Line]:
    q = 1 - before.s.active
    lines = []
    for unit in range(2):
        lost = after.s.recruits[q][unit] - before.s.recruits[q][unit]
        leader = before.s.leader_at[q] > 0 and after.s.leader_at[q] == 0
        lost += int(leader and before.box.leader_unit[q] == unit + 1)
        if lost > 0:
            lines.append(Line("event.battle", {"number": lost, "unit": ("unit", at.UNITS[unit])}))
    return lines


def _conquered(before: Seen, kind: str, after: Seen) -> list[Line]:
    if after.s.taken <= before.s.taken:
        asked = before.s.phase == at.FORTRESS or kind == "conquer"
        return [Line("event.held", {})] if asked and after.s.phase == at.CONQUEST else []
    p = after.s.active
    region = next(r for r in range(after.box.regions) if before.s.owner[r] != after.s.owner[r])
    name = label("region", region, after.labels)
    lines = [Line("event.taken", {"seat": p, "region": ("region", name)})]
    return lines if before.s.temple[region] == 0 else [*lines, Line("event.razed", {})]


def _gained(before: Seen, after: Seen) -> list[Line]:
    lines = []
    for p in range(2):
        for k, name in enumerate(at.PERSONS):
            number = after.s.persons[p][k] - before.s.persons[p][k]
            if number > 0:
                fields = {"seat": p, "number": number, "person": ("person", name)}
                lines.append(Line("event.person", fields))
        walls = after.s.walls[p] - before.s.walls[p]
        if lines and walls > 0:
            lines.append(Line("event.walls", {"seat": p, "number": walls}))
    return lines
