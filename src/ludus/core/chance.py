"""Chance: where the numbers come from that dice and decks are read off.

A title never draws.  It lists outcomes with whole-number weights (`odds`), and core takes the first
whose cumulated weight exceeds ``u * total >> 32`` for a 32-bit number u.  For simulation u comes
from a fast generator (sfc32 on four ints, the same to the bit in plain and compiled form), in a
match from a key that nobody knows before the end.
"""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Sequence
from typing import Protocol

CHANCE = -1  # the seat of dice and decks
OVER = -2  # nobody is to move any more
SPECTATOR = -3  # somebody who has no seat

M32 = 0xFFFFFFFF
M64 = 0xFFFFFFFFFFFFFFFF


# -- the fast generator: compiled as it stands --------------------------------------------------


def next_u32(rng: list[int]) -> int:
    """The next 32-bit number of sfc32; `rng` is its four words."""
    t = (rng[0] + rng[1] + rng[3]) & M32
    rng[3] = (rng[3] + 1) & M32
    rng[0] = rng[1] ^ (rng[1] >> 9)
    rng[1] = (rng[2] + (rng[2] << 3)) & M32
    rng[2] = ((((rng[2] << 21) | (rng[2] >> 11)) & M32) + t) & M32
    return t


def below(rng: list[int], n: int) -> int:
    """A whole number from 0 to n - 1."""
    return (next_u32(rng) * n) >> 32


def seed_rng(rng: list[int], seed: int, stream: int) -> None:
    """Begin at a seed; streams of one seed are independent of each other."""
    rng[0] = seed & M32
    rng[1] = (seed >> 32) & M32
    rng[2] = (stream & M32) ^ 0x9E3779B9
    rng[3] = 1
    for _ in range(12):
        next_u32(rng)


def pick(u: int, weight: list[int], n: int) -> int:
    """The place of the outcome that the 32-bit number u stands for."""
    total = 0
    for i in range(n):
        total += weight[i]
    mark = (u * total) >> 32
    for i in range(n):
        mark -= weight[i]
        if mark < 0:
            return i
    return n - 1


# -- sources --------------------------------------------------------------------------------------


class Source(Protocol):
    """Gives the number of the i-th standing chance outcome, always the same for the same i."""

    def u32(self, index: int) -> int: ...


class Seeded:
    """For simulation: the i-th number of a seed.

    >>> Seeded(7).u32(0) == Seeded(7).u32(0), Seeded(7).u32(0) == Seeded(7).u32(1)
    (True, False)
    """

    def __init__(self, seed: int) -> None:
        self.seed = seed
        self._known: list[int] = []
        self._rng = [0, 0, 0, 0]
        seed_rng(self._rng, seed, 0)

    def u32(self, index: int) -> int:
        while len(self._known) <= index:
            self._known.append(next_u32(self._rng))
        return self._known[index]


def mixed(seed: int, index: int) -> int:
    """A 64-bit number of a seed and an index (splitmix64): any of them at once, in any order."""
    z = (seed + (index + 1) * 0x9E3779B97F4A7C15) & M64
    z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & M64
    z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & M64
    return z ^ (z >> 31)


class Fresh:
    """For copies: like `Seeded`, but a copy late in a long game need not count up to its first number."""

    def __init__(self, seed: int) -> None:
        self.seed = seed

    def u32(self, index: int) -> int:
        return mixed(self.seed, index) >> 32


class Keyed:
    """For matches: HMAC-SHA256(key, nonces | i), first four bytes."""

    def __init__(self, key: bytes, nonces: Sequence[bytes]) -> None:
        self._key, self._nonces = key, b"".join(nonces)

    def u32(self, index: int) -> int:
        message = self._nonces + index.to_bytes(8, "big")
        return int.from_bytes(hmac.new(self._key, message, hashlib.sha256).digest()[:4], "big")
