"""Whether the server can do what it is for: not only answer, but store a move.

A GET writes nothing.  The beat does, every other second (`background`), and so does every move; how that went
is remembered here, so that a full disk shows at once and whoever asks often costs nothing.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from ludus.store import StoreDown

from .writer import only_refused

FRESH = 10.0  # the beat comes every other second; a server without one for so long stores nothing
SORE = 3.0  # so long after a failure it is not called good, even if a smaller write went through


class Health:
    """How the latest writes went.

    >>> now = [0.0]
    >>> health = Health(clock=lambda: now[0])
    >>> health.problem()
    ''
    >>> health.failed(); health.problem()
    'the database could not write'
    >>> now[0] = 4.0; health.problem()
    ''
    >>> health.beat(); now[0] = 15.0; health.problem()
    'nothing was written for 11 s'
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._beat: float | None = None  # none yet: the server is about to open
        self._failure = -1e9

    def beat(self) -> None:
        """The beat was written."""
        self._beat = self._clock()

    def failed(self) -> None:
        """Something could not be written, through no fault of its own."""
        self._failure = self._clock()

    @contextmanager
    def watching(self) -> Iterator[None]:
        """Around a write."""
        try:
            yield
        except StoreDown as error:
            if not only_refused(error):
                self.failed()
            raise

    def problem(self) -> str:
        now = self._clock()
        if now - self._failure < SORE:
            return "the database could not write"
        if self._beat is not None and now - self._beat > FRESH:
            return f"nothing was written for {now - self._beat:.0f} s"
        return ""

    def check(self) -> None:
        if problem := self.problem():
            raise StoreDown(problem)
