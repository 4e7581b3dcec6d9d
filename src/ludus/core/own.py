"""Own data: boards, decks and prices that somebody typed in from a printed game.

A title that can be played with them has a module `own.py`.  Own data are one text: complete, always
written the same way, and known by its SHA-256, so that a match file carries all that a replay needs.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Protocol

from .option import Value

MAX_CHARS = 400_000  # more than ten times what a full board and deck need


@dataclass(frozen=True)
class Check:
    """What a look at a data file found.  Problems keep it from being played, notes do not."""

    parts: list[str]
    problems: list[str]
    notes: list[str]
    sha256: str


class OwnData(Protocol):
    """What a title offers that is played with own data: a module `own.py`."""

    def complete(self, text: str, options: Mapping[str, Value]) -> str:
        """The text that stands for the data of a file, with everything the file leaves to the options.

        The same text again when it is given such a text; FormatError when they cannot be played.
        """

    def make_box(self, options: Mapping[str, Value], seats: int, text: str) -> Any:
        """The box of complete data."""

    def names(self, box: Any) -> Mapping[str, Mapping[str, str]]:
        """What the data say that a box was made from: texts by key, by language; none where it is ours."""

    def check(self, text: str) -> Check:
        """Whether a file can be played, and what is missing."""

    def vocabulary(self) -> list[str]:
        """The words that a data file is written in, a line each."""


def sha256(text: str) -> str:
    """How own data are known."""
    return hashlib.sha256(text.encode()).hexdigest()
