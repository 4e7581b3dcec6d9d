"""Editions of our data: the first as it was reconstructed, the second with sides nearer to each other.

What a later edition changes is a list of changes of what is ours (`data/editions.toml`), each with its
reason; nothing printed can be changed that way.
"""

from __future__ import annotations

import tomllib
from dataclasses import replace
from functools import cache
from typing import Any

from .changes import changed
from .data import FOLDER, Data, shipped_data

FIRST = "first"


@cache
def changes_of(board: str, edition: str) -> tuple[dict[str, Any], ...]:
    """What an edition changes on a board, in order: `change`, `why`."""
    if edition == FIRST:
        return ()
    table = tomllib.loads((FOLDER / "editions.toml").read_text(encoding="utf-8"))[edition]
    return (*table["all"], *table.get(board, ()))


@cache
def edition_of(board: str, edition: str) -> Data:
    """A board with deck and prices, in one of the editions."""
    data = shipped_data(board)
    for row in changes_of(board, edition):
        data = _told(changed(data, row["change"]), row["change"].split(), row["why"])
    return data


def _told(data: Data, words: list[str], why: str) -> Data:
    """A border that goes otherwise says why."""
    if words[0] != "border":
        return data
    ends = {*words[1].split("-")}
    borders = [{**b, "why": why} if {*b["between"]} == ends else b for b in data.board["borders"]]
    return replace(data, board={**data.board, "borders": borders})
