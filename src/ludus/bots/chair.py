"""A chair: what a bot may know and ask."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ludus.core.chance import next_u32, seed_rng
from ludus.core.forms import Form
from ludus.core.game import Action, Game, View
from ludus.core.option import Value
from ludus.core.telling import say_choice
from ludus.core.title import Title


class Chair:
    """A bot's place at a table.

    `sample` gives a re-dealt position: what the seat knows is true, the rest is something it could
    believe.  It does not depend on the truth behind it, so neither does what a bot makes of it.
    `budget` is how many seconds the bot may think, `limit` after how many nobody waits for it any more,
    `cores` how many of the machine's it may use; `memory` is what it wrote down for itself at its earlier
    decisions of this match (JSON; where the table does not keep it, it is empty).  `evaluation` is for the
    bot to write: its chance to win by what it chooses, 0 to 1; None where it does not judge by chances.
    """

    def __init__(
        self,
        game: Game[Any, Any],
        seat: int,
        seed: int = 0,
        budget: float = 1.0,
        memory: dict[str, Any] | None = None,
        others: int | None = None,
        cores: int = 1,
        limit: float | None = None,
        options: Mapping[str, Value] | None = None,
    ) -> None:
        self.seat, self.budget, self.cores = seat, budget, cores
        self.memory: dict[str, Any] = {} if memory is None else memory
        self.evaluation: float | None = None
        self._others = others
        self.limit = 2 * budget + 1 if limit is None else limit  # a busy machine is no fault of a bot
        self.options = dict(options or {})
        self.title: Title[Any, Any] = game.title
        self.box: Any = game.box
        self.form: Form[Any] = game.form
        self._game = game
        self.rng = [0, 0, 0, 0]
        seed_rng(self.rng, seed, len(game.line))

    def view(self) -> View:
        """The JSON that this seat may see."""
        return self._game.view(self.seat)

    def legal(self) -> list[Action]:
        """The legal actions; none when it is not this seat's turn."""
        return self._game.legal() if self._game.to_move == self.seat else []

    def choices(self) -> list[dict[str, Any]]:
        """The same for a program that knows no Ludus: code, text, words in English, path of touches."""
        game, legal = self._game, self.legal()
        sight = game.sight(self.seat)
        names = [f"seat {p}" for p in range(game.seats)]
        return [
            {
                "code": action.code,
                "text": action.text,
                "kind": action.kind,
                "arguments": list(action.arguments),
                "say": say_choice(game, "en", action.code, sight, names),
                "touches": list(self.title.talk.touches(sight, action.code)),
            }
            for action in legal
        ]

    @property
    def others(self) -> int:
        """How often chance or another seat has acted: if no more than before, everything went as planned."""
        if self._others is None:
            self._others = sum(played.seat != self.seat for played in self._game.line)
        return self._others

    @property
    def turn(self) -> int:
        """Which turn it is, where the title tells (`features.py`)."""
        inputs = self.title.inputs
        return inputs.turn(self.form.glance(self._game.s), self.box) if inputs else 0

    def sample(self, rng: list[int]) -> Any:
        """A position this seat could believe in, in the chair's form."""
        s = self.form.copy(self._game.s)
        self.form.redeal(s, self.seat, rng)
        return s

    def imagine(self) -> Game[Any, Any]:
        """The same as a game that can be played on, dice and decks included, another one at each call."""
        game = self._game.imagine(self.seat, next_u32(self.rng) << 32 | next_u32(self.rng))
        game.auto = True
        return game

    def random(self) -> list[int]:
        """A fresh generator, the next of this chair's own."""
        return [next_u32(self.rng) for _ in range(4)]
