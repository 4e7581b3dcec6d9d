"""Conquest of the Empire, the fast half.  Rule numbers as in RULES.md.

Nothing is hidden, so who learns what (`seen`, `redeal`) is left out.
"""

from ludus.core.chance import CHANCE, OVER
from ludus.core.contract import DRAW, LOSS, WIN

from .. import layout as at
from ..layout import (
    AMOUNT,
    ANSWER,
    BATTLES,
    BUY,
    CAPTIVE,
    CHOOSE_HOME,
    DEAL,
    DECIDE,
    DRAW_HOME,
    ENDED,
    FACES,
    GIFT,
    HOMES,
    INFANTRY,
    LINE,
    LOSSES,
    MOVE,
    MUSTER,
    NOBODY,
    RANSOM,
    RAZE,
    RELEASE,
    RETREAT,
    ROLL,
    SAIL,
    SINK,
    VICTIMS,
    VOTE,
    Box,
    Position,
)
from .captives import abdicate, decide_captive, legal_captive, legal_retreat
from .checks import check
from .combat import (
    choose_number,
    combat_goes_on,
    end_movement,
    fight_on,
    legal_battles,
    legal_choice,
    read_dice,
    retreat,
    sea_dice,
    seat_of,
    settle_choices,
    start_battle,
    withdraw,
)
from .deals import (
    answer,
    answerer,
    counter,
    exchange,
    legal_answers,
    legal_deal,
    legal_terms,
    make_offer,
    name_amount,
    propose,
    proposer,
    reverse,
    start_deals,
    vote,
)
from .fleet import (
    halt_ship,
    land,
    legal_sail,
    legal_sails,
    load,
    load_all,
    pick_ship,
    voyage,
)
from .marching import (
    drop,
    legal_leads,
    legal_muster,
    march,
    pick_leader,
    stop,
    take,
    take_all,
)
from .naval import legal_attacks, legal_sink, read_sea_dice, settle_sinking, sink, start_sea_battle
from .trade import (
    collect_tribute,
    fortify,
    found,
    launch,
    legal_buy,
    legal_raze,
    pave,
    raze,
    recruit,
    start_purchase,
)
from .turn import assign_home, home_is_left, new, next_turn

__all__ = ["apply", "check", "legal", "new", "odds", "returns", "to_move"]


def to_move(s: Position, box: Box) -> int:
    phase = s.phase
    if phase == ENDED:
        return OVER
    if phase == ROLL or phase == DRAW_HOME:
        return CHANCE
    if phase == LINE or phase == LOSSES or phase == DECIDE or phase == SINK:
        return seat_of(s, s.side)
    if phase == RETREAT:
        return s.loser
    if phase == VICTIMS:
        return s.winner_here
    if phase == CAPTIVE:
        return s.captor
    if phase == AMOUNT:
        return proposer(s)
    if phase == ANSWER:
        return answerer(s)
    return s.partner if phase == VOTE else s.active


# -- legal --------------------------------------------------------------------------------------------


def legal(s: Position, box: Box, out: list[int]) -> int:
    phase = s.phase
    if phase == MOVE:
        return legal_move(s, box, out)
    if phase == MUSTER:
        return legal_muster(s, box, out)
    if phase == SAIL:
        return legal_sail(s, box, out)
    if phase == LINE or phase == LOSSES or phase == VICTIMS:
        return legal_choice(s, out)
    if phase == BUY:
        return legal_buy(s, box, out)
    if phase == RAZE:
        return legal_raze(s, out)
    if phase == DEAL:
        return legal_deal(s, box, out)
    if phase == BATTLES:
        return legal_attacks(s, box, out, legal_battles(s, out))
    if phase == RETREAT:
        return legal_retreat(s, box, out)
    return legal_answer(s, box, out)


def legal_move(s: Position, box: Box, out: list[int]) -> int:
    out[0] = at.END_MOVE
    n = legal_leads(s, box, out, 1)
    n = legal_sails(s, out, n)
    if box.leaving_removes == 1:
        out[n] = at.ABDICATE
        n += 1
    return n


