"""Layouts: one declaration of a position or a box, and every form of it.

A layout is an annotated class.  Each field says its width, who may know it and its shape::

    class Position:
        phase: Annotated[int, F("i1")]
        hand: Annotated[list[list[int]], F("i1", COUNTED, 2, 26, axes="seat card")]

From it come the plain form (an object with ints and lists), the NumPy record type (the compiled
form), bytes, text and JSON both ways, a hash, and what each seat may know.  Plain bytes and the
bytes of a record are the same, so the two forms can be compared to the byte.
"""

from __future__ import annotations

import hashlib
import json
import struct
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import Enum
from functools import cached_property
from itertools import chain
from math import prod
from typing import Annotated, Any, Generic, TypeVar, get_args, get_origin, get_type_hints

from .errors import FormatError, LayoutError


class Who(Enum):
    """Who may know a field.  This never depends on the phase of the game."""

    PUBLIC = "public"
    OWNED = "owned"  # first axis is the seat; others see nothing
    COUNTED = "counted"  # first axis is the seat; others see the sum of the row
    SHARED = "shared"  # every seat, but no spectator
    SECRET = "secret"  # nobody


PUBLIC, OWNED, COUNTED, SECRET = Who.PUBLIC, Who.OWNED, Who.COUNTED, Who.SECRET
SHARED = Who.SHARED

_STRUCT = {"i1": "b", "i2": "h", "i4": "i", "i8": "q"}
_BYTES = {"i1": 1, "i2": 2, "i4": 4, "i8": 8}


class F:
    """The declaration of one field.

    `axes` names what each axis counts ("seat card"; "-" for plain numbers) and `holds` what the
    values stand for, so that scenes and views can use names instead of numbers.  A `heap` is
    a pile or a hand, its last axis the kinds of cards: who lists some of them has said all that is in it.
    """

    def __init__(
        self, width: str, who: Who = PUBLIC, *shape: int, axes: str = "", holds: str = "", heap: bool = False
    ) -> None:
        self.width, self.who, self.shape, self.holds, self.heap = width, who, shape, holds, heap
        self.axes = tuple(axes.split()) if axes else ("-",) * len(shape)


@dataclass(frozen=True)
class Field:
    """One field of a finished layout."""

    name: str
    width: str
    who: Who
    shape: tuple[int, ...]
    axes: tuple[str, ...]
    holds: str
    heap: bool = False

    @cached_property
    def size(self) -> int:
        return prod(self.shape)

    @cached_property
    def row(self) -> int:
        """How many numbers belong to one seat (fields that are owned or counted)."""
        return prod(self.shape[1:])

    @cached_property
    def is_board(self) -> bool:
        """Whether it is a board of rows and columns, each place of which holds one of some named things:
        screens draw it as such, and its places can be touched."""
        places = len(self.shape) == 2 and "seat" not in self.axes and "-" not in self.axes
        return self.who is PUBLIC and places and self.holds not in ("", "seat")

    @cached_property
    def is_open_number(self) -> bool:
        """Whether it is one number that everybody may know, and no name stands for it."""
        return self.who is PUBLIC and not self.shape and not self.holds

    @property
    def low(self) -> int:
        return -(1 << (8 * _BYTES[self.width] - 1))

    @property
    def high(self) -> int:
        return -self.low - 1


T = TypeVar("T")


def flatten(value: Any) -> Sequence[int]:
    """The numbers of a plain value in order: an int, or lists of one depth.  Not to be written to."""
    numbers: list[Any] = value if isinstance(value, list) else [value]
    while numbers and isinstance(numbers[0], list):
        numbers = list(chain.from_iterable(numbers))
    return numbers


def _sum(value: Any) -> int:
    return sum(flatten(value))


def nest(numbers: Sequence[int], shape: tuple[int, ...]) -> Any:
    """The inverse of `flatten` for a shape."""
    if not shape:
        return numbers[0]
    if len(shape) == 1:
        return list(numbers)
    step = prod(shape[1:])
    return [nest(numbers[i * step : (i + 1) * step], shape[1:]) for i in range(shape[0])]


