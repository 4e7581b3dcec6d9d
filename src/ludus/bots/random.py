"""Random: plays a uniformly random legal action.  For tests and measuring, not for people."""

from __future__ import annotations

from ludus.core.chance import below
from ludus.core.game import Action

from .bot import Bot
from .chair import Chair


class Random(Bot):
    """Nothing is searched: loading machine code would take longer than the whole match."""

    def choose(self, chair: Chair) -> Action:
        legal = chair.legal()
        return legal[below(chair.rng, len(legal))]
