"""What a position of Roma is worth to a seat, by hand: the bot miles plays by it.

A point in hand is 100.  All other weights were chosen by reason and tried in `ludus arena`; none of them
is a rule.
"""

from .layout import (
    AESCULAPINUM,
    BASILICA,
    DICE,
    DISCS,
    FORUM,
    LEGAT,
    MERCATUS,
    NONE,
    SIZE,
    TEMPLUM,
    TRIBUNUS_PLEBIS,
    TURRIS,
    Box,
    Position,
)

POINT = 100
EMPTY = 95  # an empty disc costs a point at the start of every turn
LAID = 22  # any card on the table, beside
PRICE = 5  # and for each sesterce of its price
MONEY, ENOUGH, MORE = 9, 12, 3  # a sesterce, up to so many; and beyond
CARD, FEW, LATER = 26, 4, 6  # a card in hand, up to so many; and beyond
DIE, PIP = 20, 7  # an unused die, and each of its pips


def value(s: Position, box: Box, seat: int) -> int:
    other = 1 - seat
    total = POINT * (s.points[seat] - s.points[other])
    total += table(s, box, seat) - table(s, box, other)
    total += purse(s, seat) - purse(s, other)
    total += hand(s, box, seat) - hand(s, box, other)
    dice = dice_left(s)
    return total + dice if s.player == seat else total - dice


def table(s: Position, box: Box, p: int) -> int:
    """The cards of a side, its empty discs, and what stands well beside what."""
    total = 0
    for disc in range(1, DISCS + 1):
        card = s.board[p][disc]
        if card == NONE:
            total -= EMPTY
        else:
            total += LAID + PRICE * box.price[card] + good_place(s, p, disc, card)
    for card in s.lifted:
        if card != NONE and s.player == p:
            total += LAID + PRICE * box.price[card]
    return total


def good_place(s: Position, p: int, disc: int, card: int) -> int:
    """What a card is worth beyond its price where it lies."""
    if card == FORUM:
        total = 70
        for beside in range(disc - 1, disc + 2, 2):
            if 1 <= beside <= DISCS and s.board[p][beside] == BASILICA:
                total += 40
            if 1 <= beside <= DISCS and s.board[p][beside] == TEMPLUM:
                total += 30
        return total
    if card == LEGAT:
        return 25
    if card == TRIBUNUS_PLEBIS:
        return 35
    if card == MERCATUS:
        return 20 * forums(s, 1 - p)
    if card == TURRIS:
        return 20
    if card == AESCULAPINUM:
        return 5
    return 0


def forums(s: Position, p: int) -> int:
    n = 0
    for disc in range(1, DISCS + 1):
        if s.board[p][disc] == FORUM:
            n += 1
    return n


def purse(s: Position, p: int) -> int:
    few = min(s.money[p], ENOUGH)
    return few * MONEY + (s.money[p] - few) * MORE


def hand(s: Position, box: Box, p: int) -> int:
    """How many cards are held: which ones the other seat holds is only guessed, so it hardly counts."""
    cards, worth = 0, 0
    for card in range(1, SIZE):
        n = s.hand[p][card]
        cards += n
        worth += n * box.price[card]
        if card == FORUM:
            worth += 4 * n
    few = min(cards, FEW)
    return few * CARD + (cards - few) * LATER + worth


def dice_left(s: Position) -> int:
    total = 0
    for i in range(DICE):
        if s.dice[i] > 0:
            total += DIE + PIP * s.dice[i]
    return total
