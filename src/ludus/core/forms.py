"""The two forms in which a title's rules run, behind one face.

`PlainForm` interprets the functions as they stand: ready at once, with full tracebacks.
`CompiledForm` runs the same functions through Numba on NumPy records.  Both walk the same
trajectory to the byte; positions of one form must not be handed to the other.
"""

from __future__ import annotations

from collections.abc import Callable
from math import prod
from threading import local
from types import SimpleNamespace
from typing import Any, Generic, Protocol, TypeVar, cast

from . import compilation, contract
from .binding import Program, bind_plain
from .chance import pick
from .layout import Layout, nest
from .loops import two_of
from .process import say
from .title import Title

P = TypeVar("P")
P_co = TypeVar("P_co", covariant=True)
B = TypeVar("B")


class Form(Protocol[P_co]):
    """The contract of a title bound to one box; `s` is this form's own kind of position."""

    name: str

    def new(self) -> Any: ...
    def to_move(self, s: Any) -> int: ...
    def legal(self, s: Any) -> list[int]: ...
    def odds(self, s: Any) -> list[tuple[int, int]]: ...
    def apply(self, s: Any, code: int) -> None: ...
    def seen(self, s: Any, code: int) -> int: ...
    def draw(self, s: Any, u: int) -> int: ...
    def step(self, s: Any, code: int) -> tuple[int, int]: ...
    def redeal(self, s: Any, seat: int, rng: list[int]) -> None: ...
    def returns(self, s: Any) -> list[int]: ...
    def check(self, s: Any) -> int: ...
    def copy(self, s: Any) -> Any: ...
    def pack(self, s: Any) -> bytes: ...
    def unpack(self, data: bytes) -> Any: ...
    def plain(self, s: Any) -> P_co: ...
    def glance(self, s: Any) -> P_co: ...

    # For loops of one's own (`core.binding.Program`): the program, and arrays of the kinds it takes.
    boxes: Any

    def bind(self, program: Program) -> SimpleNamespace: ...
    def rows(self, n: int) -> Any: ...
    def put(self, rows: Any, k: int, s: Any) -> None: ...
    def ints(self, *shape: int) -> Any: ...
    def words(self, numbers: list[int]) -> Any: ...
    def floats(self, n: int) -> Any: ...
    def singles(self, n: int) -> Any: ...


class _Room(local):
    """Where rules write lists to.  A thread has one of its own: several may ask about one game at a time."""

    def __init__(self, make: Callable[[], Any]) -> None:
        self.out: Any = make()
        self.weight: Any = make()


class PlainForm(Generic[P, B]):
    """Ints and lists, interpreted."""

    name = "plain"

    def __init__(self, title: Title[P, B], box: B) -> None:
        self.title, self.box, self.rules = title, box, title.rules
        self.boxes = [box]
        self.seats = title.seats_of(box)
        self._room = _Room(lambda: [0] * title.codes.size)
        self._layout: Layout[P] = title.position

    def new(self) -> P:
        s = self._layout.plain()
        self.rules.new(s, self.box)
        return s

    def to_move(self, s: P) -> int:
        return self.rules.to_move(s, self.box)

    def legal(self, s: P) -> list[int]:
        out: list[int] = self._room.out
        return out[: self.rules.legal(s, self.box, out)]

    def odds(self, s: P) -> list[tuple[int, int]]:
        out: list[int] = self._room.out
        weight = [0] * len(out)  # fresh ones: who forgets to write a weight must not find an older one
        n = self.rules.odds(s, self.box, out, weight)
        return list(zip(out[:n], weight[:n], strict=True))

    def apply(self, s: P, code: int) -> None:
        """Play an action.  Does not check that it is legal."""
        self.rules.apply(s, self.box, code)

    def seen(self, s: P, code: int) -> int:
        return self.rules.seen(s, self.box, code)

    def draw(self, s: P, u: int) -> int:
        """The outcome of chance that a 32-bit number stands for."""
        room = self._room
        n = self.rules.odds(s, self.box, room.out, room.weight)
        return int(room.out[pick(u, room.weight, n)])

    def step(self, s: P, code: int) -> tuple[int, int]:
        """`seen`, `apply` and then `to_move`: a whole ply, not checked to be legal."""
        seen = self.rules.seen(s, self.box, code)
        self.rules.apply(s, self.box, code)
        return seen, self.rules.to_move(s, self.box)

    def redeal(self, s: P, seat: int, rng: list[int]) -> None:
        self.rules.redeal(s, self.box, seat, rng)

    def returns(self, s: P) -> list[int]:
        out = [0] * contract.MAX_SEATS
        self.rules.returns(s, self.box, out)
        return out[: self.seats]

    def check(self, s: P) -> int:
        return self.rules.check(s, self.box)

    def copy(self, s: P) -> P:
        return self._layout.copy(s)

    def pack(self, s: P) -> bytes:
        return self._layout.pack(s)

    def unpack(self, data: bytes) -> P:
        return self._layout.unpack(data)

    def plain(self, s: P) -> P:
        return s

    def glance(self, s: P) -> P:
        """For a question that reads a few fields and changes nothing."""
        return s

    def bind(self, program: Program) -> SimpleNamespace:
        return bind_plain(self.title, program)

    def rows(self, n: int) -> list[P]:
        return [self._layout.plain() for _ in range(n)]

    def put(self, rows: list[P], k: int, s: P) -> None:
        rows[k] = self._layout.copy(s)

    def ints(self, *shape: int) -> Any:
        return nest([0] * prod(shape), shape)

    def words(self, numbers: list[int]) -> list[int]:
        return numbers[:]

    def floats(self, n: int) -> list[float]:
        return [0.0] * n

    singles = floats


