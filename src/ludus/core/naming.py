"""Parts of a position by name: what scenes are written in.

A path names a field and then, axis by axis, an index by label or number: `board.0.4`, `hand.1.forum`.
A value is a number or a label of what the field holds; tables and lists give several at once.  Of a heap
(`F(..., heap=True)`: a pile, a hand) they give all there is; of anything else the places that they name.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from .codes import Labels, label
from .errors import FormatError
from .layout import Field, Layout, flatten


def _index(field: Field, axis: int, word: str, labels: Labels) -> int:
    group, names = field.axes[axis], list(labels.get(field.axes[axis], ()))
    if word in names:
        place = names.index(word)
    elif word.isascii() and word.isdigit() and label(group, int(word), labels) == word:
        place = int(word)  # one without a name: names that are digits would mean another place
    else:
        known = ", ".join(n for n in names if n) or f"0 to {field.shape[axis] - 1}"
        raise FormatError(f"{field.name} has no {group} {word!r:.40}; there are: {known}")
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
    if field.heap:
        _clear(field, s.__dict__, field.name, places, given, labels)
    _write(field, s.__dict__, field.name, len(places), places, given, labels)


def _clear(
    field: Field, holder: Any, key: Any, places: list[int], given: Any, labels: Labels, depth: int = 0
) -> None:
    """Empty the heaps that a list or table gives."""
    for place in places:
        holder, key = holder[key], place
    depth += len(places)
    if depth == len(field.shape) - 1:
        holder[key] = [0] * field.shape[depth]
    elif depth < len(field.shape):
        for place, item in _pairs(field, depth, given, labels):
            _clear(field, holder[key], place, [], item, labels, depth + 1)


def _pairs(field: Field, depth: int, given: Any, labels: Labels) -> list[tuple[int, Any]]:
    """The places of an axis that a list or table names."""
    if isinstance(given, Mapping):
        return [(_index(field, depth, word, labels), item) for word, item in given.items()]
    if isinstance(given, list) and len(given) <= field.shape[depth]:
        return list(enumerate(given))
    raise FormatError(
        f"{field.name} takes a list of at most {field.shape[depth]}, or a table, not {given!r:.40}"
    )


def _write(
    field: Field, holder: Any, key: Any, depth: int, places: list[int], given: Any, labels: Labels
) -> None:
    for place in places:
        holder, key = holder[key], place
    if depth == len(field.shape):
        holder[key] = _value(field, given, labels)
    else:
        for place, item in _pairs(field, depth, given, labels):
            _write(field, holder, key, depth + 1, [place], item, labels)


def mismatch(
    layout: Layout[Any], s: Any, path: str, wanted: Any, labels: Labels, exactly: bool = False
) -> str:
    """What differs from what was wanted at a path ("" when nothing does).

    Lists and tables ask only for what they name; with `exactly` the rest of each row must be 0.
    """
    field, places = _find(layout, path, labels)
    value = _at(getattr(s, field.name), places)
    return _differs(field, len(places), value, wanted, labels, path, exactly)


def _at(value: Any, places: list[int]) -> Any:
    for place in places:
        value = value[place]
    return value


def _differs(
    field: Field, depth: int, value: Any, wanted: Any, labels: Labels, path: str, exactly: bool
) -> str:
    if depth == len(field.shape):
        if value == _value(field, wanted, labels):
            return ""
        return f"{path} is {label(field.holds, value, labels)}, expected {wanted}"
    if not isinstance(wanted, Mapping) and not (isinstance(wanted, list) and len(wanted) <= len(value)):
        return f"{path} holds {len(value)} values, expected {wanted!r}"
    pairs = dict(_pairs(field, depth, wanted, labels))
    if exactly and depth == len(field.shape) - 1:
        pairs = {place: pairs.get(place, 0) for place in range(len(value))}
    for place, item in pairs.items():
        name = label(field.axes[depth], place, labels)
        found = _differs(field, depth + 1, value[place], item, labels, f"{path}.{name}", exactly)
        if found:
            return found
    return ""


def named(layout: Layout[Any], s: Any, path: str, labels: Labels) -> Any:
    """What lies at a path: a number by its label where it has one, a row as a table of what is not 0."""
    field, places = _find(layout, path, labels)
    if len(places) < len(field.shape) - 1:
        raise FormatError(f"{path} is several rows; name one of them")

    def said(value: int) -> Any:
        return label(field.holds, value, labels) if field.holds else value

    value = _at(getattr(s, field.name), places)
    if len(places) == len(field.shape):
        return said(value)
    return {label(field.axes[-1], place, labels): said(item) for place, item in enumerate(value) if item}


def size_of(layout: Layout[Any], s: Any, path: str, labels: Labels) -> int:
    """How many things lie at a path: the sum of amounts, or the places where something is held."""
    field, places = _find(layout, path, labels)
    if len(places) == len(field.shape):
        raise FormatError(f"{path} is one number; a size is that of a row, so leave its last word out")
    numbers = flatten(_at(getattr(s, field.name), places))
    return sum(number != 0 for number in numbers) if field.holds else sum(numbers)
