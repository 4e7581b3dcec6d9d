"""Victory points: every transfer, the end of the game that it may bring, and who has won."""

from ludus.core.contract import DRAW, LOSS, WIN

from ..layout import ENDED, Box, Position


def gain_from_stock(s: Position, p: int, n: int) -> None:
    """R65: paid in full even if the stock has less; R64: an empty stock ends the game at once."""
    s.points[p] += n
    if n < s.stock:
        s.stock -= n
    else:
        s.written += n - s.stock
        s.stock = 0
        s.phase = ENDED


def pay_to_stock(s: Position, p: int, n: int) -> None:
    """R7: who cannot pay all pays what is left; R64: without points the game is over at once."""
    paid = min(n, s.points[p])
    s.points[p] -= paid
    s.stock += paid
    if s.points[p] == 0:
        s.phase = ENDED


def take_from_opponent(s: Position, p: int, n: int) -> None:
    """R31, R32: no more than the opponent has; R64: taking the last point ends the game at once."""
    q = 1 - p
    taken = min(n, s.points[q])
    s.points[q] -= taken
    s.points[p] += taken
    if s.points[q] == 0:
        s.phase = ENDED


def returns(s: Position, box: Box, out: list[int]) -> None:
    """R67: more points win, whoever ended the game; R68: equal points are a draw."""
    for p in range(2):
        lead = s.points[p] - s.points[1 - p]
        out[p] = WIN if lead > 0 else (DRAW if lead == 0 else LOSS)
