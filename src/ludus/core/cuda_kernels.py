"""What a thread of a GPU does: the loops of core, one game a thread.

Bound to a title like every program (`core/cuda.py`).  What a playout writes to lies in the thread's local
memory, which the hardware lays out so that the same place of neighbouring threads, and so the same field of
neighbouring games, lies side by side.
"""

from __future__ import annotations

from typing import Any

from numba import cuda, int32, int64

from .chance import CHANCE, OVER, below, next_u32, pick, seed_rng
from .contract import MAX_SEATS, apply, assign, choose, legal, odds, returns, to_move
from .loops import (
    BEGIN,
    CHANCES,
    CUT_OFF,
    DIGEST,
    ENDED,
    GOES_ON,
    HASH,
    MOST_LEGAL,
    TALLY,
    WAIT,
    count_choices,
)
from .observation import add_up, encode_rows, gather, turn

# Given anew for every title by whoever binds: the type of a position, and how many codes there are.
POSITION: Any = int32
SIZE = 1


def play_out(
    F: Any, B: Any, first: int, end: int, seed: int, limit: int, begun: Any, total: Any, results: Any,
    weights: Any,
) -> None:  # fmt: skip
    """Games first..end-1 from the position F[0].  `begun` counts the games that are taken, `total` is the
    tally of all threads, with the games that were cut off behind it.

    One loop over actions, in which a thread whose game is over takes the next one: threads of a warp go on
    together, and with a loop a game all of them would wait for the longest.
    """
    S = cuda.local.array(1, POSITION)
    out = cuda.local.array(SIZE, int32)
    weight = cuda.local.array(SIZE, int32)
    row = cuda.local.array(MAX_SEATS, int32)
    rng = cuda.local.array(4, int64)
    tally = cuda.local.array(TALLY, int64)
    for k in range(TALLY):
        tally[k] = 0
    stopped = 0
    game = first + cuda.atomic.add(begun, 0, 1)
    played = digest = 0
    new_game = True
    while game < end:
        if new_game:
            seed_rng(rng, seed, game)
            assign(S, 0, F, 0)
            played = digest = 0
            new_game = False
        mover = to_move(S[0], B[0])
        if mover == OVER or played == limit:
            for k in range(MAX_SEATS):
                row[k] = 0
            if mover == OVER:
                returns(S[0], B[0], row)
            else:
                stopped += 1
            for k in range(results.shape[1]):
                results[game, k] = row[k]
            tally[DIGEST] ^= digest
            game = first + cuda.atomic.add(begun, 0, 1)
            new_game = True
            continue
        if mover == CHANCE:
            place = pick(next_u32(rng), weight, odds(S[0], B[0], out, weight))
            tally[CHANCES] += 1
        else:
            n = legal(S[0], B[0], out)
            place = choose(S[0], B[0], out, n, rng, weights)
            count_choices(tally, n)
        code = 0 + out[place]
        apply(S[0], B[0], code)
        digest = (digest * 31 + code + 1) & HASH
        played += 1
    for k in range(MOST_LEGAL):
        cuda.atomic.add(total, k, tally[k])
    cuda.atomic.max(total, MOST_LEGAL, tally[MOST_LEGAL])
    cuda.atomic.xor(total, DIGEST, tally[DIGEST])
    cuda.atomic.add(total, TALLY, stopped)


def advance_all(
    S: Any, F: Any, B: Any, codes: Any, rngs: Any, seed: int, limit: int, games: Any, plies: Any, movers: Any,
    results: Any, ended: Any, masks: Any,
) -> None:  # fmt: skip
    """What `loops.advance` does, in every game."""
    out = cuda.local.array(SIZE, int32)
    weight = cuda.local.array(SIZE, int32)
    i = cuda.grid(1)
    if i >= len(S):
        return
    row, mask = results[i], masks[i]
    for k in range(len(row)):
        row[k] = 0
    ended[i] = GOES_ON
    code = int(codes[i])
    if code == WAIT:
        return
    movers[i] = move(S, F, i, B, code, out, weight, rngs[i], seed, limit, games, plies, row, ended)
    for k in range(len(mask)):
        mask[k] = 0
    n = legal(S[i], B[0], out)
    for k in range(n):
        mask[out[k]] = 1


def move(
    S: Any, F: Any, i: int, B: Any, code: int, out: Any, weight: Any, rng: Any, seed: int, limit: int,
    games: Any, plies: Any, row: Any, ended: Any,
) -> int:  # fmt: skip
    """Play an action or begin a game, then chance, and a new game where this one is over; who is to move.

    One loop that calls each rule in one place: the compiler would copy all of it to every other place.
    """
    judged = code == BEGIN  # whether the action has been looked at for what came of it
    while True:
        if code == BEGIN:
            seed_rng(rng, seed, i + len(S) * int(games[i]))
            games[i] += 1
            plies[i] = 0
            assign(S, i, F, 0)
        else:
            apply(S[i], B[0], code)
        mover = to_move(S[i], B[0])
        if mover == CHANCE:
            n = odds(S[i], B[0], out, weight)
            code = 0 + out[pick(next_u32(rng), weight, n)]
            continue
        if not judged:
            judged = True
            plies[i] += 1
            if mover == OVER:
                returns(S[i], B[0], row)
                ended[i] = ENDED
            elif plies[i] >= limit:
                ended[i] = CUT_OFF
            if ended[i] != GOES_ON:
                code = BEGIN
                continue
        return mover


# -- the same for all titles ------------------------------------------------------------------------------


def take_codes(given: Any, size: int, codes: Any) -> None:
    """Codes of any width as ours; what is far from being one becomes one too many."""
    i = cuda.grid(1)
    if i < len(codes):
        code = given[i]
        codes[i] = code if WAIT <= code < size else size


def find_wrong(codes: Any, masks: Any, wrong: Any) -> None:
    """The first game whose code is not legal."""
    i = cuda.grid(1)
    if i < len(codes):
        code = codes[i]
        if code != WAIT and code != BEGIN and not (0 <= code < masks.shape[1] and masks[i, code] == 1):
            cuda.atomic.min(wrong, 0, i)


def choose_all(masks: Any, seed: int, codes: Any) -> None:
    """A legal action of each game, all equally likely."""
    rng = cuda.local.array(4, int64)
    i = cuda.grid(1)
    if i >= len(codes):
        return
    seed_rng(rng, seed, i)
    n = 0
    for code in range(masks.shape[1]):
        n += masks[i, code]
    place = below(rng, n)
    for code in range(masks.shape[1]):
        place -= masks[i, code]
        if place < 0:
            codes[i] = code
            return


def gather_all(V: Any, eyes: Any, sources: Any, places: Any, out: Any) -> None:
    i = cuda.grid(1)
    if i < len(eyes):
        gather(V, eyes, i, i + 1, sources, places, out)


def add_up_all(V: Any, eyes: Any, sources: Any, lengths: Any, places: Any, out: Any) -> None:
    i = cuda.grid(1)
    if i < len(eyes):
        add_up(V, eyes, i, i + 1, sources, lengths, places, out)


def turn_all(movers: Any, seats: int, places: Any, out: Any) -> None:
    i = cuda.grid(1)
    if i < len(movers):
        turn(movers, movers, i, i + 1, seats, places, out)


def encode_all(rows: Any, few: Any, bits: Any, out: Any) -> None:
    i = cuda.grid(1)
    if i < len(rows):
        encode_rows(rows, i, i + 1, few, bits, out)


RULED = (play_out, advance_all)  # those that call the rules of a title
COMMON = (take_codes, find_wrong, choose_all, gather_all, add_up_all, turn_all, encode_all)
