"""The raider: turns that are after one thing alone, for telling what the others could do.

It sits at no table: what it does need not pay.  A bot that plays to win shows only the threats that it would
carry out; a person wants to know the others.
"""

from __future__ import annotations

from dataclasses import replace

from ludus.core import contract
from ludus.core.title import Title

from .centurio import Centurio
from .chair import Chair
from .planner import Planner

NAME = "raider"
AIM = "aim"  # in its memory: which of the aims of a turn, counted from the most promising


def has_aims(title: Title[object, object]) -> bool:
    """Whether turns of a title are after something that it names (`aims.py`)."""
    return title.inputs is not None and title.inputs.aims is not contract.aims


class Raider(Centurio):
    """Goes after the aim of that number; where there are fewer, it plays like centurio."""

    def search(self, chair: Chair, planner: Planner) -> list[int]:
        number = int(chair.memory.get(AIM, 0))
        if has_aims(self.title):
            base = planner.sit(chair)
            only = replace(self.turns(), wide=0, led=0, more=0, soldier=0, aimed=number + 1)
            count = planner.propose(chair.seat, base, only, 1)
            if count == number + 1:  # no two came to the same plan
                chair.evaluation = None
                return planner.plan(number)
        return super().search(chair, planner)
