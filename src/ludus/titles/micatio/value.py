"""What a position of Micatio is worth to a seat: its coins, beside the best of the others."""

from .layout import Box, Position


def value(s: Position, box: Box, seat: int) -> int:
    best = 0
    for p in range(box.seats):
        if p != seat and s.coins[p] > best:
            best = s.coins[p]
    return 10 * (2 * s.coins[seat] - best)
