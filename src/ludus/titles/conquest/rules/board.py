"""What stands where: questions about the board and the small changes that everything is made of.

Rule numbers are those of RULES.md: section and point, for instance 6.6.
"""

from ludus.core.contract import MAX_SEATS

from ..layout import (
    ABOARD,
    CATAPULT,
    CAVALRY,
    GALLEY,
    IN_FORCE,
    INFANTRY,
    NOBODY,
    SHIPS,
    UNITS,
    Box,
    Position,
)

CITY_TRIBUTE = 5
FIRST_MARK, SECOND_MARK = 105, 205


# -- questions ------------------------------------------------------------------------------------


def strength(s: Position, seat: int, p: int) -> int:
    """How many land units a seat has in a province."""
    here = s.units[seat][p]
    return here[INFANTRY] + here[CAVALRY] + here[CATAPULT]


def leaders(s: Position, seat: int, p: int) -> int:
    """5.8: generals and, if he is there, the emperor."""
    return s.generals[seat][p] + (1 if s.emperor[seat] == p else 0)


def alive(s: Position, seat: int) -> bool:
    return s.emperor[seat] >= 0


def hostile(s: Position, seat: int, p: int) -> bool:
    """Whether land units of somebody else stand in a province."""
    return s.occupant[p] != NOBODY and s.occupant[p] != seat


def shared_with_others(s: Position, seat: int, p: int) -> bool:
    """Whether anybody else has land units in a province, also next to those of the seat before a battle."""
    for other in range(MAX_SEATS):
        if other != seat and strength(s, other, p) > 0:
            return True
    return False


def faces_enemy_alone(s: Position, seat: int, p: int) -> bool:
    """2.10, 3.8, 12.11: whether a piece without land units would meet an enemy there with none of its own."""
    return hostile(s, seat, p) and strength(s, seat, p) == 0


def home_of(s: Position, box: Box, seat: int) -> int:
    """The home province of a seat."""
    return box.home_province[s.home[seat]]


def home_is_open(s: Position, box: Box, seat: int) -> bool:
    """5.6, 7.3: the home is the seat's own and free of enemies."""
    p = home_of(s, box, seat)
    return s.owner[p] == seat and not hostile(s, seat, p)


def usable_road(s: Position, seat: int, edge: int, p: int, q: int) -> bool:
    """2.6: a road serves whoever now controls both ends; it cannot lead across water (2.8)."""
    return edge >= 0 and s.road[edge] == 1 and s.owner[p] == seat and s.owner[q] == seat


def ship_load(s: Position, ship: int) -> int:
    """Land units aboard a galley."""
    hold = s.cargo[ship]
    return hold[INFANTRY] + hold[CAVALRY] + hold[CATAPULT]


def ship_leaders(s: Position, ship: int) -> int:
    return s.ship_generals[ship] + (1 if s.emperor[s.ship_owner[ship]] == ABOARD + ship else 0)


def foreign_galley(s: Position, seat: int, area: int) -> bool:
    """Whether a galley of somebody else lies in an area."""
    for ship in range(SHIPS):
        if s.ship_owner[ship] != NOBODY and s.ship_owner[ship] != seat and s.ship_area[ship] == area:
            return True
    return False


# -- tribute and inflation ------------------------------------------------------------------------


def raise_tribute(s: Position, seat: int, amount: int) -> None:
    """6.6, 7.7: a marker that reaches 105 (205) sets off the first (second) inflation, once a game.

    In his own turn the seat is already having its last turn at the old price; otherwise the next one.
    6.7: the marker has no ceiling.
    """
    s.tribute[seat] += amount
    for step in range(2):
        mark = FIRST_MARK if step == 0 else SECOND_MARK
        if s.countdown[step] == 0 and s.tribute[seat] >= mark:
            s.trigger[step] = seat
            s.countdown[step] = 1 if seat == s.active else 2


def count_down(s: Position, seat: int) -> None:
    """7.7: a turn of this seat begins (or would begin, had it not fallen)."""
    for step in range(2):
        if s.countdown[step] > 0 and s.trigger[step] == seat:
            s.countdown[step] -= 1
            if s.countdown[step] == 0:
                s.countdown[step] = IN_FORCE
                s.price = max(s.price, step + 2)
                if step == 1:
                    s.full_round = s.round


