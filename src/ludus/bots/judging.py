"""Judging actions by what follows: loops in the style of the rules, plain or compiled.

`S` is a row of scratch positions: 0 the (re-dealt) present, 1 after an action, 2 after the next one of
the same seat, the last for outcomes of chance.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from ludus.core import contract
from ludus.core.binding import Program, Samples
from ludus.core.chance import CHANCE, OVER, next_u32, pick
from ludus.core.contract import apply, assign, legal, odds, returns, to_move, urge, value
from ludus.core.title import Title

SCRATCH = 4
NO_AIM = -1
MOST = 1_000_000  # what a won game is worth; values stay far below, unless a title calls a position hopeless
WIDE = 80  # with more next actions than that, the first one is judged alone


def worth(S: Any, k: int, B: Any, seat: int, aim: int, results: Any) -> float:
    """The value of position k for a seat that is after an aim (-1: none); of a finished game its result."""
    if to_move(S[k], B[0]) == OVER:
        returns(S[k], B[0], results)
        return float((results[seat] - 1) * MOST)
    found = value(S[k], B[0], seat)
    if aim >= 0:
        found += urge(S[k], B[0], seat, aim)
    return float(found)


def run_chance(s: Any, box: Any, out: Any, weight: Any, rng: Any) -> None:
    """Draw outcomes until a seat is to move or the game is over."""
    while to_move(s, box) == CHANCE:
        n = odds(s, box, out, weight)
        apply(s, box, 0 + out[pick(next_u32(rng), weight, n)])  # 0 + : one width of ints, compiled once


def expected(
    S: Any, k: int, B: Any, seat: int, aim: int, out: Any, weight: Any, results: Any, rng: Any
) -> float:  # fmt: skip
    """The worth of position k, chance averaged: the next outcome exactly, later ones by a draw.

    `out` and `weight` are tables with a row for the outcomes and one for the draws after them.
    """
    if to_move(S[k], B[0]) != CHANCE:
        return worth(S, k, B, seat, aim, results)
    n = odds(S[k], B[0], out[0], weight[0])
    total = 0.0
    mass = 0
    for i in range(n):
        assign(S, SCRATCH - 1, S, k)
        apply(S[SCRATCH - 1], B[0], 0 + out[0][i])
        run_chance(S[SCRATCH - 1], B[0], out[1], weight[1], rng)
        total += weight[0][i] * worth(S, SCRATCH - 1, B, seat, aim, results)
        mass += weight[0][i]
    return total / mass


def judge(
    S: Any, B: Any, seat: int, aim: int, codes: Any, n: int, nexts: Any,
    out: Any, weight: Any, results: Any, rng: Any, totals: Any
) -> None:  # fmt: skip
    """Add to totals[i] the worth of codes[i] in S[0], the seat's own best next action included."""
    for i in range(n):
        assign(S, 1, S, 0)
        apply(S[1], B[0], 0 + codes[i])
        m = legal(S[1], B[0], nexts) if to_move(S[1], B[0]) == seat else 0
        if m == 0 or m > WIDE:
            totals[i] += expected(S, 1, B, seat, aim, out, weight, results, rng)
            continue
        best = -2.0 * MOST
        for j in range(m):
            assign(S, 2, S, 1)
            apply(S[2], B[0], 0 + nexts[j])
            found = expected(S, 2, B, seat, aim, out, weight, results, rng)
            if found > best:
                best = found
        totals[i] += best


def _arguments(a: Samples) -> dict[str, tuple[Any, ...]]:
    return {
        "judge": (a.positions, a.box, 0, 0, a.ints, 0, a.ints, a.table, a.table, a.ints, a.words, a.values)
    }


def urge_of(title: Title[Any, Any]) -> Any:
    """What stands for `urge`."""
    return title.inputs.urge if title.inputs is not None else contract.urge


JUDGE = Program(
    name="judge",
    entries=(judge,),
    arguments=_arguments,
    sources=(Path(__file__),),
    stubs={contract.value: lambda title: title.value, contract.urge: urge_of},
)
