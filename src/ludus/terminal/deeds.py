"""Deeds: what is chosen at the table in the terminal, each a gesture of one action or several."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ludus.core.game import Action, Game
from ludus.core.gestures import END, called, gestures
from ludus.core.touches import Path

from .speech import kept_together


class Deed(Action):
    """A gesture: called after one of its actions, it plays all of them."""

    __slots__ = ("codes", "ends", "said")

    def __init__(
        self, game: Game[Any, Any], codes: tuple[int, ...], named: int, said: str, ends: bool
    ) -> None:
        super().__init__(codes[named], game.title.codes, game.labels)
        self.codes, self.said, self.ends = codes, said, ends

    @property
    def is_one_action(self) -> bool:
        return len(self.codes) == 1


def deeds(game: Game[Any, Any], lang: str, names: Sequence[str]) -> dict[Path, Deed]:
    """All that the seat to move can choose, by the touches that lead there."""
    found = gestures(game)
    said = called(game, lang, found, names)
    return {
        gesture.path: Deed(game, gesture.codes, gesture.called, kept_together(text), gesture.path == (END,))
        for gesture, text in zip(found, said, strict=True)
    }
