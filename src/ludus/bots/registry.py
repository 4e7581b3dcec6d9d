"""The registry of bots: who there is, and who can play what.  Terminal, server and arena ask here.

A bot of one's own is given by its path, `module:Class`, where somebody types it.  A house that lets its
guests sit down with more bots names them in the environment: LUDUS_BOTS="name=module:Class" (several
separated by commas).  Nothing that comes over the network or out of a file is ever taken for a path.
"""

from __future__ import annotations

import os
from importlib import import_module
from typing import Any

from ludus.core.errors import LudusError
from ludus.core.title import Title

from .bot import Bot
from .miles import Miles
from .tiro import Tiro

_BOTS: dict[str, type[Bot]] = {"tiro": Tiro, "miles": Miles}  # from the weakest to the strongest


def _more() -> dict[str, str]:
    pairs = (pair.partition("=") for pair in os.environ.get("LUDUS_BOTS", "").split(",") if "=" in pair)
    return {name.strip(): path.strip() for name, _, path in pairs}


def bot_names() -> list[str]:
    """The names of all bots, ours first and from the weakest to the strongest."""
    return list({**_BOTS, **_more()})


def bots_for(title: Title[Any, Any]) -> list[str]:
    """Those of them that can play a title."""
    return [name for name in bot_names() if find_bot(name).can_play(title)]


def default_bot(title: Title[Any, Any]) -> str:
    """Who sits down when nobody in particular was asked for: the strongest of ours."""
    return [name for name, bot in _BOTS.items() if bot.can_play(title)][-1]


def find_bot(name: str) -> type[Bot]:
    """A bot by its name, or by its path `module:Class`; LudusError says what is wrong with it."""
    if name in _BOTS:
        return _BOTS[name]
    path = _more().get(name, name)
    if ":" not in path:
        raise LudusError(
            f"there is no bot {name!r:.60}; there are: {', '.join(bot_names())}, and your own as module:Class"
        )
    return _load(path)


def _load(path: str) -> type[Bot]:
    module, _, name = path.partition(":")
    try:
        found = getattr(import_module(module), name, None)
    except Exception as error:  # whatever stands in somebody's module
        raise LudusError(f"the bot {path} cannot be loaded: {type(error).__name__}: {error}") from error
    if found is None:
        raise LudusError(f"the bot {path} cannot be loaded: {module} has no {name or 'class of that name'}")
    if not isinstance(found, type) or not issubclass(found, Bot):
        raise LudusError(f"{path} is no bot: it must be a class made from ludus.bots.Bot")
    return found


def make_bot(name: str, title: Title[Any, Any]) -> Bot:
    """A bot for a title.  One bot may sit on several chairs, one after the other."""
    bot = find_bot(name)
    if not bot.can_play(title):
        raise LudusError(f"{name} cannot play {title.name}; these can: {', '.join(bots_for(title))}")
    return bot(title)


def shown_name(name: str) -> str:
    """How a bot is called at a table: the class of a path."""
    return name.rpartition(":")[2] if ":" in name else name.capitalize()
