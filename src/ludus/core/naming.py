"""Parts of a position by name: what scenes are written in.

A path names a field and then, axis by axis, an index by label or number: `board.0.4`, `hand.1.forum`.
A value is a number or a label of what the field holds; tables and lists give several at once.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from .codes import Labels, label
from .errors import FormatError
from .layout import Field, Layout


def _index(field: Field, axis: int, word: str, labels: Labels) -> int:
    names = list(labels.get(field.axes[axis], ()))
    if word in names:
        place = names.index(word)
    elif word.isascii() and word.isdigit():
        place = int(word)
    else:
        known = ", ".join(n for n in names if n) or f"0 to {field.shape[axis] - 1}"
        raise FormatError(f"{field.name} has no {field.axes[axis]} {word!r}; there are: {known}")
    if place >= field.shape[axis]:
        raise FormatError(f"{field.name} has no place {word}; it goes from 0 to {field.shape[axis] - 1}")
    return place


def _value(field: Field, given: Any, labels: Labels) -> int:
    if isinstance(given, int) and not isinstance(given, bool):
        return given
    names = list(labels.get(field.holds, ()))
    if given in names:
        return names.index(given)
    wanted = f"one of {', '.join(n for n in names if n)}" if names else "a whole number"
    raise FormatError(f"{field.name} holds {wanted}, not {given!r}")


def _find(layout: Layout[Any], path: str, labels: Labels) -> tuple[Field, list[int]]:
    name, *words = path.split(".")
    field = layout.field.get(name)
    if field is None:
        raise FormatError(f"there is no field {name!r}; there are: {', '.join(layout.field)}")
    if len(words) > len(field.shape):
        raise FormatError(f"{path!r} goes deeper than {name}, which has {len(field.shape)} axes")
    return field, [_index(field, axis, word, labels) for axis, word in enumerate(words)]


def assign(layout: Layout[Any], s: Any, path: str, given: Any, labels: Labels) -> None:
    """Write a number, label, list or table at a path of a plain position."""
    field, places = _find(layout, path, labels)
    _write(field, s.__dict__, field.name, len(places), places, given, labels)


def _write(
    field: Field, holder: Any, key: Any, depth: int, places: list[int], given: Any, labels: Labels
) -> None:
    for place in places:
        holder, key = holder[key], place
    if depth == len(field.shape):
        holder[key] = _value(field, given, labels)
    elif isinstance(given, Mapping):
        for word, item in given.items():
            _write(field, holder, key, depth + 1, [_index(field, depth, word, labels)], item, labels)
    elif isinstance(given, list) and len(given) <= field.shape[depth]:
        for i, item in enumerate(given):
            _write(field, holder, key, depth + 1, [i], item, labels)
    else:
        raise FormatError(f"{field.name} takes a list of at most {field.shape[depth]}, or a table")


def mismatch(layout: Layout[Any], s: Any, path: str, wanted: Any, labels: Labels) -> str:
    """What differs from what was wanted at a path ("" when nothing does).

    Lists and tables ask only for what they name.
    """
    field, places = _find(layout, path, labels)
    value = getattr(s, field.name)
    for place in places:
        value = value[place]
    return _differs(field, len(places), value, wanted, labels, path)


def _differs(field: Field, depth: int, value: Any, wanted: Any, labels: Labels, path: str) -> str:
    if depth == len(field.shape):
        if value == _value(field, wanted, labels):
            return ""
        return f"{path} is {label(field.holds, value, labels)}, expected {wanted}"
    pairs: list[tuple[int, Any]]
    if isinstance(wanted, Mapping):
        pairs = [(_index(field, depth, word, labels), item) for word, item in wanted.items()]
    elif isinstance(wanted, list) and len(wanted) <= len(value):
        pairs = list(enumerate(wanted))
    else:
        return f"{path} holds {len(value)} values, expected {wanted!r}"
    for place, item in pairs:
        name = label(field.axes[depth], place, labels)
        found = _differs(field, depth + 1, value[place], item, labels, f"{path}.{name}")
        if found:
            return found
    return ""
