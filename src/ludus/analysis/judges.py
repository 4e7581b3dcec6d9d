"""Judges: who says what a position is worth and what a choice would come to.

The strongest evaluation that a title has is taken: its net with a search over the rest of the turn and the
reply; without a net its hand-made value in the same place; without either, rollouts.  What was not compared
with the results of games is marked as rough.  A choice is judged by what its seat knew: positions are dealt
anew from that, each time.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from statistics import fmean
from typing import Any, Protocol

from ludus.bots.legatus import Imperator, Legatus
from ludus.bots.net import Net
from ludus.bots.planner import Planner, Search, find_net, make_room, net_path
from ludus.bots.planning import LENGTH, PLANNING
from ludus.core.binding import Program
from ludus.core.chance import CHANCE, OVER, mixed, next_u32, seed_rng
from ludus.core.forms import CompiledForm, PlainForm
from ludus.core.title import Title

from . import calibration
from .calibration import Calibration
from .contest import Contest, compete
from .depth import Depth
from .rolling import ROLL, SLIPS, Rollouts
from .weighing import WEIGH

Bound = PlainForm[Any, Any] | CompiledForm[Any, Any]  # the rules of a title, bound to a box

Plan = Sequence[int]  # what a seat does, code by code

NET, VALUE, ROLLOUTS = "net", "value", "rollouts"  # by what is judged
PLANS = 160  # room for so many
ADDED = 8  # of it for what was played and what others would have played
LED = 16  # plans by first actions of a turn that is planned as a whole
SAMPLES = 4
DEALS = 24  # ways in which a deal that goes on is finished, to weigh it
TURNS_ENDED = 2  # lucks with which the rest of a turn is played before it is weighed
AT_ONCE = 64  # positions weighed in one go
SURE = 1e-4  # nearer to 0 or 1 lies only what is decided
TRUST = 0.25  # of differences after replies of miles, where nobody has measured how many come true


@dataclass(frozen=True)
class Judged:
    """Choices and what they come to: each a plan, the codes of what the seat does, the first of them now."""

    plans: list[tuple[int, ...]]
    outcome: Contest
    played: int  # which of them was played; -1: nobody asked
    also: tuple[int, ...] = ()  # which of them others would have played


class Judge(Protocol):
    """Judges positions of one box, in one form; one after the other."""

    by: str
    digest: str  # names what the judgement depends on
    known: Calibration  # how its estimates are read

    def chances(self, positions: Sequence[Any], seed: int, mid_turn: bool = False) -> list[list[float]]:
        """The chance of each seat in each position, as it truly is; they sum up to 1.  `mid_turn`: a turn
        goes on there which this judge can only weigh at its end."""

    def estimates(self, s: Any, seed: int, mid_turn: bool = False) -> list[list[float]]:
        """What is said of every seat from what it knows, before anything is calibrated; with each luck."""

    def choices(
        self, s: Any, seat: int, played: Plan, seed: int, now: float, every: bool = False,
        also: Sequence[Plan] = (),
    ) -> Judged:  # fmt: skip
        """What the choices of a seat come to, whose chance is `now`; `played` is what it did, up to where it
        could choose anew, `also` what others would have done.  `every`: each legal action is tried, not only
        those that seem sensible."""

    @property
    def rough(self) -> bool: ...


def number(seed: int, *more: int) -> int:
    """A seed for the loops, out of several numbers."""
    for one in more:
        seed = mixed(seed, one & 0xFFFFFFFF)
    return (seed & (1 << 50) - 1) | 1


def result_of(form: Bound, s: Any) -> list[float]:
    """What each seat has of a finished game: all of it, or its part of a shared first place."""
    returns = form.returns(s)
    most = max(returns)
    first = sum(r == most for r in returns)
    return [1 / first if r == most else 0.0 for r in returns]


def balanced(own: Sequence[float]) -> list[float]:
    """Chances of all seats out of what each would say of itself.

    >>> [round(x, 3) for x in balanced([0.7, 0.5])], balanced([0.2, 0.1, 0.1])
    ([0.6, 0.4], [0.5, 0.25, 0.25])
    """
    if len(own) == 2:
        first = (own[0] + 1 - own[1]) / 2
        return [first, 1 - first]
    total = sum(own)
    return [x / total if total > 0 else 1 / len(own) for x in own]


def turn_of(title: Title[Any, Any], form: Bound, s: Any) -> int:
    """Which turn it is, where turns are planned as a whole; else every choice stands for itself."""
    if title.inputs is None or not title.inputs.whole_turns:
        return 0
    return int(title.inputs.turn(form.glance(s), form.box))


class NetJudge:
    """By a net, or by the hand-made value in its place, with the search of legatus."""

    def __init__(
        self, title: Title[Any, Any], form: Bound, net: Net, depth: Depth, known: Calibration
    ) -> None:
        assert title.inputs is not None
        box: Any = form.box
        self.title, self.form, self.depth, self.inputs = title, form, depth, title.inputs
        learnt = any(net_path(title, box, size).exists() for size in (Imperator.size, ""))
        self.by = NET if learnt else VALUE
        self.digest = calibration.digest_of(net, self.by)
        self.known = known
        self.trust = known.trust or (TRUST if self.inputs.replies else 1.0)
        self.planner = Planner(form, title, net)
        self.planner.room = make_room(form, title, net, PLANS)
        self._weigh = form.bind(WEIGH).weigh
        self._rows = form.rows(AT_ONCE)
        self._out = form.floats(AT_ONCE * form.seats)

    @property
    def rough(self) -> bool:
        return not self.known.fits(self.digest, self.form.seats)

    def _weighed(self, positions: Sequence[Any]) -> list[list[float]]:
        """What the net says of every seat."""
        seats, found = self.form.seats, []
        for start in range(0, len(positions), AT_ONCE):
            some = positions[start : start + AT_ONCE]
            for k, s in enumerate(some):
                self.form.put(self._rows, k, s)
            self._weigh(
                self._rows, len(some), self.form.boxes, seats, self.planner.net, self.planner.room, self._out
            )  # fmt: skip
            found += [[float(x) for x in self._out[k * seats : (k + 1) * seats]] for k in range(len(some))]
        return found

    def _read(self, said: float, seat: int) -> float:
        """One estimate as a chance; a game that is over there says for sure."""
        return min(1.0, max(0.0, said)) if not SURE < said < 1 - SURE else self.known.read(said, seat)

    def _reader(self, first: Sequence[Sequence[float]], seat: int, now: float) -> Callable[[float], float]:
        """How what plans come to is read.  Where only a part of their differences comes true, the best one
        by the first lucks is worth what the position is, and the others less by that part; what is decided
        stands as it is."""
        trust, known = self.trust, self.known
        if trust == 1.0:
            return lambda said: self._read(said, seat)
        undecided = [row for row in zip(*first, strict=True) if all(SURE < said < 1 - SURE for said in row)]
        top = max((fmean(known.read(said, seat) for said in row) for row in undecided), default=now)

        def read(said: float) -> float:
            if not SURE < said < 1 - SURE:
                return self._read(said, seat)
            return min(1.0, max(0.0, now - trust * (top - known.read(said, seat))))

        return read

    def _read_all(self, rows: Sequence[Sequence[float]]) -> list[float]:
        return mean_of([[self._read(x, p) for p, x in enumerate(row)] for row in rows])

    def estimates(self, s: Any, seed: int, mid_turn: bool = False) -> list[list[float]]:
        if mid_turn and self.inputs.whole_turns:
            return self._ended(s, seed)
        return self._weighed([s])

    def chances(self, positions: Sequence[Any], seed: int, mid_turn: bool = False) -> list[list[float]]:
        over = [self.form.to_move(s) == OVER for s in positions]
        if mid_turn and self.inputs.whole_turns:
            own = [
                [0.0] if end else self._read_all(self._ended(s, seed))
                for s, end in zip(positions, over, strict=True)
            ]
        else:
            own = self._settled(positions, seed)
        return [
            result_of(self.form, s) if end else balanced(row)
            for s, row, end in zip(positions, own, over, strict=True)
        ]

    def _settled(self, positions: Sequence[Any], seed: int) -> list[list[float]]:
        """Each seat's chance in positions; where chance has not had its say, after it had, in some ways."""
        form, ends, places = self.form, [], [0]
        for s in positions:
            ways = DEALS if form.to_move(s) == CHANCE else 1
            ends += [s if ways == 1 else settled(form, s, number(seed, k)) for k in range(ways)]
            places.append(len(ends))
        found = self._weighed(ends)
        return [self._read_all(found[a:b]) for a, b in pairwise(places)]

    def _ended(self, s: Any, seed: int) -> list[list[float]]:
        """What each seat says of a position when the turn that goes on in it is over, with each luck."""
        search = replace(self._turns(), turns=0)
        self.form.put(self.planner.S, 0, s)
        self.planner.room.lengths[0] = 0
        return [
            [self._followed(p, number(seed), [0], luck, search)[0] for p in range(self.form.seats)]
            for luck in range(TURNS_ENDED)
        ]

    def _followed(self, seat: int, base: int, alive: list[int], luck: int, search: Search) -> list[float]:
        """What plans come to with one luck, as the net says it."""
        self.planner.clear(max(alive) + 1)
        self.planner.compare(seat, base, alive, range(luck, luck + 1), search)
        return [float(self.planner.room.sums[i]) for i in alive]

    def _turns(self) -> Search:
        return Legatus(self.title).turns()

    def _search(self, legal: int, every: bool) -> Search:
        if not self.inputs.whole_turns:
            return replace(Legatus.actions, wide=min(legal, PLANS - ADDED))
        return replace(self._turns(), led=min(legal, PLANS // 2 if every else LED))

    def choices(
        self, s: Any, seat: int, played: Plan, seed: int, now: float, every: bool = False,
        also: Sequence[Plan] = (),
    ) -> Judged:  # fmt: skip
        planner, form, base = self.planner, self.form, number(seed)
        rng = [0, 0, 0, 0]
        seed_rng(rng, base, 7000000)
        sample = form.copy(s)
        form.redeal(sample, seat, rng)
        form.put(planner.S, 0, sample)
        search = self._search(len(form.legal(s)), every)
        count = planner.propose(seat, base, search, SAMPLES)
        plans = [tuple(planner.plan(i)) for i in range(count)]
        which, *others = (self._place(plans, tuple(plan[:LENGTH])) for plan in (played, *also))
        lucks = self.depth.turns if self.inputs.whole_turns else self.depth.lucks
        everything = [*range(len(plans))]
        first = [self._followed(seat, base, everything, luck, search) for luck in range(lucks[0])]
        read = self._reader(first, seat, now)

        def attempt(alive: list[int], luck: int) -> list[float]:
            known = first[luck] if luck < len(first) else self._followed(seat, base, alive, luck, search)
            return [read(said) for said in known]

        return Judged(plans, compete(len(plans), attempt, lucks, which), which, tuple(others))

    def _place(self, plans: list[tuple[int, ...]], played: tuple[int, ...]) -> int:
        """Which plan is the one that was played; it is written down where nobody thought of it."""
        if not played:
            return -1
        for i, plan in enumerate(plans):
            if plan == played or (not self.inputs.whole_turns and plan[0] == played[0]):
                return i
        room = self.planner.room
        for t, code in enumerate(played):
            room.plans[len(plans)][t] = code
        room.lengths[len(plans)] = len(played)
        plans.append(played)
        return len(plans) - 1


class RolloutJudge:
    """By games that are played to their end: for titles without a net."""

    by = ROLLOUTS

    def __init__(self, title: Title[Any, Any], form: Bound, depth: Depth, known: Calibration) -> None:
        self.form, self.depth, self.known = form, depth, known
        self.digest = calibration.digest_of(None, f"{ROLLOUTS} {depth.rollouts} {SLIPS}")
        self._rollouts = Rollouts(form, title)

    @property
    def rough(self) -> bool:
        return not self.known.fits(self.digest, self.form.seats)

    def estimates(self, s: Any, seed: int, mid_turn: bool = False) -> list[list[float]]:
        return [self._rollouts.play(s, -1, -1, range(self.depth.rollouts), number(seed))]

    def chances(self, positions: Sequence[Any], seed: int, mid_turn: bool = False) -> list[list[float]]:
        return [self._chances(s, seed) for s in positions]

    def _chances(self, s: Any, seed: int) -> list[float]:
        if self.form.to_move(s) == OVER:
            return result_of(self.form, s)
        (rolled,) = self.estimates(s, seed)
        return balanced([self.known.read(x, p) for p, x in enumerate(rolled)])

    def choices(
        self, s: Any, seat: int, played: Plan, seed: int, now: float, every: bool = False,
        also: Sequence[Plan] = (),
    ) -> Judged:  # fmt: skip
        codes, base = self.form.legal(s), number(seed)
        which = codes.index(played[0]) if played else -1

        def attempt(alive: list[int], luck: int) -> list[float]:
            lucks = range(luck, luck + 1)
            return [self._rollouts.play(s, seat, codes[i], lucks, base)[seat] for i in alive]

        found = compete(len(codes), attempt, self.depth.rolled, which, estimated=False)
        others = tuple(codes.index(plan[0]) for plan in also)
        ends = [self._ends(s, code) for code in codes]
        return Judged([(code,) for code in codes], self._read(found, which, seat, ends), which, others)

    def _ends(self, s: Any, code: int) -> bool:
        """Whether the game is over after an action."""
        after = self.form.copy(s)
        self.form.apply(after, code)
        return self.form.to_move(after) == OVER

    def _read(self, found: Contest, played: int, seat: int, ends: Sequence[bool]) -> Contest:
        """What games came to, as chances; what ends the game at once, for sure if it always does, is none."""
        chances = [
            x if end and x in (0.0, 1.0) else self.known.read(x, seat)
            for x, end in zip(found.chances, ends, strict=True)
        ]
        best = max(range(len(chances)), key=lambda i: (chances[i] == 1.0, i == found.best))
        cost = 0.0 if played < 0 else max(0.0, chances[best] - chances[played])
        return replace(found, chances=chances, best=best, cost=cost)


def make_judge(title: Title[Any, Any], form: Bound, depth: Depth, trust: float | None = None) -> Judge:
    """The strongest judge that there is for a box; with another trust than was measured, if wanted."""
    box: Any = form.box
    known = calibration.load(title, calibration.calibration_name(title, box))
    known = known if trust is None else replace(known, trust=trust)
    net = find_net(title, box, Imperator.size)
    if net is not None:
        return NetJudge(title, form, net, depth, known)
    return RolloutJudge(title, form, depth, known)


def programs_of(title: Title[Any, Any]) -> list[Program]:
    """What a judge of a title runs as machine code."""
    return [PLANNING, WEIGH] if title.inputs is not None else [ROLL]


def believed(form: Bound, s: Any, seat: int, seed: int, count: int) -> list[Any]:
    """Some positions that a seat could believe in."""
    found = []
    for k in range(count):
        rng = [0, 0, 0, 0]
        seed_rng(rng, number(seed), 8000000 + k)
        again = form.copy(s)
        form.redeal(again, seat, rng)
        found.append(again)
    return found


def settled(form: Bound, s: Any, base: int) -> Any:
    """A position after chance had its say, by one luck."""
    rng = [0, 0, 0, 0]
    seed_rng(rng, base, 6000000)
    after = form.copy(s)
    while form.to_move(after) == CHANCE:
        form.apply(after, form.draw(after, next_u32(rng)))
    return after


def mean_of(rows: Sequence[Sequence[float]]) -> list[float]:
    """The average of some rows of chances."""
    return [fmean(column) for column in zip(*rows, strict=True)]
