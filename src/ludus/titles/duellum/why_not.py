"""Why not: the numbered rule that forbids an action.  Rule numbers as in RULES.md."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ludus.core.codes import label
from ludus.core.sight import Sight
from ludus.core.telling import Line

from . import layout as at
from .layout import CODES, Box, Position
from .rules.building import arm_price, has_room, know_price, room_left, temple_price, temple_tax, toll_to
from .rules.duellum import attackers, units_needed
from .rules.goods import TRADE_GIVES, can_pay, total_goods
from .rules.turn import can_found, city_tax, may_found_at, score

Seen = Sight[Position, Box]
Args = tuple[int, ...]
# The rule that forbids an action, and what stands against it now, with its numbers.
Reason = tuple[str, Line | None]

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
# Stretches after which cities are founded without a word between.
_THEN_FOUND = (at.PRODUCE, at.TEMPLUM, at.MILITIA, at.SCIENTIA)


def why_not(sight: Seen, code: int) -> str:
    """The number of the rule that forbids an action that is not legal now."""
    return _reason(sight, code)[0]


def because(sight: Seen, code: int) -> Line | None:
    """What stands against an action now, with its numbers."""
    return _reason(sight, code)[1]


def _reason(sight: Seen, code: int) -> Reason:
    kind, args = CODES.split(code)
    s = sight.s
    if s.phase in (at.FIRST, at.REVEAL, at.ENDED):
        return _rule({at.FIRST: "P10", at.REVEAL: "R46"}.get(s.phase, "R39"))
    if s.phase in _OPEN:
        return _rule(_OPEN[s.phase])
    if kind in _CLOSED:
        return _rule(_CLOSED[kind])
    if kind in _STRETCH and s.main != _STRETCH[kind] and not _is_ahead(sight, kind, args):
        return _rule("R1")
    return _REASONS[kind](sight, args)


def _is_ahead(sight: Seen, kind: str, args: Args) -> bool:
    """R1: founding comes after the action, but what stands against it then does so already."""
    s, box = sight.s, sight.box
    if kind != "found" or s.main not in _THEN_FOUND:
        return False
    return not (may_found_at(s, box, args[1]) and can_found(s, box, *args))


def _rule(rule: str) -> Reason:
    return rule, None


def _said(rule: str, key: str, **fields: Any) -> Reason:
    return rule, Line(f"because.{key}", fields)


def _the(sight: Seen, group: str, value: int) -> tuple[str, str]:
    return (group, label(group, value, sight.labels))


def _has(s: Position, *goods: int) -> list[tuple[str, str, int]]:
    """What the active seat has of some goods; R5: coins stand for any of them."""
    return [_some(good, s.goods[s.active][good]) for good in (*goods, at.COIN)]


def _some(good: int, number: int) -> tuple[str, str, int]:
    return ("count", at.GOODS[good], number)


def _go(sight: Seen, args: Args) -> Reason:
    s, box, space = sight.s, sight.box, args[0]
    fields = {"number": total_goods(s, s.active), "toll": toll_to(s, box, s.active, space)}
    return _said("P1", "toll", **fields, space=_the(sight, "space", space))


def _temple(sight: Seen, args: Args) -> Reason:
    s, box, r = sight.s, sight.box, args[0]
    region = _the(sight, "region", r)
    if s.owner[r] != s.active + 1:
        return _said("R15", "not_yours", region=region)
    if s.temple[r] == 1:
        return _said("R15", "has_temple", region=region)
    if s.bank_temples == 0:
        return _said("P11", "temples", number=box.temples)
    price, tax = temple_price(s, box), temple_tax(s, box, r)
    rule = "R6" if can_pay(s, s.active, price, 0, 0, 0) else "P3"
    fields = {"goods": _has(s, at.MARBLE), "price": _some(at.MARBLE, price), "region": region, "tax": tax}
    return _said(rule, "temple_tax" if tax else "temple", **fields)


def _wall(sight: Seen, args: Args) -> Reason:
    s, box, r = sight.s, sight.box, args[0]
    region = _the(sight, "region", r)
    if s.owner[r] != s.active + 1:
        return _said("R15", "not_yours", region=region)
    if s.wall[r] == 1:
        return _said("R15", "has_wall", region=region)
    if s.walls[s.active] == 0:
        ahead = range(score(s, s.active) + 1, box.goal + 1)
        mark = next((n for n in ahead if box.wall_at[n]), 0)
        return _said("R16", "walls" if mark else "walls_end", mark=mark)
    return _said("P13", "wall", goods=_has(s, at.MARBLE), price=_some(at.MARBLE, box.wall_price))


def _arm(sight: Seen, args: Args) -> Reason:
    s, box = sight.s, sight.box
    unit, r = args
    if unit == at.LEADER:
        return _arm_leader(sight, r)
    if s.ready[unit] == 0:
        late = s.recruits[s.active][unit]
        if late:
            return _said("R17", "box_late", units=("count", at.UNITS[unit], late))
        return _said("R17", "box_empty", unit=_the(sight, "unit", unit))
    if s.owner[r] != s.active + 1:
        return _said("R18", "not_yours", region=_the(sight, "region", r))
    if box.way_n[unit][r] == 0:
        return _rule("R19")
    if not has_room(s, box, unit, r):
        return _no_room(sight, r)
    price = arm_price(s, box)
    rule = "P9" if can_pay(s, s.active, 0, price, 0, 0) else "P12"
    return _said(rule, "unit", goods=_has(s, at.IRON), price=_some(at.IRON, price))


def _arm_leader(sight: Seen, r: int) -> Reason:
    s, box = sight.s, sight.box
    if box.leader_unit[s.active] == 0:
        return _rule("V1")
    if s.leader_at[s.active] > 0:
        return _said("V1", "leader_out")
    if s.ready[at.LEADER] == 0:
        return _rule("R17")
    if s.owner[r] != s.active + 1:
        return _said("V1", "not_yours", region=_the(sight, "region", r))
    if s.temple[r] == 0:
        return _said("V1", "no_temple", region=_the(sight, "region", r))
    if can_pay(s, s.active, 0, box.leader_price, 0, 0):
        return _no_room(sight, r, "V1") if room_left(s, r) <= 0 else _rule("V1")
    return _said("V1", "leader", goods=_has(s, at.IRON), price=_some(at.IRON, box.leader_price))


def _no_room(sight: Seen, r: int, rule: str = "R18") -> Reason:
    armed = sight.s.armed[r]
    fields = {"armed": armed, "most": armed + room_left(sight.s, r)}
    return _said(rule, "room", **fields, region=_the(sight, "region", r))


def _develop(sight: Seen, args: Args) -> Reason:
    s, k = sight.s, args[0]
    price, know = know_price(s, sight.box, k), _the(sight, "know", k)
    if s.know[s.active][k] == 1:
        return _said("R22", "known", know=know)
    return _said("P5", "know", goods=_has(s, at.GOLD), price=_some(at.GOLD, price), know=know)


def _recruit(sight: Seen, args: Args) -> Reason:
    s, (unit, number) = sight.s, args
    left, name = s.supply[s.active][unit], at.UNITS[unit]
    if left < number:
        return _said("P11", "supply", units=("count", name, left))
    price = _some(at.GOLD, number * sight.box.recruit_price[unit])
    return _said("P6", "recruits", goods=_has(s, at.GOLD), price=price, units=("count", name, number))


def _send(sight: Seen, args: Args) -> Reason:
    """R24: who would have to cross so many borders has fewer left, or none."""
    s, (unit, r, needed) = sight.s, args
    if s.main != at.MOVE:
        return _rule("R29" if s.main in (at.CLASH, at.CONQUEST) else "R1")
    if s.army[s.active][unit][r] == 0:
        return _rule("R24")
    left = [steps for steps in range(1, at.MAX_STEPS + 1) if s.left[unit][steps][r] > 0]
    fields = {"unit": _the(sight, "unit", unit), "region": _the(sight, "region", r)}
    if not left:
        return _said("R24", "no_step", **fields)
    return _said("R24", "steps", **fields, number=left[-1], needed=needed)


def _lead(sight: Seen, args: Args) -> Reason:
    s = sight.s
    if s.main != at.MOVE:
        return _rule("R1")
    return _said("V2", "leader_step") if s.leader_at[s.active] > 0 else _rule("V2")


def _fight(sight: Seen, args: Args) -> Reason:
    return _rule("C3" if sight.box.battle == at.FORCED else "R47")


def _conquer(sight: Seen, args: Args) -> Reason:
    s, box, r = sight.s, sight.box, args[0]
    if s.main != at.CONQUEST:
        return _rule("R29")
    if s.owner[r] != 2 - s.active:
        return _rule("R30")
    there = attackers(s, r) > 0 or s.leader_at[s.active] == r + 1
    if there and box.protect_last == 1 and s.cities[1 - s.active] == 1:
        return _rule("R33")
    fields = {"number": attackers(s, r), "needed": units_needed(s, box, r)}
    return _said("R30", "strength", **fields, region=_the(sight, "region", r))


def _found(sight: Seen, args: Args) -> Reason:
    s, box = sight.s, sight.box
    token, r = args
    if not may_found_at(s, box, r):
        return _no_place(sight, r)
    if s.bank_tokens[token] == 0:
        return _said("R13", "tokens", token=_the(sight, "token", token), number=box.tokens[token])
    base = can_pay(s, s.active, box.city_price[0], box.city_price[1], box.city_price[2], 0)
    rule = "R6" if (base or s.city_deal > 0) and not can_found(s, box, token, r) else "P4"
    fields = {
        "goods": _has(s, at.MARBLE, at.IRON, at.GOLD), "tax": city_tax(s, box, token, r),
        "region": _the(sight, "region", r), "token": _the(sight, "token", token),
    }  # fmt: skip
    if s.city_deal > 0:
        return _said(rule, "city_deal", **fields, number=s.city_deal - 1)
    price = [_some(good, number) for good, number in enumerate(box.city_price) if number]
    return _said(rule, "city_tax" if fields["tax"] else "city", **fields, price=price)


def _no_place(sight: Seen, r: int) -> Reason:
    s, box = sight.s, sight.box
    region = _the(sight, "region", r)
    if s.cities[s.active] >= box.max_cities:
        return _said("R57", "disks", number=box.max_cities)
    if box.site[r] == 0:
        return _said("R10", "no_site", region=region)
    if s.owner[r] != 0:
        return _said("R10", "settled", region=region)
    return _said("R49" if s.leader_at[s.active] == r + 1 else "R10", "no_unit", region=region)


def _card(sight: Seen, args: Args) -> Reason:
    s, box, card = sight.s, sight.box, args[0]
    if s.hand[s.active][card] == 0:
        return _rule("R44")
    return _rule("R45" if box.when[card] == at.AT_CONQUEST else "P9")


def _trade(sight: Seen, args: Args) -> Reason:
    s = sight.s
    number = total_goods(s, s.active)
    if s.know[s.active][at.COMMERCIUM] == 0 or number >= TRADE_GIVES:
        return _rule("C6")
    return _said("C6", "trade", number=number, gives=TRADE_GIVES)


def _done(sight: Seen, args: Args) -> Reason:
    return _rule("R2" if sight.s.main == at.RONDEL else "R3")


_REASONS: dict[str, Callable[[Seen, Args], Reason]] = {
    "go": _go, "produce": _done, "temple": _temple, "wall": _wall, "arm": _arm, "develop": _develop,
    "recruit": _recruit, "send": _send, "lead": _lead, "fight": _fight, "hold": _fight, "clash": _fight,
    "conquer": _conquer, "found": _found, "card": _card, "trade": _trade, "done": _done,
}  # fmt: skip


# -- what was touched ---------------------------------------------------------------------------------

_TOUCHED = {"space": "go {}", "know": "develop {}", "card": "card {}"}


def meant(sight: Seen, path: tuple[str, ...]) -> int | str | None:
    """The action that the last touch tries, with what was touched before it."""
    *before, (kind, _, name) = (touch.partition(":") for touch in path)
    carried, _, thing = before[-1] if before else ("", "", "")
    unit, _, place = (thing if carried == "unit" else name).partition("@")
    if kind == "region":
        if carried == "unit" and place in sight.labels["region"]:
            return _far(sight, unit, place, name)
        text = f"arm {unit} {name}" if carried == "unit" else _of_region(sight, name)
    elif carried == "region":
        text = {"token": f"found {name} {thing}", "button": f"{name} {thing}"}.get(kind, "")
    elif kind == "amount" and place == "supply":
        text = f"recruit {unit} {name}"
    elif kind == "unit":
        text = _of_unit(sight, unit, place)
    else:
        text = _TOUCHED.get(kind, "").format(name)
    return CODES.read(text, sight.labels) if text else None


def _of_region(sight: Seen, name: str) -> str:
    """A region alone: what its city could get in this stretch, or a city there."""
    s, box = sight.s, sight.box
    if name not in sight.labels["region"]:
        return ""
    r = sight.labels["region"].index(name)
    enemy, own = s.owner[r] == 2 - s.active, s.owner[r] == s.active + 1
    if s.main == at.TEMPLUM and (own or enemy):
        return f"{'wall' if own and s.temple[r] else 'temple'} {name}"
    if s.main == at.MILITIA and (own or enemy):
        fits = [unit for unit in range(2) if box.way_n[unit][r]]
        unit = next((unit for unit in fits if s.ready[unit]), fits[0] if fits else at.LEGION)
        return f"arm {at.UNITS[unit]} {name}"
    if s.main in (at.MOVE, at.CLASH, at.CONQUEST):
        return f"conquer {name}" if enemy else ""
    if s.main not in (*_THEN_FOUND, at.FOUND):
        return ""
    token = min((1, 2, 3), key=lambda token: (s.bank_tokens[token] == 0, city_tax(s, box, token, r)))
    return f"found {at.TOKENS[token]} {name}"


def _of_unit(sight: Seen, unit: str, place: str) -> str:
    """A unit alone, where it lies in the box or the supply or stands on the map."""
    s, box = sight.s, sight.box
    if unit not in at.UNITS:
        return ""
    if place == "supply":
        return f"recruit {unit} 1"
    if place == "box":
        kind = at.UNITS.index(unit)
        kind = kind if kind < at.LEADER else box.leader_unit[s.active] - 1
        own = [r for r in range(box.regions) if s.owner[r] == s.active + 1]
        fit = [r for r in own if kind < 0 or has_room(s, box, kind, r)]
        return f"arm {unit} {label('region', (fit or own)[0], sight.labels)}" if own else ""
    if s.main != at.MOVE:
        return ""
    return "lead" if unit == "leader" else f"send {unit} {place} 1"


def _far(sight: Seen, unit: str, origin: str, target: str) -> int | str | None:
    """R24: a march that nobody there can make, as one of so many steps; R28: or by no way of its kind."""
    s, box, regions = sight.s, sight.box, sight.labels["region"]
    if s.main != at.MOVE or unit not in at.UNITS[: at.LEADER] or target not in regions:
        return None
    kind, goal = at.UNITS.index(unit), regions.index(target)
    reached, steps = {regions.index(origin)}, 0
    while goal not in reached:
        further = reached | {box.way[kind][r][k] for r in reached for k in range(box.way_n[kind][r])}
        if further == reached:
            return "R28" if kind == at.LEGION else "R24"
        reached, steps = further, steps + 1
    return CODES.read(f"send {unit} {origin} {min(max(steps, 1), at.MAX_STEPS)}", sight.labels)
