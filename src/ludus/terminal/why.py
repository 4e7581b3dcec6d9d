"""`?`: the rules behind the present choices, what the things on the table do, and why something is not
allowed."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable
from typing import Any

from rich.console import RenderableType
from rich.padding import Padding
from rich.text import Text

from ludus.core.codes import Arg
from ludus.core.errors import FormatError
from ludus.core.game import Game
from ludus.core.touches import Node, paths

from . import keyboard as k
from .screen import Canvas, Parts, printed
from .speech import Speech
from .views import Pager

MOST_RULES = 12
MOST_CODES = 4000
MOST_TYPED = 200


# -- what is known --------------------------------------------------------------------------------------


def rules_behind(game: Game[Any, Any]) -> list[str]:
    """The numbers of the rules that bound the present choices.

    Those that the title names for this prompt (`behind.PROMPT` in its words), then those that forbid
    other actions of the kinds that can be played now; where there are none, those that forbid the rest.
    """
    sight = game.sight(game.to_move)
    words, why_not = game.title.words, game.title.talk.why_not
    behind = f"behind.{game.title.talk.prompt(sight)}"
    found = dict.fromkeys(words.say("en", behind).split() if words.has(behind) else ())
    legal = {action.code for action in game.legal()}
    kinds = {game.title.codes.kind(code) for code in legal}
    others = [code for code in range(min(game.title.codes.size, MOST_CODES)) if code not in legal]
    own = [code for code in others if game.title.codes.kind(code) in kinds]
    for codes in (own, others):
        for code in codes:
            rule = why_not(sight, code)
            if rule and words.has(f"rule.{rule}"):
                found.setdefault(rule)
        if found:
            break
    return list(found)[:MOST_RULES]


def things_with_effects(root: Node, view: Any, speech: Speech) -> list[str]:
    """Names of things that can be touched, then of those that can be seen, which have an effect."""
    seen = [touch.partition(":")[2] for touch in _touches(root)]
    names = dict.fromkeys([*seen, *_strings(view)])
    return [name for name in names if speech.effect(name)]


def _touches(node: Node) -> Iterable[str]:
    for touch, below in node.next.items():
        yield touch
        yield from _touches(below)


def _strings(tree: Any) -> Iterable[str]:
    if isinstance(tree, str):
        yield tree
    elif isinstance(tree, dict):
        for key, value in tree.items():
            yield str(key)
            yield from _strings(value)
    elif isinstance(tree, list):
        for value in tree:
            yield from _strings(value)


def simple(text: str) -> str:
    """A text without case, accents and doubled blanks, for comparing what somebody typed."""
    flat = unicodedata.normalize("NFKD", printed(text)).casefold()
    return " ".join("".join(c for c in flat if not unicodedata.combining(c)).split()).rstrip(".?!")


class Answers:
    """Answers to what somebody types after `?`: an action, a rule's number, a thing's name."""

    def __init__(self, game: Game[Any, Any], speech: Speech) -> None:
        self.game, self.speech = game, speech
        self.sight = game.sight(game.to_move)

    def answer(self, typed: str) -> str:
        """A sentence, whatever was typed."""
        for found in (self._rule(typed), self._action(typed), self._thing(typed)):
            if found:
                return found
        return self._unknown(typed)

    def _rule(self, typed: str) -> str:
        number = typed.strip().upper()
        told = self.speech.rule(number)
        return self.speech.ui("pair", name=number, value=told) if told else ""

    def _thing(self, typed: str) -> str:
        wanted = simple(typed)
        for items in self.game.labels.values():
            for name in items:
                if name and self.speech.effect(name):
                    said = self.speech.thing(name)
                    if wanted in (simple(name), simple(said)):
                        return self.speech.ui("pair", name=said, value=self.speech.effect(name))
        return ""

    def _action(self, typed: str) -> str:
        code = self._code(typed)
        if code is None:
            return ""
        said = self.speech.action(self.game.action(code), self.sight)
        if code in {action.code for action in self.game.legal()}:
            return self.speech.ui("why.allowed", action=said)
        refusal = self.game.refusal(code)
        because = self.game.title.talk.because(self.sight, code)
        told = " ".join(
            filter(None, (self.speech.line(because) if because else "", self.speech.rule(refusal.rule)))
        )
        if told:
            return self.speech.ui("why.rule", action=said, reason=told, rule=refusal.rule)
        return self.speech.ui("why.not_now", action=said)

    def _code(self, typed: str) -> int | None:
        """The action that was meant: by its text (`lay forum 4`), or as a button would call it."""
        try:
            return self.game.title.codes.read(typed.strip(), self.game.labels)
        except (FormatError, ValueError):
            pass
        wanted = simple(typed)
        for code in range(min(self.game.title.codes.size, MOST_CODES)):
            if wanted == simple(self.speech.action(self.game.action(code), self.sight)):
                return code
        return None

    def _unknown(self, typed: str) -> str:
        kind = self.game.title.codes.kinds.get(typed.split()[0].lower()) if typed.split() else None
        if kind is not None:
            usage = " ".join([kind.name, *(_written(arg) for arg in kind.args)])
            return self.speech.ui("why.usage", usage=usage)
        return self.speech.ui("why.unknown", typed=typed[:40])


def _written(arg: Arg) -> str:
    return arg.name.upper() if arg.labels else f"{arg.low}-{arg.high}"


# -- the view -------------------------------------------------------------------------------------------


class Why(Pager):
    """The rules behind the present choices, with a line to type a question in."""

    def __init__(self, canvas: Canvas, game: Game[Any, Any], speech: Speech, root: Node) -> None:
        self.game, self.speech, self.answers = game, speech, Answers(game, speech)
        example = next(iter(paths(game).values())).text
        self.typed, self.answered = "", speech.ui("why.ask", example=example)
        super().__init__(canvas, speech.ui, speech.ui("why.heading"), self._text(root))

    passing = False

    def _text(self, root: Node) -> list[RenderableType]:
        ui, shown = self.speech.ui, list[RenderableType]()
        rules = rules_behind(self.game)
        if rules:
            shown.append(Text(ui("why.rules"), style="prompt"))
            shown += [_item(number, self.speech.rule(number)) for number in rules]
            shown.append(Text())
        things = things_with_effects(root, self.game.view(self.game.to_move)["board"], self.speech)
        if things:
            shown.append(Text(ui("why.effects"), style="prompt"))
            shown += [_item(self.speech.thing(name), self.speech.effect(name)) for name in things]
        if not shown:
            shown.append(Text(ui("why.nothing")))
        return shown

    def parts(self, width: int, height: int) -> Parts:
        answer = self.canvas.text(Text(self.answered, style="prompt"), width)
        if not height:
            told = [line for part in self.text for line in self.canvas.lines(part, width)]
            return Parts(board=lambda rows: told, ask=answer)
        entry = self.canvas.lines(Text(f"? {self.typed}█", no_wrap=True, overflow="ellipsis"), width)
        parts = super().parts(width, height - len(answer) - 2)
        parts.ask = ["", *answer, *entry]
        parts.foot = self.canvas.lines(
            Text(self.ui("foot.why_keys"), style="foot", no_wrap=True, overflow="ellipsis"), width
        )
        return parts

    def takes_line(self, text: str) -> bool:
        if text in ("", "<"):
            self.finish()
        else:
            self.answered = self.answers.answer(text)
        return True

    def press(self, key: str) -> None:
        if self.turn(key) or key in (k.OTHER, k.TAB, k.LEFT, k.RIGHT):
            return
        if key == k.ESC or (key in (k.ENTER, k.BACKSPACE) and not self.typed):
            self.finish()
        elif key == k.ENTER:
            self.answered, self.typed = self.answers.answer(self.typed), ""
        elif key == k.BACKSPACE:
            self.typed = self.typed[:-1]
        elif len(self.typed) < MOST_TYPED:
            self.typed += key


def _item(name: str, text: str) -> RenderableType:
    line = Text()
    line.append(f"{name}  ", style="title")
    return Padding(line.append(text), (0, 0, 0, 2))
