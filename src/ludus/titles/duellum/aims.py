"""What a turn of Antike Duellum could be after: an enemy city, the next personage of a kind, or an own city
that would fall, walled or garrisoned.

Each needs several actions before anything is gained (units at one place, galleys in many seas, a toll that
spares the gold) or is gained only by what the other then cannot do, which a look at the next action or two
does not see.  A plan that is after something values every step on the way there; whether it was worth it is
judged when the turn is over.
"""

from .layout import (
    CITIZEN,
    COIN,
    DUELLUM_II,
    DUELLUM_SPACE,
    GALLEY,
    GOLD,
    IRON,
    KING,
    LEGION,
    MARBLE,
    MAX_REGIONS,
    MILITIA_SPACE,
    NAVIGATOR,
    SCHOLAR,
    SCIENTIA_SPACE,
    TEMPLUM_SPACE,
    Box,
    Position,
)
from .rules.building import steps_of, temple_tax
from .rules.duellum import city_strength
from .rules.turn import navigation, temples_of

# An aim is a region; behind the regions a kind of personage, then an own region to be walled or armed.
PERSONAGE = MAX_REGIONS
WALLED = PERSONAGE + 5
ARMED = WALLED + MAX_REGIONS

TAKEN = 2000
LACK = 400  # a unit that lacks: nothing else on the way may tempt
CLOSE = 120  # a unit that stands next to the city
MARCHING = 600  # the stone lies on DUELLUM: without that nobody marches
TEMPLE = 4  # a city with a temple comes before one that lacks so many units less
STRIKE = 20  # one that can be taken now comes before all that cannot
EARNED = 30  # a personage that can be had now comes before them
HELD = 10  # after those the own cities in danger, before what lies further off
NEAR = 2  # a personage that lacks no more than that beyond what there are means for


def aims(s: Position, box: Box, seat: int, out: list[int]) -> int:
    """Enemy cities that units of the seat can come to, personages that are near and own cities that the
    other can take: the easiest first."""
    n = 0
    for kind in range(5):
        if is_near(s, box, seat, kind):
            out[n] = PERSONAGE + kind
            n += 1
    for r in range(box.regions):
        if s.owner[r] == 2 - seat and marching_on(s, box, seat, r) > 0:
            out[n] = r
            n += 1
        elif s.owner[r] == seat + 1 and danger(s, box, seat, r) > 0:
            if can_wall(s, seat, r):
                out[n] = WALLED + r
                n += 1
            if s.goods[seat][IRON] + s.goods[seat][COIN] > 0:
                out[n] = ARMED + r
                n += 1
    for place in range(n):
        best = place
        for k in range(place + 1, n):
            if promise(s, box, seat, out[k]) > promise(s, box, seat, out[best]):
                best = k
        aim = out[best]
        out[best] = out[place]
        out[place] = aim
    return n


def promise(s: Position, box: Box, seat: int, aim: int) -> int:
    """How promising an aim is: a number for comparing."""
    if aim >= WALLED:
        r = own_region(aim)
        return HELD + 2 * s.temple[r] + (1 if danger(s, box, seat, r) == 1 else 0)
    if aim >= PERSONAGE:
        over = means(s, box, seat, aim - PERSONAGE) - lack(s, box, seat, aim - PERSONAGE)
        return over if over < 0 else EARNED
    over = marching_on(s, box, seat, aim) - city_strength(s, box, aim)
    return over + (TEMPLE if s.temple[aim] == 1 else 0) if over < 0 else STRIKE + 5 * s.temple[aim]


def urge(s: Position, box: Box, seat: int, aim: int) -> int:
    """What a position is worth beyond its value to who is after something."""
    if aim >= WALLED:
        return urge_to_hold(s, box, seat, aim)
    if aim >= PERSONAGE:
        return urge_for_personage(s, box, seat, aim - PERSONAGE)
    return urge_for_city(s, box, seat, aim)


# -- an enemy city ------------------------------------------------------------------------------------------


def marching_on(s: Position, box: Box, seat: int, r: int) -> int:
    """Units that stand in a region or can come there in one turn."""
    total = s.army[seat][LEGION][r] + s.army[seat][GALLEY][r]
    for unit in range(2):
        steps = steps_of(s, seat, unit)
        for x in range(box.regions):
            if x != r and s.army[seat][unit][x] > 0 and comes(box, unit, x, r, steps):
                total += s.army[seat][unit][x]
    return total


def comes(box: Box, unit: int, x: int, r: int, steps: int) -> bool:
    """Whether a unit comes from x to r with one or two steps."""
    found = False
    for j in range(box.way_n[unit][x]):
        y = box.way[unit][x][j]
        if y == r:
            found = True
        elif steps > 1:
            for k in range(box.way_n[unit][y]):
                if box.way[unit][y][k] == r:
                    found = True
    return found


def urge_for_city(s: Position, box: Box, seat: int, r: int) -> int:
    """Units that stand there or next to it count, and a stone that lets them march."""
    if s.owner[r] == seat + 1:
        return TAKEN
    if s.owner[r] == 0:
        return 0
    missing = city_strength(s, box, r) - s.army[seat][LEGION][r] - s.army[seat][GALLEY][r]
    total = MARCHING if marches(s.stone[seat]) else 0
    return total - LACK * missing + CLOSE * min(missing, close_to(s, box, seat, r)) if missing > 0 else total


