"""The registry of bots: who there is, and who can play what.  Terminal, server and arena ask here.

A bot of one's own is given by its path, `module:Class`, `exec:PROGRAM` or `http://HOST`, where somebody types
it.  A house that lets its guests sit down with more bots names them in the environment:
LUDUS_BOTS="name=module:Class" (several separated by commas).  Nothing that comes over the network or out of a
file is ever taken for a path.
"""

from __future__ import annotations

import os
import subprocess
from importlib import import_module
from typing import Any

from ludus.core import compilation
from ludus.core.binding import Program
from ludus.core.engine import ENGINE
from ludus.core.errors import LudusError
from ludus.core.title import Title

from .bot import Bot
from .centurio import Centurio
from .legatus import Imperator, Legatus
from .levels import LEVELS, STRONGEST, Discens, Optio, Tiro
from .miles import Miles
from .outside import is_outside, outside_bot, outside_name
from .planner import has_nets
from .raider import NAME as RAIDER
from .raider import Raider
from .random import Random

# From the weakest to the strongest.
_BOTS: dict[str, type[Bot]] = {
    "random": Random,
    "tiro": Tiro,
    "miles": Miles,
    "discens": Discens,
    "optio": Optio,
    "centurio": Centurio,
    "legatus": Legatus,
    "imperator": Imperator,
}
_NOBODYS: dict[str, type[Bot]] = {RAIDER: Raider}  # those that the house asks, and nobody sits down with
_RUNGS = ("random", "tiro", "miles", "centurio", "legatus", "imperator")  # without levels for people alone
_NUMERALS = ("", " II", " III", " IV", " V", " VI")


def _more() -> dict[str, str]:
    pairs = (pair.partition("=") for pair in os.environ.get("LUDUS_BOTS", "").split(",") if "=" in pair)
    return {name.strip(): path.strip() for name, _, path in pairs}


def bot_names() -> list[str]:
    """The names of all bots, ours first and from the weakest to the strongest."""
    return list({**_BOTS, **_more()})


def bots_for(title: Title[Any, Any]) -> list[str]:
    """Those of them that can play a title."""
    return [name for name in bot_names() if find_bot(name).can_play(title)]


def levels_for(title: Title[Any, Any]) -> list[str]:
    """Whom people choose from, the weakest first: the levels and the strongest; miles where no net judges;
    and whom the house has named beside ours."""
    shown = LEVELS if has_nets(title) else ("tiro", "miles")
    return [name for name in bots_for(title) if name in (*shown, STRONGEST) or name not in _BOTS]


def default_bot(title: Title[Any, Any]) -> str:
    """Who sits down when nobody in particular was asked for: one that a newcomer can beat."""
    return levels_for(title)[0]


def substitute(title: Title[Any, Any]) -> str:
    """Who plays on for somebody who has left: neither a gift to the others nor their ruin."""
    able = bots_for(title)
    return next(name for name in ("optio", "miles", "tiro") if name in able)


def programs_for(title: Title[Any, Any]) -> list[Program]:
    """What our bots run as machine code at a title; the rules themselves first, then from small to large."""
    able = (bot(title) for bot in _BOTS.values() if bot.can_play(title))
    found = {program.name: program for bot in able for program in bot.programs}
    return list({ENGINE.name: ENGINE, **found}.values())


def make_code_for(bot: Bot) -> subprocess.Popen[bytes] | None:
    """Begin to make the machine code that one of our bots needs, beside everything else; the process, if any.

    That of others must lie ready from an earlier use.
    """
    ours = {program.name for program in programs_for(bot.title)}
    return compilation.compile_in_background(bot.title, [p for p in bot.programs if p.name in ours])


def who_plays(bot: Bot) -> Bot:
    """Who plays for a bot now: itself, or another where the machine code that it needs does not lie ready."""
    return bot if bot.is_ready() else bot.until_ready() or bot


def rungs(title: Title[Any, Any]) -> list[str]:
    """The ladder: those of ours that can play a title, each to be stronger than the one before."""
    return [name for name in _RUNGS if _BOTS[name].can_play(title)]


def stand_in(title: Title[Any, Any]) -> str:
    """Who plays on for a bot that fails: quick, and sensible where the title says what is sensible."""
    return "miles" if Miles.can_play(title) else rungs(title)[0]


def find_bot(name: str) -> type[Bot]:
    """A bot by its name or its path; LudusError says what is wrong with it."""
    if name in _BOTS or name in _NOBODYS:
        return {**_BOTS, **_NOBODYS}[name]
    path = _more().get(name, name)
    if ":" not in path:
        raise LudusError(
            f"there is no bot {name!r:.60}; there are: {', '.join(bot_names())}, "
            "and your own as module:Class, exec:PROGRAM or http://HOST"
        )
    return outside_bot(path) if is_outside(path) else _load(path)


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
    """How a bot is called at a table: the class of a path, the file or host of a bot outside."""
    if is_outside(name):
        return outside_name(name)
    return name.rpartition(":")[2] if ":" in name else name.capitalize()


def told_apart(name: str, before: int) -> str:
    """The second bot of a kind at one table is called II, so that a story says who did what to whom."""
    return name + _NUMERALS[before]
