"""Antike Duellum, the talking half: what a seat sees and touches."""

from __future__ import annotations

from functools import lru_cache
from typing import cast

from ludus.core.codes import label
from ludus.core.sight import Sight, everything_visible
from ludus.core.title import Beginning

from . import layout as at
from .board import Board, Heap, Prices
from .box import LONGEST, sha_text
from .data import data_of, shipped_data
from .layout import CODES, PHASES, POSITION, Box, Position
from .rules.building import (
    arm_price,
    know_price,
    may_build_temple,
    may_wall,
    steps_of,
    temple_price,
    temple_tax,
    toll_to,
)
from .rules.duellum import city_strength, units_needed
from .rules.goods import can_pay, first_due
from .rules.turn import city_tax, navigation
from .rules.turn import score as personages

Seen = Sight[Position, Box]
BEGINNING = Beginning("go", 3)  # the first spaces of the rondel


def turn(sight: Seen) -> tuple[int, int]:
    """Also while the other seat is asked for a Fortress, a card or a fight."""
    s = sight.s
    return (s.active, (s.turns + 1) // 2) if s.turns > 0 else (-1, 0)


# -- what is seen -------------------------------------------------------------------------------------


def view(sight: Seen) -> Board:
    """Everything lies open: the fields of the position by name, and what follows from them."""
    shown = cast(Board, everything_visible(POSITION, sight))  # the rest follows
    s, box = sight.s, sight.box
    data = data_of(sha_text(box))
    shown["score"] = score(sight)
    shown["goal"] = box.goal
    shown["navigation"] = [navigation(s, box, p) for p in range(2)]
    shown["defence"] = _by_region(
        sight, [city_strength(s, box, r) if s.owner[r] else 0 for r in _regions(box)]
    )
    shown["sides"] = list(sight.labels["side"][1:])
    if sum(box.leader_unit) > 0:
        shown["leaders"] = [["", "general", "admiral"][box.leader_unit[p]] for p in range(2)]
    else:
        del shown["leader_at"]
    if box.turn_cap < LONGEST:
        shown["turn_cap"] = box.turn_cap
    shown["house_cards"] = data.house_cards if data else []
    shown["map"] = _map_of(sha_text(box))
    shown["stacks"] = {
        name: box.stack[k] - s.persons[0][k] - s.persons[1][k] for k, name in enumerate(at.PERSONS)
    }
    shown["wall_marks"] = [mark for mark in range(box.goal + 1) if box.wall_at[mark]]
    shown["prices"] = _prices(s, box)
    shown["city_tax"] = _city_taxes(sight)
    shown["threats"] = _by_region(sight, [threat(s, box, r) if s.owner[r] else 0 for r in _regions(box)])
    if s.phase == at.RONDEL:
        shown["tolls"] = {at.SPACES[k]: toll_to(s, box, s.active, k) for k in range(8)}
    if s.phase == at.TEMPLUM:
        own = [temple_tax(s, box, r) if s.owner[r] == s.active + 1 else 0 for r in _regions(box)]
        shown["temple_tax"] = _by_region(sight, own)
    if s.phase == at.CONQUEST:
        enemy = [units_needed(s, box, r) if s.owner[r] == 2 - s.active else 0 for r in _regions(box)]
        shown["needed"] = _by_region(sight, enemy)
    return shown


def score(sight: Seen) -> list[int]:
    """R39: the personages of each side."""
    return [personages(sight.s, p) for p in range(2)]


def _regions(box: Box) -> range:
    return range(box.regions)


def _by_region(sight: Seen, numbers: list[int]) -> Heap:
    return {label("region", r, sight.labels): n for r, n in enumerate(numbers) if n}


MAPS = ("rome_carthage", "casus_belli", "greece_persia")


@lru_cache(maxsize=64)
def _map_of(sha: str) -> str:
    """The drawn map of this board; none where somebody's own file has other borders."""
    data = data_of(sha)
    board = str(data.board.get("id", "")) if data else ""
    return board if data and board in MAPS and data.borders() == shipped_data(board).borders() else ""


def _prices(s: Position, box: Box) -> Prices:
    """What things cost the seat whose turn it is; of a know-how also both printed prices."""
    return {
        "city": list(box.city_price),
        "temple": temple_price(s, box),
        "wall": box.wall_price,
        "arm": arm_price(s, box),
        "leader": box.leader_price,
        "recruit": {at.UNITS[unit]: box.recruit_price[unit] for unit in range(2)},
        "know": {
            name: [box.know_first[k], box.know_second[k], know_price(s, box, k)]
            for k, name in enumerate(at.KNOW_HOWS)
        },
    }


def _city_taxes(sight: Seen) -> dict[str, list[int]]:
    """P4: the coins that marble, iron and gold would cost beside the price, where they cost any."""
    s, box = sight.s, sight.box
    free = [r for r in _regions(box) if box.site[r] and not s.owner[r]]
    taxes = {r: [city_tax(s, box, token, r) for token in (1, 2, 3)] for r in free}
    return {label("region", r, sight.labels): tax for r, tax in taxes.items() if any(tax)}


def threat(s: Position, box: Box, r: int) -> int:
    """How many units of the other side stand near enough to a city to reach it in one manoeuvre."""
    enemy = 2 - s.owner[r]
    found = 0
    for unit in range(2):
        reached, edge = {r}, {r}
        for _ in range(steps_of(s, enemy, unit)):
            edge = {box.way[unit][q][k] for q in edge for k in range(box.way_n[unit][q])} - reached
            reached |= edge
        found += sum(s.army[enemy][unit][q] for q in reached)
    return found


def prompt(sight: Seen) -> str:
    """A payment says what for: `pay_marble`."""
    s = sight.s
    return f"pay_{at.GOODS[first_due(s)]}" if s.phase == at.PAY else PHASES[s.phase]


def reveals(s: Position, box: Box, code: int) -> bool:
    """Nothing is hidden, so nothing is shown by an action but what chance turns up afterwards."""
    return False


# -- what is touched ----------------------------------------------------------------------------------


def touches(sight: Seen, code: int) -> tuple[str, ...]:
    """Units are touched where they stand (`unit:legion@roma`, `@box`, `@supply`), regions on the map."""
    kind, args = CODES.split(code)
    names = [label(a.labels, v, sight.labels) for a, v in zip(CODES.kinds[kind].args, args, strict=True)]
    if kind in ("temple", "wall"):
        place = (f"region:{names[0]}",)
        return (*place, f"button:{kind}") if _builds_either(sight, args[0]) else place
    if kind in ("arm", "enlist"):
        return (f"unit:{names[0]}@{'box' if kind == 'arm' else 'supply'}", f"region:{names[1]}")
    if kind == "recruit":
        return (f"unit:{names[0]}@supply", f"amount:{names[1]}")
    if kind == "send":
        return _touch_send(sight, args, names)
    if kind == "lead":
        return (f"unit:leader@{label('region', sight.s.leader_at[sight.s.active] - 1, sight.labels)}",)
    if kind == "to":
        return _touch_way(sight, args, names)
    if kind == "clash":
        path = (f"unit:{names[0]}@{names[1]}",)
        return path if sight.s.phase == at.CLASH else ("button:clash", *path)
    if kind == "found":
        return (f"region:{names[1]}", f"token:{names[0]}")
    if kind == "muster":
        return (f"unit:{names[0]}@supply",)
    return _touch_one(kind, names)


def _builds_either(sight: Seen, r: int) -> bool:
    """Whether this city can get a temple or a wall."""
    s, box = sight.s, sight.box
    wall = may_wall(s, r) and can_pay(s, s.active, box.wall_price, 0, 0, 0)
    return wall and may_build_temple(s, box, r)


def _touch_one(kind: str, names: list[str]) -> tuple[str, ...]:
    """Actions of one touch, or of a button."""
    element = {
        "go": "space", "pay": "good", "take": "good", "develop": "know", "conquer": "region", "aim": "region",
        "card": "card", "strike": "card", "pick": "card", "coins": "amount", "lose": "amount",
        "reveal": "card", "first": "seat", "abandon": "region",
    }.get(kind)  # fmt: skip
    return (f"{element}:{names[0]}",) if element else (f"button:{kind}",)


def _touch_send(sight: Seen, args: tuple[int, ...], names: list[str]) -> tuple[str, ...]:
    """The steps left are asked for only where units with different ones stand together."""
    unit, region, _ = args
    groups = sum(sight.s.left[unit][steps][region] > 0 for steps in range(1, at.MAX_STEPS + 1))
    path = (f"unit:{names[0]}@{names[1]}",)
    return path if groups == 1 else (*path, f"steps:{names[2]}")


def _touch_way(sight: Seen, args: tuple[int, ...], names: list[str]) -> tuple[str, ...]:
    """All go along, unless somebody first says how many."""
    s = sight.s
    whole = s.group_unit == at.LEADER or s.left[s.group_unit][s.group_steps][s.group_from] == args[1]
    return (f"region:{names[0]}",) if whole else (f"amount:{names[1]}", f"region:{names[0]}")
