"""Many games at once on a GPU: `title.batch(n, form="cuda")`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from types import SimpleNamespace
from typing import TypeVar

import numpy as np

from . import cuda, loops
from .batch import Batch, Playouts
from .title import Title

P = TypeVar("P")
B = TypeVar("B")

THREADS = 1 << 17  # games that are played at a time
PORTION = 1 << 20  # games of one launch: between two of them Ctrl-C is heard


class CudaBatch(Batch[P, B]):
    """The same games as on the processor, to the digest.  `returns` of the playouts is an array on the GPU,
    which PyTorch, CuPy and Numba take as it is (`__cuda_array_interface__`); `copy_to_host()` copies it."""

    def __init__(self, title: Title[P, B], box: B, n: int, seed: int = 0) -> None:
        self._cuda = cuda.driver()
        super().__init__(title, box, n, seed, form="plain")

    def playouts(
        self,
        policy: Callable[..., int] | str = "random",
        threads: int | None = None,
        weights: Sequence[float] = (),
    ) -> Playouts:
        """Play every game to its end, so many at a time.  See `Batch.playouts`."""
        title, device = self.title, self._cuda
        kernel = cuda.bind(title, self._program(policy, weights)).play_out
        n = cuda.blocks(min(self.n, threads or THREADS))
        F = device.to_device(cuda.records(title.position, self._first()))
        box = device.to_device(cuda.records(title.box, self.box))
        own = device.to_device(np.array([*weights, 0.0]))  # never empty: there is nothing smaller on a GPU
        # Written there, and as wide as it is needed: Numba makes a list of all rows of a part of an array.
        results = device.device_array((self.n, title.seats_of(self.box)), np.int32)
        total = device.to_device(np.zeros(loops.TALLY + 1, np.int64))
        for first in range(0, self.n, PORTION):
            end = min(self.n, first + PORTION)
            begun = device.to_device(np.zeros(1, np.int64))
            kernel[n, cuda.BLOCK](F, box, first, end, self.seed, title.length, begun, total, results, own)
            device.synchronize()
        *tally, stopped = total.copy_to_host().tolist()
        return self._sum_up(SimpleNamespace(results=results, stopped=np.array([stopped])), [tally])
