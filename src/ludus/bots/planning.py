"""Planning with a net: choosing an action by what follows, and whole turns by how they end.

Loops in the style of the rules, plain or compiled.  `S` is a row of scratch positions: the present (one
that the seat could believe in), one that is walked on, what would follow an action, a re-dealt present, and
those of `judging`.  A *plan* is what a seat does up to the end of its turn or the next outcome of chance.
Plans are compared with the same re-deals and the same dice: else the luckiest one would win.
"""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any, NamedTuple

from ludus.core import contract
from ludus.core.binding import Program, Samples
from ludus.core.chance import CHANCE, OVER, below, next_u32, seed_rng
from ludus.core.contract import (
    MAX_SEATS,
    aims,
    apply,
    assign,
    features,
    legal,
    redeal,
    returns,
    to_move,
    turn,
)
from ludus.core.title import Inputs, Title

from . import judging
from . import net as nets
from .judging import NO_AIM, judge, run_chance
from .net import Weights, chance_of, prefer

PRESENT, WALKED, NEXT, DEALT, JUDGED = 0, 1, 2, 3, 4
TRIED = JUDGED + judging.SCRATCH
BEST = TRIED + 1
ROWS = BEST + 1
LENGTH = 200  # actions of a plan; a longer turn is planned in pieces
STEPS = 4000  # no walk is longer
FUSS = 1e-6  # what an action too many costs: of two ways to win the shorter one

# Where a plan comes from: a good first action, gone on with by the net or as miles would, neither, or an aim.
WIDE, LED, STRAY, AIMED = 0, 1, 2, 3

# How a move is chosen on a walk: the last one weighs a few whole turns.
BY_VALUE, BY_POLICY, BY_SOLDIER, BY_TURNS = 0, 1, 2, 3
TURNS = 8  # that it weighs
AIMS = 3  # that it weighs beside them

ROUND = -1  # instead of a number of turns: until it is the seat's turn again


class Room(NamedTuple):
    """Where the loops write to."""

    idx: Any  # inputs of the net: which
    val: Any  # and how much
    h: Any  # hidden units
    g: Any  # and what they learn
    codes: Any  # legal actions
    first: Any  # those of the present
    aims: Any  # what a turn could be after
    weight: Any
    results: Any
    values: Any  # what each action is worth
    nexts: Any  # for `judging`
    table: Any
    wtable: Any
    totals: Any
    rng: Any  # chance
    lots: Any  # the planner's own
    plans: Any  # plans x actions
    lengths: Any
    sums: Any  # what each plan came to so far
    count: Any  # of decisions that were thought of


def worth(S: Any, k: int, B: Any, seat: int, net: Weights, room: Room) -> float:
    """The chance of a seat to win position k."""
    if to_move(S[k], B[0]) == OVER:
        returns(S[k], B[0], room.results)
        return float(0.5 * room.results[seat])
    n = features(S[k], B[0], seat, room.idx, room.val)
    return chance_of(room.idx, room.val, n, net, room.h)


def rate(S: Any, k: int, B: Any, seat: int, codes: Any, n: int, net: Weights, room: Room) -> int:
    """room.values[i]: what codes[i] of position k is worth to a seat; the place of the best."""
    best = 0
    for i in range(n):
        assign(S, NEXT, S, k)
        apply(S[NEXT], B[0], 0 + codes[i])  # 0 + : one width of ints, so the rules are compiled once
        room.values[i] = worth(S, NEXT, B, seat, net, room)
        if room.values[i] > room.values[best]:
            best = i
    return best


def draw_lots(values: Any, n: int, best: int, heat: float, rng: Any) -> int:
    """One of n places, the likelier the better it is: a step of `heat` makes it e times likelier."""
    total = 0.0
    for i in range(n):
        total += math.exp((values[i] - values[best]) / heat)
    mark = total * (next_u32(rng) / 4294967296.0)
    for i in range(n):
        mark -= math.exp((values[i] - values[best]) / heat)
        if mark < 0:
            return i
    return best


