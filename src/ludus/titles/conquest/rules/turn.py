"""Setting up, the order of turns, inflation coming into force, and the ends of the game."""

from ludus.core.contract import MAX_SEATS

from ..layout import (
    ACCLAIMED,
    CAPPED,
    CHOOSE_HOME,
    DRAW_HOME,
    ENDED,
    FACES,
    HOMES,
    INFANTRY,
    LAST_EMPEROR,
    MOVE,
    NO_OFFER,
    NOBODY,
    NOWHERE,
    PIECES,
    PROVINCES,
    SEAS,
    SHIPS,
    SPENT,
    UNITS,
    Box,
    Position,
)
from .board import alive, clear_ship, count_down, home_of, settle_occupant, take_province

SEATED = 2
GALLEY_POINTS, LEADER_POINTS = 2, 2


def new(s: Position, box: Box) -> None:
    """1.1 to 1.6: an empty board, then the homes: drawn, chosen, or in the order of the seats.

    What is zero need not be written.
    """
    clear_board(s)
    clear_seats(s)
    clear_movement(s)
    clear_battle(s)
    clear_trade(s)
    s.phase, s.round, s.winner = DRAW_HOME, 1, NOBODY
    if box.homes == SEATED:
        seat = 0
        for place in range(HOMES):
            if box.in_play[place] == 1:
                settle_home(s, box, seat, place)
                seat += 1
        start(s, box)
    elif box.homes == 1:
        s.phase = CHOOSE_HOME


def clear_board(s: Position) -> None:
    for p in range(PROVINCES):
        s.owner[p], s.occupant[p] = NOBODY, NOBODY
    for ship in range(SHIPS):
        clear_ship(s, ship)
    s.price, s.trigger[0], s.trigger[1] = 1, NOBODY, NOBODY


def clear_seats(s: Position) -> None:
    for seat in range(MAX_SEATS):
        s.home[seat], s.emperor[seat] = NOWHERE, NOWHERE
    s.captor = NOBODY


def clear_movement(s: Position) -> None:
    for p in range(PROVINCES):
        for k in range(SPENT):
            s.spent[p][k] = 0
    s.emperor_points = LEADER_POINTS
    release(s)


def release(s: Position) -> None:
    """Nothing is being moved."""
    s.leader, s.leader_points, s.here, s.ship, s.stepped = 0, 0, 0, NOBODY, 0
    s.taking, s.trip, s.ashore = 0, 0, 0
    for k in range(PIECES):
        s.hand[k], s.riders[k] = 0, 0


def clear_battle(s: Position) -> None:
    """Nothing is being fought."""
    s.field, s.enemy, s.bout, s.side, s.dice_for, s.dice = 0, 0, 0, 0, 0, 0
    s.need, s.stage, s.loser, s.winner_here = 0, 0, NOBODY, NOBODY
    for face in range(FACES):
        s.faces[face] = 0
    for side in range(2):
        s.hits[side], s.wet[side] = 0, 0
        for unit in range(UNITS):
            s.line[side][unit], s.fallen[side][unit] = 0, 0


def clear_trade(s: Position) -> None:
    s.gifts = 0
    clear_offer(s)
    for seat in range(MAX_SEATS):
        s.open_own[seat], s.open_held[seat] = 0, 0
    for z in range(SEAS):
        s.fought[z] = 0


def clear_offer(s: Position) -> None:
    """Nothing is on offer."""
    s.offer, s.partner, s.countered, s.opened, s.payer, s.fives = NO_OFFER, 0, 0, NO_OFFER, 0, 0
    s.gets, s.gives = NOBODY, NOBODY


# -- the set-up -----------------------------------------------------------------------------------


