"""Which rules speak of a piece: `pieces.toml` in the folder of a title, for sheets that explain the table.

A key is the name of a piece as drawings and touches have it (`"disc:money"`), or a kind (`disc`) for all of
that kind which have no line of their own; its value are the numbers of rules, the most telling first.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping
from pathlib import Path

from .errors import FormatError
from .words import Words

FILE = "pieces.toml"
_SEAT = re.compile(r"^\d+ ")


def read_pieces(folder: Path, words: Words) -> dict[str, list[str]]:
    """The rules of each piece of a title; none where it has no such file, FormatError where that is wrong."""
    path = folder / FILE
    if not path.is_file():
        return {}
    try:
        data = tomllib.loads(path.read_text(encoding="utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise FormatError(str(error), source=str(path)) from None
    for piece, rules in data.items():
        if not isinstance(rules, list) or not rules or not all(isinstance(rule, str) for rule in rules):
            raise FormatError(f'{piece} takes a list of rules such as ["R1"]', source=str(path))
        for rule in rules:
            if not words.has(f"rule.{rule}"):
                raise FormatError(f"{piece}: there is no rule {rule}", source=str(path))
    return data


def names_of(piece: str) -> Iterator[str]:
    """Under which names a piece is looked up, the closest first: whose it is and where it stands come last.

    The browser does the same (`match/explain.js`).
    """
    kind, _, name = piece.partition(":")
    plain = _SEAT.sub("", name).partition("@")[0]
    yield from (piece, f"{kind}:{plain}", kind, kind.rstrip("0123456789"))


def rules_about(pieces: Mapping[str, list[str]], piece: str) -> list[str]:
    """The rules that speak of a piece, by its name on the table."""
    return next((pieces[name] for name in names_of(piece) if name in pieces), [])
