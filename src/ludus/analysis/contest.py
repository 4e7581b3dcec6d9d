"""A contest of choices: all are tried with the same lucks, the better ones with more, the best few with most.

What a choice cost is measured in the last round alone, whose lucks had no say in who got there: else the
luckiest choice would seem better than it is, and every other one a mistake.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from statistics import fmean, stdev

from .depth import BEST, BETTER

Try = Callable[[list[int], int], list[float]]  # what some choices come to with one luck


@dataclass(frozen=True)
class Contest:
    """What came out: the chance of every choice and how sure that is, which is best, and by how much."""

    chances: list[float]
    doubts: list[float]
    best: int
    cost: float  # of the choice that was played
    doubt: float  # how sure that is


def compete(count: int, attempt: Try, lucks: Sequence[int], played: int, estimated: bool = True) -> Contest:
    """Try `count` choices; the played one (-1: none was) stays to the end.  `estimated`: what they come to is
    a chance, not the result of a game, of which two are soon the same."""
    rows: list[list[float]] = [[] for _ in range(count)]
    alive, luck = list(range(count)), 0
    for number, keep in zip(lucks, (count, BETTER, BEST), strict=True):
        alive = _best_of(rows, alive, keep, played)
        for _ in range(number):
            for i, value in zip(alive, attempt(alive, luck), strict=True):
                rows[i].append(value)
            luck += 1
            if estimated and luck == 2 and all(row[0] == row[1] for row in rows):
                return _certain(rows, played)  # nothing is left to chance: more lucks say the same
    early = sum(lucks[:-1])
    best = max(alive, key=lambda i: (fmean(rows[i][:early]), i == played))
    cost, doubt = (0.0, 0.0) if played in (best, -1) else _gap(rows[best], rows[played], lucks[-1])
    return Contest(*_chances(rows, best, played, cost), best, cost, doubt)


def _best_of(rows: list[list[float]], alive: list[int], keep: int, played: int) -> list[int]:
    if not rows[alive[0]]:
        return alive
    ranked = sorted(alive, key=lambda i: -fmean(rows[i]))
    return ranked[:keep] + ([played] if played in ranked[keep:] else [])


def _gap(best: list[float], other: list[float], lucks: int) -> tuple[float, float]:
    """By how much one choice is better than another with the last lucks; never less than nothing."""
    gaps = [a - b for a, b in zip(best[-lucks:], other[-lucks:], strict=True)]
    return max(0.0, fmean(gaps)), _error(gaps)


def _chances(
    rows: list[list[float]], best: int, played: int, cost: float
) -> tuple[list[float], list[float]]:  # fmt: skip
    """Every choice is compared with the best one over the lucks that it was tried with itself."""
    level = fmean(rows[best])
    found, doubts = [], []
    for i, row in enumerate(rows):
        gap = fmean(a - b for a, b in zip(rows[best], row, strict=False))
        found.append(min(1.0, max(0.0, level - (cost if i == played else max(0.0, gap)))))
        doubts.append(_error(row))
    return found, doubts


def _certain(rows: list[list[float]], played: int) -> Contest:
    chances = [row[0] for row in rows]
    best = max(range(len(rows)), key=lambda i: (chances[i], i == played))
    cost = 0.0 if played < 0 else chances[best] - chances[played]
    return Contest(chances, [0.0] * len(rows), best, cost, 0.0)


def _error(values: list[float]) -> float:
    """The standard error of a mean."""
    return stdev(values) / len(values) ** 0.5 if len(values) > 1 else 0.0
