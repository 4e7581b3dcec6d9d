"""Many games side by side on a GPU, stepped from outside: `title.vector(n, form="cuda")`."""

from __future__ import annotations

from typing import Any, TypeVar

import numpy as np

from . import cuda
from .common import common_of
from .contract import MAX_SEATS
from .layout import Layout
from .loops import BEGIN
from .title import Title
from .vector import Vector, VectorStep, parts_of, turned_of

P = TypeVar("P")
B = TypeVar("B")


class CudaVector(Vector[P, B]):
    """The same games as on the processor.  Every array of a step lies on the GPU and is written in place;
    PyTorch, CuPy and Numba take it as it is (`__cuda_array_interface__`), and a step takes theirs."""

    compiled = True

    def __init__(self, title: Title[P, B], box: B, n: int, seed: int = 0) -> None:
        self._cuda = cuda.driver()
        if n < 1:
            raise ValueError(f"a vector has at least one game, not {n}")
        self.title, self.box, self.n, self.seed = title, box, n, seed
        self._common = common_of(title, box, "plain")
        self.observer = self._common.observer
        self.seats, self.size = self.observer.seats, title.codes.size
        self._parts, self._pool = [(0, n)], None
        self._advancing = cuda.bind(title).advance_all
        self._loops = cuda.bind_common()
        self._make_arrays()

    def start(self) -> VectorStep:
        """Begin `n` new games; the ones that were going on are dropped."""
        self._fill(self._games, np.zeros(self.n, np.int64))
        self._fill(self._codes, np.full(self.n, BEGIN, np.int32))
        return self._advance()

    def step(self, codes: Any) -> VectorStep:
        """Play one action in each game: whole numbers of NumPy or on the GPU.  See `Vector.step`."""
        on_gpu = hasattr(codes, "__cuda_array_interface__") or hasattr(codes, "__cuda_ndarray__")
        given = codes if on_gpu else np.asarray(codes)
        kind = np.dtype(str(given.dtype).removeprefix("torch.")).kind
        if tuple(given.shape) != (self.n,) or kind not in "iu":
            raise ValueError(f"a step takes {self.n} whole numbers, the code of an action for each game")
        there = given if on_gpu else self._cuda.to_device(np.ascontiguousarray(given, np.int64))
        self._launch(self._loops.take_codes, there, self.size, self._codes)
        self._require_legal()
        return self._advance()

    def tensor(self, out: Any = None) -> Any:
        """The present observations as real numbers, into an array of float32 on the GPU."""
        if out is None:
            out = self._cuda.to_device(np.zeros((self.n, self.observer.tensor_size), np.float32))
        self._launch(self._loops.encode_all, self.now.observation, self._few, self._bits, out)
        return out

    # -- inside -------------------------------------------------------------------------------------------

    def _make_arrays(self) -> None:
        n, put, layout = self.n, self._cuda.to_device, self.title.position
        self._first = put(cuda.records(layout, self._common.form.new()))
        self._boxes = put(cuda.records(self.title.box, self.box))
        self._raw = put(np.zeros(n * layout.bytes, np.uint8))
        self._s = self._positions()
        self._codes, self._wrong = put(np.zeros(n, np.int32)), put(np.zeros(1, np.int32))
        self._games, self._plies = put(np.zeros(n, np.int64)), put(np.zeros(n, np.int64))
        self._rngs = put(np.zeros((n, 4), np.int64))
        self._results = put(np.zeros((n, MAX_SEATS), np.int32))
        self.now = VectorStep(
            observation=put(np.zeros((n, self.observer.size), self.observer.width)),
            mask=put(np.zeros((n, self.size), np.int8)),
            seat=put(np.zeros(n, np.int8)),
            results=self._results[:, : self.seats],
            ended=put(np.zeros(n, np.int8)),
        )
        self._few = put(np.array(self.observer.few, np.int32))
        self._bits = put(np.array(self.observer.bits, np.int32))
        self._turned = put(turned_of(self.observer))
        self._looks = [
            (
                _as(self._raw, width, n, layout),
                put(sources),
                put(lengths) if len(lengths) else None,
                put(columns),
            )
            for width, sources, lengths, columns in parts_of(self.observer)
        ]

    def _positions(self) -> Any:
        """The bytes of all games as records."""
        return self._raw.view(self.title.position.dtype)

    def _fill(self, array: Any, values: Any) -> None:
        array.copy_to_device(values)

    def _launch(self, kernel: Any, *arguments: Any) -> None:
        kernel[cuda.blocks(self.n), cuda.BLOCK](*arguments)

    def _require_legal(self) -> None:
        self._fill(self._wrong, np.full(1, self.n, np.int32))
        self._launch(self._loops.find_wrong, self._codes, self.now.mask, self._wrong)
        game = int(here(self._wrong)[0])
        if game < self.n:
            self._refuse(game, int(here(self._codes[game : game + 1])[0]))

    def _legal_of(self, game: int) -> Any:
        return np.flatnonzero(here(self.now.mask[game : game + 1]))

    def _advance(self) -> VectorStep:
        self._move()
        now = self.now
        for view, sources, lengths, columns in self._looks:
            if lengths is None:
                self._launch(self._loops.gather_all, view, now.seat, sources, columns, now.observation)
            else:
                self._launch(
                    self._loops.add_up_all, view, now.seat, sources, lengths, columns, now.observation
                )
        self._launch(self._loops.turn_all, now.seat, self.seats, self._turned, now.observation)
        return now

    def _move(self) -> None:
        now = self.now
        self._launch(
            self._advancing, self._s, self._first, self._boxes, self._codes, self._rngs, self.seed,
            self.title.length, self._games, self._plies, now.seat, self._results, now.ended, now.mask,
        )  # fmt: skip


def here(array: Any) -> Any:
    """A copy of an array of the GPU as one of NumPy."""
    return array.copy_to_host()


def _as(raw: Any, width: str, n: int, layout: Layout[Any]) -> Any:
    """All positions as numbers of one width, a row a game."""
    size = np.dtype(width).itemsize
    return raw.view(np.dtype(width)).reshape(n, layout.bytes // size)