def soldiers(S: Any, k: int, B: Any, seat: int, aim: int, n: int, room: Room) -> int:
    """room.values[i]: what miles thinks of room.codes[i] of position k, being after an aim; the place of the
    best."""
    T = S[JUDGED : JUDGED + judging.SCRATCH]
    assign(T, 0, S, k)
    for i in range(n):
        room.values[i] = 0.0
    judge(
        T, B, seat, aim, room.codes, n, room.nexts, room.table, room.wtable, room.results, room.rng,
        room.values,
    )  # fmt: skip
    best = 0
    for i in range(n):
        if room.values[i] > room.values[best]:
            best = i
    return best


def leaning(code: int, key: int) -> float:
    """How much a plan of that key likes an action, wherever it comes up in the turn: -1 to 1."""
    x = (code * 7919 + key) & 0xFFFFFF
    x = (x * 1103515245 + 12345) & 0x7FFFFFFF
    x = ((x >> 7) * 69069 + 1) & 0xFFFFFF  # all of it stays below 2**63
    return x / 8388608.0 - 1.0


def move(
    S: Any, k: int, B: Any, p: int, how: int, heat: float, lean: float, key: int, aim: int, net: Weights,
    room: Room,
) -> int:  # fmt: skip
    """What p plays in position k, which has more than one legal action; with `heat` not always the best, with
    `lean` what the plan likes by so many points of the value, with an aim what brings p nearer to it."""
    room.count[0] += 1
    n = legal(S[k], B[0], room.codes)
    if how == BY_POLICY:
        m = features(S[k], B[0], p, room.idx, room.val)
        best = prefer(room.idx, room.val, m, net, room.h, room.codes, n, room.values)
        if heat > 0:
            best = draw_lots(room.values, n, best, 20.0 * heat, room.lots)
    elif how == BY_VALUE:
        best = rate(S, k, B, p, room.codes, n, net, room)
        if heat > 0:
            best = draw_lots(room.values, n, best, heat, room.lots)
    else:
        best = soldiers(S, k, B, p, aim, n, room)
        if lean > 0:
            for i in range(n):
                room.values[i] += lean * leaning(0 + room.codes[i], key)
                if room.values[i] > room.values[best]:
                    best = i
        if heat > 0 and next_u32(room.lots) < heat * 17179869184.0:  # four times as often as `heat` says
            for _ in range(1 + below(room.lots, 2)):
                room.values[best] = -1e18
                for i in range(n):
                    if room.values[i] > room.values[best]:
                        best = i
    return int(room.codes[best])


# -- plans ------------------------------------------------------------------------------------------------


def is_legal(S: Any, k: int, B: Any, code: int, room: Room) -> bool:
    """Whether an action is legal in position k."""
    n = legal(S[k], B[0], room.codes)
    found = False
    for i in range(n):
        if room.codes[i] == code:
            found = True
    return found


def look(S: Any, B: Any, seat: int, samples: int, base: int, net: Weights, room: Room) -> int:
    """room.first: the legal actions of the present; room.totals: what they are worth over some re-deals."""
    n = legal(S[PRESENT], B[0], room.first)
    for i in range(n):
        room.totals[i] = 0.0
    for k in range(samples):
        assign(S, DEALT, S, PRESENT)
        seed_rng(room.rng, base, 1000000 + k)
        redeal(S[DEALT], B[0], seat, room.rng)
        rate(S, DEALT, B, seat, room.first, n, net, room)
        for i in range(n):
            room.totals[i] += room.values[i] / samples
    return n


def look_like_miles(S: Any, B: Any, seat: int, base: int, room: Room) -> int:
    """The same as miles sees it, in one re-dealt position."""
    assign(S, DEALT, S, PRESENT)
    seed_rng(room.rng, base, 1000000)
    redeal(S[DEALT], B[0], seat, room.rng)
    n = legal(S[DEALT], B[0], room.codes)
    soldiers(S, DEALT, B, seat, NO_AIM, n, room)
    for i in range(n):
        room.first[i] = room.codes[i]
        room.totals[i] = room.values[i]
    return n


