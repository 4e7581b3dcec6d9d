"""What an activated card does.  Pending choices are phases; `finish` comes before any payment, since
a payment may end the game."""

from .. import layout as at
from ..layout import Box, Position
from .battle import begin_battle, strike, throw_battle_die
from .board import basilica_bonus, beside, cards_on, discard_from, empty_discs, return_to_hand
from .dice import add_die, dice_left, use_die
from .laying import lay_again, lay_free, pick_up
from .piles import begin_search, fetch_from_discard, take_from_pile
from .points import gain_from_stock, take_from_opponent


def finish(s: Position) -> None:
    """The activation is over: nothing of it stays behind."""
    s.phase = at.ACT
    s.source = s.effect = s.target = s.thrown = s.gain = 0


def activate(s: Position, box: Box, disc: int) -> None:
    """P8: a die is put on the dice disc of its own number and the own card there works."""
    use_die(s, disc)
    s.source = disc
    card = s.board[s.player][disc]
    if card == at.SCAENICUS:
        s.phase = at.COPY
    else:
        start_effect(s, box, card)


def copy_person(s: Position, box: Box, card: int) -> None:
    """R48, R49: Scaenicus does what another own person would do, from his own disc."""
    start_effect(s, box, card)


def start_effect(s: Position, box: Box, card: int) -> None:
    s.effect = card
    if card == at.FORUM:
        s.phase = at.SECOND_DIE
    elif card == at.LEGIONARIUS or card == at.CENTURIO:
        begin_battle(s, s.source)
    elif card == at.VELITES or card == at.ONAGER or card == at.GLADIATOR:
        s.phase = at.TARGET
    elif card == at.SICARIUS or card == at.NERO:
        s.phase = at.TARGET
    elif card == at.ARCHITECTUS or card == at.SENATOR:
        s.phase = at.FREE_LAY
    elif card == at.CONSILIARIUS:
        pick_up(s, box, at.PERSON)
    elif card == at.MACHINA:
        pick_up(s, box, at.BUILDING)
    elif card == at.CONSUL:
        s.phase = at.CHANGE_DIE
    elif card == at.PRAETORIANUS:
        s.phase = at.BLOCK
    elif card == at.MERCATOR:
        s.phase = at.BUY
    elif card == at.HARUSPEX:
        begin_search(s)
    elif card == at.AESCULAPINUM:
        s.phase = at.FETCH
    else:
        work_at_once(s, box, card)


def work_at_once(s: Position, box: Box, card: int) -> None:
    """Legat (F1, R29), Essedum (R41, R42), Tribunus Plebis (R32) and Mercatus leave nothing to choose."""
    p, disc = s.player, s.source
    finish(s)
    if card == at.LEGAT:  # the opponent's empty discs
        gain_from_stock(s, p, empty_discs(s, 1 - p))
    elif card == at.ESSEDUM:  # for the rest of this turn, and each time again
        s.weakened += 1
        if box.essedum_ends == 1:
            s.weakened_by[disc] += 1
    elif card == at.MERCATUS:
        collect_from_forums(s, box, p)
    else:  # Tribunus Plebis
        take_from_opponent(s, p, 1)


def collect_from_forums(s: Position, box: Box, p: int) -> None:
    """F7, R31: a point for each Forum of the opponent, and from the opponent."""
    forums = cards_on(s, 1 - p, at.FORUM)
    if box.mercatus_from_stock == 1:
        gain_from_stock(s, p, forums)
    else:
        take_from_opponent(s, p, forums)


# -- Forum, Templum, Basilica -----------------------------------------------------------------------


def second_die(s: Position, box: Box, value: int) -> None:
    """R33: any unused die; F6, R36: beside a Templum the third may follow, if it is unused."""
    use_die(s, value)
    s.gain = value
    if dice_left(s) > 0 and beside(s, s.player, s.source, at.TEMPLUM) > 0:
        s.phase = at.THIRD_DIE
    else:
        pay_forum(s)


def third_die(s: Position, value: int) -> None:
    """R36, R37: one more die at most, however many Templums there are."""
    use_die(s, value)
    s.gain += value
    pay_forum(s)


def pay_forum(s: Position) -> None:
    """R38: dice and Basilicas are one single payout."""
    p = s.player
    points = s.gain + basilica_bonus(s, p, s.source)
    finish(s)
    gain_from_stock(s, p, points)


# -- cards that need a target -----------------------------------------------------------------------


def choose_target(s: Position, box: Box, disc: int) -> None:
    q = 1 - s.player
    if s.effect == at.VELITES or s.effect == at.ONAGER:
        begin_battle(s, disc)
        return
    if s.effect == at.GLADIATOR:  # R60
        return_to_hand(s, box, q, disc)
    else:  # Sicarius and Nero, R61, R49: they go with their victim, or Scaenicus who copied them
        discard_from(s, box, q, disc)
        discard_from(s, box, s.player, s.source)
    finish(s)


def battle_die(s: Position, box: Box, value: int) -> None:
    if throw_battle_die(s, box, value):
        finish(s)


def extra_die(s: Position, box: Box, value: int) -> None:
    """R53: the Centurio's added die is spent whether it helps or not; 0 stands for none."""
    if value > 0:
        use_die(s, value)
    strike(s, box, s.thrown + value)
    finish(s)


def block_disc(s: Position, disc: int) -> None:
    """R44, R46: for the whole of the opponent's next turn; several blocks add up."""
    s.blocked[1 - s.player][disc] = 1
    finish(s)


# -- other choices ----------------------------------------------------------------------------------


def change_die(s: Position, value: int, by: int) -> None:
    """R54: Consul turns an unused die one up or one down."""
    use_die(s, value)
    add_die(s, value + by)
    finish(s)


def buy_points(s: Position, points: int) -> None:
    """R30: 2 sesterces a point, paid to the opponent."""
    p = s.player
    s.money[p] -= at.MERCATOR_PRICE * points
    s.money[1 - p] += at.MERCATOR_PRICE * points
    finish(s)
    take_from_opponent(s, p, points)


def take_card(s: Position, box: Box, card: int) -> None:
    """P14: Haruspex from the draw pile, Aesculapinum from the discard pile."""
    if s.effect == at.HARUSPEX:
        take_from_pile(s, box, card)
    else:
        fetch_from_discard(s, card)
    finish(s)


def lay_for_free(s: Position, box: Box, code: int) -> None:
    """R58, R73: Architectus and Senator go on until the player says that it is enough."""
    if code == at.DONE:
        finish(s)
    else:
        card = (code - at.LAY - 1) // at.PER_CARD
        lay_free(s, box, card, code - at.LAY - card * at.PER_CARD)


def lay_lifted(s: Position, box: Box, code: int) -> None:
    card = (code - at.LAY - 1) // at.PER_CARD
    if lay_again(s, box, card, code - at.LAY - card * at.PER_CARD):
        finish(s)
