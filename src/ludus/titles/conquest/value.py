"""What a position is worth to a seat: income, pieces and money, what its moves will win, and how safe
its emperor is.  Battles are judged by a table of exact odds (`odds.py`, looked up in the box).

One talent of income is worth 20; everything else is measured against that.
"""

from .layout import (
    BATTLES,
    CATAPULT,
    CAVALRY,
    INFANTRY,
    LOSSES,
    MUSTER,
    NOBODY,
    ODDS,
    PROVINCES,
    RAZE,
    RETREAT,
    SAIL,
    TAKE_CATAPULT,
    TAKE_CAVALRY,
    TAKE_INFANTRY,
    TAKE_TIRED_CAVALRY,
    VICTIMS,
    VOTE,
    Box,
    Position,
)
from .rules.board import hostile, leaders, strength, worth
from .rules.marching import may_march, rides_on

INCOME = 20  # a talent of tribute, every turn
MONEY = 3  # a talent in hand
INFANTRY_WORTH, CAVALRY_WORTH, CATAPULT_WORTH, GALLEY_WORTH = 40, 66, 86, 50
GENERAL_WORTH, CAPTIVE_WORTH = 60, 30
EMPEROR_WORTH = 6000
FALLEN = -20000
APPROACH = 3  # one unit one step nearer to an enemy emperor
GARRISON, GARRISON_WORTH = 3, 60  # units that the emperor wants around him
AWAY = 40  # an emperor away from home
REACH = 40  # no place is further than this