def sketch(
    S: Any, B: Any, seat: int, code: int, how: int, heat: float, lean: float, key: int, aim: int,
    net: Weights, room: Room, plan: Any,
) -> int:  # fmt: skip
    """Write a plan that begins with an action (-1: with any) out of position DEALT; its length."""
    assign(S, WALKED, S, DEALT)
    now = turn(S[WALKED], B[0])
    length = 0
    for _ in range(STEPS):
        p = to_move(S[WALKED], B[0])
        if p < 0 or turn(S[WALKED], B[0]) != now or length >= LENGTH:
            break
        n = legal(S[WALKED], B[0], room.codes)
        if n == 1:
            apply(S[WALKED], B[0], 0 + room.codes[0])
            continue
        if p != seat:
            apply(S[WALKED], B[0], move(S, WALKED, B, p, how, 0.0, 0.0, 0, NO_AIM, net, room))
            continue
        if length > 0 or code < 0:
            code = move(S, WALKED, B, p, how, heat, lean, key, aim, net, room)
        plan[length] = code
        length += 1
        apply(S[WALKED], B[0], code)
    return length


def follow(
    S: Any, B: Any, seat: int, plan: Any, length: int, turns: int, how: int, base: int, luck: int,
    net: Weights, room: Room,
) -> float:  # fmt: skip
    """Play position WALKED on by a plan and then by the net, to the end of this turn and so many more; the
    seat's chance to win then.  ROUND: those of everybody else, each with dice of its own, which are the same
    whatever was thrown before: what a plan does not touch goes on alike after all of them."""
    inside = BY_SOLDIER if how == BY_TURNS else how
    now = turn(S[WALKED], B[0])
    t = 0
    while t < length:
        if to_move(S[WALKED], B[0]) == CHANCE:
            break  # from here on the plan knows nothing
        p = to_move(S[WALKED], B[0])
        if p == OVER or turn(S[WALKED], B[0]) != now:
            break
        n = legal(S[WALKED], B[0], room.codes)
        if n == 1:
            apply(S[WALKED], B[0], 0 + room.codes[0])
        elif p != seat:
            apply(S[WALKED], B[0], move(S, WALKED, B, p, inside, 0.0, 0.0, 0, NO_AIM, net, room))
        elif is_legal(S, WALKED, B, 0 + plan[t], room):
            room.count[0] += 1
            apply(S[WALKED], B[0], 0 + plan[t])
            t += 1
        else:
            break
    finish_turn(S, WALKED, B, now, inside, NO_AIM, net, room)
    for reply in range(MAX_SEATS if turns == ROUND else turns):
        if turns == ROUND:
            if to_move(S[WALKED], B[0]) == seat:
                break
            seed_rng(room.rng, base, 4000000 + MAX_SEATS * luck + reply)
        if how == BY_TURNS:
            best_turn(S, WALKED, B, net, room)
        else:
            finish_turn(S, WALKED, B, turn(S[WALKED], B[0]), how, NO_AIM, net, room)
    return worth(S, WALKED, B, seat, net, room)


def finish_turn(S: Any, k: int, B: Any, now: int, how: int, aim: int, net: Weights, room: Room) -> None:
    """Play position k on to the end of turn `now` and of the chance after it; who is to move has the aim."""
    mine = to_move(S[k], B[0])
    for _ in range(STEPS):
        run_chance(S[k], B[0], room.codes, room.weight, room.rng)
        p = to_move(S[k], B[0])
        if p == OVER or turn(S[k], B[0]) != now:
            break
        n = legal(S[k], B[0], room.codes)
        if n == 1:
            apply(S[k], B[0], 0 + room.codes[0])
        else:
            apply(S[k], B[0], move(S, k, B, p, how, 0.0, 0.0, 0, aim if p == mine else NO_AIM, net, room))


