"""Event cards: taking, refilling, playing.  A card is a row of ints over a small set of effects."""

from .. import layout as at
from ..layout import (
    AIM,
    ANY_TIME,
    ANYWHERE,
    ARM_FROM_SUPPLY,
    ARM_PRICE,
    AT_CONQUEST,
    AT_DUELLUM,
    AT_FERRUM,
    AT_FOUNDING,
    AT_MARMOR,
    AT_MILITIA,
    AT_SCIENTIA,
    AT_TEMPLUM,
    BEFORE_STONE,
    BUILD_WALL,
    CITY_PRICE,
    CLASH,
    COIN,
    CONQUEST,
    DEFENCE_MALUS,
    DESTROY_WALL,
    DISCARD_EVENT,
    EXCHANGE,
    EXTRA_STEP,
    FERRUM,
    FOUND,
    FREE_SPACES,
    GAIN,
    KNOW_HOW_DISCOUNT,
    LOSE_COINS,
    MARMOR,
    MILITIA,
    MOVE,
    MUSTER,
    NOT_AT_TEMPLE,
    PER_ENEMY_KNOW_HOW,
    PRODUCE,
    RECRUIT_FREE,
    RETURN_UNIT,
    RONDEL,
    SCIENTIA,
    STRIKE,
    TEMPLE_PRICE,
    TEMPLUM,
    WAIVE_CITY_TAX,
    WAIVE_TEMPLE_TAX,
    Box,
    Position,
)
from .building import may_wall, put_wall, steps_of
from .goods import ONE_FOR_ONE, begin_swap, receive_coins, to_bank, total_goods
from .units import leader_is, to_recruits

# -- the display --------------------------------------------------------------------------------------


def number_of(cards: list[int], n: int) -> int:
    total = 0
    for card in range(n):
        total += cards[card]
    return total


def must_reveal(s: Position, box: Box) -> bool:
    """R46: the display is filled from the deck, and when that is empty from the discards."""
    if number_of(s.display, box.cards) >= box.display:
        return False
    return number_of(s.deck, box.cards) > 0 or number_of(s.discard, box.cards) > 0


def reshuffle(s: Position, box: Box) -> None:
    """Only when the deck is empty: the discards become the deck."""
    if number_of(s.deck, box.cards) == 0:
        for card in range(box.cards):
            s.deck[card] = s.discard[card]
            s.discard[card] = 0


def reveal_odds(s: Position, box: Box, out: list[int], weight: list[int]) -> int:
    n = 0
    for card in range(box.cards):
        if s.deck[card] > 0:
            out[n] = at.REVEAL_CARD + card
            weight[n] = s.deck[card]
            n += 1
    return n


def reveal(s: Position, card: int) -> None:
    s.deck[card] -= 1
    s.display[card] += 1


def legal_picks(s: Position, box: Box, out: list[int]) -> int:
    n = 0
    for card in range(box.cards):
        if s.display[card] > 0:
            out[n] = at.PICK_CARD + card
            n += 1
    return n


def pick(s: Position, card: int) -> None:
    """R41: the other seat takes an open card; the display is refilled after every pick."""
    s.display[card] -= 1
    s.hand[1 - s.active][card] += 1
    s.picks -= 1
    s.refill = 1


# -- may a card be played now -------------------------------------------------------------------------


def in_time(s: Position, when: int) -> bool:
    """P9: at any moment of one's own turn, unless the card says otherwise."""
    main = s.main
    if when == ANY_TIME:
        return True
    if when == BEFORE_STONE:
        return main == RONDEL
    if when == AT_TEMPLUM:
        return main == TEMPLUM
    if when == AT_MILITIA:
        return main == MILITIA
    if when == AT_SCIENTIA:
        return main == SCIENTIA
    if when == AT_DUELLUM:
        return main == MOVE or main == CLASH or main == CONQUEST
    if when == AT_FOUNDING:
        return main == FOUND
    if when == AT_CONQUEST or main != PRODUCE:
        return False
    space = s.stone[s.active]
    return when == (AT_MARMOR if space == MARMOR else AT_FERRUM if space == FERRUM else at.AT_AURUM)


