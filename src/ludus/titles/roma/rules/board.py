"""The two sides of the row of discs: what lies there, what it is worth, and how it leaves."""

from .. import layout as at
from ..layout import BASILICA, DISCS, NONE, TURRIS, Box, Position
from .knowledge import join_hand


def empty_discs(s: Position, p: int) -> int:
    return cards_on(s, p, NONE)


def cards_on(s: Position, p: int, card: int) -> int:
    """How often a card lies on p's side."""
    n = 0
    for disc in range(1, DISCS + 1):
        if s.board[p][disc] == card:
            n += 1
    return n


def has_kind(s: Position, box: Box, p: int, kind: int) -> bool:
    """Whether p has a person, or a building, face up."""
    for disc in range(1, DISCS + 1):
        if box.kind[s.board[p][disc]] == kind:
            return True
    return False


def beside(s: Position, p: int, disc: int, card: int) -> int:
    """R5: how many of the two neighbours are this card.  The ends of the row never hold one."""
    n = 1 if s.board[p][disc - 1] == card else 0
    return n + 1 if s.board[p][disc + 1] == card else n


def basilica_bonus(s: Position, p: int, disc: int) -> int:
    """R34: each neighbouring Basilica counts."""
    return at.BASILICA_BONUS * beside(s, p, disc, BASILICA)


def defence(s: Position, box: Box, p: int, disc: int) -> int:
    """R28, R39, R40: printed value, +1 for each other Turris of p, -2 for each Essedum activation of
    the opponent this turn."""
    card = s.board[p][disc]
    value = box.defence[card] + cards_on(s, p, TURRIS)
    if card == TURRIS:
        value -= 1
    return value if p == s.player else value - at.ESSEDUM_CUT * s.weakened


def take_away(s: Position, box: Box, p: int, disc: int) -> int:
    """The card leaves p's side of a disc, not yet going anywhere; which card it was.

    R43: what Essedum has done ends with it where this match says so.
    """
    card = s.board[p][disc]
    s.board[p][disc] = NONE
    if s.weakened_by[disc] > 0 and p == s.player:  # only with essedum=ends_with_card
        s.weakened -= s.weakened_by[disc]
        s.weakened_by[disc] = 0
    return card


def discard_from(s: Position, box: Box, p: int, disc: int) -> None:
    """F3, F9: whatever leaves the table goes to the open discard pile."""
    s.discard[take_away(s, box, p, disc)] += 1


def return_to_hand(s: Position, box: Box, p: int, disc: int) -> None:
    """R60: back to the owner's hand, where everybody knows it to be."""
    join_hand(s, p, take_away(s, box, p, disc))


def put_down(s: Position, box: Box, p: int, card: int, disc: int) -> None:
    """P18, R21: a card that lay there goes to the discard pile."""
    if s.board[p][disc] != NONE:
        discard_from(s, box, p, disc)
    s.board[p][disc] = card