def _slices(first: int, shape: tuple[int, ...]) -> str:
    """`nest` as an expression over the numbers `n`, beginning with number `first`."""
    if not shape:
        return f"n[{first}]"
    if len(shape) == 1:
        return f"n[{first}:{first + shape[0]}]"
    step = prod(shape[1:])
    return f"[{', '.join(_slices(first + k * step, shape[1:]) for k in range(shape[0]))}]"


def _copy(value: Any) -> Any:
    if not isinstance(value, list):
        return value
    if not value or not isinstance(value[0], list):
        return value[:]
    if value[0] and isinstance(value[0][0], list):
        return [_copy(item) for item in value]
    return [row[:] for row in value]


def _read_fields(cls: type) -> tuple[Field, ...]:
    fields = []
    for name, hint in get_type_hints(cls, include_extras=True).items():
        f = get_args(hint)[1] if get_origin(hint) is Annotated else None
        if not isinstance(f, F):
            raise LayoutError(f"{cls.__name__}.{name} needs Annotated[..., F(...)]")
        if f.width not in _STRUCT:
            raise LayoutError(f"{cls.__name__}.{name}: width {f.width!r} is none of i1 i2 i4 i8")
        if len(f.axes) != len(f.shape):
            raise LayoutError(f"{cls.__name__}.{name}: {len(f.axes)} axis names for {f.shape}")
        if f.who in (OWNED, COUNTED) and not f.shape:
            raise LayoutError(f"{cls.__name__}.{name}: an owned field needs a first axis of seats")
        fields.append(Field(name, f.width, f.who, f.shape, f.axes, f.holds, f.heap))
    return tuple(fields)


