"""Phase 1 on land: a leader is picked, then what goes along, then the next province (section 2).

Pieces are counted by kind and points left.  `hand` holds what goes along and has not paid for the next
step; on a road trip `riders` holds what has paid for the whole trip.  Both are marks on pieces that
stand in the province `here`.
"""

from .. import layout as at
from ..layout import (
    CATAPULT,
    CAVALRY,
    EMPEROR,
    GENERAL,
    INFANTRY,
    LEGION,
    MOVE,
    MUSTER,
    PIECES,
    SHIPS,
    SPENT_CATAPULT,
    SPENT_CAVALRY,
    SPENT_GENERAL,
    SPENT_INFANTRY,
    TAKE_CATAPULT,
    TAKE_CAVALRY,
    TAKE_EMPEROR,
    TAKE_GENERAL,
    TAKE_INFANTRY,
    TAKE_TIRED_CAVALRY,
    TAKE_TIRED_GENERAL,
    TIRED_GENERAL,
    WEARY_CAVALRY,
    WEARY_GENERAL,
    Box,
    Position,
)
from .board import faces_enemy_alone, hostile, settle_occupant, usable_road
from .turn import release

FRESH = -1  # with all points left: no place of `spent` counts them


def present(s: Position, p: int, piece: int) -> int:
    """2.1: how many pieces of a class the active seat has in a province that can still step."""
    units, spent = s.units[s.active][p], s.spent[p]
    if piece == TAKE_GENERAL:
        return s.generals[s.active][p] - spent[WEARY_GENERAL] - spent[SPENT_GENERAL]
    if piece == TAKE_TIRED_GENERAL:
        return spent[WEARY_GENERAL]
    if piece == TAKE_EMPEROR:
        return 1 if s.emperor[s.active] == p and s.emperor_points > 0 else 0
    if piece == TAKE_INFANTRY:
        return units[INFANTRY] - spent[SPENT_INFANTRY]
    if piece == TAKE_CAVALRY:
        return units[CAVALRY] - spent[WEARY_CAVALRY] - spent[SPENT_CAVALRY]
    if piece == TAKE_TIRED_CAVALRY:
        return spent[WEARY_CAVALRY]
    return units[CATAPULT] - spent[SPENT_CATAPULT]


def units_present(s: Position, p: int) -> int:
    """Land units of the active seat in a province that can still step."""
    n = 0
    for piece in range(TAKE_INFANTRY, PIECES):
        n += present(s, p, piece)
    return n


def units_came(s: Position, p: int) -> bool:
    """Whether land units of the active seat have come to a province in this turn, by land or by sea."""
    spent = s.spent[p]
    came = spent[SPENT_INFANTRY] + spent[WEARY_CAVALRY] + spent[SPENT_CAVALRY] + spent[SPENT_CATAPULT]
    return came > 0


def available(s: Position, piece: int) -> int:
    """What can be taken along here: not the leader himself, nor what goes along already."""
    n = present(s, s.here, piece) - s.hand[piece]
    if piece == TAKE_EMPEROR:
        n = 0 if s.leader == EMPEROR else n - s.riders[TAKE_EMPEROR]
    elif piece == TAKE_TIRED_GENERAL:
        n -= s.riders[TAKE_GENERAL] + (1 if s.leader == GENERAL and s.leader_points == 1 else 0)
    elif piece == TAKE_GENERAL:
        n -= 1 if s.leader == GENERAL and s.leader_points == 2 else 0
    elif piece == TAKE_TIRED_CAVALRY:
        n -= s.riders[TAKE_CAVALRY]
    return max(n, 0)


def units_available(s: Position) -> int:
    n = 0
    for piece in range(TAKE_INFANTRY, PIECES):
        n += available(s, piece)
    return n


def in_tow(s: Position) -> int:
    """2.1: land units that go along, at most seven."""
    n = 0
    for piece in range(TAKE_INFANTRY, PIECES):
        n += s.hand[piece] + s.riders[piece]
    return n


