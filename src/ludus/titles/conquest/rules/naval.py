"""Phase 2 at sea: galleys against galleys, at most three rounds (section 8)."""

from .. import layout as at
from ..layout import (
    ABOARD,
    ATTACKER,
    DEFENDER,
    FACE_GALLEY,
    FACES,
    FOR_SEA_ATTACK,
    FOR_SEA_DEFENCE,
    GALLEY,
    NOBODY,
    PROVINCES,
    ROLL,
    SHIPS,
    SINK,
    Box,
    Position,
)
from .board import alive, come_home, home_is_open, home_of, sink_ship
from .captives import fall, hold, ship_in
from .fleet import is_twin

SEA_ROUNDS = 3
DICE_A_GALLEY = 2


def galleys_in(s: Position, seat: int, area: int) -> int:
    n = 0
    for ship in range(SHIPS):
        n += 1 if s.ship_owner[ship] == seat and s.ship_area[ship] == area else 0
    return n


def may_attack(s: Position, area: int, seat: int) -> bool:
    """8.1, 12.13: once each turn against one enemy in one zone."""
    if seat == s.active or (s.fought[area - PROVINCES] >> seat) & 1 == 1:
        return False
    return ship_in(s, seat, area) != NOBODY


def legal_attacks(s: Position, box: Box, out: list[int], n: int) -> int:
    if s.force[s.active][GALLEY] == 0:
        return n
    for area in range(PROVINCES, at.AREAS):
        if ship_in(s, s.active, area) == NOBODY:
            continue
        for seat in range(box.seats):
            if may_attack(s, area, seat):
                out[n] = at.ATTACK + area * at.ATTACK_SEA + seat
                n += 1
    return n


def can_attack_somebody(s: Position) -> bool:
    if s.force[s.active][GALLEY] == 0:
        return False
    for ship in range(SHIPS):
        area = s.ship_area[ship]
        if area >= PROVINCES and may_attack(s, area, s.ship_owner[ship]):
            if ship_in(s, s.active, area) != NOBODY:
                return True
    return False


def start_sea_battle(s: Position, box: Box, area: int, seat: int) -> None:
    """8.1, 8.2: the active seat's choice; all galleys of both sides in the zone fight."""
    s.fought[area - PROVINCES] = s.fought[area - PROVINCES] | (1 << seat)
    s.field, s.enemy, s.bout = area, seat, 0
    start_sea_round(s, box)


def start_sea_round(s: Position, box: Box) -> None:
    s.bout += 1
    s.hits[ATTACKER] = s.hits[DEFENDER] = 0
    throw_at_sea(s, FOR_SEA_DEFENCE if box.naval_defender_first == 1 else FOR_SEA_ATTACK)


def throw_at_sea(s: Position, purpose: int) -> None:
    """8.3, 8.7: two dice a galley, whatever it carries."""
    side = ATTACKER if purpose == FOR_SEA_ATTACK else DEFENDER
    s.phase, s.dice_for, s.side = ROLL, purpose, side
    s.dice = DICE_A_GALLEY * galleys_in(s, side_seat(s, side), s.field)
    for face in range(FACES):
        s.faces[face] = 0


def side_seat(s: Position, side: int) -> int:
    return s.active if side == ATTACKER else s.enemy


def read_sea_dice(s: Position, box: Box) -> None:
    """8.4: both sides roll with what they had at the start of the round, then both lose."""
    struck = DEFENDER if s.dice_for == FOR_SEA_ATTACK else ATTACKER
    s.hits[struck] = min(s.faces[FACE_GALLEY], galleys_in(s, side_seat(s, struck), s.field))
    if box.naval_defender_first == 1:
        ask_to_sink(s, struck)
    elif s.dice_for == FOR_SEA_ATTACK:
        throw_at_sea(s, FOR_SEA_DEFENCE)
    else:
        ask_to_sink(s, DEFENDER)


def ask_to_sink(s: Position, side: int) -> None:
    s.phase, s.side, s.need = SINK, side, s.hits[side]


def legal_sink(s: Position, out: list[int]) -> int:
    """8.3: the owner picks what sinks; equal galleys are offered once."""
    seat, n = side_seat(s, s.side), 0
    for ship in range(SHIPS):
        if s.ship_owner[ship] == seat and s.ship_area[ship] == s.field and not is_twin(s, ship):
            out[n] = at.SINK_SHIP + ship
            n += 1
    return n


def no_choice_at_sea(s: Position) -> bool:
    """Whether all must sink, or all are equal."""
    seat, kinds = side_seat(s, s.side), 0
    if s.need >= galleys_in(s, seat, s.field):
        return True
    for ship in range(SHIPS):
        if s.ship_owner[ship] == seat and s.ship_area[ship] == s.field and not is_twin(s, ship):
            kinds += 1
    return kinds == 1


def sink(s: Position, ship: int) -> None:
    """8.3, 8.5: the cargo is lost; leaders are in the water until the battle is over."""
    seat = s.ship_owner[ship]
    s.wet[s.side] += s.ship_generals[ship]
    if s.emperor[seat] == ABOARD + ship:
        s.emperor[seat] = s.field
    sink_ship(s, ship)
    s.need -= 1


def settle_sinking(s: Position, box: Box) -> bool:
    """Whatever leaves no choice is done at once; True when the sea battle is over."""
    while s.phase == SINK:
        if s.need == 0:
            if sinking_is_done(s, box):
                return True
        elif no_choice_at_sea(s):
            sink(s, ship_in(s, side_seat(s, s.side), s.field))
        else:
            return False
    return False


def sinking_is_done(s: Position, box: Box) -> bool:
    """8.6: on to the other side, the next round, or after three the end; True for the end."""
    own, foreign = galleys_in(s, s.active, s.field), galleys_in(s, s.enemy, s.field)
    if box.naval_defender_first == 1:
        if s.side == ATTACKER and own > 0:
            throw_at_sea(s, FOR_SEA_ATTACK)
            return False
    elif s.side == DEFENDER:
        ask_to_sink(s, ATTACKER)
        return False
    if own > 0 and foreign > 0 and s.bout < SEA_ROUNDS:
        start_sea_round(s, box)
        return False
    rescue(s, box, ATTACKER)
    rescue(s, box, DEFENDER)
    return True


def may_escape(s: Position, box: Box, seat: int, other: int) -> bool:
    """8.5: nobody is left in the zone to capture, and the home is open."""
    return ship_in(s, other, s.field) == NOBODY and (home_is_open(s, box, seat) or not alive(s, other))


def rescue(s: Position, box: Box, side: int) -> None:
    """8.5: leaders of sunk galleys: picked up by their own, or captured, or home if nobody is left.

    Without rescue_at_sea they are captured, as the printed example says, if there is anybody to do so.
    """
    seat, other = side_seat(s, side), side_seat(s, 1 - side)
    generals, emperor = s.wet[side], s.emperor[seat] == s.field
    if generals == 0 and not emperor:
        return
    ship = ship_in(s, seat, s.field)
    rescued = box.rescue_at_sea == 1 or not alive(s, other)
    if ship != NOBODY and rescued:
        s.ship_generals[ship] += generals
        if emperor:
            s.emperor[seat] = ABOARD + ship
    elif rescued and may_escape(s, box, seat, other):
        come_home(s, box, seat, generals)
        if emperor:
            s.emperor[seat] = home_of(s, box, seat)
    elif emperor:
        fall(s, box, seat, other)
        come_home(s, box, other, generals)
    else:
        hold(s, other, seat, generals)
