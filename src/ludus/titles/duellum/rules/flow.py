"""The order of a turn: what comes next, who is to move, and the contract's own functions."""

from ludus.core.chance import CHANCE, OVER
from ludus.core.contract import DRAW, LOSS, WIN

from .. import layout as at
from ..layout import (
    ABANDON,
    AIM,
    ANSWER,
    CLASH,
    CONQUEST,
    DEST,
    ENDED,
    FIGHT,
    FIRST,
    FORTRESS,
    FOUND,
    GIVE,
    LOSSES,
    MIDDLE,
    MILITIA,
    MOVE,
    MUSTER,
    NEXT,
    PAY,
    PICK,
    PRODUCE,
    REVEAL,
    RONDEL,
    SCIENTIA,
    STRIKE,
    TAKE,
    TEMPLUM,
    TOLL,
    Box,
    Position,
)
from .building import (
    arm,
    build_temple,
    develop,
    enlist,
    go,
    legal_militia,
    legal_scientia,
    legal_spaces,
    legal_templum,
    produce,
    put_wall,
    recruit,
)
from .cards import (
    aim,
    legal_aims,
    legal_cards,
    legal_musters,
    legal_picks,
    legal_strikes,
    must_reveal,
    muster,
    number_of,
    pick,
    play_card,
    reshuffle,
    reveal,
    reveal_odds,
    strike,
    waits_for_card,
)
from .duellum import (
    abandon,
    answer_conquest,
    clash,
    conquer,
    end_manoeuvre,
    end_movement,
    lead,
    legal_abandons,
    legal_clashes,
    legal_conquests,
    legal_fortress,
    legal_losses,
    legal_sends,
    legal_ways,
    move,
    send,
    take_city,
)
from .goods import (
    FOR_TRADE,
    TRADE_GIVES,
    begin_swap,
    charge,
    end_giving,
    first_due,
    give,
    give_needed,
    legal_coins,
    legal_goods,
    may_trade,
    pay_due,
    pay_toll,
    settle_due,
    settle_toll,
    take,
)
from .turn import begin_turn, end_turn, found, legal_founding, score
from .units import answer_battle


def new(s: Position, box: Box) -> None:
    """P10: the set-up.  Chance says who begins, then turns up the first event cards."""
    s.phase = s.main = FIRST
    s.winner = -1
    for p in range(2):
        s.stone[p] = MIDDLE
        s.walls[p] = box.wall_at[0]
        for good in range(3):
            s.goods[p][good] = box.start_goods[good]
        for unit in range(2):
            s.recruits[p][unit] = box.start_recruits[unit]
            s.supply[p][unit] = box.pieces[unit] - box.start_recruits[unit]
    s.bank_coins, s.bank_temples = box.coins, box.temples
    for token in range(1, 4):
        s.bank_tokens[token] = box.tokens[token]
    for r in range(box.regions):
        if box.start_owner[r] > 0:
            s.owner[r], s.makes[r] = box.start_owner[r], box.start_makes[r]
            s.cities[s.owner[r] - 1] += 1
            s.bank_tokens[s.makes[r]] -= 1
    for card in range(box.cards):
        s.deck[card] = box.copies[card]


def to_move(s: Position, box: Box) -> int:
    phase = s.phase
    if phase == ENDED:
        return OVER
    if phase == FIRST or phase == REVEAL:
        return CHANCE
    if phase == ANSWER or phase == FORTRESS or phase == PICK:
        return 1 - s.active
    return s.active


# -- what may be done ---------------------------------------------------------------------------------


def legal(s: Position, box: Box, out: list[int]) -> int:
    if s.phase > ENDED:
        return legal_answers(s, box, out)
    phase = s.phase
    n = 0
    if phase == RONDEL:
        n = legal_spaces(s, box, out)
    elif phase == TEMPLUM:
        n = legal_templum(s, box, out)
    elif phase == MILITIA:
        n = legal_militia(s, box, out)
    elif phase == SCIENTIA:
        n = legal_scientia(s, box, out)
    elif phase == MOVE:
        n = legal_sends(s, box, out)
    elif phase == CLASH:
        n = legal_clashes(s, box, out, 0)
    elif phase == CONQUEST:
        n = legal_conquests(s, box, out)
    elif phase == FOUND:
        n = legal_founding(s, box, out)
    n = legal_cards(s, box, out, n)
    if may_trade(s, s.active):
        out[n] = at.TRADE
        n += 1
    if phase != RONDEL:
        out[n] = at.PRODUCE_NOW if phase == PRODUCE else at.DONE
        n += 1
    return n


