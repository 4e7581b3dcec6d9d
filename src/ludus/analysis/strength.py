"""How strong somebody played, on the scale of the ladder: from what decisions cost, and how sure that is.

A few decisions say nothing about it, nor do those that may be of several levels.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from statistics import fmean, stdev

from .calibration import Rung
from .verdicts import performance

FEWEST = 20  # decisions from which the strength of play is told
ALIKE = 1.1  # times the cost of the rung below, and it is still about the same
WIDEST = 2  # levels between which it may lie where it is told


@dataclass(frozen=True)
class Performance:
    """An Elo with the bounds within which it lies in 19 cases of 20, and who is about as strong."""

    elo: int
    low: int
    high: int
    near: str

    def is_told(self, decisions: int, rungs: Sequence[Rung]) -> bool:
        return decisions >= FEWEST and levels_between(rungs, self.low, self.high) <= WIDEST


def strength_of(costs: Sequence[float], rungs: Sequence[Rung], levels: Sequence[str]) -> Performance | None:
    """The strength of decisions that cost so many points each; `levels` are those that people choose from.
    None where what decisions cost is no measure of strength (`is_scale`).

    >>> rungs = [Rung("tiro", 0.0, 3.0), Rung("miles", 400.0, 1.0)]
    >>> strength_of([2.5, 1.5] * 50, rungs, ["tiro"])
    Performance(elo=200, low=180, high=220, near='tiro')
    """
    scale = [(rung.error, rung.elo) for rung in rungs]
    mean = fmean(costs) if costs else 0.0
    doubt = 1.96 * stdev(costs) / math.sqrt(len(costs)) if len(costs) > 1 else math.inf
    found = [performance(max(0.0, error), scale) for error in (mean, mean + doubt, mean - doubt)]
    if not costs or None in found or not is_scale(rungs):
        return None
    elo, low, high = (round(one or 0.0) for one in found)
    return Performance(elo, low, high, nearest(rungs, levels, elo))


def is_scale(rungs: Sequence[Rung]) -> bool:
    """Whether what decisions cost tells how strong somebody is: it falls, or stays about the same, from each
    rung to the stronger one, and the strongest alone has the least.  Where it does not, because random play
    leads to positions in which anything goes, somebody who plays anything could be taken for a master.

    >>> is_scale([Rung("tiro", 127.0, 9.8), Rung("centurio", 127.0, 0.4)])
    False
    >>> is_scale([Rung("random", 0.0, 2.1), Rung("miles", 900.0, 4.6), Rung("centurio", 1700.0, 1.4)])
    False
    """
    best = min(rungs, key=lambda rung: rung.error)
    order = sorted(rungs, key=lambda rung: rung.elo)
    falls = all(higher.error <= ALIKE * lower.error for lower, higher in pairwise(order))
    return falls and all(rung.elo < best.elo for rung in rungs if rung is not best)


def nearest(rungs: Sequence[Rung], levels: Sequence[str], elo: float) -> str:
    """Who is about as strong, among those that people can choose as far as they were measured."""
    known = [rung for rung in rungs if rung.name in levels] or rungs
    return min(known, key=lambda rung: abs(rung.elo - elo)).name


def levels_between(rungs: Sequence[Rung], low: float, high: float) -> int:
    """Of how many rungs somebody may be whose Elo lies between two numbers: from the one that is nearest
    to the lower one to the nearest to the higher one, as far as they were measured."""
    elos = sorted(rung.elo for rung in rungs)
    if not elos:
        return 1
    first, last = (min(elos, key=lambda elo: abs(elo - end)) for end in (low, high))
    return elos.index(last) - elos.index(first) + 1
