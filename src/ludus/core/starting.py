"""Positions that a game begins from instead of `new`: read, checked, and written as a text that reads back.

The text is one line of JSON: the fields that differ from the position of a new game, in the order of the
layout.  None is trusted: it is bounded in size, every number must fit its field, names must exist, the
title's `check` must find nothing, and the rules must be able to go on from it.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from .chance import CHANCE, OVER, Fresh, seed_rng
from .codes import Labels
from .common import common_of
from .errors import FormatError, LayoutError
from .forms import PlainForm
from .layout import Field, Layout, flatten
from .title import Title

MAX_CHARS = 48_000
PLIES = 40  # that the rules are tried with
NOBODY = -1  # stands in fields for what is not there


class BadPosition(FormatError):
    """A position from which no game can begin: why, which field, and the invariant if one is broken."""

    def __init__(self, reason: str, field: str = "", invariant: int = 0) -> None:
        self.field, self.invariant = field, invariant
        super().__init__(reason)


def write_start(title: Title[Any, Any], box: Any, s: Any) -> str:
    """The text of a plain position."""
    fresh = PlainForm(title, box).new()
    rows = title.position.json(s)
    other = {name: value for name, value in rows.items() if value != getattr(fresh, name)}
    return json.dumps(other, separators=(",", ":"))


def read_start(title: Title[Any, Any], box: Any, text: str) -> Any:
    """The plain position of a text, complete but not checked; BadPosition says which field is wrong."""
    if len(text) > MAX_CHARS:
        raise BadPosition(f"the position is longer than {MAX_CHARS} characters; none is")
    try:
        data = json.loads(text)
    except (ValueError, RecursionError):
        raise BadPosition("the position is no readable JSON") from None
    if not isinstance(data, Mapping):
        raise BadPosition("a position is an object of fields")
    return from_fields(title, box, data)


def from_fields(title: Title[Any, Any], box: Any, data: Mapping[str, Any]) -> Any:
    """The plain position of a new game with some whole fields given as numbers."""
    layout = title.position
    rows = layout.json(PlainForm(title, box).new())
    for name, value in data.items():
        if name not in layout.field:
            raise BadPosition(f"{title.name} has no field {name!r:.40}", name[:40])
        try:
            layout.from_json({**rows, name: value})
        except LayoutError as error:
            raise BadPosition(str(error), name) from None
        rows[name] = value
    return layout.from_json(rows)


def require_start(title: Title[Any, Any], box: Any, s: Any) -> None:
    """BadPosition unless a game can begin from this plain position."""
    form = PlainForm(title, box)
    if wrong := _unnamed(title.position, s, common_of(title, box, "plain").labels):
        raise wrong
    try:
        broken = title.rules.check(s, box)
        if broken:
            raise _broken(title, box, s, broken)
        mover = form.to_move(s)
        if mover == OVER:
            raise BadPosition("the game is over in this position")
        if not CHANCE <= mover < form.seats:
            raise BadPosition(f"it is the turn of seat {mover}, which is not there")
        _try(form, title.position.copy(s))
    except (IndexError, ValueError, ZeroDivisionError, AssertionError, OverflowError, LayoutError):
        raise BadPosition("the rules cannot go on from this position") from None


def checked_start(title: Title[Any, Any], box: Any, text: str) -> str:
    """The one text that stands for the position of a text, from which a game can begin."""
    s = read_start(title, box, text)
    require_start(title, box, s)
    return write_start(title, box, s)


def redealt(title: Title[Any, Any], box: Any, s: Any, seat: int, seed: int) -> Any:
    """A plain position that `seat` cannot tell from this one: what it cannot know is dealt anew."""
    form, twin = PlainForm(title, box), title.position.copy(s)
    rng = [0, 0, 0, 0]
    seed_rng(rng, seed, seat)
    try:
        form.redeal(twin, seat, rng)
        broken = title.rules.check(twin, box)
    except (IndexError, ValueError, ZeroDivisionError, AssertionError):
        broken = -1
    if broken:
        raise BadPosition("what this seat cannot know cannot be dealt anew here")
    return twin


def is_name(field: Field, value: int, labels: Labels) -> bool:
    """Whether a number of a field stands for something that there is; NOBODY always does."""
    names = labels.get(field.holds)
    return not names or NOBODY <= value < len(names)


def _unnamed(layout: Layout[Any], s: Any, labels: Labels) -> BadPosition | None:
    for field in layout.fields:
        for value in flatten(getattr(s, field.name)):
            if not is_name(field, value, labels):
                return BadPosition(f"{field.name} holds {value}, which is no {field.holds}", field.name)
    return None


def _broken(title: Title[Any, Any], box: Any, s: Any, broken: int) -> BadPosition:
    reason = title.words.say("en", f"invariant.{broken}")
    return BadPosition(f"impossible position: {reason}", blamed(title, box, s), broken)


def blamed(title: Title[Any, Any], box: Any, s: Any) -> str:
    """The field that breaks an invariant: the only one without which all would be well, or else, of those
    that are not as in a new game, the one that `check` looked at last."""
    fresh = PlainForm(title, box).new()
    names = (field.name for field in title.position.fields)
    changed = [name for name in names if getattr(s, name) != getattr(fresh, name)]
    culprits = []
    for name in changed:
        twin = title.position.copy(s)
        setattr(twin, name, getattr(fresh, name))
        if _holds(title, box, twin):
            culprits.append(name)
    if len(culprits) == 1:
        return culprits[0]
    read = _read_by_check(title, box, s)
    return next((name for name in reversed(read) if name in changed), read[-1] if read else "")


def _holds(title: Title[Any, Any], box: Any, s: Any) -> bool:
    try:
        return title.rules.check(s, box) == 0
    except (IndexError, ValueError, ZeroDivisionError, AssertionError):
        return False


def _read_by_check(title: Title[Any, Any], box: Any, s: Any) -> list[str]:
    """The fields that `check` read before it gave its verdict, in that order."""
    read: list[str] = []

    class Watched:
        def __getattr__(self, name: str) -> Any:
            read.append(name)
            return getattr(s, name)

    title.rules.check(Watched(), box)
    return read


def _try(form: PlainForm[Any, Any], s: Any) -> None:
    """Play some actions by chance: a position that the rules cannot bear shows it soon."""
    source = Fresh(1)
    for at in range(PLIES):
        mover = form.to_move(s)
        if mover == OVER:
            return
        if mover == CHANCE:
            if not form.odds(s):
                raise BadPosition("there is nothing to draw in this position")
            code = form.draw(s, source.u32(at))
        else:
            codes = form.legal(s)
            if not codes:
                raise BadPosition("nobody can do anything in this position")
            code = codes[source.u32(at) % len(codes)]
        form.step(s, code)
        if form.check(s):
            raise BadPosition("the rules lead from this position to an impossible one")
