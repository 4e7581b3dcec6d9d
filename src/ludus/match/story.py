"""The story of a record, as one eye may know it: what every screen tells, grown entry by entry.

An eye is a seat's number or SPECTATOR.  Everything told is a function of what that eye may see: its sights
before and after an entry, and its face of it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

from ludus.core.contract import EVERYONE
from ludus.core.game import View, make_face
from ludus.core.telling import Told, join_throws, tell_action

from .entries import Entry, back_to, names_after, seat_told_of, sits_down
from .match import Match
from .moments import Moment, moments


class Row(NamedTuple):
    """One entry as an eye may know it."""

    number: int
    who: int
    text: str  # of an action: its face
    stands: bool
    back_to: int | None  # the entry after which this one took everything back
    view: View | None = None  # after it, where views are wanted
    turn: tuple[int, int] = (-1, 0)  # in whose turn it happened, and in which round; see `Talk.turn`
    sentences: Sequence[str] = ()
    heading: str = ""  # which of them begins a turn
    news: Sequence[str] = ()  # which of them are worth a digest
    name: str = ""  # how the seat was called then in whose turn it happened, or of which the house speaks


class Story:
    """The entries after `since`, told in one language.

    `whole` shows every action whole: only for a match that is over.  `views` keeps the view after each entry.
    """

    def __init__(
        self, match: Match, eye: int, lang: str, since: int = 0, whole: bool = False, views: bool = False
    ) -> None:
        self.match, self.eye, self.lang, self.since = match, eye, lang, since
        self._whole, self._keeps_views = whole, views
        self._told: list[Told | None] = []  # None for a house entry
        self._turns: list[tuple[int, int]] = []  # in which each happened
        self._views: list[View] = []
        self._names = names_after(match.entries[:since], match.setting.names)  # when the next one was made
        self._named: list[str] = []  # what each happened to, as `Row.name`
        self._last: Moment | None = None  # after the last entry that was told
        self._standing: list[tuple[int, list[str]]] = []  # what is told of what stands
        self._joined = -1  # the number of entries for which that is true

    def grow(self, until: int | None = None, at: list[Moment] | None = None) -> None:
        """Tell on, to entry `until` or the last one.

        `at` are the moments from the last entry that was told on, where they are known already.
        """
        match, start = self.match, self.since + len(self._told)
        end = len(match.entries) if until is None else min(until, len(match.entries))
        if end <= start:
            return
        if at is None:
            at = moments(match, start, end) if self._last is None else moments(match, start + 1, end)
            at = at if self._last is None else [self._last, *at]
        for k, entry in enumerate(match.entries[start:end]):
            told = self._tell(entry, at[k], at[k + 1])
            turn = match.game.title.talk.turn(at[k].sight(self.eye))
            seat = seat_told_of(entry) if told is None else turn[0]
            self._told.append(told)
            self._turns.append(turn)
            self._named.append(self._names[seat] if seat is not None and seat >= 0 else "")
            if self._keeps_views:
                self._views.append(at[k + 1].view(self.eye))
            if (new := sits_down(entry)) is not None:
                self._names[new[0]] = new[1]
        self._last = at[end - start]

    def _tell(self, entry: Entry, before: Moment, after: Moment) -> Told | None:
        match, eye = self.match, self.eye
        played = match.played(entry.number)
        if played is None:
            return None
        face = make_face(match.game, replace(played, seen=EVERYONE) if self._whole else played, eye)
        return tell_action(match.game, self.lang, self._names, before.sight(eye), face, after.sight(eye))

    def rows(self) -> list[Row]:
        """Every entry that was told, also what was taken back, with whether it stands now."""
        match = self.match
        rows: list[Row] = []
        for k, sentences in enumerate(join_throws(match.game, self.lang, self._told)):
            entry, told = match.entries[self.since + k], self._told[k]
            text = entry.text if told is None else told.face.text
            view = self._views[k] if self._keeps_views else None
            row = Row(entry.number, entry.who, text, match.stands(entry.number), back_to(entry), view)
            row = row._replace(turn=self._turns[k], sentences=sentences, name=self._named[k])
            rows.append(row if told is None else row._replace(heading=told.heading, news=told.news))
        return rows

    def sentences(self, since: int = 0) -> list[str]:
        """What stands of the whole record, from after entry `since` on: as if nothing had been taken back."""
        self.grow()
        if self._joined != len(self.match.entries):
            self._joined = len(self.match.entries)
            numbers = [n for n in self.match.standing if n > self.since]
            told = [self._told[n - self.since - 1] for n in numbers]
            joined = join_throws(self.match.game, self.lang, told)
            self._standing = list(zip(numbers, joined, strict=True))
        return [sentence for number, said in self._standing if number > since for sentence in said]