def legal_answers(s: Position, box: Box, out: list[int]) -> int:
    """The small questions."""
    phase, p = s.phase, s.active
    if phase == TOLL:
        return legal_goods(s, p, s.toll, at.PAY_GOOD, out)
    if phase == PAY:
        return legal_coins(s, p, at.PAY_COINS, out)
    if phase == GIVE:
        n = legal_goods(s, p, give_needed(s), at.PAY_GOOD, out)
        if s.swap != FOR_TRADE:
            out[n] = at.DONE
            n += 1
        return n
    if phase == TAKE:
        for good in range(3):
            out[good] = at.TAKE_GOOD + good
        return 3
    if phase == DEST:
        return legal_ways(s, box, out)
    if phase == FIGHT or phase == ANSWER:
        out[0], out[1] = at.FIGHT_IT, at.HOLD
        return 2
    if phase == FORTRESS:
        return legal_fortress(s, box, out)
    if phase == LOSSES:
        return legal_losses(s, box, out)
    if phase == ABANDON:
        return legal_abandons(s, box, out)
    if phase == AIM:
        return legal_aims(s, box, out)
    if phase == STRIKE:
        return legal_strikes(s, box, out)
    if phase == MUSTER:
        return legal_musters(s, box, out)
    return legal_picks(s, box, out)


def odds(s: Position, box: Box, out: list[int], weight: list[int]) -> int:
    if s.phase == REVEAL:
        return reveal_odds(s, box, out, weight)
    for p in range(2):
        out[p], weight[p] = at.FIRST_SEAT + p, 1
    return 2


# -- playing --------------------------------------------------------------------------------------------


def apply(s: Position, box: Box, code: int) -> None:
    """Play one action; then whatever follows by itself, up to the next choice."""
    phase = s.phase
    s.phase = s.main
    if phase <= ENDED:
        do_main(s, box, code)
    else:
        do_answer(s, box, phase, code)
    if s.phase <= ENDED:
        go_on(s, box)


