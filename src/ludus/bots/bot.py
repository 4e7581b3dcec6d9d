"""What every bot is: a class that is given a title, and then one chair after the other."""

from __future__ import annotations

from typing import Any, ClassVar

from ludus.core import compilation
from ludus.core.binding import Program
from ludus.core.game import Action
from ludus.core.title import Title

from .chair import Chair


class Bot:
    """A bot says what it plays (`choose`); the rest has an answer already.

    `programs` are the loops that it runs as machine code, where that lies ready.
    """

    programs: ClassVar[tuple[Program, ...]] = ()

    def __init__(self, title: Title[Any, Any]) -> None:
        self.title = title

    @classmethod
    def can_play(cls, title: Title[Any, Any]) -> bool:
        """Whether it can sit down at this title at all."""
        return True

    def form(self) -> str:
        """In which form of the rules it thinks best now, without compiling anything first."""
        ready = self.programs and all(compilation.is_ready(self.title, program) for program in self.programs)
        return "compiled" if ready else "plain"

    def choose(self, chair: Chair) -> Action:
        """One of `chair.legal()`, which is not empty."""
        raise NotImplementedError
