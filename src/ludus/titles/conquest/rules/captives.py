"""Captured leaders, the fall of an emperor, and who retreats where (sections 4 and 5)."""

from ludus.core.contract import MAX_SEATS

from .. import layout as at
from ..layout import (
    ABOARD,
    CAPTIVE,
    GALLEY,
    LEGION,
    NOBODY,
    NOWHERE,
    PROVINCES,
    SHIPS,
    UNITS,
    Box,
    Position,
)
from .board import (
    clear_ship,
    come_home,
    foreign_galley,
    leaders,
    move_army,
    raise_tribute,
    remove_units,
    settle_occupant,
    shared_with_others,
    strength,
)
from .turn import clear_movement, end_if_one_is_left

# -- capture ----------------------------------------------------------------------------------------


def capture_leaders(s: Position, box: Box, captor: int, loser: int, p: int) -> None:
    """5.1, 5.3, 5.7: an emperor falls with all that is his; of generals the captor decides."""
    if s.emperor[loser] == p:
        fall(s, box, loser, captor)
        return
    hold(s, captor, loser, s.generals[loser][p])
    s.generals[loser][p] = 0


def capture_all_leaders(s: Position, box: Box, captor: int, p: int) -> None:
    """5.1: every enemy leader in the zone, also of players who had no part in the battle; emperors first."""
    for seat in range(box.seats):
        if seat != captor and s.emperor[seat] == p:
            fall(s, box, seat, captor)
    capture_generals(s, box, captor, p)


def capture_generals(s: Position, box: Box, captor: int, p: int) -> None:
    for seat in range(box.seats):
        if seat != captor:
            hold(s, captor, seat, s.generals[seat][p])
            s.generals[seat][p] = 0


def hold(s: Position, captor: int, loser: int, number: int) -> None:
    """5.3: the captor will say of each general whether he is kept or removed."""
    if number == 0:
        return
    if s.captor != NOBODY and s.captor != captor:
        s.captives[captor][loser] += number  # two captors at once: the second keeps what he takes
        return
    s.captor = captor
    s.pending[loser] += number


def first_pending(s: Position) -> int:
    """Whose general is decided on now, or NOBODY."""
    for seat in range(MAX_SEATS):
        if s.pending[seat] > 0:
            return seat
    return NOBODY


def legal_captive(s: Position, out: list[int]) -> int:
    out[0], out[1] = at.KEEP + first_pending(s), at.REMOVE + first_pending(s)
    return 2


def decide_captive(s: Position, code: int) -> None:
    """5.3, 12.16: kept as captive, or out of the game for good."""
    owner = first_pending(s)
    s.pending[owner] -= 1
    if code == at.KEEP + owner:
        s.captives[s.captor][owner] += 1
    else:
        s.removed += 1
    if first_pending(s) == NOBODY:
        s.captor = NOBODY


# -- the fall of an emperor -----------------------------------------------------------------------


def fall(s: Position, box: Box, loser: int, heir: int) -> None:
    """5.7: the player is out at once, and everything that is his passes to the captor."""
    s.emperor[loser] = NOWHERE
    inherit_board(s, loser, heir)
    inherit_generals(s, box, loser, heir)
    s.talents[heir] += s.talents[loser]
    s.talents[loser] = 0
    s.colours[heir] += s.colours[loser]
    s.colours[loser] = 0
    booty = s.tribute[loser]
    s.tribute[loser] = 0
    raise_tribute(s, heir, booty)
    end_if_one_is_left(s, box)


def inherit_board(s: Position, loser: int, heir: int) -> None:
    for p in range(PROVINCES):
        if s.owner[p] == loser:
            s.owner[p] = heir
        s.generals[heir][p] += s.generals[loser][p]
        s.generals[loser][p] = 0
        for unit in range(UNITS):
            s.units[heir][p][unit] += s.units[loser][p][unit]
            s.units[loser][p][unit] = 0
        settle_occupant(s, p)
    for ship in range(SHIPS):
        if s.ship_owner[ship] == loser:
            s.ship_owner[ship] = heir
    for goods in range(GALLEY + 1):
        s.force[heir][goods] += s.force[loser][goods]
        s.force[loser][goods] = 0


def inherit_generals(s: Position, box: Box, loser: int, heir: int) -> None:
    """5.7: captives change hands; what is now the heir's own comes home; third parties keep theirs."""
    home = s.waiting[loser]
    s.waiting[loser] = 0
    for other in range(MAX_SEATS):
        s.captives[heir][other] += s.captives[loser][other]
        s.captives[loser][other] = 0
        s.captives[other][heir] += s.captives[other][loser]
        s.captives[other][loser] = 0
    home += s.captives[heir][heir]
    s.captives[heir][heir] = 0
    if s.captor == loser:  # both sides are gone, and he has just taken the generals of the heir
        home += s.pending[heir]
        s.pending[heir] = 0
        s.captor = NOBODY
    come_home(s, box, heir, home)