class CompiledForm(Generic[P, B]):
    """NumPy records, run by machine code.  Raises ImportError where Numba is not installed."""

    name = "compiled"

    def __init__(self, title: Title[P, B], box: B) -> None:
        import numpy as np

        self.title, self.box = title, box
        self.seats = title.seats_of(box)
        self._np, self._layout = np, title.position
        self._fn = compilation.bind_compiled(title)
        self.boxes = np.frombuffer(title.box.pack(box), title.box.dtype).copy()
        self._room = _Room(lambda: np.zeros(title.codes.size, np.int32))

    def new(self) -> Any:
        s = self._np.zeros(1, self._layout.dtype)
        self._fn.new_at(s, 0, self.boxes)
        return s

    def to_move(self, s: Any) -> int:
        return int(self._fn.to_move_at(s, 0, self.boxes))

    def legal(self, s: Any) -> list[int]:
        out = self._room.out
        n = self._fn.legal_at(s, 0, self.boxes, out)
        return cast("list[int]", out[:n].tolist())

    def odds(self, s: Any) -> list[tuple[int, int]]:
        room = self._room
        n = self._fn.odds_at(s, 0, self.boxes, room.out, room.weight)
        return list(zip(room.out[:n].tolist(), room.weight[:n].tolist(), strict=True))

    def apply(self, s: Any, code: int) -> None:
        """Play an action.  Does not check that it is legal."""
        self._fn.apply_at(s, 0, self.boxes, code)

    def seen(self, s: Any, code: int) -> int:
        return int(self._fn.seen_at(s, 0, self.boxes, code))

    def draw(self, s: Any, u: int) -> int:
        """The outcome of chance that a 32-bit number stands for."""
        room = self._room
        return int(self._fn.draw_at(s, 0, self.boxes, room.out, room.weight, u))

    def step(self, s: Any, code: int) -> tuple[int, int]:
        """`seen`, `apply` and then `to_move`: a whole ply, not checked to be legal."""
        return two_of(self._fn.step_at(s, 0, self.boxes, code))

    def redeal(self, s: Any, seat: int, rng: list[int]) -> None:
        words = self._np.array(rng, self._np.int64)
        self._fn.redeal_at(s, 0, self.boxes, seat, words)
        rng[:] = words.tolist()

    def returns(self, s: Any) -> list[int]:
        out = self._np.zeros(contract.MAX_SEATS, self._np.int32)
        self._fn.returns_at(s, 0, self.boxes, out)
        return cast("list[int]", out[: self.seats].tolist())

    def check(self, s: Any) -> int:
        return int(self._fn.check_at(s, 0, self.boxes))

    def copy(self, s: Any) -> Any:
        # A copy of the bytes: NumPy would copy a record field by field, forty times slower.
        return s.view(self._np.uint8).copy().view(self._layout.dtype)

    def pack(self, s: Any) -> bytes:
        return cast("bytes", s.tobytes())

    def unpack(self, data: bytes) -> Any:
        return self._np.frombuffer(data, self._layout.dtype).copy()

    def plain(self, s: Any) -> P:
        return self._layout.unpack(s.tobytes())

    def glance(self, s: Any) -> P:
        """For a question that reads a few fields and changes nothing: only those are unpacked."""
        return cast("P", _Glance(s))

    def bind(self, program: Program) -> SimpleNamespace:
        return compilation.bind_compiled(self.title, program)

    def rows(self, n: int) -> Any:
        return self._np.zeros(n, self._layout.dtype)

    def put(self, rows: Any, k: int, s: Any) -> None:
        rows.view(self._np.uint8).reshape(len(rows), -1)[k] = s.view(self._np.uint8)

    def ints(self, *shape: int) -> Any:
        return self._np.zeros(shape, self._np.int32)

    def words(self, numbers: list[int]) -> Any:
        return self._np.array(numbers, self._np.int64)

    def floats(self, n: int) -> Any:
        return self._np.zeros(n, self._np.float64)

    def singles(self, n: int) -> Any:
        return self._np.zeros(n, self._np.float32)


class _Glance:
    """A record that looks like a plain position, each field made when it is first asked for."""

    def __init__(self, record: Any) -> None:
        self._record = record

    def __getattr__(self, name: str) -> Any:
        value = self._record[name].tolist()[0]
        self.__dict__[name] = value
        return value


def make_form(title: Title[P, B], box: B, form: str) -> Form[P]:
    """The form by name: plain, compiled, or auto (compiled where Numba is there, else plain)."""
    if form == "plain":
        return PlainForm(title, box)
    if form not in ("compiled", "auto"):
        raise ValueError(f"there is no form {form!r}; it is plain, compiled or auto")
    if compilation.has_numba():
        return CompiledForm(title, box)
    if form == "compiled":
        raise ImportError("the compiled form needs Numba: pip install numba")
    say("Numba is not installed, so the rules run in plain form, about 60 times slower")
    return PlainForm(title, box)
