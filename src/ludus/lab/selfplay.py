"""Self-play that teaches a net: games against itself, each followed by a lesson (TD(lambda), after-states).

Loops in the style of the rules; only the compiled form is fast enough to be of use.
"""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any, NamedTuple

from ludus.bots import planning
from ludus.bots.judging import NO_AIM, run_chance
from ludus.bots.net import Weights, chance_of, learn_chance, learn_policy
from ludus.bots.planning import (
    BY_SOLDIER,
    BY_VALUE,
    DEALT,
    PRESENT,
    Room,
    compare,
    draw_lots,
    is_legal,
    move,
    propose,
    rate,
    sample_room,
    sample_weights,
)  # fmt: skip
from ludus.core.binding import Program, Samples
from ludus.core.chance import OVER, below, next_u32, seed_rng
from ludus.core.contract import apply, assign, features, legal, new, redeal, returns, to_move, turn, value

EMPTY = planning.ROWS  # one more position, of zeros
GAMES, DECISIONS, LESSONS, ERROR, CAPPED, TURNS = 0, 1, 2, 3, 4, 5
STRAYED = 0.02  # so much worse than the best is another choice
SHARP = 0.02  # how much worse an action must be for the policy to want it e times less


class Trace(NamedTuple):
    """What is remembered of a game, decision by decision, for every seat."""

    idx: Any  # decisions x seats x inputs
    val: Any
    n: Any  # decisions x seats
    said: Any  # decisions x seats: what the net thought
    strayed: Any  # decisions x seats: -1, or what the best choice had been worth when another was made
    target: Any  # decisions x seats: what it should have thought
    boundary: Any  # decisions: whether a turn ended before the next one


class Past(NamedTuple):
    """Lessons of earlier games, to be gone through again: those of one game alone are all alike."""

    idx: Any  # lessons x inputs
    val: Any
    n: Any
    target: Any
    filled: Any  # how many there are, and where the next one goes


class Recipe(NamedTuple):
    """How a net is taught."""

    rate: float
    again: int  # for each lesson of a game, so many of earlier games are gone through again
    policy_rate: float
    inside: float  # the part of the rate at which the middle of a turn is learnt, all of one turn the same
    keep: float  # lambda within a turn
    keep_turn: float  # lambda from turn to turn
    haste: float  # what a win is still worth when it comes a turn later
    never: float  # what a game is worth that never ends: below an even share, and everybody hurries
    stray: float  # how often something else than the best is tried
    heat: float  # how alike choices are taken for
    wide: int  # plans by first actions
    led: int  # plans by first actions that go on as miles would
    more: int  # plans that stray
    aimed: int  # plans by aims
    soldier: int  # plans of miles
    lucks: int  # with which plans are compared
    limit: int  # decisions of a game, at most
    by_value: float  # who is ahead when that is reached: the value that makes it 3 to 1


def play_and_learn(
    S: Any, B: Any, seats: int, seed: int, first: int, games: int, recipe: Recipe, net: Weights, room: Room,
    alive: Any, likes: Any, rng: Any, luck: Any, trace: Trace, past: Past, stats: Any,
) -> None:  # fmt: skip
    """Games first..first+games-1 of a seed."""
    for g in range(first, first + games):
        seed_rng(luck, seed, 2 * g)
        seed_rng(rng, seed, 2 * g + 1)
        assign(S, PRESENT, S, EMPTY)
        new(S[PRESENT], B[0])
        T = play(S, B, seats, recipe, net, room, alive, likes, rng, luck, trace, stats)
        learn(S, B, seats, T, recipe, net, room, rng, trace, past, stats)
        stats[GAMES] += 1


def play(
    S: Any, B: Any, seats: int, recipe: Recipe, net: Weights, room: Room, alive: Any, likes: Any,
    rng: Any, luck: Any, trace: Trace, stats: Any,
) -> int:  # fmt: skip
    """One game; how many decisions are remembered."""
    T = 0
    now = -1
    mine = -1  # whose plan it is
    planned = False
    at = 0
    length = 0
    chosen = len(room.lengths) - 1  # where the plan that is followed lies
    for _ in range(recipe.limit):
        if to_move(S[PRESENT], B[0]) < 0:
            run_chance(S[PRESENT], B[0], room.codes, room.weight, luck)
            length = 0  # a plan ends where chance begins
        p = to_move(S[PRESENT], B[0])
        if p == OVER:
            break
        then = turn(S[PRESENT], B[0])
        if then != now:
            stats[TURNS] += 1
            if T > 0:
                trace.boundary[T - 1] = 1
            now = then
            if len(trace.boundary) > T:  # how a turn begins is what plans are judged by
                note_straying(trace, T, p, seats, -1.0)
                remember(S, B, seats, T, net, room, trace)
                T += 1
            length = 0
            planned = False
        n = legal(S[PRESENT], B[0], room.codes)
        if n == 1:
            apply(S[PRESENT], B[0], 0 + room.codes[0])
            continue
        if len(trace.boundary) <= T:
            break
        stats[DECISIONS] += 1
        best = -1.0
        if recipe.wide + recipe.led + recipe.more + recipe.soldier > 0 and not planned:
            planned = True
            mine = p
            at = 0
            best = plan_turn(S, B, p, recipe, net, room, alive, rng)
            length = room.lengths[chosen]
        note_straying(trace, T, p, seats, best)
        if mine == p and at < length and is_legal(S, PRESENT, B, room.plans[chosen][at], room):
            code = int(room.plans[chosen][at])
            at += 1
            if recipe.policy_rate > 0:
                n = legal(S[PRESENT], B[0], room.codes)
                for i in range(n):
                    likes[i] = 1.0 if room.codes[i] == code else 0.0
                teach_policy(S, B, p, n, likes, recipe, net, room)
        else:
            length = 0
            code = decide(S, B, p, seats, T, recipe, net, room, likes, rng, trace)
        apply(S[PRESENT], B[0], code)
        if to_move(S[PRESENT], B[0]) != OVER:
            remember(S, B, seats, T, net, room, trace)
            T += 1
    return T


