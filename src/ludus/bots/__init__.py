"""Bots: opponents behind one small interface.

A bot gets a `Chair`, its seat's place at the table, and answers with an action.  It can ask for the view,
the legal actions and re-dealt positions; the true position is out of its reach.  One's own is a
class made from `Bot` (`docs/new-bot.md`).
"""

from __future__ import annotations

from .bot import Bot
from .chair import Chair
from .outside import BotFailed
from .registry import (
    bot_names,
    bots_for,
    default_bot,
    find_bot,
    levels_for,
    make_bot,
    make_code_for,
    programs_for,
    rungs,
    shown_name,
    stand_in,
    substitute,
    told_apart,
    who_plays,
)

__all__ = [
    "Bot", "BotFailed", "Chair", "bot_names", "bots_for", "default_bot", "find_bot", "levels_for", "make_bot",
    "make_code_for", "programs_for", "rungs", "shown_name", "stand_in", "substitute", "told_apart",
    "who_plays",
]  # fmt: skip
