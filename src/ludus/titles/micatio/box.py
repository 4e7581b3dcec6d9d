"""Micatio: options, the box they make, and what a scene may leave unsaid."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

from ludus.core.option import Option, Value

from .layout import BOX, MAX_ROUNDS, Box, Position

FOLDER = Path(__file__).parent
SEATS = range(2, 7)
OPTIONS = (Option("rounds", 5, tuple(range(1, MAX_ROUNDS + 1))),)


@cache
def data() -> dict[str, Any]:
    return tomllib.loads((FOLDER / "data" / "coins.toml").read_text(encoding="utf-8"))


def make_box(options: Mapping[str, Value], seats: int) -> Box:
    box = BOX.plain()
    box.seats, box.rounds = seats, int(options["rounds"])
    box.coins, box.max_stake = data()["coins"], data()["max_stake"]
    box.max_fingers = data()["max_fingers"]
    return box


def small_boxes() -> Mapping[str, Box]:
    """Few coins and fingers, so that seats drop out and ties come often."""
    box = make_box({"rounds": 4}, 3)
    box.coins, box.max_stake, box.max_fingers = 3, 2, 2
    return {"three coins": box}


def settle(s: Position, box: Box, given: frozenset[str]) -> None:
    """What follows from fingers and guesses is filled in; the leader is to choose by default."""
    if "turn" not in given:
        s.turn = s.leader
    if "chosen" not in given:
        s.chosen[:] = [2 if g else 1 if f else 0 for f, g in zip(s.fingers, s.guess, strict=True)]
