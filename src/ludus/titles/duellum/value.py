"""What a position of Antike Duellum is worth to a seat: personages, and all that leads to them.

Hand-made: each weight says what a thing is worth beside a personage, which counts a thousand.
"""

from . import layout as at
from .layout import (
    AURUM,
    CITIZEN,
    COIN,
    FERRUM,
    GALLEY,
    GENERAL,
    GOLD,
    IRON,
    LEGION,
    MARBLE,
    MARMOR,
    MILITIA,
    MILITIA_SPACE,
    MOVE,
    NAVIGATOR,
    SCHOLAR,
    SCIENTIA_SPACE,
    TEMPLUM_SPACE,
    Box,
    Position,
)
from .rules.building import yield_of
from .rules.duellum import city_strength
from .rules.goods import can_pay
from .rules.turn import navigation

PERSON = 1000
EARNED = 960  # a personage that the end of the turn will bring
CITY = 260
TEMPLE = 300
POINT = 12  # of navigation, times the square of the points
KNOW_HOW = 110
UNIT = 75
RECRUIT = 32
IDLE_RECRUIT = 6  # beyond what the next arming can use
RECRUITS = 4
SETTLER = 90  # the first unit on a free site
REACH = 60  # a free site that a unit can still reach
FEW = 30  # a good of which there are few
GOOD = 20
MANY = 6  # a good of which there are enough
SCARCE, ENOUGH = 3, 9
WALL = 25
BUILT_WALL = 40
CARD = 35
PREY = 130  # a city that stands to be taken
LEADER = 90
ARMABLE = 35  # a unit that the present MILITIA can still arm
CHANCE_OF_USE = 4  # the best use within free reach counts a quarter: waiting must not pay


def value(s: Position, box: Box, seat: int) -> int:
    return worth(s, box, seat) - worth(s, box, 1 - seat)


def worth(s: Position, box: Box, p: int) -> int:
    total = PERSON * sum_of(s.persons[p], 5) + CITY * s.cities[p] + CARD * sum_of(s.hand[p], box.cards)
    total += purse(s, p) + WALL * s.walls[p] + KNOW_HOW * sum_of(s.know[p], 5)
    recruits = s.recruits[p][LEGION] + s.recruits[p][GALLEY]
    total += RECRUIT * min(recruits, RECRUITS) + IDLE_RECRUIT * max(0, recruits - RECRUITS)
    total += LEADER if s.leader_at[p] > 0 else 0
    total += map_worth(s, box, p) + sea_worth(s, box, p)
    if s.active == p:
        total += EARNED * min(s.firsts, in_stack(s, box, SCHOLAR))
        total += EARNED * min(s.razed, in_stack(s, box, GENERAL))
        total += ARMABLE * still_armable(s, box, p) if s.main == MILITIA else 0
    return total + next_use(s, box, p) // CHANCE_OF_USE


def sum_of(numbers: list[int], n: int) -> int:
    total = 0
    for k in range(n):
        total += numbers[k]
    return total


def in_stack(s: Position, box: Box, kind: int) -> int:
    return box.stack[kind] - s.persons[0][kind] - s.persons[1][kind]


def purse(s: Position, p: int) -> int:
    total = 0
    for good in range(4):
        n = s.goods[p][good]
        total += FEW * min(n, SCARCE) + GOOD * max(0, min(n, ENOUGH) - SCARCE)
        total += MANY * max(0, min(n, 40) - ENOUGH)
    return total


