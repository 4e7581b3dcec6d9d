"""Invariants: what is true of every position between two actions."""

from .. import layout as at
from ..layout import (
    ABOARD,
    AMOUNT,
    ANSWER,
    CAPTIVE,
    CITY,
    DEAL,
    DECIDE,
    EDGES,
    ENDED,
    FACES,
    GALLEY,
    HOMES,
    IN_FORCE,
    LINE,
    LOSSES,
    MOVE,
    MUSTER,
    NO_OFFER,
    NOBODY,
    PIECES,
    PROVINCES,
    RAZE,
    RETREAT,
    ROLL,
    SAIL,
    SEAS,
    SHIPS,
    SINK,
    SPENT,
    UNITS,
    VICTIMS,
    VOTE,
    WALL,
    Box,
    Position,
)
from .board import alive, ship_leaders, ship_load, strength, worth
from .marching import in_tow, present
from .turn import GALLEY_POINTS, LEADER_POINTS


def check(s: Position, box: Box) -> int:
    """0, or the number of the invariant that is broken (named in the words)."""
    broken = check_provinces(s, box)
    if broken == 0:
        broken = check_seats(s, box)
    if broken == 0:
        broken = check_generals(s, box)
    if broken == 0:
        broken = check_ships(s, box)
    if broken == 0:
        broken = check_movement(s)
    if broken == 0:
        broken = check_rest(s, box)
    if broken == 0:
        broken = check_fallen(s, box)
    return check_prices(s) if broken == 0 else broken


def check_provinces(s: Position, box: Box) -> int:
    """1: occupants; while no battle can be near, each stands alone.  2: owners.  4: buildings."""
    quiet = s.phase >= RAZE
    cities, walls, roads = 0, 0, 0
    for p in range(PROVINCES):
        seats = 0
        for seat in range(box.seats):
            if strength(s, seat, p) > 0:
                seats += 1
        if (s.occupant[p] == NOBODY) != (seats == 0) or seats > (1 if quiet else 2):
            return 1
        if s.occupant[p] != NOBODY and strength(s, s.occupant[p], p) == 0:
            return 1
        guest = s.occupant[p] != NOBODY and s.occupant[p] != s.active
        if guest and box.retreat_conquers == 1 and s.owner[p] != s.occupant[p]:
            return 2
        cities += 1 if s.city[p] > 0 else 0
        walls += 1 if s.city[p] == 2 else 0
    for edge in range(EDGES):
        if s.road[edge] == 1:
            roads += 1
            if s.city[box.edge_end[edge][0]] == 0 or s.city[box.edge_end[edge][1]] == 0:
                return 4
    if cities != s.built[0] or walls != s.built[1] or roads != s.built[2]:
        return 4
    if cities > box.limit[CITY] or walls > box.limit[WALL]:
        return 4
    return 0


def check_seats(s: Position, box: Box) -> int:
    """3: tribute.  5: pieces in play.  7: emperors.  8: talents."""
    for seat in range(box.seats):
        total = 0
        for p in range(PROVINCES):
            if s.owner[p] == seat:
                total += worth(s, box, p)
        if total != s.tribute[seat]:
            return 3
        if not forces_add_up(s, box, seat):
            return 5
        if s.talents[seat] < 0 or s.talents[seat] % 5 != 0:
            return 8
        place = s.emperor[seat]
        if place >= ABOARD and s.ship_owner[place - ABOARD] != seat:
            return 7
        if PROVINCES <= place and place < ABOARD and s.phase != SINK and s.phase != ROLL:
            return 7
    return 0


def forces_add_up(s: Position, box: Box, seat: int) -> bool:
    for unit in range(UNITS):
        number = 0
        for p in range(PROVINCES):
            number += s.units[seat][p][unit]
            if s.units[seat][p][unit] < 0:
                return False
        for ship in range(SHIPS):
            if s.ship_owner[ship] == seat:
                number += s.cargo[ship][unit]
        if number != s.force[seat][unit] or number > box.limit[unit] * s.colours[seat]:
            return False
    galleys = 0
    for ship in range(SHIPS):
        galleys += 1 if s.ship_owner[ship] == seat else 0
    return galleys == s.force[seat][GALLEY]


def check_generals(s: Position, box: Box) -> int:
    """6: no general is made or lost.  17: the captor decides on his captives before anything else."""
    number = s.removed + s.wet[0] + s.wet[1]
    pending = 0
    for seat in range(box.seats):
        pending += s.pending[seat]
        number += s.waiting[seat]
        for p in range(PROVINCES):
            number += s.generals[seat][p]
            if s.generals[seat][p] < 0:
                return 6
        for other in range(box.seats):
            number += s.captives[seat][other]
    for ship in range(SHIPS):
        number += s.ship_generals[ship]
    homes = 0
    for seat in range(box.seats):
        homes += 1 if s.home[seat] >= 0 and s.home[seat] < HOMES else 0
    if number + pending != homes * box.starting_generals:
        return 6
    if (s.captor != NOBODY) != (pending > 0) or (pending > 0) != (s.phase == CAPTIVE):
        return 17
    return 0


