"""A warp plays a pool of games: in each round 32 of those that do the same kind of thing next."""

from __future__ import annotations

from typing import Any

from numba import cuda, int8, int32, int64

from ludus.core.chance import CHANCE, OVER, next_u32, pick, seed_rng
from ludus.core.contract import MAX_SEATS, apply, assign, choose, legal, odds, returns, to_move
from ludus.core.loops import CHANCES, DIGEST, HASH, MOST_LEGAL, TALLY, count_choices

POSITION: Any = int32
SIZE = 1
POOL = 256  # games of a warp at most
LANES = 32
BUCKETS = 64
FRESH = 63  # the bucket of games that are over, or not begun
KINDS = 32  # buckets from here on: an action is chosen, of a group of kinds
GAME, PLAYED, SUM, CODE = 0, 1, 2, 3


def bucket_of(s: Any, box: Any, mover: int, played: int, limit: int) -> int:
    if mover == OVER or played == limit:
        return FRESH
    return s.phase & 31


def pool_out(
    F: Any, B: Any, first: int, end: int, seed: int, limit: int, begun: Any, total: Any, results: Any,
    weights: Any, G: Any, infos: Any, rngs: Any, groups: Any, mode: int, pool: int,
) -> None:  # fmt: skip
    S = cuda.local.array(1, POSITION, alignment=16)
    out = cuda.local.array(SIZE, int32)
    weight = cuda.local.array(SIZE, int32)
    row = cuda.local.array(MAX_SEATS, int32)
    tally = cuda.local.array(TALLY, int64)
    keys = cuda.shared.array(POOL, int8)
    counts = cuda.shared.array(BUCKETS, int32)
    chosen = cuda.shared.array(LANES, int32)
    best = cuda.shared.array(3, int32)
    for k in range(TALLY):
        tally[k] = 0
    stopped = 0
    lane = cuda.threadIdx.x
    base = cuda.blockIdx.x * pool
    split, sample = mode & 1, mode & 2  # a sample ends when no game is left to begin
    linger = mode >> 2  # so many actions of one kind a round
    for j in range(lane, pool, LANES):
        keys[j] = FRESH
        infos[base + j, GAME] = -1
    while True:
        for j in range(lane, BUCKETS, LANES):
            counts[j] = 0
        if lane == 0:
            best[0] = 0
            best[1] = 0
            best[2] = sample if begun[0] > end - first else 0
        cuda.syncthreads()
        for j in range(lane, pool, LANES):
            key = keys[j]
            if key >= 0:
                cuda.atomic.add(counts, key, 1)
        cuda.syncthreads()
        for j in range(lane, BUCKETS, LANES):
            cuda.atomic.max(best, 0, counts[j] * BUCKETS + j)
        cuda.syncthreads()
        found = best[0]
        if found < BUCKETS or best[2] != 0:
            break
        bucket = found & (BUCKETS - 1)
        for j in range(lane, pool, LANES):
            if keys[j] == bucket:
                place = cuda.atomic.add(best, 1, 1)
                if place < LANES:
                    chosen[place] = j
        cuda.syncthreads()
        if lane * BUCKETS + bucket < found:
            j = chosen[lane]
            at = base + j
            assign(S, 0, G, at)
            rng = rngs[at]
            played = infos[at, PLAYED]
            if bucket == FRESH:
                game = infos[at, GAME]
                if game >= 0:
                    for k in range(MAX_SEATS):
                        row[k] = 0
                    if to_move(S[0], B[0]) == OVER:
                        returns(S[0], B[0], row)
                    else:
                        stopped += 1
                    for k in range(results.shape[1]):
                        results[game, k] = row[k]
                    tally[DIGEST] ^= infos[at, SUM]
                game = first + cuda.atomic.add(begun, 0, 1)
                key = -1
                if game < end:
                    infos[at, GAME] = game
                    infos[at, PLAYED] = 0
                    infos[at, SUM] = 0
                    seed_rng(rng, seed, game)
                    assign(S, 0, F, 0)
                    assign(G, at, S, 0)
                    key = bucket_of(S[0], B[0], to_move(S[0], B[0]), 0, limit)
                keys[j] = key
            elif bucket >= KINDS:
                code = infos[at, CODE]
                apply(S[0], B[0], code)
                infos[at, SUM] = (infos[at, SUM] * 31 + code + 1) & HASH
                infos[at, PLAYED] = played + 1
                assign(G, at, S, 0)
                keys[j] = bucket_of(S[0], B[0], to_move(S[0], B[0]), played + 1, limit)
            else:
                digest, key, times = infos[at, SUM], bucket, linger
                while True:
                    if to_move(S[0], B[0]) == CHANCE:
                        place = pick(next_u32(rng), weight, odds(S[0], B[0], out, weight))
                        tally[CHANCES] += 1
                    else:
                        n = legal(S[0], B[0], out)
                        place = choose(S[0], B[0], out, n, rng, weights)
                        count_choices(tally, n)
                    code = 0 + out[place]
                    if split != 0:
                        infos[at, CODE] = code
                        key = KINDS + groups[code]
                        break
                    apply(S[0], B[0], code)
                    digest = (digest * 31 + code + 1) & HASH
                    played += 1
                    key = bucket_of(S[0], B[0], to_move(S[0], B[0]), played, limit)
                    if key != bucket or times == 0:
                        break
                    times -= 1
                if split == 0:
                    infos[at, SUM] = digest
                    infos[at, PLAYED] = played
                    assign(G, at, S, 0)
                keys[j] = key
        cuda.syncthreads()
    for k in range(MOST_LEGAL):
        cuda.atomic.add(total, k, tally[k])
    cuda.atomic.max(total, MOST_LEGAL, tally[MOST_LEGAL])
    cuda.atomic.xor(total, DIGEST, tally[DIGEST])
    cuda.atomic.add(total, TALLY, stopped)


