"""A planner: the loops of `planning` with a net and everything they write into, in the form of a chair."""

from __future__ import annotations

import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from ludus.core.chance import next_u32
from ludus.core.contract import MAX_SEATS
from ludus.core.forms import Form
from ludus.core.title import Title

from .chair import Chair
from .net import Net, load_net, untaught_net
from .planning import BY_VALUE, COMPARE, LENGTH, LOOK, PLANNING, PROPOSE, ROWS, Room


def net_path(title: Title[Any, Any], box: Any, size: str = "") -> Path:
    """Where the net of a box lies, or would."""
    assert title.inputs is not None
    return title.folder / "nets" / f"{title.inputs.net_name(box)}{size}.npz"


def has_nets(title: Title[Any, Any]) -> bool:
    """Whether there is a net for any box of a title, or the hand-made value stands for one."""
    return title.inputs is not None and (title.inputs.by_value or any((title.folder / "nets").glob("*.npz")))


@cache
def _kept(path: Path) -> Net:
    return load_net(path)


def find_net(title: Title[Any, Any], box: Any, size: str = "") -> Net | None:
    """The net of a box, of that size or the usual one; one that knows the hand-made value alone where the
    title says that this will do; None when there is none that fits the inputs."""
    if title.inputs is None:
        return None
    for path in dict.fromkeys((net_path(title, box, size), net_path(title, box))):
        if path.exists() and (net := _kept(path)).inputs == title.inputs.size:
            return net
    return untaught_net(title) if title.inputs.by_value else None


def make_room(form: Form[Any], title: Title[Any, Any], net: Net, plans: int = 64) -> Room:
    """Where the loops write to."""
    assert title.inputs is not None
    size, most, hidden = title.codes.size, title.inputs.most, net.widest
    return Room(
        idx=form.ints(most), val=form.singles(most), h=form.singles(hidden), g=form.singles(hidden),
        codes=form.ints(size), first=form.ints(size), aims=form.ints(size), weight=form.ints(size),
        results=form.ints(MAX_SEATS),
        values=form.floats(size), nexts=form.ints(size), table=form.ints(2, size), wtable=form.ints(2, size),
        totals=form.floats(size), rng=form.words([0, 0, 0, 0]), lots=form.words([0, 0, 0, 0]),
        plans=form.ints(plans, LENGTH), lengths=form.ints(plans), sums=form.floats(plans),
        count=form.words([0]),
    )  # fmt: skip


@dataclass(frozen=True)
class Search:
    """How a turn is looked for."""

    wide: int  # plans by first actions
    more: int  # plans that stray from what seems best
    soldier: int  # plans of miles
    heat: float  # how far they stray
    turns: int  # how many turns more are played before the net judges
    how: int = BY_VALUE  # by what they are played
    aimed: int = 0  # plans by aims
    led: int = 0  # plans by first actions that go on as miles would
    lean: float = 0.0  # by how much of the value plans of miles lean to some actions
    lucks: int = 2  # with which turns are compared, where no clock says so


