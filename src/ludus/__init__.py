"""Ludus: the strategy games of the ancient world, with one engine for players and researchers.

>>> import ludus
>>> "micatio" in ludus.title_names()
True
>>> game = ludus.title("micatio").new(seed=7)
>>> while not game.over:
...     game.play(game.legal()[0])
>>> game.outcome.winners
(0,)
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