def pool_here(
    F: Any, B: Any, first: int, end: int, seed: int, limit: int, begun: Any, total: Any, results: Any,
    weights: Any, G: Any, infos: Any, rngs: Any, groups: Any, mode: int, pool: int,
) -> None:  # fmt: skip
    """The same with positions where they lie, and no copies."""
    out = cuda.local.array(SIZE, int32)
    weight = cuda.local.array(SIZE, int32)
    row = cuda.local.array(MAX_SEATS, int32)
    tally = cuda.local.array(TALLY, int64)
    keys = cuda.shared.array(POOL, int8)
    counts = cuda.shared.array(BUCKETS, int32)
    chosen = cuda.shared.array(LANES, int32)
    best = cuda.shared.array(3, int32)
    for k in range(TALLY):
        tally[k] = 0
    stopped = 0
    lane = cuda.threadIdx.x
    base = cuda.blockIdx.x * pool
    split, sample = mode & 1, mode & 2  # a sample ends when no game is left to begin
    linger = mode >> 2  # so many actions of one kind a round
    for j in range(lane, pool, LANES):
        keys[j] = FRESH
        infos[base + j, GAME] = -1
    while True:
        for j in range(lane, BUCKETS, LANES):
            counts[j] = 0
        if lane == 0:
            best[0] = 0
            best[1] = 0
            best[2] = sample if begun[0] > end - first else 0
        cuda.syncthreads()
        for j in range(lane, pool, LANES):
            key = keys[j]
            if key >= 0:
                cuda.atomic.add(counts, key, 1)
        cuda.syncthreads()
        for j in range(lane, BUCKETS, LANES):
            cuda.atomic.max(best, 0, counts[j] * BUCKETS + j)
        cuda.syncthreads()
        found = best[0]
        if found < BUCKETS or best[2] != 0:
            break
        bucket = found & (BUCKETS - 1)
        for j in range(lane, pool, LANES):
            if keys[j] == bucket:
                place = cuda.atomic.add(best, 1, 1)
                if place < LANES:
                    chosen[place] = j
        cuda.syncthreads()
        if lane * BUCKETS + bucket < found:
            j = chosen[lane]
            at = base + j
            s = G[at]
            rng = rngs[at]
            played = infos[at, PLAYED]
            if bucket == FRESH:
                game = infos[at, GAME]
                if game >= 0:
                    for k in range(MAX_SEATS):
                        row[k] = 0
                    if to_move(s, B[0]) == OVER:
                        returns(s, B[0], row)
                    else:
                        stopped += 1
                    for k in range(results.shape[1]):
                        results[game, k] = row[k]
                    tally[DIGEST] ^= infos[at, SUM]
                game = first + cuda.atomic.add(begun, 0, 1)
                key = -1
                if game < end:
                    infos[at, GAME] = game
                    infos[at, PLAYED] = 0
                    infos[at, SUM] = 0
                    seed_rng(rng, seed, game)
                    assign(G, at, F, 0)
                    key = bucket_of(s, B[0], to_move(s, B[0]), 0, limit)
                keys[j] = key
            elif bucket >= KINDS:
                code = infos[at, CODE]
                apply(s, B[0], code)
                infos[at, SUM] = (infos[at, SUM] * 31 + code + 1) & HASH
                infos[at, PLAYED] = played + 1
                keys[j] = bucket_of(s, B[0], to_move(s, B[0]), played + 1, limit)
            else:
                digest, key, times = infos[at, SUM], bucket, linger
                while True:
                    if to_move(s, B[0]) == CHANCE:
                        place = pick(next_u32(rng), weight, odds(s, B[0], out, weight))
                        tally[CHANCES] += 1
                    else:
                        n = legal(s, B[0], out)
                        place = choose(s, B[0], out, n, rng, weights)
                        count_choices(tally, n)
                    code = 0 + out[place]
                    if split != 0:
                        infos[at, CODE] = code
                        key = KINDS + groups[code]
                        break
                    apply(s, B[0], code)
                    digest = (digest * 31 + code + 1) & HASH
                    played += 1
                    key = bucket_of(s, B[0], to_move(s, B[0]), played, limit)
                    if key != bucket or times == 0:
                        break
                    times -= 1
                if split == 0:
                    infos[at, SUM] = digest
                    infos[at, PLAYED] = played
                keys[j] = key
        cuda.syncthreads()
    for k in range(MOST_LEGAL):
        cuda.atomic.add(total, k, tally[k])
    cuda.atomic.max(total, MOST_LEGAL, tally[MOST_LEGAL])
    cuda.atomic.xor(total, DIGEST, tally[DIGEST])
    cuda.atomic.add(total, TALLY, stopped)
