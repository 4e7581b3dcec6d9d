"""Antike Duellum: the story, from what a seat saw before an action and what it sees after."""

from __future__ import annotations

from ludus.core.codes import label
from ludus.core.sight import Sight
from ludus.core.telling import Line, plain_line

from . import layout as at
from .layout import CODES, Box, Position
from .rules.building import is_production, produced_at, yield_of
from .rules.turn import score

Seen = Sight[Position, Box]

NEWS = frozenset(
    (
        "log.go",
        "log.to",
        "log.temple",
        "log.wall",
        "log.arm",
        "log.enlist",
        "log.develop",
        "log.recruit",
        "log.found",
        "log.card",
        "event.battle",
        "event.taken",
        "event.razed",
        "event.held",
        "event.person",
    )
)


def log(before: Seen, seat: int, kind: str, args: tuple[int, ...] | None, after: Seen) -> list[Line]:
    """The action itself, then what came of it: tolls, production, battles, conquests, personages, the end."""
    lines = _acted(before, seat, kind, args)
    made = _made(before, kind, after)
    lines += _toll(before, kind, args, after, made)
    lines += _received(before.s.active, made)
    lines += _conquered(before, kind, after)
    if kind != "aim" and after.s.taken == before.s.taken:
        lines += _battle(before, after)
    lines += _gained(before, after)
    if after.s.phase == at.ENDED:
        return [*lines, _end(after)]
    if after.s.turns > before.s.turns:
        lines.append(Line("event.turn", {"seat": after.s.active, "turn": after.s.turns}))
    return lines


def _end(after: Seen) -> Line:
    if after.s.winner >= 0:
        return Line("event.won", {"seat": after.s.winner})
    lead = score(after.s, 0) - score(after.s, 1)
    return Line("event.cap", {}) if lead == 0 else Line("event.cap_won", {"seat": int(lead < 0)})


def _acted(before: Seen, seat: int, kind: str, args: tuple[int, ...] | None) -> list[Line]:
    """The action as a sentence; nothing where nothing happens that anybody wants to read."""
    if kind == "first" and args is not None:
        return [Line("log.first", {"seat": args[0], "number": before.box.second_coins})]
    if kind == "recruit" and args is not None:
        unit, number = args
        return [Line("log.recruit", {"seat": seat, "units": ("count", at.UNITS[unit], number)})]
    if kind in ("pay", "take") and args is not None:
        return [Line(f"log.{kind}", {"seat": seat, "goods": ("count", at.GOODS[args[0]], 1)})]
    return [] if kind == "coins" and args == (0,) else [plain_line(CODES, before, seat, kind, args)]


def choice_line(sight: Seen, code: int) -> Line | None:
    """What an action is called where it can be chosen: units by their kind and number, moves by both ends."""
    kind, args = CODES.split(code)
    s = sight.s
    if kind == "recruit":
        return Line("said.recruit", {"units": ("count", at.UNITS[args[0]], args[1])})
    if kind == "to" and at.UNITS[s.group_unit] in ("legion", "galley"):
        regions = sight.labels["region"]
        ends = {"origin": ("region", regions[s.group_from]), "region": ("region", regions[args[0]])}
        return Line("said.to", {"units": ("count", at.UNITS[s.group_unit], args[1]), **ends})
    return None


def _made(before: Seen, kind: str, after: Seen) -> list[int]:
    """How much of each good this action has brought the active seat, by production or by a card."""
    made = [0] * len(at.GOODS)
    p = after.s.active
    space = after.s.stone[p]
    waited = before.s.main in (at.RONDEL, at.PRODUCE)
    if waited and after.s.main == at.FOUND and is_production(space):
        made[produced_at(space)] = yield_of(before.s, before.box, p, produced_at(space))
        made[at.COIN] = 1 - after.s.take_left  # one to take: the bank has no coin
    elif kind == "card":
        made[at.COIN] = max(0, after.s.goods[p][at.COIN] - before.s.goods[p][at.COIN])
    return made


def _received(p: int, made: list[int]) -> list[Line]:
    lines = []
    for good, number in enumerate(made[: at.COIN]):
        if number:
            fields = {"seat": p, "number": number, "good": ("good", at.GOODS[good])}
            lines.append(Line("event.produced", fields))
    return [*lines, Line("event.coins", {"seat": p, "number": made[at.COIN]})] if made[at.COIN] else lines


def _toll(before: Seen, kind: str, args: tuple[int, ...] | None, after: Seen, made: list[int]) -> list[Line]:
    """What was paid of a toll, or for a city at a price of one's choice, where there was one way only."""
    if kind != "go" and before.s.phase != at.TOLL and not (kind == "found" and before.s.city_deal):
        return []
    p = before.s.active
    lines = []
    for good, name in enumerate(at.GOODS):
        paid = before.s.goods[p][good] + made[good] - after.s.goods[p][good]
        paid -= int(kind == "pay" and args == (good,))
        if paid > 0:
            lines.append(Line("event.toll", {"seat": p, "goods": ("count", name, paid)}))
    return lines


def _battle(before: Seen, after: Seen) -> list[Line]:
    q = 1 - before.s.active
    lines = []
    for unit in range(2):
        lost = after.s.recruits[q][unit] - before.s.recruits[q][unit]
        leader = before.s.leader_at[q] > 0 and after.s.leader_at[q] == 0
        lost += int(leader and before.box.leader_unit[q] == unit + 1)
        if lost > 0:
            lines.append(Line("event.battle", {"units": ("count", at.UNITS[unit], lost)}))
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
                lines.append(Line("event.person", {"seat": p, "persons": ("count", name, number)}))
        walls = after.s.walls[p] - before.s.walls[p]
        if lines and walls > 0:
            lines.append(Line("event.walls", {"seat": p, "number": walls}))
    return lines
