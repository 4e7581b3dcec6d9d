"""Many games at once on a GPU: `title.batch(n, form="cuda")`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from types import SimpleNamespace
from typing import Any, TypeVar

import numpy as np

from . import cuda, loops
from .batch import Batch, Playouts
from .contract import MAX_SEATS
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
        results = device.to_device(np.zeros((self.n, MAX_SEATS), np.int32))
        stopped = device.to_device(np.zeros(self.n, np.int32))
        tallies: list[list[int]] = []
        for first in range(0, self.n, PORTION):
            end = min(self.n, first + PORTION)
            tally = device.to_device(np.zeros((n * cuda.BLOCK, loops.TALLY), np.int64))
            kernel[n, cuda.BLOCK](
                F, box, first, end, self.seed, title.length, tally, results, stopped, own
            )  # fmt: skip
            tallies.append(_summed(tally.copy_to_host()))
        store = SimpleNamespace(results=results, stopped=stopped.copy_to_host())
        return self._sum_up(store, tallies)


def _summed(tallies: Any) -> list[int]:
    """The tallies of all threads as one."""
    total = [int(x) for x in tallies.sum(axis=0)]
    total[loops.MOST_LEGAL] = int(tallies[:, loops.MOST_LEGAL].max())
    total[loops.DIGEST] = int(np.bitwise_xor.reduce(tallies[:, loops.DIGEST]))
    return total
