"""Long stories: pages of a record, moments of the past, match files.

They are made beside the event loop from standings, which nobody changes, so a stranger who asks for many
holds up neither a move nor a clock.  One is made at a time, and each asker may wait for only a few.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import ParamSpec, TypeVar

from .limiter import Limiter

P = ParamSpec("P")
T = TypeVar("T")


class Stories:
    def __init__(self, limiter: Limiter) -> None:
        self._limiter = limiter
        self._maker = ThreadPoolExecutor(1, "story")

    async def make(self, asker: str, work: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        """Make a story for a person's id or an address; TooMany when they wait for enough already."""
        self._limiter.take("story", asker)
        with self._limiter.at_once("story", asker), self._limiter.at_once("stories", ""):
            future = self._maker.submit(work, *args, **kwargs)
            return await asyncio.wrap_future(future)

    def close(self) -> None:
        self._maker.shutdown(wait=True, cancel_futures=True)
