"""Ludus: the strategy games of the ancient world, with one engine for players and researchers.

`docs/library.md` has examples.
"""

from .core.chance import CHANCE, OVER, SPECTATOR
from .core.errors import FormatError, IllegalAction, LayoutError, LudusError, OptionError
from .core.game import Action, Game, Outcome
from .core.title import Title
from .titles import title, title_names

__version__ = "0.1.0"

__all__ = [
    "CHANCE",
    "OVER",
    "SPECTATOR",
    "Action",
    "FormatError",
    "Game",
    "IllegalAction",
    "LayoutError",
    "LudusError",
    "OptionError",
    "Outcome",
    "Title",
    "title",
    "title_names",
]