def remember(S: Any, B: Any, seats: int, T: int, net: Weights, room: Room, trace: Trace) -> None:
    """Keep what the present looks like to every seat."""
    trace.boundary[T] = 0
    for q in range(seats):
        m = features(S[PRESENT], B[0], q, trace.idx[T][q], trace.val[T][q])
        trace.n[T][q] = m
        trace.said[T][q] = chance_of(trace.idx[T][q], trace.val[T][q], m, net, room.h)


def note_straying(trace: Trace, T: int, p: int, seats: int, top: float) -> None:
    """A worse choice than the best one says nothing about what came before: the best value stands for it
    (-1: the best one was taken).  Two seats share what they had together: less than 1 where wins are worth
    the less the later they come."""
    for q in range(seats):
        trace.strayed[T][q] = -1.0
    if top >= 0:
        trace.strayed[T][p] = top
        if seats == 2:
            together = trace.said[T - 1][0] + trace.said[T - 1][1] if T > 0 else 1.0
            trace.strayed[T][1 - p] = max(0.0, together - top)


def plan_turn(
    S: Any, B: Any, p: int, recipe: Recipe, net: Weights, room: Room, alive: Any, rng: Any
) -> float:  # fmt: skip
    """Choose a turn and put it in the last place; what the best was worth if another is taken, else -1."""
    base = (next_u32(rng) << 20) | 1
    wide, led, more, soldier = recipe.wide, recipe.led, recipe.more, recipe.soldier
    count = propose(S, B, p, wide, led, more, soldier, recipe.aimed, 1, base, recipe.heat, 0.0, net, room)
    for c in range(count):
        alive[c] = c
        room.sums[c] = 0.0
    how = BY_SOLDIER if by_miles(recipe) else BY_VALUE
    compare(S, B, p, alive[:count], 0, recipe.lucks, base, 0, how, net, room)
    best = 0
    for c in range(count):
        if room.sums[c] > room.sums[best]:
            best = c
    taken = best
    if next_u32(rng) < recipe.stray * 4294967296.0:
        taken = below(rng, count)
    last = len(room.lengths) - 1
    room.lengths[last] = room.lengths[taken]
    for t in range(room.lengths[taken]):
        room.plans[last][t] = room.plans[taken][t]
    worse = room.sums[taken] < room.sums[best] - STRAYED * recipe.lucks
    return room.sums[best] / recipe.lucks if worse else -1.0


def by_miles(recipe: Recipe) -> bool:
    """Whether miles plays what no plan holds: a net that is taught the ends of turns knows nothing of their
    middle."""
    return recipe.led + recipe.soldier > 0 and recipe.wide + recipe.more == 0


def decide(
    S: Any, B: Any, p: int, seats: int, T: int, recipe: Recipe, net: Weights, room: Room, likes: Any,
    rng: Any, trace: Trace,
) -> int:  # fmt: skip
    """An action by what it is worth at once, sometimes another."""
    assign(S, DEALT, S, PRESENT)
    redeal(S[DEALT], B[0], p, rng)
    if by_miles(recipe):
        return move(S, DEALT, B, p, BY_SOLDIER, 0.0, 0.0, 0, NO_AIM, net, room)
    n = legal(S[PRESENT], B[0], room.first)
    best = rate(S, DEALT, B, p, room.first, n, net, room)
    top = room.values[best]
    i = best
    if next_u32(rng) < recipe.stray * 4294967296.0:
        i = below(rng, n)
    elif recipe.heat > 0 and recipe.wide + recipe.led + recipe.soldier == 0:
        i = draw_lots(room.values, n, best, recipe.heat, rng)
    if room.values[i] < top - STRAYED:
        note_straying(trace, T, p, seats, top)
    code = int(room.first[i])
    if recipe.policy_rate > 0 and next_u32(rng) < 2147483648:
        total = 0.0
        for j in range(n):
            likes[j] = math.exp((room.values[j] - top) / SHARP)
            total += likes[j]
            room.codes[j] = room.first[j]
        for j in range(n):
            likes[j] /= total
        teach_policy(S, B, p, n, likes, recipe, net, room)
    return code