def check_ships(s: Position, box: Box) -> int:
    """9: galleys carry what they may, in a province nothing unless they are just being moved (3.6).
    12: where there is no galley nothing is written."""
    for ship in range(SHIPS):
        load = ship_load(s, ship)
        if s.ship_owner[ship] == NOBODY:
            if load > 0 or s.ship_generals[ship] > 0:
                return 9
            if s.ship_area[ship] != 0 or s.ship_points[ship] != 0:
                return 12
            if s.ship_coast[ship] != 0 or s.ship_from[ship] != -1:
                return 12
        elif load > 7 or s.ship_points[ship] > GALLEY_POINTS:
            return 9
        elif s.ship_area[ship] >= PROVINCES:
            if load > 0 and ship_leaders(s, ship) == 0:
                return 9
        elif load + ship_leaders(s, ship) > 0 and (s.phase != SAIL or s.ship != ship):
            return 9
    return 0


def check_movement(s: Position) -> int:
    """10: no piece has more or fewer points than it can have.  11: nobody leads more than seven."""
    if s.phase != MOVE and s.phase != MUSTER and s.phase != SAIL:
        return 0  # nobody has spent a point: 12
    for p in range(PROVINCES):
        for piece in range(PIECES):
            if present(s, p, piece) < 0:
                return 10
    if s.phase == MUSTER:
        if in_tow(s) > at.LEGION:
            return 11
        for piece in range(PIECES):
            if s.hand[piece] < 0 or s.riders[piece] < 0 or s.hand[piece] > present(s, s.here, piece):
                return 11
    return 0


def check_rest(s: Position, box: Box) -> int:
    """12: nothing is left over from a move.  13: from a battle.  14: from bargaining."""
    moving = s.phase == MUSTER or s.phase == SAIL
    if not moving and not movement_rests(s):
        return 12
    if not moving and s.phase != MOVE and not points_rest(s):
        return 12
    fought = s.phase == LINE or s.phase == LOSSES or s.phase == DECIDE or s.phase == VICTIMS
    if not fought and s.phase != ROLL and s.phase != RETREAT and s.phase != SINK and not battle_rests(s):
        return 13
    if (s.phase == ROLL) != (s.dice > 0):
        return 13
    return 0 if bargains_rest(s, box) else 14


def movement_rests(s: Position) -> bool:
    for piece in range(PIECES):
        if s.hand[piece] != 0 or s.riders[piece] != 0:
            return False
    if s.leader != 0 or s.leader_points != 0 or s.here != 0 or s.ship != NOBODY:
        return False
    return s.stepped == 0 and s.taking == 0 and s.trip == 0 and s.ashore == 0


def points_rest(s: Position) -> bool:
    for p in range(PROVINCES):
        for k in range(SPENT):
            if s.spent[p][k] != 0:
                return False
    return s.emperor_points == LEADER_POINTS


def battle_rests(s: Position) -> bool:
    for face in range(FACES):
        if s.faces[face] != 0:
            return False
    for side in range(2):
        if s.hits[side] != 0 or s.wet[side] != 0:
            return False
        for unit in range(UNITS):
            if s.line[side][unit] != 0 or s.fallen[side][unit] != 0:
                return False
    if s.field != 0 or s.enemy != 0 or s.bout != 0 or s.side != 0 or s.dice_for != 0:
        return False
    return s.need == 0 and s.stage == 0 and s.loser == NOBODY and s.winner_here == NOBODY


def bargains_rest(s: Position, box: Box) -> bool:
    """What is on offer, who may still be asked, who had a gift, and against whom was fought at sea."""
    if s.phase != AMOUNT and s.phase != ANSWER:
        if s.offer != NO_OFFER or s.opened != NO_OFFER or s.countered != 0 or s.fives != 0:
            return False
        if s.payer != 0 or s.gets != NOBODY or s.gives != NOBODY:
            return False
        if s.partner != 0 and s.phase != VOTE and s.phase != ENDED:
            return False
    if s.phase < DEAL:
        for seat in range(box.seats):
            if s.open_own[seat] != 0 or s.open_held[seat] != 0:
                return False
        if s.gifts != 0:
            return False
    if s.phase == MOVE or s.phase == MUSTER or s.phase == SAIL:
        for z in range(SEAS):
            if s.fought[z] != 0:
                return False
    return True


def check_fallen(s: Position, box: Box) -> int:
    """15: who has no emperor has nothing.  16: each set of pieces belongs to somebody."""
    colours, homes = 0, 0
    for seat in range(box.seats):
        colours += s.colours[seat]
        homes += 1 if s.home[seat] >= 0 else 0
        if not alive(s, seat) and not has_nothing(s, box, seat):
            return 15
    return 16 if colours != homes and box.leaving_removes == 0 else 0


def has_nothing(s: Position, box: Box, seat: int) -> bool:
    """Pieces in play are counted in `force`, holdings in `tribute`."""
    for goods in range(GALLEY + 1):
        if s.force[seat][goods] != 0:
            return False
    for p in range(PROVINCES):
        if s.generals[seat][p] != 0 or s.owner[p] == seat:
            return False
    for other in range(box.seats):
        if s.captives[seat][other] != 0 or s.captives[other][seat] != 0:
            return False
    return s.talents[seat] == 0 and s.waiting[seat] == 0 and s.colours[seat] == 0


def check_prices(s: Position) -> int:
    """18: prices are those of the last inflation in force, and each has been set off by somebody."""
    wanted = 1
    for step in range(2):
        if (s.countdown[step] == 0) != (s.trigger[step] == NOBODY):
            return 18
        if s.countdown[step] == IN_FORCE:
            wanted = step + 2
    if (s.full_round > 0) != (s.countdown[1] == IN_FORCE):
        return 18
    return 0 if s.price == wanted else 18
