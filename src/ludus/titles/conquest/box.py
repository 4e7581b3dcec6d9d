"""Conquest of the Empire: options, the box they make, and what a scene may leave unsaid."""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

from ludus.core.codes import Labels
from ludus.core.option import Option, Value

from .layout import (
    AREAS,
    BOX,
    EDGES,
    ENDS,
    GALLEY,
    NEAR,
    NOBODY,
    OFFERS,
    PHASES,
    PROVINCES,
    PURPOSES,
    SHIPS,
    SHORES,
    UNITS,
    WATERS,
    Box,
    Position,
)

FOLDER = Path(__file__).parent
SEATS = range(2, 7)

_HOMES = ("draw", "choose", "seated")
_LEAVING = ("bot", "remove")
NO_CAP = "none"
ENDLESS = 10_000  # rounds that no table gets to: even then programs must come to an end


def _switch(name: str, default: str) -> Option:
    """A ruling that can be turned on or off; named as in the list of rulings."""
    return Option(name, default, ("off", "on"), disputed=True)


SWITCHES = (
    _switch("galleys_block_straits", "off"),
    _switch("broken_coasts", "off"),
    _switch("same_sea_same_turn", "off"),
    _switch("loser_galleys_sunk", "off"),
    _switch("reembark_on_retreat", "off"),
    _switch("leaderless_retreat", "off"),
    _switch("retreat_conquers", "off"),
    _switch("both_destroyed_captures", "off"),
    _switch("rescue_at_sea", "on"),
    _switch("inherit_piece_pool", "on"),
    _switch("recruit_in_captured_homes", "off"),
    _switch("tribute_needs_home", "off"),
    _switch("naval_defender_first", "off"),
    _switch("free_gifts", "off"),
)
BORDERS = (
    _switch("aegyptus_arabia", "on"),
    _switch("mesopotamia_arabia", "off"),
)
OPTIONS = (
    Option("homes", "draw", _HOMES),
    Option("acclamation", "on", ("off", "on")),
    Option("max_rounds", 200, (5, 10, 20, 30, 50, 100, 200, NO_CAP)),
    Option("rounds_after_full_inflation", 0, (0, 3, 6, 10)),
    Option("tribute_goal", 0, (0, 60, 105, 150, 205)),
    Option("start_talents", 0, (0, 20, 50, 100)),
    Option("first_home", "macedonia", ("macedonia", "italia"), disputed=True),
    Option("cavalry_limit", 20, (20, 10), disputed=True),
    Option("leaving", "bot", _LEAVING, disputed=True),
    *SWITCHES,
    *BORDERS,
)

_NAMES: dict[str, tuple[str, ...]] = {
    "phase": PHASES,
    "purpose": PURPOSES,
    "offer": OFFERS,
    "end": ENDS,
    "unit": ("infantry", "cavalry", "catapult"),
    "goods": ("infantry", "cavalry", "catapult", "galley", "city", "wall", "road"),
    "work": ("city", "wall", "road"),
    "face": ("infantry", "cavalry", "catapult", "galley", "blank"),
    "piece": (
        "general", "tired_general", "emperor", "infantry", "cavalry", "tired_cavalry", "catapult",
    ),
    "spent": (
        "infantry", "weary_cavalry", "cavalry", "catapult", "weary_general", "general",
    ),
    "cargo": ("general", "emperor", "infantry", "cavalry", "catapult"),
    "who": ("emperor", "general", "tired_general"),
    "side": ("attacker", "defender"),
    "homes": _HOMES,
}  # fmt: skip


@cache
def data() -> dict[str, Any]:
    found: dict[str, Any] = json.loads((FOLDER / "data" / "board.json").read_text(encoding="utf-8"))
    return found


@cache
def areas() -> tuple[str, ...]:
    """The names of all areas: provinces, then sea zones."""
    return tuple(a["id"] for a in (*data()["provinces"], *data()["seas"]))


@cache
def edges() -> tuple[tuple[str, str], ...]:
    """All land borders, the disputed ones last; the place in this list is the number of the road."""
    board = data()
    return tuple((a, b) for a, b in (*board["land"], *board["disputed"].values()))


