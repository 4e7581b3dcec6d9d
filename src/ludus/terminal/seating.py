"""Who sits where: persons and bots, their names, and how a match file remembers it."""

from __future__ import annotations

import getpass
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from ludus.bots import bot_names, bots_for, default_bot, find_bot, levels_for, shown_name, told_apart
from ludus.core.errors import LudusError
from ludus.core.title import Title
from ludus.core.words import Words

from .speech import TABLE_WORDS

PERSON = "person"
MARK = "ludus play:"  # the comment of a match file that says who plays
_NOBODY = ("", "root", "user", "runner", "nobody")


class CannotSit(LudusError):
    """Players that do not fit the seats."""


@dataclass(frozen=True)
class Seating:
    """For each seat PERSON or the name of a bot."""

    players: tuple[str, ...]

    @property
    def persons(self) -> tuple[int, ...]:
        return tuple(p for p, who in enumerate(self.players) if who == PERSON)

    @property
    def hot_seat(self) -> bool:
        return len(self.persons) > 1

    def is_person(self, seat: int) -> bool:
        return 0 <= seat < len(self.players) and self.players[seat] == PERSON

    def given_to(self, seat: int, bot: str) -> Seating:
        return Seating((*self.players[:seat], bot, *self.players[seat + 1 :]))

    def turned(self) -> Seating:
        """Everybody one seat further: for the next game."""
        return Seating((*self.players[1:], self.players[0]))

    def comment(self) -> str:
        return f"{MARK} {' '.join(self.players)}"


def read_comment(comments: Sequence[str], title: Title[Any, Any], seats: int) -> Seating | None:
    """Who played, from the comments at the head of a match file; a bot of one's own must be named again."""
    known = (PERSON, *bots_for(title))
    for text in comments:
        if text.startswith(MARK):
            players = tuple(text.removeprefix(MARK).split())
            if len(players) == seats and PERSON in players and all(p in known for p in players):
                return Seating(players)
    return None


def seat_people(
    title: Title[Any, Any],
    seats: int,
    seat: int | None,
    bots: Sequence[str],
    hot_seat: bool,
    lang: str,
    words: Words = TABLE_WORDS,
) -> Seating:
    """Who sits where; CannotSit says what does not fit."""
    for bot in bots:
        if not _can_sit(bot, title):
            able = bots_for(title)
            raise CannotSit(words.say(lang, "sit.no_bot", bot=bot, bots=", ".join(able)))
    if seat is not None and not 0 <= seat < seats:
        raise CannotSit(words.say(lang, "sit.no_seat", seat=seat, last=seats - 1))
    if hot_seat:
        if len(bots) >= seats:
            raise CannotSit(words.say(lang, "sit.too_many", bots=len(bots), seats=seats))
        return Seating((*[PERSON] * (seats - len(bots)), *bots))
    others = list(bots) or [default_bot(title)]
    if len(others) == 1:
        others *= seats - 1
    if len(others) != seats - 1:
        raise CannotSit(words.say(lang, "sit.wrong_number", bots=len(others), seats=seats, wanted=seats - 1))
    own = seat or 0
    return Seating((*others[:own], PERSON, *others[own:]))


def find_level(given: str, title: Title[Any, Any], lang: str) -> str:
    """The bot of a level, by its number from 1 on or by its name; CannotSit says what there is."""
    levels = levels_for(title)
    if given.isdecimal() and 0 < int(given) <= len(levels):
        return levels[int(given) - 1]
    if given.lower() in levels:
        return given.lower()
    told = ", ".join(f"{number} {name}" for number, name in enumerate(levels, 1))
    raise CannotSit(TABLE_WORDS.say(lang, "sit.no_level", level=given, levels=told))


def name_of_bot(bot: str, lang: str) -> str:
    """How a bot is called at the table, in a language where we have a word for it."""
    key = f"bot.name.{bot}"
    return TABLE_WORDS.say(lang, key) if TABLE_WORDS.has(key) else shown_name(bot)


def _can_sit(bot: str, title: Title[Any, Any]) -> bool:
    """A bot that somebody typed: one by name, or one's own as `module:Class`."""
    if bot in bot_names() or ":" in bot:
        return find_bot(bot).can_play(title)
    return False


def name_players(seating: Seating, given: Sequence[str], lang: str) -> list[str]:
    """Names for all seats: persons by what they gave, or a sensible name; bots by theirs, counted."""
    rest = [name.strip() for name in given if name.strip()]
    names: list[str] = []
    for seat, who in enumerate(seating.players):
        if who != PERSON:
            before = seating.players[:seat].count(who)
            names.append(told_apart(name_of_bot(who, lang), before))
        elif rest:
            names.append(rest.pop(0))
        elif seating.hot_seat:
            number = seating.persons.index(seat) + 1
            names.append(TABLE_WORDS.say(lang, "person.number", number=number))
        else:
            names.append(_login_name() or TABLE_WORDS.say(lang, "person.one"))
    return names


def _login_name() -> str:
    try:
        name = getpass.getuser()
    except (KeyError, OSError, ImportError):
        return ""
    return "" if name.lower() in _NOBODY else name.capitalize()
