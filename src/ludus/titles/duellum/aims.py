"""What a turn of Antike Duellum could be after: an enemy city.

Taking one needs many units at one place before anything is gained, which a look at the next action or two
does not see.  A plan that is after a city values every unit on the way there; whether the city was worth it
is judged when the turn is over.
"""

from .layout import DUELLUM_II, DUELLUM_SPACE, GALLEY, LEGION, Box, Position
from .rules.building import steps_of
from .rules.duellum import city_strength

TAKEN = 2000
LACK = 400  # a unit that lacks: nothing else on the way may tempt
CLOSE = 120  # a unit that stands next to the city
MARCHING = 600  # the stone lies on DUELLUM: without that nobody marches
TEMPLE = 4  # a city with a temple comes before one that lacks so many units less
STRIKE = 20  # one that can be taken now comes before all that cannot


def aims(s: Position, box: Box, seat: int, out: list[int]) -> int:
    """Enemy cities that units of the seat can come to, those first that are taken with the fewest more."""
    n = 0
    for r in range(box.regions):
        if s.owner[r] == 2 - seat and marching_on(s, box, seat, r) > 0:
            out[n] = r
            n += 1
    for place in range(n):
        best = place
        for k in range(place + 1, n):
            if promise(s, box, seat, out[k]) > promise(s, box, seat, out[best]):
                best = k
        r = out[best]
        out[best] = out[place]
        out[place] = r
    return n


def promise(s: Position, box: Box, seat: int, r: int) -> int:
    """How promising a city is: a number for comparing."""
    over = marching_on(s, box, seat, r) - city_strength(s, box, r)
    return over + (TEMPLE if s.temple[r] == 1 else 0) if over < 0 else STRIKE + 5 * s.temple[r]


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


def urge(s: Position, box: Box, seat: int, aim: int) -> int:
    """What a position is worth beyond its value to who is after a city."""
    if s.owner[aim] == seat + 1:
        return TAKEN
    if s.owner[aim] == 0:
        return 0
    lack = city_strength(s, box, aim) - s.army[seat][LEGION][aim] - s.army[seat][GALLEY][aim]
    total = MARCHING if s.stone[seat] == DUELLUM_SPACE or s.stone[seat] == DUELLUM_II else 0
    return total - LACK * lack + CLOSE * min(lack, close_to(s, box, seat, aim)) if lack > 0 else total


def close_to(s: Position, box: Box, seat: int, r: int) -> int:
    """Units one border away."""
    total = 0
    for unit in range(2):
        for k in range(box.way_n[unit][r]):
            total += s.army[seat][unit][box.way[unit][r][k]]
    return total
