"""Terni lapilli, the fast half.  Rule numbers as in RULES.md."""

from ludus.core.chance import OVER
from ludus.core.contract import DRAW, LOSS, WIN

from .layout import (
    ADJACENT,
    BARRED,
    ENDED,
    MOVE,
    MOVE_FROM,
    ON,
    PLACE,
    PLACE_AT,
    STONES,
    Box,
    Position,
)


def new(s: Position, box: Box) -> None:
    """T1: three stones each, none of them on the board.  T2: seat 0 begins."""
    s.hand[0] = s.hand[1] = STONES


def to_move(s: Position, box: Box) -> int:
    return OVER if s.phase == ENDED else s.turn


def legal(s: Position, box: Box, out: list[int]) -> int:
    n = 0
    if s.phase == PLACE:
        for point in range(9):
            if s.board[point // 3][point % 3] == 0 and not (point == 4 and is_centre_barred(s, box)):
                out[n] = PLACE_AT + point
                n += 1
        return n
    for point in range(9):
        if s.board[point // 3][point % 3] == s.turn + 1:
            for to in range(9):
                if can_go(s, box, point, to):
                    out[n] = MOVE_FROM + 9 * point + to
                    n += 1
    return n


def is_centre_barred(s: Position, box: Box) -> bool:
    """T4: the first stone of all does not go to the middle."""
    return box.centre == BARRED and s.hand[0] + s.hand[1] == 2 * STONES


def can_go(s: Position, box: Box, point: int, to: int) -> bool:
    """T5: to a free point; along a line to the next one, unless any will do.  T6: which lines there are."""
    if s.board[to // 3][to % 3] != 0:
        return False
    rows, columns = abs(point // 3 - to // 3), abs(point % 3 - to % 3)
    if box.moves != ADJACENT or rows + columns == 1:
        return True
    return box.diagonals == ON and (point == 4 or to == 4)  # diagonals lead through the middle only


def apply(s: Position, box: Box, code: int) -> None:
    stone = s.turn + 1
    if s.phase == PLACE:
        put(s, code - PLACE_AT, stone)
        s.hand[s.turn] -= 1
    else:
        put(s, (code - MOVE_FROM) // 9, 0)
        put(s, (code - MOVE_FROM) % 9, stone)
        s.moves += 1
    s.turn = 1 - s.turn
    s.phase = PLACE if s.hand[s.turn] > 0 else MOVE
    if has_line(s, box, stone) or (s.phase == MOVE and is_shut_in(s, box)):  # T7, T8
        s.won, s.phase = stone, ENDED
    elif s.moves == box.cap:  # T9
        s.phase = ENDED


def put(s: Position, point: int, stone: int) -> None:
    s.board[point // 3][point % 3] = stone


def has_line(s: Position, box: Box, stone: int) -> bool:
    """T7: three stones of one side on one line.  T6: the diagonals may be none."""
    falling, rising = 0, 0
    for i in range(3):
        across, down = 0, 0
        for k in range(3):
            across += 1 if s.board[i][k] == stone else 0
            down += 1 if s.board[k][i] == stone else 0
        if across == STONES or down == STONES:
            return True
        falling += 1 if s.board[i][i] == stone else 0
        rising += 1 if s.board[i][2 - i] == stone else 0
    return box.diagonals == ON and (falling == STONES or rising == STONES)


def is_shut_in(s: Position, box: Box) -> bool:
    """T8: no stone of the seat to move can go anywhere."""
    for point in range(9):
        if s.board[point // 3][point % 3] == s.turn + 1:
            for to in range(9):
                if can_go(s, box, point, to):
                    return False
    return True


def returns(s: Position, box: Box, out: list[int]) -> None:
    for p in range(2):
        out[p] = DRAW if s.won == 0 else WIN if s.won == p + 1 else LOSS


def check(s: Position, box: Box) -> int:
    """1: each side has three stones, in hand or on the board.  2: both place in turn."""
    for p in range(2):
        n = s.hand[p]
        for point in range(9):
            n += 1 if s.board[point // 3][point % 3] == p + 1 else 0
        if n != STONES:
            return 1
    return 0 if 0 <= s.hand[1] - s.hand[0] <= 1 else 2
