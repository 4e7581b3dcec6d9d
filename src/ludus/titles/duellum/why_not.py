"""Why not: the numbered rule that forbids an action.  Rule numbers as in RULES.md."""

from __future__ import annotations

from collections.abc import Callable

from ludus.core.sight import Sight

from . import layout as at
from .layout import CODES, Box, Position
from .rules.building import arm_price, has_room, know_price, temple_price
from .rules.duellum import attackers
from .rules.goods import can_pay
from .rules.turn import can_found, may_found_at

Seen = Sight[Position, Box]
Args = tuple[int, ...]

# The small questions: while one is open, nothing else is done.
_OPEN = {
    at.TOLL: "P1", at.PAY: "R5", at.GIVE: "C6", at.TAKE: "R8", at.DEST: "R24", at.FIGHT: "R47",
    at.ANSWER: "R47", at.FORTRESS: "R45", at.LOSSES: "R30",
    at.ABANDON: "R59", at.AIM: "R45", at.STRIKE: "R45", at.MUSTER: "R45", at.PICK: "R43",
}  # fmt: skip
# Kinds that answer a question which is not open now.
_CLOSED = {
    "first": "P10", "reveal": "R46", "pay": "P1", "coins": "R5", "take": "C6", "to": "R24", "lose": "R30",
    "aim": "R45", "strike": "R45", "muster": "R45", "pick": "R41", "enlist": "P9",
    "abandon": "R59",
}  # fmt: skip
# The stretch of the turn that a kind belongs to.
_STRETCH = {
    "go": at.RONDEL, "produce": at.PRODUCE, "temple": at.TEMPLUM, "wall": at.TEMPLUM, "arm": at.MILITIA,
    "develop": at.SCIENTIA, "recruit": at.SCIENTIA, "found": at.FOUND,
}  # fmt: skip


def why_not(sight: Seen, code: int) -> str:
    """The number of the rule that forbids an action that is not legal now."""
    kind, args = CODES.split(code)
    s = sight.s
    if s.phase in (at.FIRST, at.REVEAL, at.ENDED):
        return {at.FIRST: "P10", at.REVEAL: "R46"}.get(s.phase, "R39")
    if s.phase in _OPEN:
        return _OPEN[s.phase]
    if kind in _CLOSED:
        return _CLOSED[kind]
    if kind in _STRETCH and s.main != _STRETCH[kind]:
        return "R1"
    return _REASONS[kind](sight, args)


def _go(sight: Seen, args: Args) -> str:
    return "P1"


def _temple(sight: Seen, args: Args) -> str:
    s, box, r = sight.s, sight.box, args[0]
    if s.owner[r] != s.active + 1 or s.temple[r] == 1:
        return "R15"
    if s.bank_temples == 0:
        return "P11"
    return "R6" if can_pay(s, s.active, temple_price(s, box), 0, 0, 0) else "P3"


def _wall(sight: Seen, args: Args) -> str:
    s, r = sight.s, args[0]
    if s.owner[r] != s.active + 1 or s.wall[r] == 1:
        return "R15"
    return "R16" if s.walls[s.active] == 0 else "P13"


def _arm(sight: Seen, args: Args) -> str:
    s, box = sight.s, sight.box
    unit, r = args
    if unit == at.LEADER:
        return "V1" if box.leader_unit[s.active] == 0 or s.leader_at[s.active] > 0 or s.ready[unit] else "R17"
    if s.ready[unit] == 0:
        return "R17"
    if s.owner[r] == s.active + 1 and box.way_n[unit][r] == 0:
        return "R19"
    if not has_room(s, box, unit, r):
        return "R18"
    return "P9" if can_pay(s, s.active, 0, arm_price(s, box), 0, 0) else "P12"


def _develop(sight: Seen, args: Args) -> str:
    s = sight.s
    known = s.know[s.active][args[0]] == 1
    return "R22" if known or know_price(s, sight.box, args[0]) == 0 else "P5"


def _recruit(sight: Seen, args: Args) -> str:
    unit, number = args
    return "P11" if sight.s.supply[sight.s.active][unit] < number else "P6"


def _move(sight: Seen, args: Args) -> str:
    main = sight.s.main
    if main in (at.CLASH, at.CONQUEST):
        return "R29"
    return "R24" if main == at.MOVE else "R1"


def _lead(sight: Seen, args: Args) -> str:
    return "V2" if sight.s.main == at.MOVE else "R1"


def _fight(sight: Seen, args: Args) -> str:
    return "C3" if sight.box.battle == at.FORCED else "R47"


def _conquer(sight: Seen, args: Args) -> str:
    s, box, r = sight.s, sight.box, args[0]
    if s.main != at.CONQUEST:
        return "R29"
    there = attackers(s, r) > 0 or s.leader_at[s.active] == r + 1
    last = box.protect_last == 1 and s.cities[1 - s.active] == 1
    return "R33" if s.owner[r] == 2 - s.active and there and last else "R30"


def _found(sight: Seen, args: Args) -> str:
    s, box = sight.s, sight.box
    token, r = args
    if not may_found_at(s, box, r):
        return _no_place(sight, r)
    if s.bank_tokens[token] == 0:
        return "R13"
    base = can_pay(s, s.active, box.city_price[0], box.city_price[1], box.city_price[2], 0)
    return "R6" if (base or s.city_deal > 0) and not can_found(s, box, token, r) else "P4"


def _no_place(sight: Seen, r: int) -> str:
    s, box = sight.s, sight.box
    if s.cities[s.active] >= box.max_cities:
        return "R57"
    alone = s.leader_at[s.active] == r + 1 and box.site[r] == 1 and s.owner[r] == 0
    return "R49" if alone else "R10"


def _card(sight: Seen, args: Args) -> str:
    s, box, card = sight.s, sight.box, args[0]
    if s.hand[s.active][card] == 0:
        return "R44"
    if box.when[card] == at.AT_CONQUEST:
        return "R45"
    return "P9"


def _trade(sight: Seen, args: Args) -> str:
    return "C6"


def _done(sight: Seen, args: Args) -> str:
    return "R2" if sight.s.main == at.RONDEL else "R3"


_REASONS: dict[str, Callable[[Seen, Args], str]] = {
    "go": _go, "produce": _done, "temple": _temple, "wall": _wall, "arm": _arm, "develop": _develop,
    "recruit": _recruit, "send": _move, "lead": _lead, "fight": _fight, "hold": _fight, "clash": _fight,
    "conquer": _conquer, "found": _found, "card": _card, "trade": _trade, "done": _done,
}  # fmt: skip


# -- what was touched ---------------------------------------------------------------------------------

_TOUCHED = {"space": "go {}", "know": "develop {}", "card": "card {}"}
_REGION = {
    at.CONQUEST: "conquer {}",
    at.FOUND: "found marble {}",
    at.TEMPLUM: "temple {}",
    at.MILITIA: "arm legion {}",
}


def meant(sight: Seen, path: tuple[str, ...]) -> int | None:
    """The action that the last touch tries."""
    kind, _, name = path[-1].partition(":")
    text = _REGION.get(sight.s.phase) if kind == "region" else _TOUCHED.get(kind)
    return CODES.read(text.format(name), sight.labels) if text else None