def rides_on(s: Position, p: int, q: int, edge: int) -> bool:
    """2.5, 12.3: the road trip goes on for nothing, into a province that it has not touched."""
    return s.trip != 0 and (s.trip >> q) & 1 == 0 and usable_road(s, s.active, edge, p, q)


def strait_is_blocked(s: Position, box: Box, p: int, q: int) -> bool:
    """2.12, only with galleys_block_straits: an enemy galley in a sea zone that touches both shores."""
    for ship in range(SHIPS):
        if s.ship_owner[ship] == s.active:
            continue
        touched = 0
        for i in range(box.shore_count[p]):
            touched += 1 if box.shore[p][i] == s.ship_area[ship] else 0
        for i in range(box.shore_count[q]):
            touched += 1 if box.shore[q][i] == s.ship_area[ship] else 0
        if touched == 2:
            return True
    return False


def passable(s: Position, box: Box, p: int, i: int) -> bool:
    if box.galleys_block_straits == 0 or box.near_edge[p][i] >= 0:
        return True
    return not strait_is_blocked(s, box, p, box.near[p][i])


def may_march(s: Position, box: Box, i: int, more: int) -> bool:
    """Whether the leader may step to the i-th neighbour, with `more` units than now go along.

    2.10: only with land units, or to some of one's own, into a province that holds enemy land units.
    """
    p = s.here
    q = box.near[p][i]
    free = rides_on(s, p, q, box.near_edge[p][i])
    if not free and s.leader_points == 0:
        return False
    if faces_enemy_alone(s, s.active, q) and more == 0 and going(s, free) == 0:
        return False
    return passable(s, box, p, i)


def going(s: Position, free: bool) -> int:
    """Land units that would make the step: riders without points stay where no road leads on."""
    n = s.hand[TAKE_INFANTRY] + s.hand[TAKE_CAVALRY] + s.hand[TAKE_TIRED_CAVALRY] + s.hand[TAKE_CATAPULT]
    n += s.riders[TAKE_CAVALRY]
    if free:
        n += s.riders[TAKE_INFANTRY] + s.riders[TAKE_TIRED_CAVALRY] + s.riders[TAKE_CATAPULT]
    return n


def can_lead(s: Position, box: Box, p: int) -> bool:
    """Whether a leader with points could step anywhere from a province."""
    for i in range(box.near_count[p]):
        if faces_enemy_alone(s, s.active, box.near[p][i]) and units_present(s, p) == 0:
            continue
        if passable(s, box, p, i):
            return True
    return False


# -- legal ------------------------------------------------------------------------------------------


def legal_leads(s: Position, box: Box, out: list[int], n: int) -> int:
    """2.4: which leaders can be picked; nothing moves without one."""
    place = s.emperor[s.active]
    for p in range(at.PROVINCES):
        if s.generals[s.active][p] == 0 and place != p:
            continue
        fresh, tired = present(s, p, TAKE_GENERAL), s.spent[p][WEARY_GENERAL]
        emperor = place == p and s.emperor_points > 0
        if not can_lead(s, box, p):
            continue
        code = at.LEAD + p * at.LEAD_PROVINCE
        if emperor:
            out[n] = code + EMPEROR
            n += 1
        if fresh > 0:
            out[n] = code + GENERAL
            n += 1
        if tired > 0:
            out[n] = code + TIRED_GENERAL
            n += 1
    return n


def legal_muster(s: Position, box: Box, out: list[int]) -> int:
    """Step, or first drop and then take pieces, in any order, or stop."""
    n = 0
    for i in range(box.near_count[s.here]):
        if may_march(s, box, i, 0):
            out[n] = at.MARCH + box.near[s.here][i]
            n += 1
    if s.stepped == 1:
        out[n] = at.HALT
        n += 1
    room = LEGION - in_tow(s)
    if 0 < units_available(s) <= room:
        out[n] = at.TAKE_ALL
        n += 1
    for piece in range(PIECES):
        most = available(s, piece)
        if piece >= TAKE_INFANTRY:
            most = min(most, room)
        for number in range(most, 0, -1):
            out[n] = at.TAKE + piece * at.PER_PIECE + number
            n += 1
    return legal_drops(s, out, n)


