"""Micatio, the talking half: what opens hands.  What is seen and touched follows from the layout."""

from ludus.core.sight import Sight

from .layout import GUESS, Box, Position
from .rules import next_seat, playing


def reveals(s: Position, box: Box, code: int) -> bool:
    """The last guess of a round opens all hands."""
    return s.phase == GUESS and playing(s) > 1 and next_seat(s, box, s.turn) == s.leader


def turn(sight: Sight[Position, Box]) -> tuple[int, int]:
    """Nobody's: all play each round together."""
    return -1, sight.s.round


def score(sight: Sight[Position, Box]) -> list[int]:
    return sight.s.coins[: sight.seats]
