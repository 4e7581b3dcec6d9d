"""The schema of what a seat is shown: JSON Schema from the type that a title's `view` declares.

A view that is written by hand returns a TypedDict; one that is left out has the type that follows from the
layout.  The types of the drawings in the browser are written from the schema (`tools/web`), and the tests
hold the views of random play against it.
"""

from __future__ import annotations

from types import GenericAlias, NoneType, UnionType
from typing import (
    Any,
    Literal,
    NotRequired,
    TypedDict,
    Union,
    get_args,
    get_origin,
    get_type_hints,
    is_typeddict,
)

from .codes import Labels
from .defaults import PlainTalk
from .errors import LudusError
from .game import View
from .layout import COUNTED, OWNED, SECRET, SHARED, Field, Layout
from .sight import Count, Squares
from .title import Title

Schema = dict[str, Any]
_PLAIN = {int: "integer", str: "string", bool: "boolean", NoneType: "null"}


def schema_of(title: Title[Any, Any]) -> Schema:
    """The JSON Schema of every view of a title, whoever looks."""
    writer = _Writer()
    whole = writer.of(TypedDict("View", {**get_type_hints(View), "board": board_type(title)}))  # type: ignore[operator]
    return {**whole, "$defs": writer.written}


def board_type(title: Title[Any, Any]) -> Any:
    """The type of what a title's `view` gives: as it says itself, or as follows from the layout."""
    view = title.talk.view
    if isinstance(getattr(view, "__self__", None), PlainTalk):
        return visible_type(title.position, title.labels(title.box_for()))
    declared = get_type_hints(view).get("return")
    if not is_typeddict(declared):
        raise LudusError(f"view of {title.name} must say which TypedDict it returns (docs/new-title.md)")
    return declared


# -- from a layout ------------------------------------------------------------------------------------


def visible_type(layout: Layout[Any], labels: Labels) -> Any:
    """The type of `everything_visible`."""
    shown = {f.name: _shown(f, labels) for f in layout.fields if f.who is not SECRET}
    return TypedDict("Board", shown)  # type: ignore[operator]


def _shown(f: Field, labels: Labels) -> Any:
    if f.is_board:
        return Squares
    if f.who in (OWNED, COUNTED):
        others = None if f.who is OWNED else Count
        return _list_of(_named(f.axes[1:], f.holds, labels) | others)
    whole = _named(f.axes, f.holds, labels)
    return whole | None if f.who is SHARED else whole


def _named(axes: tuple[str, ...], holds: str, labels: Labels) -> Any:
    if not axes:
        return str if holds else int
    item = _named(axes[1:], holds, labels)
    return GenericAlias(dict, (str, item)) if axes[0] != "seat" and axes[0] in labels else _list_of(item)


def _list_of(item: Any) -> Any:
    return GenericAlias(list, (item,))


# -- from a type --------------------------------------------------------------------------------------


class _Writer:
    """Writes types as JSON Schema; a TypedDict is written once, under its name."""

    def __init__(self) -> None:
        self.written: dict[str, Schema] = {}

    def of(self, declared: Any) -> Schema:
        origin, inside = get_origin(declared), get_args(declared)
        if declared in _PLAIN:
            return {"type": _PLAIN[declared]}
        if origin is Literal:
            return {"enum": list(inside)}
        if origin in (Union, UnionType):
            return {"anyOf": [self.of(one) for one in inside]}
        if origin is list:
            return {"type": "array", "items": self.of(inside[0])}
        if origin is dict and inside[0] is str:
            return {"type": "object", "additionalProperties": self.of(inside[1])}
        if is_typeddict(declared):
            return self.named(declared)
        raise LudusError(f"a view cannot hold {declared!r}: what JSON and a drawing understand can be")

    def named(self, declared: Any) -> Schema:
        name = declared.__name__
        if name not in self.written:
            self.written[name] = {}  # it may hold itself
            self.written[name] = self.fields(declared)
        return {"$ref": f"#/$defs/{name}"}

    def fields(self, declared: Any) -> Schema:
        hints = get_type_hints(declared, include_extras=True)
        rare = {name for name, hint in hints.items() if get_origin(hint) is NotRequired}
        shown = {name: get_args(hint)[0] if name in rare else hint for name, hint in hints.items()}
        return {
            "type": "object",
            **({"description": declared.__doc__} if declared.__doc__ else {}),
            "properties": {name: self.of(hint) for name, hint in shown.items()},
            "required": [name for name in shown if name not in rare],
            "additionalProperties": False,
        }