def teach_policy(
    S: Any, B: Any, p: int, n: int, likes: Any, recipe: Recipe, net: Weights, room: Room
) -> None:  # fmt: skip
    """Let the policy want room.codes[:n] of the present as likes[:n] say."""
    m = features(S[PRESENT], B[0], p, room.idx, room.val)
    learn_policy(
        room.idx, room.val, m, room.codes, n, likes, recipe.policy_rate, net, room.h, room.g, room.values
    )  # fmt: skip


def learn(
    S: Any, B: Any, seats: int, T: int, recipe: Recipe, net: Weights, room: Room, rng: Any, trace: Trace,
    past: Past, stats: Any,
) -> None:  # fmt: skip
    """The lesson of a game: what every remembered position should have been thought worth."""
    done = to_move(S[PRESENT], B[0]) == OVER
    if done:
        returns(S[PRESENT], B[0], room.results)
    else:
        stats[CAPPED] += 1
    for q in range(seats):
        G = recipe.never
        if done and room.results[q] != 1:
            G = 0.5 * room.results[q]
        elif not done and recipe.by_value > 0:
            ahead = 1.0 / (1.0 + math.exp(-value(S[PRESENT], B[0], q) / recipe.by_value))
            G = ahead ** math.log2(seats)  # who is neither ahead nor behind has an even share
        for t in range(T - 1, -1, -1):
            if t < T - 1:
                if trace.strayed[t + 1][q] >= 0:
                    G = trace.strayed[t + 1][q]
                elif trace.boundary[t] > 0:
                    G = (1 - recipe.keep_turn) * trace.said[t + 1][q] + recipe.keep_turn * G
                else:
                    G = (1 - recipe.keep) * trace.said[t + 1][q] + recipe.keep * G
            if trace.boundary[t] > 0:
                G = recipe.never + recipe.haste * (G - recipe.never)
            trace.target[t][q] = G
    lessons = 0
    for t in range(T - 1, -1, -1):
        begins = t == 0 or trace.boundary[t - 1] > 0
        pace = recipe.rate if begins else recipe.rate * recipe.inside
        for q in range(seats):
            if pace > 0:
                G = trace.target[t][q]
                said = learn_chance(
                    trace.idx[t][q], trace.val[t][q], trace.n[t][q], G, pace, net, room.h
                )  # fmt: skip
                stats[LESSONS] += 1
                stats[ERROR] += (G - said) * (G - said)
            if begins and recipe.again > 0:
                lessons += keep(trace, t, q, past)
    for _ in range(recipe.again * lessons):
        i = below(rng, past.filled[0])
        learn_chance(past.idx[i], past.val[i], past.n[i], past.target[i], recipe.rate, net, room.h)


def keep(trace: Trace, t: int, q: int, past: Past) -> int:
    """Put a lesson to those of the past, where it is not too long for them; how many were put there."""
    n = trace.n[t][q]
    if n > past.idx.shape[1]:
        return 0
    at = past.filled[1]
    for k in range(n):
        past.idx[at][k] = trace.idx[t][q][k]
        past.val[at][k] = trace.val[t][q][k]
    past.n[at] = n
    past.target[at] = trace.target[t][q]
    past.filled[1] = (at + 1) % len(past.n)
    past.filled[0] = max(past.filled[0], at + 1)
    return 1


def _arguments(a: Samples) -> dict[str, tuple[Any, ...]]:
    import numpy as np

    deep, wide = np.zeros((1, 1, 1), np.int32), np.zeros((1, 1, 1), np.float32)
    flat = np.zeros((1, 1))
    trace = Trace(deep, wide, a.table, flat, flat, flat, a.ints)
    past = Past(a.table, np.zeros((1, 1), np.float32), a.ints, a.values, a.words)
    recipe = Recipe(0.0, 0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0, 0, 0, 0, 0, 0, 0, 0.0)
    S, B, rng, net, room = a.positions, a.box, a.words, sample_weights(), sample_room(a)
    return {
        "play_and_learn": (
            S, B, 0, 0, 0, 0, recipe, net, room, a.ints, a.values, rng, rng, trace, past, a.values,
        )
    }  # fmt: skip


SELFPLAY = Program(
    name="selfplay",
    entries=(play_and_learn,),
    arguments=_arguments,
    sources=(Path(__file__), *planning.PLANNING.sources),
    stubs=planning.PLANNING.stubs,
    checked=False,
)
