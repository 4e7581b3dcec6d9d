"""Information states: everything that a seat has been told since a game began, as one text.

Two lines of play give a seat the same text exactly where it cannot tell them apart: it has seen the same
faces, and after each of them the same of the position.  That is perfect recall: what was turned up and put
away again is not forgotten, though an observation no longer shows it.
"""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass, replace
from typing import Any

from .chance import CHANCE


@dataclass(frozen=True)
class Known:
    """What a seat had been told when so many actions stood; `packed` is the position there."""

    plies: int
    packed: bytes
    told: str
    chain: bytes  # a hash over all observations so far

    def moved_to(self, packed: bytes) -> Known:
        """The same at the beginning of another line, in a position that the seat cannot tell from this."""
        return replace(self, plies=0, packed=packed)


def beginning(game: Any, seat: int) -> Known:
    """What a seat knows before anything is played."""
    start: bytes = game.start()
    return Known(0, start, "", _link(game, game.form.unpack(start), seat, b""))


def follow(game: Any, seat: int, known: Known) -> Known:
    """The same after the rest of the line."""
    if known.plies == len(game.line):
        return known
    s, chain, told = game.form.unpack(known.packed), known.chain, [known.told] if known.told else []
    for played in game.line[known.plies :]:
        game.form.apply(s, played.code)
        chain = _link(game, s, seat, chain)
        who = "chance" if played.seat == CHANCE else played.seat
        told.append(f"{who} {game.face(played, seat).text}")
    return Known(len(game.line), game.form.pack(s), "; ".join(told), chain)


def _link(game: Any, s: Any, seat: int, chain: bytes) -> bytes:
    row = game.common.observer.observe(game.form.pack(s), game.form.to_move(s), seat)
    return hashlib.sha256(chain + json.dumps(row).encode()).digest()


def text(seat: int, known: Known) -> str:
    """Readable in front, exact behind."""
    return f"seat {seat}: {known.told} | {known.chain.hex()[:32]}"
