"""What a position is worth to a seat: income, pieces and money; where its armies stand, on land and at
sea; what its moves of this turn will win; and how safe its emperor and its armies are.  Battles are judged
by a table of exact odds (`odds.py`, looked up in the box).

One talent of income is worth 20; everything else is measured against that.  `0 +` before what a position
holds makes all ints as wide as those of loops, so that nothing is compiled twice.
"""

from .layout import (
    ANSWER,
    BATTLES,
    CATAPULT,
    CAVALRY,
    EXCHANGE,
    GALLEY,
    INFANTRY,
    LEGION,
    LOSSES,
    MUSTER,
    NOBODY,
    ODDS,
    PROVINCES,
    RANSOM,
    RAZE,
    RELEASE,
    RETREAT,
    SAIL,
    SHIPS,
    TAKE_CATAPULT,
    TAKE_CAVALRY,
    TAKE_GENERAL,
    TAKE_INFANTRY,
    TAKE_TIRED_CAVALRY,
    TAKE_TIRED_GENERAL,
    VICTIMS,
    VOTE,
    Box,
    Position,
)
from .rules.board import hostile, leaders, ship_leaders, ship_load, strength, worth
from .rules.marching import may_march, rides_on

INCOME = 20  # a talent of tribute, every turn
MONEY = 3  # a talent in hand
INFANTRY_WORTH, CAVALRY_WORTH = 40, 66
SIEGE_WORTH, CATAPULT_WORTH, SIEGES = 110, 75, 2  # the first catapults open walls
GALLEY_WORTH = 20  # one that has nowhere to go
GENERAL_WORTH, CAPTIVE_WORTH, FAIR_RANSOM = 70, 30, 15
EMPEROR_WORTH = 6000
FALLEN = -1_000_000  # as bad as a lost game
HOPELESS = -1_100_000  # worse: then an emperor falls fighting, or agrees to another's acclamation
OUTNUMBERED = 10  # how many times greater the rival is then
FRIVOLOUS = 1000  # asking for an acclamation that nobody owes
PRECIOUS = 60  # a city, a crown: even a beginner does not give such a thing away
APPROACH, REACH = 5, 24  # one unit one step nearer to an enemy emperor; what is further counts alike
UNLED = 3  # the same of a unit that no leader there can take along
FEW = 2  # with so few generals left an emperor goes to the front himself
ASSAULT = 1500  # an army that is sure to beat an emperor's guard, and stands before him
FETCH = 2  # a stack without a general counts as so many steps further back, and more if he is far
ASTRAY = 12  # units at sea count as so far away
SETTLE, NEAR_BY = 12, 4  # an army one step nearer to a province to be had
LINE_BASE, TABLE_LINE = 5, 6  # the table is of armies with one leader
PURSE = 150  # talents at old prices that can soon be spent
CHEAPEST, SPARE = 8, 2  # per cent; talents at old prices for one per cent less
EARLY, LATE = 15, 2  # after so many rounds units are reckoned lower with every round: somebody has to win
GARRISON, GARRISON_WORTH = 3, 60  # units that the emperor wants around him
AWAY = 40  # an emperor away from home
PERIL = 3  # times permille: an emperor who can be attacked
EXPOSED = 4  # an army that can be attacked counts a part of what it would lose


def eq(infantry: int, cavalry: int, catapults: int) -> int:
    """An army in infantry."""
    return (10 * infantry + 8 * cavalry + 10 * catapults + 5) // 10


def might(units: int, led: int) -> int:
    """What an army fights like: more leaders make a longer line, which tells in long battles only."""
    line = LINE_BASE + led
    return units if units <= TABLE_LINE else units * min(units, line) // TABLE_LINE


def army(s: Position, seat: int, p: int) -> int:
    here = s.units[seat][p]
    return eq(here[INFANTRY], here[CAVALRY], here[CATAPULT])


