"""Battle: Legionarius, Velites, Centurio and Onager (R27)."""

from ..layout import BATTLE, CENTURIO, EXTRA_DIE, Box, Position
from .board import defence, discard_from
from .dice import dice_left


def begin_battle(s: Position, disc: int) -> None:
    """R26: the card is chosen before the battle die is thrown."""
    s.target = disc
    s.phase = BATTLE


def throw_battle_die(s: Position, box: Box, value: int) -> bool:
    """P17: one throw; True when the battle is decided.  R53: a Centurio may now still add an unused die."""
    if s.effect == CENTURIO and dice_left(s) > 0:
        s.thrown = value
        s.phase = EXTRA_DIE
        return False
    strike(s, box, value)
    return True


def strike(s: Position, box: Box, strength: int) -> None:
    """R24: the attacker wins a tie; R25: otherwise nothing happens."""
    q = 1 - s.player
    if strength >= defence(s, box, q, s.target):
        discard_from(s, box, q, s.target)
