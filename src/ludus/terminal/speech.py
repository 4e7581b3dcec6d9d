"""Speech: the words of a title and of the table together, in one language and with the players' names."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from ludus.core.codes import Labels
from ludus.core.game import Action, Game
from ludus.core.sight import Sight
from ludus.core.telling import Line, plain_line, say_line
from ludus.core.title import Title
from ludus.core.words import Words

from .screen import GLUE

TABLE_WORDS = Words(Path(__file__).parent / "words")
LEFT_OPEN = "…"


def ui_words(lang: str, key: str, /, **fields: Any) -> str:
    """A sentence of the table in a language."""
    return kept_together(TABLE_WORDS.say(lang, key, **fields))


def about_bot(lang: str, bot: str) -> str:
    """What is said of a bot where one chooses; nothing of one that is not ours."""
    return ui_words(lang, f"bot.help.{bot}") if TABLE_WORDS.has(f"bot.help.{bot}") else ""


def kept_together(text: str) -> str:
    """French sets a blank before some signs; a line must not break there."""
    for sign in ":;?!»":
        text = text.replace(f" {sign}", f"{GLUE}{sign}")
    return text.replace("« ", f"«{GLUE}")


class Speech:
    """Says everything that the table shows."""

    def __init__(
        self,
        title: Title[Any, Any],
        labels: Labels,
        lang: str,
        names: Sequence[str],
        words: Words | None = None,  # where they are not the title's alone
    ) -> None:
        self.title, self.labels, self.lang, self.names = title, labels, lang, names
        self.words = words or title.words
        self._group: dict[str, str] = {}
        for group, items in labels.items():
            for item in items:
                if item and not item.isdigit():  # a number alone may be anything
                    self._group.setdefault(item, group)

    def ui(self, key: str, /, **fields: Any) -> str:
        """A sentence of the table itself."""
        return ui_words(self.lang, key, **fields)

    def say(self, key: str, /, **fields: Any) -> str:
        """A sentence of the title."""
        return kept_together(self.words.say(self.lang, key, **fields))

    def line(self, line: Line) -> str:
        """A log line."""
        return kept_together(say_line(self.words, self.lang, line, list(self.names)))

    def own(self, key: str, /, **fields: Any) -> str | None:
        """A sentence of the title where it has one, else of the table, else None."""
        if self.words.has(key):
            return self.say(key, **fields)
        return self.ui(key, **fields) if TABLE_WORDS.has(key) else None

    def seat(self, number: int) -> str:
        return self.names[number] if 0 <= number < len(self.names) else self.say("chance")

    # -- things by name ------------------------------------------------------------------------------

    def thing(self, name: str, group: str = "") -> str:
        """What a label is called; `legion@sicilia` is a thing at a place."""
        for known in (group, self._group.get(name, "")):
            if known and self.words.has(f"label.{known}.{name}"):
                return self.words.name(self.lang, known, name)
        what, at, where = name.partition("@")
        if at:
            return self.ui("at", what=self.thing(what), where=self.thing(where))
        return name.replace("_", " ")

    def is_named(self, name: str, group: str) -> bool:
        """Whether words give this thing a name of its own."""
        groups = (group, self._group.get(name, ""))
        return any(g and self.words.has(f"label.{g}.{name}") for g in groups)

    def element(self, touch: str) -> str:
        """What an element on the table is called: `die:4`, `card:forum`, `button:done`."""
        kind, _, name = touch.partition(":")
        field = self.title.position.field.get(kind)
        if field is not None and field.is_board:
            return name.replace("-", "")
        exact = self.own(f"touch.{kind}.{name}")
        if exact is not None:
            return exact
        thing = self.thing(name, kind)
        if self.words.has(f"touch.{kind}"):
            return self.say(f"touch.{kind}", name=thing)
        if self.is_named(name, kind) or kind == "button":
            return thing
        return self.own(f"touch.{kind}", name=thing) or f"{kind} {thing}"

    def effect(self, name: str) -> str:
        """What a card or piece does, where the title's words tell it."""
        return self.say(f"effect.{name}") if self.words.has(f"effect.{name}") else ""

    # -- actions and rules ------------------------------------------------------------------------------

    def action(self, action: Action, sight: Sight[Any, Any]) -> str:
        """What a choice is called."""
        own: Line | None = self.title.talk.choice_line(sight, action.code)
        if own is not None:
            return self.line(own)
        line = plain_line(self.title.codes, sight, sight.to_move, action.kind, action.arguments)
        return self.line(Line(f"action.{action.kind}", line.fields))

    def kind(self, kind: str) -> str:
        """A kind of action with everything that is still open left out."""
        fields = dict.fromkeys(self.words.fields(self.lang, f"action.{kind}"), LEFT_OPEN)
        return self.say(f"action.{kind}", **fields)

    def prompt(self, game: Game[Any, Any], sight: Sight[Any, Any]) -> str:
        key = f"prompt.{self.title.talk.prompt(sight)}"
        if not self.words.has(key):
            return self.ui("prompt")
        shown = self.title.talk.view(sight)
        return self.say(key, **{name: held for name, held in shown.items() if isinstance(held, int | str)})

    def rule(self, number: str) -> str:
        return self.say(f"rule.{number}") if self.words.has(f"rule.{number}") else ""
