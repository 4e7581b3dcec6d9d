"""Phases 3 to 5: tribute, razing, purchase and placement (sections 6 and 7)."""

from .. import layout as at
from ..layout import (
    BUY,
    CITY,
    GALLEY,
    HOMES,
    MAX_BATCH,
    PROVINCES,
    RAZE,
    ROAD,
    UNITS,
    WALL,
    Box,
    Position,
)
from .board import (
    CITY_TRIBUTE,
    alive,
    free_ship,
    hostile,
    raise_tribute,
    raze_city,
    settle_occupant,
)
from .turn import home_held


def collect_tribute(s: Position, box: Box) -> None:
    """Phase 3, 6.6, 6.8: as many talents as the marker shows; then phase 4."""
    if box.tribute_needs_home == 0 or home_held(s, box, s.active):
        s.talents[s.active] += s.tribute[s.active]
    s.phase = RAZE
    if not owns_city(s):
        start_purchase(s)


def owns_city(s: Position) -> bool:
    for p in range(PROVINCES):
        if s.city[p] > 0 and s.owner[p] == s.active:
            return True
    return False


def legal_raze(s: Position, out: list[int]) -> int:
    """6.9: any city of one's own, also the home city and those just taken."""
    out[0] = at.END_RAZING
    n = 1
    for p in range(PROVINCES):
        if s.city[p] > 0 and s.owner[p] == s.active:
            out[n] = at.RAZE_CITY + p
            n += 1
    return n


def raze(s: Position, box: Box, p: int) -> None:
    raze_city(s, box, p)
    if not owns_city(s):
        start_purchase(s)


def start_purchase(s: Position) -> None:
    s.phase = BUY


# -- purchase -----------------------------------------------------------------------------------------


def price(s: Position, box: Box, goods: int) -> int:
    """7.1, 7.7: the base price times inflation."""
    return box.base_price[goods] * s.price


def pieces_left(s: Position, box: Box, goods: int) -> int:
    return left_of(s, box, s.active, goods)


def left_of(s: Position, box: Box, seat: int, goods: int) -> int:
    """0.5, 7.2: pieces of one's own colour, and of inherited colours, that are not in play."""
    sets = s.colours[seat] if box.inherit_piece_pool == 1 else 1
    return max(0, box.limit[goods] * sets - s.force[seat][goods])


def affordable(s: Position, box: Box, goods: int) -> int:
    return s.talents[s.active] // price(s, box, goods)


def is_recruiting(s: Position, box: Box, place: int) -> bool:
    """7.3: one's own home; with recruit_in_captured_homes also the homes of the fallen."""
    p = box.home_province[place]
    if s.owner[p] != s.active or hostile(s, s.active, p):
        return False
    if s.home[s.active] == place:
        return True
    return box.recruit_in_captured_homes == 1 and fallen_home(s, box, place)


def fallen_home(s: Position, box: Box, place: int) -> bool:
    for seat in range(box.seats):
        if s.home[seat] == place and not alive(s, seat):
            return True
    return False


def is_shipyard(s: Position, box: Box, p: int) -> bool:
    """7.4: galleys appear in the home; those of Mesopotamia in Syria or Armenia, if owned."""
    if s.owner[p] != s.active or hostile(s, s.active, p):
        return False
    for place in range(HOMES):
        own = s.home[s.active] == place
        if not own and (box.recruit_in_captured_homes == 0 or not fallen_home(s, box, place)):
            continue
        if box.ports[place][0] == p or box.ports[place][1] == p:
            return True
    return False


def legal_buy(s: Position, box: Box, out: list[int]) -> int:
    """7.5: only what can be placed at once, in any order."""
    out[0] = at.END_PURCHASE
    n = 1
    if affordable(s, box, ROAD) == 0:  # nothing is cheaper
        return n
    n = legal_recruits(s, box, out, n)
    n = legal_launches(s, box, out, n)
    n = legal_foundations(s, box, out, n)
    n = legal_walls(s, box, out, n)
    return legal_roads(s, box, out, n)


