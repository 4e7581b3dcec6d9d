"""The rondel and its actions of production and use: MARMOR, FERRUM, AURUM, TEMPLUM, MILITIA, SCIENTIA."""

from .. import layout as at
from ..layout import (
    AURUM,
    DUELLUM_II,
    DUELLUM_SPACE,
    FERRUM,
    FOUND,
    GOLD,
    IRON,
    LEADER,
    MARBLE,
    MARMOR,
    MIDDLE,
    MILITIA,
    MILITIA_SPACE,
    MONETA,
    MOVE,
    NAVIGATIO,
    PRODUCE,
    SCIENTIA,
    STRATA,
    TEMPLUM,
    TEMPLUM_SPACE,
    Box,
    Position,
)
from .goods import can_pay, charge, receive_coins, total_goods
from .units import stand_ready

# -- the rondel -----------------------------------------------------------------------------------


def toll_to(s: Position, box: Box, p: int, space: int) -> int:
    """P1, R2: three spaces are free, each further one costs a good; staying is a full circle.  P14: from the
    middle every space is free."""
    if s.stone[p] == MIDDLE:
        return 0
    steps = (space - s.stone[p] + 7) % 8 + 1
    return max(0, steps - box.free_spaces - s.free_more)


def legal_spaces(s: Position, box: Box, out: list[int]) -> int:
    p = s.active
    n = 0
    for step in range(8):
        space = (s.stone[p] + 1 + step) % 8
        if toll_to(s, box, p, space) <= total_goods(s, p):
            out[n] = at.GO + space
            n += 1
    return n


def go(s: Position, box: Box, space: int) -> None:
    """The stone moves and the action of its space begins.  P15: DUELLUM is there twice."""
    p = s.active
    s.toll = toll_to(s, box, p, space)
    s.lowest = s.free_more = 0
    s.stone[p] = space
    if space == TEMPLUM_SPACE:
        s.main = TEMPLUM
    elif space == MILITIA_SPACE:
        s.main = MILITIA
    elif space == DUELLUM_SPACE or space == DUELLUM_II:
        s.main = MOVE
        begin_movement(s, box)
    else:
        s.main = PRODUCE if is_production(space) else SCIENTIA


def is_production(space: int) -> bool:
    return space == MARMOR or space == FERRUM or space == AURUM


def steps_of(s: Position, p: int, unit: int) -> int:
    """R24: one border, two with STRATA (legions) or NAVIGATIO (galleys)."""
    return 1 + s.know[p][NAVIGATIO if unit == at.GALLEY else STRATA]


def begin_movement(s: Position, box: Box) -> None:
    """R24: all units have their steps, V2: and the leader those of its kind."""
    p = s.active
    for unit in range(2):
        steps = steps_of(s, p, unit)
        for r in range(box.regions):
            s.left[unit][steps][r] = s.army[p][unit][r]
    s.leader_left = steps_of(s, p, box.leader_unit[p] - 1) if s.leader_at[p] > 0 else 0


# -- production -----------------------------------------------------------------------------------


def produced_at(space: int) -> int:
    return MARBLE if space == MARMOR else IRON if space == FERRUM else GOLD


def yield_of(s: Position, box: Box, p: int, good: int) -> int:
    """P2: one resource a city, three with a temple; MONETA adds one, cities or not (R4)."""
    number = s.know[p][MONETA]
    for r in range(box.regions):
        if s.owner[r] == p + 1 and s.makes[r] == good + 1:
            number += 3 if s.temple[r] == 1 else 1
    return number


def produce(s: Position, box: Box) -> None:
    """R3, R4: production is always carried out, and a coin comes with it."""
    p = s.active
    good = produced_at(s.stone[p])
    s.goods[p][good] += yield_of(s, box, p, good)
    receive_coins(s, p, 1)
    s.main = FOUND


# -- TEMPLUM --------------------------------------------------------------------------------------


def temple_tax(s: Position, box: Box, r: int) -> int:
    """P3: one coin for every temple in a neighbouring region, whoever owns it."""
    if s.temple_free == 1:
        return 0
    tax = 0
    for k in range(box.near_n[r]):
        tax += s.temple[box.near[r][k]]
    return tax


def temple_price(s: Position, box: Box) -> int:
    return s.temple_deal - 1 if s.temple_deal > 0 else box.temple_price


def may_build_temple(s: Position, box: Box, r: int) -> bool:
    """R15: one temple an own city; P11: the bank has only so many."""
    if s.temple[r] == 1 or s.bank_temples == 0:
        return False
    return can_pay(s, s.active, temple_price(s, box), 0, 0, temple_tax(s, box, r))


def build_temple(s: Position, box: Box, r: int) -> None:
    charge(s, s.active, temple_price(s, box), 0, 0, temple_tax(s, box, r))
    s.temple_deal = 0
    s.temple[r] = 1
    s.bank_temples -= 1


def may_wall(s: Position, r: int) -> bool:
    """R15, R16: one wall a city, from the own supply of walls."""
    return s.owner[r] == s.active + 1 and s.wall[r] == 0 and s.walls[s.active] > 0


def put_wall(s: Position, r: int) -> None:
    s.wall[r] = 1
    s.walls[s.active] -= 1


