"""Tic-tac-toe with inputs for a net: the smallest title that can be taught."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import tictactoe
from ludus.core.title import Inputs


def features(s: Any, box: Any, seat: int, idx: Any, val: Any) -> int:
    """Whether it is the seat's turn, its own marks, those of the other."""
    idx[0], val[0] = 0, 1.0 if s.marks % 2 == seat else 0.0
    n = 1
    for place in range(9):
        mark = s.board[place // 3][place % 3]
        if mark > 0:
            idx[n], val[n] = 1 + place + (0 if mark == seat + 1 else 9), 1.0
            n += 1
    return n


def turn(s: Any, box: Any) -> int:
    return int(s.marks)


INPUTS = Inputs(size=19, most=10, features=features, turn=turn, net_name=lambda box: "taught")
TITLE = replace(tictactoe.TITLE, name="taught", inputs=INPUTS)
