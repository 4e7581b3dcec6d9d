"""One action after the other: who is to move, what chance may bring, what is played, who sees it."""

from ludus.core.chance import CHANCE, OVER
from ludus.core.contract import EVERYONE

from .. import layout as at
from ..layout import Box, Position
from .dice import use_die
from .effects import (
    activate,
    battle_die,
    block_disc,
    buy_points,
    change_die,
    choose_target,
    copy_person,
    extra_die,
    lay_for_free,
    lay_lifted,
    pay_forum,
    second_die,
    take_card,
    third_die,
)
from .laying import lay_for_money
from .piles import begin_draw, draw_card, keep_card
from .setup import deal_card, pass_card, place_card
from .turn import accept_dice, end_turn, rethrow, roll_die


def to_move(s: Position, box: Box) -> int:
    if s.phase <= at.BATTLE:
        return CHANCE
    return OVER if s.phase == at.ENDED else s.player


def odds(s: Position, box: Box, out: list[int], weight: list[int]) -> int:
    """P4: a die has six equal sides; a pile gives each kind of card as often as it has copies left."""
    if s.phase == at.ROLL or s.phase == at.BATTLE:
        code = at.ROLL_DIE if s.phase == at.ROLL else at.BATTLE_DIE
        for value in range(1, 7):
            out[value - 1], weight[value - 1] = code + value, 1
        return 6
    n = 0
    for card in range(1, at.SIZE):
        if s.deck[card] > 0:
            out[n], weight[n] = at.DRAW_CARD + card, s.deck[card]
            n += 1
    return n


def seen(s: Position, box: Box, code: int) -> int:
    """R2, R3, R23: cards dealt, drawn, passed, placed face down, kept or searched for are secret."""
    phase = s.phase
    if phase == at.DEAL or phase == at.DRAW or phase == at.KEEP:
        return 1 << s.player
    if phase == at.PASS or phase == at.PLACE or phase == at.SEARCH:
        return 1 << s.player
    return EVERYONE


def apply(s: Position, box: Box, code: int) -> None:
    phase = s.phase
    if phase == at.ROLL:
        roll_die(s, box, code - at.ROLL_DIE)
    elif phase == at.DRAW:
        draw_card(s, box, code - at.DRAW_CARD)
    elif phase == at.ACT:
        act(s, box, code)
    elif phase == at.KEEP:
        keep_card(s, code - at.KEEP_CARD)
    elif phase >= at.SECOND_DIE:
        go_on(s, box, code)
    elif phase == at.BATTLE:
        battle_die(s, box, code - at.BATTLE_DIE)
    elif phase == at.DEAL:
        deal_card(s, box, code - at.DRAW_CARD)
    elif phase == at.PASS:
        pass_card(s, box, code - at.PASS_CARD)
    elif phase == at.PLACE:
        card = (code - at.PLACE_CARD - 1) // at.PER_CARD
        place_card(s, box, card, code - at.PLACE_CARD - card * at.PER_CARD)
    elif code == at.RETHROW:  # after a triple
        rethrow(s)
    else:
        accept_dice(s)


def act(s: Position, box: Box, code: int) -> None:
    """Phase 3: the four possibilities, P6 money among them, and the end of the turn."""
    if code > at.END:
        card = (code - at.LAY - 1) // at.PER_CARD
        lay_for_money(s, box, card, code - at.LAY - card * at.PER_CARD)
    elif code == at.END:
        end_turn(s, box)
    elif code > at.ACTIVATE:
        activate(s, box, code - at.ACTIVATE)
    elif code > at.CARDS_DISC:
        use_die(s, code - at.CARDS_DISC)
        begin_draw(s, code - at.CARDS_DISC)
    else:  # the money disc
        use_die(s, code - at.MONEY)
        s.money[s.player] += code - at.MONEY


def go_on(s: Position, box: Box, code: int) -> None:
    """What an activated card still asks for."""
    phase = s.phase
    if phase == at.TARGET:
        choose_target(s, box, code - at.TARGET_DISC)
    elif phase == at.SECOND_DIE:
        second_die(s, box, code - at.ADD)
    elif phase == at.THIRD_DIE:
        if code == at.DECLINE:
            pay_forum(s)
        else:
            third_die(s, code - at.ADD)
    elif phase == at.EXTRA_DIE:
        extra_die(s, box, 0 if code == at.DECLINE else code - at.ADD)
    elif phase == at.FREE_LAY:
        lay_for_free(s, box, code)
    elif phase == at.RELAY:
        lay_lifted(s, box, code)
    elif phase == at.BLOCK:
        block_disc(s, code - at.BLOCK_DISC)
    elif phase == at.COPY:
        copy_person(s, box, code - at.COPY_CARD)
    elif phase == at.BUY:
        buy_points(s, code - at.BUY_POINTS)
    elif phase == at.CHANGE_DIE:
        if code > at.LOWER:
            change_die(s, code - at.LOWER, -1)
        else:
            change_die(s, code - at.RAISE, 1)
    else:  # Haruspex, Aesculapinum
        take_card(s, box, code - at.TAKE_CARD)
