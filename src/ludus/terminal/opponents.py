"""Opponents: the bots at the table, thinking in plain form until compiled code lies ready.

Nobody waits for the compiler: another process fills the cache, a thread loads what it made, and only
then do the bots change over.  The table's own game stays in plain form, which is quick to look at.
"""

from __future__ import annotations

import subprocess
import sys
import threading
from collections.abc import Sequence
from typing import Any

from ludus.bots import Bot, Chair, make_bot
from ludus.core import compilation
from ludus.core.binding import Program
from ludus.core.engine import ENGINE
from ludus.core.game import Game
from ludus.core.process import child_environment
from ludus.core.title import Title

from .seating import PERSON, Seating

BUDGET = 0.4  # seconds a choice of a bot may take; in compiled form it needs a few thousandths
POLL = 1.0


class Opponents:
    """All bots of one match."""

    def __init__(self, title: Title[Any, Any], seating: Seating, seed: int, budget: float = BUDGET) -> None:
        self.title, self.seed, self.budget = title, seed, budget
        names = {who for who in seating.players if who != PERSON}
        self._bots: dict[str, Bot] = {name: make_bot(name, title) for name in names}
        self._players = list(seating.players)
        programs = [program for bot in self._bots.values() for program in bot.programs]
        self._warming = Warming(title, programs) if programs else None

    def start(self) -> None:
        """Begin to look for compiled code, if it would help."""
        if self._warming is not None:
            self._warming.start()

    def stop(self) -> None:
        if self._warming is not None:
            self._warming.stop()

    def sit(self, seat: int, bot: str) -> None:
        """A bot goes on where a person has resigned."""
        self._players[seat] = bot
        self._bots.setdefault(bot, make_bot(bot, self.title))

    @property
    def form(self) -> str:
        return "compiled" if self._warming is not None and self._warming.ready else "plain"

    def choose(self, game: Game[Any, Any], seat: int) -> str:
        """What the bot on this seat plays: the text of an action."""
        thinking = game
        if game.form.name != self.form:
            thinking = game.copy()
            thinking.change_form(self.form)
        chair = Chair(thinking, seat, self.seed + seat, self.budget)
        return self._bots[self._players[seat]].choose(chair).text


class Warming:
    """Gets compiled code without making anybody wait.

    That of our own bots is made in the background; that of others must lie ready from an earlier use.
    """

    def __init__(self, title: Title[Any, Any], programs: Sequence[Program]) -> None:
        self.title, self.programs = title, (ENGINE, *programs)
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
        try:
            if compilation.compile_in_background(self.title) is None:
                self._compile_the_rest()
            while not all(compilation.is_ready(self.title, program) for program in self.programs):
                if self._stopped.wait(POLL):
                    return
            if self._stopped.is_set():
                return
            for program in self.programs:
                compilation.bind_compiled(self.title, program)
        except Exception:  # compiled code is a gift; without it the table goes on as before
            return
        self.ready = True

    def _compile_the_rest(self) -> None:
        """The rules lie ready but what bots need does not: `compile_in_background` looks at rules alone."""
        from ludus.bots.judging import JUDGE

        if compilation.is_ready(self.title) and not compilation.is_ready(self.title, JUDGE):
            subprocess.Popen(
                [sys.executable, "-m", "ludus", "compile", self.title.name],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                start_new_session=True,
                env=child_environment(),
            )
