"""Tic-tac-toe: what a position consists of, and the codes of its actions."""

from typing import Annotated

from ludus.core.codes import Arg, Codes, Kind
from ludus.core.layout import PUBLIC, F


class Position:
    marks: Annotated[int, F("i1")]  # how many there are
    won: Annotated[int, F("i1", holds="mark")]  # who has three in a row
    board: Annotated[list[list[int]], F("i1", PUBLIC, 3, 3, axes="row column", holds="mark")]


LABELS = {"mark": ("none", "x", "o"), "row": ("a", "b", "c"), "column": ("1", "2", "3")}
CODES = Codes(Kind("mark", Arg("row", 0, 2, "row"), Arg("column", 0, 2, "column")))