def legal_drops(s: Position, out: list[int], n: int) -> int:
    """2.2, 2.5: what came along may stay behind at any stop; not once others were taken (nothing repeats)."""
    if s.taking == 1:
        return n
    for piece in range(PIECES):
        most = s.riders[piece] if s.trip != 0 else s.hand[piece]
        for number in range(1, most + 1):
            out[n] = at.DROP + piece * at.PER_PIECE + number
            n += 1
    return n


# -- playing ----------------------------------------------------------------------------------------


def pick_leader(s: Position, code: int) -> None:
    p, who = (code - at.LEAD) // at.LEAD_PROVINCE, (code - at.LEAD) % at.LEAD_PROVINCE
    s.phase, s.here = MUSTER, p
    s.leader = EMPEROR if who == EMPEROR else GENERAL
    s.leader_points = s.emperor_points if who == EMPEROR else (2 if who == GENERAL else 1)


def take(s: Position, piece: int, number: int) -> None:
    s.hand[piece] += number
    s.taking = 1


def take_all(s: Position) -> None:
    for piece in range(TAKE_INFANTRY, PIECES):
        s.hand[piece] += available(s, piece)
    s.taking = 1


def drop(s: Position, piece: int, number: int) -> None:
    if s.trip != 0:
        s.riders[piece] -= number
    else:
        s.hand[piece] -= number


def march(s: Position, box: Box, q: int) -> None:
    """2.1, 2.5, 2.7, 2.9: every piece pays its own point, except riders on their road; enemies stop all.

    2.13: and they will fight.
    """
    p, i = s.here, 0
    while box.near[p][i] != q:
        i += 1
    edge = box.near_edge[p][i]
    free = rides_on(s, p, q, edge)
    if not free:
        leave_the_road(s)
    move_leader(s, p, q, free)
    move_riders(s, p, q)
    move_hand(s, p, q)
    s.here, s.stepped, s.taking = q, 1, 0
    settle_occupant(s, p)
    settle_occupant(s, q)
    if hostile(s, s.active, q):
        exhaust(s, q)
        stop(s)
        return
    if usable_road(s, s.active, edge, p, q):
        s.trip = s.trip | (1 << p) | (1 << q)
        hand_rides(s)
    else:
        hand_walks(s)
    if not can_go_on(s, box):
        stop(s)


def leave_the_road(s: Position) -> None:
    """Riders who have a point left may walk on; the others stay where they are."""
    s.hand[TAKE_TIRED_GENERAL] += s.riders[TAKE_GENERAL]
    s.hand[TAKE_TIRED_CAVALRY] += s.riders[TAKE_CAVALRY]
    if s.emperor_points > 0:
        s.hand[TAKE_EMPEROR] += s.riders[TAKE_EMPEROR]
    for piece in range(PIECES):
        s.riders[piece] = 0
    s.trip = 0


def move_leader(s: Position, p: int, q: int, free: bool) -> None:
    if not free:
        s.leader_points -= 1
    if s.leader == EMPEROR:
        s.emperor[s.active], s.emperor_points = q, s.leader_points
        return
    before = s.leader_points if free else s.leader_points + 1
    if before == 1:
        s.spent[p][WEARY_GENERAL] -= 1
    elif before == 0:
        s.spent[p][SPENT_GENERAL] -= 1
    s.spent[q][WEARY_GENERAL if s.leader_points == 1 else SPENT_GENERAL] += 1
    s.generals[s.active][p] -= 1
    s.generals[s.active][q] += 1


def shift(s: Position, p: int, q: int, unit: int, number: int) -> None:
    s.units[s.active][p][unit] -= number
    s.units[s.active][q][unit] += number


def move_spent(s: Position, p: int, q: int, was: int, becomes: int, number: int) -> None:
    """Points are kept by province: `was` there, `becomes` here."""
    if was != FRESH:
        s.spent[p][was] -= number
    s.spent[q][becomes] += number