def do_main(s: Position, box: Box, code: int) -> None:
    """A choice of the stretch of the turn that goes on."""
    if code < at.END_GO:
        if s.main == FIRST:
            choose_starter(s, box, code - at.FIRST_SEAT)
        else:
            go(s, box, code - at.GO)
    elif code < at.END_TEMPLE:
        if code == at.PRODUCE_NOW:
            produce(s, box)
        else:
            build_temple(s, box, code - at.TEMPLE_AT)
    elif code < at.END_WALL:
        charge(s, s.active, box.wall_price, 0, 0, 0)
        put_wall(s, code - at.WALL_AT)
    elif code < at.END_ARM:
        arm(s, box, (code - at.ARM) // at.MAX_REGIONS, (code - at.ARM) % at.MAX_REGIONS)
    elif code < at.END_ENLIST:
        enlist(s, box, (code - at.ENLIST) // at.MAX_REGIONS, (code - at.ENLIST) % at.MAX_REGIONS)
    elif code < at.END_DEVELOP:
        develop(s, box, code - at.DEVELOP)
    elif code < at.END_RECRUIT:
        k = code - at.RECRUIT - 1
        recruit(s, box, k // at.RECRUIT_UNIT, k % at.RECRUIT_UNIT + 1)
    elif code < at.END_SEND:
        k = code - at.SEND - 1
        send(s, k // at.SEND_UNIT, k % at.SEND_UNIT // at.SEND_REGION, k % at.SEND_REGION + 1)
    elif code == at.LEAD:
        lead(s)
    elif code < at.END_CLASH:
        clash(s, box, (code - at.CLASH_AT) // at.MAX_REGIONS, (code - at.CLASH_AT) % at.MAX_REGIONS)
    elif code < at.END_CONQUER:
        conquer(s, box, code - at.CONQUER)
    elif code < at.END_FOUND:
        found(s, box, (code - at.FOUND_AT) // at.MAX_REGIONS, (code - at.FOUND_AT) % at.MAX_REGIONS)
    elif code < at.END_CARD:
        play_card(s, box, code - at.PLAY_CARD)
    elif code == at.TRADE:
        begin_swap(s, FOR_TRADE, TRADE_GIVES)
    else:
        done(s, box)


def do_answer(s: Position, box: Box, phase: int, code: int) -> None:
    """The answer to a small question."""
    p = s.active
    if phase == REVEAL:
        reveal(s, code - at.REVEAL_CARD)
    elif phase == TOLL:
        pay_toll(s, p, code - at.PAY_GOOD)
    elif phase == PAY:
        pay_due(s, p, first_due(s), code - at.PAY_COINS)
    elif phase == GIVE:
        if code == at.DONE:
            end_giving(s)
        else:
            give(s, p, code - at.PAY_GOOD)
    elif phase == TAKE:
        take(s, p, code - at.TAKE_GOOD)
    elif phase == DEST:
        k = code - at.TO - 1
        move(s, box, k // at.TO_REGION, k % at.TO_REGION + 1)
    elif phase == FIGHT or phase == ANSWER:
        answer_battle(s, box, code == at.FIGHT_IT)
    elif phase == FORTRESS:
        answer_conquest(s, box, -1 if code == at.HOLD else code - at.PLAY_CARD)
    elif phase == LOSSES:
        take_city(s, box, code - at.LOSE)
    elif phase == ABANDON:
        abandon(s, code - at.ABANDON_CITY)
    elif phase == AIM:
        aim(s, box, code - at.AIM_AT)
    elif phase == STRIKE:
        strike(s, code - at.STRIKE_CARD)
    elif phase == MUSTER:
        muster(s, box, code - at.MUSTER_UNIT)
    else:
        pick(s, code - at.PICK_CARD)


def choose_starter(s: Position, box: Box, p: int) -> None:
    """P10: the other seat gets coins in compensation; then the display is laid out."""
    s.starter = p
    s.active = 1 - p
    s.goods[1 - p][at.COIN] += box.second_coins
    s.bank_coins -= box.second_coins
    s.refill = 1
    s.main = NEXT


def done(s: Position, box: Box) -> None:
    """R1, R14: the action, then founding, then personages."""
    if s.main == MOVE:
        end_movement(s, box)
    elif s.main == CLASH:
        s.main = CONQUEST
    elif s.main == CONQUEST:
        end_manoeuvre(s, box)
    elif s.main == FOUND:
        end_turn(s, box)
    else:
        s.main = FOUND


def go_on(s: Position, box: Box) -> None:
    """What follows by itself, up to the next choice: debts, the coin that the bank lacks, battles
    on demand, event cards, the next turn."""
    p = s.active
    if not settle_due(s, p):
        s.phase = PAY
    elif not settle_toll(s, p):
        s.phase = TOLL
    elif s.take_left > 0:
        s.phase = TAKE
    elif s.ask > 0:
        s.phase = FIGHT if s.ask == 1 else ANSWER
    elif s.main == PRODUCE and not waits_for_card(s, box):
        produce(s, box)
        s.phase = TAKE if s.take_left > 0 else s.main
    elif must_ask_for_cards(s, box):
        s.phase = REVEAL if must_reveal(s, box) else PICK
    else:
        if s.main == NEXT:
            begin_turn(s, box)
        s.phase = s.main


def must_ask_for_cards(s: Position, box: Box) -> bool:
    """R42, R43: cards are taken one at a time, the display refilled before and after."""
    if s.refill == 0 and s.picks == 0:
        return False
    if must_reveal(s, box):
        reshuffle(s, box)
        return True
    s.refill = 0
    if number_of(s.display, box.cards) == 0:
        s.picks = 0  # nothing lies open: nothing is owed
    return s.picks > 0


# -- the rest of the contract ---------------------------------------------------------------------------


def returns(s: Position, box: Box, out: list[int]) -> None:
    """R39: the ninth personage wins; R40: at the cap more personages do, and as many are a draw."""
    for p in range(2):
        lead = score(s, p) - score(s, 1 - p)
        out[p] = DRAW if lead == 0 else WIN if lead > 0 else LOSS
