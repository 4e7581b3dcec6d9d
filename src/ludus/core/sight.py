"""Sight: all that one seat (or a spectator) may know of a position, and nothing else.

Everything that is shown to somebody (views, log lines, prompts, reasons) is a function of a sight.
It holds a copy of the position in which every hidden number is 0, so nothing can leak by mistake,
and the functions of the rules still work on it for whatever is public.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Generic, TypedDict, TypeVar

from .chance import SPECTATOR
from .codes import Labels, label
from .contract import SPECTATORS
from .layout import OWNED, PUBLIC, SECRET, SHARED, Field, Layout

P = TypeVar("P")
B = TypeVar("B")


@dataclass(slots=True)  # not frozen: some are made for every entry, and freezing would cost a tenth of it
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
    return look_into(layout, layout.unpack(layout.pack(s)), box, seat, seats, to_move, labels)


def look_into(
    layout: Layout[P], s: P, box: B, seat: int, seats: int, to_move: int, labels: Labels
) -> Sight[P, B]:
    """The same from a position that nobody writes to any more: what several see of it is there once."""
    return Sight(seat, seats, layout.seen_by(s, seat, seats), box, to_move, layout.counts(s, seats), labels)


def sees(mask: int, seat: int) -> bool:
    """Whether a seat, or SPECTATOR, is in the mask that `seen` gave."""
    return bool(mask & (SPECTATORS if seat == SPECTATOR else 1 << seat))


class Count(TypedDict):
    """Things of which this seat sees only how many there are."""

    count: int


class Squares(TypedDict):
    """A board of rows and columns.  `things` are all that a place may hold."""

    rows: list[str]
    columns: list[str]
    things: list[str]
    cells: list[list[str]]


def everything_visible(layout: Layout[P], sight: Sight[P, B]) -> dict[str, Any]:
    """Every field as this seat sees it, with names where the layout gives them (`schema.visible_type`).

    Hidden rows are the number of things in them where that is known (`{"count": 4}`), else None.
    Rows that are mostly empty and named are objects of what is there.  A board is shown whole:
    `{"rows": ["a"], "columns": ["1", "2"], "things": ["white", "black"], "cells": [["none", "white"]]}`.
    """
    s = sight.s
    return {
        f.name: getattr(s, f.name) if f.is_open_number else _shown(f, getattr(s, f.name), sight)
        for f in layout.fields
        if f.who is not SECRET
    }


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


def _board(f: Field, value: list[list[int]], sight: Sight[P, B]) -> Squares:
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
    is_list = axes[0] == "seat" or axes[0] not in sight.labels
    if len(axes) == 1 and not holds:  # numbers as they are: most of a position
        return value[:] if is_list else {label(axes[0], i, sight.labels): n for i, n in enumerate(value) if n}
    if len(axes) > 1:
        items = [_named(item, axes[1:], holds, sight) for item in value]
    else:
        items = [label(holds, item, sight.labels) for item in value]
    if is_list:
        return items
    there = [i for i, item in enumerate(items) if item not in (0, "none")]
    return {label(axes[0], i, sight.labels): items[i] for i in there}
