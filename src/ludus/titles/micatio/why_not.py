"""Micatio: which numbered rule forbids an action."""

from __future__ import annotations

from ludus.core.sight import Sight

from .layout import CODES, GUESS, SHOW, STAKE, Box, Position


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
