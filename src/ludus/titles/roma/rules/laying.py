"""Laying cards: for money, free of charge, and again after they were picked up."""

from ..layout import DISCS, NONE, RELAY, ROW, Box, Position
from .board import put_down, take_away
from .knowledge import leave_hand


def lay_for_money(s: Position, box: Box, card: int, disc: int) -> None:
    """R21: the full price to the bank; a covered card is not refunded."""
    s.money[s.player] -= box.price[card]
    lay_free(s, box, card, disc)


def lay_free(s: Position, box: Box, card: int, disc: int) -> None:
    """R59: any own card may be covered."""
    leave_hand(s, s.player, card)
    put_down(s, box, s.player, card, disc)


def pick_up(s: Position, box: Box, kind: int) -> None:
    """R55: all own cards of a kind, to be laid again; sorted, so that their order means nothing."""
    p, n = s.player, 0
    for disc in range(1, DISCS + 1):
        if box.kind[s.board[p][disc]] == kind:
            card = take_away(s, box, p, disc)
            i = n
            while i > 0 and s.lifted[i - 1] > card:
                s.lifted[i] = s.lifted[i - 1]
                i -= 1
            s.lifted[i] = card
            n += 1
    s.phase = RELAY


def lay_again(s: Position, box: Box, card: int, disc: int) -> bool:
    """R55, R57: a picked-up card, free of charge; True when it was the last."""
    i = 0
    while s.lifted[i] != card:
        i += 1
    while i < DISCS - 1:
        s.lifted[i] = s.lifted[i + 1]
        i += 1
    s.lifted[DISCS - 1] = NONE
    put_down(s, box, s.player, card, disc)
    s.relaid[disc] = 1
    if s.lifted[0] != NONE:
        return False
    for d in range(ROW):
        s.relaid[d] = 0
    return True
