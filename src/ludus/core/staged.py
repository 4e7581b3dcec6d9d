"""A game from a given position with one person at it, and what has been told of it: lessons and puzzles."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from .chance import CHANCE
from .game import Game
from .telling import Told, join_throws, tell_action

OWN_NAME = "Livia"
OTHERS = ("Marcus", "Gaius", "Lucius", "Titus", "Quintus")


def name_seats(game: Game[Any, Any], seat: int, name: str = "") -> tuple[str, ...]:
    """What the seats of a staged game are called; `name` is the person's."""
    others = iter(OTHERS)
    return tuple(name or OWN_NAME if p == seat else next(others) for p in range(game.seats))


@dataclass(kw_only=True)
class StagedGame:
    """The game as far as it was played, through the eyes of the person's seat."""

    game: Game[Any, Any]
    seat: int
    names: tuple[str, ...]
    lang: str
    rows: list[dict[str, Any]] = field(default_factory=list)
    told: list[Told] = field(default_factory=list)

    def act(self, text: str) -> None:
        """One action of anybody, or of chance; what is told of it is kept."""
        game, eye = self.game, self.seat
        before, mover = game.sight(eye), game.to_move
        turn = game.title.talk.turn(before)
        game.play(text)
        face = game.face(game.line[-1], eye)
        self.told.append(tell_action(game, self.lang, self.names, before, face, game.sight(eye)))
        self.rows.append(
            {
                "n": len(self.rows) + 1,
                "who": "chance" if mover == CHANCE else mover,
                "text": face.text,
                "turn": turn[0] if turn[0] >= 0 else None,
                "round": turn[1],
                "stands": True,
                "view": game.view(eye),
            }
        )

    def forget_story(self) -> None:
        """How it came to this is not told."""
        self.rows, self.told = [], []

    def told_rows(self, since: int = 0) -> list[dict[str, Any]]:
        """What has happened, as a table in the browser takes it."""
        said = join_throws(self.game, self.lang, list(self.told))
        for row, sentences, told in zip(self.rows, said, self.told, strict=True):
            row["log"] = [sentence for sentence in sentences if sentence != told.heading]
            if told.heading:
                after = len(sentences) - 1 - list(sentences).index(told.heading)
                row |= {"heading": told.heading, "after": after}
            if told.news:
                row["news"] = list(told.news)
        return self.rows[since:]
