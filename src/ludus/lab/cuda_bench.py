"""How many decisions a second the rules play on a GPU, and whether they are those of the processor.

Random games of one title to their ends, on the GPU and on all cores of the same machine; then games that
are stepped from outside.  Compiling is timed once, in this process, with kernels that may lie in the cache.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from time import perf_counter
from typing import Any

import numpy as np

from ludus.core import cuda
from ludus.core.batch import Playouts
from ludus.core.title import Title

from .figures import machine, markdown_table, ratio, short

ENOUGH = 1 << 15  # games with which a GPU is first tried
MOST = 1 << 24  # games of one measurement at most
ALIKE = 20_000  # games that are compared with those of the processor
STEPPED = 65_536  # games stepped together
WARM = 20  # steps before those that are timed


@dataclass(frozen=True)
class CudaFigures:
    """What was measured of one title."""

    title: str
    compile_s: float
    games: int
    decisions_per_second: float
    processor_per_second: float
    threads: int  # of the processor
    same: bool  # the games that were compared had the same digest, decisions and results
    unfinished: int
    stepped: int
    steps_per_second: float
    with_tensor: float


def measure(title: Title[Any, Any], seconds: float, games: int = STEPPED) -> CudaFigures:
    """Random games for about so many seconds a figure; LudusError without a GPU."""
    options = dict(title.bench)
    seats = options.pop("seats", None)

    def batch(n: int, form: str) -> Callable[[], Playouts]:
        made = title.batch(n, seed=1, seats=seats, form=form, **options)
        return made.playouts

    compiling, _ = _timed(batch(cuda.BLOCK, "cuda"))
    same = _alike(batch(ALIKE, "cuda")(), batch(ALIKE, "compiled")())
    n, spent, found = ENOUGH, 0.0, None
    while spent < seconds / 2 and n <= MOST:
        spent, found = _best(batch(n, "cuda"))
        played, n = n, n * max(2, min(32, round(seconds / spent)))
    assert found is not None
    slow, on_processor = _best(batch(ALIKE, "compiled"))
    steps, tensors = _stepping(title.vector(games, seed=1, seats=seats, form="cuda", **options), seconds)
    return CudaFigures(
        title.name, compiling, played, found.decisions / spent, on_processor.decisions / slow,
        os.cpu_count() or 1, same,
        found.unfinished, games, steps, tensors,
    )  # fmt: skip


def _timed(run: Callable[[], Playouts]) -> tuple[float, Playouts]:
    start = perf_counter()
    found = run()
    return perf_counter() - start, found


def _best(run: Callable[[], Playouts]) -> tuple[float, Playouts]:
    """The faster of two runs."""
    return min((_timed(run) for _ in range(2)), key=lambda each: each[0])


def _alike(one: Playouts, other: Playouts) -> bool:
    sums = [(p.digest, p.decisions, p.chances, p.unfinished) for p in (one, other)]
    return sums[0] == sums[1] and bool((one.returns.copy_to_host() == np.asarray(other.returns)).all())


def _stepping(vector: Any, seconds: float) -> tuple[float, float]:
    """Steps a second without and with observations as real numbers.  The actions are chosen on the GPU."""
    chosen = cuda.driver().to_device(np.zeros(vector.n, np.int64))
    out = vector.tensor() if vector.start() else None
    return (
        _rate(vector, chosen, seconds, lambda: None),
        _rate(vector, chosen, seconds, lambda: vector.tensor(out)),
    )


def _rate(vector: Any, chosen: Any, seconds: float, more: Callable[[], object]) -> float:
    driver, loops = cuda.driver(), cuda.bind_common()
    vector.start()
    spent, done, count = 0.0, 0, 0
    begun = perf_counter()
    while not done or perf_counter() - begun < seconds:
        loops.choose_all[cuda.blocks(vector.n), cuda.BLOCK](vector.now.mask, count, chosen)
        driver.synchronize()
        start = perf_counter()
        vector.step(chosen)
        more()
        driver.synchronize()
        count += 1
        if count > WARM:
            spent += perf_counter() - start
            done += 1
    return float(done * vector.n / spent)


# -- tables -----------------------------------------------------------------------------------------------


def title_rows(found: Sequence[CudaFigures]) -> list[list[str]]:
    head = [
        "title",
        "decisions/s",
        "processor",
        "ratio",
        "same games",
        "steps/s",
        "with tensors",
        "compiling, s",
    ]
    rows = [head]
    for f in found:
        times = ratio(f.decisions_per_second / f.processor_per_second)
        rates = [short(f.decisions_per_second), short(f.processor_per_second), times]
        more = ["yes" if f.same else "NO", short(f.steps_per_second), short(f.with_tensor)]
        rows.append([f.title, *rates, *more, f"{f.compile_s:.0f}"])
    return rows


def device() -> str:
    """The GPU, by its own name."""
    name = cuda.driver().get_current_device().name
    return name.decode() if isinstance(name, bytes) else str(name)


def markdown(found: Sequence[CudaFigures], command: str) -> str:
    """Table, command and machine, as they stand in the docs."""
    stepped = f"{found[0].stepped:,} games stepped together"
    where = f"on one {device()} and {machine(found[0].threads)}"
    return "\n\n".join([markdown_table(title_rows(found)), f"By `{command}`, {stepped}, {where}."])
