"""Phase 1 at sea: a galley is picked, lands and loads, and goes from area to area (section 3)."""

from .. import layout as at
from ..layout import (
    ABOARD,
    CARGO,
    CARGO_CAVALRY,
    CARGO_EMPEROR,
    CARGO_GENERAL,
    CARGO_INFANTRY,
    CATAPULT,
    CAVALRY,
    LEGION,
    NOWHERE,
    PROVINCES,
    SAIL,
    SHIPS,
    SPENT_CATAPULT,
    SPENT_CAVALRY,
    SPENT_GENERAL,
    SPENT_INFANTRY,
    TAKE_CATAPULT,
    TAKE_CAVALRY,
    TAKE_GENERAL,
    TAKE_INFANTRY,
    UNITS,
    Box,
    Position,
)
from .board import faces_enemy_alone, hostile, settle_occupant, ship_leaders, ship_load
from .marching import present, stop


def same_ship(s: Position, a: int, b: int) -> bool:
    """Whether it makes no difference which of two galleys is picked."""
    if s.ship_area[a] != s.ship_area[b] or s.ship_points[a] != s.ship_points[b]:
        return False
    if s.ship_coast[a] != s.ship_coast[b] or s.ship_from[a] != s.ship_from[b]:
        return False
    if s.ship_generals[a] != s.ship_generals[b]:
        return False
    place = s.emperor[s.ship_owner[a]]
    if place == ABOARD + a or place == ABOARD + b:
        return False
    for unit in range(UNITS):
        if s.cargo[a][unit] != s.cargo[b][unit]:
            return False
    return True


def is_twin(s: Position, ship: int) -> bool:
    """Whether an equal galley of the same seat has a lower number."""
    for other in range(ship):
        if s.ship_owner[other] == s.ship_owner[ship] and same_ship(s, other, ship):
            return True
    return False


def loadable(s: Position, kind: int) -> int:
    """3.5: pieces in the harbour that have not stepped on land or landed in this turn."""
    p = s.here
    if kind == CARGO_GENERAL:
        return present(s, p, TAKE_GENERAL)
    if kind == CARGO_EMPEROR:
        return 1 if s.emperor[s.active] == p and s.emperor_points == 2 else 0
    if kind == CARGO_INFANTRY:
        return present(s, p, TAKE_INFANTRY)
    if kind == CARGO_CAVALRY:
        return present(s, p, TAKE_CAVALRY)
    return present(s, p, TAKE_CATAPULT)


def aboard(s: Position, ship: int, kind: int) -> int:
    if kind == CARGO_GENERAL:
        return s.ship_generals[ship]
    if kind == CARGO_EMPEROR:
        return 1 if s.emperor[s.ship_owner[ship]] == ABOARD + ship else 0
    return s.cargo[ship][kind - CARGO_INFANTRY]


def may_enter(s: Position, area: int) -> bool:
    """3.8, 12.11: to enemy land units only with land units aboard, or where some of one's own face them."""
    return area >= PROVINCES or not faces_enemy_alone(s, s.active, area) or ship_load(s, s.ship) > 0


# -- legal ------------------------------------------------------------------------------------------


def legal_sails(s: Position, out: list[int], n: int) -> int:
    if s.force[s.active][at.GALLEY] == 0:
        return n
    for ship in range(SHIPS):
        if s.ship_owner[ship] == s.active and s.ship_points[ship] > 0 and not is_twin(s, ship):
            out[n] = at.SAIL_SHIP + ship
            n += 1
    return n


def legal_sail(s: Position, box: Box, out: list[int]) -> int:
    n = 0
    if s.stepped == 1:
        out[n] = at.HALT
        n += 1
    if s.here < PROVINCES:
        n = legal_load(s, out, n)
        n = legal_land(s, out, n)
        if ship_load(s, s.ship) > 0 and ship_leaders(s, s.ship) == 0:
            return n  # 3.4: the rest of the cargo has no leader any more
        for i in range(box.shore_count[s.here]):
            if may_leave_by(s, box, i):
                out[n] = at.VOYAGE + box.shore[s.here][i]
                n += 1
        return n
    for i in range(box.water_count[s.here - PROVINCES]):
        area = box.water[s.here - PROVINCES][i]
        if may_enter(s, area):
            out[n] = at.VOYAGE + area
            n += 1
    return n


