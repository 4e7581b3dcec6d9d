"""Roma, planning: what an action would cost, and how a battle would go.

Asked for an action by its text (`activate 4`, `lay forum 2`).  Nothing is decided here: battles are tried
with the rules themselves on copies of what the seat may know.
"""

from __future__ import annotations

from typing import Any

from ludus.core.codes import label
from ludus.core.errors import FormatError
from ludus.core.sight import Sight

from . import layout as at
from .layout import CODES, POSITION, Box, Position
from .rules.battle import strike
from .rules.board import defence
from .rules.legal import gains_something

Seen = Sight[Position, Box]
Facts = dict[str, Any]


def advise(sight: Seen, about: str) -> Facts | None:
    """Of an action of the seat to move; None where there is nothing to say."""
    try:
        kind, args = CODES.split(CODES.read(about, sight.labels))
    except FormatError:
        return None
    s = sight.s
    if kind == "activate":
        return _activation(sight, args[0])
    if kind == "target" and s.effect in (at.VELITES, at.ONAGER):
        return _battle(sight, args[0])
    if kind == "lay":
        return _laying(sight, *args)
    if kind == "add" and s.phase == at.EXTRA_DIE:
        return {"missing": max(0, defence(s, sight.box, 1 - s.player, s.target) - s.thrown - args[0])}
    return None


def _activation(sight: Seen, disc: int) -> Facts | None:
    s = sight.s
    card = s.board[s.player][disc]
    if card in (at.LEGIONARIUS, at.CENTURIO) and s.board[1 - s.player][disc] != at.NONE:
        return _battle(sight, disc)
    return None if gains_something(s, card) else {"idle": True}


def _battle(sight: Seen, disc: int) -> Facts:
    """What the battle die must show, and how many of its six faces do."""
    need = defence(sight.s, sight.box, 1 - sight.s.player, disc)
    return {"need": max(1, need), "faces": sum(_falls(sight, disc, value) for value in range(1, 7))}


def _falls(sight: Seen, disc: int, value: int) -> bool:
    twin = POSITION.copy(sight.s)
    twin.target = disc
    strike(twin, sight.box, value)
    return twin.board[1 - twin.player][disc] == at.NONE


def _laying(sight: Seen, card: int, disc: int) -> Facts:
    s = sight.s
    price = sight.box.price[card] if s.phase == at.ACT else 0
    told: Facts = {"price": price, "left": s.money[s.player] - price}
    covered = s.board[s.player][disc]
    return told if covered == at.NONE else {**told, "covers": label("card", covered, sight.labels)}
