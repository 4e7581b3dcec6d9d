"""The oracle: every position that a seat could believe in, found the slow way.

It starts with the first position and follows the seat's list of faces: where a face hides what was
played, it tries everything that could have been; what contradicts the seat's view is dropped.  What
remains is exactly what `redeal` must reach, no more and no less.
"""

from __future__ import annotations

from typing import Any

from ..chance import CHANCE, next_u32
from ..game import Game, Played
from ..sight import sees
from .findings import Broken
from .secrets import view_bytes

MOST = 4000  # beliefs that are followed; a game with more is left at that point
TRIES = 60  # redeals a belief, until all have been reached
REACHED_MOST = 160  # beliefs up to which all must be reached


class Oracle:
    """The beliefs of one seat along one game."""

    def __init__(self, game: Game[Any, Any], seat: int) -> None:
        self.game, self.seat = game, seat
        start = game.form.plain(game.form.new())
        self.beliefs: set[bytes] | None = {game.title.position.pack(start)}

    def follow(self, played: Played, view: bytes) -> None:
        """Take in one action of the true game and the seat's view after it."""
        if self.beliefs is None:
            return
        layout = self.game.title.position
        after: set[bytes] = set()
        for data in self.beliefs:
            for code in self._possible(data, played):
                s = layout.unpack(data)
                self.game.title.rules.apply(s, self.game.box, code)
                if view_bytes(self.game, s, self.seat) == view:
                    after.add(layout.pack(s))
        if not after:
            raise Broken("the oracle follows", f"seat {self.seat}: no position explains what it saw")
        self.beliefs = after if len(after) <= MOST else None

    def _possible(self, data: bytes, played: Played) -> list[int]:
        """The codes that could have been played in a belief, given the face that the seat saw."""
        title, box = self.game.title, self.game.box
        s = title.position.unpack(data)
        if title.rules.to_move(s, box) != played.seat:
            return []
        out, weight = [0] * title.codes.size, [0] * title.codes.size
        chance = played.seat == CHANCE
        n = title.rules.odds(s, box, out, weight) if chance else title.rules.legal(s, box, out)
        codes = out[:n]
        if sees(played.seen, self.seat):
            return [c for c in codes if c == played.code and sees(title.rules.seen(s, box, c), self.seat)]
        kind = title.codes.kind(played.code)
        return [
            c
            for c in codes
            if title.codes.kind(c) == kind and not sees(title.rules.seen(s, box, c), self.seat)
        ]

    def check(self, rng: list[int]) -> int:
        """Compare with what `redeal` reaches; how many beliefs there were (0 when not followed)."""
        if self.beliefs is None:
            return 0
        title, layout = self.game.title, self.game.title.position
        wanted = len(self.beliefs) if len(self.beliefs) <= REACHED_MOST else 0
        reached: set[bytes] = set()
        for _ in range(TRIES * max(1, wanted)):
            s = layout.copy(self.game.position)
            title.rules.redeal(s, self.game.box, self.seat, [next_u32(rng) for _ in range(4)])
            data = layout.pack(s)
            if data not in self.beliefs:
                raise Broken("redeal is believable", self._difference(data))
            reached.add(data)
            if wanted and len(reached) == wanted:
                break
        if wanted and len(reached) < wanted:
            missing = next(iter(self.beliefs - reached))
            raise Broken("redeal reaches everything", self._difference(missing))
        return len(self.beliefs)

    def _difference(self, data: bytes) -> str:
        layout = self.game.title.position
        s = layout.unpack(data)
        rows = [
            f"{f.name} {getattr(s, f.name)} (true {getattr(self.game.position, f.name)})"
            for f in layout.fields
            if getattr(s, f.name) != getattr(self.game.position, f.name)
        ]
        return f"seat {self.seat}, {len(self.beliefs or ())} beliefs: {'; '.join(rows)}"