class Layout(Generic[T]):
    """Every form of one annotated class.

    >>> from typing import Annotated
    >>> class Position:
    ...     phase: Annotated[int, F("i1")]
    ...     hand: Annotated[list[list[int]], F("i2", OWNED, 2, 3)]
    >>> layout = Layout(Position)
    >>> s = layout.plain()
    >>> s.hand[1][2] = 7
    >>> layout.text(s)
    'phase = 0\\nhand = [[0,0,0],[0,0,7]]\\n'
    >>> layout.equal(layout.read(layout.text(s)), s)
    True
    """

    def __init__(self, cls: type[T]) -> None:
        self.cls = cls
        self.fields = _read_fields(cls)
        self.field = {f.name: f for f in self.fields}
        # Widest first keeps the record aligned without holes.
        self._stored = sorted(self.fields, key=lambda f: -_BYTES[f.width])
        used = sum(f.size * _BYTES[f.width] for f in self.fields)
        widest = _BYTES[self._stored[0].width]
        self.bytes = -(-used // widest) * widest
        code = "".join(f"{f.size}{_STRUCT[f.width]}" for f in self._stored)
        self._struct = struct.Struct(f"<{code}{self.bytes - used}x")
        at = 0
        self._places: dict[str, int] = {}  # the first number of each field among all of a record
        for f in self._stored:
            self._places[f.name] = at
            at += f.size
        self._counted = [
            (f.name, sum if len(f.shape) == 2 else _sum) for f in self.fields if f.who is COUNTED
        ]
        self._covers: dict[tuple[int, int], Callable[[dict[str, Any]], dict[str, Any]]] = {}

    @cached_property
    def dtype(self) -> Any:
        """The NumPy record type: a copy of a position is a memcpy, a batch an array."""
        import numpy as np

        rows = [(f.name, f.width, f.shape) if f.shape else (f.name, f.width) for f in self._stored]
        return np.dtype(rows, align=True)

    # -- plain form ---------------------------------------------------------------------------

    def plain(self) -> T:
        """A new plain object, every number 0."""
        return self.copy(self._blank)

    @cached_property
    def _blank(self) -> T:
        s = self.cls.__new__(self.cls)
        for f in self.fields:
            setattr(s, f.name, nest([0] * f.size, f.shape))
        return s

    def copy(self, s: T) -> T:
        """An independent copy of a plain object."""
        t = self.cls.__new__(self.cls)
        fill = t.__dict__
        for name, value in s.__dict__.items():
            fill[name] = _copy(value)
        return t

    def equal(self, a: T, b: T) -> bool:
        return all(getattr(a, f.name) == getattr(b, f.name) for f in self.fields)

    # -- bytes --------------------------------------------------------------------------------

    def pack(self, s: T) -> bytes:
        """The bytes of a plain object, the same as those of the record.

        Refuses, by field, a number that its width could not hold and a list of another shape.
        """
        try:
            return self._packed(s)
        except (struct.error, TypeError):
            raise LayoutError(self._misfit(s)) from None

    @cached_property
    def _packed(self) -> Callable[[T], bytes]:
        """`pack` written out once as one expression, like `_fields_of`."""
        names = (
            "chain(*" * (len(f.shape) - 1) + f"s.{f.name}" + ")" * (len(f.shape) - 1) for f in self._stored
        )
        stars = ("*" if f.shape else "" for f in self._stored)
        numbers = ", ".join(star + name for star, name in zip(stars, names, strict=True))
        known = {"pack": self._struct.pack, "chain": chain}
        made: Callable[[T], bytes] = eval(f"lambda s: pack({numbers})", known)
        return made

    def _misfit(self, s: T) -> str:
        for f in self.fields:
            try:
                numbers = flatten(getattr(s, f.name))
            except TypeError:
                return f"{f.name} has not the shape {f.shape}"
            if len(numbers) != f.size:
                return f"{f.name} has {len(numbers)} numbers and its shape is {f.shape}"
            for n in numbers:
                if not isinstance(n, int) or not f.low <= n <= f.high:
                    return f"{f.name} holds {n!r}; {f.width} takes {f.low} to {f.high}"
        return "the object does not fit its layout"

    def unpack(self, data: bytes) -> T:
        """The plain object of these bytes."""
        if len(data) != self.bytes:
            raise LayoutError(f"{len(data)} bytes given, {self.cls.__name__} has {self.bytes}")
        return self._from_numbers([*self._struct.unpack(data)])

    def _from_numbers(self, numbers: list[int]) -> T:
        s = self.cls.__new__(self.cls)
        s.__dict__ = self._fields_of(numbers)
        return s

    @cached_property
    def _fields_of(self) -> Callable[[list[int]], dict[str, Any]]:
        """From all numbers of a record to its fields.  Written out once as one expression, since every view
        and what-if passes here: it is four times faster than walking the fields."""
        rows = (f"{f.name!r}: {_slices(self._places[f.name], f.shape)}" for f in self.fields)
        made: Callable[[list[int]], dict[str, Any]] = eval(f"lambda n: {{{', '.join(rows)}}}", {})
        return made

    def numbers(self, data: bytes) -> tuple[int, ...]:
        """All numbers of packed bytes, in the order in which they are stored; see `place`."""
        return self._struct.unpack(data)

    def place(self, f: Field) -> int:
        """Where the first number of a field stands among `numbers`."""
        return self._places[f.name]

    def begins(self, width: str) -> int:
        """What to add to a place in `numbers` to count in numbers of this width from the beginning of the
        record: wider ones before take more of them than one each."""
        wider = [f for f in self._stored if _BYTES[f.width] > _BYTES[width]]
        return sum(f.size * (_BYTES[f.width] // _BYTES[width] - 1) for f in wider)

    def hash(self, s: T) -> str:
        """SHA-256 of the bytes: two objects are equal if and only if their hashes are."""
        return hashlib.sha256(self.pack(s)).hexdigest()

    # -- text and JSON ------------------------------------------------------------------------

    def json(self, s: T) -> dict[str, Any]:
        self.pack(s)  # refuses what does not fit
        return {f.name: _copy(getattr(s, f.name)) for f in self.fields}

    def from_json(self, data: Any) -> T:
        """The plain object of what `json` gave.  Every field must be there, no other may be."""
        if not isinstance(data, dict):
            raise LayoutError(f"{self.cls.__name__} is an object of fields, not {data!r:.40}")
        for name in data:
            if name not in self.field:
                raise LayoutError(f"{self.cls.__name__} has no field {name!r}")
        s = self.cls.__new__(self.cls)
        for f in self.fields:
            if f.name not in data:
                raise LayoutError(f"field {f.name!r} is missing")
            if not _has_shape(data[f.name], f.shape):
                raise LayoutError(f"field {f.name!r} must have the shape {f.shape or 'of a number'}")
            setattr(s, f.name, _copy(data[f.name]))
        self.pack(s)
        return s

    def text(self, s: T) -> str:
        """One line a field, in the order of the declaration."""
        rows = self.json(s).items()
        return "".join(f"{k} = {json.dumps(v, separators=(',', ':'))}\n" for k, v in rows)

    def read(self, text: str) -> T:
        """The inverse of `text`; a `FormatError` names the line that is wrong."""
        data: dict[str, Any] = {}
        for number, line in enumerate(text.splitlines(), 1):
            name, sign, value = (part.strip() for part in line.partition("="))
            if not sign or name in data or name not in self.field:
                raise FormatError(f"expected a line 'field = value', once a field, not {line!r:.60}", number)
            try:
                data[name] = json.loads(value)
            except ValueError:
                raise FormatError(f"{name} has no readable value: {value!r:.40}", number) from None
        try:
            return self.from_json(data)
        except LayoutError as error:
            raise FormatError(str(error)) from None

    # -- who knows what -----------------------------------------------------------------------

    def hidden(self, seat: int, seats: int) -> list[tuple[Field, int, int]]:
        """What `seat` cannot see: (field, first, end) as ranges of the flattened field.

        Only rows of seats that take part count.  For COUNTED rows the seat still sees the sum.
        """
        found = []
        for f in self.fields:
            if f.who is SECRET or (f.who is SHARED and seat < 0):
                found.append((f, 0, f.size))
            elif f.who in (OWNED, COUNTED):
                rows = (p for p in range(min(seats, f.shape[0])) if p != seat)
                found.extend((f, p * f.row, (p + 1) * f.row) for p in rows)
        return found

    def seen_by(self, s: T, seat: int, seats: int) -> T:
        """A plain object with 0 for everything that `seat` cannot see; the rest is not copied."""
        cover = self._covers.get((seat, seats))
        if cover is None:
            cover = self._covers[seat, seats] = self._cover(seat, seats)
        seen = self.cls.__new__(self.cls)
        seen.__dict__ = cover(s.__dict__)
        return seen

    def _cover(self, seat: int, seats: int) -> Callable[[dict[str, Any]], dict[str, Any]]:
        """From the fields of an object to what `seat` sees of them: one expression, like `_fields_of`."""
        rows: dict[Field, set[int]] = {}  # that are hidden, where not the whole field is
        terms: dict[str, str] = {}
        for f, first, end in self.hidden(seat, seats):
            if end - first == f.size:
                terms[f.name] = f"zero.{f.name}"
            else:
                rows.setdefault(f, set()).add(first // f.row)
        for f, hidden in rows.items():
            each = (
                f"zero.{f.name}[{p}]" if p in hidden else f"s[{f.name!r}][{p}]" for p in range(f.shape[0])
            )
            terms[f.name] = f"[{', '.join(each)}]"
        written = ", ".join(["**s", *(f"{name!r}: {term}" for name, term in terms.items())])
        made: Callable[[dict[str, Any]], dict[str, Any]] = eval(
            f"lambda s: {{{written}}}", {"zero": self.plain()}
        )
        return made

    def counts(self, s: T, seats: int) -> dict[str, list[int]]:
        """The sums of all counted rows."""
        fields = s.__dict__
        return {name: [*map(add, fields[name][:seats])] for name, add in self._counted}


def _has_shape(value: Any, shape: tuple[int, ...]) -> bool:
    if not shape:
        return isinstance(value, int) and not isinstance(value, bool)
    if not isinstance(value, list) or len(value) != shape[0]:
        return False
    if len(shape) == 1:
        return {*map(type, value)} <= {int}
    return all(_has_shape(item, shape[1:]) for item in value)
