"""What every bot is: a class that is given a title, and then one chair after the other."""

from __future__ import annotations

from time import process_time
from typing import Any, ClassVar

from ludus.core import compilation
from ludus.core.binding import Program
from ludus.core.game import Action
from ludus.core.title import Title

from .chair import Chair


class Bot:
    """A bot says what it plays (`choose`); the rest has an answer already.

    `programs` are the loops that it runs as machine code, where that lies ready; `budget` is how many
    seconds a decision it is given where nobody says another number.
    """

    programs: ClassVar[tuple[Program, ...]] = ()
    budget: ClassVar[float] = 1.0

    def __init__(self, title: Title[Any, Any]) -> None:
        self.title = title

    @classmethod
    def can_play(cls, title: Title[Any, Any]) -> bool:
        """Whether it can sit down at this title at all."""
        return True

    def is_ready(self) -> bool:
        """Whether its machine code lies ready."""
        return all(compilation.is_ready(self.title, program) for program in self.programs)

    def form(self) -> str:
        """In which form of the rules it thinks best now, without compiling anything first."""
        return "compiled" if self.programs and self.is_ready() else "plain"

    def until_ready(self) -> Bot | None:
        """Who plays for it where its machine code does not lie ready; None if it is quick enough without."""
        return None

    def choose(self, chair: Chair) -> Action:
        """One of `chair.legal()`, which is not empty."""
        raise NotImplementedError

    def cpu_seconds(self) -> float | None:
        """CPU seconds of its work so far, on all cores, counted from anywhere; None where nobody can know."""
        return process_time()

    def close(self) -> None:
        """Nobody will ask it any more: let go of what it holds outside of this process."""
