"""Micatio: which numbered rule forbids an action, and what stands against it now."""

from __future__ import annotations

from ludus.core.sight import Sight
from ludus.core.telling import Line

from .layout import CODES, GUESS, SHOW, STAKE, Box, Position
from .rules import legal


def why_not(sight: Sight[Position, Box], code: int) -> str:
    kind = CODES.kind(code)
    phase = sight.s.phase
    if kind == "roll":
        return "M7"
    if kind == "stake":
        return "M2"
    if kind == "show":
        return "M3" if phase != STAKE else "M2"
    if phase != GUESS:
        return "M3" if phase == SHOW else "M2"
    return "M4"


def because(sight: Sight[Position, Box], code: int) -> Line | None:
    """What stands against a number, where only the number is wrong."""
    s, box, kind = sight.s, sight.box, CODES.kind(code)
    asked = {STAKE: "stake", SHOW: "show", GUESS: "guess"}.get(s.phase)
    if kind != asked:
        return None
    out = [0] * CODES.size
    codes = out[: legal(s, box, out)]
    if code in codes:
        return None
    low, high = (CODES.split(found)[1][0] for found in (codes[0], codes[-1]))
    fields = {"low": low, "high": high, "own": s.fingers[s.turn], "coins": s.coins[s.turn]}
    return Line(f"because.{kind}", fields)
