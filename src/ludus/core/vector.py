"""Many games side by side, stepped from outside: the way of learning programs into the engine."""

from __future__ import annotations

import os
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from types import SimpleNamespace
from typing import Any, Generic, NamedTuple, TypeVar

import numpy as np
import numpy.typing as npt

from . import compilation, observation
from .batch import apart, runs_compiled
from .binding import bind_plain
from .common import common_of
from .contract import MAX_SEATS
from .engine import ENGINE
from .errors import IllegalAction
from .loops import BEGIN, WAIT
from .observation import HEAD, Observer
from .title import Title

P = TypeVar("P")
B = TypeVar("B")

A_THREAD = 256  # games below which a thread of their own costs more than it brings


class VectorStep(NamedTuple):
    """What all games look like to whoever is to move in them.  The arrays are written anew by every step:
    copy what is to be kept."""

    observation: npt.NDArray[
        np.signedinteger[Any]
    ]  # a row a game: what the seat to move may know (`Vector.names`)
    mask: npt.NDArray[np.int8]  # a row a game: 1 for every code that is legal
    seat: npt.NDArray[np.int8]  # who is to move
    results: npt.NDArray[np.int32]  # a column a seat: LOSS, DRAW or WIN of a game that has just ended
    ended: npt.NDArray[np.int8]  # ENDED, or CUT_OFF at the title's length; then a new game is already shown