def may_leave_by(s: Position, box: Box, i: int) -> bool:
    """3.9: by any adjoining sea zone, unless one of the two coast options is on."""
    came = s.ship_from[s.ship]
    if box.stretch[s.here][i] != s.ship_coast[s.ship]:
        return False
    return box.same_sea_same_turn == 0 or came == NOWHERE or came == box.shore[s.here][i]


def legal_load(s: Position, out: list[int], n: int) -> int:
    """3.2, 3.3, 3.4: in the harbour, leaders first, no units without one, seven units at most."""
    room = LEGION - ship_load(s, s.ship)
    led = ship_leaders(s, s.ship) > 0
    total = 0
    for kind in range(CARGO):
        most = loadable(s, kind)
        if kind >= CARGO_INFANTRY:
            total += most
            most = min(most, room) if led else 0
        for number in range(most, 0, -1):
            out[n] = at.LOAD + kind * at.PER_PIECE + number
            n += 1
    if led and 0 < total <= room:
        out[n] = at.LOAD_ALL
        n += 1
    return n


def legal_land(s: Position, out: list[int], n: int) -> int:
    """12.12: landing on the way, where no enemy land units stand; a leader goes ashore first."""
    if s.taking == 1:
        return n
    for kind in range(CARGO):
        if kind >= CARGO_INFANTRY and s.ashore == 0:
            break
        for number in range(1, aboard(s, s.ship, kind) + 1):
            out[n] = at.LAND + kind * at.PER_PIECE + number
            n += 1
    return n


# -- playing ----------------------------------------------------------------------------------------


def pick_ship(s: Position, ship: int) -> None:
    s.phase, s.ship, s.here = SAIL, ship, s.ship_area[ship]


def load(s: Position, kind: int, number: int) -> None:
    p = s.here
    if kind == CARGO_GENERAL:
        s.generals[s.active][p] -= number
        s.ship_generals[s.ship] += number
    elif kind == CARGO_EMPEROR:
        s.emperor[s.active] = ABOARD + s.ship
    else:
        unit = kind - CARGO_INFANTRY
        s.units[s.active][p][unit] -= number
        s.cargo[s.ship][unit] += number
        settle_occupant(s, p)
    s.taking = 1


def load_all(s: Position) -> None:
    for kind in range(CARGO_INFANTRY, CARGO):
        load(s, kind, loadable(s, kind))


def put_ashore(s: Position, ship: int, p: int, kind: int, number: int) -> None:
    """3.5: who lands has no point left in this turn, neither to step nor to board again."""
    seat = s.active
    if kind == CARGO_GENERAL:
        s.ship_generals[ship] -= number
        s.generals[seat][p] += number
        s.spent[p][SPENT_GENERAL] += number
    elif kind == CARGO_EMPEROR:
        if number == 1:
            s.emperor[seat], s.emperor_points = p, 0
    else:
        unit = kind - CARGO_INFANTRY
        s.cargo[ship][unit] -= number
        s.units[seat][p][unit] += number
        tally = SPENT_INFANTRY
        if unit == CAVALRY:
            tally = SPENT_CAVALRY
        elif unit == CATAPULT:
            tally = SPENT_CATAPULT
        s.spent[p][tally] += number


def land(s: Position, kind: int, number: int) -> None:
    put_ashore(s, s.ship, s.here, kind, number)
    settle_occupant(s, s.here)
    if kind < CARGO_INFANTRY:
        s.ashore += number


def dock(s: Position) -> None:
    """3.6: when a galley ends its move in a province, its cargo is ashore."""
    for kind in range(CARGO):
        put_ashore(s, s.ship, s.here, kind, aboard(s, s.ship, kind))
    settle_occupant(s, s.here)


def voyage(s: Position, box: Box, area: int) -> None:
    """3.1: every step costs one of two points; never from coast to coast.  3.7: to enemies as a legion."""
    ship, came = s.ship, s.here
    s.ship_points[ship] -= 1
    s.ship_area[ship], s.ship_from[ship], s.ship_coast[ship] = area, -1, 0
    s.here, s.stepped, s.taking, s.ashore = area, 1, 0, 0
    if area < PROVINCES:
        s.ship_from[ship] = came
        for i in range(box.shore_count[area]):
            if box.shore[area][i] == came:
                s.ship_coast[ship] = box.stretch[area][i]
        if hostile(s, s.active, area):  # 3.7, 12.12: the ships stop where their legion must fight
            dock(s)
            s.ship_points[ship] = 0
            stop(s)
            return
    if s.ship_points[ship] == 0:
        halt_ship(s)


def halt_ship(s: Position) -> None:
    if s.here < PROVINCES:
        dock(s)
    stop(s)
