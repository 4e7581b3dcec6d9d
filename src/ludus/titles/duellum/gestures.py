"""Antike Duellum: what is said with one gesture.

A turn is one stretch for a person: the stone, then whatever its space is for, cities, and "end the turn".
Payments are proposed, units march as far as they may, a city that is touched arms or builds.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ludus.core.codes import label
from ludus.core.sight import Sight
from ludus.core.telling import Line

from . import layout as at
from .layout import CODES, Box, Position
from .rules.building import arm_price, legal_militia, room_left, toll_to
from .rules.duellum import city_strength
from .rules.goods import FOR_TRADE, first_due, least_coins, legal_goods, total_goods
from .rules.turn import may_found_at
from .rules.units import strength
from .view import threat

Seen = Sight[Position, Box]
Path = tuple[str, ...]

# Kinds of actions that begin a march, and those that lead it on: one way on the board.
MARCHES = {"send": ("to",), "lead": ("to",)}

# After these somebody may have to pay, or say where to.
_LEAD_ON = {"go", "temple", "wall", "arm", "enlist", "develop", "recruit", "send", "lead", "found"}


def leads_on(sight: Seen, code: int) -> bool:
    return CODES.kind(code) in _LEAD_ON


def answers(sight: Seen, begun: int | None) -> Sequence[int] | None:
    """R5: as few coins as possible; P1: the most plentiful resource first, coins last; R8: for a coin that
    the bank lacks after production the resource that is scarcest in the store."""
    s = sight.s
    if s.phase == at.PAY:
        return (at.PAY_COINS + least_coins(s, s.active, first_due(s)),)
    if s.phase == at.TOLL:
        out = [0] * 4
        legal_goods(s, s.active, s.toll, at.PAY_GOOD, out)
        return (out[0],)
    if s.phase == at.TAKE and begun is not None and CODES.kind(begun) == "go":
        return (at.TAKE_GOOD + min(range(3), key=lambda good: s.goods[s.active][good]),)
    return () if s.phase == at.DEST or _is_trade(s) else None


def _is_trade(s: Position) -> bool:
    """C6: three are given, two are taken; a card lets somebody give fewer and asks one after the other."""
    return s.phase == at.TAKE or (s.phase == at.GIVE and s.swap == FOR_TRADE)


def opens(sight: Seen, code: int) -> bool:
    return code == at.TRADE


def passes(sight: Seen, code: int) -> bool:
    return code == at.DONE and sight.s.phase <= at.ENDED


def ahead(sight: Seen) -> bool:
    """Cities are founded without a word between; conquest begins by a button, since it ends all movement."""
    return sight.s.phase == at.FOUND


def asks(sight: Seen, code: int) -> bool:
    """A battle, a lost unit, a given-up city: nothing that somebody would rather know first."""
    return CODES.kind(code) in ("lose", "abandon", "conquer", "strike", "aim")


def idle(sight: Seen) -> bool:
    """Where no city could be founded whatever is traded, trades and cards can wait for the next turn."""
    s, box = sight.s, sight.box
    return s.phase == at.FOUND and not any(may_found_at(s, box, r) for r in range(box.regions))


def warning(sight: Seen) -> Line | None:
    """A city with a temple, or the last one, that the other side could take in its next turn."""
    s, box, p = sight.s, sight.box, sight.to_move
    manoeuvres = [k for k, name in enumerate(at.SPACES) if name.startswith("duellum")]
    if not any(toll_to(s, box, 1 - p, k) <= total_goods(s, 1 - p) for k in manoeuvres):
        return None
    if s.cities[p] == 1 and box.protect_last:  # R33
        return None
    for r in range(box.regions):
        precious = s.owner[r] == p + 1 and (s.temple[r] or s.cities[p] == 1)
        if precious and threat(s, box, r) >= city_strength(s, box, r):
            fields = {"region": ("region", label("region", r, sight.labels)), "number": threat(s, box, r)}
            return Line("warning.city", {**fields, "strength": city_strength(s, box, r)})
    return None


# -- further paths --------------------------------------------------------------------------------------


def more(sight: Seen) -> Sequence[tuple[Path, tuple[int, ...]]]:
    if sight.s.phase == at.MILITIA:
        return list(_armed_where_touched(sight))
    return list(_marches(sight)) if sight.s.phase == at.MOVE else []


def _armed_where_touched(sight: Seen) -> Iterator[tuple[Path, tuple[int, ...]]]:
    """A city that is touched arms as many units as it may; which kind is asked where there is a choice.  Who
    wants fewer touches the unit first."""
    s, box = sight.s, sight.box
    out = [0] * CODES.size
    found: dict[int, list[int]] = {}
    for code in out[: legal_militia(s, box, out)]:
        found.setdefault(CODES.split(code)[1][1], []).append(code)
    for region, codes in found.items():
        path = (f"region:{label('region', region, sight.labels)}",)
        for code in codes:
            all_of_a_kind = _armed_together(s, box, code) if CODES.kind(code) == "arm" else (code,)
            yield path if len(codes) == 1 else (*path, _unit_of(sight, code)), all_of_a_kind


def _armed_together(s: Position, box: Box, code: int) -> tuple[int, ...]:
    """R18: the same unit as often as the city, the box and the iron allow, with the payments between (R5: as
    few coins as possible).  Where units meet an enemy one is armed after the other."""
    p, (unit, region) = s.active, CODES.split(code)[1]
    if unit == at.LEADER or s.army[1 - p][unit][region] > 0:
        return (code,)
    iron, coins = s.goods[p][at.IRON], s.goods[p][at.COIN]
    price, codes = arm_price(s, box), list[int]()
    for _ in range(min(s.ready[unit], room_left(s, region))):
        least, most = max(0, price - iron), min(price, coins)
        if least > coins:
            break
        codes += [code, at.PAY_COINS + least] if least < most else [code]
        iron, coins, price = iron - (price - least), coins - least, box.arm_price
    paid = CODES.kind(codes[-1]) == "coins"  # the last payment is proposed, and can be made otherwise
    return tuple(codes[:-1] if paid else codes)


def _unit_of(sight: Seen, code: int) -> str:
    kind, args = CODES.split(code)
    return f"unit:{label('unit', args[0], sight.labels)}@{'box' if kind == 'arm' else 'supply'}"


def _marches(sight: Seen) -> Iterator[tuple[Path, tuple[int, ...]]]:
    """R24: units with more than one step go on over regions where they meet nobody."""
    s, box = sight.s, sight.box
    for unit in range(2):
        for origin in range(box.regions):
            groups = [k for k in range(1, at.MAX_STEPS + 1) if s.left[unit][k][origin] > 0]
            if s.army[s.active][unit][origin] == 0 or not groups or groups[-1] < 2:
                continue
            start = f"unit:{label('unit', unit, sight.labels)}@{label('region', origin, sight.labels)}"
            for steps in groups:
                path = (start,) if len(groups) == 1 else (start, f"steps:{steps}")
                yield from _march(sight, unit, origin, steps, path)


def _march(
    sight: Seen, unit: int, origin: int, steps: int, path: Path
) -> Iterator[tuple[Path, tuple[int, ...]]]:
    """One group, or a part of it, to every region that it does not reach in one step."""
    most = sight.s.left[unit][steps][origin]
    for target, way in _ways(sight, unit, origin, steps).items():
        region = f"region:{label('region', target, sight.labels)}"
        for number in range(most, 0, -1):
            codes: list[int] = []
            for k, (here, there) in enumerate(zip((origin, *way), way, strict=False)):
                codes.append(CODES.code("send", unit, here, steps - k))
                codes.append(CODES.code("to", there, number))
            part = () if number == most else (f"amount:{number}",)
            yield (*path, *part, region), tuple(codes)


def _ways(sight: Seen, unit: int, origin: int, steps: int) -> dict[int, tuple[int, ...]]:
    """The regions beyond the neighbours, each with the shortest way over regions without an enemy of that
    kind."""
    s, box = sight.s, sight.box
    found: dict[int, tuple[int, ...]] = {}
    edge: dict[int, tuple[int, ...]] = {origin: ()}
    seen = {origin}
    for step in range(steps):
        reached: dict[int, tuple[int, ...]] = {}
        for here, way in edge.items():
            for k in range(box.way_n[unit][here]):
                there = box.way[unit][here][k]
                if there not in seen:
                    seen.add(there)
                    reached[there] = (*way, there)
        if step > 0:
            found |= reached
        edge = {r: way for r, way in reached.items() if strength(s, box, 1 - s.active, unit, r) == 0}
    return found
