"""Draw pile and discard pile: drawing, keeping, searching, fetching."""

from ..layout import ACT, DRAW, KEEP, PERSON, SEARCH, SIZE, Box, Position
from .knowledge import hold_together, holds_together, join_hand, learn_hand, part_again


def cards_in_discard(s: Position) -> int:
    n = 0
    for card in range(1, SIZE):
        n += s.discard[card]
    return n


def can_draw(s: Position) -> bool:
    """R20, R71: there is a card in one of the two piles."""
    return s.deck_size > 0 or cards_in_discard(s) > 0


def remake_pile(s: Position) -> None:
    """R18: the discard pile, shuffled, is the new draw pile; cards being looked at stay out of it.

    R75: nothing is face down but the hands, so each seat knows what the other holds.
    """
    p = s.player
    if cards_in_discard(s) == 0:  # only with refill=at_once: there is nothing to shuffle yet
        return
    learn_hand(s, 1 - p)
    if s.phase == DRAW and cards_aside(s, p) > 0:
        hold_together(s, p)
    else:
        learn_hand(s, p)
    for card in range(1, SIZE):
        s.deck[card] = s.discard[card]
        s.deck_size += s.discard[card]
        s.discard[card] = 0


def look_round_empty_pile(s: Position) -> None:
    """R75: if the last card has been taken, each seat knows by subtraction what the other holds."""
    if s.deck_size == 0:
        learn_hand(s, 0)
        learn_hand(s, 1)


def cards_aside(s: Position, p: int) -> int:
    n = 0
    for card in range(1, SIZE):
        n += s.aside[p][card]
    return n


# -- the cards disc -----------------------------------------------------------------------------------


def begin_draw(s: Position, n: int) -> None:
    """P7, R17, R20: as many cards as the die shows, or all there are."""
    s.phase = DRAW
    s.left = n
    if n > s.deck_size:
        s.left = min(n, s.deck_size + cards_in_discard(s))
        if s.deck_size == 0:
            remake_pile(s)


def draw_card(s: Position, box: Box, card: int) -> None:
    """R18, R19: the pile is made anew when the next card is needed (or at once, by option)."""
    p = s.player
    s.deck[card] -= 1
    s.deck_size -= 1
    s.aside[p][card] += 1
    s.left -= 1
    if s.deck_size == 0 and (s.left > 0 or box.refill_at_once == 1):
        remake_pile(s)
    if s.left == 0:
        s.phase = KEEP
        if cards_aside(s, p) == 1:  # nothing to choose
            keep_card(s, card)


def keep_card(s: Position, card: int) -> None:
    """R17: exactly one card goes to the hand, the others to the discard pile."""
    p = s.player
    s.aside[p][card] -= 1
    if holds_together(s):
        part_again(s, p)
    s.hand[p][card] += 1
    for other in range(1, SIZE):
        s.discard[other] += s.aside[p][other]
        s.aside[p][other] = 0
    s.phase = ACT
    look_round_empty_pile(s)


# -- Haruspex and Aesculapinum ----------------------------------------------------------------------


def begin_search(s: Position) -> None:
    """F5, R63: the whole draw pile is looked through, made anew first if it is empty.

    R75: who sees the pile knows by subtraction what the other holds.
    """
    p = s.player
    if s.deck_size == 0:
        remake_pile(s)
    for card in range(1, SIZE):
        s.aside[p][card] = s.deck[card]
        s.deck[card] = 0
    learn_hand(s, 1 - p)
    s.phase = SEARCH


def take_from_pile(s: Position, box: Box, card: int) -> None:
    """F5: any one card to the hand; the rest is shuffled again."""
    p = s.player
    s.hand[p][card] += 1
    s.aside[p][card] -= 1
    s.deck_size -= 1
    for other in range(1, SIZE):
        s.deck[other] = s.aside[p][other]
        s.aside[p][other] = 0
    if s.deck_size == 0 and box.refill_at_once == 1:
        remake_pile(s)
    look_round_empty_pile(s)


def fetch_from_discard(s: Position, card: int) -> None:
    """R62: taken from the open pile, so everybody knows it is in the hand."""
    s.discard[card] -= 1
    join_hand(s, s.player, card)


def person_in_discard(s: Position, box: Box) -> bool:
    for card in range(1, SIZE):
        if s.discard[card] > 0 and box.kind[card] == PERSON:
            return True
    return False
