"""What of the data of a title is ours and may be varied: its `variations.py`, and changes drawn by lot."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random
from typing import Protocol

from ludus import titles as registry
from ludus.core.errors import FormatError
from ludus.core.option import Value


class Variations(Protocol):
    """What the module `variations.py` of a title offers."""

    def sides(self, options: Mapping[str, Value]) -> tuple[str, ...]: ...
    def declared(self, options: Mapping[str, Value]) -> list[str]: ...
    def varied(self, options: Mapping[str, Value], changes: Sequence[str]) -> str: ...


def variations_of(title: str) -> Variations:
    """What may be varied of a title; FormatError when it does not say."""
    registry.title(title)
    found: Variations | None = registry.part(title, "variations")
    if found is None:
        raise FormatError(f"{title} does not say what may be varied: it has no variations.py")
    return found


def drawn_changes(
    title: str, options: Mapping[str, Value], seed: int, share: float, held: Sequence[str] = ()
) -> tuple[str, ...]:
    """A share of the declared changes, drawn by lot: not two of the same thing, none of what is held.
    Together they may be such as cannot be played."""
    dice, found = Random(seed), {}
    for change in variations_of(title).declared(options):
        if dice.random() < share and not any(_same(change, other) for other in held):
            found[tuple(change.split()[:2])] = change
    return tuple(found.values())


def _same(one: str, other: str) -> bool:
    return one.split()[:2] == other.split()[:2]


def drawn_data(title: str, options: Mapping[str, Value], seed: int, share: float) -> str:
    """Data with changes drawn by lot, as a text; as they are ("") where the drawn ones do not go together."""
    try:
        return variations_of(title).varied(options, drawn_changes(title, options, seed, share))
    except FormatError:
        return ""
