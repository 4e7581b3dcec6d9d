"""What each rung of the ladder would have played: bots that think by numbers, not by seconds."""

from __future__ import annotations

from typing import Any

from ludus.bots import Bot, Chair, levels_for, make_bot, rungs
from ludus.bots.legatus import Legatus
from ludus.core.game import Game
from ludus.core.title import Title

from .judges import Bound, number, turn_of

LUCKS = 2  # for a halving, where a bot has seconds otherwise: the same choice on every machine


def rungs_asked(title: Title[Any, Any], form: str) -> dict[str, Bot]:
    """Whose choices are compared, the weakest first: the rungs that people can choose and know by name; those
    that draw lots say nothing.  Without machine code nobody waits for those who search."""
    known = levels_for(title)
    found = {name: make_bot(name, title) for name in rungs(title) if name in known}
    return {name: bot for name, bot in found.items() if form == "compiled" or bot.until_ready() is None}


class Rungs:
    """The bots of a ladder, asked one after the other about positions of one box."""

    def __init__(self, title: Title[Any, Any], form: Bound) -> None:
        self.title, self.form = title, form
        self._bots = {name: _by_number(bot) for name, bot in rungs_asked(title, form.name).items()}
        self._game: Game[Any, Any] = Game(title, form.box, chance="manual", form=form.name)

    def plans(self, packed: bytes, seat: int, whole_turns: bool, seed: int) -> dict[str, tuple[int, ...]]:
        """What each would play here, as a decision of the walk: an action, or all choices of the turn."""
        return {
            name: self._plan(bot, packed, seat, whole_turns, number(seed, k))
            for k, (name, bot) in enumerate(self._bots.items())
        }

    def _plan(self, bot: Bot, packed: bytes, seat: int, whole_turns: bool, seed: int) -> tuple[int, ...]:
        game, memory = self._game, dict[str, Any]()
        plan: list[int] = []
        form: Any = game.form
        game.line, game.s = [], form.unpack(packed)
        turn = turn_of(self.title, form, game.s)
        while game.to_move == seat and turn_of(self.title, form, game.s) == turn:
            codes = game.legal_codes()
            code = codes[0]
            if len(codes) > 1:
                code = bot.choose(Chair(game, seat, seed, bot.budget, memory)).code
                plan.append(code)
            if not whole_turns:
                break
            game.apply(code)
        return tuple(plan)


def _by_number(bot: Bot) -> Bot:
    if isinstance(bot, Legatus):
        bot.lucks = LUCKS
    return bot
