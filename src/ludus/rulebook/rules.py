"""The rules of a title by number: where each comes from and which options change it, as RULES.md has it."""

from __future__ import annotations

import re
import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ludus.core.errors import FormatError
from ludus.core.title import Title

ORIGINS = ("printed", "read", "handed", "ours")
"""Printed; how a text is read; handed down without a rulebook; decided here."""

SILENT = "silent"  # in sources.toml: what names a source only to say that it has nothing
_ROW = re.compile(r"^\|(.*)\|\s*$")
_CODE = re.compile(r"`(\w+)`")


@dataclass(frozen=True)
class Rule:
    """One row of RULES.md.  Its sentence stands in the words of the title, in every language."""

    number: str
    origins: tuple[str, ...]
    options: tuple[str, ...]


def rules_of(title: Title[Any, Any]) -> dict[str, Rule]:
    """All rules in the order of RULES.md; of a title without that file, those that its words tell."""
    path = title.folder / "RULES.md"
    if not path.is_file():
        told = (key.removeprefix("rule.") for key in title.words.written("en") if key.startswith("rule."))
        return {number: Rule(number, (), ()) for number in told}
    sources = _sources(title.folder / "rulebook" / "sources.toml")
    options = {option.name for option in title.options}
    found: dict[str, Rule] = {}
    column = -1
    for line in path.read_text(encoding="utf-8").splitlines():
        row = _ROW.match(line)
        if row is None:
            column = -1
            continue
        cells = [cell.strip() for cell in row[1].split(" | ")]
        if column < 0:
            column = next((k for k, cell in enumerate(cells) if cell in ("source", "from")), 0)
        number = cells[0].strip("*")
        if title.words.has(f"rule.{number}"):
            named = [name for cell in cells[1:-1] for name in _CODE.findall(cell) if name in options]
            source = cells[column] if 0 < column < len(cells) else ""
            found[number] = Rule(number, origins_in(source, sources), tuple(dict.fromkeys(named)))
    return found


def origins_in(source: str, sources: dict[str, list[str]]) -> tuple[str, ...]:
    """Where a rule comes from, by the words with which its source is told."""
    for silent in sources.get(SILENT, ()):
        source = source.replace(silent, "")
    named = [
        origin
        for origin in ORIGINS
        if any(re.search(rf"(?<!\w){re.escape(word)}(?!\w)", source) for word in sources.get(origin, ()))
    ]
    if "printed" in named and "read" in named:  # what is printed needs no reader
        named.remove("read")
    return tuple(named)


def _sources(path: Path) -> dict[str, list[str]]:
    if not path.is_file():
        return {}
    try:
        data = tomllib.loads(path.read_text(encoding="utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise FormatError(str(error), source=str(path)) from None
    for key in data:
        if key not in (*ORIGINS, SILENT):
            raise FormatError(
                f"unknown key {key!r}; known are {', '.join((*ORIGINS, SILENT))}", source=str(path)
            )
    return data
