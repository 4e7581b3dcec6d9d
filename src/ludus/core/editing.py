"""Changing a position by hand: what can be set, by name and in a language, and what follows from it.

All of it comes from the layout of a title: its fields, what their axes count and their values stand for.
A title says more in its words: `field.NAME` is what a field is called (one without such a name is offered
among the rest), in `position.toml`: what numbers stand for that the layout does not name (`[holds]`) and how
far they go (`[high]`), and by `settle`, which counts anew what follows from the pieces.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any

from .common import common_of
from .errors import FormatError, LayoutError
from .layout import Field
from .naming import assign
from .starting import BadPosition, require_start
from .title import Title
from .words import Words

FILE = "position.toml"
MAX_EDITS = 60
Edit = tuple[str, Any]
"""A path such as `board.0.4`, and a number, a name, a list or a table; see `core.naming`."""

FAULTS = (IndexError, ValueError, ZeroDivisionError, AssertionError, LayoutError)


def describe(title: Title[Any, Any], box: Any, lang: str) -> dict[str, Any]:
    """Every field that can be set, and the names of what axes count and values stand for."""
    common = common_of(title, box, "plain")
    said = refinements(title.folder)
    fields = [_described(field, common.words, lang, said) for field in title.position.fields]
    used = {group for field in title.position.fields for group in (*field.axes, field.holds)}
    names = {
        group: [_place(common.words, lang, group, label) for label in labels]
        for group, labels in common.labels.items()
        if group in used and group != "seat"
    }
    return {"fields": fields, "names": names, "seats": common.seats}


@lru_cache(64)
def refinements(folder: Path) -> Mapping[str, Mapping[str, Any]]:
    """What `position.toml` in the folder of a title says; FormatError where it is wrong."""
    path = folder / FILE
    if not path.is_file():
        return {}
    try:
        data = tomllib.loads(path.read_text(encoding="utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise FormatError(str(error), source=str(path)) from None
    if not set(data) <= {"holds", "high"} or not all(isinstance(part, Mapping) for part in data.values()):
        raise FormatError("it has the parts [holds] and [high], and no other", source=str(path))
    return data


def _described(
    field: Field, words: Words, lang: str, said: Mapping[str, Mapping[str, Any]]
) -> dict[str, Any]:
    key = f"field.{field.name}"
    return {
        "name": field.name,
        "called": words.say(lang, key) if words.has(key) else "",
        "shape": list(field.shape),
        "axes": list(field.axes),
        "holds": said.get("holds", {}).get(field.name, field.holds),
        "heap": field.heap,
        "low": max(field.low, -1),
        "high": said.get("high", {}).get(field.name, field.high),
    }


def _place(words: Words, lang: str, group: str, label: str) -> dict[str, str]:
    return {"id": label, "name": words.name(lang, group, label)}


def edited(title: Title[Any, Any], box: Any, s: Any, edits: Sequence[Edit]) -> Any:
    """A plain position with some things set, and with what follows from them counted anew as far as that
    makes it possible; BadPosition names what cannot be set."""
    labels, layout = common_of(title, box, "plain").labels, title.position
    if len(edits) > MAX_EDITS:
        raise BadPosition(f"at most {MAX_EDITS} things are set at once")
    twin = layout.copy(s)
    for path, value in edits:
        name = path.split(".")[0]
        try:
            assign(layout, twin, path, value, labels)
            layout.pack(twin)
        except (FormatError, LayoutError) as error:
            raise BadPosition(str(error), name[:40]) from None
    return mended(title, box, twin, {path.split(".")[0] for path, _ in edits})


def mended(title: Title[Any, Any], box: Any, s: Any, kept: set[str]) -> Any:
    """The position with as little as possible counted anew by the title's `settle` so that it can be; the
    same where that does not help.  What is in `kept` stays."""
    names = [field.name for field in title.position.fields]
    loose: set[str] = set()
    best, broken = s, _broken(title, box, s)
    seen = {broken}
    while broken:
        step = None
        for name in (name for name in names if name not in loose and name not in kept):
            found, left = _settled(title, box, s, frozenset(names) - loose - {name})
            if left not in seen and (step is None or left == 0):
                step = (name, found, left)
                if left == 0:
                    break
        if step is None:
            return s
        name, best, broken = step
        loose.add(name)
        seen.add(broken)
    return best


def _settled(title: Title[Any, Any], box: Any, s: Any, given: frozenset[str]) -> tuple[Any, int]:
    twin = title.position.copy(s)
    try:
        title.settle(twin, box, given)
        title.position.pack(twin)
    except FAULTS:
        return s, -1
    return twin, _broken(title, box, twin)


def _broken(title: Title[Any, Any], box: Any, s: Any) -> int:
    try:
        return title.rules.check(s, box)
    except FAULTS:
        return -1


def judged(title: Title[Any, Any], box: Any, s: Any, lang: str) -> Mapping[str, Any] | None:
    """None where a game can begin from a position; else what stands against it, in a language."""
    try:
        require_start(title, box, s)
    except BadPosition as error:
        said = title.words.say(lang, f"invariant.{error.invariant}") if error.invariant else str(error)
        return {"reason": said, "field": error.field, "invariant": error.invariant}
    return None


def empty_box(title: Title[Any, Any], box: Any) -> Any:
    """A board with nothing on it but what every scene begins with."""
    from .forms import PlainForm

    s = PlainForm(title, box).new()
    twin = title.position.copy(s)
    title.settle(twin, box, frozenset({""}))
    return twin if _broken(title, box, twin) == 0 else s