def worth(s: Position, box: Box, p: int) -> int:
    """6.6: what a province yields to whoever controls it."""
    return box.value[p] + (CITY_TRIBUTE if s.city[p] > 0 else 0)


def take_province(s: Position, box: Box, seat: int, p: int) -> None:
    """0.1, 6.1, 6.5: control passes for nothing, with city, walls and roads."""
    if s.owner[p] == seat:
        return
    if s.owner[p] != NOBODY:
        s.tribute[s.owner[p]] -= worth(s, box, p)
    s.owner[p] = seat
    raise_tribute(s, seat, worth(s, box, p))


# -- pieces ---------------------------------------------------------------------------------------


def settle_occupant(s: Position, p: int) -> None:
    """Whoever stood in a province stays its occupant while he has units there."""
    if s.occupant[p] != NOBODY and strength(s, s.occupant[p], p) > 0:
        return
    s.occupant[p] = NOBODY
    for seat in range(MAX_SEATS):
        if strength(s, seat, p) > 0:
            s.occupant[p] = seat


def remove_units(s: Position, seat: int, p: int, unit: int, number: int) -> None:
    """7.2: destroyed pieces are at once for sale again."""
    s.units[seat][p][unit] -= number
    s.force[seat][unit] -= number


def move_army(s: Position, seat: int, p: int, q: int) -> None:
    """All land units and leaders of a seat go from one province to another."""
    for unit in range(UNITS):
        s.units[seat][q][unit] += s.units[seat][p][unit]
        s.units[seat][p][unit] = 0
    s.generals[seat][q] += s.generals[seat][p]
    s.generals[seat][p] = 0
    if s.emperor[seat] == p:
        s.emperor[seat] = q
    settle_occupant(s, p)
    settle_occupant(s, q)


def free_ship(s: Position) -> int:
    """A place for a new galley."""
    ship = 0
    while s.ship_owner[ship] != NOBODY:
        ship += 1
    return ship


def clear_ship(s: Position, ship: int) -> None:
    """An unused place, always written alike."""
    s.ship_owner[ship], s.ship_area[ship], s.ship_points[ship] = NOBODY, 0, 0
    s.ship_coast[ship], s.ship_from[ship], s.ship_generals[ship] = 0, -1, 0
    for unit in range(UNITS):
        s.cargo[ship][unit] = 0


def sink_ship(s: Position, ship: int) -> None:
    """8.3: a galley goes down with the units it carries.  Its leaders were counted before."""
    owner = s.ship_owner[ship]
    s.force[owner][GALLEY] -= 1
    for unit in range(UNITS):
        s.force[owner][unit] -= s.cargo[ship][unit]
    clear_ship(s, ship)


def sink_in_harbour(s: Position, seat: int, p: int) -> None:
    """3.10, 12.9: the galleys of everybody but `seat` in a province are destroyed.

    Galleys in a province carry nothing: their cargo is ashore (3.6).
    """
    for ship in range(SHIPS):
        if s.ship_owner[ship] != NOBODY and s.ship_owner[ship] != seat and s.ship_area[ship] == p:
            sink_ship(s, ship)


def come_home(s: Position, box: Box, seat: int, number: int) -> None:
    """5.6, 12.14: generals return to the home, or wait off the board until it is open."""
    if home_is_open(s, box, seat):
        s.generals[seat][home_of(s, box, seat)] += number
    else:
        s.waiting[seat] += number


def raze_city(s: Position, box: Box, p: int) -> None:
    """6.9: a city goes with its walls and its roads; all of them are for sale again."""
    s.built[0] -= 1
    if s.city[p] == 2:
        s.built[1] -= 1
    s.city[p] = 0
    s.tribute[s.owner[p]] -= CITY_TRIBUTE
    for i in range(box.near_count[p]):
        edge = box.near_edge[p][i]
        if edge >= 0 and s.road[edge] == 1:
            s.road[edge] = 0
            s.built[2] -= 1