def abdicate(s: Position, box: Box, seat: int) -> None:
    """9.5, only with leaving=remove: all pieces go, provinces are free, cities stay."""
    clear_movement(s)
    s.emperor[seat] = NOWHERE
    for p in range(PROVINCES):
        if s.owner[p] == seat:
            s.owner[p] = NOBODY
        s.removed += s.generals[seat][p]
        s.generals[seat][p] = 0
        for unit in range(UNITS):
            s.units[seat][p][unit] = 0
        settle_occupant(s, p)
    for ship in range(SHIPS):
        if s.ship_owner[ship] == seat:
            s.removed += s.ship_generals[ship]
            clear_ship(s, ship)
    for goods in range(GALLEY + 1):
        s.force[seat][goods] = 0
    s.removed += s.waiting[seat]
    s.talents[seat] = s.tribute[seat] = s.colours[seat] = s.waiting[seat] = 0
    for other in range(box.seats):
        s.removed += s.captives[other][seat]
        s.captives[other][seat] = 0
        come_home(s, box, other, s.captives[seat][other])
        s.captives[seat][other] = 0
    end_if_one_is_left(s, box)


# -- retreat ------------------------------------------------------------------------------------------


def refuge(s: Position, seat: int, q: int, galleys_matter: bool) -> bool:
    """4.15: no combat unit, land or galley, of any other player, not even where a second battle is near.

    4.10: leaders left alone by the death of both armies only shun land units.
    """
    if shared_with_others(s, seat, q):
        return False
    return not galleys_matter or not foreign_galley(s, seat, q)


def harbour_room(s: Position, seat: int, p: int) -> bool:
    """reembark_on_retreat: galleys enough in the harbour, and a leader for each that is needed."""
    ships = 0
    for ship in range(SHIPS):
        if s.ship_owner[ship] == seat and s.ship_area[ship] == p:
            ships += 1
    wanted = (strength(s, seat, p) + LEGION - 1) // LEGION
    return ships > 0 and ships >= wanted and leaders(s, seat, p) >= wanted


def ship_in(s: Position, seat: int, area: int) -> int:
    """The first galley of a seat in an area, or NOBODY."""
    for ship in range(SHIPS):
        if s.ship_owner[ship] == seat and s.ship_area[ship] == area:
            return ship
    return NOBODY


def may_put_to_sea(s: Position, box: Box, seat: int, p: int, i: int) -> bool:
    """3.9: from the stretch of coast where the galleys lie."""
    return box.stretch[p][i] == s.ship_coast[ship_in(s, seat, p)]


def legal_retreat(s: Position, box: Box, out: list[int]) -> int:
    """4.20: where the loser may go, whatever way he came: one province for all; 4.16: none, all are lost."""
    p, seat, n = s.field, s.loser, 0
    galleys_matter = strength(s, s.winner_here, p) > 0
    for i in range(box.near_count[p]):
        if refuge(s, seat, box.near[p][i], galleys_matter):
            out[n] = at.RETREAT_TO + box.near[p][i]
            n += 1
    if box.reembark_on_retreat == 1 and harbour_room(s, seat, p):
        for i in range(box.shore_count[p]):
            if may_put_to_sea(s, box, seat, p, i):
                out[n] = at.RETREAT_TO + box.shore[p][i]
                n += 1
    return n


def has_refuge(s: Position, box: Box, seat: int, p: int, galleys_matter: bool) -> bool:
    for i in range(box.near_count[p]):
        if refuge(s, seat, box.near[p][i], galleys_matter):
            return True
    return box.reembark_on_retreat == 1 and harbour_room(s, seat, p)


def can_withdraw(s: Position, box: Box, seat: int, p: int) -> bool:
    """4.16, 4.17: only with a leader, and only if there is somewhere to go."""
    if leaders(s, seat, p) == 0 and box.leaderless_retreat == 0:
        return False
    return has_refuge(s, box, seat, p, True)


def retreat_to(s: Position, area: int) -> None:
    """4.15, 4.18: all go together."""
    if area >= PROVINCES:
        put_to_sea(s, s.loser, s.field, area)
    else:
        move_army(s, s.loser, s.field, area)


def put_to_sea(s: Position, seat: int, p: int, area: int) -> None:
    """reembark_on_retreat: seven units and a leader a ship, the other leaders in the last one."""
    while strength(s, seat, p) + leaders(s, seat, p) > 0:
        ship = ship_in(s, seat, p)
        room = LEGION
        for unit in range(UNITS):
            number = min(room, s.units[seat][p][unit])
            room -= number
            s.units[seat][p][unit] -= number
            s.cargo[ship][unit] += number
        if s.emperor[seat] == p:
            s.emperor[seat] = ABOARD + ship
        else:
            s.generals[seat][p] -= 1
            s.ship_generals[ship] += 1
        if strength(s, seat, p) == 0:
            s.ship_generals[ship] += s.generals[seat][p]
            s.generals[seat][p] = 0
        s.ship_area[ship], s.ship_coast[ship], s.ship_from[ship] = area, 0, -1
    settle_occupant(s, p)


def lose_all(s: Position, box: Box) -> None:
    """4.16: who cannot retreat is lost, and his leaders are captured."""
    for unit in range(UNITS):
        remove_units(s, s.loser, s.field, unit, s.units[s.loser][s.field][unit])
    capture_leaders(s, box, s.winner_here, s.loser, s.field)


def captives_ask(s: Position) -> bool:
    """Whether somebody has to decide on captured generals now."""
    if first_pending(s) == NOBODY:
        return False
    s.phase = CAPTIVE
    return True
