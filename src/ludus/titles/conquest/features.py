"""What a seat may know of a position, as inputs of a net: all of it, for nothing is hidden in Conquest.

Seats are told in the order of turns from the seat that looks: 0 itself, 1 the next one.  On the map there are
three sides: the seat, its strongest rival, and the others.  Every input is about 1 where it matters.
"""

import math
from typing import Any

from ludus.core.title import Inputs

from .aims import aims, urge
from .layout import (
    BUY,
    CATAPULT,
    CAVALRY,
    CHOOSE_HOME,
    DRAW_HOME,
    GALLEY,
    HOMES,
    INFANTRY,
    LEGION,
    NOBODY,
    PHASES,
    PROVINCES,
    SHIPS,
    Box,
    Position,
)
from .rules.board import home_of, leaders, ship_load, strength
from .rules.trade import left_of
from .rules.turn import seat_at
from .value import (
    REACH,
    army,
    chance,
    eq,
    exposure,
    general_distance,
    landing_near,
    might,
    riders_near,
    standing,
    threat,
)

TELLS = 4.0  # twice as strong wins so many times twice as often
HOPE = 12.0  # nobody is further ahead or behind, as long as his emperor lives
WEAKEST = 400.0
COMMAND, COMMANDS = 250, 4  # generals without whom nobody attacks
LOST = -20.0
SIDES, RIVAL, OTHERS = 3, 1, 2  # of the map
ROUNDS = 10  # rounds are told in fives
STEPS = 10  # distances, the last one for further

# Numbers of one seat.
(
    ALIVE, TRIBUTE, MONEY, SPENDING, INFANTRY_IN_PLAY, CAVALRY_IN_PLAY, CATAPULTS_IN_PLAY, GALLEYS_IN_PLAY,
    ARMY, LED, GENERALS, LOST_GENERALS, CAPTIVES, LAND, CITIES, WALLS, HOME_HELD, HOME_ARMY, HOME_WALLED,
    AT_HOME, ABOARD_SHIP, GUARD, GUARD_LEADERS, GUARD_WALLED, PERIL, EXPOSURE, AFLOAT, REFILL, LARGEST, SHARE,
    ARMS_SHARE, TRIGGER,
)  = range(32)  # fmt: skip
SEAT_NUMBERS = 32
# Numbers of the seat that looks and one of the others.
THREATENS, THREATENED, CLOSE_TO, CLOSE_BY, HOME_REACH, HOME_REACHED = range(6)
PAIR_NUMBERS = 6

SEATS = 6
BOARD = 1  # after the hand-made value: owner, armies, generals and emperor of each side in each province
OWNED, ARMED, COMMANDED, REIGNED, BOARD_FACTS = 0, 1, 2, 3, 4
CITY_AT = BOARD + SIDES * BOARD_FACTS * PROVINCES  # of the seat, of somebody else; with walls twice
SEAT_AT = CITY_AT + 2 * PROVINCES
PAIR_AT = SEAT_AT + SEATS * SEAT_NUMBERS
TRIBUTE_AT = PAIR_AT + SEATS * PAIR_NUMBERS  # of the seat and its rival, in tens
TRIBUTE_STEPS = 20
MARCH_AT = TRIBUTE_AT + 2 * TRIBUTE_STEPS  # how far legions are from the emperors: of the seat, against it
HOME_AT = MARCH_AT + 2 * STEPS  # where the seat began
RIVAL_HOME_AT = HOME_AT + HOMES
TURN_AT = RIVAL_HOME_AT + HOMES  # whose turn it is, in the order from the seat
PHASE_AT = TURN_AT + SEATS  # in the seat's own turn, in another's
ROUND_AT = PHASE_AT + 2 * len(PHASES)
PRICE_AT = ROUND_AT + ROUNDS
LEFT_AT = PRICE_AT + 3  # emperors left
SIZE = LEFT_AT + SEATS + 1
MOST = 1 + 5 * PROVINCES + SEATS * (SEAT_NUMBERS + PAIR_NUMBERS) + 40


def turn(s: Position, box: Box) -> int:
    """A number that changes whenever a turn begins."""
    return s.round * 8 + s.active


def net_name(box: Box) -> str:
    """Which net judges this box."""
    return "two" if box.seats == 2 else "many"


