"""Roma, the talking half: what a seat sees and touches.  Reasons and log lines have files of their own."""

from __future__ import annotations

from collections.abc import Sequence

from ludus.core.chance import SPECTATOR
from ludus.core.codes import label
from ludus.core.sight import Count, Sight
from ludus.core.title import Beginning

from . import layout as at
from .board import Board, Heap, Hint, Own, Row
from .layout import Box, Position
from .rules.board import defence
from .rules.dice import dice_left
from .rules.legal import can_activate, gains_something

Seen = Sight[Position, Box]
BEGINNING = Beginning("pass", 2, apart=True)  # the cards that a seat gives away
DISCS = [str(disc) for disc in range(at.DISCS + 2)]  # keys of JSON; both ends of a row stay empty


def turn(sight: Seen) -> tuple[int, int]:
    """Nobody's while cards are passed on and laid: both do the same."""
    s = sight.s
    return (s.player, (s.turn + 1) // 2) if s.turn > 0 else (-1, 0)


# -- what is shown ------------------------------------------------------------------------------------


def view(sight: Seen) -> Board:
    """Every visible field by name, and what a screen would have to work out: the present defence of each
    card, discs whose activation would gain nothing (R16)."""
    s, seats, names = sight.s, range(at.SEATS), sight.labels["card"]
    return {
        "phase": at.PHASES[s.phase],
        "turn": s.turn,
        "player": s.player,
        "left": s.left,
        "step": _laid(sight) + 1,
        "steps": _to_lay(sight),
        "throws": s.throws,
        "points": s.points,
        "stock": s.stock,
        "written": s.written,
        "money": s.money,
        "dice": [value for value in s.dice if value],
        "board": [_row(names, s.board[p]) for p in seats],
        "defence": [_defences(sight, p) for p in seats],
        "blocked": [_discs(s.blocked[p]) for p in seats],
        "down": [_discs(s.down[p]) for p in seats],
        "deck_size": s.deck_size,
        "discard": _heap(names, s.discard),
        "weakened": s.weakened,
        "weakened_by": {disc: n for disc, n in zip(DISCS, s.weakened_by, strict=False) if n},
        "source": s.source,
        "effect": names[s.effect],
        "target": s.target,
        "thrown": s.thrown,
        "gain": s.gain,
        "lifted": [names[card] for card in s.lifted if card],
        "relaid": _discs(s.relaid),
        "idle": _idle_discs(sight),
        **own_view(sight),
    }


def own_view(sight: Seen) -> Own:
    """R23: the hands, and what the seats know of them; the rest lies open."""
    s, seats, names = sight.s, range(at.SEATS), sight.labels["card"]
    watching = sight.seat == SPECTATOR
    return {
        "facedown": [_row(names, s.facedown[p]) if p == sight.seat else None for p in seats],
        "hand": [_held(sight, "hand", s.hand, p) for p in seats],
        "aside": [_held(sight, "aside", s.aside, p) for p in seats],
        "known": None if watching else [_heap(names, s.known[p]) for p in seats],
        "hints": None if watching else [_hints(sight, p) for p in seats],
    }


def score(sight: Seen) -> list[int]:
    return sight.s.points


def _to_lay(sight: Seen) -> int:
    """How many cards are chosen one after the other in this phase; 0 where that is not so."""
    s, box = sight.s, sight.box
    if s.phase == at.RELAY:
        return sum(card != at.NONE for card in s.lifted) + sum(s.relaid)
    return {at.PASS: box.passed, at.PLACE: box.hand}.get(s.phase, 0)


def _laid(sight: Seen) -> int:
    s = sight.s
    if s.phase == at.RELAY:
        return sum(s.relaid)
    return _to_lay(sight) - s.left if s.phase in (at.PASS, at.PLACE) else 0


def _heap(names: Sequence[str], counts: list[int]) -> Heap:
    return {names[card]: n for card, n in enumerate(counts) if n}


def _held(sight: Seen, field: str, heaps: list[list[int]], p: int) -> Heap | Count:
    """R23: the own cards by name, of the other's only how many."""
    return _heap(sight.labels["card"], heaps[p]) if p == sight.seat else {"count": sight.counts[field][p]}


def _row(names: Sequence[str], cards: list[int]) -> Row:
    return {disc: names[card] for disc, card in zip(DISCS, cards, strict=False) if card}


def _discs(marks: list[int]) -> list[int]:
    return [disc for disc, mark in enumerate(marks) if mark]


def _hints(sight: Seen, p: int) -> list[Hint]:
    s, names = sight.s, sight.labels["card"]
    return [{"at_least": s.sure[p][i], "among": _heap(names, s.among[p][i])} for i in range(s.hints[p])]


def _defences(sight: Seen, p: int) -> dict[str, int]:
    s, box = sight.s, sight.box
    return {DISCS[disc]: defence(s, box, p, disc) for disc, card in enumerate(s.board[p]) if card != at.NONE}


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
        return (_card(sight, args[0]), f"disc:{args[1]}", *_sealed(s))
    if kind in ("pass", "keep", "take"):
        return (_card(sight, args[0]), *_sealed(s))
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


def places(sight: Seen, code: int) -> tuple[str, ...]:
    """Cards where they lie on a side: dice, discs and hands are touched by their owner alone."""
    kind, args = at.CODES.split(code)
    s = sight.s
    if kind in ("activate", "lay"):
        return (f"side{s.player}:{args[-1]}",)
    return touches(sight, code) if kind in ("target", "copy", "block") else ()


def _sealed(s: Position) -> tuple[str, ...]:
    """The last of the cards that stay hidden: then the others have them, and nothing can be taken back."""
    return ("button:seal",) if s.phase in (at.PASS, at.PLACE) and s.left == 1 else ()


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
