"""Sight: all that one seat (or a spectator) may know of a position, and nothing else.

Everything that is shown to somebody (views, log lines, prompts, reasons) is a function of a sight.
It holds a copy of the position in which every hidden number is 0, so nothing can leak by mistake,
and the functions of the rules still work on it for whatever is public.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from .chance import SPECTATOR
from .codes import Labels, label
from .contract import SPECTATORS
from .layout import OWNED, PUBLIC, SECRET, SHARED, Field, Layout

P = TypeVar("P")
B = TypeVar("B")


@dataclass(frozen=True)
class Sight(Generic[P, B]):
    """What `seat` may know: `s` with hidden numbers blanked, and the sums of counted rows."""

    seat: int
    seats: int
    s: P
    box: B
    to_move: int
    counts: dict[str, list[int]]
    labels: Labels


def look(layout: Layout[P], s: P, box: B, seat: int, seats: int, to_move: int, labels: Labels) -> Sight[P, B]:
    """The sight of a seat; SPECTATOR sees what everybody sees."""
    return look_at(layout, layout.pack(s), box, seat, seats, to_move, labels)


def look_at(
    layout: Layout[P], data: bytes, box: B, seat: int, seats: int, to_move: int, labels: Labels
) -> Sight[P, B]:
    """The same from a packed position."""
    blank, counts = layout.seen_by(data, seat, seats)
    return Sight(seat, seats, blank, box, to_move, counts, labels)


def sees(mask: int, seat: int) -> bool:
    """Whether a seat, or SPECTATOR, is in the mask that `seen` gave."""
    return bool(mask & (SPECTATORS if seat == SPECTATOR else 1 << seat))


def everything_visible(layout: Layout[P], sight: Sight[P, B]) -> dict[str, Any]:
    """Every field as this seat sees it, with names where the layout gives them.

    Hidden rows are the number of things in them where that is known (`{"count": 4}`), else None.
    Rows that are mostly empty and named are objects of what is there.  A board is shown whole:
    `{"rows": ["a"], "columns": ["1", "2"], "things": ["white", "black"], "cells": [["none", "white"]]}`.
    """
    return {f.name: _shown(f, getattr(sight.s, f.name), sight) for f in layout.fields if f.who is not SECRET}


def _shown(f: Field, value: Any, sight: Sight[P, B]) -> Any:
    if f.who is SHARED and sight.seat == SPECTATOR:
        return None
    if f.is_board:
        return _board(f, value, sight)
    if f.who in (PUBLIC, SHARED):
        return _named(value, f.axes, f.holds, sight)
    rows = []
    for p in range(sight.seats):
        if p == sight.seat:
            rows.append(_named(value[p], f.axes[1:], f.holds, sight))
        else:
            rows.append(None if f.who is OWNED else {"count": sight.counts[f.name][p]})
    return rows


def _board(f: Field, value: list[list[int]], sight: Sight[P, B]) -> dict[str, Any]:
    rows, columns = (
        [label(axis, i, sight.labels) for i in range(size)]
        for axis, size in zip(f.axes, f.shape, strict=True)
    )
    cells = [[label(f.holds, held, sight.labels) for held in row] for row in value]
    things = [name for name in sight.labels.get(f.holds, ()) if name not in ("", "none")]
    return {"rows": rows, "columns": columns, "things": things, "cells": cells}


def _named(value: Any, axes: tuple[str, ...], holds: str, sight: Sight[P, B]) -> Any:
    if not axes:
        return label(holds, value, sight.labels) if holds else value
    if axes[0] == "seat":
        value = value[: sight.seats]
    plain = len(axes) == 1 and not holds  # numbers as they are: most of a position
    items = value[:] if plain else [_named(item, axes[1:], holds, sight) for item in value]
    if axes[0] == "seat" or axes[0] not in sight.labels:
        return items
    there = ((i, item) for i, item in enumerate(items) if item not in (0, "none"))
    return {label(axes[0], i, sight.labels): item for i, item in there}