def make_box(options: Mapping[str, Value], seats: int) -> Box:
    box = BOX.plain()
    box.seats, box.homes = seats, _HOMES.index(str(options["homes"]))
    for switch in SWITCHES:
        setattr(box, switch.name, int(options[switch.name] == "on"))
    box.acclamation = int(options["acclamation"] == "on")
    box.leaving_removes = int(options["leaving"] == "remove")
    rounds = options["max_rounds"]
    box.max_rounds = ENDLESS if rounds == NO_CAP else int(rounds)
    for name in ("rounds_after_full_inflation", "tribute_goal", "start_talents"):
        setattr(box, name, int(options[name]))
    _set_homes(box, seats, str(options["first_home"]))
    _set_land(box, options)
    _set_sea(box)
    _set_distances(box)
    box.winning = json.loads((FOLDER / "data" / "odds.json").read_text(encoding="utf-8"))["winning"]
    board = data()
    for number, goods in enumerate(_NAMES["goods"]):
        box.base_price[number] = board["price"][goods]
        box.limit[number] = board["pool"][goods]
    box.limit[1] = int(options["cavalry_limit"])
    box.infantry, box.starting_generals = board["start"]["infantry"], board["start"]["generals"]
    return box


def _set_homes(box: Box, seats: int, first: str) -> None:
    board, names = data(), areas()
    order: list[str] = board["home_order"]
    for number, home in enumerate(order):
        box.in_play[number] = int(home in board["homes_by_seats"][str(seats)])
        box.home_province[number] = names.index(home)
        ports = board["ports"].get(home, [home])
        box.ports[number] = [names.index(p) for p in ports] + [NOBODY] * (2 - len(ports))
    start = order.index(first)
    box.ring[:] = [(start + i) % len(order) for i in range(len(order))]


def _set_land(box: Box, options: Mapping[str, Value]) -> None:
    board, names = data(), areas()
    for number, province in enumerate(board["provinces"]):
        box.value[number] = province["value"]
    closed = [tuple(pair) for name, pair in board["disputed"].items() if options[name] == "off"]
    box.edges = len(edges())
    for number, (a, b) in enumerate(edges()):
        if (a, b) not in closed:
            ends = names.index(a), names.index(b)
            box.edge_end[number][:] = ends
            _join(box, *ends, number)
    for a, b in board["straits"]:
        _join(box, names.index(a), names.index(b), -1)
    assert max(box.near_count) <= NEAR and len(edges()) <= EDGES


def _join(box: Box, a: int, b: int, edge: int) -> None:
    for p, q in ((a, b), (b, a)):
        box.near[p][box.near_count[p]], box.near_edge[p][box.near_count[p]] = q, edge
        box.near_count[p] += 1


def _set_sea(box: Box) -> None:
    board, names = data(), areas()
    for province, sea in board["coasts"]:
        p, z = names.index(province), names.index(sea)
        place = box.shore_count[p]
        box.shore[p][place] = z
        if box.broken_coasts:
            for number, stretch in enumerate(board["stretches"].get(province, ()), 1):
                box.stretch[p][place] = number if sea in stretch else box.stretch[p][place]
        box.shore_count[p] += 1
        _open(box, z, p)
    for a, b in board["open_sea"]:
        _open(box, names.index(a), names.index(b))
        _open(box, names.index(b), names.index(a))
    assert max(box.shore_count) <= SHORES and max(box.water_count) <= WATERS


def _open(box: Box, sea: int, area: int) -> None:
    z = sea - PROVINCES
    box.water[z][box.water_count[z]] = area
    box.water_count[z] += 1


SEA_HOP = 3  # what crossing a sea zone counts in the distances that bots use


FAR = 50  # there is no way


def _set_distances(box: Box) -> None:
    """Steps from province to province: on foot, by galley, and both, a crossing counting as three."""
    foot = [[0 if p == q else FAR for q in range(PROVINCES)] for p in range(PROVINCES)]
    sail = [[0 if a == b else FAR for b in range(AREAS)] for a in range(AREAS)]
    for p in range(PROVINCES):
        for q in box.near[p][: box.near_count[p]]:
            foot[p][q] = 1
    for z in range(PROVINCES, AREAS):
        for a in box.water[z - PROVINCES][: box.water_count[z - PROVINCES]]:
            sail[z][a] = 1  # from sea on: a galley never goes from coast to coast
    both = [row[:] for row in foot]
    for p in range(PROVINCES):
        for z in box.shore[p][: box.shore_count[p]]:
            for q in box.water[z - PROVINCES][: box.water_count[z - PROVINCES]]:
                if q < PROVINCES and q != p:
                    both[p][q] = min(both[p][q], SEA_HOP)
    box.distance[:], box.march[:] = _shortest(both), _shortest(foot)
    box.voyages[:] = [row[:PROVINCES] for row in _shortest(sail)[PROVINCES:]]


