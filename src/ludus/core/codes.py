"""Codes: every action of a title as a dense int, as (kind, arguments), and as text.

The table of kinds is the only place where codes are made.  Rules use plain ints from it::

    CODES = Codes(Kind("lay", Arg("card", 1, 25, "card"), Arg("disc", 1, 6)), Kind("end"))
    LAY = CODES.origin("lay")        # code = LAY + card * LAY_CARD + disc
    LAY_CARD = CODES.stride("lay", "card")

Ranges are capacities: they do not depend on the box.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from .errors import FormatError

Labels = Mapping[str, Sequence[str]]
"""Names for numbers: label set -> names, where the place in the list is the number."""

MAX_CODES = 4000
HIDDEN = "?"


@dataclass(frozen=True)
class Arg:
    """One argument of a kind: whole numbers low..high, shown by name where `labels` is given."""

    name: str
    low: int
    high: int
    labels: str = ""

    @property
    def count(self) -> int:
        return self.high - self.low + 1


class Kind:
    """A kind of action with its arguments, for instance `lay CARD DISC`."""

    def __init__(self, name: str, *args: Arg) -> None:
        self.name, self.args = name, args

    @property
    def count(self) -> int:
        n = 1
        for arg in self.args:
            n *= arg.count
        return n


class Codes:
    """The table of all kinds of one title, seats and chance together.

    >>> codes = Codes(Kind("end"), Kind("lay", Arg("card", 1, 2, "card"), Arg("disc", 1, 6)))
    >>> labels = {"card": ["none", "forum", "legat"]}
    >>> codes.size, codes.code("lay", 2, 4), codes.text(10, labels)
    (13, 10, 'lay legat 4')
    >>> codes.read("lay legat 4", labels), codes.split(10)
    (10, ('lay', (2, 4)))
    """

    def __init__(self, *kinds: Kind) -> None:
        self.kinds = {kind.name: kind for kind in kinds}
        if len(self.kinds) != len(kinds):
            raise ValueError("two kinds share a name")
        self._base: dict[str, int] = {}
        self._kind_of: list[str] = []
        for kind in kinds:
            self._base[kind.name] = len(self._kind_of)
            self._kind_of.extend([kind.name] * kind.count)
        self.size = len(self._kind_of)
        self._parts: list[tuple[str, tuple[int, ...]] | None] = [None] * self.size  # what `split` has found
        if self.size > MAX_CODES:
            raise ValueError(f"{self.size} codes; at most {MAX_CODES} are allowed")

    # -- for rules: ints ------------------------------------------------------------------------

    def first(self, kind: str) -> int:
        """The smallest code of a kind."""
        return self._base[kind]

    def end(self, kind: str) -> int:
        """One more than the greatest code of a kind."""
        return self._base[kind] + self.kinds[kind].count

    def stride(self, kind: str, arg: str) -> int:
        """By how much the code grows when this argument grows by one."""
        step = 1
        for a in reversed(self.kinds[kind].args):
            if a.name == arg:
                return step
            step *= a.count
        raise KeyError(f"{kind} has no argument {arg}")

    def origin(self, kind: str) -> int:
        """The code that all arguments 0 would have: code = origin + sum(argument * stride)."""
        args = self.kinds[kind].args
        return self._base[kind] - sum(a.low * self.stride(kind, a.name) for a in args)

    # -- for people: kinds, arguments, text -----------------------------------------------------

    def kind(self, code: int) -> str:
        """The kind of a code.  Does not check that the code exists beyond Python's own index."""
        return self._kind_of[code]

    def code(self, kind: str, *args: int) -> int:
        """The code of a kind and its arguments; ValueError when an argument is out of range."""
        declared = self.kinds[kind].args
        if len(args) != len(declared):
            raise ValueError(f"{kind} takes {len(declared)} arguments, {len(args)} given")
        code = self._base[kind]
        for arg, value in zip(declared, args, strict=True):
            if not arg.low <= value <= arg.high:
                raise ValueError(f"{kind}: {arg.name} must be {arg.low} to {arg.high}, not {value}")
            code += (value - arg.low) * self.stride(kind, arg.name)
        return code

    def split(self, code: int) -> tuple[str, tuple[int, ...]]:
        """The kind and arguments of a code; ValueError when there is no such code."""
        if not 0 <= code < self.size:
            raise ValueError(f"there is no action {code}; codes are 0 to {self.size - 1}")
        parts = self._parts[code]
        if parts is None:
            parts = self._parts[code] = self._split(code)
        return parts

    def _split(self, code: int) -> tuple[str, tuple[int, ...]]:
        kind = self._kind_of[code]
        rest, values = code - self._base[kind], []
        for arg in reversed(self.kinds[kind].args):
            rest, place = divmod(rest, arg.count)
            values.append(place + arg.low)
        return kind, tuple(reversed(values))

    def text(self, code: int, labels: Labels) -> str:
        """The text of an action: the kind, then each argument by name or number."""
        kind, values = self.split(code)
        args = self.kinds[kind].args
        return " ".join([kind, *(label(a.labels, v, labels) for a, v in zip(args, values, strict=True))])

    def read(self, text: str, labels: Labels) -> int:
        """The code of a text; FormatError says what is wrong and what would be right."""
        name, *words = text.split()[:20] or [""]
        kind = self.kinds.get(name)
        if kind is None:
            raise FormatError(f"no action is called {name!r:.40}; there are: {', '.join(self.kinds)}")
        if len(words) != len(kind.args):
            usage = " ".join([name, *(a.name.upper() for a in kind.args)])
            raise FormatError(f"{text!r:.60} should read {usage!r}")
        values = [number(a, word, labels) for a, word in zip(kind.args, words, strict=True)]
        return self.code(name, *values)

    def hidden_text(self, code: int) -> str:
        """What somebody who may not know the arguments is told: the kind alone."""
        kind = self._kind_of[code]
        return f"{kind} {HIDDEN}" if self.kinds[kind].args else kind


def label(group: str, value: int, labels: Labels) -> str:
    """The name of a number in a label set, or the number itself where it has none."""
    names = labels.get(group, ())
    return names[value] if 0 <= value < len(names) and names[value] else str(value)


def number(arg: Arg, word: str, labels: Labels) -> int:
    """The number that a word of an action's text stands for.  What has a name is read by it alone: where
    the names are digits ("1", "2", "3"), a number would mean another thing than it says."""
    names = labels.get(arg.labels, ())
    value = plain_number(word)
    if word in names:
        value = list(names).index(word)
    elif value is not None and label(arg.labels, value, labels) != str(value):
        value = None
    if value is not None and arg.low <= value <= arg.high:
        return value
    if value is not None and not names:
        raise FormatError(f"{arg.name} must be {arg.low} to {arg.high}, not {word}")
    wanted = [label(arg.labels, v, labels) for v in range(arg.low, arg.high + 1)] if names else []
    known = ", ".join(wanted) or f"{arg.low} to {arg.high}"
    raise FormatError(f"{arg.name} cannot be {word!r:.40}; it is one of: {known}")


def plain_number(word: str) -> int | None:
    """The whole number that a word is, of at most seven digits, or None."""
    digits = word.lstrip("-")
    return int(word) if digits.isascii() and digits.isdigit() and len(word) < 8 else None
