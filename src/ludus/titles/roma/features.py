"""What a net is told of a position of Roma: all that a seat may know, its own side first.

Written like rules, so that it is compiled with them.
"""

from __future__ import annotations

from typing import Any

from ludus.core.title import Inputs

from .layout import BASILICA, DICE, DISCS, FORUM, PHASES, SIZE, TEMPLUM, Box, Position

# Where each group of inputs begins.  "2 x" is: of the seat, of the other.
BOARD = 0  # 2 x 6 discs x card
COUNT = BOARD + 2 * DISCS * SIZE  # 2 x card: how many of it lie
HAND = COUNT + 2 * SIZE  # the seat's own hand
KNOWN = HAND + SIZE  # what it knows of the other's
ACTIVE = KNOWN + SIZE  # 2 x card: that an unused die can activate
SCALAR = ACTIVE + 2 * SIZE
SCALARS = 16
POINTS = SCALAR + SCALARS  # 2 x 10
STOCK = POINTS + 20  # 10
MONEY = STOCK + 10  # 2 x 12
PHASE = MONEY + 24  # 2 x phase
DIE = PHASE + 2 * len(PHASES)  # 2 x 6
BLOCKED = DIE + 12  # 2 x 6
BESIDE = BLOCKED + 12  # 2 x Basilica, Templum beside a Forum
EFFECT = BESIDE + 4  # 2 x card whose action goes on
ASIDE = EFFECT + 2 * SIZE  # cards that the seat looks at
LIFTED = ASIDE + SIZE  # cards to be laid again
TARGET = LIFTED + SIZE  # 2 x 6: the disc that is attacked
NUMBER = TARGET + 12
MOST = 190


def put(idx: Any, val: Any, n: int, i: int, v: float) -> int:
    """One more input."""
    idx[n] = i
    val[n] = v
    return n + 1


def features(s: Position, box: Box, seat: int, idx: Any, val: Any) -> int:
    """The inputs of a seat; their number."""
    n = 0
    for k in range(2):
        n = side(s, seat if k == 0 else 1 - seat, k, idx, val, n)
    n = secrets(s, seat, idx, val, n)
    n = put(idx, val, n, SCALAR + 8, 0.1 * (s.points[seat] - s.points[1 - seat]))
    n = put(idx, val, n, SCALAR + 9, 0.1 * s.stock)
    n = put(idx, val, n, SCALAR + 10, 0.03 * s.deck_size)
    n = put(idx, val, n, STOCK + min(9, max(0, s.stock)), 1.0)
    return going_on(s, 0 if s.player == seat else 1, idx, val, n)


def side(s: Position, p: int, k: int, idx: Any, val: Any, n: int) -> int:
    """What lies before one of the two: cards, points, money."""
    empty = 0
    for disc in range(1, DISCS + 1):
        card = s.board[p][disc]
        n = put(idx, val, n, BOARD + (k * DISCS + disc - 1) * SIZE + card, 1.0)
        n = put(idx, val, n, COUNT + k * SIZE + card, 1.0)
        if card == 0:
            empty += 1
        if s.blocked[p][disc] > 0:
            n = put(idx, val, n, BLOCKED + k * DISCS + disc - 1, 1.0)
        if card == FORUM:
            n = beside(s, p, k, disc, idx, val, n)
    hand = 0
    for card in range(1, SIZE):
        hand += s.hand[p][card]
    n = put(idx, val, n, SCALAR + k, 0.1 * s.points[p])
    n = put(idx, val, n, SCALAR + 2 + k, 0.1 * s.money[p])
    n = put(idx, val, n, SCALAR + 4 + k, 0.2 * hand)
    n = put(idx, val, n, SCALAR + 6 + k, 0.2 * empty)
    n = put(idx, val, n, POINTS + 10 * k + min(9, s.points[p]), 1.0)
    return put(idx, val, n, MONEY + 12 * k + min(11, s.money[p]), 1.0)


def beside(s: Position, p: int, k: int, disc: int, idx: Any, val: Any, n: int) -> int:
    """What helps the Forum on a disc."""
    for d in range(disc - 1, disc + 2, 2):
        if 1 <= d <= DISCS and s.board[p][d] == BASILICA:
            n = put(idx, val, n, BESIDE + 2 * k, 1.0)
        if 1 <= d <= DISCS and s.board[p][d] == TEMPLUM:
            n = put(idx, val, n, BESIDE + 2 * k + 1, 1.0)
    return n


def secrets(s: Position, seat: int, idx: Any, val: Any, n: int) -> int:
    """Cards that not everybody knows: the seat's own, and what it knows of the other's."""
    for card in range(1, SIZE):
        if s.hand[seat][card] > 0:
            n = put(idx, val, n, HAND + card, s.hand[seat][card])
        if s.aside[seat][card] > 0:
            n = put(idx, val, n, ASIDE + card, 0.3 * s.aside[seat][card])
        if s.known[1 - seat][card] > 0:
            n = put(idx, val, n, KNOWN + card, s.known[1 - seat][card])
    for disc in range(1, DISCS + 1):
        if s.facedown[seat][disc] > 0:
            n = put(idx, val, n, BOARD + (disc - 1) * SIZE + s.facedown[seat][disc], 1.0)
    return n


def going_on(s: Position, k: int, idx: Any, val: Any, n: int) -> int:
    """What is being done; k is 0 when it is the seat's own turn."""
    n = put(idx, val, n, PHASE + len(PHASES) * k + s.phase, 1.0)
    n = put(idx, val, n, SCALAR + 11 + k, 0.3 * s.left)
    n = put(idx, val, n, SCALAR + 13, 0.1 * s.gain if k == 0 else -0.1 * s.gain)
    n = put(idx, val, n, SCALAR + 14 + k, s.weakened)
    for i in range(DICE):
        v = s.dice[i]
        if v > 0:
            n = put(idx, val, n, DIE + 6 * k + v - 1, 1.0)
            card = s.board[s.player][v]
            if card > 0 and s.blocked[s.player][v] == 0:
                n = put(idx, val, n, ACTIVE + SIZE * k + card, 1.0)
    if s.effect > 0:
        n = put(idx, val, n, EFFECT + SIZE * k + s.effect, 1.0)
    if s.target > 0 and s.target <= DISCS:
        n = put(idx, val, n, TARGET + DISCS * k + s.target - 1, 1.0)
    if k == 0:
        for i in range(DISCS):
            if s.lifted[i] > 0:
                n = put(idx, val, n, LIFTED + s.lifted[i], 1.0)
    return n


def turn(s: Position, box: Box) -> int:
    """Which turn it is."""
    return s.turn


RECIPE = {"hidden": 96, "policy": 32, "round": 100}

INPUTS = Inputs(
    NUMBER, MOST, features, turn, net_name=lambda box: "roma", heats=(0.068, 0.041, 0.023), recipe=RECIPE
)