def map_worth(s: Position, box: Box, p: int) -> int:
    """Temples, walls, units, free sites with a settler, cities within the grasp of either side."""
    q = 1 - p
    total = temples = reach = 0
    for r in range(box.regions):
        units = s.army[p][LEGION][r] + s.army[p][GALLEY][r]
        total += UNIT * units
        if s.owner[r] == p + 1:
            temples += s.temple[r]
            total += BUILT_WALL * s.wall[r]
            enemies = s.army[q][LEGION][r] + s.army[q][GALLEY][r]
            if enemies > 0 and enemies >= city_strength(s, box, r):
                total -= PREY + TEMPLE * s.temple[r]
        elif s.owner[r] == 0:
            if box.site[r] == 1:
                total += SETTLER if units > 0 else 0
                reach += 1 if units == 0 and in_reach(s, box, p, r) else 0
        elif units > 0 and units >= city_strength(s, box, r):
            total += PREY + (PERSON // 2 if s.temple[r] == 1 else 0)
    useful = box.person_per[CITIZEN] * (s.persons[p][CITIZEN] + in_stack(s, box, CITIZEN))
    total += TEMPLE * min(temples, useful) + TEMPLE // 3 * max(0, temples - useful)
    return total + REACH * min(reach, idle_units(s, box, p)) if reach > 0 else total


def in_reach(s: Position, box: Box, p: int, r: int) -> bool:
    """Whether a unit that still moves stands next to a free site."""
    if s.main != MOVE or s.active != p:
        return False
    for unit in range(2):
        for k in range(box.way_n[unit][r]):
            if moving(s, unit, box.way[unit][r][k]) > 0:
                return True
    return False


def moving(s: Position, unit: int, r: int) -> int:
    return s.left[unit][1][r] + s.left[unit][2][r] + s.left[unit][3][r]


def idle_units(s: Position, box: Box, p: int) -> int:
    """Units that still move and do not hold a free site already."""
    if not can_pay(s, p, box.city_price[0], box.city_price[1], box.city_price[2], 0):
        return 0
    n = 0
    for r in range(box.regions):
        if box.site[r] == 0 or s.owner[r] != 0:
            n += moving(s, LEGION, r) + moving(s, GALLEY, r)
    return n


def sea_worth(s: Position, box: Box, p: int) -> int:
    """Navigation points towards the next navigator; what is held already counts no more."""
    each = box.person_per[NAVIGATOR]
    held = s.persons[p][NAVIGATOR]
    if in_stack(s, box, NAVIGATOR) == 0:
        return 0
    points = max(0, min(navigation(s, box, p) - each * held, each))
    return POINT * points * points


def still_armable(s: Position, box: Box, p: int) -> int:
    room = 0
    for r in range(box.regions):
        if s.owner[r] == p + 1:
            room += (3 if s.temple[r] == 1 else 1) - s.armed[r]
    return min(room, s.ready[LEGION] + s.ready[GALLEY], s.goods[p][IRON] // max(1, box.arm_price))


# -- the rondel: what the next turn can do -------------------------------------------------------------


def next_use(s: Position, box: Box, p: int) -> int:
    """The best of the three spaces that the stone can reach without payment."""
    if s.stone[p] == at.MIDDLE:
        return 0
    best = 0
    for step in range(1, 4):
        best = max(best, use_of(s, box, p, (s.stone[p] + step) % 8))
    return best


def use_of(s: Position, box: Box, p: int, space: int) -> int:
    if space == MARMOR:
        return GOOD * (1 + yield_of(s, box, p, MARBLE))
    if space == FERRUM:
        return GOOD * (1 + yield_of(s, box, p, IRON))
    if space == AURUM:
        return GOOD * (1 + yield_of(s, box, p, GOLD))
    if space == TEMPLUM_SPACE:
        return TEMPLE // 2 if s.goods[p][MARBLE] + s.goods[p][COIN] >= box.temple_price else 0
    if space == MILITIA_SPACE:
        ready = s.recruits[p][LEGION] + s.recruits[p][GALLEY]
        return ARMABLE * min(3, ready, s.goods[p][IRON] // max(1, box.arm_price))
    if space == SCIENTIA_SPACE:
        return science_use(s, box, p)
    return REACH * min(3, box.pieces[LEGION] - s.supply[p][LEGION] - s.recruits[p][LEGION])


def science_use(s: Position, box: Box, p: int) -> int:
    """A scholar if the gold is there, else recruits."""
    gold = s.goods[p][GOLD] + s.goods[p][COIN]
    for k in range(5):
        if s.know[0][k] + s.know[1][k] == 0 and gold >= box.know_first[k]:
            return PERSON
    return RECRUIT * min(3, gold)
