"""Micatio: what a position and a box consist of, and the codes of its actions."""

from __future__ import annotations

from typing import Annotated

from ludus.core.codes import Arg, Codes, Kind
from ludus.core.contract import MAX_SEATS
from ludus.core.layout import OWNED, PUBLIC, F, Layout

MAX_FINGERS = 5
MAX_STAKE = 9
MAX_ROUNDS = 20

# Phases: what is done now.
STAKE, SHOW, GUESS, TIE, ENDED = 0, 1, 2, 3, 4
LABELS = {"phase": ("stake", "show", "guess", "tie", "ended")}


class Position:
    """Everything that is true at one moment.  0 fingers, 0 as guess: not chosen yet."""

    phase: Annotated[int, F("i1", holds="phase")]
    round: Annotated[int, F("i1")]
    leader: Annotated[int, F("i1", holds="seat")]  # who sets the stake and chooses first
    turn: Annotated[int, F("i1", holds="seat")]  # who is to choose
    stake: Annotated[int, F("i1")]
    coins: Annotated[list[int], F("i2", PUBLIC, MAX_SEATS, axes="seat")]
    fingers: Annotated[list[int], F("i1", OWNED, MAX_SEATS, axes="seat")]
    guess: Annotated[list[int], F("i1", OWNED, MAX_SEATS, axes="seat")]
    chosen: Annotated[list[int], F("i1", PUBLIC, MAX_SEATS, axes="seat")]  # 1 fingers, 2 both
    shown: Annotated[list[int], F("i1", PUBLIC, MAX_SEATS, axes="seat")]  # last round, turned up
    called: Annotated[list[int], F("i1", PUBLIC, MAX_SEATS, axes="seat")]
    right: Annotated[list[int], F("i1", PUBLIC, MAX_SEATS, axes="seat")]  # 1: guessed the sum
    rolled: Annotated[list[int], F("i1", PUBLIC, MAX_SEATS, axes="seat")]  # dice that break a tie


class Box:
    """What does not change during a match."""

    seats: Annotated[int, F("i1")]
    rounds: Annotated[int, F("i1")]
    coins: Annotated[int, F("i2")]  # what each seat begins with
    max_stake: Annotated[int, F("i1")]
    max_fingers: Annotated[int, F("i1")]


BOX = Layout(Box)

CODES = Codes(
    Kind("stake", Arg("coins", 1, MAX_STAKE)),
    Kind("show", Arg("fingers", 1, MAX_FINGERS, "fingers")),
    Kind("guess", Arg("sum", 2, MAX_FINGERS * MAX_SEATS)),
    Kind("roll", Arg("value", 1, 6)),
)
STAKE_COINS = CODES.origin("stake")
SHOW_FINGERS = CODES.origin("show")
GUESS_SUM = CODES.origin("guess")
ROLL_VALUE = CODES.origin("roll")