def close_to(s: Position, box: Box, seat: int, r: int) -> int:
    """Units one border away."""
    total = 0
    for unit in range(2):
        for k in range(box.way_n[unit][r]):
            total += s.army[seat][unit][box.way[unit][r][k]]
    return total


# -- an own city --------------------------------------------------------------------------------------------


def own_region(aim: int) -> int:
    return aim - (ARMED if aim >= ARMED else WALLED)


def danger(s: Position, box: Box, seat: int, r: int) -> int:
    """How much strength lacks an own city, so that what stands in reach of it cannot take it."""
    near = marching_on(s, box, 1 - seat, r)
    return max(0, near - city_strength(s, box, r) + 1) if near > 0 else 0


def can_wall(s: Position, seat: int, r: int) -> bool:
    return s.wall[r] == 0 and s.walls[seat] > 0 and s.goods[seat][MARBLE] + s.goods[seat][COIN] > 0


def urge_to_hold(s: Position, box: Box, seat: int, aim: int) -> int:
    """Strength that lacks counts, and a stone where walls are built, or units armed."""
    r = own_region(aim)
    if s.owner[r] != seat + 1:
        return -TAKEN
    there = s.stone[seat] == (MILITIA_SPACE if aim >= ARMED else TEMPLUM_SPACE)
    return (MARCHING if there else 0) - LACK * danger(s, box, seat, r)


# -- a personage --------------------------------------------------------------------------------------------


def is_near(s: Position, box: Box, seat: int, kind: int) -> bool:
    """Whether the next personage of a kind could come of a turn or two."""
    if box.stack[kind] - s.persons[0][kind] - s.persons[1][kind] <= 0:
        return False
    return 0 < lack(s, box, seat, kind) <= means(s, box, seat, kind) + NEAR


def lack(s: Position, box: Box, seat: int, kind: int) -> int:
    """Cities, temples, points or gold that the next personage of a kind needs; generals come with cities."""
    if kind == SCHOLAR:
        return cheapest_first(s, box) if s.firsts == 0 else 0
    if kind == KING:
        held = s.cities[seat]
    elif kind == CITIZEN:
        held = temples_of(s, box, seat)
    elif kind == NAVIGATOR:
        held = navigation(s, box, seat)
    else:
        return 0
    return max(0, box.person_per[kind] * (s.persons[seat][kind] + 1) - held)


def means(s: Position, box: Box, seat: int, kind: int) -> int:
    """How much of that a turn could bring, by the purse or the galleys."""
    if kind == SCHOLAR:
        return s.goods[seat][GOLD] + s.goods[seat][COIN]
    if kind == KING:
        return cities_paid(s, box, seat)
    if kind == CITIZEN:
        return temples_paid(s, box, seat)
    galleys = 0
    for r in range(box.regions):
        galleys += s.army[seat][GALLEY][r]
    return galleys


def cheapest_first(s: Position, box: Box) -> int:
    """The least gold that a scholar costs; nothing where none can be had."""
    least = 0
    for know in range(5):
        if s.know[0][know] + s.know[1][know] == 0 and (least == 0 or box.know_first[know] < least):
            least = box.know_first[know]
    return least


def urge_for_personage(s: Position, box: Box, seat: int, kind: int) -> int:
    """What lacks counts, what is there to pay for it, and a stone where it is done."""
    missing = lack(s, box, seat, kind)
    total = MARCHING if is_done_at(s.stone[seat], kind) else 0
    if kind == SCHOLAR:
        return total + TAKEN * s.firsts + CLOSE * min(missing, means(s, box, seat, kind))
    if missing == 0:  # whatever else could be had with the same galleys
        return total + TAKEN
    if kind != NAVIGATOR:
        total += CLOSE * min(missing, means(s, box, seat, kind))
    return total - LACK * missing


def is_done_at(space: int, kind: int) -> bool:
    """Whether a space of the rondel brings nearer to a personage."""
    if kind == SCHOLAR:
        return space == SCIENTIA_SPACE
    if kind == CITIZEN:
        return space == TEMPLUM_SPACE
    return marches(space) or (kind == NAVIGATOR and space == MILITIA_SPACE)


def marches(space: int) -> bool:
    return space in (DUELLUM_SPACE, DUELLUM_II)


def cities_paid(s: Position, box: Box, p: int) -> int:
    """How many cities the purse can found, coins in the place of what lacks; up to four."""
    for number in range(4, 0, -1):
        lack = 0
        for good in range(3):
            lack += max(0, number * box.city_price[good] - s.goods[p][good])
        if lack <= s.goods[p][COIN]:
            return number
    return 0


def temples_paid(s: Position, box: Box, p: int) -> int:
    """Temples that the purse can build, the cheapest neighbourhood taken for all."""
    least = 99
    sites = 0
    for r in range(box.regions):
        if s.owner[r] == p + 1 and s.temple[r] == 0:
            least = min(least, temple_tax(s, box, r))
            sites += 1
    coins = s.goods[p][COIN] - least
    if sites == 0 or coins < 0:
        return 0
    return min(sites, s.bank_temples, (s.goods[p][MARBLE] + coins) // max(1, box.temple_price))