class Vector(Generic[P, B]):
    """`n` games of one box that are stepped together, on all cores.

    The same seed and the same actions give the same games, in either form, on any number of threads.
    `start` must not be forgotten: before it the arrays are empty.
    """

    def __init__(
        self, title: Title[P, B], box: B, n: int, seed: int = 0, form: str = "auto", threads: int = 0
    ) -> None:
        if n < 1:
            raise ValueError(f"a vector has at least one game, not {n}")
        self.title, self.box, self.n, self.seed = title, box, n, seed
        self.compiled = runs_compiled(form, "the vector")
        self._common = common_of(title, box, "compiled" if self.compiled else "plain")
        self.observer = self._common.observer
        self.seats = self.observer.seats
        self.size = title.codes.size
        self._space = (compilation.bind_compiled if self.compiled else bind_plain)(title, ENGINE)
        self._make_arrays()
        most = min(threads or os.cpu_count() or 1, -(-n // A_THREAD)) if self.compiled else 1
        self._parts = [(n * k // most, n * (k + 1) // most) for k in range(most)]
        self._scratch = [self._make_scratch() for _ in self._parts]
        self._pool = ThreadPoolExecutor(most) if most > 1 else None

    @property
    def threads(self) -> int:
        """On how many threads a step is made."""
        return len(self._parts)

    @property
    def names(self) -> tuple[str, ...]:
        """What each number of an observation is."""
        return self.observer.names

    def start(self) -> VectorStep:
        """Begin `n` new games; the ones that were going on are dropped."""
        self._games[:] = 0
        self._codes[:] = BEGIN
        return self._advance()

    def step(self, codes: npt.ArrayLike) -> VectorStep:
        """Play one action in each game.  WAIT instead of a code plays nothing in a game, BEGIN drops it and
        begins the next one of its place.

        IllegalAction names the first game whose action is not legal; then nothing was played.
        """
        chosen = np.asarray(codes)
        if chosen.shape != (self.n,) or chosen.dtype.kind not in "iu":
            raise ValueError(f"a step takes {self.n} whole numbers, the code of an action for each game")
        acts = (chosen != WAIT) & (chosen != BEGIN)
        wrong = acts & ((chosen < 0) | (chosen >= self.size))
        if not wrong.any():
            wrong = acts & (self.now.mask[self._rows, np.where(acts, chosen, 0)] == 0)
        if wrong.any():
            self._refuse(int(wrong.argmax()), int(chosen[wrong.argmax()]))
        self._codes[:] = chosen
        return self._advance()

    def tensor(self, out: npt.NDArray[np.float32] | None = None) -> npt.NDArray[np.float32]:
        """The present observations as real numbers (`Observer.encode`), into `out` where it is given."""
        if out is None:
            out = np.zeros((self.n, self.observer.tensor_size), np.float32)
        self._each(lambda first, end, _: self._encode(first, end, out))
        return out

    def close(self) -> None:
        """Let the threads go."""
        if self._pool is not None:
            self._pool.shutdown()

    # -- inside -------------------------------------------------------------------------------------------

    def _make_arrays(self) -> None:
        n, seats = self.n, self.seats
        self._rows = np.arange(n)
        self._codes = np.zeros(n, np.int32)
        self._games, self._plies = np.zeros(n, np.int64), np.zeros(n, np.int64)
        self._results = np.zeros((n, MAX_SEATS), np.int32)
        self.now = VectorStep(
            observation=np.zeros((n, self.observer.size), self.observer.width),
            mask=np.zeros((n, self.size), np.int8),
            seat=np.zeros(n, np.int8),
            results=self._results[:, :seats],
            ended=np.zeros(n, np.int8),
        )
        layout, form = self.title.position, self._common.form
        self._first = form.rows(1)
        form.put(self._first, 0, form.new())
        self._s = form.rows(n)
        self._rngs = np.zeros((n, 4), np.int64) if self.compiled else [[0] * 4 for _ in range(n)]
        if self.compiled:
            self._sources = _Sources(self.observer, self._s, layout.bytes)

    def _make_scratch(self) -> SimpleNamespace:
        if self.compiled:
            return SimpleNamespace(out=apart(self.size, np.int32), weight=apart(self.size, np.int32))
        return SimpleNamespace(out=[0] * self.size, weight=[0] * self.size)

    def _advance(self) -> VectorStep:
        self._each(self._run)
        return self.now

    def _each(self, work: Any) -> None:
        """Do something with every part of the games, a thread a part."""
        if self._pool is None:
            work(0, self.n, 0)
            return
        jobs = [self._pool.submit(work, first, end, k) for k, (first, end) in enumerate(self._parts)]
        for job in jobs:
            job.result()

    def _run(self, first: int, end: int, k: int) -> None:
        now, scratch = self.now, self._scratch[k]
        self._space.advance(
            self._s, self._first, first, end, self._common.form.boxes, self._codes, scratch.out,
            scratch.weight, self._rngs, self.seed, self.title.length, self._games, self._plies, now.seat,
            self._results, now.ended, now.mask,
        )  # fmt: skip
        if self.compiled:
            self._sources.look(now.seat, now.seat, first, end, now.observation)
            return
        for i in range(first, end):
            packed, seat = self.title.position.pack(self._s[i]), int(now.seat[i])
            now.observation[i] = self.observer.observe(packed, seat, seat)

    def _encode(self, first: int, end: int, out: npt.NDArray[np.float32]) -> None:
        if self.compiled:
            self._sources.encode(self.now.observation, first, end, out)
            return
        for i in range(first, end):
            out[i] = self.observer.encode([int(x) for x in self.now.observation[i]])

    def _legal_of(self, game: int) -> Any:
        return np.flatnonzero(self.now.mask[game])

    def _refuse(self, game: int, code: int) -> None:
        labels, codes = self._common.labels, self.title.codes
        legal_now = [codes.text(int(c), labels) for c in self._legal_of(game)]
        told = repr(codes.text(code, labels)) if 0 <= code < self.size else f"code {code}"
        raise IllegalAction(f"game {game}: {told} is not legal; nothing was played.", legal=legal_now)


def turned_of(observer: Observer[Any]) -> npt.NDArray[np.int32]:
    """The numbers of an observation that name a seat."""
    named = [HEAD + k for k, place in enumerate(observer.places) if place.seat]
    return np.array([observation.MOVER, *named], np.int32)


def parts_of(observer: Observer[Any]) -> Iterator[tuple[str, Any, Any, Any]]:
    """Width by width, single numbers and sums apart: where each eye finds them in a row of that width, how
    many are added up, and where they stand in an observation."""
    places = list(enumerate(observer.places, HEAD))
    for width in sorted({place.width for place in observer.places}):
        # Numbers of this width before the first one of it, counted in its own size.
        first = observer.layout.begins(width)
        for summed in (False, True):
            found = [(k, p) for k, p in places if p.width == width and (p.length > 1) == summed]
            if found:
                sources = [[p.sources[eye] + first for _, p in found] for eye in range(observer.seats)]
                lengths = [p.length for _, p in found] if summed else []
                columns = [k for k, _ in found]
                numbers = [np.array(x, np.int32) for x in (sources, lengths, columns)]
                yield width, numbers[0], numbers[1], numbers[2]


class _Sources:
    """Where an observation finds its numbers in an array of records, width by width."""

    def __init__(self, observer: Observer[Any], S: npt.NDArray[Any], size: int) -> None:
        self.seats = observer.seats
        self._loops = compilation.compile_loops(observation.LOOPS)
        self._few, self._bits = np.array(observer.few, np.int32), np.array(observer.bits, np.int32)
        self._turned = turned_of(observer)
        self._parts = [
            (S.view(np.dtype(width)).reshape(len(S), size // np.dtype(width).itemsize), *rest)
            for width, *rest in parts_of(observer)
        ]

    def look(self, movers: Any, eyes: Any, first: int, end: int, out: Any) -> None:
        """Rows first..end-1 of `out`: position i as eyes[i] sees it while movers[i] is to move."""
        for view, sources, lengths, columns in self._parts:
            if len(lengths):
                self._loops.add_up(view, eyes, first, end, sources, lengths, columns, out)
            else:
                self._loops.gather(view, eyes, first, end, sources, columns, out)
        self._loops.turn(movers, eyes, first, end, self.seats, self._turned, out)

    def encode(self, rows: Any, first: int, end: int, out: Any) -> None:
        """Rows first..end-1 of observations as real numbers."""
        self._loops.encode_rows(rows, first, end, self._few, self._bits, out)
