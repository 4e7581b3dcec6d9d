"""Phase 2 on land: lines, dice, losses, retreat and pursuit (section 4), and what follows a battle."""

from .. import layout as at
from ..layout import (
    ATTACKER,
    BATTLES,
    CATAPULT,
    CAVALRY,
    DECIDE,
    DEFENDER,
    ENDED,
    FACES,
    FOR_ATTACK,
    FOR_DEFENCE,
    FOR_PURSUIT,
    FOR_SEA_ATTACK,
    FOR_SEA_DEFENCE,
    INFANTRY,
    LINE,
    LOSSES,
    NOBODY,
    PROVINCES,
    RETREAT,
    ROLL,
    UNITS,
    VICTIMS,
    Box,
    Position,
)
from .board import (
    alive,
    hostile,
    leaders,
    remove_units,
    settle_occupant,
    sink_in_harbour,
    sink_ship,
    strength,
    take_province,
)
from .captives import (
    can_withdraw,
    captives_ask,
    capture_all_leaders,
    capture_generals,
    capture_leaders,
    fall,
    has_refuge,
    lose_all,
    retreat_to,
    ship_in,
)
from .marching import units_came
from .naval import can_attack_somebody
from .trade import collect_tribute
from .turn import clear_battle, clear_movement, next_turn

LINE_BASE = 5
WALL_DICE = 2


def seat_of(s: Position, side: int) -> int:
    return s.active if side == ATTACKER else s.enemy


# -- the end of movement ------------------------------------------------------------------------------


def end_movement(s: Position, box: Box) -> None:
    """12.7: lone leaders and empty harbours are taken, empty provinces conquered by units (6.1, 6.2).

    0.4, 12.2: by galleys never, nor a sea zone; 2.11: only where units end their move.
    """
    while take_lone_emperor(s, box):
        pass
    if s.phase != ENDED:
        for p in range(PROVINCES):
            if strength(s, s.active, p) > 0 and not hostile(s, s.active, p):
                occupy(s, box, p)
    clear_movement(s)
    combat_goes_on(s, box)


def occupy(s: Position, box: Box, p: int) -> None:
    """3.10: galleys are the prey of units that have come here in this turn, not of those that stood here."""
    capture_generals(s, box, s.active, p)
    if units_came(s, p):
        sink_in_harbour(s, s.active, p)
    take_province(s, box, s.active, p)


def take_lone_emperor(s: Position, box: Box) -> bool:
    """5.2: an emperor without units in a province that the active seat's legion holds."""
    for seat in range(box.seats):
        p = s.emperor[seat]
        if seat != s.active and 0 <= p < PROVINCES:
            if strength(s, s.active, p) > 0 and not hostile(s, s.active, p):
                fall(s, box, seat, s.active)
                return True
    return False


def combat_goes_on(s: Position, box: Box) -> None:
    """The next thing of phase 2: captives, the end of a fallen seat's turn, battles, or phase 3."""
    clear_battle(s)
    if s.phase == ENDED:
        return
    while not captives_ask(s):
        if alive(s, s.active):
            s.phase = BATTLES
            if not battle_is_near(s) and not can_attack_somebody(s):
                collect_tribute(s, box)
            return
        if not find_stranded(s, box):
            next_turn(s, box)
            return
        if has_refuge(s, box, s.loser, s.field, True):
            s.phase = RETREAT
            return
        lose_all(s, box)
        clear_battle(s)


def find_stranded(s: Position, box: Box) -> bool:
    """5.7, 12.15: units inherited from a fallen active seat that stand with a third player's."""
    for p in range(PROVINCES):
        if s.occupant[p] == NOBODY:
            continue
        for seat in range(box.seats):
            if seat != s.occupant[p] and strength(s, seat, p) > 0:
                s.field, s.loser, s.winner_here = p, seat, s.occupant[p]
                return True
    return False


def battle_is_near(s: Position) -> bool:
    for p in range(PROVINCES):
        if hostile(s, s.active, p) and strength(s, s.active, p) > 0:
            return True
    return False


def legal_battles(s: Position, out: list[int]) -> int:
    """4.1: in the order that the attacker likes; none on land may be left out."""
    n = 0
    for p in range(PROVINCES):
        if hostile(s, s.active, p) and strength(s, s.active, p) > 0:
            out[n] = at.BATTLE + p
            n += 1
    if n == 0:
        out[n] = at.END_COMBAT
        n += 1
    return n


# -- rounds of a battle -------------------------------------------------------------------------------


def start_battle(s: Position, p: int) -> None:
    s.field, s.enemy, s.bout = p, s.occupant[p], 0
    start_round(s)


def start_round(s: Position) -> None:
    """4.2: the defender forms his line first."""
    s.bout += 1
    for side in range(2):
        s.hits[side] = 0
        for unit in range(UNITS):
            s.line[side][unit], s.fallen[side][unit] = 0, 0
    ask_line(s, DEFENDER)


