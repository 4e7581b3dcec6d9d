"""Whom a seat plays, for those who choose their seat: known before a match is made."""

from __future__ import annotations

from contextlib import suppress
from functools import cache
from typing import Any

from ludus import titles as registry
from ludus.core.errors import LudusError
from ludus.core.option import Value
from ludus.core.title import Title

GROUP = "side"  # the labels of a title that name its sides, seat by seat


@cache
def of_title(name: str) -> dict[str, list[str]]:
    """The sides of a title whose words name one for each seat: usually (""), and where an option changes them
    (NAME=VALUE).  Where more may play, sides are something else, such as those of a battle.

    Asked once: a box is made for each value.
    """
    title = registry.title(name)
    if not any(key.startswith(f"label.{GROUP}.") for key in title.words.keys("en")):
        return {}
    usual = _sides(title, {})
    if len(usual) < max(title.seats):
        return {}
    found = {"": usual}
    for option in title.options:
        for value in () if option.disputed else option.values:
            with suppress(LudusError):  # goes only with other options
                named = _sides(title, {option.name: value})
                if named != usual:
                    found[f"{option.name}={value}"] = named
    return found


def _sides(title: Title[Any, Any], options: dict[str, Value]) -> list[str]:
    number, values = title.read_setting(None, options)
    names = title.labels(title.make_box(values, number)).get(GROUP, ())
    return [name for name in names if name != "none"][:number]
