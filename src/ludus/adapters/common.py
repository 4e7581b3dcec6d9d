"""What all adapters share: which game is played, what a seat is shown of it, what a result is worth."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from ludus import titles as registry
from ludus.core.contract import LOSS
from ludus.core.errors import LudusError
from ludus.core.game import Game
from ludus.core.observation import Observer
from ludus.core.title import Title

ILLEGAL = -1.0  # what an action that is not legal brings its seat: as much as a loss
KINDS = ("tensor", "numbers")


@dataclass(frozen=True)
class BoxedTitle:
    """A title with seats and options; those that are not given are the ones of a simulation.

    `small` names one of the title's small boxes instead, which are soon over.
    """

    title: Title[Any, Any]
    box: Any

    @classmethod
    def of(cls, title: str, seats: int | None, options: Mapping[str, Any], small: str = "") -> BoxedTitle:
        found = registry.title(title)
        if small:
            return cls(found, _small_box(found, seats, options, small))
        return cls(found, found.box_for(seats, **{**found.simulation, **options}))

    @property
    def versioned(self) -> str:
        """The name under which environments are known: with the version of the rules."""
        return f"{self.title.name}_v{self.title.version}"

    @cached_property
    def seats(self) -> int:
        return self.title.seats_of(self.box)

    def new(self, seed: int | None = None, form: str = "plain", chance: str = "auto") -> Game[Any, Any]:
        return Game(self.title, self.box, seed=seed, form=form, chance=chance)


def _small_box(title: Title[Any, Any], seats: int | None, options: Mapping[str, Any], small: str) -> Any:
    boxes = title.small_boxes()
    if small not in boxes:
        raise LudusError(f"{title.name} has no small box {small!r:.40}; it has: {', '.join(boxes) or 'none'}")
    if options or seats not in (None, title.seats_of(boxes[small])):
        raise LudusError("a small box has its own seats and options: give none")
    return boxes[small]


def utilities(results: Sequence[int]) -> list[float]:
    """What a result is worth to each seat, nothing in sum: 1 for winning alone; every seat that loses gives
    its part of that, and who shares the first place shares what is given.

    >>> utilities([0, 2]), utilities([1, 1]), utilities([2, 0, 0]), utilities([1, 0, 1])
    ([-1.0, 1.0], [0.0, 0.0], [1.0, -0.5, -0.5], [0.25, -0.5, 0.25])
    """
    first = [result != LOSS for result in results]
    share = 1 / (len(first) - 1) if any(first) and len(first) > 1 else 0.0
    given = share * (len(first) - sum(first))
    return [given / sum(first) if won else -share for won in first]


@dataclass(frozen=True)
class Lens:
    """How a seat is shown what it may know: as real numbers from -1 to 1, or as whole numbers."""

    observer: Observer[Any]
    kind: str = "tensor"

    def __post_init__(self) -> None:
        if self.kind not in KINDS:
            raise LudusError(f"observe is {' or '.join(KINDS)}, not {self.kind!r:.40}")

    @property
    def size(self) -> int:
        return self.observer.tensor_size if self.kind == "tensor" else self.observer.size

    @property
    def dtype(self) -> Any:
        return np.float32 if self.kind == "tensor" else np.dtype(self.observer.width).type

    @cached_property
    def bounds(self) -> tuple[npt.NDArray[Any], npt.NDArray[Any]]:
        """The least and the greatest number of each place."""
        if self.kind == "tensor":
            return np.full(self.size, -1, np.float32), np.full(self.size, 1, np.float32)
        widest = np.iinfo(self.dtype).bits
        greatest = [2 ** (min(bits, widest) - 1) - 1 for bits in self.observer.bits]
        return np.array([-n - 1 for n in greatest], self.dtype), np.array(greatest, self.dtype)

    def look(self, game: Game[Any, Any], seat: int) -> npt.NDArray[Any]:
        row = game.tensor(seat) if self.kind == "tensor" else game.observation(seat)
        return np.array(row, self.dtype)


def mask_of(game: Game[Any, Any], seat: int) -> npt.NDArray[np.int8]:
    """1 for every code that a seat may play now; all 0 when it is not its turn."""
    if game.to_move == seat:
        return np.array(game.legal_mask(), np.int8)
    return np.zeros(game.title.codes.size, np.int8)


class Seeds:
    """Seeds of one game after the other; who begins anew with the same number gets the same ones."""

    def __init__(self, seed: int | None) -> None:
        self._rng = np.random.default_rng(seed)

    def next(self) -> int:
        return int(self._rng.integers(2**63))