def is_target(s: Position, box: Box, card: int, r: int) -> bool:
    """Whether a card can be aimed at a region."""
    q, effect = 1 - s.active, box.effect[card]
    if effect == DESTROY_WALL:
        return s.wall[r] == 1
    if effect == BUILD_WALL:
        return may_wall(s, r)
    if effect == DEFENCE_MALUS:
        return s.owner[r] == q + 1 and s.siege[r] == 0
    if effect == EXTRA_STEP:
        return unmoved(s, box, box.arg_a[card], r) > 0
    # RETURN_UNIT
    if s.army[q][box.arg_a[card]][r] == 0:
        return False
    where = box.arg_b[card]
    if where == NOT_AT_TEMPLE:
        return s.temple[r] == 0 or s.owner[r] != q + 1
    return where == ANYWHERE or box.nav[r] == 2  # ONLY_GALLEY_SEA


def unmoved(s: Position, box: Box, unit: int, r: int) -> int:
    """Own units that have all their steps left: they stand where they began the manoeuvre."""
    steps = steps_of(s, s.active, unit)
    found = s.left[unit][steps][r]
    if leader_is(s, box, s.active, unit, r) and s.leader_left == steps:
        found += 1
    return found


def has_target(s: Position, box: Box, card: int) -> bool:
    for r in range(box.regions):
        if is_target(s, box, card, r):
            return True
    return False


def is_aimed(effect: int) -> bool:
    return (
        effect == DESTROY_WALL
        or effect == BUILD_WALL
        or effect == DEFENCE_MALUS
        or effect == EXTRA_STEP
        or effect == RETURN_UNIT
    )


def is_useful(s: Position, box: Box, card: int) -> bool:
    """A card that would do nothing at all, or is at work already, is not played."""
    p, effect = s.active, box.effect[card]
    if is_aimed(effect):
        return has_target(s, box, card)
    if effect == EXCHANGE:
        return total_goods(s, p) > 0
    if effect == TEMPLE_PRICE:
        return s.temple_deal == 0
    if effect == WAIVE_TEMPLE_TAX:
        return s.temple_free == 0
    if effect == ARM_PRICE:
        return s.arm_deal == 0
    if effect == ARM_FROM_SUPPLY:
        return s.veterans == 0
    if effect == RECRUIT_FREE:
        return may_muster(s, box, card, 0) or may_muster(s, box, card, 1)
    if effect == KNOW_HOW_DISCOUNT:
        return s.know_deal == 0
    if effect == WAIVE_CITY_TAX:
        return s.city_free == 0
    if effect == CITY_PRICE:
        return s.city_deal == 0
    if effect == FREE_SPACES:
        return s.free_more == 0 and s.stone[p] != at.MIDDLE
    if effect == DISCARD_EVENT:
        return number_of(s.hand[1 - p], box.cards) > 0
    return effect == GAIN or effect == LOSE_COINS


def may_play(s: Position, box: Box, card: int) -> bool:
    """Whether a card in hand may be played now."""
    return in_time(s, box.when[card]) and is_useful(s, box, card)


def legal_cards(s: Position, box: Box, out: list[int], n: int) -> int:
    """Add the cards that the active seat may play now."""
    for card in range(box.cards):
        if s.hand[s.active][card] > 0 and may_play(s, box, card):
            out[n] = at.PLAY_CARD + card
            n += 1
    return n


def waits_for_card(s: Position, box: Box) -> bool:
    """Production waits when a card that belongs to it is in hand; else it is carried out at once."""
    for card in range(box.cards):
        if s.hand[s.active][card] > 0 and box.when[card] != ANY_TIME and may_play(s, box, card):
            return True
    return False


# -- playing --------------------------------------------------------------------------------------------