def legal_answer(s: Position, box: Box, out: list[int]) -> int:
    """The phases with few answers."""
    if s.phase == DECIDE:
        out[0], out[1] = at.FIGHT_ON, at.WITHDRAW
        return 2
    if s.phase == SINK:
        return legal_sink(s, out)
    if s.phase == CAPTIVE:
        return legal_captive(s, out)
    if s.phase == AMOUNT:
        return legal_terms(s, box, out)
    if s.phase == ANSWER:
        return legal_answers(s, out)
    if s.phase == VOTE:
        out[0], out[1] = at.OBJECT, at.AGREE
        return 2
    n = 0
    for place in range(HOMES):  # CHOOSE_HOME
        if home_is_left(s, box, place):
            out[n] = at.CHOOSE + place
            n += 1
    return n


def odds(s: Position, box: Box, out: list[int], weight: list[int]) -> int:
    """12.1: the battle die has two infantry faces and one each of the other four."""
    if s.phase == ROLL:
        for face in range(FACES):
            out[face], weight[face] = at.FACE + face, 2 if face == INFANTRY else 1
        return FACES
    n = 0
    for place in range(HOMES):  # 1.2: homes are drawn
        if home_is_left(s, box, place):
            out[n], weight[n] = at.DRAW + place, 1
            n += 1
    return n


# -- apply --------------------------------------------------------------------------------------------


def apply(s: Position, box: Box, code: int) -> None:
    phase = s.phase
    if phase == ROLL:
        roll(s, box, code - at.FACE)
    elif phase == MOVE:
        apply_move(s, box, code)
    elif phase == MUSTER:
        apply_muster(s, box, code)
    elif phase == SAIL:
        apply_sail(s, box, code)
    elif phase == BUY:
        apply_buy(s, box, code)
    elif phase == DEAL or phase == AMOUNT or phase == ANSWER or phase == VOTE:
        apply_deal(s, box, code)
    elif phase == RAZE:
        if code == at.END_RAZING:
            start_purchase(s)
        else:
            raze(s, box, code - at.RAZE_CITY)
    elif phase == DRAW_HOME:
        assign_home(s, box, code - at.DRAW)
    elif phase == CHOOSE_HOME:
        assign_home(s, box, code - at.CHOOSE)
    else:
        apply_combat(s, box, code)


def roll(s: Position, box: Box, face: int) -> None:
    s.faces[face] += 1
    s.dice -= 1
    if s.dice > 0:
        return
    if sea_dice(s):
        read_sea_dice(s, box)
        if settle_sinking(s, box):
            combat_goes_on(s, box)
    else:
        read_dice(s)
        settle_choices(s, box)


def apply_move(s: Position, box: Box, code: int) -> None:
    if code == at.END_MOVE:
        end_movement(s, box)
    elif code == at.ABDICATE:
        abdicate(s, box, s.active)
        next_turn(s, box)
    elif code >= at.SAIL_SHIP:
        pick_ship(s, code - at.SAIL_SHIP)
    else:
        pick_leader(s, code)


