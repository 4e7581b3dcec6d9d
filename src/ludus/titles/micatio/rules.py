"""Micatio, the fast half: Morra, the finger game of the Romans.  Rule numbers as in RULES.md."""

from ludus.core.chance import CHANCE, OVER, below
from ludus.core.contract import DRAW, EVERYONE, LOSS, MAX_SEATS, WIN

from . import layout as at
from .layout import ENDED, GUESS, SHOW, STAKE, TIE, Box, Position

NOBODY = -1


def new(s: Position, box: Box) -> None:
    """M1: everybody begins with the same coins; seat 0 leads the first round."""
    s.round = 1
    for p in range(box.seats):
        s.coins[p] = box.coins


def to_move(s: Position, box: Box) -> int:
    return OVER if s.phase == ENDED else CHANCE if s.phase == TIE else s.turn


def playing(s: Position) -> int:
    """M8: how many seats still have coins."""
    n = 0
    for p in range(MAX_SEATS):
        n += 1 if s.coins[p] > 0 else 0
    return n


def next_seat(s: Position, box: Box, p: int) -> int:
    """The next seat to the left that still plays."""
    p = (p + 1) % box.seats
    while s.coins[p] == 0:
        p = (p + 1) % box.seats
    return p


def best_of(numbers: list[int], n: int) -> tuple[int, int]:
    """The greatest of the first n numbers, and which seat alone has it."""
    best, holder = 0, NOBODY
    for p in range(n):
        if numbers[p] > best:
            best, holder = numbers[p], p
        elif numbers[p] == best:
            holder = NOBODY
    return best, holder


def legal(s: Position, box: Box, out: list[int]) -> int:
    if s.phase == STAKE:  # M2: the leader stakes no more than he has
        low, high, origin = 1, min(box.max_stake, s.coins[s.turn]), at.STAKE_COINS
    elif s.phase == SHOW:  # M3
        low, high, origin = 1, box.max_fingers, at.SHOW_FINGERS
    else:  # M4: a sum that the others could still make with one's own fingers
        own, others = s.fingers[s.turn], playing(s) - 1
        low, high, origin = own + others, own + others * box.max_fingers, at.GUESS_SUM
    for value in range(low, high + 1):
        out[value - low] = origin + value
    return high - low + 1


def odds(s: Position, box: Box, out: list[int], weight: list[int]) -> int:
    for value in range(1, 7):
        out[value - 1], weight[value - 1] = at.ROLL_VALUE + value, 1
    return 6


def seen(s: Position, box: Box, code: int) -> int:
    """M5: fingers and guess stay hidden until the last seat has chosen."""
    return 1 << s.turn if s.phase == SHOW or s.phase == GUESS else EVERYONE


def apply(s: Position, box: Box, code: int) -> None:
    if s.phase == STAKE:
        s.stake, s.phase = code - at.STAKE_COINS, SHOW
    elif s.phase == SHOW:
        s.fingers[s.turn], s.chosen[s.turn], s.phase = code - at.SHOW_FINGERS, 1, GUESS
    elif s.phase == GUESS:
        s.guess[s.turn], s.chosen[s.turn], s.phase = code - at.GUESS_SUM, 2, SHOW
        s.turn = next_seat(s, box, s.turn)
        if s.turn == s.leader:
            turn_up(s, box)
    else:
        roll_off(s, box, code - at.ROLL_VALUE)


def turn_up(s: Position, box: Box) -> None:
    """M5: all hands are opened.  M6: right is who named the sum of all fingers."""
    total = sum(s.fingers)
    for p in range(box.seats):
        s.shown[p], s.called[p] = s.fingers[p], s.guess[p]
        s.right[p] = 1 if s.guess[p] == total else 0
        s.fingers[p] = s.guess[p] = s.chosen[p] = s.rolled[p] = 0
    if sum(s.right) > 1:
        s.phase = TIE
        roll_off(s, box, 0)
    else:
        pay(s, box, best_of(s.right, box.seats)[1])


def roll_off(s: Position, box: Box, value: int) -> None:
    """M7: several were right: each rolls a die, the highest wins; equal dice win nothing."""
    if value > 0:
        s.rolled[s.turn] = value
    for p in range(box.seats):
        if s.right[p] == 1 and s.rolled[p] == 0:
            s.turn = p
            return
    pay(s, box, best_of(s.rolled, box.seats)[1])


def pay(s: Position, box: Box, winner: int) -> None:
    """M6: the others pay the winner (if any) the stake, or all they have; M8, M9: going on."""
    for p in range(box.seats):
        if winner != NOBODY and p != winner:
            paid = min(s.stake, s.coins[p])
            s.coins[p] -= paid
            s.coins[winner] += paid
    s.round, s.stake, s.leader = s.round + 1, 0, next_seat(s, box, s.leader)
    s.turn = s.leader
    s.phase = ENDED if s.round > box.rounds or playing(s) == 1 else STAKE


def returns(s: Position, box: Box, out: list[int]) -> None:
    """M9: the most coins win; equal coins share the first place."""
    best, winner = best_of(s.coins, box.seats)
    for p in range(box.seats):
        out[p] = LOSS if s.coins[p] < best else (WIN if p == winner else DRAW)


def redeal(s: Position, box: Box, seat: int, rng: list[int]) -> None:
    """Others who have chosen could have chosen anything that M3 and M4 allow."""
    others = playing(s) - 1
    for p in range(box.seats):
        if p != seat and s.chosen[p] > 0:
            s.fingers[p] = 1 + below(rng, box.max_fingers)
            if s.chosen[p] == 2:
                s.guess[p] = s.fingers[p] + others + below(rng, others * (box.max_fingers - 1) + 1)


def check(s: Position, box: Box) -> int:
    """1: coins are neither made nor lost.  2: nobody owes.  3: chosen is what is chosen."""
    for p in range(box.seats):
        if s.coins[p] < 0:
            return 2
        if (s.chosen[p] > 0) != (s.fingers[p] > 0) or (s.chosen[p] > 1) != (s.guess[p] > 0):
            return 3
    return 0 if sum(s.coins) == box.coins * box.seats else 1
