"""Work in numbered pieces, spread over processes."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from multiprocessing import get_context
from typing import TypeVar

R = TypeVar("R")


def spread(job: Callable[[int], R], numbers: Sequence[int], workers: int) -> Iterator[tuple[int, R]]:
    """Each number with what the job makes of it, in whatever order they finish.

    At most a few wait, so that Ctrl-C is heard at once.
    """
    if workers == 1 or len(numbers) == 1:
        yield from ((n, job(n)) for n in numbers)
        return
    waiting = iter(numbers)
    running: dict[Future[R], int] = {}
    pool = ProcessPoolExecutor(workers, mp_context=get_context("spawn"))
    try:
        while True:
            while len(running) < 2 * workers and (n := next(waiting, None)) is not None:
                running[pool.submit(job, n)] = n
            if not running:
                return
            for future in wait(running, return_when=FIRST_COMPLETED).done:
                yield running.pop(future), future.result()
    finally:
        pool.shutdown(wait=False, cancel_futures=True)
