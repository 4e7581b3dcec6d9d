"""Verdicts: how good a decision was, and what adds up to the result.  All bounds stand here.

Chances are counted in millionths, in whole numbers, so that sums are exact.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

WHOLE = 1_000_000  # a sure win

# The class of a decision by what it cost, in points of a hundred: below which bound it is still that.
BOUNDS = (("best", 0.5), ("fine", 2.0), ("inaccuracy", 5.0), ("mistake", 10.0))
WORST = "blunder"
CLASSES = (*(name for name, _ in BOUNDS), WORST)


def verdict(cost: int, doubt: int = 0) -> str:
    """The class of a decision by its cost in millionths.  What the lucks alone may have done is held against
    nobody: up to two standard errors (`doubt`) it is nothing, beyond that one of them is left out.

    >>> [verdict(c) for c in (0, 4_999, 5_000, 20_000, 50_000, 99_999, 100_000)]
    ['best', 'best', 'fine', 'inaccuracy', 'mistake', 'mistake', 'blunder']
    >>> [verdict(c, 30_000) for c in (60_000, 70_000, 130_000)]
    ['best', 'inaccuracy', 'blunder']
    """
    sure = cost - doubt if cost > 2 * doubt else 0
    return next((name for name, bound in BOUNDS if sure < bound * WHOLE / 100), WORST)


def millionths(chances: Sequence[float]) -> list[int]:
    """Chances as whole numbers that sum up to a sure win; what rounding loses goes where it is missed most.

    >>> millionths([1 / 3, 1 / 3, 1 / 3]), millionths([0.25, 0.75])
    ([333334, 333333, 333333], [250000, 750000])
    """
    total = sum(chances)
    exact = [WHOLE * x / total for x in chances]
    found = [int(x) for x in exact]
    for p in sorted(range(len(found)), key=lambda p: found[p] - exact[p])[: WHOLE - sum(found)]:
        found[p] += 1
    return found


def in_tenths(parts: Sequence[int], total: int) -> list[int]:
    """Parts of a total, and nothing beside them, rounded to tenths of a point as it is: so that what is shown
    adds up.  What rounding would miss goes to those that are nearest to the next tenth.

    >>> in_tenths([520_600, -40_400, -27_400, -452_800], 0), in_tenths([-40_940, -20_640], -61_580)
    ([521000, -40000, -28000, -453000], [-41000, -21000])
    """
    step = WHOLE // 1000
    found = [part // step for part in parts]
    missing = round(total / step) - sum(found)
    for k in sorted(range(len(parts)), key=lambda k: -(parts[k] % step))[: max(0, missing)]:
        found[k] += 1
    return [step * one for one in found]


def spread(cost: int, seat: int, chances: Sequence[int]) -> list[int]:
    """Who loses and who gains what a decision cost: the others by what they had.

    >>> spread(100, 0, [500_000, 500_000]), spread(100, 1, [200_000, 200_000, 600_000])
    ([-100, 100], [25, -100, 75])
    """
    others = [p for p in range(len(chances)) if p != seat]
    total = sum(chances[p] for p in others)
    gains = [cost * chances[p] // total if total else cost // len(others) for p in others]
    gains[0] += cost - sum(gains)
    found = [0] * len(chances)
    found[seat] = -cost
    for p, gain in zip(others, gains, strict=True):
        found[p] = gain
    return found


def points(value: int) -> float:
    """Millionths as points of a hundred."""
    return value / (WHOLE / 100)


def performance(error: float, rungs: Sequence[tuple[float, float]]) -> float | None:
    """Elo on the ladder's scale of somebody whose decisions cost so many points on average, between rungs
    given as (error, Elo); beyond both ends it stays there.

    >>> performance(2.0, [(3.0, 0.0), (1.0, 400.0)]), performance(9.0, [(3.0, 0.0), (1.0, 400.0)])
    (200.0, 0.0)
    >>> performance(2.0, [(1.5, -900.0), (3.0, 0.0), (1.0, 400.0)])
    200.0
    >>> performance(1.0, []) is None
    True
    """
    steps: list[tuple[float, float]] = []
    for cost, elo in sorted(rungs, key=lambda rung: -rung[1]):  # from the strongest down
        if not steps or cost > steps[0][0]:  # a weaker one whose decisions cost less says nothing
            steps.insert(0, (cost, elo))
    if not steps:
        return None
    for (high, low_elo), (low, high_elo) in pairwise(steps):
        if error >= high:
            return low_elo
        if error > low:
            return low_elo + (high_elo - low_elo) * (high - error) / (high - low)
    return steps[-1][1] if error <= steps[-1][0] else steps[0][1]
