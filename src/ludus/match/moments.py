"""Moments: the position after any entry of a record, as different eyes see it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ludus.core.chance import OVER
from ludus.core.game import Game, Outcome, view_of
from ludus.core.sight import Sight, look_at

from .entries import back_to, stand_with, standing_after
from .match import Match


class Moment:
    """The position after an entry, as different eyes see it."""

    def __init__(self, game: Game[Any, Any], packed: bytes) -> None:
        self.game, self.packed = game, packed
        s = game.form.unpack(packed)
        self.to_move = game.form.to_move(s)
        self.outcome = Outcome(tuple(game.form.returns(s))) if self.to_move == OVER else None
        self._sights: dict[int, Sight[Any, Any]] = {}
        self._views: dict[int, dict[str, Any]] = {}

    def sight(self, eye: int) -> Sight[Any, Any]:
        if eye not in self._sights:
            g = self.game
            self._sights[eye] = look_at(
                g.title.position, self.packed, g.box, eye, g.seats, self.to_move, g.labels
            )
        return self._sights[eye]

    def view(self, eye: int) -> dict[str, Any]:
        """What this eye may see, as JSON; made once.  Not to be changed."""
        if eye not in self._views:
            self._views[eye] = view_of(self.game.title, self.sight(eye), self.outcome)
        return self._views[eye]


def moments(match: Match, since: int, until: int) -> list[Moment]:
    """The positions after entries `since` to `until`, both included."""
    return [Moment(match.game, packed) for packed in packed_positions(match, since, until)]


def packed_positions(match: Match, since: int, until: int) -> list[bytes]:
    frames = match.frames
    if all(n in frames for n in range(since, until + 1)):
        return [frames[n] for n in range(since, until + 1)]
    return [packed for n, packed in _walk(match, since) if since <= n <= until]


def _walk(match: Match, since: int) -> Iterator[tuple[int, bytes]]:
    """Every position from the last frame before `since` on, by playing the standing actions again."""
    form = match.game.form
    start = max(n for n in match.frames if n <= since)
    standing = standing_after(match.entries[:start])
    s = form.unpack(match.frames[start])
    yield start, match.frames[start]
    for entry in match.entries[start:]:
        stand_with(standing, entry)
        played = match.played(entry.number)
        if played is not None:
            form.apply(s, played.code)
        elif back_to(entry) is not None:
            s = form.new()
            for number in standing:
                earlier = match.played(number)
                assert earlier is not None
                form.apply(s, earlier.code)
        yield entry.number, form.pack(s)
