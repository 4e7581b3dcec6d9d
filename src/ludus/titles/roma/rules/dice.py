"""The unused action dice: highest first, then zeros, so that equal throws are equal positions."""

from ..layout import DICE, Position


def dice_left(s: Position) -> int:
    n = 0
    for i in range(DICE):
        if s.dice[i] > 0:
            n += 1
    return n


def has_die(s: Position, value: int) -> bool:
    return value == s.dice[0] or value == s.dice[1] or value == s.dice[2]


def add_die(s: Position, value: int) -> None:
    i = DICE - 1
    while i > 0 and s.dice[i - 1] < value:
        s.dice[i] = s.dice[i - 1]
        i -= 1
    s.dice[i] = value


def use_die(s: Position, value: int) -> None:
    """P5, R14: a die does one thing and is gone."""
    i = 0
    while i < DICE - 1 and s.dice[i] != value:
        i += 1
    while i < DICE - 1:
        s.dice[i] = s.dice[i + 1]
        i += 1
    s.dice[DICE - 1] = 0


def clear_dice(s: Position) -> None:
    for i in range(DICE):
        s.dice[i] = 0