def legal_templum(s: Position, box: Box, out: list[int]) -> int:
    """P13: a wall is paid in marble."""
    n = 0
    for r in range(box.regions):
        if s.owner[r] == s.active + 1:
            if may_build_temple(s, box, r):
                out[n] = at.TEMPLE_AT + r
                n += 1
            if may_wall(s, r) and can_pay(s, s.active, box.wall_price, 0, 0, 0):
                out[n] = at.WALL_AT + r
                n += 1
    return n


# -- MILITIA --------------------------------------------------------------------------------------


def has_room(s: Position, box: Box, unit: int, r: int) -> bool:
    """R19: by the colour of its borders.  R20: whoever else is there."""
    if s.owner[r] != s.active + 1 or box.way_n[unit][r] == 0:
        return False
    return room_left(s, r) > 0


def room_left(s: Position, r: int) -> int:
    """R18: one new unit a city in a turn, three with a temple."""
    return (3 if s.temple[r] == 1 else 1) - s.armed[r]


def arm_price(s: Position, box: Box) -> int:
    """P12: the price of a unit, or that of a card."""
    return s.arm_deal - 1 if s.arm_deal > 0 else box.arm_price


def legal_militia(s: Position, box: Box, out: list[int]) -> int:
    """R17: only units that were in the recruitment box when the turn began.  V1: a leader by a temple."""
    p = s.active
    n = 0
    for unit in range(2):
        if can_pay(s, p, 0, arm_price(s, box), 0, 0):
            enlisting = s.veterans > 0 and s.supply[p][unit] > 0
            if s.ready[unit] > 0 or enlisting:
                for r in range(box.regions):
                    if has_room(s, box, unit, r):
                        if s.ready[unit] > 0:
                            out[n] = at.ARM + unit * at.MAX_REGIONS + r
                            n += 1
                        if enlisting:
                            out[n] = at.ENLIST + unit * at.MAX_REGIONS + r
                            n += 1
    if s.ready[LEADER] > 0 and can_pay(s, p, 0, box.leader_price, 0, 0):
        for r in range(box.regions):
            if s.temple[r] == 1 and has_room(s, box, box.leader_unit[p] - 1, r):
                out[n] = at.ARM + LEADER * at.MAX_REGIONS + r
                n += 1
    return n


def arm(s: Position, box: Box, unit: int, r: int) -> None:
    """A unit leaves the recruitment box and stands in a city; enemies of its kind fight it (R19)."""
    p = s.active
    s.ready[unit] -= 1
    s.armed[r] += 1
    if unit == LEADER:
        charge(s, p, 0, box.leader_price, 0, 0)
        s.leader_at[p] = r + 1
    else:
        charge(s, p, 0, arm_price(s, box), 0, 0)
        s.arm_deal = 0
        s.recruits[p][unit] -= 1
        s.army[p][unit][r] += 1
    stand_ready(s, box, unit, r)


def enlist(s: Position, box: Box, unit: int, r: int) -> None:
    """A card lets a unit be armed straight from the supply."""
    p = s.active
    charge(s, p, 0, arm_price(s, box), 0, 0)
    s.arm_deal = 0
    s.veterans -= 1
    s.armed[r] += 1
    s.supply[p][unit] -= 1
    s.army[p][unit][r] += 1
    stand_ready(s, box, unit, r)


# -- SCIENTIA -------------------------------------------------------------------------------------


def know_price(s: Position, box: Box, k: int) -> int:
    """P5: the higher price for the first who develops a know-how."""
    price = box.know_second[k] if s.know[1 - s.active][k] == 1 else box.know_first[k]
    if s.know_deal > 0:
        price = max(min(price, s.know_least), price - s.know_deal)
    return price


def recruit_limit(s: Position, box: Box, unit: int) -> int:
    """P11: how many the supply and the purse allow, and how many coins can stand for at once."""
    p = s.active
    price = box.recruit_price[unit]
    if price == 0:
        return s.supply[p][unit]
    purse = min(s.goods[p][GOLD] + s.goods[p][at.COIN], at.MAX_COINS_PAID)
    return min(s.supply[p][unit], purse // price)


def legal_scientia(s: Position, box: Box, out: list[int]) -> int:
    """R21: know-hows and recruits, as long as they can be paid."""
    p = s.active
    n = 0
    for k in range(5):
        if s.know[p][k] == 0 and can_pay(s, p, 0, 0, know_price(s, box, k), 0):
            out[n] = at.DEVELOP + k
            n += 1
    for unit in range(2):
        for number in range(1, recruit_limit(s, box, unit) + 1):
            out[n] = at.RECRUIT + unit * at.RECRUIT_UNIT + number
            n += 1
    return n


def develop(s: Position, box: Box, k: int) -> None:
    """R22: both may own a know-how; only the first earns a scholar."""
    p = s.active
    charge(s, p, 0, 0, know_price(s, box, k), 0)
    s.know_deal = s.know_least = 0
    s.know[p][k] = s.fresh[k] = 1
    if s.know[1 - p][k] == 0:
        s.firsts += 1


def recruit(s: Position, box: Box, unit: int, number: int) -> None:
    """P6: from the supply into the recruitment box."""
    p = s.active
    charge(s, p, 0, 0, number * box.recruit_price[unit], 0)
    s.supply[p][unit] -= number
    s.recruits[p][unit] += number
