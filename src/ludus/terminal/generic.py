"""The table of a title that has no drawing: its view as boards, lines and tables, in its own words.

Names of fields come from `field.NAME` of the title's words (an empty text hides the field), else from
the words of the terminal, else from the field itself.  What is hidden is shown as hidden; what nobody
has is left out.  Where a board holds as many kinds of things as there are seats, they are those of the seats.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from rich import box
from rich.console import RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from ludus.core.layout import PUBLIC

from .drawings import Look
from .screen import GLUE

WIDE_CELL = 14  # longer cells stand in a column of their own for each player
NOTHING = "–"
MARKS = "○●△▲□■◇◆"  # for things of a board whose names are too long for its places
FREE = "·"
_EMPTY = (0, None, "", "none", False)
_WHO = ("owner", "seat", "player")  # keys whose number is a seat, in views that layouts do not describe


def draw(look: Look, width: int, rows: int | None) -> Sequence[RenderableType]:
    return _Generic(look).draw(width)


class _Generic:
    """A view of any title, sorted into facts, things by seat, and things by place."""

    def __init__(self, look: Look) -> None:
        self.look, self.speech = look, look.speech
        self.seats = int(look.view["seats"])
        self.facts: list[tuple[str, str]] = []
        self.by_seat: list[tuple[str, list[str]]] = []
        self.shared: list[tuple[str, str]] = []
        self.places: list[tuple[str, dict[str, dict[str, Any]]]] = []
        self.boards: list[RenderableType] = []

    def draw(self, width: int) -> list[RenderableType]:
        for field, value in self.look.view["board"].items():
            name = self.field_name(field)
            if name and not self.says_who_moves(field):
                self.sort_in(field, name, value)
        parts: list[RenderableType] = [*self.boards, *([_facts(self.facts)] if self.facts else [])]
        if self.by_seat:
            parts.append(self.seat_table(width))
        for name, records in self.places:
            parts += self.place_table(name, records)
        parts += [Padding(_pair(name, told), (0, 0, 0, 1)) for name, told in self.shared]
        return parts

    def sort_in(self, field: str, name: str, value: Any) -> None:
        if self.is_board(field, value):
            self.boards += self.board(field, value)
        elif self.is_by_seat(field, value):
            self.add_by_seat(field, name, value)
        elif isinstance(value, dict) and value and all(self.is_record(item) for item in value.values()):
            self.places.append((name, value))
        elif isinstance(value, dict | list):
            told = self.told(value, field)
            if told:
                self.shared.append((name, told))
        else:
            self.facts.append((name, self.told(value, field) or NOTHING))

    def add_by_seat(self, field: str, name: str, value: list[Any]) -> None:
        """A row for the field, or one for each part where every seat has a record of parts."""
        if all(self.is_record(item) for item in value):
            for key in dict.fromkeys(key for item in value for key in item):
                part = self.field_name(key)
                if part and key not in ("seat", "name"):
                    self.add_by_seat(key, part, [item.get(key) for item in value])
        elif not all(_is_empty(item) for item in value):  # where nobody has any, it is no news
            self.by_seat.append((name, [self.told(item, field) or NOTHING for item in value]))

    # -- what a value is ------------------------------------------------------------------------------

    def layout_of(self, field: str) -> tuple[tuple[str, ...], str, bool]:
        """Axes, what it holds, and whether somebody may not see it; nothing for what a view made itself."""
        known = self.speech.title.position.field.get(field)
        return (tuple(known.axes), known.holds, known.who is not PUBLIC) if known else ((), "", False)

    def is_board(self, field: str, value: Any) -> bool:
        known = self.speech.title.position.field.get(field)
        return known is not None and known.is_board and isinstance(value, dict) and "cells" in value

    def says_who_moves(self, field: str) -> bool:
        """The mark beside the player's name says the same."""
        return field in ("turn", "player") and self.layout_of(field)[1] == "seat"

    def is_by_seat(self, field: str, value: Any) -> bool:
        axes = self.layout_of(field)[0]
        return isinstance(value, list) and len(value) == self.seats and (not axes or axes[0] == "seat")

    def is_record(self, value: Any) -> bool:
        """Whether a dict has parts with names of their own, and is no heap of things."""
        if not isinstance(value, dict) or set(value) == {"count"}:
            return False
        return any(not self.speech.is_named(str(key), "") and not str(key).isdigit() for key in value)

    # -- values as text -------------------------------------------------------------------------------

    def field_name(self, field: str) -> str:
        told = self.speech.own(f"field.{field}")
        return field.replace("_", " ") if told is None else told

    def told(self, value: Any, field: str = "") -> str:
        """A value in words; "" where there is nothing."""
        _, holds, secret = self.layout_of(field)
        if value is None:
            return self.speech.ui("hidden.one") if secret else ""
        if isinstance(value, bool):
            return self.speech.ui("yes" if value else "no")
        if isinstance(value, int):
            return self.speech.seat(value) if field in _WHO and not holds else str(value)
        if isinstance(value, str):
            return self.label(value, holds)
        if isinstance(value, dict):
            return self.heap(value, field)
        return ", ".join(told for item in value if (told := self.told(item, field)))

    def label(self, value: str, holds: str) -> str:
        if value == "none":
            return ""
        if holds == "seat" and value.isdigit():
            return self.speech.seat(int(value))
        return self.speech.thing(value, holds)

    def heap(self, value: dict[str, Any], field: str) -> str:
        """Things with their numbers, or parts with what they are."""
        if set(value) == {"count"}:
            return self.speech.ui("hidden.count", count=value["count"])
        told = []
        for key, item in value.items():
            if _is_empty(item):
                continue
            named = self.speech.is_named(str(key), "")
            name = self.speech.thing(str(key)) if named else self.field_name(str(key))
            inner = self.told(item, field if named else str(key))
            if name and inner:
                nested = isinstance(item, dict | list)
                told.append(f"{name} ({inner})" if nested else f"{name} {inner}")
        return ", ".join(told)

    # -- boards ---------------------------------------------------------------------------------------

    def board(self, field: str, value: dict[str, Any]) -> list[RenderableType]:
        """Rows and columns as they are named, what was touched marked, and what the marks stand for."""
        holds = self.layout_of(field)[1]
        things = value["things"]
        marks = {name: name if len(name) < 3 else MARKS[k % len(MARKS)] for k, name in enumerate(things)}
        owner = {name: p for p, name in enumerate(things) if len(things) == self.seats}
        table = Table(box=None, padding=(0, 1), header_style="quiet")
        for head in ("", *value["columns"]):
            table.add_column(head, justify="center")
        for row, cells in zip(value["rows"], value["cells"], strict=True):
            shown = []
            for column, held in zip(value["columns"], cells, strict=True):
                touched = f"{field}:{row}-{column}" in self.look.touched
                style = "cursor" if touched else self.held_style(held, owner)
                shown.append(Text(f" {marks.get(held, FREE)} ", style=style))
            table.add_row(Text(f" {row}", style="quiet"), *shown)
        legend = Text("  ")
        for name in things:
            called = [self.speech.thing(name, holds)] if marks[name] != name else []
            called += [self.speech.seat(owner[name])] if name in owner else []
            if called:
                legend.append(f"{marks[name]} ", style=self.held_style(name, owner))
                legend.append(f"{', '.join(called)}   ", style="quiet")
        return [table, *([legend] if legend.plain.strip() else [])]

    def held_style(self, name: str, owner: dict[str, int]) -> str:
        if name not in owner:
            return "quiet" if name in _EMPTY else ""
        return "you" if owner[name] == self.look.eye else "them"

    # -- tables ---------------------------------------------------------------------------------------

    def seat_table(self, width: int) -> Table:
        """Players as rows; where cells are long, as columns."""
        longest = max(len(cell) for _, cells in self.by_seat for cell in cells)
        needed = 18 + sum(max(len(name), *(len(c) for c in cells)) + 3 for name, cells in self.by_seat)
        table = Table(box=box.ROUNDED, border_style="quiet", header_style="quiet")
        if longest <= WIDE_CELL and needed <= width:
            table.add_column("")
            for name, cells in self.by_seat:
                numbers = all(cell.isdigit() or cell == NOTHING for cell in cells)
                table.add_column(name, justify="right" if numbers else "left")
            for p in range(self.seats):
                table.add_row(self.player(p), *(Text(cells[p]) for _, cells in self.by_seat))
            return table
        table.add_column("", style="quiet")
        for p in range(self.seats):
            table.add_column(self.player(p), overflow="fold")
        for name, cells in self.by_seat:
            table.add_row(name, *(Text(cell) for cell in cells))
        return table

    def player(self, seat: int) -> Text:
        mark = "▸ " if self.look.view["to_move"] == seat else "  "
        return Text(f"{mark}{self.speech.seat(seat)}", style="you" if seat == self.look.eye else "them")

    def place_table(self, name: str, records: dict[str, dict[str, Any]]) -> list[RenderableType]:
        """Places of which there is something to tell as rows; all others in one line."""
        everywhere = set.intersection(
            *({k for k, v in r.items() if not _is_empty(v)} for r in records.values())
        )
        rich = {
            k: r
            for k, r in records.items()
            if any(not _is_empty(v) for p, v in r.items() if p not in everywhere)
        }
        keys = dict.fromkeys(key for r in rich.values() for key, item in r.items() if not _is_empty(item))
        parts: list[RenderableType] = []
        if rich:
            table = Table(box=None, header_style="quiet", padding=(0, 2, 0, 0))
            for head in (f" {name}", *(self.field_name(key) for key in keys)):
                table.add_column(head)
            for place, record in rich.items():
                cells = (Text(self.told(record.get(key), key) or NOTHING) for key in keys)
                table.add_row(Text(f" {self.speech.thing(place)}"), *cells)
            parts.append(table)
        rest = {place: record for place, record in records.items() if place not in rich}
        if rest:
            told = ", ".join(self.in_short(place, record) for place, record in rest.items())
            parts.append(Padding(_pair("" if rich else name, told), (0, 0, 0, 1)))
        return parts

    def in_short(self, place: str, record: dict[str, Any]) -> str:
        cells = [self.told(item, key) for key, item in record.items() if not _is_empty(item)]
        return " ".join([self.speech.thing(place), *(cell for cell in cells if cell)])


def _is_empty(value: Any) -> bool:
    """Whether a value says nothing: zero, nobody, or made of such things only."""
    if isinstance(value, dict):
        return set(value) != {"count"} and all(_is_empty(item) for item in value.values())
    if isinstance(value, list):
        return all(_is_empty(item) for item in value)
    return value in _EMPTY


def _pair(name: str, told: str, between: str = " ") -> Text:
    return Text.assemble((f"{name}{between}" if name else "", "quiet"), told)


def _facts(facts: Sequence[tuple[str, str]]) -> RenderableType:
    line = Text(" ")
    for place, (name, told) in enumerate(facts):
        line.append("   " if place else "")
        # Words of one fact stay together when the line is broken.
        line.append_text(_pair(name.replace(" ", GLUE), told.replace(" ", GLUE), GLUE))
    return line
