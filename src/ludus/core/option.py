"""Options: the declared choices of a title, with type, default and help."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from .errors import OptionError

Value = int | str


@dataclass(frozen=True)
class Option:
    """A declared choice: edition, board, variant or disputed ruling.

    `values` are all that it takes, in the order in which a form shows them; the help text stands in
    the title's words.  A disputed option is folded away where a person chooses.  `before` is what held
    before there was this option: records that do not name it were played so.  `along` are settings of other
    options without which it does not go.  Where values are `games`, each but the default is shown as a game
    of its own, with `option.NAME.blurb.VALUE` of the words.
    """

    name: str
    default: Value
    values: tuple[Value, ...]
    disputed: bool = False
    before: Value | None = None
    along: tuple[tuple[str, Value], ...] = ()
    games: bool = False

    def read(self, given: Any) -> Value:
        """The value that somebody typed or sent; OptionError says what would be right."""
        for value in self.values:
            if given == value and isinstance(given, bool) == isinstance(value, bool):
                return value
            if isinstance(given, str) and given == str(value):
                return value
        raise OptionError(f"option {self.name} cannot be {given!r:.40}; it takes {self.span()}")

    def span(self) -> str:
        """What the option takes, in words."""
        if len(self.values) > 6 and all(isinstance(v, int) for v in self.values):
            return f"{self.values[0]} to {self.values[-1]}"
        return " | ".join(str(v) for v in self.values)


def read_options(declared: tuple[Option, ...], given: Mapping[str, Any]) -> dict[str, Value]:
    """Every declared option with its given or default value; refuses names that do not exist."""
    known = {option.name: option for option in declared}
    for name in given:
        if name not in known:
            raise OptionError(f"there is no option {name!r}; there are: {', '.join(known) or 'none'}")
    return {n: o.read(given[n]) if n in given else o.default for n, o in known.items()}
