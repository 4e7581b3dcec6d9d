"""Opponents: the bots at the table, thinking in plain form until compiled code lies ready.

Nobody waits for the compiler: another process fills the cache, a thread loads what it made, and only
then do the bots change over.  The table's own game stays in plain form, which is quick to look at.
For a bot of somebody's own that fails, one of ours plays on.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Mapping
from typing import Any, NamedTuple

from ludus.bots import Bot, Chair, make_bot, make_code_for, shown_name, stand_in
from ludus.core import compilation
from ludus.core.engine import ENGINE
from ludus.core.errors import LudusError
from ludus.core.game import Game
from ludus.core.option import Value
from ludus.core.title import Title

from .seating import PERSON, Seating

POLL = 1.0
TRIES = 3  # a compiler that fails is not asked for ever


class Excuse(NamedTuple):
    """Why the bot on a seat did not play, and who did."""

    seat: int
    reason: str
    other: str


class Opponents:
    """All bots of one match.  `budget` is how many seconds each may think; else it has what it wants."""

    def __init__(
        self,
        title: Title[Any, Any],
        seating: Seating,
        seed: int,
        budget: float | None = None,
        options: Mapping[str, Value] | None = None,
    ) -> None:
        self.title, self.seed, self.budget, self.options = title, seed, budget, options
        self.excuse: Excuse | None = None  # what is to be told, once a bot
        self._excused: set[str] = set()
        self._bots: dict[str, Bot] = {}
        self._warming: dict[str, Warming] = {}
        self._memories: dict[tuple[int, str], dict[str, Any]] = {}  # what each wrote down for itself
        self._started = False
        self._players = list(seating.players)
        for name in dict.fromkeys(who for who in seating.players if who != PERSON):
            self._invite(name)

    def _invite(self, name: str) -> None:
        if name not in self._bots:
            bot = self._bots[name] = make_bot(name, self.title)
            if bot.programs:
                self._warming[name] = Warming(bot)

    def start(self) -> None:
        """Begin to look for compiled code, where it would help."""
        self._started = True
        for warming in self._warming.values():
            warming.start()

    def stop(self) -> None:
        for warming in self._warming.values():
            warming.stop()
        for bot in self._bots.values():
            bot.close()

    def sit(self, seat: int, bot: str) -> None:
        """A bot goes on where a person has resigned."""
        self._players[seat] = bot
        self._invite(bot)
        if self._started:
            self.start()

    def player(self, seat: int) -> tuple[Bot, str]:
        """Who plays for a seat now, and in which form of the rules."""
        name = self._players[seat]
        bot, warming = self._bots[name], self._warming.get(name)
        if warming is not None and warming.ready:
            return bot, "compiled"
        return (bot.until_ready() or bot) if warming is not None else bot, "plain"

    def choose(self, game: Game[Any, Any], seat: int) -> str:
        """What the bot on this seat plays: the text of an action."""
        bot, form = self.player(seat)
        thinking = game
        if game.form.name != form:
            thinking = game.copy()
            thinking.change_form(form)
        name = self._players[seat]
        try:
            text = bot.choose(self._chair(thinking, seat, bot)).text
            if text in (action.text for action in thinking.legal()):
                return text
            reason = f"{text!r} is not legal"
        except Exception as error:  # a bot of somebody's own may do anything, and the match goes on
            reason = str(error) if isinstance(error, LudusError) else f"{type(error).__name__}: {error}"
        other = stand_in(self.title)
        if name not in self._excused:
            self._excused.add(name)
            self.excuse = Excuse(seat, reason.rstrip(": ."), shown_name(other))
        return make_bot(other, self.title).choose(self._chair(thinking, seat, bot)).text

    def _chair(self, game: Game[Any, Any], seat: int, bot: Bot) -> Chair:
        budget = bot.budget if self.budget is None else self.budget
        memory = self._memories.setdefault((seat, self._players[seat]), {})
        cores = os.cpu_count() or 1
        return Chair(game, seat, self.seed + seat, budget, memory, cores=cores, options=self.options)


class Warming:
    """Gets a bot its compiled code without making anybody wait."""

    def __init__(self, bot: Bot) -> None:
        self.bot = bot
        self.ready = False
        self._stopped = threading.Event()
        self._thread: threading.Thread | None = None

    def start(self) -> None:
        if self._thread is not None or not compilation.has_numba():
            return
        self._thread = threading.Thread(target=self._run, name="warming", daemon=True)
        self._thread.start()

    def stop(self) -> None:
        self._stopped.set()

    def _run(self) -> None:
        tries = 0
        try:
            while not self.bot.is_ready():
                if tries < TRIES and make_code_for(self.bot) is not None:
                    tries += 1
                if self._stopped.wait(POLL):
                    return
            if self._stopped.is_set():
                return
            for program in (ENGINE, *self.bot.programs):
                compilation.bind_compiled(self.bot.title, program)
        except Exception:  # compiled code is a gift; without it the table goes on as before
            return
        self.ready = True