def line_size(s: Position, side: int) -> int:
    """4.2: five units and one for each leader, as many as there are."""
    seat = seat_of(s, side)
    return min(strength(s, seat, s.field), LINE_BASE + leaders(s, seat, s.field))


def ask_line(s: Position, side: int) -> None:
    s.phase, s.side, s.stage = LINE, side, INFANTRY
    s.need = line_size(s, side)


def ask_losses(s: Position, side: int) -> None:
    """4.6: only units of the line can be lost; hits beyond it are wasted."""
    s.phase, s.side, s.stage = LOSSES, side, INFANTRY
    s.need = min(s.hits[side], in_line(s, side))


def in_line(s: Position, side: int) -> int:
    line = s.line[side]
    return line[INFANTRY] + line[CAVALRY] + line[CATAPULT]


def throw(s: Position, purpose: int, dice: int) -> None:
    s.phase, s.dice_for, s.dice = ROLL, purpose, dice
    for face in range(FACES):
        s.faces[face] = 0


def wall_dice(s: Position) -> int:
    """4.7: two more dice behind walls of one's own, one only while the attacker has a catapult in battle."""
    if s.city[s.field] < 2 or s.owner[s.field] != s.enemy:
        return 0
    return WALL_DICE - 1 if s.units[s.active][s.field][CATAPULT] > 0 else WALL_DICE


def hits_of(s: Position, unit: int) -> int:
    """4.4, 4.5: each die matches one unit of its kind in the line; catapults also from the reserve.

    4.13: in pursuit only cavalry hits.
    """
    if s.dice_for == FOR_PURSUIT:
        return min(s.faces[unit], s.units[s.winner_here][s.field][unit]) if unit == CAVALRY else 0
    side = ATTACKER if s.dice_for == FOR_ATTACK else DEFENDER
    if unit == CATAPULT:
        return min(s.faces[unit], s.units[seat_of(s, side)][s.field][unit])
    return min(s.faces[unit], s.line[side][unit])


def count_hits(s: Position) -> int:
    return hits_of(s, INFANTRY) + hits_of(s, CAVALRY) + hits_of(s, CATAPULT)


def read_dice(s: Position) -> None:
    """All dice of a throw on land lie: 4.3, both sides roll with their full lines."""
    if s.dice_for == FOR_ATTACK:
        s.hits[DEFENDER] = count_hits(s)
        ask_losses(s, DEFENDER)
    elif s.dice_for == FOR_DEFENCE:
        s.hits[ATTACKER] = count_hits(s)
        ask_losses(s, ATTACKER)
    else:  # 4.13: only cavalry pursues
        hits = count_hits(s)
        s.phase, s.stage = VICTIMS, INFANTRY
        for unit in range(UNITS):
            s.fallen[s.side][unit] = 0
        s.need = min(hits, strength(s, s.loser, s.field))


# -- choosing how many of each kind -----------------------------------------------------------------


def choice_cap(s: Position, unit: int) -> int:
    """How many of a kind there are to choose from."""
    if s.phase == LOSSES:
        return s.line[s.side][unit]
    return s.units[seat_of(s, s.side)][s.field][unit]


def least_choice(s: Position) -> int:
    """What the kinds still to come cannot supply must be taken now."""
    rest = 0
    for unit in range(s.stage + 1, UNITS):
        rest += choice_cap(s, unit)
    return max(0, s.need - rest)


def most_choice(s: Position) -> int:
    return min(s.need, choice_cap(s, s.stage))


def legal_choice(s: Position, out: list[int]) -> int:
    """Lines and losses are chosen as numbers: infantry, then cavalry, the rest are catapults."""
    if s.phase == LINE:
        origin, step = at.LINE_UP, at.PER_UNIT
    elif s.phase == LOSSES:
        origin, step = at.LOSE, at.PER_UNIT
    else:
        origin, step = at.SLAY, at.SLAY_UNIT
    n = 0
    for number in range(most_choice(s), least_choice(s) - 1, -1):
        out[n] = origin + s.stage * step + number
        n += 1
    return n


def choose_number(s: Position, number: int) -> None:
    if s.phase == LINE:
        s.line[s.side][s.stage] = number
    else:
        s.fallen[s.side][s.stage] = number
    s.need -= number
    s.stage += 1


def settle_choices(s: Position, box: Box) -> None:
    """Whatever leaves no choice is done at once, up to the next question or throw."""
    while s.phase == LINE or s.phase == LOSSES or s.phase == VICTIMS:
        if s.stage == UNITS:
            choice_is_made(s, box)
        elif least_choice(s) == most_choice(s):
            choose_number(s, most_choice(s))
        else:
            return


