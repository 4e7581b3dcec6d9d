"""Tiro, the recruit: plays a uniformly random legal action and nothing else."""

from __future__ import annotations

from ludus.core.chance import below
from ludus.core.game import Action

from .bot import Bot
from .chair import Chair


class Tiro(Bot):
    """Nothing is searched: loading machine code would take longer than the whole match."""

    def choose(self, chair: Chair) -> Action:
        legal = chair.legal()
        return legal[below(chair.rng, len(legal))]
