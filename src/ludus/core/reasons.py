"""What an action or a turn changes, in sentences: from what one eye saw before and after, nothing else.

A title names what is worth a word: `why.FIELD.more` and `.less` in its words for what the seat itself gains
and loses in a field, `why.FIELD.theirs_more` and `.theirs_less` for all others together.  A field has the
seat as its first axis; amounts are added up, things that lie somewhere are counted.
"""

from __future__ import annotations

from typing import Any

from .layout import COUNTED, Field, flatten
from .sight import Sight
from .title import Title
from .words import Words


def amounts(field: Field, sight: Sight[Any, Any]) -> list[int]:
    """How much each seat has of a field, as far as the eye can know."""
    if field.who is COUNTED:
        return list(sight.counts[field.name])
    rows = getattr(sight.s, field.name)[: sight.seats]
    return [sum(n > 0 for n in flatten(row)) if field.holds else sum(flatten(row)) for row in rows]


def changes(
    title: Title[Any, Any],
    words: Words,
    lang: str,
    before: Sight[Any, Any],
    after: Sight[Any, Any],
    seat: int,
    gains: bool = False,
    harms: bool = False,
) -> list[str]:
    """What has changed for `seat` and for the others, each a part of a sentence; with `gains` only what
    speaks for it: what the seat has more and the others have less; with `harms` only the contrary."""
    said: list[str] = []
    for field in title.position.fields:
        if not field.axes or field.axes[0] != "seat":
            continue
        by = [b - a for a, b in zip(amounts(field, before), amounts(field, after), strict=True)]
        mine, theirs = by[seat], sum(by) - by[seat]
        for n, more, less in ((mine, "more", "less"), (theirs, "theirs_more", "theirs_less")):
            key = f"why.{field.name}.{more if n > 0 else less}"
            speaks_for = (n > 0) == (more == "more")
            if n and words.has(key) and not (gains and not speaks_for) and not (harms and speaks_for):
                said.append(words.say(lang, key, n=abs(n)))
    return said
