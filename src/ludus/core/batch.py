"""Many games at once: the laboratory's way into the engine.

>>> import ludus
>>> batch = ludus.title("micatio").batch(100, seed=1, seats=3, form="plain")
>>> result = batch.playouts()
>>> len(result.returns), result.unfinished
(100, 0)
"""

from __future__ import annotations

import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from types import FunctionType, SimpleNamespace
from typing import Any, Generic, TypeVar

from . import compilation, loops
from .binding import bind_plain
from .contract import MAX_SEATS
from .engine import engine
from .forms import PlainForm
from .process import say
from .title import Title

P = TypeVar("P")
B = TypeVar("B")

SMALL = 4096  # games below which a second thread costs more than it brings
APART = 512  # bytes between the arrays of two threads


@dataclass(frozen=True)
class Playouts:
    """What came out: the result of each seat in each game, and sums over all games."""

    returns: Any  # one row a game, one column a seat: a NumPy array, or lists in plain form
    decisions: int
    chances: int
    mean_legal: float
    most_legal: int
    unfinished: int  # games that were cut off at the title's length
    digest: int  # the same for the same seed, in plain and compiled form, on any number of threads


def apart(n: int, kind: Any) -> Any:
    """A zeroed array far from every other one.

    Two threads that write into one cache line halve each other's speed, and small arrays lie close.
    """
    import numpy as np

    margin = APART // np.dtype(kind).itemsize + 1
    return np.zeros(n + 2 * margin, kind)[margin : margin + n]


class Batch(Generic[P, B]):
    """`n` new games of one box.  Game i always has the chance and the choices of stream i of `seed`.

    `form` is auto, plain or compiled, as for a single game.
    """

    def __init__(self, title: Title[P, B], box: B, n: int, seed: int = 0, form: str = "auto") -> None:
        if n < 1:
            raise ValueError(f"a batch has at least one game, not {n}")
        self.title, self.box, self.n, self.seed = title, box, n, seed
        self.compiled = form != "plain" and compilation.has_numba()
        if form == "compiled" and not self.compiled:
            raise ImportError("the compiled form needs Numba: pip install numba")
        if form == "auto" and not self.compiled:
            say("Numba is not installed, so the batch runs in plain form")

    def playouts(self, policy: Callable[..., int] | str = "random", threads: int | None = None) -> Playouts:
        """Play every game to its end.

        `policy` is "random" or a function `choose(s, box, legal, n, rng) -> place` in the style of
        the rules (module level, ints only); it is compiled too.  It is given the true position.
        """
        choose = loops.uniform if policy == "random" else policy
        if not isinstance(choose, FunctionType):
            raise ValueError(f"a policy is 'random' or a module-level function, not {policy!r:.60}")
        workers = 1 if not self.compiled or self.n < SMALL else threads or os.cpu_count() or 1
        bind = compilation.bind_compiled if self.compiled else bind_plain
        space = bind(self.title, engine(choose))
        marks = [self.n * k // workers for k in range(workers + 1)]
        shared = self._compiled_store() if self.compiled else self._plain_store()
        try:
            with ThreadPoolExecutor(workers) as pool:
                jobs = [pool.submit(self._run, space, shared, marks[k], marks[k + 1]) for k in range(workers)]
                tallies = [job.result() for job in jobs]
        except (IndexError, AssertionError, ZeroDivisionError) as error:
            if self.compiled:
                self._find_line(choose)
            raise error
        return self._sum_up(shared, tallies)

    def _first(self) -> P:
        """The position with which every game begins."""
        return PlainForm(self.title, self.box).new()

    def _compiled_store(self) -> SimpleNamespace:
        import numpy as np

        return SimpleNamespace(
            S=np.zeros(self.n, self.title.position.dtype),
            F=np.frombuffer(self.title.position.pack(self._first()), self.title.position.dtype).copy(),
            B=np.frombuffer(self.title.box.pack(self.box), self.title.box.dtype).copy(),
            results=np.zeros((self.n, MAX_SEATS), np.int32),
            stopped=np.zeros(self.n, np.int32),
            ints=lambda n: apart(n, np.int32),
            words=lambda n: apart(n, np.int64),
        )

    def _plain_store(self) -> SimpleNamespace:
        return SimpleNamespace(
            S=[self.title.position.plain() for _ in range(self.n)],
            F=[self._first()],
            B=[self.box],
            results=[[0] * MAX_SEATS for _ in range(self.n)],
            stopped=[0] * self.n,
            ints=lambda n: [0] * n,
            words=lambda n: [0] * n,
        )

    def _run(self, space: SimpleNamespace, store: SimpleNamespace, first: int, end: int) -> list[int]:
        size = self.title.codes.size
        out, weight, rng = store.ints(size), store.ints(size), store.words(4)
        tally = store.words(loops.TALLY)
        # In portions, so that Ctrl-C is heard between them.
        for start in range(first, end, SMALL):
            stop = min(end, start + SMALL)
            space.playouts(
                store.S, store.F, start, stop, store.B, out, weight, rng, self.seed,
                self.title.length, tally, store.results, store.stopped,
            )  # fmt: skip
        return [int(n) for n in tally]

    def _sum_up(self, store: SimpleNamespace, tallies: list[list[int]]) -> Playouts:
        seats = self.title.seats_of(self.box)
        sums = [sum(t[k] for t in tallies) for k in range(loops.TALLY)]
        digest = 0
        for t in tallies:
            digest ^= t[loops.DIGEST]
        decisions = max(1, sums[loops.DECISIONS])
        plain = isinstance(store.results, list)
        return Playouts(
            returns=[row[:seats] for row in store.results] if plain else store.results[:, :seats],
            decisions=sums[loops.DECISIONS],
            chances=sums[loops.CHANCES],
            mean_legal=sums[loops.LEGAL] / decisions,
            most_legal=max(t[loops.MOST_LEGAL] for t in tallies),
            unfinished=sum(store.stopped) if plain else int(store.stopped.sum()),
            digest=digest,
        )

    def _find_line(self, choose: FunctionType) -> None:
        """Compiled code names no line: the same games in plain form raise with a full traceback."""
        say("the rules failed in compiled form; replaying in plain form to find the line")
        Batch(self.title, self.box, self.n, self.seed, "plain").playouts(choose)
