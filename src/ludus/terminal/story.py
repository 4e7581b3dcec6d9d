"""The story of a match as one seat may know it, told on as the match goes on.

The same sentences as `core.telling.tell`, but only what is new is worked out.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from ludus.core.chance import CHANCE
from ludus.core.contract import EVERYONE
from ludus.core.forms import make_form
from ludus.core.game import Face, Game
from ludus.core.sight import Sight, look
from ludus.core.telling import join_throw

from .speech import Speech


class Story:
    """Sentences with the number of the action that each belongs to."""

    def __init__(self, game: Game[Any, Any], seat: int, speech: Speech, everything: bool = False) -> None:
        self.seat, self.speech, self.everything = seat, speech, everything
        self._title, self._box = game.title, game.box
        self._form = make_form(game.title, game.box, "plain")
        self._begin()

    def _begin(self) -> None:
        self._s = self._form.new()
        self._codes: list[int] = []
        self._told: list[tuple[int, str]] = []
        self._throw: list[Face] = []
        self._before: Sight[Any, Any] | None = None

    def tell(self, game: Game[Any, Any], since: int = 0) -> list[str]:
        """What happened from action number `since` on."""
        self._catch_up(game)
        told = [sentence for number, sentence in self._told if number >= since]
        if self._throw and len(self._codes) > since:
            told.append(join_throw(game, self.speech.lang, self._throw))
        return [sentence for sentence in told if sentence]

    def _catch_up(self, game: Game[Any, Any]) -> None:
        line = game.line
        known = self._codes
        if len(known) > len(line) or any(known[i] != line[i].code for i in range(len(known))):
            self._begin()  # something was taken back
        if self._before is None:
            self._before = self._sight(game)
        for number in range(len(self._codes), len(line)):
            self._add(game, number)

    def _sight(self, game: Game[Any, Any]) -> Sight[Any, Any]:
        s, form = self._s, self._form
        mover = form.to_move(s)
        return look(game.title.position, s, game.box, self.seat, game.seats, mover, game.labels)

    def _add(self, game: Game[Any, Any], number: int) -> None:
        played = game.line[number]
        face = game.face(replace(played, seen=EVERYONE) if self.everything else played, self.seat)
        self._form.apply(self._s, played.code)
        self._codes.append(played.code)
        before, self._before = self._before, self._sight(game)
        if self._throw and self._throw[0].kind != face.kind:
            self._flush(game, number)
        lines = self._title.talk.log(before, face.seat, face.kind, face.arguments, self._before)
        if face.seat == CHANCE and self._title.words.has(f"joined.{face.kind}"):
            self._throw.append(face)
            lines = lines[1:]
            if lines:
                self._flush(game, number)
        else:
            self._flush(game, number)
        for line in lines:
            self._told.append((number, self.speech.line(line)))

    def _flush(self, game: Game[Any, Any], number: int) -> None:
        if self._throw:
            self._told.append((number - 1, join_throw(game, self.speech.lang, self._throw)))
            self._throw = []