def features(s: Position, box: Box, seat: int, idx: Any, val: Any) -> int:
    """Write what the seat knows as pairs of an input and its value; how many there are."""
    n = put(idx, val, 0, 0, prospect(s, box, seat))
    if s.phase == DRAW_HOME or s.phase == CHOOSE_HOME:
        return n
    rival = strongest(s, box, seat)
    n = board(s, box, seat, rival, idx, val, n)
    income, arms = 1, 1
    for other in range(box.seats):
        income += s.tribute[other]
        arms += forces(s, other)
    for k in range(box.seats):
        other = after(s, box, seat, k)
        if s.emperor[other] >= 0:
            n = about(s, box, other, SEAT_AT + k * SEAT_NUMBERS, income, arms, idx, val, n)
            if k > 0:
                n = between(s, box, seat, other, PAIR_AT + k * PAIR_NUMBERS, idx, val, n)
        if other == s.active:
            n = put(idx, val, n, TURN_AT + k, 1.0)
    n = put(idx, val, n, TRIBUTE_AT + min(TRIBUTE_STEPS - 1, s.tribute[seat] // 10), 1.0)
    n = put(idx, val, n, TRIBUTE_AT + TRIBUTE_STEPS + min(TRIBUTE_STEPS - 1, s.tribute[rival] // 10), 1.0)
    n = put(idx, val, n, MARCH_AT + min(STEPS - 1, marching(s, box, seat, rival)), 1.0)
    n = put(idx, val, n, MARCH_AT + STEPS + min(STEPS - 1, marching(s, box, rival, seat)), 1.0)
    return times(s, box, seat, rival, idx, val, n)


def prospect(s: Position, box: Box, seat: int) -> float:
    """The hand-made value: how strong the seat is beside all others together, as a logarithm of odds.  The
    proportion counts, not the difference: whoever is stronger wants to trade losses, which he can replace."""
    if s.phase == DRAW_HOME or s.phase == CHOOSE_HOME:
        return 0.0
    if s.emperor[seat] < 0:
        return LOST
    own, others = power(s, box, seat), 0.0
    for other in range(box.seats):
        if other != seat and s.emperor[other] >= 0:
            others += math.exp(TELLS * math.log(power(s, box, other) / own))
    return max(-1.0 * HOPE, min(HOPE, -math.log(max(others, 1e-9))))


def power(s: Position, box: Box, seat: int) -> float:
    """What a seat has, and how much of it it can lead against others."""
    generals = 0
    for p in range(PROVINCES):
        generals += s.generals[seat][p]
    return max(WEAKEST, standing(s, box, seat) + COMMAND * min(COMMANDS, generals))


def put(idx: Any, val: Any, n: int, i: int, x: float) -> int:
    idx[n] = i
    val[n] = x
    return n + 1


def times(s: Position, box: Box, seat: int, rival: int, idx: Any, val: Any, n: int) -> int:
    """The round, the prices, what is going on, and who is left."""
    if 0 <= s.home[seat] < HOMES:
        n = put(idx, val, n, HOME_AT + s.home[seat], 1.0)
    if 0 <= s.home[rival] < HOMES:
        n = put(idx, val, n, RIVAL_HOME_AT + s.home[rival], 1.0)
    own = 0 if s.active == seat else len(PHASES)
    n = put(idx, val, n, PHASE_AT + own + s.phase, 1.0)
    n = put(idx, val, n, ROUND_AT + min(ROUNDS - 1, s.round // 5), 1.0)
    n = put(idx, val, n, PRICE_AT + max(0, min(2, s.price - 1)), 1.0)
    left = 0
    for other in range(box.seats):
        left += 1 if s.emperor[other] >= 0 else 0
    return put(idx, val, n, LEFT_AT + left, 1.0)


# -- the map ------------------------------------------------------------------------------------------


def board(s: Position, box: Box, seat: int, rival: int, idx: Any, val: Any, n: int) -> int:
    """Owners, armies, leaders and cities."""
    for p in range(PROVINCES):
        owner = 0 + s.owner[p]
        if owner != NOBODY:
            n = put(idx, val, n, BOARD + place(side(owner, seat, rival), OWNED, p), 1.0)
        if s.city[p] > 0:
            at = CITY_AT + (0 if owner == seat else PROVINCES) + p
            n = put(idx, val, n, at, 0.5 * s.city[p])
        if s.occupant[p] != NOBODY:
            stands = 0 + s.occupant[p]
            at = BOARD + place(side(stands, seat, rival), ARMED, p)
            n = put(idx, val, n, at, 0.125 * min(30, army(s, stands, p)))
            if s.generals[stands][p] > 0:
                at = BOARD + place(side(stands, seat, rival), COMMANDED, p)
                n = put(idx, val, n, at, 0.5 * min(4, s.generals[stands][p]))
    for other in range(box.seats):
        p = 0 + s.emperor[other]
        if 0 <= p < PROVINCES:
            n = put(idx, val, n, BOARD + place(side(other, seat, rival), REIGNED, p), 1.0)
    return n


def place(which: int, fact: int, p: int) -> int:
    return (which * BOARD_FACTS + fact) * PROVINCES + p


def side(other: int, seat: int, rival: int) -> int:
    if other == seat:
        return 0
    return RIVAL if other == rival else OTHERS


# -- seats --------------------------------------------------------------------------------------------


def strongest(s: Position, box: Box, seat: int) -> int:
    """The rival with the most tribute and arms."""
    best, most = (seat + 1) % box.seats, -1
    for k in range(1, box.seats):
        other = (seat + k) % box.seats
        weight = s.tribute[other] + 4 * forces(s, other)
        if s.emperor[other] >= 0 and weight > most:
            best, most = other, weight
    return best


def forces(s: Position, seat: int) -> int:
    """All land units of a seat, in infantry."""
    force = s.force[seat]
    return eq(force[INFANTRY], force[CAVALRY], force[CATAPULT])


def after(s: Position, box: Box, seat: int, k: int) -> int:
    """Who has the k-th turn after a seat; fallen emperors keep their places."""
    at = 0
    while box.ring[at] != s.home[seat]:
        at += 1
    for step in range(HOMES):
        found = seat_at(s, box, box.ring[(at + step) % HOMES])
        if found != NOBODY:
            if k == 0:
                return found
            k -= 1
    return seat


def about(
    s: Position, box: Box, seat: int, at: int, income: int, arms: int, idx: Any, val: Any, n: int
) -> int:
    """The numbers of one living seat."""
    force, money = s.force[seat], s.talents[seat] // s.price
    n = put(idx, val, n, at + ALIVE, 1.0)
    n = put(idx, val, n, at + TRIBUTE, 0.01 * s.tribute[seat])
    n = put(idx, val, n, at + MONEY, 0.01 * min(300, money))
    if seat == s.active and s.phase <= BUY:  # what it can still spend in this turn
        n = put(idx, val, n, at + SPENDING, 0.01 * min(300, money + s.tribute[seat] // s.price))
    n = put(idx, val, n, at + INFANTRY_IN_PLAY, 0.05 * force[INFANTRY])
    n = put(idx, val, n, at + CAVALRY_IN_PLAY, 0.05 * force[CAVALRY])
    n = put(idx, val, n, at + CATAPULTS_IN_PLAY, 0.2 * force[CATAPULT])
    n = put(idx, val, n, at + GALLEYS_IN_PLAY, 0.2 * force[GALLEY])
    n = put(idx, val, n, at + ARMY, 0.025 * forces(s, seat))
    n = put(idx, val, n, at + SHARE, 1.0 * s.tribute[seat] / income)
    n = put(idx, val, n, at + ARMS_SHARE, 1.0 * forces(s, seat) / arms)
    left = left_of(s, box, seat, INFANTRY) + left_of(s, box, seat, CAVALRY)
    n = put(idx, val, n, at + REFILL, 0.05 * min(40, min(left, money // 10)))
    if (s.countdown[0] > 0 and s.trigger[0] == seat) or (s.countdown[1] > 0 and s.trigger[1] == seat):
        n = put(idx, val, n, at + TRIGGER, 1.0)
    n = holdings(s, box, seat, at, idx, val, n)
    return throne(s, box, seat, at, idx, val, n)


def holdings(s: Position, box: Box, seat: int, at: int, idx: Any, val: Any, n: int) -> int:
    """Land, cities, generals and what they lead."""
    land, cities, walls, generals, led, largest = 0, 0, 0, 0, 0, 0
    for p in range(PROVINCES):
        generals += s.generals[seat][p]
        if s.owner[p] == seat:
            land += 1
            cities += 1 if s.city[p] > 0 else 0
            walls += 1 if s.city[p] == 2 else 0
        if s.occupant[p] == seat and leaders(s, seat, p) > 0:
            here = min(army(s, seat, p), 2 * LEGION * leaders(s, seat, p))
            led += here
            largest = max(largest, here)
    afloat, captives, lost = 0, 0, s.waiting[seat]
    for ship in range(SHIPS):
        if s.ship_owner[ship] == seat:
            afloat += ship_load(s, ship)
            generals += s.ship_generals[ship]
    for other in range(box.seats):
        captives += s.captives[seat][other]
        lost += s.captives[other][seat]
    n = put(idx, val, n, at + LAND, 0.1 * land)
    n = put(idx, val, n, at + CITIES, 0.2 * cities)
    n = put(idx, val, n, at + WALLS, 0.2 * walls)
    n = put(idx, val, n, at + GENERALS, 0.25 * generals)
    n = put(idx, val, n, at + LED, 0.025 * led)
    n = put(idx, val, n, at + LARGEST, 0.05 * largest)
    n = put(idx, val, n, at + AFLOAT, 0.1 * afloat)
    n = put(idx, val, n, at + CAPTIVES, 0.5 * captives)
    return put(idx, val, n, at + LOST_GENERALS, 0.5 * lost)


def throne(s: Position, box: Box, seat: int, at: int, idx: Any, val: Any, n: int) -> int:
    """The home and the emperor, and who threatens him."""
    home, p = 0 + home_of(s, box, seat), 0 + s.emperor[seat]
    if s.owner[home] == seat:
        n = put(idx, val, n, at + HOME_HELD, 1.0)
    if strength(s, seat, home) > 0:
        n = put(idx, val, n, at + HOME_ARMY, 0.1 * min(40, army(s, seat, home)))
    if s.city[home] == 2:
        n = put(idx, val, n, at + HOME_WALLED, 1.0)
    if p >= PROVINCES:
        return put(idx, val, n, at + ABOARD_SHIP, 1.0)
    if p == home:
        n = put(idx, val, n, at + AT_HOME, 1.0)
    n = put(idx, val, n, at + GUARD, 0.1 * min(40, army(s, seat, p)))
    n = put(idx, val, n, at + GUARD_LEADERS, 0.25 * leaders(s, seat, p))
    if s.city[p] == 2:
        n = put(idx, val, n, at + GUARD_WALLED, 1.0)
    worst = 0
    for other in range(box.seats):
        if other != seat and s.emperor[other] >= 0:
            worst = max(worst, reaching(s, box, other, seat))
    n = put(idx, val, n, at + PERIL, 0.001 * worst)
    return put(idx, val, n, at + EXPOSURE, 0.002 * min(2000, exposure(s, box, seat)))


def reaching(s: Position, box: Box, attacker: int, defender: int) -> int:
    """Permille that a seat takes another's emperor with what can reach him in one turn."""
    p = 0 + s.emperor[defender]
    if p < 0 or p >= PROVINCES:
        return 0
    attackers = threat(s, box, attacker, p) + riders_near(s, box, attacker, p)
    attackers += landing_near(s, box, attacker, p)
    if attackers == 0:
        return 0
    return chance(s, box, p, attackers, might(army(s, defender, p), leaders(s, defender, p)), 1)


def marching(s: Position, box: Box, attacker: int, defender: int) -> int:
    """Steps from the emperor to the nearest legion of somebody else that a general leads."""
    best, p = REACH, 0 + s.emperor[defender]
    if p < 0 or p >= PROVINCES:
        return best
    for q in range(PROVINCES):
        if s.occupant[q] == attacker and s.generals[attacker][q] > 0 and army(s, attacker, q) >= LEGION - 2:
            best = min(best, box.march[q][p])
    return best


def between(s: Position, box: Box, seat: int, other: int, at: int, idx: Any, val: Any, n: int) -> int:
    """The numbers of a seat and one of the others."""
    n = put(idx, val, n, at + THREATENS, 0.001 * reaching(s, box, seat, other))
    n = put(idx, val, n, at + THREATENED, 0.001 * reaching(s, box, other, seat))
    n = put(idx, val, n, at + CLOSE_TO, 0.125 * max(0, 8 - marching(s, box, seat, other)))
    n = put(idx, val, n, at + CLOSE_BY, 0.125 * max(0, 8 - marching(s, box, other, seat)))
    home, foreign = 0 + home_of(s, box, seat), 0 + home_of(s, box, other)
    n = put(idx, val, n, at + HOME_REACH, 0.125 * max(0, 8 - general_distance(s, box, seat, foreign)))
    return put(idx, val, n, at + HOME_REACHED, 0.125 * max(0, 8 - general_distance(s, box, other, home)))


INPUTS = Inputs(
    SIZE,
    MOST,
    features,
    turn,
    net_name,
    from_value=True,
    by_value=True,
    whole_turns=True,
    aims=aims,
    urge=urge,
    replies=250.0,
)
