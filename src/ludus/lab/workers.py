"""Work in pieces, spread over processes."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from multiprocessing import get_context
from typing import TypeVar

P = TypeVar("P")
R = TypeVar("R")


def spread(job: Callable[[P], R], pieces: Iterable[P], workers: int) -> Iterator[tuple[P, R]]:
    """Each piece with what the job makes of it, in whatever order they finish.

    At most a few wait, so that Ctrl-C is heard at once, and pieces may end when enough has come.
    """
    if workers == 1 or (isinstance(pieces, Sequence) and len(pieces) == 1):
        yield from ((piece, job(piece)) for piece in pieces)
        return
    waiting = iter(pieces)
    running: dict[Future[R], P] = {}
    pool = ProcessPoolExecutor(workers, mp_context=get_context("spawn"))
    try:
        while True:
            while len(running) < 2 * workers and (piece := next(waiting, None)) is not None:
                running[pool.submit(job, piece)] = piece
            if not running:
                return
            for future in wait(running, return_when=FIRST_COMPLETED).done:
                yield running.pop(future), future.result()
    finally:
        pool.shutdown(wait=False, cancel_futures=True)
