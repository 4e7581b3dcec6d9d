"""The set-up: dealing, passing two cards, placing four face down, turning them up."""

from .. import layout as at
from ..layout import Box, Position
from .turn import begin_turn


def new(s: Position, box: Box) -> None:
    """P1, R1: points but no money; R4: seat 0 is the youngest player and begins."""
    s.phase, s.left = at.DEAL, box.hand
    s.stock = box.stock
    for card in range(at.SIZE):
        s.deck[card] = box.copies[card]
        s.deck_size += box.copies[card]
    for p in range(at.SEATS):
        s.points[p], s.money[p] = box.points, box.money


def next_chooser(s: Position, number: int, phase: int) -> bool:
    """P10: one more card is done in this phase: True when both seats are through with it."""
    s.left -= 1
    if s.left > 0:
        return False
    s.player = 1 - s.player
    if s.player == 1:
        s.left = number
        return False
    s.left, s.phase = number, phase
    return True


def deal_card(s: Position, box: Box, card: int) -> None:
    s.deck[card] -= 1
    s.deck_size -= 1
    s.hand[s.player][card] += 1
    if next_chooser(s, box.hand, at.PASS):
        s.left = box.passed


def pass_card(s: Position, box: Box, card: int) -> None:
    """R2: both choose before either receives; what is passed is known to the giver."""
    s.hand[s.player][card] -= 1
    s.aside[s.player][card] += 1
    if next_chooser(s, box.passed, at.PLACE):
        s.left = box.hand
        for c in range(1, at.SIZE):
            for p in range(at.SEATS):
                s.known[1 - p][c] = s.aside[p][c]
                s.hand[1 - p][c] += s.aside[p][c]
                s.aside[p][c] = 0


def place_card(s: Position, box: Box, card: int, disc: int) -> None:
    """R3: face down, free of charge, on a disc of one's own that is still empty."""
    p = s.player
    s.hand[p][card] -= 1
    s.facedown[p][disc] = card
    s.down[p][disc] = 1
    if next_chooser(s, box.hand, at.PLACE):
        turn_up(s)
        begin_turn(s)


def turn_up(s: Position) -> None:
    """R3: when both have placed, all cards are turned up; R75: the hands are empty now."""
    for p in range(at.SEATS):
        for disc in range(at.ROW):
            s.board[p][disc] = s.facedown[p][disc]
            s.facedown[p][disc] = at.NONE
            s.down[p][disc] = 0
        for card in range(1, at.SIZE):
            s.known[p][card] = 0