def apply_muster(s: Position, box: Box, code: int) -> None:
    if code == at.HALT:
        stop(s)
    elif code >= at.MARCH:
        march(s, box, code - at.MARCH)
    elif code == at.TAKE_ALL:
        take_all(s)
    elif code > at.TAKE:
        rest = code - at.TAKE - 1
        take(s, rest // at.PER_PIECE, rest % at.PER_PIECE + 1)
    else:
        rest = code - at.DROP - 1
        drop(s, rest // at.PER_PIECE, rest % at.PER_PIECE + 1)


def apply_sail(s: Position, box: Box, code: int) -> None:
    if code == at.HALT:
        halt_ship(s)
    elif code >= at.VOYAGE:
        voyage(s, box, code - at.VOYAGE)
    elif code == at.LOAD_ALL:
        load_all(s)
    elif code > at.LOAD:
        rest = code - at.LOAD - 1
        load(s, rest // at.PER_PIECE, rest % at.PER_PIECE + 1)
    else:
        rest = code - at.LAND - 1
        land(s, rest // at.PER_PIECE, rest % at.PER_PIECE + 1)


def apply_combat(s: Position, box: Box, code: int) -> None:
    if s.phase == BATTLES:
        if code == at.END_COMBAT:
            collect_tribute(s, box)
        elif code >= at.ATTACK + at.PROVINCES * at.ATTACK_SEA:
            rest = code - at.ATTACK
            start_sea_battle(s, box, rest // at.ATTACK_SEA, rest % at.ATTACK_SEA)
        else:
            start_battle(s, code - at.BATTLE)
    elif s.phase == LINE:
        choose_number(s, (code - at.LINE_UP) % at.PER_UNIT)
    elif s.phase == LOSSES:
        choose_number(s, (code - at.LOSE) % at.PER_UNIT)
    elif s.phase == VICTIMS:
        choose_number(s, (code - at.SLAY) % at.SLAY_UNIT)
    elif s.phase == DECIDE:
        if code == at.WITHDRAW:
            withdraw(s, box)
        else:
            fight_on(s, box)
    elif s.phase == RETREAT:
        retreat(s, box, code - at.RETREAT_TO)
    elif s.phase == SINK:
        sink(s, code - at.SINK_SHIP)
        if settle_sinking(s, box):
            combat_goes_on(s, box)
    else:
        decide_captive(s, code)
        combat_goes_on(s, box)
    settle_choices(s, box)


def apply_buy(s: Position, box: Box, code: int) -> None:
    if code == at.END_PURCHASE:
        start_deals(s, box)
    elif code >= at.PAVE:
        pave(s, box, code - at.PAVE)
    elif code >= at.FORTIFY:
        fortify(s, box, code - at.FORTIFY)
    elif code >= at.FOUND:
        found(s, box, code - at.FOUND)
    elif code >= at.LAUNCH:
        launch(s, box, (code - at.LAUNCH) // at.LAUNCH_PROVINCE, (code - at.LAUNCH) % at.LAUNCH_PROVINCE)
    else:
        recruit(s, box, code)


def apply_deal(s: Position, box: Box, code: int) -> None:
    if s.phase == AMOUNT:
        apply_terms(s, box, code)
    elif s.phase == ANSWER:
        if code == at.COUNTER:
            counter(s)
        else:
            answer(s, box, code == at.ACCEPT)
    elif s.phase == VOTE:
        vote(s, box, code == at.AGREE)
    elif code == at.END_TURN:
        next_turn(s, box)
    elif code == at.ACCLAIM:
        propose(s, box)
    elif code >= at.OFFER_GIFT:
        make_offer(s, GIFT, code - at.OFFER_GIFT)
    elif code >= at.OFFER_RELEASE:
        make_offer(s, RELEASE, code - at.OFFER_RELEASE)
    else:
        make_offer(s, RANSOM, code - at.OFFER_RANSOM)


def apply_terms(s: Position, box: Box, code: int) -> None:
    if code == at.REVERSE:
        reverse(s)
    elif code >= at.FIVES:
        name_amount(s, box, code - at.FIVES)
    else:
        exchange(s, code - at.ADD_CAPTIVE)


# -- who wins --------------------------------------------------------------------------------------------


def returns(s: Position, box: Box, out: list[int]) -> None:
    """9.3, 9.4: one winner.  12.6: under a cap the highest tribute, equal tribute shares."""
    if s.winner != NOBODY:
        for seat in range(box.seats):
            out[seat] = WIN if seat == s.winner else LOSS
        return
    best, holders = -1, 0
    for seat in range(box.seats):
        if s.tribute[seat] > best:
            best, holders = s.tribute[seat], 0
        if s.tribute[seat] == best:
            holders += 1
    for seat in range(box.seats):
        out[seat] = LOSS if s.tribute[seat] < best else (WIN if holders == 1 else DRAW)