def best_turn(S: Any, k: int, B: Any, net: Weights, room: Room) -> None:
    """Play the turn that begins in position k: of the first actions that miles likes, each gone on with as
    miles would, and of a few aims, all with the same luck, the one whose end the net likes best."""
    p = to_move(S[k], B[0])  # chance has had its say
    if p == OVER:
        return
    now = turn(S[k], B[0])
    n = legal(S[k], B[0], room.codes)
    for i in range(n):
        room.first[i] = room.codes[i]
    if n > TURNS:
        soldiers(S, k, B, p, NO_AIM, n, room)
        for i in range(n):
            room.totals[i] = room.values[i]
        rank_first(n, TURNS, room)
    a, b, c, d = room.rng[0], room.rng[1], room.rng[2], room.rng[3]
    top = -1.0
    few = min(n, TURNS)
    count = min(AIMS, aims(S[k], B[0], p, room.aims))
    for i in range(few + count):
        room.rng[0], room.rng[1], room.rng[2], room.rng[3] = a, b, c, d
        assign(S, TRIED, S, k)
        if i < few:
            apply(S[TRIED], B[0], 0 + room.first[i])
        finish_turn(S, TRIED, B, now, BY_SOLDIER, NO_AIM if i < few else 0 + room.aims[i - few], net, room)
        found = worth(S, TRIED, B, p, net, room)
        if found > top:
            top = found
            assign(S, BEST, S, TRIED)
    assign(S, k, S, BEST)


def same(plans: Any, lengths: Any, a: int, b: int) -> bool:
    """Whether two plans are the same."""
    alike = lengths[a] == lengths[b]
    for t in range(min(lengths[a], lengths[b])):
        if plans[a][t] != plans[b][t]:
            alike = False
    return bool(alike)


def propose(
    S: Any, B: Any, seat: int, wide: int, led: int, more: int, soldier: int, aimed: int, samples: int,
    base: int, heat: float, lean: float, net: Weights, room: Room,
) -> int:  # fmt: skip
    """Write plans, none twice: for each of the `wide` best first actions one, for each of the `led` best one
    that goes on as miles would, so many that stray from what miles would do, and `more` that stray from what
    seems best, and for each of the first `aimed` aims one; their number.
    With `lean` every second one of miles leans to some actions instead, and miles
    says which first actions are good."""
    miles = lean > 0
    n = look_like_miles(S, B, seat, base, room) if miles else look(S, B, seat, samples, base, net, room)
    rank_first(n, max(wide, led), room)
    count = 0
    others = wide + led + soldier + more
    for c in range(others + min(aimed, aims(S[PRESENT], B[0], seat, room.aims))):
        kind = WIDE if c < wide else LED if c < wide + led else STRAY if c < others else AIMED
        place = c if kind == WIDE else c - wide
        if kind < STRAY and place >= n:
            continue
        assign(S, DEALT, S, PRESENT)
        seed_rng(room.rng, base, 2000000 + c)
        redeal(S[DEALT], B[0], seat, room.rng)
        code = int(room.first[place]) if kind < STRAY else -1
        how = BY_VALUE if kind == WIDE or wide + led + soldier <= c < others else BY_SOLDIER
        aim = 0 + room.aims[c - others] if kind == AIMED else NO_AIM
        some = heat * (1 + c % 3) if kind == STRAY and c != wide + led and c != wide + led + soldier else 0.0
        seed_rng(room.lots, base, 3000000 + c)
        push = 0.0
        if lean > 0 and some > 0 and how == BY_SOLDIER and c % 2 == 1:
            some, push = 0.0, lean * (1 + c % 4) / 4
        key = int(room.lots[0] & 0xFFFFFF)
        room.lengths[count] = sketch(
            S, B, seat, code, how, some, push, key, aim, net, room, room.plans[count]
        )  # fmt: skip
        known = False
        for a in range(count):
            if same(room.plans, room.lengths, a, count):
                known = True
        if not known:
            count += 1
    return count