class Planner:
    """Thinks for one form, box and net; one decision after the other."""

    def __init__(self, form: Form[Any], title: Title[Any, Any], net: Net) -> None:
        self.form, self.title = form, title
        self._loops = form.bind(PLANNING)
        self.net = net.weights(form)
        self.room = make_room(form, title, net)
        self.S = form.rows(ROWS)
        self._crew: list[Planner] = []
        self._net = net

    def call_crew(self, cores: int) -> None:
        """So many think together from now on, each with a net and a room of its own (compiled form only)."""
        while len(self._crew) < cores - 1:
            self._crew.append(Planner(self.form, self.title, self._net))
        del self._crew[max(0, cores - 1) :]
        for planner in self._crew:
            planner.form.put(planner.S, 0, self.S[0:1])
            planner.room.plans[:] = self.room.plans
            planner.room.lengths[:] = self.room.lengths

    def sit(self, chair: Chair) -> int:
        """Begin with a decision: a position that the seat could believe in, and a number for all chance."""
        self.form.put(self.S, 0, chair.sample(chair.random()))
        return next_u32(chair.rng) << 20 | 1

    def _think(
        self,
        task: int,
        seat: int,
        base: int,
        numbers: tuple[int, int, int, int, int, int],
        heat: float,
        lean: float,
        alive: list[int],
    ) -> int:
        listed = self.form.ints(len(alive))
        listed[:] = alive
        return int(
            self._loops.think(
                task, self.S, self.form.boxes, seat, *numbers, base, heat, lean, listed, self.net, self.room
            )
        )  # fmt: skip

    def look(self, seat: int, base: int, samples: int) -> list[float]:
        """What every legal action (`room.first`) is worth by the net, at once, over some re-deals."""
        n = self._think(LOOK, seat, base, (samples, 0, 0, 0, 0, 0), 0.0, 0.0, [])
        return [float(x) for x in self.room.totals[:n]]

    def propose(self, seat: int, base: int, search: Search, samples: int) -> int:
        """Make plans for the position that lies there; how many."""
        numbers = (search.wide, search.led, search.more, search.soldier, search.aimed, samples)
        return self._think(PROPOSE, seat, base, numbers, search.heat, search.lean, [])

    def compare(self, seat: int, base: int, alive: list[int], lucks: range, search: Search) -> None:
        """Add to `room.sums` what plans come to with some lucks."""
        numbers = (lucks.start, lucks.stop, search.turns, search.how, 0, 0)
        self._think(COMPARE, seat, base, numbers, 0.0, 0.0, alive)

    def plan(self, number: int) -> list[int]:
        """The actions of a plan."""
        return [int(code) for code in self.room.plans[number][: int(self.room.lengths[number])]]

    def clear(self, count: int) -> list[int]:
        """Begin to compare so many plans; their numbers."""
        for c in range(count):
            self.room.sums[c] = 0.0
        return list(range(count))

    def halve(
        self, seat: int, base: int, count: int, search: Search, more: Callable[[int, int], bool]
    ) -> list[tuple[float, int]]:  # fmt: skip
        """Sequential halving: all plans with a few lucks, the better half with more, until one is left.

        `more(halving, lucks)` says whether there is time for another luck in this halving.  What each plan
        came to on average, the best first.
        """
        sums, alive, luck, halving = self.room.sums, self.clear(count), 0, 0
        ranked: list[tuple[float, int]] = []
        while len(alive) > 1:
            begun = luck
            while luck == begun or more(halving, luck - begun):
                luck = self._try(seat, base, alive, luck, search)
            alive.sort(key=lambda c: -sums[c])
            keep = (len(alive) + 1) // 2
            ranked = [(float(sums[c]) / luck, c) for c in alive[keep:]] + ranked
            alive, halving = alive[:keep], halving + 1
        return [(float(sums[c]) / max(1, luck), c) for c in alive] + ranked

    def _try(self, seat: int, base: int, alive: list[int], luck: int, search: Search) -> int:
        """One more luck for each who thinks; how many there were then."""
        if not self._crew:
            self.compare(seat, base, alive, range(luck, luck + 1), search)
            return luck + 1
        everybody = [self, *self._crew]
        for planner in self._crew:
            planner.clear(len(self.room.sums))

        def one(number: int) -> None:
            at = luck + number
            everybody[number].compare(seat, base, alive, range(at, at + 1), search)

        list(_threads().map(one, range(len(everybody))))
        for planner in self._crew:
            for c in alive:
                self.room.sums[c] += planner.room.sums[c]
        return luck + len(everybody)


@cache
def _threads() -> ThreadPoolExecutor:
    """Compiled loops let other threads run beside them."""
    return ThreadPoolExecutor(os.cpu_count() or 1, thread_name_prefix="planner")
