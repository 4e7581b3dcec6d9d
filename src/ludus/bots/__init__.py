"""Bots: opponents behind one small interface.

A bot gets a `Chair`, its seat's place at the table, and answers with an action.  It can ask for the view,
the legal actions and re-dealt positions; the true position is out of its reach.  One's own is a
class made from `Bot` (`docs/new-bot.md`).

>>> import ludus
>>> from ludus.bots import Chair, make_bot
>>> title = ludus.title("micatio")
>>> game = title.new(seed=1, seats=3)
>>> make_bot("miles", title).choose(Chair(game, seat=0, seed=5)).text
'stake 1'
"""

from __future__ import annotations

from .bot import Bot
from .chair import Chair
from .registry import bot_names, bots_for, default_bot, find_bot, make_bot, shown_name

__all__ = ["Bot", "Chair", "bot_names", "bots_for", "default_bot", "find_bot", "make_bot", "shown_name"]
