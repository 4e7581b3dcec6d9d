"""Glicko-2 by Mark Glickman's published formulae (glicko.net/glicko/glicko2.pdf, 2013); his names of steps.

A rating has a deviation, which says how sure it is, and a volatility, which says how much it wanders.
Results of one period are counted together; who has none in a period only becomes less sure.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import exp, log, pi, sqrt

SCALE = 173.7178
CENTRE = 1500.0
TAU = 0.5  # how much volatility may change
TOLERANCE = 1e-6
LEAST_SURE = 350.0  # nobody is less sure than a newcomer


@dataclass(frozen=True)
class Rating:
    rating: float = CENTRE
    deviation: float = LEAST_SURE
    volatility: float = 0.06


@dataclass(frozen=True)
class GameResult:
    """One game: against whom, and what came of it (1 won, 0.5 drawn, 0 lost)."""

    other: Rating
    score: float


NEWCOMER = Rating()


def expected(own: Rating, other: Rating) -> float:
    """The share that is to be expected against somebody, as sure as the other's rating is.

    >>> expected(Rating(1500, 50), Rating(1500, 50)), round(expected(Rating(1700, 50), Rating(1500, 50)), 2)
    (0.5, 0.76)
    """
    return _expected((own.rating - CENTRE) / SCALE, (other.rating - CENTRE) / SCALE, other.deviation / SCALE)


def after(own: Rating, results: Sequence[GameResult]) -> Rating:
    """The rating after the results of one period."""
    mu, phi = (own.rating - CENTRE) / SCALE, own.deviation / SCALE
    if not results:
        return Rating(own.rating, _deviation(sqrt(phi * phi + own.volatility**2)), own.volatility)
    games = [((r.other.rating - CENTRE) / SCALE, r.other.deviation / SCALE, r.score) for r in results]
    v = 1 / sum(_g(phi_j) ** 2 * (e := _expected(mu, mu_j, phi_j)) * (1 - e) for mu_j, phi_j, _ in games)
    moved = sum(_g(phi_j) * (score - _expected(mu, mu_j, phi_j)) for mu_j, phi_j, score in games)
    sigma = _volatility(phi, v, v * moved, own.volatility)
    before = sqrt(phi * phi + sigma * sigma)  # step 6
    phi = 1 / sqrt(1 / before**2 + 1 / v)  # step 7
    return Rating(CENTRE + SCALE * (mu + phi * phi * moved), _deviation(phi), sigma)


def _deviation(phi: float) -> float:
    return min(LEAST_SURE, SCALE * phi)


def _g(phi: float) -> float:
    return 1 / sqrt(1 + 3 * phi * phi / (pi * pi))


def _expected(mu: float, mu_j: float, phi_j: float) -> float:
    return 1 / (1 + exp(-_g(phi_j) * (mu - mu_j)))


def _volatility(phi: float, v: float, delta: float, sigma: float) -> float:
    """Step 5: the zero of f by the Illinois algorithm."""
    a = log(sigma * sigma)

    def f(x: float) -> float:
        grown = phi * phi + v + exp(x)
        return exp(x) * (delta * delta - grown) / (2 * grown * grown) - (x - a) / (TAU * TAU)

    low = a
    if delta * delta > phi * phi + v:
        high = log(delta * delta - phi * phi - v)
    else:
        k = 1
        while f(a - k * TAU) < 0:
            k += 1
        high = a - k * TAU
    f_low, f_high = f(low), f(high)
    while abs(high - low) > TOLERANCE:
        middle = low + (low - high) * f_low / (f_high - f_low)
        f_middle = f(middle)
        if f_middle * f_high <= 0:
            low, f_low = high, f_high
        else:
            f_low /= 2
        high, f_high = middle, f_middle
    return exp(low / 2)