def play_card(s: Position, box: Box, card: int) -> None:
    """P9: every card works once and is discarded."""
    p, q, effect, amount = s.active, 1 - s.active, box.effect[card], box.amount[card]
    s.hand[p][card] -= 1
    s.discard[card] += 1
    if is_aimed(effect):
        s.card, s.phase = card, AIM
    elif effect == GAIN:
        gain(s, p, box.arg_a[card], amount * times(s, box, card))
    elif effect == LOSE_COINS:
        to_bank(s, q, COIN, s.goods[q][COIN] // amount)
    elif effect == EXCHANGE:
        begin_swap(s, ONE_FOR_ONE, amount)
    elif effect == TEMPLE_PRICE:
        s.temple_deal = amount + 1
    elif effect == WAIVE_TEMPLE_TAX:
        s.temple_free = 1
    elif effect == ARM_PRICE:
        s.arm_deal = amount + 1
    elif effect == ARM_FROM_SUPPLY:
        s.veterans = amount
    elif effect == RECRUIT_FREE:
        s.card, s.phase = card, MUSTER
    elif effect == KNOW_HOW_DISCOUNT:
        s.know_deal, s.know_least = amount, box.arg_a[card]
    elif effect == WAIVE_CITY_TAX:
        s.city_free = 1
    elif effect == CITY_PRICE:
        s.city_deal = amount + 1
    elif effect == FREE_SPACES:
        s.free_more = amount
    elif effect == DISCARD_EVENT:
        s.card, s.phase = card, STRIKE


def times(s: Position, box: Box, card: int) -> int:
    """How often a gain is paid: once, or for every know-how of the other seat."""
    if box.arg_b[card] != PER_ENEMY_KNOW_HOW:
        return 1
    return number_of(s.know[1 - s.active], 5)


def gain(s: Position, p: int, good: int, number: int) -> None:
    if good == COIN:
        receive_coins(s, p, number)
    else:
        s.goods[p][good] += number


def legal_aims(s: Position, box: Box, out: list[int]) -> int:
    n = 0
    for r in range(box.regions):
        if is_target(s, box, s.card, r):
            out[n] = at.AIM_AT + r
            n += 1
    return n


def aim(s: Position, box: Box, r: int) -> None:
    card, q = s.card, 1 - s.active
    effect = box.effect[card]
    s.card = 0
    if effect == DESTROY_WALL:
        s.wall[r] = 0
        s.walls[s.owner[r] - 1] += 1
    elif effect == BUILD_WALL:
        put_wall(s, r)
    elif effect == DEFENCE_MALUS:
        s.siege[r], s.siege_least = box.amount[card], box.arg_a[card]
    elif effect == EXTRA_STEP:
        add_step(s, box, box.arg_a[card], r)
    else:
        to_recruits(s, q, box.arg_a[card], r, 1)


def add_step(s: Position, box: Box, unit: int, r: int) -> None:
    """All units that began in a region and still stand there may cross one border more."""
    steps = steps_of(s, s.active, unit)
    s.left[unit][steps + 1][r] += s.left[unit][steps][r]
    s.left[unit][steps][r] = 0
    if leader_is(s, box, s.active, unit, r) and s.leader_left == steps:
        s.leader_left += 1


def legal_strikes(s: Position, box: Box, out: list[int]) -> int:
    n = 0
    for card in range(box.cards):
        if s.hand[1 - s.active][card] > 0:
            out[n] = at.STRIKE_CARD + card
            n += 1
    return n


def strike(s: Position, card: int) -> None:
    s.card = 0
    s.hand[1 - s.active][card] -= 1
    s.discard[card] += 1


def may_muster(s: Position, box: Box, card: int, unit: int) -> bool:
    number = box.arg_b[card] if unit == at.GALLEY else box.arg_a[card]
    return number > 0 and s.supply[s.active][unit] > 0


def legal_musters(s: Position, box: Box, out: list[int]) -> int:
    n = 0
    for unit in range(2):
        if may_muster(s, box, s.card, unit):
            out[n] = at.MUSTER_UNIT + unit
            n += 1
    return n


def muster(s: Position, box: Box, unit: int) -> None:
    """From the supply to the recruitment box without payment, as far as the supply lasts."""
    p = s.active
    number = box.arg_b[s.card] if unit == at.GALLEY else box.arg_a[s.card]
    number = min(number, s.supply[p][unit])
    s.supply[p][unit] -= number
    s.recruits[p][unit] += number
    s.card = 0
