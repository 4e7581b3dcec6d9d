"""What of the data is ours and may be varied, for `ludus lab balance`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ludus.core.errors import FormatError
from ludus.core.option import Value

from . import changes as ours
from .box import shipped_for
from .data import problems


def sides(options: Mapping[str, Value]) -> tuple[str, ...]:
    """The sides, by seat."""
    return tuple(shipped_for(options).sides)


def declared(options: Mapping[str, Value]) -> list[str]:
    """Every single change that may be tried, and after which the data can still be played."""
    data = shipped_for(options)
    return [change for change in ours.declared(data) if not problems(ours.changed(data, change))]


def varied(options: Mapping[str, Value], changes: Sequence[str]) -> str:
    """The data with some changes, as the text of a data file; FormatError names what is wrong or printed."""
    data = shipped_for(options)
    for change in changes:
        data = ours.changed(data, change)
    wrong = problems(data)
    if wrong:
        raise FormatError(wrong[0])
    return data.canonical()
