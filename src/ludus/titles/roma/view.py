"""Roma, the talking half: what a seat sees and touches.  Reasons and log lines have files of their own."""

from __future__ import annotations

from typing import Any

from ludus.core.chance import SPECTATOR
from ludus.core.codes import label
from ludus.core.sight import Sight

from . import layout as at
from .layout import Box, Position
from .log import log
from .rules.board import defence
from .rules.dice import dice_left
from .rules.legal import can_activate, gains_something
from .why_not import why_not

__all__ = ["log", "prompt", "reveals", "touches", "view", "why_not"]

Seen = Sight[Position, Box]


# -- what is shown ------------------------------------------------------------------------------------


def view(sight: Seen) -> dict[str, Any]:
    """Every visible field by name, and what a screen would have to work out: the present defence of each
    card, discs whose activation would gain nothing (R16)."""
    s, seats = sight.s, range(at.SEATS)
    watching = sight.seat == SPECTATOR
    return {
        "phase": at.PHASES[s.phase],
        "turn": s.turn,
        "player": s.player,
        "left": s.left,
        "throws": s.throws,
        "points": s.points,
        "stock": s.stock,
        "written": s.written,
        "money": s.money,
        "dice": [value for value in s.dice if value],
        "board": [_row(sight, s.board[p]) for p in seats],
        "defence": [_defences(sight, p) for p in seats],
        "blocked": [_discs(s.blocked[p]) for p in seats],
        "down": [_discs(s.down[p]) for p in seats],
        "facedown": [_row(sight, s.facedown[p]) if p == sight.seat else None for p in seats],
        "hand": [_held(sight, "hand", s.hand, p) for p in seats],
        "aside": [_held(sight, "aside", s.aside, p) for p in seats],
        "deck_size": s.deck_size,
        "discard": _heap(sight, s.discard),
        "weakened": s.weakened,
        "weakened_by": {str(disc): n for disc, n in enumerate(s.weakened_by) if n},
        "source": s.source,
        "effect": label("card", s.effect, sight.labels),
        "target": s.target,
        "thrown": s.thrown,
        "gain": s.gain,
        "lifted": [label("card", card, sight.labels) for card in s.lifted if card],
        "relaid": _discs(s.relaid),
        "idle": _idle_discs(sight),
        "known": None if watching else [_heap(sight, s.known[p]) for p in seats],
        "hints": None if watching else [_hints(sight, p) for p in seats],
    }


def _heap(sight: Seen, counts: list[int]) -> dict[str, int]:
    return {label("card", card, sight.labels): n for card, n in enumerate(counts) if n}


def _held(sight: Seen, field: str, heaps: list[list[int]], p: int) -> dict[str, int]:
    """R23: the own cards by name, of the other's only how many."""
    return _heap(sight, heaps[p]) if p == sight.seat else {"count": sight.counts[field][p]}


def _row(sight: Seen, cards: list[int]) -> dict[str, str]:
    return {str(disc): label("card", card, sight.labels) for disc, card in enumerate(cards) if card}


def _discs(marks: list[int]) -> list[int]:
    return [disc for disc, mark in enumerate(marks) if mark]


def _hints(sight: Seen, p: int) -> list[dict[str, Any]]:
    s = sight.s
    return [{"at_least": s.sure[p][i], "among": _heap(sight, s.among[p][i])} for i in range(s.hints[p])]


def _defences(sight: Seen, p: int) -> dict[str, int]:
    s = sight.s
    discs = (disc for disc in range(1, at.DISCS + 1) if s.board[p][disc] != at.NONE)
    return {str(disc): defence(s, sight.box, p, disc) for disc in discs}


def _idle_discs(sight: Seen) -> list[int]:
    """Screens warn of these and never hide them."""
    s = sight.s
    if s.phase != at.ACT:
        return []
    dice = sorted({value for value in s.dice if value})
    able = (v for v in dice if can_activate(s, sight.box, v, dice_left(s) - 1))
    return [v for v in able if not gains_something(s, s.board[s.player][v])]


def prompt(sight: Seen) -> str:
    """What is to be done now; who is not to move waits, while dice and cards are watched by all."""
    s = sight.s
    if s.phase > at.BATTLE and s.phase != at.ENDED and sight.seat != s.player:
        return "wait"
    if s.phase == at.TARGET:
        return "target_building" if s.effect in (at.ONAGER, at.NERO) else "target_person"
    if s.phase == at.FREE_LAY:
        return "free_buildings" if s.effect == at.ARCHITECTUS else "free_persons"
    return at.PHASES[s.phase]


# -- what is touched ----------------------------------------------------------------------------------


def touches(sight: Seen, code: int) -> tuple[str, ...]:
    """A die goes to a disc, a card to a disc; cards that lie on a side are `side0:4`, `side1:4`."""
    kind, args = at.CODES.split(code)
    s = sight.s
    if kind in ("money", "cards"):
        return (f"die:{args[0]}", f"disc:{kind}")
    if kind == "activate":
        return (f"die:{args[0]}", f"disc:{args[0]}")
    if kind in ("lay", "place"):
        return (_card(sight, args[0]), f"disc:{args[1]}")
    if kind in ("pass", "keep", "take"):
        return (_card(sight, args[0]),)
    if kind == "add":
        return (f"die:{args[0]}",)
    if kind in ("raise", "lower"):
        return (f"die:{args[0]}", f"button:{kind}")
    if kind == "target":
        return (f"side{1 - s.player}:{args[0]}",)
    if kind == "copy":
        return (f"side{s.player}:{s.board[s.player].index(args[0])}",)
    if kind == "block":
        return (f"disc:{args[0]}",)
    if kind == "buy":
        return (f"amount:{args[0]}",)
    return (f"button:{kind}",)  # accept, rethrow, decline, done, end


def _card(sight: Seen, card: int) -> str:
    return f"card:{label('card', card, sight.labels)}"


def reveals(s: Position, box: Box, code: int) -> bool:
    """The last card passed brings the other's, the last card placed turns all up, and a Haruspex sees
    the draw pile, unless its cards were known already because the other hand is."""
    if s.phase in (at.PASS, at.PLACE):
        return s.player == at.SEATS - 1 and s.left == 1
    searching = (s.phase == at.ACT and _activated(s, code) == at.HARUSPEX) or (
        s.phase == at.COPY and code == at.COPY_CARD + at.HARUSPEX
    )
    q = 1 - s.player
    return searching and s.deck_size > 0 and sum(s.hand[q]) > sum(s.known[q])


def _activated(s: Position, code: int) -> int:
    disc = code - at.ACTIVATE
    return s.board[s.player][disc] if 1 <= disc <= at.DISCS else at.NONE
