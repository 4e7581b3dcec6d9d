"""Boxes that were made, kept for whoever wants the same again.

A large box takes a tenth of a second to make, and a match asks for its own several times.  So all games of
one setting share one box: nobody writes to a box once it is made.  The kit promises that for the rules of a
title, and the tests compare every kept box with what it was when they end (`changed`).
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable, Hashable
from dataclasses import dataclass
from typing import Generic, TypeVar

from .layout import Layout

B = TypeVar("B")
MOST = 64  # of one title; what was not asked for longest goes


@dataclass(frozen=True)
class KeptBox(Generic[B]):
    """A box, not to be written to, and its hash."""

    box: B
    hash: str


class Boxes(Generic[B]):
    """The boxes of one title, by whatever tells two settings apart."""

    def __init__(self, layout: Layout[B], most: int = MOST) -> None:
        self._layout, self._most = layout, most
        self._kept: OrderedDict[Hashable, KeptBox[B]] = OrderedDict()
        self._lock = threading.Lock()

    def __len__(self) -> int:
        return len(self._kept)

    def get(self, key: Hashable, make: Callable[[], B]) -> KeptBox[B]:
        """The box of a key; made, outside of the lock, by whoever asks first."""
        with self._lock:
            found = self._kept.get(key)
            if found is not None:
                self._kept.move_to_end(key)
                return found
        box = make()
        made = KeptBox(box, self._layout.hash(box))
        with self._lock:
            made = self._kept.setdefault(key, made)
            while len(self._kept) > self._most:
                self._kept.popitem(last=False)
        return made

    def changed(self) -> list[Hashable]:
        """The keys of boxes that are not any more what they were when they were made: a fault."""
        with self._lock:
            return [key for key, kept in self._kept.items() if self._layout.hash(kept.box) != kept.hash]
