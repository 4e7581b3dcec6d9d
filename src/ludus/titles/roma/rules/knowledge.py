"""What the other seat knows of a hand (R75).  Both seats can follow all of it.

Five events teach something: cards passed, a Gladiator's victim, a card fetched by Aesculapinum, a
Haruspex who sees the draw pile, and a draw pile that is made anew (then whatever is not in sight is
in a hand).  A card that leaves the hand takes its knowledge along.

The last event has a twist.  If the pile runs out in the middle of a draw, the other seat knows hand
and drawn cards together (`held`) but not which are which.  When the drawer has kept one and discarded
the rest, every card of `held` that was not discarded must be in the hand; and since all but one card of
the hand come from `held`, at least that many are among them.  The second fact is a hint.  Hints are
nested lists, so they can be followed exactly through everything that happens later.
"""

from ..layout import MAX_HINTS, SIZE, Position


def learn_hand(s: Position, p: int) -> None:
    """The other seat now knows every card of p's hand."""
    s.hints[p] = 0
    for i in range(MAX_HINTS):
        s.sure[p][i] = 0
    for card in range(1, SIZE):
        s.known[p][card] = s.hand[p][card]
        for i in range(MAX_HINTS):
            s.among[p][i][card] = 0


def leave_hand(s: Position, p: int, card: int) -> None:
    """A card leaves p's hand openly: what was known of it leaves with it."""
    s.hand[p][card] -= 1
    if s.known[p][card] > 0:
        s.known[p][card] -= 1
    elif s.hints[p] > 0:
        for i in range(s.hints[p]):
            if s.among[p][i][card] > 0:
                s.among[p][i][card] -= 1
                s.sure[p][i] -= 1
        tidy_hints(s, p)


def join_hand(s: Position, p: int, card: int) -> None:
    """A card joins p's hand openly."""
    s.hand[p][card] += 1
    s.known[p][card] += 1


def hold_together(s: Position, p: int) -> None:
    """The pile ran out while p draws: hand and drawn cards are known, but only as one heap."""
    for card in range(1, SIZE):
        s.held[card] = s.hand[p][card] + s.aside[p][card]
        for i in range(s.hints[p]):
            s.among[p][i][card] = min(s.among[p][i][card], s.held[card] - s.known[p][card])


def holds_together(s: Position) -> bool:
    """Whether the pile was made anew in the middle of the draw that is going on."""
    for card in range(1, SIZE):
        if s.held[card] > 0:
            return True
    return False


def part_again(s: Position, p: int) -> None:
    """p has chosen, and what is still aside is about to be discarded: what does `held` tell now?"""
    cards, known = 0, 0
    for card in range(1, SIZE):
        cards += s.hand[p][card]
        raise_known(s, p, card, max(s.known[p][card], s.held[card] - s.aside[p][card]))
        known += s.known[p][card]
    if s.hints[p] == MAX_HINTS:
        drop_hint(s, p, 0)
    last = s.hints[p]
    for card in range(1, SIZE):
        s.among[p][last][card] = s.held[card] - s.known[p][card]
        s.held[card] = 0
    s.sure[p][last] = cards - known
    s.hints[p] += 1
    tidy_hints(s, p)


def raise_known(s: Position, p: int, card: int, number: int) -> None:
    """More copies of a card are known: hints speak only of the cards beyond the known ones."""
    for i in range(s.hints[p]):
        listed = s.among[p][i][card] + s.known[p][card]
        s.sure[p][i] += s.known[p][card] - min(number, listed)
        s.among[p][i][card] = max(0, listed - number)
    s.known[p][card] = number


def tidy_hints(s: Position, p: int) -> None:
    """Drop hints that say nothing more, and turn one that means all its cards into knowledge."""
    i, fewer = 0, 0  # `fewer`: how many cards the hint before lists
    while i < s.hints[p]:
        cards = 0
        for card in range(1, SIZE):
            cards += s.among[p][i][card]
        more = s.sure[p][i] - s.sure[p][i - 1] if i > 0 else s.sure[p][i]
        if more <= 0:  # nothing, or nothing that the one before did not say
            drop_hint(s, p, i)
        elif s.sure[p][i] >= cards:
            for card in range(1, SIZE):
                raise_known(s, p, card, s.known[p][card] + s.among[p][i][card])
            i, fewer = 0, 0
        elif i > 0 and more >= cards - fewer:  # it says all that the one before said
            drop_hint(s, p, i - 1)
            i, fewer = 0, 0
        else:
            i, fewer = i + 1, cards


def drop_hint(s: Position, p: int, i: int) -> None:
    """The hints after it move up."""
    s.hints[p] -= 1
    for j in range(i, MAX_HINTS):
        last = j == MAX_HINTS - 1
        s.sure[p][j] = 0 if last else s.sure[p][j + 1]
        for card in range(1, SIZE):
            s.among[p][j][card] = 0 if last else s.among[p][j + 1][card]