def eq(infantry: int, cavalry: int, catapults: int) -> int:
    """An army in infantry, as far as the table goes."""
    return min(ODDS - 1, (10 * infantry + 8 * cavalry + 10 * catapults + 5) // 10)


def army(s: Position, seat: int, p: int) -> int:
    here = s.units[seat][p]
    return eq(here[INFANTRY], here[CAVALRY], here[CATAPULT])


def chance(s: Position, box: Box, p: int, attackers: int, defenders: int, catapults: int) -> int:
    """Permille that an attack on a province wins."""
    walls = 0
    if s.city[p] == 2:
        walls = 1 if catapults > 0 else 2
    return box.winning[walls][min(attackers, ODDS - 1)][min(defenders, ODDS - 1)]


def cost_of(s: Position, seat: int, p: int) -> int:
    """What is lost if everything of a seat in a province is lost."""
    here = s.units[seat][p]
    total = INFANTRY_WORTH * here[INFANTRY] + CAVALRY_WORTH * here[CAVALRY] + CATAPULT_WORTH * here[CATAPULT]
    total += 2 * GENERAL_WORTH * s.generals[seat][p]
    return total + (EMPEROR_WORTH if s.emperor[seat] == p else 0)


def empire(s: Position, box: Box, seat: int) -> int:
    """Income, money and pieces."""
    if s.emperor[seat] < 0:
        return 0
    force = s.force[seat]
    total = INCOME * s.tribute[seat] + MONEY * s.talents[seat] // s.price
    total += INFANTRY_WORTH * force[INFANTRY] + CAVALRY_WORTH * force[CAVALRY]
    total += CATAPULT_WORTH * min(force[CATAPULT], 2) + CAVALRY_WORTH * max(0, force[CATAPULT] - 2)
    total += GALLEY_WORTH * force[3]
    for p in range(PROVINCES):
        total += GENERAL_WORTH * s.generals[seat][p]
    for other in range(box.seats):
        total += CAPTIVE_WORTH * s.captives[seat][other]
    if seat == s.active and s.phase < RAZE:  # this turn's tribute is still to come
        total += MONEY * s.tribute[seat] // s.price
    return total


# -- what the moves of this turn will win -------------------------------------------------------------


def battle_gain(s: Position, box: Box, p: int, more: int) -> int:
    """What the active seat can expect of a battle, with `more` attackers than there are."""
    a, d = s.active, s.occupant[p]
    own, foreign = army(s, a, p) + more, army(s, d, p)
    win = chance(s, box, p, own, foreign, s.units[a][p][CATAPULT])
    stake = cost_of(s, a, p) + INFANTRY_WORTH * more
    prize = cost_of(s, d, p) + 2 * INCOME * worth(s, box, p)
    toll = stake * min(foreign, own) // (2 * max(1, own)) if s.emperor[a] != p else stake // 20
    return (win * (prize - min(toll, prize)) - (1000 - win) * stake) // 1000


def empty_gain(s: Position, box: Box, p: int) -> int:
    """What ending in a province without enemy land units wins."""
    gain = 0
    if s.owner[p] != s.active:
        gain += (INCOME + MONEY) * worth(s, box, p)
        if s.owner[p] != NOBODY:
            gain += INCOME * worth(s, box, p) // 2
    for seat in range(box.seats):
        if seat != s.active:
            gain += 2 * GENERAL_WORTH * s.generals[seat][p]
            if s.emperor[seat] == p:
                gain += EMPEROR_WORTH
    return gain


def prospects(s: Position, box: Box) -> int:
    """What the active seat's moves so far promise."""
    total = 0
    for p in range(PROVINCES):
        if strength(s, s.active, p) == 0:
            continue
        if not hostile(s, s.active, p):
            if s.phase < BATTLES:
                total += empty_gain(s, box, p)
        elif (s.phase != RETREAT and s.phase != VICTIMS) or s.field != p:
            total += battle_gain(s, box, p, 0)
    return total


def legion_in_hand(s: Position, free: bool) -> int:
    """The strength of what would make the next step."""
    cavalry = s.hand[TAKE_CAVALRY] + s.hand[TAKE_TIRED_CAVALRY] + s.riders[TAKE_CAVALRY]
    infantry, catapults = s.hand[TAKE_INFANTRY], s.hand[TAKE_CATAPULT]
    if free:
        cavalry += s.riders[TAKE_TIRED_CAVALRY]
        infantry += s.riders[TAKE_INFANTRY]
        catapults += s.riders[TAKE_CATAPULT]
    return eq(infantry, cavalry, catapults)


def best_step(s: Position, box: Box) -> int:
    """What the legion that is being mustered can win with its next step."""
    best, p = 0, s.here
    near = prey_distance(s, box, s.active, p)
    for i in range(box.near_count[p]):
        if not may_march(s, box, i, 0):
            continue
        q = box.near[p][i]
        moving = legion_in_hand(s, rides_on(s, p, q, box.near_edge[p][i]))
        gain = APPROACH * moving * (near - prey_distance(s, box, s.active, q))
        if hostile(s, s.active, q):
            gain += battle_gain(s, box, q, moving)
            if strength(s, s.active, q) > 0:
                gain -= battle_gain(s, box, q, 0)
        elif moving > 0 and strength(s, s.active, q) == 0:
            gain += empty_gain(s, box, q)
        gain -= thinning(s, box, p, moving)
        best = max(best, gain)
    return best


def thinning(s: Position, box: Box, p: int, moving: int) -> int:
    """What it costs to take units away from the emperor."""
    if s.emperor[s.active] != p:
        return 0
    left = army(s, s.active, p) - moving
    return danger(s, box, s.active, left) - danger(s, box, s.active, army(s, s.active, p))


# -- emperors ---------------------------------------------------------------------------------------


def prey_distance(s: Position, box: Box, seat: int, p: int) -> int:
    """How far the nearest enemy emperor on land is."""
    best = REACH
    for other in range(box.seats):
        if other != seat and 0 <= s.emperor[other] < PROVINCES:
            best = min(best, box.distance[p][s.emperor[other]])
    return best


def hunt(s: Position, box: Box, seat: int) -> int:
    """Armies with a general near an enemy emperor."""
    total = 0
    for p in range(PROVINCES):
        if s.generals[seat][p] > 0 and strength(s, seat, p) > 0:
            units = army(s, seat, p)
            near = prey_distance(s, box, seat, p)
            total += APPROACH * units * (REACH - near)
    return total


def danger(s: Position, box: Box, seat: int, defenders: int) -> int:
    """How badly the emperor is threatened behind so many defenders."""
    p = s.emperor[seat]
    if p < 0 or p >= PROVINCES:
        return 200
    worst = 0
    for q in range(PROVINCES):
        other = s.occupant[q]
        if other == seat or s.occupant[q] == NOBODY or box.distance[q][p] > 2:
            continue
        threat = army(s, other, q)
        if box.distance[q][p] == 2:
            threat = (threat + s.units[other][q][CAVALRY]) // 2
        elif leaders(s, other, q) == 0:
            threat = (threat + 1) // 2
        if threat > 0:
            worst = max(worst, chance(s, box, p, threat, max(0, defenders), 1))
    total = 3 * worst + GARRISON_WORTH * max(0, GARRISON - defenders)
    return total + AWAY * min(5, box.distance[p][box.home_province[s.home[seat]]])


# -- the value ----------------------------------------------------------------------------------------


def value(s: Position, box: Box, seat: int) -> int:
    if s.emperor[seat] < 0:
        return FALLEN
    rival, fallen = 0, 0
    for other in range(box.seats):
        if other != seat:
            rival = max(rival, empire(s, box, other))
            fallen += 1 if s.emperor[other] < 0 else 0
    total = empire(s, box, seat) - rival + hunt(s, box, seat) + 1000 * fallen
    p = s.emperor[seat]
    garrison = army(s, seat, p) if p < PROVINCES else 0
    total -= danger(s, box, seat, garrison)
    if s.phase < RAZE and s.phase != LOSSES:
        promise = prospects(s, box)
        total += promise if seat == s.active else -promise
    if s.phase == MUSTER and seat == s.active:
        total += best_step(s, box)
    if s.phase == MUSTER or s.phase == SAIL:
        total -= 1
    if s.phase == VOTE and seat == s.active:
        total += 5 if s.tribute[seat] * INCOME > rival else -5
    return total
