"""Terni lapilli: what a position and a box consist of, and the codes of its actions."""

from __future__ import annotations

from typing import Annotated

from ludus.core.codes import Arg, Codes, Kind
from ludus.core.layout import PUBLIC, F

STONES = 3  # of each side
CAPS = (20, 40, 80)

# Phases, and the values of options that are words: their places in the lists of `LABELS` and `TITLE`.
PLACE, MOVE, ENDED = 0, 1, 2
ADJACENT, ON, BARRED = 0, 0, 0
LABELS = {
    "phase": ("place", "move", "ended"),
    "stone": ("none", "white", "black"),
    "row": ("a", "b", "c"),
    "column": ("1", "2", "3"),
}


class Position:
    """Everything that is true at one moment."""

    phase: Annotated[int, F("i1", holds="phase")]
    turn: Annotated[int, F("i1", holds="seat")]
    moves: Annotated[int, F("i1")]  # made since the last stone was placed
    won: Annotated[int, F("i1", holds="stone")]  # whose stones have won
    hand: Annotated[list[int], F("i1", PUBLIC, 2, axes="seat")]  # stones still to be placed
    board: Annotated[list[list[int]], F("i1", PUBLIC, 3, 3, axes="row column", holds="stone")]


class Box:
    """What does not change during a match: the options."""

    moves: Annotated[int, F("i1")]
    diagonals: Annotated[int, F("i1")]
    centre: Annotated[int, F("i1")]
    cap: Annotated[int, F("i1")]


ROW, COLUMN = Arg("row", 0, 2, "row"), Arg("column", 0, 2, "column")
TO_ROW, TO_COLUMN = Arg("to_row", 0, 2, "row"), Arg("to_column", 0, 2, "column")
CODES = Codes(Kind("place", ROW, COLUMN), Kind("move", ROW, COLUMN, TO_ROW, TO_COLUMN))
PLACE_AT = CODES.origin("place")  # + 3 * row + column
MOVE_FROM = CODES.origin("move")  # + 27 * row + 9 * column + 3 * to_row + to_column