def settle_home(s: Position, box: Box, seat: int, place: int) -> None:
    """1.3, 1.4, 1.5: emperor, generals, infantry and a fortified city out of the common stock."""
    p = box.home_province[place]
    s.home[seat], s.emperor[seat], s.colours[seat] = place, p, 1
    s.generals[seat][p], s.units[seat][p][INFANTRY] = box.starting_generals, box.infantry
    s.force[seat][INFANTRY] = box.infantry
    s.talents[seat] = box.start_talents
    s.city[p] = 2
    s.built[0] += 1
    s.built[1] += 1
    settle_occupant(s, p)
    take_province(s, box, seat, p)


def home_is_left(s: Position, box: Box, place: int) -> bool:
    """1.1: a home of this number of players that nobody has yet."""
    if box.in_play[place] == 0:
        return False
    for seat in range(box.seats):
        if s.home[seat] == place:
            return False
    return True


def assign_home(s: Position, box: Box, place: int) -> None:
    """1.2: one seat after the other; the last takes what is left."""
    settle_home(s, box, s.active, place)
    s.active += 1
    if s.active == box.seats - 1:
        for last in range(HOMES):
            if home_is_left(s, box, last):
                settle_home(s, box, s.active, last)
        start(s, box)


def start(s: Position, box: Box) -> None:
    """1.6: the first home of the ring that is in play begins."""
    for i in range(HOMES):
        seat = seat_at(s, box, box.ring[i])
        if seat != NOBODY:
            begin_turn(s, box, seat)
            return


def seat_at(s: Position, box: Box, place: int) -> int:
    """Who began in a home."""
    for seat in range(box.seats):
        if s.home[seat] == place:
            return seat
    return NOBODY


# -- turns ------------------------------------------------------------------------------------------


def begin_turn(s: Position, box: Box, seat: int) -> None:
    s.active, s.phase = seat, MOVE
    clear_trade(s)
    for ship in range(SHIPS):
        if s.ship_owner[ship] != NOBODY:
            s.ship_points[ship], s.ship_from[ship] = GALLEY_POINTS, -1


def next_turn(s: Position, box: Box) -> None:
    """1.6, 7.7: round the ring, over the places of those who have fallen, to the next emperor."""
    if s.phase == ENDED:
        return
    at = 0
    while box.ring[at] != s.home[s.active]:
        at += 1
    while True:
        at += 1
        if at == HOMES:
            at = 0
            s.round += 1
            if round_is_last(s, box):
                finish(s, CAPPED, NOBODY)
                return
        seat = seat_at(s, box, box.ring[at])
        if seat != NOBODY:
            count_down(s, seat)
            if alive(s, seat):
                begin_turn(s, box, seat)
                return


def round_is_last(s: Position, box: Box) -> bool:
    """9.6, 12.6: the caps.  They are not in the rulebook; they only make sure that play ends."""
    if s.round > box.max_rounds:
        return True
    if box.rounds_after_full_inflation > 0 and s.full_round > 0:
        if s.round > s.full_round + box.rounds_after_full_inflation:
            return True
    if box.tribute_goal > 0:
        for seat in range(box.seats):
            if s.tribute[seat] >= box.tribute_goal:
                return True
    return False


def finish(s: Position, reason: int, winner: int) -> None:
    s.phase, s.ended, s.winner = ENDED, reason, winner


def survivors(s: Position, box: Box) -> int:
    """How many emperors are left."""
    n = 0
    for seat in range(box.seats):
        n += 1 if alive(s, seat) else 0
    return n


def end_if_one_is_left(s: Position, box: Box) -> None:
    """9.3: the last emperor has won."""
    if survivors(s, box) > 1:
        return
    for seat in range(box.seats):
        if alive(s, seat):
            finish(s, LAST_EMPEROR, seat)


def next_living(s: Position, box: Box, seat: int) -> int:
    """The next seat after this one whose emperor is alive; votes go round like this."""
    seat = (seat + 1) % box.seats
    while not alive(s, seat):
        seat = (seat + 1) % box.seats
    return seat


def acclaim(s: Position, seat: int) -> None:
    """9.4: all others have agreed."""
    finish(s, ACCLAIMED, seat)


def home_held(s: Position, box: Box, seat: int) -> bool:
    return s.owner[home_of(s, box, seat)] == seat
