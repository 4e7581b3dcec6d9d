"""Tic-tac-toe, the fast half."""

from typing import Any

from ludus.core.chance import OVER
from ludus.core.contract import DRAW, LOSS, WIN

from .layout import Position


def to_move(s: Position, box: Any) -> int:
    return OVER if s.won > 0 or s.marks == 9 else s.marks % 2


def legal(s: Position, box: Any, out: list[int]) -> int:
    n = 0
    for code in range(9):
        if s.board[code // 3][code % 3] == 0:
            out[n] = code
            n += 1
    return n


def apply(s: Position, box: Any, code: int) -> None:
    row, column, mark = code // 3, code % 3, s.marks % 2 + 1
    s.board[row][column] = mark
    s.marks += 1
    across, down, falling, rising = 0, 0, 0, 0
    for i in range(3):
        across += 1 if s.board[row][i] == mark else 0
        down += 1 if s.board[i][column] == mark else 0
        falling += 1 if s.board[i][i] == mark else 0
        rising += 1 if s.board[i][2 - i] == mark else 0
    if across == 3 or down == 3 or falling == 3 or rising == 3:
        s.won = mark


def returns(s: Position, box: Any, out: list[int]) -> None:
    for p in range(2):
        out[p] = DRAW if s.won == 0 else WIN if s.won == p + 1 else LOSS
