"""A chair: what a bot may know and ask."""

from __future__ import annotations

from typing import Any

from ludus.core.chance import next_u32, seed_rng
from ludus.core.forms import Form
from ludus.core.game import Action, Game
from ludus.core.title import Title


class Chair:
    """A bot's place at a table.

    `sample` gives a re-dealt position: what the seat knows is true, the rest is something it could
    believe.  It does not depend on the truth behind it, so neither does what a bot makes of it.
    `budget` is how many seconds the bot may think.
    """

    def __init__(self, game: Game[Any, Any], seat: int, seed: int = 0, budget: float = 1.0) -> None:
        self.seat, self.budget = seat, budget
        self.title: Title[Any, Any] = game.title
        self.box: Any = game.box
        self.form: Form[Any] = game.form
        self._game = game
        self.rng = [0, 0, 0, 0]
        seed_rng(self.rng, seed, len(game.line))

    def view(self) -> dict[str, Any]:
        """The JSON that this seat may see."""
        return self._game.view(self.seat)

    def legal(self) -> list[Action]:
        """The legal actions; none when it is not this seat's turn."""
        return self._game.legal() if self._game.to_move == self.seat else []

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
