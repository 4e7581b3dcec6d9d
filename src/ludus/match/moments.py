"""Moments: the position after any entry of a record, as different eyes see it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cached_property
from typing import Any

from ludus.core.chance import OVER, SPECTATOR
from ludus.core.game import Game, Outcome, View, view_of
from ludus.core.sight import Sight, look_into

from .entries import HOUSE, back_to, stand_with, standing_after
from .match import Match


class Moment:
    """The position after an entry, as different eyes see it.

    `to_move` where that is known already, and `sights` where some may have been looked at.
    """

    def __init__(
        self,
        game: Game[Any, Any],
        packed: bytes,
        to_move: int | None = None,
        sights: dict[int, Sight[Any, Any]] | None = None,
    ) -> None:
        self.game, self.packed, form = game, packed, game.form
        self.to_move = form.to_move(form.unpack(packed)) if to_move is None else to_move
        over = self.to_move == OVER
        self.outcome = Outcome(tuple(form.returns(form.unpack(packed)))) if over else None
        self._sights = {} if sights is None else sights
        self._views: dict[int, View] = {}

    def sight(self, eye: int) -> Sight[Any, Any]:
        found = self._sights.get(eye)
        if found is None:
            found = self._sights[eye] = self._look(eye)
        return found

    def _look(self, eye: int) -> Sight[Any, Any]:
        g = self.game
        return look_into(g.title.position, self._position, g.box, eye, g.seats, self.to_move, g.labels)

    @cached_property
    def _position(self) -> Any:
        return self.game.title.position.unpack(self.packed)

    @cached_property
    def score(self) -> tuple[int, ...]:
        """How the seats stand, as everybody may know."""
        return tuple(self.game.title.talk.score(self.sight(SPECTATOR)))

    def view(self, eye: int) -> View:
        """What this eye may see, as JSON; made once.  Not to be changed."""
        found = self._views.get(eye)
        if found is None:
            title, sight = self.game.title, self.sight(eye)
            found = self._views[eye] = view_of(title, sight, self.outcome, self._board(sight))
        return found

    def _board(self, sight: Sight[Any, Any]) -> Mapping[str, Any]:
        """What the title shows of a sight: what a spectator sees, made once, and what is one's own."""
        talk = self.game.title.talk
        if not self.game.common.hides:
            return self._open_board
        if talk.own_view is None:
            return talk.view(sight)
        return {**self._open_board, **talk.own_view(sight)}

    @cached_property
    def _open_board(self) -> Mapping[str, Any]:
        return self.game.title.talk.view(self.sight(SPECTATOR))


def moments(match: Match, since: int, until: int) -> list[Moment]:
    """The positions after entries `since` to `until`, both included."""
    packed = packed_positions(match, since, until)
    found = [
        Moment(match.game, data, _mover_after(match, number))
        for number, data in enumerate(packed, since)
        if number < len(match.entries)
    ]
    if until == len(match.entries):  # where the game itself stands, and looks
        found.append(Moment(match.game, packed[-1], match.game.to_move, match.game.sights))
    return found


def _mover_after(match: Match, number: int) -> int | None:
    """Who was to move after an earlier entry: whoever played next.  None when the house came between them."""
    following = match.entries[number]
    return None if following.who == HOUSE else following.who


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
            s = form.unpack(match.game.start())
            for number in standing:
                earlier = match.played(number)
                assert earlier is not None
                form.apply(s, earlier.code)
        yield entry.number, form.pack(s)
