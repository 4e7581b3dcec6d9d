"""Clocks: none, so much for the whole match, or so much for each turn.  Pure: the time is given.

Only people's clocks run; a bot has a deadline of its own.  Taking back never gives time back.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

NONE, MATCH, MOVE = "none", "match", "move"
LATE = 1.0  # seconds by which a command may be late on its way


@dataclass(frozen=True)
class Clock:
    """What was agreed: `seconds` for the match (and `increment` after each turn) or for each turn."""

    kind: str = NONE
    seconds: float = 0.0
    increment: float = 0.0


@dataclass(frozen=True)
class ClockState:
    """Seconds left for each seat, whose clock runs, and since when."""

    left: tuple[float, ...]
    running: int = -1
    since: float = 0.0

    @property
    def deadline(self) -> float | None:
        return None if self.running < 0 else self.since + self.left[self.running]

    def json(self) -> dict[str, Any]:
        return {"left": list(self.left), "running": self.running, "since": self.since}


def begin(clock: Clock, seats: int) -> ClockState:
    return ClockState((clock.seconds,) * seats)


def read_state(data: dict[str, Any]) -> ClockState:
    return ClockState(tuple(data["left"]), data["running"], data["since"])


def move_on(clock: Clock, state: ClockState, to: int, now: float) -> ClockState:
    """The clock when the turn is with seat `to` (-1: nobody's clock runs) from now on."""
    if clock.kind == NONE:
        return state
    left = list(state.left)
    before = state.running
    if before >= 0:
        left[before] = max(0.0, left[before] - max(0.0, now - state.since))
    if to != before:
        if before >= 0 and clock.kind == MATCH:
            left[before] += clock.increment
        if to >= 0 and clock.kind == MOVE:
            left[to] = clock.seconds
    return ClockState(tuple(left), to, now)


def refill(clock: Clock, state: ClockState, seat: int) -> ClockState:
    """A seat with a new player has its whole time again."""
    left = list(state.left)
    left[seat] = clock.seconds
    return replace(state, left=tuple(left))
