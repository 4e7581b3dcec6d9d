"""Loops over a title's rules, written once and bound to each title in plain and compiled form.

They take an ARRAY of positions and an index, because handing a single record to compiled code
costs Numba about five microseconds a call.  In plain form the array is a list.
"""

from __future__ import annotations

from typing import Any

from .chance import CHANCE, OVER, below, next_u32, pick, seed_rng
from .contract import (
    apply,
    assign,
    check,
    choose,
    choose_without,
    legal,
    new,
    odds,
    redeal,
    returns,
    seen,
    to_move,
)  # fmt: skip

# What `playout_at` adds up, by place in its tally.
DECISIONS, CHANCES, LEGAL, FORCED, MOST_LEGAL, DIGEST, TALLY = 0, 1, 2, 3, 4, 5, 6
HASH = 0x7FFFFFFF
BEGIN, WAIT = -2, -3  # instead of an action: the next game of this place; nothing is played in it
GOES_ON, ENDED, CUT_OFF = 0, 1, 2  # how games stand after a step; cut off at the title's length
MOVERS = 16  # more than there are seats, CHANCE and OVER


def new_at(S: Any, i: int, B: Any) -> None:
    new(S[i], B[0])


def to_move_at(S: Any, i: int, B: Any) -> int:
    return to_move(S[i], B[0])


def legal_at(S: Any, i: int, B: Any, out: Any) -> int:
    return legal(S[i], B[0], out)


def odds_at(S: Any, i: int, B: Any, out: Any, weight: Any) -> int:
    return odds(S[i], B[0], out, weight)


def apply_at(S: Any, i: int, B: Any, code: int) -> None:
    apply(S[i], B[0], code)


def draw_at(S: Any, i: int, B: Any, out: Any, weight: Any, u: int) -> int:
    """The outcome of chance that the 32-bit number u stands for."""
    n = odds(S[i], B[0], out, weight)
    code: int = out[pick(u, weight, n)]
    return code


def step_at(S: Any, i: int, B: Any, code: int) -> int:
    """Play an action; who learns it and who is to move then, in one number: see `two_of`."""
    mask = seen(S[i], B[0], code)
    apply(S[i], B[0], code)
    return mask * MOVERS + to_move(S[i], B[0]) - OVER


def two_of(answer: int) -> tuple[int, int]:
    """The mask and the mover that `step_at` gave: a call into machine code costs more than this."""
    mask, mover = divmod(answer, MOVERS)
    return mask, mover + OVER


def seen_at(S: Any, i: int, B: Any, code: int) -> int:
    return seen(S[i], B[0], code)


def redeal_at(S: Any, i: int, B: Any, seat: int, rng: Any) -> None:
    redeal(S[i], B[0], seat, rng)


def returns_at(S: Any, i: int, B: Any, out: Any) -> None:
    returns(S[i], B[0], out)


def check_at(S: Any, i: int, B: Any) -> int:
    return check(S[i], B[0])


def uniform(s: Any, box: Any, out: Any, n: int, rng: Any, weights: Any) -> int:
    """The random policy: every legal action is equally likely."""
    return below(rng, n)


def unweighted(s: Any, box: Any, out: Any, n: int, rng: Any, weights: Any) -> int:
    """A policy that takes no weights, as one that does."""
    return choose_without(s, box, out, n, rng)


def count_choices(tally: Any, n: int) -> None:
    """A decision between n legal actions."""
    tally[DECISIONS] += 1
    tally[LEGAL] += n
    if n == 1:
        tally[FORCED] += 1
    if n > tally[MOST_LEGAL]:
        tally[MOST_LEGAL] = n