def move_generals(s: Position, p: int, q: int, was: int, becomes: int, number: int) -> None:
    s.generals[s.active][p] -= number
    s.generals[s.active][q] += number
    move_spent(s, p, q, was, becomes, number)


def move_units(s: Position, p: int, q: int, unit: int, was: int, becomes: int, number: int) -> None:
    shift(s, p, q, unit, number)
    move_spent(s, p, q, was, becomes, number)


def move_riders(s: Position, p: int, q: int) -> None:
    """They have paid: their points do not change."""
    r = s.riders
    move_generals(s, p, q, WEARY_GENERAL, WEARY_GENERAL, r[TAKE_GENERAL])
    move_generals(s, p, q, SPENT_GENERAL, SPENT_GENERAL, r[TAKE_TIRED_GENERAL])
    move_units(s, p, q, INFANTRY, SPENT_INFANTRY, SPENT_INFANTRY, r[TAKE_INFANTRY])
    move_units(s, p, q, CAVALRY, WEARY_CAVALRY, WEARY_CAVALRY, r[TAKE_CAVALRY])
    move_units(s, p, q, CAVALRY, SPENT_CAVALRY, SPENT_CAVALRY, r[TAKE_TIRED_CAVALRY])
    move_units(s, p, q, CATAPULT, SPENT_CATAPULT, SPENT_CATAPULT, r[TAKE_CATAPULT])
    if r[TAKE_EMPEROR] == 1:
        s.emperor[s.active] = q


def move_hand(s: Position, p: int, q: int) -> None:
    """2.1: infantry and catapults have one point, cavalry and leaders two."""
    h = s.hand
    move_generals(s, p, q, FRESH, WEARY_GENERAL, h[TAKE_GENERAL])
    move_generals(s, p, q, WEARY_GENERAL, SPENT_GENERAL, h[TAKE_TIRED_GENERAL])
    move_units(s, p, q, INFANTRY, FRESH, SPENT_INFANTRY, h[TAKE_INFANTRY])
    move_units(s, p, q, CAVALRY, FRESH, WEARY_CAVALRY, h[TAKE_CAVALRY])
    move_units(s, p, q, CAVALRY, WEARY_CAVALRY, SPENT_CAVALRY, h[TAKE_TIRED_CAVALRY])
    move_units(s, p, q, CATAPULT, FRESH, SPENT_CATAPULT, h[TAKE_CATAPULT])
    if h[TAKE_EMPEROR] == 1:
        s.emperor[s.active] = q
        s.emperor_points -= 1


def hand_rides(s: Position) -> None:
    """2.5: whoever has paid for the trip rides on for nothing."""
    for piece in range(PIECES):
        s.riders[piece] += s.hand[piece]
        s.hand[piece] = 0


def hand_walks(s: Position) -> None:
    """Whoever has a point left stays with the leader; the others are dropped here."""
    s.hand[TAKE_TIRED_GENERAL] = s.hand[TAKE_GENERAL]
    s.hand[TAKE_TIRED_CAVALRY] = s.hand[TAKE_CAVALRY]
    s.hand[TAKE_GENERAL] = s.hand[TAKE_CAVALRY] = 0
    s.hand[TAKE_INFANTRY] = s.hand[TAKE_CATAPULT] = 0
    if s.emperor_points == 0:
        s.hand[TAKE_EMPEROR] = 0


def exhaust(s: Position, p: int) -> None:
    """2.9: whoever meets enemy land units goes no further; those of one point have none left anyway."""
    spent = s.spent[p]
    spent[WEARY_CAVALRY], spent[SPENT_CAVALRY] = 0, s.units[s.active][p][CAVALRY]
    spent[WEARY_GENERAL], spent[SPENT_GENERAL] = 0, s.generals[s.active][p]
    if s.emperor[s.active] == p:
        s.emperor_points = 0


def can_go_on(s: Position, box: Box) -> bool:
    more = units_available(s)
    for i in range(box.near_count[s.here]):
        if may_march(s, box, i, more):
            return True
    return False


def stop(s: Position) -> None:
    release(s)
    s.phase = MOVE
