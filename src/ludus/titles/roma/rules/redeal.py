"""Another position that a seat could believe in: the other hand and the draw pile dealt anew (R75)."""

from ludus.core.chance import below

from ..layout import DISCS, NONE, SIZE, Box, Position
from .knowledge import holds_together

HELD = -1  # instead of the number of a hint: whatever was held when the pile ran out


def redeal(s: Position, box: Box, seat: int, rng: list[int]) -> None:
    q = 1 - seat
    hand, aside, pile = gather(s, q)
    mixed = q == s.player and holds_together(s)
    deal_hand(s, q, hand, pile, mixed, rng)
    deal_aside(s, q, aside, pile - hand, mixed, rng)
    for disc in range(1, DISCS + 1):
        if s.down[q][disc] > 0:
            s.facedown[q][disc] = take_any(s.hand[q], hand, rng)
            hand -= 1


def gather(s: Position, q: int) -> tuple[int, int, int]:
    """Put everything that is hidden into the draw pile; how many cards were in the hand (or placed
    face down) and aside, and how many the pile has now."""
    hand, aside, pile = 0, 0, 0
    for disc in range(1, DISCS + 1):
        if s.down[q][disc] > 0:
            s.hand[q][s.facedown[q][disc]] += 1
            s.facedown[q][disc] = NONE
    for card in range(1, SIZE):
        hand += s.hand[q][card]
        aside += s.aside[q][card]
        s.deck[card] += s.hand[q][card] + s.aside[q][card]
        pile += s.deck[card]
        s.hand[q][card] = s.aside[q][card] = 0
    return hand, aside, pile


def deal_hand(s: Position, q: int, number: int, pile: int, mixed: bool, rng: list[int]) -> None:
    """First what is known, then what the hints ask for, then anything, or anything that was held."""
    known = 0
    for card in range(1, SIZE):
        s.hand[q][card] = s.known[q][card]
        s.deck[card] -= s.known[q][card]
        known += s.known[q][card]
    dealt = known
    for hint in range(s.hints[q]):
        while dealt - known < s.sure[q][hint]:
            deal_within(s, q, hint, rng)
            dealt += 1
    while dealt < number:
        if mixed:
            deal_within(s, q, HELD, rng)
        else:
            s.hand[q][take_any(s.deck, pile - dealt, rng)] += 1
        dealt += 1


def deal_within(s: Position, q: int, hint: int, rng: list[int]) -> None:
    """A random card that a hint, or what was held, still lets into the hand."""
    total = 0
    for card in range(1, SIZE):
        total += room(s, q, hint, card)
    mark = below(rng, total)
    for card in range(1, SIZE):
        mark -= room(s, q, hint, card)
        if mark < 0:
            s.hand[q][card] += 1
            s.deck[card] -= 1
            return


def room(s: Position, q: int, hint: int, card: int) -> int:
    limit = s.held[card] if hint == HELD else s.among[q][hint][card] + s.known[q][card]
    return max(0, min(limit - s.hand[q][card], s.deck[card]))


def deal_aside(s: Position, q: int, number: int, pile: int, mixed: bool, rng: list[int]) -> None:
    """What was held and is not in the hand was drawn; the rest is anything from the pile."""
    if mixed:
        for card in range(1, SIZE):
            drawn = s.held[card] - s.hand[q][card]
            s.aside[q][card] = drawn
            s.deck[card] -= drawn
            number -= drawn
            pile -= drawn
    if number == pile:  # nothing to choose: the whole pile is being searched, or it is empty
        for card in range(1, SIZE):
            s.aside[q][card] += s.deck[card]
            s.deck[card] = 0
        return
    for k in range(number):
        s.aside[q][take_any(s.deck, pile - k, rng)] += 1


def take_any(heap: list[int], total: int, rng: list[int]) -> int:
    """Take a random card out of a heap of `total` cards."""
    mark = below(rng, total)
    found = NONE
    for card in range(1, SIZE):
        mark -= heap[card]
        if mark < 0:
            found = card
            break
    heap[found] -= 1
    return found
