"""A lesson as it is written: `lessons/first.toml` in the folder of a title, and its texts by language.

A lesson has parts; each begins at a position and has steps.  A step says something (`PART.KEY` of the
texts) and wants something done, or only to be read::

    [[part]]
    key = "dice"
    seat = 0                                   # whom the learner plays
    position = { dice = [6, 4, 3] }            # as in a scene, with `options`, `seats` and `free`
    start = ["roll 3"]                         # what happens before, by anybody
    view = ["region:NAME"]                     # of a large map this is seen first, as large as it can be

    [[part.step]]
    key = "money"                              # the text dice.money
    play = "money 6"                           # what is right; a list: any of these; "a; b": both; "pass *"
    then = ["draw legat"]                      # what follows, by chance or by others
    light = ["disc:money"]                     # what is shown besides
    touch = ["die:6", "disc:money"]            # for tests: where a drawing has its own way; "key:a"

A step without `play` is read.  Another legal move, or any other touch, is answered with the rule that forbids
it, else with `PART.KEY_wrong` of the texts, else with `wrong`.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ludus.core.errors import FormatError
from ludus.core.title import Title
from ludus.core.words import Words

FIRST = "first.toml"
SPLIT = ";"  # between actions that are one answer

_PART = {"key", "seat", "position", "options", "seats", "free", "start", "view", "step"}
_STEP = {"key", "play", "then", "light", "touch"}


@dataclass(frozen=True)
class LessonStep:
    key: str  # of its text
    plays: tuple[tuple[str, ...], ...]  # each a way to do it right; none: it is read
    then: tuple[str, ...]
    light: tuple[str, ...]
    touch: tuple[str, ...] = ()

    @property
    def is_read(self) -> bool:
        return not self.plays


@dataclass(frozen=True)
class LessonPart:
    key: str
    seat: int
    position: Mapping[str, Any]
    options: Mapping[str, Any]
    seats: int | None
    free: bool
    start: tuple[str, ...]
    view: tuple[str, ...]
    steps: tuple[LessonStep, ...]


@dataclass(frozen=True)
class FirstGame:
    path: Path
    title: Title[Any, Any]
    words: Words
    parts: tuple[LessonPart, ...]

    def say(self, lang: str, key: str) -> str:
        return self.words.say(lang[:2], key)


def lesson_path(title: Title[Any, Any]) -> Path | None:
    """Where the lesson of a title stands; None where it has none."""
    path = title.folder / "lessons" / FIRST
    return path if path.is_file() else None


def read_lesson(title: Title[Any, Any]) -> FirstGame:
    """The lesson of a title; FormatError says what is wrong with it."""
    path = title.folder / "lessons" / FIRST
    try:
        data = tomllib.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise FormatError(f"{title.name} has no lesson", source=str(path)) from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise FormatError(str(error), source=str(path)) from None
    words = Words(path.parent)
    try:
        parts = tuple(_part(part) for part in data.get("part", ()))
        if not parts:
            raise FormatError("a lesson has parts, headed [[part]]")
        for key in ("name", "wrong", *(f"{part.key}.{step.key}" for part in parts for step in part.steps)):
            if not words.has(key):
                raise FormatError(f"there is no text {key}")
    except FormatError as error:
        raise FormatError(error.reason, source=str(path)) from None
    return FirstGame(path, title, words, parts)


def _part(data: Mapping[str, Any]) -> LessonPart:
    _known(data, _PART)
    if not data.get("key") or not data.get("step"):
        raise FormatError("a part needs 'key' and steps, headed [[part.step]]")
    return LessonPart(
        key=data["key"],
        seat=data.get("seat", 0),
        position=data.get("position", {}),
        options=data.get("options", {}),
        seats=data.get("seats"),
        free=data.get("free", False),
        start=_texts(data.get("start", ())),
        view=_texts(data.get("view", ())),
        steps=tuple(_step(step) for step in data["step"]),
    )


def _step(data: Mapping[str, Any]) -> LessonStep:
    _known(data, _STEP)
    if not data.get("key"):
        raise FormatError("a step needs 'key'")
    plays = tuple(
        tuple(action.strip() for action in way.split(SPLIT)) for way in _texts(data.get("play", ()))
    )
    then, light, touch = (_texts(data.get(name, ())) for name in ("then", "light", "touch"))
    return LessonStep(data["key"], plays, then, light, touch)


def _texts(value: str | Sequence[str]) -> tuple[str, ...]:
    return (value,) if isinstance(value, str) else tuple(str(one) for one in value)


def _known(data: Mapping[str, Any], known: set[str]) -> None:
    for key in data:
        if key not in known:
            raise FormatError(f"unknown key {key!r}; known are {', '.join(sorted(known))}")
