"""Bots: opponents behind one small interface.

A bot gets a `Chair`, its seat's place at the table, and answers with an action.  It can ask for the view,
the legal actions and re-dealt positions; the true position is out of its reach.

>>> import ludus
>>> from ludus.bots import Chair, make_bot
>>> title = ludus.title("micatio")
>>> game = title.new(seed=1, seats=3)
>>> make_bot("miles", title).choose(Chair(game, seat=0, seed=5)).text
'stake 1'
"""

from __future__ import annotations

from typing import Any

from ludus.core.errors import LudusError
from ludus.core.title import Title

from .chair import Bot, Chair
from .miles import Miles
from .tiro import Tiro

__all__ = ["Bot", "Chair", "bot_names", "make_bot"]

_BOTS: dict[str, type[Tiro] | type[Miles]] = {"tiro": Tiro, "miles": Miles}


def bot_names() -> list[str]:
    """The names of all bots, from the weakest to the strongest."""
    return list(_BOTS)


def make_bot(name: str, title: Title[Any, Any]) -> Bot:
    """A bot for a title.  One bot may sit on several chairs, one after the other."""
    if name not in _BOTS:
        raise LudusError(f"there is no bot {name!r:.30}; there are: {', '.join(_BOTS)}")
    return _BOTS[name](title)
