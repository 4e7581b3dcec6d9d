"""What a position of Terni lapilli is worth to a seat: lines that are still open, and who could close one."""

from .layout import MOVE, ON, Box, Position
from .rules import can_go

THREAT = 10_000


def value(s: Position, box: Box, seat: int) -> int:
    worth = 0
    for line in range(lines(box)):
        own, theirs = stones_on(s, line, seat + 1), stones_on(s, line, 2 - seat)
        if theirs == 0:
            worth += own * own
        elif own == 0:
            worth -= theirs * theirs
        if could_close(s, box, line, s.turn):  # whoever is to move would do it
            worth += THREAT if s.turn == seat else -THREAT
    return worth


def could_close(s: Position, box: Box, line: int, seat: int) -> bool:
    """Whether a seat could bring its third stone to this line with its next action."""
    if stones_on(s, line, seat + 1) != 2:
        return False
    for i in range(3):
        gap = point_on(line, i)
        if s.board[gap // 3][gap % 3] == 0:
            return s.phase != MOVE or third_can_go(s, box, line, gap, seat)
    return False


def third_can_go(s: Position, box: Box, line: int, gap: int, seat: int) -> bool:
    for point in range(9):
        aside = point != point_on(line, 0) and point != point_on(line, 1) and point != point_on(line, 2)
        if aside and s.board[point // 3][point % 3] == seat + 1 and can_go(s, box, point, gap):
            return True
    return False


# -- lines ----------------------------------------------------------------------------------------


def point_on(line: int, i: int) -> int:
    """Three rows, three columns, two diagonals: which point is the i-th of a line."""
    if line < 3:
        return 3 * line + i
    return line - 3 + 3 * i if line < 6 else 4 * i if line == 6 else 2 + 2 * i


def lines(box: Box) -> int:
    """T6: how many lines the board has."""
    return 8 if box.diagonals == ON else 6


def stones_on(s: Position, line: int, stone: int) -> int:
    n = 0
    for i in range(3):
        point = point_on(line, i)
        n += 1 if s.board[point // 3][point % 3] == stone else 0
    return n