def rank_first(n: int, most: int, room: Room) -> None:
    """The best of room.first[:n] come to its beginning, as many as are wanted."""
    for place in range(min(n, most)):
        best = place
        for i in range(place, n):
            if room.totals[i] > room.totals[best]:
                best = i
        code, total = room.first[best], room.totals[best]
        for i in range(best, place, -1):
            room.first[i], room.totals[i] = room.first[i - 1], room.totals[i - 1]
        room.first[place], room.totals[place] = code, total


def compare(
    S: Any, B: Any, seat: int, alive: Any, first: int, last: int, base: int, turns: int, how: int,
    net: Weights, room: Room,
) -> None:  # fmt: skip
    """Add to room.sums[c] what each plan c of `alive` comes to, with lucks first..last-1."""
    for r in range(first, last):
        assign(S, DEALT, S, PRESENT)
        seed_rng(room.rng, base, 2 * r)
        redeal(S[DEALT], B[0], seat, room.rng)
        for c in alive:
            assign(S, WALKED, S, DEALT)
            seed_rng(room.rng, base, 2 * r + 1)
            plan, length = room.plans[c], room.lengths[c]
            room.sums[c] += follow(S, B, seat, plan, length, turns, how, base, r, net, room) - FUSS * length


# -- as a program -------------------------------------------------------------------------------------------

LOOK, PROPOSE, COMPARE = 0, 1, 2


def think(
    task: int, S: Any, B: Any, seat: int, one: int, two: int, three: int, four: int, five: int, six: int,
    base: int, heat: float, lean: float, alive: Any, net: Weights, room: Room,
) -> int:  # fmt: skip
    """One entry for three tasks: each entry would bring a copy of the rules along, to be compiled."""
    if task == LOOK:
        return look(S, B, seat, one, base, net, room)
    if task == PROPOSE:
        return propose(S, B, seat, one, two, three, four, five, six, base, heat, lean, net, room)
    compare(S, B, seat, alive, one, two, base, three, four, net, room)
    return 0


def sample_weights() -> Weights:
    """Arrays of the kinds that a net has, for compiling without running."""
    import numpy as np

    flat, wide = np.zeros(1, np.float32), np.zeros((1, 1), np.float32)
    return Weights(wide, flat, flat, wide, flat, wide)


def sample_room(a: Samples) -> Room:
    """The same for the room."""
    import numpy as np

    some = np.zeros(1, np.float32)
    return Room(
        a.ints, some, some, some, a.ints, a.ints, a.ints, a.ints, a.ints, a.values, a.ints, a.table, a.table,
        a.values, a.words, a.words, a.table, a.ints, a.values,
        a.words,
    )  # fmt: skip


def _arguments(a: Samples) -> dict[str, tuple[Any, ...]]:
    net, room = sample_weights(), sample_room(a)
    return {"think": (0, a.positions, a.box, 0, 0, 0, 0, 0, 0, 0, 0, 0.0, 0.0, a.ints, net, room)}


def inputs_of(title: Title[Any, Any]) -> Inputs:
    """What a net is told; only of titles that have such a thing."""
    assert title.inputs is not None
    return title.inputs


def _no_value(s: Any, box: Any, seat: int) -> int:
    return 0


PLANNING = Program(
    name="planning",
    entries=(think,),
    arguments=_arguments,
    sources=(Path(__file__), Path(nets.__file__), Path(judging.__file__)),
    stubs={
        contract.value: lambda title: title.value or _no_value,
        contract.features: lambda title: inputs_of(title).features,
        contract.aims: lambda title: inputs_of(title).aims,
        contract.urge: judging.urge_of,
        contract.turn: lambda title: inputs_of(title).turn,
    },
    checked=False,
)
