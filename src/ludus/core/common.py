"""What all games of one box have in common: the form of the rules, names of things, what actions are called.

A server has hundreds of matches of one box.  What they share is in the processor's cache when the next one
moves, and to begin one more costs next to nothing.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from functools import cached_property
from typing import Any, Generic, TypeVar

from .chance import SPECTATOR
from .codes import Labels
from .forms import Form, make_form
from .observation import Observer
from .title import Title
from .words import Words

P = TypeVar("P")
B = TypeVar("B")
MOST = 128  # what was not asked for longest goes


class Common(Generic[P, B]):
    """Not to be changed, except that more becomes known (`said`, `text`)."""

    def __init__(self, title: Title[P, B], box: B, form: str) -> None:
        self.title, self.box = title, box
        self.seats = title.seats_of(box)
        self.labels: Labels = {"seat": [str(p) for p in range(self.seats)], **title.labels(box)}
        self.form: Form[P] = make_form(title, box, form)
        self.hides = bool(title.position.hidden(SPECTATOR, self.seats))  # or everybody sees the same
        self.said: dict[tuple[str, int], str] = {}  # what actions are called, by language and code
        self._texts: dict[int, str] = {}  # of actions, by code

    def text(self, code: int) -> str:
        """The text of an action; ValueError when there is no such code."""
        text = self._texts.get(code)
        if text is None:
            text = self._texts[code] = self.title.codes.text(code, self.labels)
        return text

    @cached_property
    def observer(self) -> Observer[P]:
        """What seats may know of a position, as numbers."""
        return Observer(self.title.position, self.seats, self.labels)

    @cached_property
    def words(self) -> Words:
        """What games of this box say: the title's words, and the names of own data."""
        return self.title.words_for(self.box)


_kept: OrderedDict[tuple[int, int, str], Common[Any, Any]] = OrderedDict()
_lock = threading.Lock()


def common_of(title: Title[P, B], box: B, form: str) -> Common[P, B]:
    """What games of this box in this form share; made by whoever asks first."""
    key = (id(title), id(box), form)  # good while it is kept: both are held by it
    with _lock:
        found = _kept.get(key)
        if found is not None:
            _kept.move_to_end(key)
            return found
    made = Common(title, box, form)
    with _lock:
        _kept[key] = made
        while len(_kept) > MOST:
            _kept.popitem(last=False)
    return made
