"""Roma: dice, cards and six discs; the first of the titles with a rulebook of its own."""

from ludus.core.title import Title

from .layout import DICE, DISCS, MAX_THROWS, MAX_TURNS, SEATS, Box, Position

# The longest game.  Set-up: 8 cards dealt, 4 passed, 8 placed.  A turn: every throw with its decision;
# a die takes at most an activation, a copy and six cards laid again (or six cards drawn and one
# kept); each die brings at most one card into a hand, so at most one is laid for it; the end.
SET_UP = 20
TURN = (DICE + 1) * MAX_THROWS + DICE * (2 + DISCS) + DICE + 1

TITLE: Title[Position, Box] = Title.from_package(
    __name__, version=1, seats=(SEATS,), length=SET_UP + MAX_TURNS * TURN
)
