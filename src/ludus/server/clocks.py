"""Clocks: none, so much for the whole match, or so much for each turn.  Pure: the time is given.

A clock is a function of the standing actions and of the time that passed.  It belongs to the seat: it runs
on when its player gets up, and whoever sits down goes on with it.  Time is given for a turn that the seat
has never had before, and for nothing else: taking back, leaving and claiming never give time back.  Only
people's clocks run; a bot has a deadline of its own.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from ludus.core.chance import CHANCE
from ludus.core.game import Played

NONE, MATCH, MOVE = "none", "match", "move"
LATE = 1.0  # seconds by which commands of a seat may be late on their way, all together


@dataclass(frozen=True)
class Clock:
    """What was agreed: `seconds` for the match (and `increment` after each turn) or for each turn."""

    kind: str = NONE
    seconds: float = 0.0
    increment: float = 0.0


@dataclass(frozen=True)
class ClockState:
    """Seconds left for each seat when its clock last stood, whose clock runs, and since when.

    `paid` is the furthest turn of each seat for which it has been given time.  What is below zero was
    spent of `LATE`.
    """

    left: tuple[float, ...]
    running: int = -1
    since: float = 0.0
    paid: tuple[int, ...] = ()

    @property
    def deadline(self) -> float | None:
        return None if self.running < 0 else self.since + self.left[self.running]

    def json(self) -> dict[str, Any]:
        return {"left": self.left, "running": self.running, "since": self.since, "paid": self.paid}


def begin(clock: Clock, seats: int) -> ClockState:
    return ClockState((clock.seconds,) * seats, paid=(0,) * seats)


def read_state(data: dict[str, Any]) -> ClockState:
    left = tuple(data["left"])
    # Clocks of before `paid` was noted are paid once more, and then by the rule.
    return ClockState(left, data["running"], data["since"], tuple(data.get("paid", (0,) * len(left))))


def move_on(
    clock: Clock, state: ClockState, line: Sequence[Played], mover: int, runs: bool, now: float
) -> ClockState:
    """The clock when `mover` is to move after the standing actions `line`, and its clock runs or not."""
    to, before = mover if runs else -1, state.running
    if clock.kind == NONE or to == before:
        return state
    left, paid = list(state.left), list(state.paid)
    if before >= 0:
        left[before] -= max(0.0, now - state.since)
        ended = _turns(line, mover, before) - (mover == before)
        if clock.kind == MATCH and ended > paid[before]:
            left[before] += clock.increment
            paid[before] = ended
    if to >= 0 and clock.kind == MOVE:
        begun = _turns(line, mover, to)
        if begun > paid[to]:
            left[to], paid[to] = clock.seconds, begun
    return ClockState(tuple(left), to, now, tuple(paid))


def _turns(line: Sequence[Played], mover: int, seat: int) -> int:
    """How many turns a seat has begun: its actions in a row, with dice between them or not, are one."""
    turns, last = 0, CHANCE
    for played in line:
        if played.seat not in (CHANCE, last):
            last = played.seat
            turns += last == seat
    return turns + (mover == seat != last)


class ServerTime:
    """The time by which clocks run: it goes evenly, whatever becomes of the clock on the wall.

    In a process it is monotonic.  Other processes, and the next one after a restart, go on with it: each beat
    stores it, and how far it was ahead of the wall (`background.beat`).  It never goes back.
    """

    def __init__(
        self, wall: Callable[[], float] = time.time, steady: Callable[[], float] = time.monotonic
    ) -> None:
        self.wall, self._steady = wall, steady
        self._base = wall() - steady()

    def now(self) -> float:
        return self._base + self._steady()

    @property
    def ahead(self) -> float:
        """How far this time is ahead of the wall clock."""
        return self.now() - self.wall()

    def join(self, ahead: float) -> None:
        """Go by the time of the server that was so far ahead of the wall clock."""
        self._base = self.wall() + ahead - self._steady()

    def catch_up(self, last: float) -> None:
        """The server has come to `last` already: another process was ahead, or the wall clock went back."""
        self._base += max(0.0, last - self.now())