def _shortest(table: list[list[int]]) -> list[list[int]]:
    """Shortest ways, from single steps."""
    for k in range(len(table)):
        for p in range(len(table)):
            through = table[p][k]
            if through < FAR:
                table[p] = [min(d, through + e) for d, e in zip(table[p], table[k], strict=True)]
    return table


NEIGHBOURS = {"macedonia": "macedonia", "galatia": "thracia", "mesopotamia": "moesia", "aegyptus": "achaia"}


def _melee(options: Mapping[str, Value]) -> Box:
    """Four emperors next door to each other: random play fights from the first turn on."""
    box = make_box({**options, "homes": "seated", "acclamation": "off"}, 4)
    order, names = data()["home_order"], areas()
    for number, home in enumerate(order):
        box.in_play[number] = int(home in NEIGHBOURS)
        if home in NEIGHBOURS:
            place = names.index(NEIGHBOURS[home])
            box.home_province[number], box.ports[number] = place, [place, NOBODY]
    box.start_talents, box.max_rounds = 300, 20
    return box


def _reversed() -> dict[str, Value]:
    """Every disputed switch the other way."""
    return {o.name: "off" if o.default == "on" else "on" for o in (*SWITCHES, *BORDERS)}


def small_boxes() -> Mapping[str, Box]:
    """Few rounds, and either little to buy, so that stocks run out, or emperors so near that they fall."""
    plain: dict[str, Value] = {o.name: o.default for o in OPTIONS}
    crowd = make_box({**plain, "homes": "seated", "acclamation": "off", "max_rounds": 12}, 6)
    crowd.infantry = 2
    crowd.limit[:] = [6, 4, 2, 2, 8, 8, 3]
    rich = make_box({**plain, "homes": "seated", "acclamation": "off", "start_talents": 100}, 3)
    rich.max_rounds = 30
    fierce = _melee({**plain, **_reversed()})
    return {"crowd": crowd, "rich": rich, "melee": _melee(plain), "fierce": fierce}


def labels(box: Box) -> Labels:
    names = areas()
    return {
        **_NAMES,
        "area": names,
        "place": (*names, *(f"ship_{n}" for n in range(SHIPS))),
        "home": tuple(data()["home_order"]),
        # Straits come last: they have a name, and no road can be built there.
        "edge": tuple(f"{a}-{b}" for a, b in (*edges(), *data()["straits"])),
    }


def settle(s: Position, box: Box, given: frozenset[str]) -> None:
    """What follows from the pieces on the board is counted anew."""
    for p in range(PROVINCES):
        holders = [q for q in range(box.seats) if any(s.units[q][p])]
        if "occupant" not in given:
            foreign = [q for q in holders if q != s.active]
            s.occupant[p] = (foreign or holders or [NOBODY])[0]
        if holders and s.owner[p] == NOBODY:
            s.owner[p] = s.occupant[p]
    _settle_counts(s, box, given)


def _settle_counts(s: Position, box: Box, given: frozenset[str]) -> None:
    for ship in range(SHIPS):
        fresh = "ship_points" not in given and s.ship_owner[ship] != NOBODY
        s.ship_points[ship] = 2 if fresh else s.ship_points[ship]
    for seat in range(box.seats):
        if "force" not in given:
            for unit in range(UNITS):
                s.force[seat][unit] = sum(row[unit] for row in s.units[seat]) + sum(
                    s.cargo[ship][unit] for ship in range(SHIPS) if s.ship_owner[ship] == seat
                )
            s.force[seat][GALLEY] = s.ship_owner.count(seat)
        if "tribute" not in given:
            s.tribute[seat] = sum(
                box.value[p] + (5 if s.city[p] else 0) for p in range(PROVINCES) if s.owner[p] == seat
            )
    if "built" not in given:
        s.built[:] = [sum(c > 0 for c in s.city), s.city.count(2), sum(s.road)]
    if "removed" not in given:
        settled = sum(home >= 0 for home in s.home[: box.seats])
        s.removed = settled * box.starting_generals - _generals(s, box)


def _generals(s: Position, box: Box) -> int:
    """Generals that are somewhere; a scene that names fewer has the rest out of the game."""
    held = sum(sum(row) for row in s.captives) + sum(s.waiting) + sum(s.pending)
    return held + sum(sum(row) for row in s.generals) + sum(s.ship_generals)
