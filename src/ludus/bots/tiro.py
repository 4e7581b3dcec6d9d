"""Tiro, the recruit: plays a uniformly random legal action and nothing else."""

from __future__ import annotations

from typing import Any

from ludus.core.chance import below
from ludus.core.game import Action
from ludus.core.title import Title

from .chair import Chair


class Tiro:
    name = "tiro"

    def __init__(self, title: Title[Any, Any]) -> None:
        self.title = title

    def form(self) -> str:
        return "plain"  # nothing is searched: loading machine code would take longer than the whole match

    def choose(self, chair: Chair) -> Action:
        legal = chair.legal()
        return legal[below(chair.rng, len(legal))]
