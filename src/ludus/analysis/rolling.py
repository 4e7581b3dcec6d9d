"""Rollouts: games played to their end as miles would, or by chance where a title has no value.

Loops in the style of the rules, plain or compiled.  Who plays in them knows what its seat knows: it judges a
re-dealt position, never the true one.  Now and then whoever plays in them slips: without that all games of a
title without chance would be the same one, and a position good for everything or for nothing.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from ludus.bots import judging
from ludus.bots.judging import NO_AIM, SCRATCH, judge, run_chance
from ludus.core import contract
from ludus.core.binding import Program, Samples
from ludus.core.chance import OVER, below, seed_rng
from ludus.core.contract import DRAW, MAX_SEATS, WIN, apply, assign, legal, redeal, returns, to_move

PRESENT, PLAYED, JUDGED = 0, 1, 2
ROWS = JUDGED + SCRATCH
SLIPS = 300  # of a thousand choices so many are drawn by lot
STEPS = 5000  # no rollout is longer; whoever plays on then shares the game


def roll(
    S: Any, B: Any, seats: int, eye: int, code: int, soldier: int, slips: int, first: int, last: int,
    base: int, codes: Any, nexts: Any, table: Any, wtable: Any, results: Any, values: Any, rng: Any,
    lots: Any, sums: Any,
) -> None:  # fmt: skip
    """Add to sums[p] what seat p has of games first..last-1 that go on from the present: as `eye` could
    believe it (-1: as it is), after an action (-1: after none)."""
    T = S[JUDGED : JUDGED + SCRATCH]
    for r in range(first, last):
        assign(S, PLAYED, S, PRESENT)
        seed_rng(rng, base, 2 * r)
        if eye >= 0:
            redeal(S[PLAYED], B[0], eye, rng)
        seed_rng(rng, base, 2 * r + 1)
        seed_rng(lots, base, 5000000 + r)
        if code >= 0:
            apply(S[PLAYED], B[0], code)
        for _ in range(STEPS):
            run_chance(S[PLAYED], B[0], codes, table[0], rng)
            p = to_move(S[PLAYED], B[0])
            if p == OVER:
                break
            n = legal(S[PLAYED], B[0], codes)
            best = below(lots, n)
            if soldier > 0 and n > 1 and below(lots, 1000) >= slips:
                assign(T, 0, S, PLAYED)
                redeal(T[0], B[0], p, lots)
                for i in range(n):
                    values[i] = 0.0
                judge(T, B, p, NO_AIM, codes, n, nexts, table, wtable, results, lots, values)
                for i in range(n):
                    if values[i] > values[best]:
                        best = i
            apply(S[PLAYED], B[0], 0 + codes[best])
        share(S, B, seats, results, sums)


def share(S: Any, B: Any, seats: int, results: Any, sums: Any) -> None:
    """Add what each seat has of the game that was played: all, a part of a shared first place, or nothing."""
    if to_move(S[PLAYED], B[0]) != OVER:
        for p in range(seats):
            sums[p] += 1.0 / seats
        return
    returns(S[PLAYED], B[0], results)
    first = 0
    for p in range(seats):
        if results[p] == WIN or results[p] == DRAW:
            first += 1
    for p in range(seats):
        if first == 0:
            sums[p] += 1.0 / seats
        elif results[p] == WIN or results[p] == DRAW:
            sums[p] += 1.0 / first


def _arguments(a: Samples) -> dict[str, tuple[Any, ...]]:
    return {
        "roll": (
            a.positions, a.box, 0, 0, 0, 0, 0, 0, 0, 0,
            a.ints, a.ints, a.table, a.table, a.ints, a.values, a.words, a.words, a.values,
        )
    }  # fmt: skip


def _no_value(s: Any, box: Any, seat: int) -> int:
    return 0


ROLL = Program(
    name="roll",
    entries=(roll,),
    arguments=_arguments,
    sources=(Path(__file__), Path(judging.__file__)),
    stubs={contract.value: lambda title: title.value or _no_value, contract.urge: judging.urge_of},
    checked=False,
)


class Rollouts:
    """The loops with everything they write into, in one form."""

    def __init__(self, form: Any, title: Any) -> None:
        self.form, self.soldier = form, int(title.value is not None)
        self._loops = form.bind(ROLL)
        size = title.codes.size
        self.S = form.rows(ROWS)
        self._room = (
            form.ints(size), form.ints(size), form.ints(2, size), form.ints(2, size), form.ints(MAX_SEATS),
            form.floats(size), form.words([0, 0, 0, 0]), form.words([0, 0, 0, 0]),
        )  # fmt: skip
        self._sums = form.floats(MAX_SEATS)

    def play(self, s: Any, eye: int, code: int, lucks: range, base: int) -> list[float]:
        """What each seat has on average of games with these lucks."""
        for p in range(len(self._sums)):
            self._sums[p] = 0.0
        self.form.put(self.S, 0, s)
        seats = self.form.seats
        self._loops.roll(
            self.S, self.form.boxes, seats, eye, code, self.soldier, SLIPS, lucks.start, lucks.stop, base,
            *self._room, self._sums,
        )  # fmt: skip
        return [float(x) / len(lucks) for x in self._sums[:seats]]
