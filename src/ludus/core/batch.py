"""Many games at once: the laboratory's way into the engine (`docs/library.md`)."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from types import FunctionType, SimpleNamespace
from typing import Any, Generic, TypeVar

from . import compilation, loops
from .binding import Program, bind_plain
from .contract import MAX_SEATS
from .engine import ENGINE, takes_weights, with_policy
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


def runs_compiled(form: str, what: str) -> bool:
    """Whether many games of this form run compiled; one line says so where they cannot."""
    if form == "cuda":
        raise ValueError("games of the cuda form are made by title.batch and title.vector")
    if form not in ("auto", "plain", "compiled"):
        raise ValueError(f"there is no form {form!r}; it is plain, compiled, cuda or auto")
    compiled = form != "plain" and compilation.has_numba()
    if form == "compiled" and not compiled:
        raise ImportError("the compiled form needs Numba: pip install numba")
    if form == "auto" and not compiled:
        say(f"Numba is not installed, so {what} runs in plain form")
    return compiled


class Batch(Generic[P, B]):
    """`n` new games of one box.  Game i always has the chance and the choices of stream i of `seed`.

    `form` is auto, plain or compiled, as for a single game.
    """

    def __init__(self, title: Title[P, B], box: B, n: int, seed: int = 0, form: str = "auto") -> None:
        if n < 1:
            raise ValueError(f"a batch has at least one game, not {n}")
        self.title, self.box, self.n, self.seed = title, box, n, seed
        self.compiled = runs_compiled(form, "the batch")

    def playouts(
        self,
        policy: Callable[..., int] | str = "random",
        threads: int | None = None,
        weights: Sequence[float] = (),
    ) -> Playouts:
        """Play every game to its end.

        `policy` is "random" or a function `choose(s, box, legal, n, rng) -> place` in the style of the rules
        (module level, ints only).  One that takes a sixth argument is given `weights` there, numbers of its
        own, which change without compiling anything.  It is compiled once for each state of its source, and
        it is given the true position.
        """
        program = self._program(policy, weights)
        workers = 1 if not self.compiled or self.n < SMALL else threads or os.cpu_count() or 1
        bind = compilation.bind_compiled if self.compiled else bind_plain
        space = bind(self.title, program)
        marks = [self.n * k // workers for k in range(workers + 1)]
        shared = self._compiled_store(weights) if self.compiled else self._plain_store(weights)
        try:
            with ThreadPoolExecutor(workers) as pool:
                jobs = [pool.submit(self._run, space, shared, marks[k], marks[k + 1]) for k in range(workers)]
                tallies = [job.result() for job in jobs]
        except (IndexError, AssertionError, ZeroDivisionError) as error:
            if self.compiled:
                self._find_line(policy, weights)
            raise error
        return self._sum_up(shared, tallies)

    def _program(self, policy: Callable[..., int] | str, weights: Sequence[float]) -> Program:
        if policy == "random":
            program, weighted = ENGINE, False
        elif isinstance(policy, FunctionType) and policy.__code__.co_argcount in (5, 6):
            program, weighted = with_policy(policy), takes_weights(policy)
        else:
            raise ValueError(
                f"a policy is 'random' or a module-level function of (s, box, legal, n, rng), or of "
                f"(s, box, legal, n, rng, weights), not {policy!r:.60}"
            )
        if len(weights) and not weighted:
            raise ValueError("these weights go nowhere: the policy takes no sixth argument")
        return program

    def _first(self) -> P:
        """The position with which every game begins."""
        return PlainForm(self.title, self.box).new()

    def _compiled_store(self, weights: Sequence[float]) -> SimpleNamespace:
        import numpy as np

        return SimpleNamespace(
            S=np.zeros(self.n, self.title.position.dtype),
            F=np.frombuffer(self.title.position.pack(self._first()), self.title.position.dtype).copy(),
            B=np.frombuffer(self.title.box.pack(self.box), self.title.box.dtype).copy(),
            results=np.zeros((self.n, MAX_SEATS), np.int32),
            stopped=np.zeros(self.n, np.int32),
            ints=lambda n: apart(n, np.int32),
            words=lambda n: apart(n, np.int64),
            weights=np.array(weights, np.float64),
        )

    def _plain_store(self, weights: Sequence[float]) -> SimpleNamespace:
        return SimpleNamespace(
            S=[self.title.position.plain() for _ in range(self.n)],
            F=[self._first()],
            B=[self.box],
            results=[[0] * MAX_SEATS for _ in range(self.n)],
            stopped=[0] * self.n,
            ints=lambda n: [0] * n,
            words=lambda n: [0] * n,
            weights=[float(w) for w in weights],
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
                self.title.length, tally, store.results, store.stopped, store.weights,
            )  # fmt: skip
        return [int(n) for n in tally]

    def _sum_up(self, store: Any, tallies: list[list[int]]) -> Playouts:
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

    def _find_line(self, policy: Callable[..., int] | str, weights: Sequence[float]) -> None:
        """Compiled code names no line: the same games in plain form raise with a full traceback."""
        say("the rules failed in compiled form; replaying in plain form to find the line")
        Batch(self.title, self.box, self.n, self.seed, "plain").playouts(policy, weights=weights)