def chance(s: Position, box: Box, p: int, attackers: int, defenders: int, catapults: int) -> int:
    """Permille that an attack on a province wins."""
    walls, most = 0, max(attackers, defenders)
    if s.city[p] == 2:
        walls = 1 if catapults > 0 else 2
    if most >= ODDS:  # beyond the table the proportion decides
        attackers, defenders = (
            attackers * (ODDS - 1) // most,
            defenders * (ODDS - 1) // most,
        )
    return box.winning[walls][attackers][defenders]


def dearness(s: Position, seat: int) -> int:
    """Per cent of their worth at which a seat reckons its units: whoever has money to spare buys new ones,
    and late in the game all have as many as there are."""
    late = LATE * max(0, s.round - EARLY)
    return max(CHEAPEST, 100 - late - s.talents[seat] // (SPARE * s.price))


def cost_of(s: Position, seat: int, p: int) -> int:
    """What is lost if everything of a seat in a province is lost."""
    here = s.units[seat][p]
    total = INFANTRY_WORTH * here[INFANTRY] + CAVALRY_WORTH * here[CAVALRY] + SIEGE_WORTH * here[CATAPULT]
    total = total * dearness(s, seat) // 100
    total += 2 * GENERAL_WORTH * s.generals[seat][p]
    return total + (EMPEROR_WORTH if s.emperor[seat] == p else 0)


def empire(s: Position, box: Box, seat: int) -> int:
    """Income, money and pieces."""
    if s.emperor[seat] < 0:
        return 0
    force = s.force[seat]
    money = s.talents[seat] // s.price
    total = INCOME * s.tribute[seat] + MONEY * min(money, PURSE) + max(0, money - PURSE) // 2
    total += INFANTRY_WORTH * force[INFANTRY] + CAVALRY_WORTH * force[CAVALRY] + GALLEY_WORTH * force[GALLEY]
    sieges = min(force[CATAPULT], SIEGES)
    total += SIEGE_WORTH * sieges + CATAPULT_WORTH * (force[CATAPULT] - sieges)
    for p in range(PROVINCES):
        total += GENERAL_WORTH * s.generals[seat][p]
    if force[GALLEY] > 0:
        for ship in range(SHIPS):
            if s.ship_owner[ship] == seat:
                total += GENERAL_WORTH * s.ship_generals[ship]
    for other in range(box.seats):
        total += CAPTIVE_WORTH * s.captives[seat][other]
    if seat == s.active and s.phase < RAZE:  # this turn's tribute is still to come
        total += MONEY * s.tribute[seat] // s.price
    return total


# -- what the moves of this turn will win -------------------------------------------------------------


def battle_gain(s: Position, box: Box, p: int, more: int) -> int:
    """What the active seat can expect of a battle, with `more` attackers than there are."""
    a, d = 0 + s.active, 0 + s.occupant[p]
    led = leaders(s, a, p)
    if more > 0:
        led += 1 + s.hand[TAKE_GENERAL] + s.hand[TAKE_TIRED_GENERAL]
    own, foreign = (
        might(army(s, a, p) + more, led),
        might(army(s, d, p), leaders(s, d, p)),
    )
    win = chance(s, box, p, own, foreign, s.units[a][p][CATAPULT] + s.hand[TAKE_CATAPULT])
    stake = cost_of(s, a, p) + INFANTRY_WORTH * more * dearness(s, a) // 100
    stake -= GENERAL_WORTH * s.generals[a][p]  # generals of an attacker mostly get away
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
    total, a = 0, 0 + s.active
    for p in range(PROVINCES):
        if strength(s, a, p) == 0:
            continue
        if not hostile(s, a, p):
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
    best, p, a = 0, 0 + s.here, 0 + s.active
    near = prey_distance(s, box, a, p)
    for i in range(box.near_count[p]):
        if not may_march(s, box, i, 0):
            continue
        q = 0 + box.near[p][i]
        moving = legion_in_hand(s, rides_on(s, p, q, box.near_edge[p][i]))
        gain = APPROACH * moving * (near - prey_distance(s, box, a, q))
        if hostile(s, a, q):
            gain += battle_gain(s, box, q, moving)
            if strength(s, a, q) > 0:
                gain -= battle_gain(s, box, q, 0)
        elif moving > 0 and strength(s, a, q) == 0:
            gain += empty_gain(s, box, q)
        gain -= thinning(s, box, p, moving)
        best = max(best, gain)
    return best


def thinning(s: Position, box: Box, p: int, moving: int) -> int:
    """What it costs to take units away from the emperor."""
    a = 0 + s.active
    if s.emperor[a] != p:
        return 0
    stand = army(s, a, p)
    return danger(s, box, a, stand - moving) - danger(s, box, a, stand)


# -- where armies stand -------------------------------------------------------------------------------


def prey_distance(s: Position, box: Box, seat: int, p: int) -> int:
    """How far on foot the enemy emperor is who is nearest and least guarded."""
    best = REACH
    for other in range(box.seats):
        e = 0 + s.emperor[other]
        if other != seat and 0 <= e < PROVINCES:
            best = min(best, box.march[p][e] + army(s, other, e) // 5)
    return best


def general_distance(s: Position, box: Box, seat: int, p: int) -> int:
    """How far the nearest general of a seat is."""
    best = REACH
    for q in range(PROVINCES):
        if s.generals[seat][q] > 0:
            best = min(best, box.march[q][p])
    return best


def settling_distance(s: Position, box: Box, seat: int, p: int) -> int:
    """How far on foot the nearest province is that nobody defends and the seat does not own."""
    best = NEAR_BY
    for i in range(box.near_count[p]):
        q = 0 + box.near[p][i]
        if s.owner[q] != seat and s.occupant[q] == NOBODY:
            return 1
    for q in range(PROVINCES):
        if s.owner[q] != seat and s.occupant[q] == NOBODY:
            best = min(best, box.march[p][q])
    return best


def generals_of(s: Position, seat: int) -> int:
    """The generals of a seat ashore."""
    total = 0
    for p in range(PROVINCES):
        total += s.generals[seat][p]
    return total


def campaign(s: Position, box: Box, seat: int, leads: bool) -> int:
    """Armies near an enemy emperor or near land to be had, with leaders enough or with one at hand; `leads`:
    the emperor counts as one."""
    total = 0
    for p in range(PROVINCES):
        units = strength(s, seat, p)
        if units == 0:
            continue
        far = prey_distance(s, box, seat, p)
        led = s.generals[seat][p] + (1 if leads and s.emperor[seat] == p else 0)
        if led == 0:
            far += FETCH + general_distance(s, box, seat, p) // 2
        ready = min(units, LEGION * led)
        total += (APPROACH * ready + UNLED * (units - ready)) * max(0, REACH - far)
        total += SETTLE * (NEAR_BY - settling_distance(s, box, seat, p))
    return total


def crossing(s: Position, box: Box, seat: int) -> int:
    """The best that a galley of a seat is about to win: land to which no army can march, or an emperor
    behind the armies of his."""
    best, total, home, last = 0, 0, box.home_province[s.home[seat]], NOBODY
    if s.force[seat][GALLEY] == 0:
        return 0
    for ship in range(SHIPS):
        if s.ship_owner[ship] != seat:
            continue
        total += APPROACH * ship_load(s, ship) * (REACH - ASTRAY)
        if last != NOBODY and alike(s, ship, last):  # a fleet in its harbour: one stands for all
            continue
        last = ship
        for p in range(PROVINCES):
            if s.owner[p] != seat and box.march[home][p] > REACH:
                best = max(best, voyage_worth(s, box, seat, ship, p))
        for other in range(box.seats):
            if other != seat and 0 <= s.emperor[other] < PROVINCES:
                best = max(best, voyage_worth(s, box, seat, ship, 0 + s.emperor[other]))
    return total + best


def assault(s: Position, box: Box, seat: int, leads: bool) -> int:
    """What the best army of a seat promises: it can beat the guard of an emperor, and is near him.  One army
    counts, so that armies are gathered and not scattered over the land."""
    best = 0
    for p in range(PROVINCES):
        led = s.generals[seat][p] + (1 if leads and s.emperor[seat] == p else 0)
        if led == 0 or strength(s, seat, p) == 0:
            continue
        own = might(min(army(s, seat, p), LEGION * led), led)
        for other in range(box.seats):
            e = 0 + s.emperor[other]
            if other == seat or e < 0 or e >= PROVINCES or box.march[p][e] >= REACH:
                continue
            guard = might(army(s, other, e), leaders(s, other, e))
            won = chance(s, box, e, own, guard, s.units[seat][p][CATAPULT])
            best = max(best, ASSAULT * won * (REACH - box.march[p][e]) // (1000 * REACH))
    return best


def alike(s: Position, ship: int, other: int) -> bool:
    """Whether two galleys of one seat lie in the same area with as much aboard."""
    return (
        s.ship_area[ship] == s.ship_area[other]
        and ship_load(s, ship) == ship_load(s, other)
        and (ship_leaders(s, ship) > 0) == (ship_leaders(s, other) > 0)
    )


def voyage_worth(s: Position, box: Box, seat: int, ship: int, p: int) -> int:
    """What an island promises to one galley: more the better it is loaded and the nearer it has come."""
    prize, load = (
        INCOME * worth(s, box, p) if s.owner[p] != seat else 0,
        ship_load(s, ship),
    )
    for other in range(box.seats):
        if other != seat and s.emperor[other] == p:
            prize += EMPEROR_WORTH // 3
    if hostile(s, seat, p):
        crew = LEGION if load == 0 else load  # an empty galley may still be filled
        d = 0 + s.occupant[p]
        foreign = might(army(s, d, p), leaders(s, d, p))
        prize = prize * chance(s, box, p, crew, foreign, 0) // 1000
    at_sea = s.ship_area[ship] >= PROVINCES
    ready = 60
    if ship_leaders(s, ship) == 0:
        ready = 25 if at_sea else 40
    elif load == 0:
        ready = 50
    elif s.ship_area[ship] == p:
        ready = 95
    elif at_sea:
        ready = 80
    return prize * (ready - 3 * min(8, voyages(s, box, ship, p))) // 100


def voyages(s: Position, box: Box, ship: int, p: int) -> int:
    """How many steps a galley is from a coast."""
    area, best = s.ship_area[ship], REACH
    if area == p:
        return 0
    if area >= PROVINCES:
        return box.voyages[area - PROVINCES][p]
    for i in range(box.shore_count[area]):
        best = min(best, 1 + box.voyages[box.shore[area][i] - PROVINCES][p])
    return best


# -- how safe they are --------------------------------------------------------------------------------


def threat(s: Position, box: Box, other: int, p: int) -> int:
    """The strength that another seat can lead into a province from those next to it."""
    total = 0
    for i in range(box.near_count[p]):
        q = 0 + box.near[p][i]
        if s.occupant[q] == other and leaders(s, other, q) > 0:
            total += might(army(s, other, q), leaders(s, other, q))
    return total


def riders_near(s: Position, box: Box, other: int, p: int) -> int:
    """Cavalry of another seat two steps away."""
    total = 0
    for q in range(PROVINCES):
        if s.occupant[q] == other and box.march[q][p] == 2 and leaders(s, other, q) > 0:
            total += s.units[other][q][CAVALRY]
    return total


def landing_near(s: Position, box: Box, other: int, p: int) -> int:
    """Land units of another seat aboard galleys that can land in a province in one turn."""
    total = 0
    if s.force[other][GALLEY] == 0:
        return 0
    for ship in range(SHIPS):
        if s.ship_owner[ship] == other and ship_load(s, ship) > 0 and voyages(s, box, ship, p) <= 2:
            total += ship_load(s, ship)
    return total


def danger(s: Position, box: Box, seat: int, defenders: int) -> int:
    """How badly the emperor is threatened behind so many defenders, and how far from home he is."""
    p = 0 + s.emperor[seat]
    if p < 0 or p >= PROVINCES:
        return 200
    worst = 0
    for other in range(box.seats):
        if other == seat or s.emperor[other] < 0:
            continue
        attackers = threat(s, box, other, p) + riders_near(s, box, other, p) + landing_near(s, box, other, p)
        if attackers > 0:
            held = might(max(0, defenders), leaders(s, seat, p))
            worst = max(worst, chance(s, box, p, attackers, held, 1))
    total = PERIL * worst + GARRISON_WORTH * max(0, GARRISON - defenders)
    return total + AWAY * min(5, box.march[p][box.home_province[s.home[seat]]])


def exposure(s: Position, box: Box, seat: int) -> int:
    """Armies without the emperor that somebody next to them can beat."""
    total = 0
    for p in range(PROVINCES):
        if s.occupant[p] != seat or s.emperor[seat] == p:
            continue
        worst, defenders = 0, might(army(s, seat, p), leaders(s, seat, p))
        for other in range(box.seats):
            if other != seat:
                attackers = threat(s, box, other, p)
                if attackers > 0:
                    worst = max(worst, chance(s, box, p, attackers, defenders, 1))
        total += worst * cost_of(s, seat, p) // (1000 * EXPOSED)
    return total


# -- the value ----------------------------------------------------------------------------------------


def bargain(s: Position) -> int:
    """What an offer promises to the seat that makes it, if the other is likely to accept."""
    talents = 5 * s.fives // s.price
    if s.offer == RANSOM and talents >= FAIR_RANSOM:
        return GENERAL_WORTH - MONEY * talents
    if s.offer == RELEASE and talents <= FAIR_RANSOM:
        return MONEY * talents - CAPTIVE_WORTH
    if s.offer == EXCHANGE:
        return GENERAL_WORTH - CAPTIVE_WORTH
    return -1


def arms(s: Position, box: Box, seat: int) -> int:
    """Where the armies of a seat stand, and how safe they and its emperor are."""
    p, leads = 0 + s.emperor[seat], generals_of(s, seat) <= FEW
    garrison = army(s, seat, p) if p < PROVINCES else 0
    total = campaign(s, box, seat, leads) + assault(s, box, seat, leads) + crossing(s, box, seat)
    total -= danger(s, box, seat, garrison) + exposure(s, box, seat)
    if leads and p < PROVINCES:  # then nobody asks that he stays at home
        total += AWAY * min(5, box.march[p][box.home_province[s.home[seat]]])
    return total


def standing(s: Position, box: Box, seat: int) -> int:
    """What a seat has, on its own: turns are planned by how the seats stand when they end."""
    if s.emperor[seat] < 0:
        return 0
    return empire(s, box, seat) + arms(s, box, seat)


def value(s: Position, box: Box, seat: int) -> int:
    if s.emperor[seat] < 0:
        return FALLEN
    rival, fallen = 0, 0
    for other in range(box.seats):
        if other != seat:
            rival = max(rival, empire(s, box, other))
            fallen += 1 if s.emperor[other] < 0 else 0
    own = empire(s, box, seat)
    total = own - rival + 1000 * fallen + arms(s, box, seat)
    if s.phase < RAZE and s.phase != LOSSES:
        promise = prospects(s, box)
        total += promise if seat == s.active else -promise
    if s.phase == MUSTER and seat == s.active:
        total += best_step(s, box)
    if s.phase == MUSTER or s.phase == SAIL:
        total -= 1
    if s.phase == ANSWER and seat == s.active:
        total += bargain(s)
    if s.phase == VOTE and seat == s.active:
        total += 5 if own > OUTNUMBERED * rival else -FRIVOLOUS
    return total if OUTNUMBERED * own > rival else total + HOPELESS
