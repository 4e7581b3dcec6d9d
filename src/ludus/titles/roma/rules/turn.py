"""The turn: phase 1 (empty discs), phase 2 (the dice), and how it ends."""

from ..layout import ACT, DICE, ENDED, ROLL, ROW, TRIPLE, Box, Position
from .board import empty_discs
from .dice import add_die, clear_dice
from .points import pay_to_stock


def begin_turn(s: Position) -> None:
    """P2, P3, R9: a point for each own empty disc, from the first turn on; R7: then dice, if it goes on."""
    s.turn += 1
    throw_dice(s, 1)
    pay_to_stock(s, s.player, empty_discs(s, s.player))


def throw_dice(s: Position, number: int) -> None:
    s.phase, s.left, s.throws = ROLL, DICE, number


def roll_die(s: Position, box: Box, value: int) -> None:
    """F8, R8, R74: after a triple the player decides about another throw before anything else."""
    add_die(s, value)
    s.left -= 1
    if s.left == 0:
        if s.dice[0] == s.dice[DICE - 1] and s.throws < box.throws:
            s.phase = TRIPLE
        else:
            accept_dice(s)


def accept_dice(s: Position) -> None:
    s.phase, s.throws = ACT, 0


def rethrow(s: Position) -> None:
    """R8: all three dice."""
    clear_dice(s)
    throw_dice(s, s.throws + 1)


def end_turn(s: Position, box: Box) -> None:
    """R10: unused dice are lost.  R41, R44: Essedum and the blocks on this seat have done their work.

    R69: after many turns a cap, which is no rule, ends the game.
    """
    p = s.player
    clear_dice(s)
    s.weakened = 0
    for disc in range(ROW):
        s.weakened_by[disc] = 0
        s.blocked[p][disc] = 0
    if s.turn >= box.max_turns:
        s.phase = ENDED
    else:
        s.player = 1 - p
        begin_turn(s)
