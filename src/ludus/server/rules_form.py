"""Which form of the rules a table gets: plain at once, compiled when it lies ready.

Nobody waits for the compiler: a background process fills the cache, a thread loads it.
"""

from __future__ import annotations

import math
import threading
import time

from ludus import titles as registry
from ludus.analysis.judges import programs_of
from ludus.bots import make_bot, make_code_for
from ludus.core import compilation

from . import logs

LOOK_AGAIN = 20.0  # seconds between looks whether the cache is full


class Forms:
    def __init__(self, wanted: str, analysed: bool = False) -> None:
        self._analysed = analysed  # matches are, after their end
        self._plain = wanted == "plain" or not compilation.has_numba()
        self._ready: set[str] = set()
        self._looked: dict[str, float] = {}

    @property
    def compiled(self) -> int:
        """How many titles run compiled."""
        return len(self._ready)

    def of(self, title: str) -> str:
        """The form in which a title is opened now."""
        if title in self._ready:
            return "compiled"
        if self._plain:
            return "plain"
        if time.monotonic() - self._looked.get(title, -1e9) > LOOK_AGAIN:
            self._looked[title] = time.monotonic()
            threading.Thread(target=self._load, args=(title,), name="load rules", daemon=True).start()
        return "plain"

    def fill_for(self, title: str, bot: str) -> None:
        """A bot plays: have the machine code that it needs made, if that does not lie ready."""
        key = f"{title} {bot}"
        if not self._plain and time.monotonic() - self._looked.get(key, -1e9) > LOOK_AGAIN:
            self._looked[key] = time.monotonic()
            threading.Thread(target=self._fill, args=(title, bot, key), name="fill", daemon=True).start()

    def _fill(self, name: str, bot: str, key: str) -> None:
        try:
            title = registry.title(name)
            player = make_bot(bot, title)
            if player.is_ready():
                self._looked[key] = math.inf
            else:
                make_code_for(player)
        except Exception as error:  # whoever it is plays on without
            self._looked[key] = time.monotonic() + 3600.0
            logs.failure("rules", error, title=name, bot=bot)

    def _load(self, name: str) -> None:
        try:
            title = registry.title(name)
            if not compilation.is_ready(title):
                compilation.compile_in_background(title)
                return
            compilation.bind_compiled(title)
            self._ready.add(name)
            if self._analysed:
                compilation.compile_in_background(title, programs_of(title))
            logs.line("rules", title=name, reason="compiled")
        except Exception as error:  # whatever the compiler does, the plain form goes on
            self._looked[name] = time.monotonic() + 3600.0
            logs.failure("rules", error, title=name)