def legal_recruits(s: Position, box: Box, out: list[int], n: int) -> int:
    for place in range(HOMES):
        if not is_recruiting(s, box, place):
            continue
        for unit in range(UNITS):
            most = min(min(pieces_left(s, box, unit), affordable(s, box, unit)), MAX_BATCH)
            code = at.RECRUIT + unit * at.RECRUIT_UNIT + place * at.RECRUIT_HOME
            for number in range(1, most + 1):
                out[n] = code + number
                n += 1
    return n


def legal_launches(s: Position, box: Box, out: list[int], n: int) -> int:
    """3.9: with broken_coasts a new galley chooses its stretch of coast."""
    if affordable(s, box, GALLEY) == 0 or pieces_left(s, box, GALLEY) == 0:
        return n
    for p in range(PROVINCES):
        if not is_shipyard(s, box, p):
            continue
        first, last = 0, 0
        for i in range(box.shore_count[p]):
            last = max(last, box.stretch[p][i])
        if last > 0:
            first = 1
        for coast in range(first, last + 1):
            out[n] = at.LAUNCH + p * at.LAUNCH_PROVINCE + coast
            n += 1
    return n


def legal_foundations(s: Position, box: Box, out: list[int], n: int) -> int:
    """7.6, 6.4: a city in any controlled province that has none, islands too."""
    if affordable(s, box, CITY) == 0 or s.built[0] >= box.limit[CITY]:
        return n
    for p in range(PROVINCES):
        if s.owner[p] == s.active and s.city[p] == 0:
            out[n] = at.FOUND + p
            n += 1
    return n


def legal_walls(s: Position, box: Box, out: list[int], n: int) -> int:
    """7.2: there are as many walls as cities, so none can be lacking for a city."""
    if affordable(s, box, WALL) == 0:
        return n
    for p in range(PROVINCES):
        if s.owner[p] == s.active and s.city[p] == 1:
            out[n] = at.FORTIFY + p
            n += 1
    return n


def legal_roads(s: Position, box: Box, out: list[int], n: int) -> int:
    """7.6, 2.8: one road a land border between two cities of one's own, new ones included (12.17)."""
    if s.built[2] >= box.limit[ROAD]:
        return n
    for edge in range(box.edges):
        if s.road[edge] == 0 and may_pave(s, box, edge):
            out[n] = at.PAVE + edge
            n += 1
    return n


def may_pave(s: Position, box: Box, edge: int) -> bool:
    a, b = box.edge_end[edge][0], box.edge_end[edge][1]
    if s.city[a] == 0 or s.city[b] == 0 or a == b:
        return False
    return s.owner[a] == s.active and s.owner[b] == s.active


# -- placing what was bought ------------------------------------------------------------------------


def pay(s: Position, box: Box, goods: int, number: int) -> None:
    s.talents[s.active] -= number * price(s, box, goods)


def recruit(s: Position, box: Box, code: int) -> None:
    rest = code - at.RECRUIT - 1
    unit, rest = rest // at.RECRUIT_UNIT, rest % at.RECRUIT_UNIT
    place, number = rest // at.RECRUIT_HOME, rest % at.RECRUIT_HOME + 1
    p = box.home_province[place]
    pay(s, box, unit, number)
    s.units[s.active][p][unit] += number
    s.force[s.active][unit] += number
    settle_occupant(s, p)


def launch(s: Position, box: Box, p: int, coast: int) -> None:
    pay(s, box, GALLEY, 1)
    ship = free_ship(s)
    s.ship_owner[ship], s.ship_area[ship], s.ship_coast[ship] = s.active, p, coast
    s.force[s.active][GALLEY] += 1


def found(s: Position, box: Box, p: int) -> None:
    """A new city raises the marker at once, and that may set off inflation (7.7)."""
    pay(s, box, CITY, 1)
    s.city[p] = 1
    s.built[0] += 1
    raise_tribute(s, s.active, CITY_TRIBUTE)


def fortify(s: Position, box: Box, p: int) -> None:
    pay(s, box, WALL, 1)
    s.city[p] = 2
    s.built[1] += 1


def pave(s: Position, box: Box, edge: int) -> None:
    pay(s, box, ROAD, 1)
    s.road[edge] = 1
    s.built[2] += 1