def choice_is_made(s: Position, box: Box) -> None:
    s.stage = 0
    if s.phase == LINE:
        if s.side == DEFENDER:
            ask_line(s, ATTACKER)
        else:
            throw(s, FOR_ATTACK, in_line(s, ATTACKER))
    elif s.phase == LOSSES:
        if s.side == DEFENDER:
            throw(s, FOR_DEFENCE, in_line(s, DEFENDER) + wall_dice(s))
        else:
            end_round(s, box)
    else:
        bury(s, s.side)
        ask_retreat(s, box)


def bury(s: Position, side: int) -> None:
    for unit in range(UNITS):
        remove_units(s, seat_of(s, side), s.field, unit, s.fallen[side][unit])


def end_round(s: Position, box: Box) -> None:
    """4.3, 4.8, 4.10: the fallen of both sides are taken off together."""
    bury(s, DEFENDER)
    bury(s, ATTACKER)
    defenders, attackers = strength(s, s.enemy, s.field), strength(s, s.active, s.field)
    if defenders > 0 and attackers > 0:
        ask_to_stay(s, box, DEFENDER)
    elif attackers > 0:
        p = s.field
        settle_occupant(s, p)
        capture_all_leaders(s, box, s.active, p)
        win_province(s, box, p)
        combat_goes_on(s, box)
    elif defenders > 0:
        p = s.field
        capture_all_leaders(s, box, s.enemy, p)
        sink_losers_galleys(s, box, p)
        combat_goes_on(s, box)
    else:
        settle_occupant(s, s.field)
        both_destroyed(s, box)


def both_destroyed(s: Position, box: Box) -> None:
    """4.10: nobody won, and the attacker's leaders go; with both_destroyed_captures each side captures."""
    s.loser, s.winner_here = s.active, s.enemy
    p, other = s.field, s.enemy
    if box.both_destroyed_captures == 1:
        capture_leaders(s, box, other, s.active, p)
        if alive(s, s.active):
            capture_leaders(s, box, s.active, other, p)
    elif has_refuge(s, box, s.active, p, False):  # no attacker is without a leader
        s.phase = RETREAT
        return
    else:
        lose_all(s, box)
    combat_goes_on(s, box)


def win_province(s: Position, box: Box, p: int) -> None:
    """6.1, 3.10, 12.9: the attacker conquers, and every foreign galley in the harbour is destroyed."""
    take_province(s, box, s.active, p)
    sink_in_harbour(s, s.active, p)


def sink_losers_galleys(s: Position, box: Box, p: int) -> None:
    """3.10: an attacker who lost keeps his docked galleys, unless loser_galleys_sunk is on."""
    if box.loser_galleys_sunk == 0:
        return
    ship = ship_in(s, s.active, p)
    while ship != NOBODY:
        sink_ship(s, ship)
        ship = ship_in(s, s.active, p)


# -- continue or retreat ------------------------------------------------------------------------------


def ask_to_stay(s: Position, box: Box, side: int) -> None:
    """4.9: the defender decides first; who cannot retreat is not asked."""
    while side >= 0:
        if can_withdraw(s, box, seat_of(s, side), s.field):
            s.phase, s.side = DECIDE, side
            return
        side -= 1
    start_round(s)


def fight_on(s: Position, box: Box) -> None:
    if s.side == DEFENDER:
        ask_to_stay(s, box, ATTACKER)
    else:
        start_round(s)


def withdraw(s: Position, box: Box) -> None:
    """0.2, 4.12, 4.13: the battle is over; pursuit first, with as many dice as the winner has units left."""
    s.loser = seat_of(s, s.side)
    s.winner_here = seat_of(s, 1 - s.side)
    if s.units[s.winner_here][s.field][CAVALRY] > 0:
        throw(s, FOR_PURSUIT, strength(s, s.winner_here, s.field))
    else:
        ask_retreat(s, box)


def ask_retreat(s: Position, box: Box) -> None:
    """4.14: leaders get away even when pursuit has killed the last unit."""
    settle_occupant(s, s.field)
    if strength(s, s.loser, s.field) + leaders(s, s.loser, s.field) > 0:
        s.phase = RETREAT
    else:
        leave_the_field(s, box)
        combat_goes_on(s, box)


def retreat(s: Position, box: Box, area: int) -> None:
    """7.7: the field is lost before a refuge is gained (4.19), so that no marker jumps in passing."""
    seat = s.loser
    retreat_to(s, area)
    leave_the_field(s, box)
    if area < PROVINCES and strength(s, seat, area) > 0 and box.retreat_conquers == 1:
        take_province(s, box, seat, area)
    combat_goes_on(s, box)


def leave_the_field(s: Position, box: Box) -> None:
    """0.3: the attacker takes the province or the defender keeps it.

    12.10: where both sides are gone nobody has won it, nor its harbour.
    """
    if strength(s, s.winner_here, s.field) == 0:
        return
    if s.winner_here == s.active:
        win_province(s, box, s.field)
    else:
        sink_losers_galleys(s, box, s.field)


def sea_dice(s: Position) -> bool:
    return s.dice_for == FOR_SEA_ATTACK or s.dice_for == FOR_SEA_DEFENCE