def playout_at(
    S: Any, i: int, B: Any, out: Any, weight: Any, rng: Any, limit: int, tally: Any, weights: Any
) -> int:
    """Play position i on to its end by `choose`; 0, or 1 when `limit` actions were not enough."""
    s = S[i]
    box = B[0]
    digest = 0
    for _ in range(limit):
        seat = to_move(s, box)
        if seat == OVER:
            break
        if seat == CHANCE:
            n = odds(s, box, out, weight)
            code = 0 + out[pick(next_u32(rng), weight, n)]  # as wide as elsewhere: compiled once
            tally[CHANCES] += 1
        else:
            n = legal(s, box, out)
            code = 0 + out[choose(s, box, out, n, rng, weights)]
            count_choices(tally, n)
        apply(s, box, code)
        digest = (digest * 31 + code + 1) & HASH
    tally[DIGEST] ^= digest
    return 0 if to_move(s, box) == OVER else 1


def playouts(
    S: Any, F: Any, first: int, end: int, B: Any, out: Any, weight: Any, rng: Any,
    seed: int, limit: int, tally: Any, results: Any, stopped: Any, weights: Any
) -> int:  # fmt: skip
    """New games first..end-1 from the position F[0], each with the generator of its own number; how many
    did not end.

    Game i is played in place i of the arrays, or in turn where they have fewer places.  `weights` are
    numbers of the policy's own.
    """
    bad = 0
    places = len(S)
    for i in range(first, end):
        k = i % places
        seed_rng(rng, seed, i)
        assign(S, k, F, 0)
        stopped[k] = playout_at(S, k, B, out, weight, rng, limit, tally, weights)
        bad += stopped[k]
        if stopped[k] == 0:
            returns(S[k], B[0], results[k])
    return bad


# -- games that are stepped from outside (core/vector.py) -------------------------------------------------


def to_a_seat(S: Any, i: int, B: Any, out: Any, weight: Any, rng: Any) -> int:
    """Let chance play until a seat is to move or the game is over; who it is."""
    mover = to_move(S[i], B[0])
    while mover == CHANCE:
        n = odds(S[i], B[0], out, weight)
        apply(S[i], B[0], 0 + out[pick(next_u32(rng), weight, n)])
        mover = to_move(S[i], B[0])
    return mover


def begin(
    S: Any, F: Any, i: int, B: Any, out: Any, weight: Any, rngs: Any, seed: int, games: Any, plies: Any
) -> int:
    """The next game of place i: in n places, game k of place i has the chance of stream i + n * k."""
    rng = rngs[i]
    seed_rng(rng, seed, i + len(S) * int(games[i]))
    games[i] += 1
    plies[i] = 0
    assign(S, i, F, 0)
    return to_a_seat(S, i, B, out, weight, rng)


def advance(
    S: Any, F: Any, first: int, end: int, B: Any, codes: Any, out: Any, weight: Any, rngs: Any, seed: int,
    limit: int, games: Any, plies: Any, movers: Any, results: Any, ended: Any, masks: Any,
) -> None:  # fmt: skip
    """Play codes[i] in game i, or begin it, or wait; then chance, and a new game where this one is over."""
    for i in range(first, end):
        code = int(codes[i])
        ended[i] = GOES_ON
        row = results[i]
        for k in range(len(row)):
            row[k] = 0
        if code == WAIT:
            continue
        if code == BEGIN:
            mover = begin(S, F, i, B, out, weight, rngs, seed, games, plies)
        else:
            apply(S[i], B[0], code)
            mover = to_a_seat(S, i, B, out, weight, rngs[i])
            plies[i] += 1
            if mover == OVER:
                returns(S[i], B[0], row)
                ended[i] = ENDED
            elif plies[i] >= limit:
                ended[i] = CUT_OFF
            if ended[i] != GOES_ON:
                mover = begin(S, F, i, B, out, weight, rngs, seed, games, plies)
        movers[i] = mover
        mask = masks[i]
        for k in range(len(mask)):
            mask[k] = 0
        n = legal(S[i], B[0], out)
        for k in range(n):
            mask[out[k]] = 1


def copies(S: Any, T: Any, times: int) -> None:
    """Copy a position to and fro: for measuring."""
    for k in range(times):
        assign(T, k & 63, S, (k + 1) & 63)


ENTRY = (
    new_at, to_move_at, legal_at, odds_at, apply_at, seen_at, redeal_at, returns_at, check_at,
    draw_at, step_at, playouts, copies, advance,
)  # fmt: skip
