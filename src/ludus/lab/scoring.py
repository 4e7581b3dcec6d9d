"""What results say: shares and Elo with their intervals, and a sequential test.

A result is a credit: 1 for a win, nothing for a loss, and a shared first place is shared.  Games of one seed,
played in all rotations of the seats, belong together: they are the unit of intervals and of the test.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import log, log10, sqrt
from typing import NamedTuple

from ludus.core.contract import DRAW, WIN
from ludus.core.errors import FormatError

Z = 1.96  # of a 95 % interval
ERROR = 0.05  # how often the sequential test may be wrong, each way
HARDLY = 1e-3  # what a result that never came counts, so that the test has a variance from the start
HALVINGS = 40
TINY = 1e-9


class Estimate(NamedTuple):
    """A figure with its 95 % interval; None where there is no end to it."""

    value: float | None
    low: float | None
    high: float | None


def credits_of(returns: Sequence[int]) -> tuple[float, ...]:
    """What each seat has of one game; all seats together have 1.

    >>> credits_of((2, 0)), credits_of((1, 1)), credits_of((1, 0, 1, 0))
    ((1.0, 0.0), (0.5, 0.5), (0.5, 0.0, 0.5, 0.0))
    """
    shared = max(1, sum(result == DRAW for result in returns))
    return tuple({WIN: 1.0, DRAW: 1.0 / shared}.get(result, 0.0) for result in returns)


def wilson(wins: float, games: float, z: float = Z) -> tuple[float, float]:
    """The 95 % interval of a share.

    >>> [round(x, 3) for x in wilson(90, 100)]
    [0.826, 0.945]
    """
    if games == 0:
        return 0.0, 1.0
    share, spread = wins / games, z * z / games
    centre = share + spread / 2
    margin = z * sqrt((share * (1 - share) + spread / 4) / games)
    return (centre - margin) / (1 + spread), (centre + margin) / (1 + spread)


def share_of(seeds: Sequence[Sequence[float]]) -> Estimate:
    """The mean credit of a bot, from its credits seed by seed.

    The interval is never narrower than that of so many independent games, and wider where the games of
    a seed go the same way.

    >>> [round(x or 0, 3) for x in share_of([(1, 0)] * 50)]
    [0.5, 0.404, 0.596]
    >>> [round(x or 0, 3) for x in share_of([(1, 1), (0, 0)] * 25)]
    [0.5, 0.366, 0.634]
    """
    games, total = sum(map(len, seeds)), sum(map(sum, seeds))
    if not games:
        return Estimate(0.0, 0.0, 1.0)
    mean = total / games
    alone = sum(mean * (1 - mean) * len(seed) for seed in seeds)
    together = sum((sum(seed) - mean * len(seed)) ** 2 for seed in seeds)
    alike = max(1.0, together / alone) if alone else 1.0
    return Estimate(mean, *wilson(total / alike, games / alike))


# -- Elo ----------------------------------------------------------------------------------------------------


def expected(elo: float, fair: float) -> float:
    """The share of a bot that is so much stronger than the others, where equals would have `fair`.

    >>> round(expected(100, 1 / 2), 3), round(expected(0, 1 / 4), 3)
    (0.64, 0.25)
    """
    return 1 / (1 + (1 - fair) / fair * 10 ** (-elo / 400))


def elo_of(share: float, fair: float) -> float | None:
    """The other way round; None for a share of nothing or all, which no difference explains."""
    if not TINY < share < 1 - TINY:
        return None
    return 400 * log10(share / (1 - share) * (1 - fair) / fair)


def elo_between(share: Estimate, fair: float) -> Estimate:
    """The difference in Elo of a share, with the ends of its interval."""
    return Estimate(*(None if end is None else elo_of(end, fair) for end in share))


# -- the sequential test ------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Sequential:
    """Is the difference `elo0`, or is it `elo1`?  A generalized sequential probability ratio test over seeds.

    With two seats the credit of a seed is one of five (two losses to two wins), and this is the pentanomial
    test by which engines of chess are judged.  A wrong answer is given in one case of twenty at most.
    """

    elo0: float
    elo1: float

    def __post_init__(self) -> None:
        if not self.elo0 < self.elo1:
            raise FormatError(
                f"--elo0 must be less than --elo1, and {self.elo0:g} is not below {self.elo1:g}"
            )

    def ratio(self, counts: Mapping[float, int], fair: float) -> float:
        """The logarithm of how much likelier the mean credits of the seeds are under `elo1`."""
        kept: dict[float, float] = {0.0: HARDLY, 0.5: HARDLY, 1.0: HARDLY}
        kept.update({credit: float(n) for credit, n in counts.items() if n})
        tilts = [
            (mean, _tilt(kept, mean)) for mean in (expected(elo, fair) for elo in (self.elo0, self.elo1))
        ]
        (mean0, tilt0), (mean1, tilt1) = tilts
        return sum(
            n * log((1 + tilt0 * (credit - mean0)) / (1 + tilt1 * (credit - mean1)))
            for credit, n in kept.items()
        )

    def verdict(self, counts: Mapping[float, int], fair: float) -> str:
        """`elo0` or `elo1` as soon as one of them is as good as proved, else ""."""
        bound, found = log((1 - ERROR) / ERROR), self.ratio(counts, fair)
        return "elo1" if found >= bound else "elo0" if found <= -bound else ""


def _tilt(counts: Mapping[float, float], mean: float) -> float:
    """What makes the likeliest shares with this mean out of those that were seen: share / (1 + tilt * (credit
    - mean)).  Found by halving: the mean falls while the tilt rises."""
    low, high = -1 / (max(counts) - mean), -1 / (min(counts) - mean)
    for _ in range(HALVINGS):
        middle = (low + high) / 2
        if sum(n * (credit - mean) / (1 + middle * (credit - mean)) for credit, n in counts.items()) > 0:
            low = middle
        else:
            high = middle
    return (low + high) / 2


class Watch:
    """Looks at seeds in their order, whatever the order in which they are finished: the same games count on
    one core and on many."""

    def __init__(self, test: Sequential, fair: float) -> None:
        self.test, self.fair = test, fair
        self.seeds = 0
        self.verdict = ""
        self._counts: Counter[float] = Counter()

    def add(self, credits: Sequence[float]) -> None:
        """The credits of the next seed."""
        self.seeds += 1
        self._counts[round(sum(credits) / len(credits), 6)] += 1
        self.verdict = self.test.verdict(self._counts, self.fair)

    @property
    def ratio(self) -> float:
        return self.test.ratio(self._counts, self.fair) if self.seeds else 0.0
