"""Invariants: 0, or the number of what is wrong (the words have a sentence for each)."""

from .. import layout as at
from ..layout import Box, Position


def check(s: Position, box: Box) -> int:
    """The first that fails of: ranges, cards, points, dice, the row, piles, knowledge, choices."""
    if not in_range(s):
        return 1
    for card in range(1, at.SIZE):
        if count_cards(s, card) != box.copies[card]:
            return 2
    if s.points[0] + s.points[1] + s.stock != 2 * box.points + box.stock + s.written:
        return 3
    if s.written > 0 and (s.phase != at.ENDED or s.stock > 0):
        return 4
    if s.phase != at.ENDED and (s.points[0] == 0 or s.points[1] == 0 or s.stock == 0):
        return 5
    if not dice_are_sorted(s):
        return 6
    if not row_is_right(s):
        return 7
    if s.deck_size != cards_face_down(s):
        return 8
    if not knowledge_is_true(s, 0) or not knowledge_is_true(s, 1):
        return 9
    return 0 if choices_are_right(s) else 10


def in_range(s: Position) -> bool:
    """Nothing is below zero, and phase and seat exist."""
    if s.phase < at.DEAL or s.phase > at.ENDED or s.player < 0 or s.player >= at.SEATS:
        return False
    if s.stock < 0 or s.written < 0 or s.left < 0 or s.weakened < 0:
        return False
    for p in range(at.SEATS):
        if s.points[p] < 0 or s.money[p] < 0:
            return False
        for card in range(at.SIZE):
            if s.hand[p][card] < 0 or s.aside[p][card] < 0 or s.known[p][card] < 0:
                return False
    for card in range(at.SIZE):
        if s.deck[card] < 0 or s.discard[card] < 0:
            return False
    return True


def count_cards(s: Position, card: int) -> int:
    """All copies of a card, wherever they are."""
    n = s.deck[card] + s.discard[card]
    for p in range(at.SEATS):
        n += s.hand[p][card] + s.aside[p][card]
        for disc in range(1, at.DISCS + 1):
            if s.board[p][disc] == card:
                n += 1
            if s.facedown[p][disc] == card:
                n += 1
    for i in range(at.DISCS):
        if s.lifted[i] == card:
            n += 1
    return n


def dice_are_sorted(s: Position) -> bool:
    """Values 0 to 6, highest first; none outside the player's turn."""
    for i in range(at.DICE):
        if s.dice[i] < 0 or s.dice[i] > 6 or (i > 0 and s.dice[i] > s.dice[i - 1]):
            return False
    return s.dice[0] == 0 or (s.phase != at.DEAL and s.phase != at.PASS and s.phase != at.PLACE)


def row_is_right(s: Position) -> bool:
    """R5: only discs 1 to 6 hold cards; face-down cards lie where they are said to lie."""
    for p in range(at.SEATS):
        if s.board[p][0] != at.NONE or s.board[p][at.DISCS + 1] != at.NONE:
            return False
        for disc in range(1, at.DISCS + 1):
            if (s.facedown[p][disc] != at.NONE) != (s.down[p][disc] > 0):
                return False
            if s.board[p][disc] < 0 or s.board[p][disc] >= at.SIZE:
                return False
    return True


def cards_face_down(s: Position) -> int:
    """The draw pile, also while it is being searched."""
    n = 0
    for card in range(1, at.SIZE):
        n += s.deck[card]
        if s.phase == at.SEARCH:
            n += s.aside[s.player][card]
    return n


def knowledge_is_true(s: Position, p: int) -> bool:
    """What the other seat knows of p's hand is so; in the set-up of the cards placed, too."""
    for card in range(1, at.SIZE):
        cards = s.hand[p][card]
        for disc in range(1, at.DISCS + 1):
            if s.facedown[p][disc] == card:
                cards += 1
        if s.known[p][card] > cards:
            return False
    for i in range(s.hints[p]):
        sure = 0
        for card in range(1, at.SIZE):
            sure += min(s.among[p][i][card], s.hand[p][card] - s.known[p][card])
        if sure < s.sure[p][i]:
            return False
    return True


def choices_are_right(s: Position) -> bool:
    """What is pending belongs to the phase."""
    asking = (s.phase > at.KEEP and s.phase != at.ENDED) or s.phase == at.BATTLE
    if asking != (s.source > 0) or (asking and s.phase != at.COPY) != (s.effect > 0):
        return False
    if (s.lifted[0] != at.NONE) != (s.phase == at.RELAY):
        return False
    counting = s.phase <= at.PLACE and s.phase != at.BATTLE  # deal, roll, draw, pass, place
    return s.phase == at.ENDED or counting == (s.left > 0)
