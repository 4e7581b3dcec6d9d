"""What an action or a turn changes, in sentences: from what one eye saw before and after, nothing else.

A title names what is worth a word: `why.FIELD.more` and `.less` in its words for what the seat itself gains
and loses in a field, `why.FIELD.theirs_more` and `.theirs_less` for all others together.  A field has the
seat as its first axis; amounts are added up, things that lie somewhere are counted.  What no field says so
(whose the temples are) is counted by the title's `tally`.

Who has won (`game`) is counted for every title and told before all else.  What others do to a seat may have
words of its own, `harm.FIELD.less`, where those of `why` speak of a choice: "you lose 1 point".

What a choice saves is seen by comparison: the others' next turn with it and without it.  `why.FIELD.saved`
says what the seat keeps that it would lose, `.denied` what the others do not get.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from .chance import OVER
from .contract import WIN
from .layout import COUNTED, Field, flatten
from .sight import Sight
from .title import Title
from .words import Words

Change = dict[str, list[int]]
"""By how much each seat has more of what is counted, by its name."""

GAME = "game"  # what whoever has won has one of


def amounts(field: Field, sight: Sight[Any, Any]) -> list[int]:
    """How much each seat has of a field, as far as the eye can know."""
    if field.who is COUNTED:
        return list(sight.counts[field.name])
    rows = getattr(sight.s, field.name)[: sight.seats]
    return [sum(n > 0 for n in flatten(row)) if field.holds else sum(flatten(row)) for row in rows]


def difference(title: Title[Any, Any], before: Sight[Any, Any], after: Sight[Any, Any]) -> Change:
    """What has changed for each seat, of all that is counted."""
    found: Change = {GAME: _less(_won(title, after), _won(title, before))}
    for field in title.position.fields:
        if field.axes and field.axes[0] == "seat":
            found[field.name] = _less(amounts(field, after), amounts(field, before))
    then: Mapping[str, Sequence[int]] = title.talk.tally(after)
    for name, row in title.talk.tally(before).items():
        found[name] = _less(then[name], row)
    return found


def _won(title: Title[Any, Any], sight: Sight[Any, Any]) -> list[int]:
    returns = [0] * sight.seats
    if sight.to_move == OVER:
        title.rules.returns(sight.s, sight.box, returns)
        return [int(found == WIN) for found in returns]
    return returns


def _less(after: Sequence[int], before: Sequence[int]) -> list[int]:
    return [b - a for a, b in zip(before, after, strict=True)]


class Reason(NamedTuple):
    """One thing that changes: `NAME.more`, and by how much."""

    what: str
    n: int

    def say(self, words: Words, lang: str) -> str:
        return words.say(lang, f"why.{self.what}", n=self.n)

    def is_said_by(self, words: Words, lang: str, sentence: str) -> bool:
        """Whether a sentence names the same number of the same thing: "take 5 sesterces" does."""
        counted = words.say_counted(lang, f"why.{self.what}", n=self.n)
        return any(re.search(rf"\b{re.escape(one)}\b", sentence, re.IGNORECASE) for one in counted)


def found_reasons(
    title: Title[Any, Any], words: Words, before: Sight[Any, Any], after: Sight[Any, Any], seat: int
) -> list[Reason]:
    """All that has changed for `seat` and for the others and has a word, the end of the game first."""
    found: list[Reason] = []
    for name, by in difference(title, before, after).items():
        mine, theirs = by[seat], sum(by) - by[seat]
        for n, more, less in ((mine, "more", "less"), (theirs, "theirs_more", "theirs_less")):
            what = f"{name}.{more if n > 0 else less}"
            if n and words.has(f"why.{what}"):
                found.append(Reason(what, abs(n)))
    return found


def speaks_for(reason: Reason) -> bool:
    """Whether a change is good for the seat: it has more, or the others less."""
    return reason.what.endswith((".more", ".theirs_less"))


def changes(
    title: Title[Any, Any],
    words: Words,
    lang: str,
    before: Sight[Any, Any],
    after: Sight[Any, Any],
    seat: int,
    gains: bool = False,
) -> list[str]:
    """What has changed for `seat` and for the others, each a part of a sentence; with `gains` only what
    speaks for it."""
    found = found_reasons(title, words, before, after, seat)
    return [one.say(words, lang) for one in found if speaks_for(one) or not gains]


def harms(
    title: Title[Any, Any], words: Words, before: Sight[Any, Any], after: Sight[Any, Any], seat: int
) -> list[Reason]:
    """What has changed to the harm of `seat`."""
    return [one for one in found_reasons(title, words, before, after, seat) if not speaks_for(one)]


def say_harm(words: Words, lang: str, what: str, least: int, most: int) -> str:
    """A harm as a part of a sentence: "you lose 1–2 points"."""
    key = f"harm.{what}"
    number = most if least == most else f"{least}–{most}"
    return words.say(lang, key if words.has(key) else f"why.{what}", n=number)


# -- what would have happened otherwise ---------------------------------------------------------------


class Course(NamedTuple):
    """How it went on after a choice: the others' turn by itself, and all since before the choice."""

    turn: Change
    whole: Change


def spared(without: Course, chosen: Course, seat: int) -> dict[str, int]:
    """What a choice saves: what the others' turn takes from the seat (`NAME.saved`) or brings them
    (`NAME.denied`) where something else is chosen and does not where this is.  Never more than the seat is
    better off at the end, so that nothing is called saved that was spent before it could be taken.
    """
    found: dict[str, int] = {}
    for name, otherwise in without.turn.items():
        lost = [-min(0, by[seat]) for by in (otherwise, chosen.turn[name])]
        left = [by[seat] for by in (without.whole[name], chosen.whole[name])]
        got = [max(0, sum(by) - by[seat]) for by in (otherwise, chosen.turn[name])]
        theirs = [sum(by) - by[seat] for by in (without.whole[name], chosen.whole[name])]
        found[f"{name}.saved"] = min(lost[0] - lost[1], left[1] - left[0])
        found[f"{name}.denied"] = min(got[0] - got[1], theirs[0] - theirs[1])
    return {name: n for name, n in found.items() if n > 0}


def savings(words: Words, lang: str, tried: Iterable[Mapping[str, int]]) -> list[str]:
    """What was spared in most of several tries, each a part of a sentence."""
    rows = list(tried)
    said: list[str] = []
    for name in dict.fromkeys(name for row in rows for name in row):
        usual = sorted(row.get(name, 0) for row in rows)[(len(rows) - 1) // 2]
        if usual > 0 and words.has(f"why.{name}"):
            said.append(words.say(lang, f"why.{name}", n=usual))
    return said
