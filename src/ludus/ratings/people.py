"""People on the one scale of this house: where they begin, how sure they can be, and what one game does.

A puzzle and a match count alike: two ratings, one score, and each is counted against what the other was.
"""

from __future__ import annotations

from dataclasses import replace
from math import hypot, sqrt

from .glicko import LEAST_SURE, SCALE, GameResult, Rating, after

BEGINNER = Rating(1200.0)  # about the weakest rungs that think (docs/puzzles.md)
STEADY = 45.0  # nobody and no puzzle is ever surer: people learn
PERIOD = 5 * 86400.0  # seconds of Glicko-2's period: a year away makes 60 about 107


def after_game(one: Rating, other: Rating, score: float) -> tuple[Rating, Rating]:
    """The ratings of both after a game; `score` is that of the first (1 won, 0.5 drawn, 0 lost)."""
    return (
        _steady(after(one, [GameResult(other, score)])),
        _steady(after(other, [GameResult(one, 1.0 - score)])),
    )


def rested(rating: Rating, seconds: float) -> Rating:
    """The rating of somebody who has not played for so long: as high, and less sure.

    >>> round(rested(Rating(1500, 60.0), 365 * 86400.0).deviation)
    107
    """
    wandered = SCALE * rating.volatility * sqrt(max(0.0, seconds) / PERIOD)
    return replace(rating, deviation=min(LEAST_SURE, hypot(rating.deviation, wandered)))


def _steady(rating: Rating) -> Rating:
    return replace(rating, deviation=max(STEADY, rating.deviation))
