"""Observations: what a seat may know, as a row of numbers that programs learn from.

Derived from the layout alone: every number that the seat may see, in the order of the declaration, its own
things first and then those of the others in the order of seats.  What it may not see has no place in the
row, so nothing can leak; of counted rows of others there is the sum.  A row begins with who is to move,
seen from the seat, and with the number of the seat, for sides need not be alike.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import product
from math import log2
from typing import Any, Generic, TypeVar

from .codes import Labels, label
from .errors import LudusError
from .layout import COUNTED, OWNED, SECRET, Field, Layout

P = TypeVar("P")

FEW = 64  # names beyond which a number is told by its size, not by a place of its own
MOVER, SEAT, HEAD = 0, 1, 2  # the numbers that every row begins with


@dataclass(frozen=True)
class Place:
    """One number of an observation.

    `sources` says for each seat that looks where the number stands among those of a packed position; where
    it is a sum, the first of `length` numbers.
    """

    name: str
    sources: tuple[int, ...]
    width: str
    length: int = 1
    names: int = 0  # how many things it may name, where these are few
    seat: bool = False  # it names a seat: told as so many places after the seat that looks


class Observer(Generic[P]):
    """What seats of one kind of box are told.  The same size for all of them."""

    def __init__(self, layout: Layout[P], seats: int, labels: Labels) -> None:
        self.layout, self.seats, self.labels = layout, seats, labels
        self.places = [
            place for f in layout.fields if f.who is not SECRET for place in self._places(f, layout.place(f))
        ]
        self.size = HEAD + len(self.places)

    @cached_property
    def names(self) -> tuple[str, ...]:
        """What each number is: `hand[+0,forum]`; +0 is the seat that looks, +1 the next one."""
        return ("to move", "seat", *(place.name for place in self.places))

    @cached_property
    def width(self) -> str:
        """How wide the numbers of a row must be."""
        return "i8" if any(place.width == "i8" for place in self.places) else "i4"

    def _places(self, f: Field, first: int) -> Iterator[Place]:
        """The numbers of one field: every combination of its axes, those of seats turned to who looks."""
        hidden = f.who in (OWNED, COUNTED)  # but for the seat's own row, which comes first
        turned = [axis == "seat" or (hidden and k == 0) for k, axis in enumerate(f.axes)]
        spans = [
            1 if hidden and k == 0 else min(n, self.seats) if turned[k] else n for k, n in enumerate(f.shape)
        ]
        names = self.labels.get(f.holds, ()) if f.holds else ()
        for at in product(*(range(n) for n in spans)):
            yield Place(
                name=f.name + self._where(f, at, turned),
                sources=tuple(first + self._offset(f, at, turned, eye) for eye in range(self.seats)),
                width=f.width,
                names=len(names) if len(names) <= FEW else 0,
                seat=f.holds == "seat",
            )
        if f.who is COUNTED:
            for other in range(1, min(self.seats, f.shape[0])):
                rows = ((eye + other) % self.seats for eye in range(self.seats))
                yield Place(f"{f.name}[+{other}].sum", tuple(first + r * f.row for r in rows), f.width, f.row)

    def _where(self, f: Field, at: tuple[int, ...], turned: list[bool]) -> str:
        if not at:
            return ""
        axes = zip(f.axes, at, turned, strict=True)
        return f"[{','.join(f'+{i}' if t else label(axis, i, self.labels) for axis, i, t in axes)}]"

    def _offset(self, f: Field, at: tuple[int, ...], turned: list[bool], eye: int) -> int:
        offset = 0
        for k, size in enumerate(f.shape):
            offset = offset * size + ((at[k] + eye) % self.seats if turned[k] else at[k])
        return offset

    # -- one position, in plain Python ------------------------------------------------------------------

    def observe(self, packed: bytes, mover: int, seat: int) -> list[int]:
        """The observation of a packed position in which `mover` is to move."""
        if not 0 <= seat < self.seats:
            raise LudusError(f"there is no seat {seat}; seats are 0 to {self.seats - 1}")
        numbers = self.layout.numbers(packed)
        row = [self._turned(mover, seat), seat]
        for place in self.places:
            start = place.sources[seat]
            value = numbers[start] if place.length == 1 else sum(numbers[start : start + place.length])
            row.append(self._turned(value, seat) if place.seat else value)
        return row

    def _turned(self, value: int, seat: int) -> int:
        """A seat as so many places after the one that looks; what is no seat (CHANCE, nobody) as it is."""
        return (value - seat) % self.seats if 0 <= value < self.seats else value

    # -- as real numbers --------------------------------------------------------------------------------

    @cached_property
    def few(self) -> list[int]:
        """For each number how many things it may name, 0 where it is a count."""
        return [self.seats, self.seats, *(place.names for place in self.places)]

    @cached_property
    def bits(self) -> list[int]:
        """For each number how many bits it may have, with the sign."""
        return [8, 8, *(8 * int(place.width[1]) + (place.length - 1).bit_length() for place in self.places)]

    @cached_property
    def tensor_size(self) -> int:
        return sum(n + 1 for n in self.few)

    def encode(self, row: Sequence[int]) -> list[float]:
        """An observation as numbers from -1 to 1: one place for each thing that a number may name, and one
        for how much it is where it names none of them."""
        out: list[float] = []
        for value, names, bits in zip(row, self.few, self.bits, strict=True):
            if not names:  # most of them
                out.append(squeezed(value, bits))
            elif 0 <= value < names:
                out += [0.0] * value + [1.0] + [0.0] * (names - value)
            else:
                out += [0.0] * names
                out.append(squeezed(value, bits))
        return out


def squeezed(value: int, bits: int) -> float:
    """A count between -1 and 1 such that small ones are far apart, and no two are the same."""
    size = log2(1 + abs(value)) / bits
    return size if value >= 0 else -size


# -- many positions at once: compiled as it stands, for all titles ---------------------------------------


def gather(V: Any, eyes: Any, first: int, end: int, sources: Any, places: Any, out: Any) -> None:
    """The numbers of one width: position i as seen by eyes[i], into row i."""
    for i in range(first, end):
        row, found, here = out[i], V[i], sources[eyes[i]]
        for k in range(len(places)):
            row[places[k]] = found[here[k]]


def add_up(
    V: Any, eyes: Any, first: int, end: int, sources: Any, lengths: Any, places: Any, out: Any
) -> None:
    """The same for sums of so many numbers, where only these may be known."""
    for i in range(first, end):
        for k in range(len(places)):
            start = sources[eyes[i], k]
            total = 0
            for j in range(start, start + lengths[k]):
                total += V[i, j]
            out[i, places[k]] = total


def turn(movers: Any, eyes: Any, first: int, end: int, seats: int, places: Any, out: Any) -> None:
    """The head of each row, and whatever names a seat: told from the seat that looks."""
    for i in range(first, end):
        eye = eyes[i]
        out[i, MOVER] = movers[i]
        out[i, SEAT] = eye
        for k in range(len(places)):
            value = out[i, places[k]]
            if 0 <= value < seats:
                out[i, places[k]] = (value - eye) % seats


def encode_rows(rows: Any, first: int, end: int, few: Any, bits: Any, out: Any) -> None:
    """`Observer.encode` for rows first..end-1."""
    for i in range(first, end):
        at = 0
        for k in range(len(few)):
            value, names = rows[i, k], few[k]
            for j in range(names + 1):
                out[i, at + j] = 0.0
            if 0 <= value < names:
                out[i, at + value] = 1.0
            elif value >= 0:
                out[i, at + names] = log2(1 + value) / bits[k]
            else:
                out[i, at + names] = -log2(1 - value) / bits[k]
            at += names + 1


LOOPS = (gather, add_up, turn, encode_rows)
