"""Playing a lesson: the position of a learner is a part, a step of it and the actions so far, nothing else.

Whoever plays on sends all of that; it is played again from the beginning of the part, and refused where it
does not fit what the lesson says.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from ludus.core.errors import FormatError, IllegalAction, LudusError
from ludus.core.game import Game
from ludus.core.gestures import gestures
from ludus.core.scene import Scene, set_up
from ludus.core.staged import StagedGame, name_seats
from ludus.core.title import Title

from .lesson import SPLIT, FirstGame, LessonPart, LessonStep, lesson_path, read_lesson

ANY = "*"


class NoStep(LudusError):
    """What a learner says does not fit the lesson: it was changed since, or somebody made it up."""


@dataclass(frozen=True)
class LessonPlace:
    """Where a learner is."""

    part: int
    step: int
    actions: tuple[str, ...] = ()


@dataclass(kw_only=True)
class LessonGame(StagedGame):
    """The game of a part as far as a learner has come."""

    lesson: FirstGame
    part: LessonPart
    step: int = 0
    done: tuple[str, ...] = ()  # of the present step

    @property
    def now(self) -> LessonStep:
        return self.part.steps[self.step]

    @property
    def is_finished(self) -> bool:
        return self.step >= len(self.part.steps)

    # -- what is right ------------------------------------------------------------------------------

    def wants(self, actions: Sequence[str]) -> bool:
        """Whether these actions are right, or the beginning of what is."""
        if self.is_finished:
            return False
        so_far = (*self.done, *actions)
        return any(_begins(way, so_far) for way in self.now.plays)

    def play(self, actions: Sequence[str]) -> None:
        """Actions of the learner, as one gesture; where they are all that is wanted, what follows them."""
        for text in actions:
            if not self.wants((text,)):
                raise NoStep(f"{text!r:.60} is not what this step wants")
            if self.game.to_move != self.seat:
                raise NoStep(f"{text!r:.60} cannot be played: it is not the learner's turn")
            self.act(text)
            self.done = (*self.done, text)
            if any(len(way) == len(self.done) and _begins(way, self.done) for way in self.now.plays):
                self._go_on()

    def read(self) -> None:
        """The learner has read a step."""
        if self.is_finished or not self.now.is_read:
            raise NoStep("there is something to be done first")
        self._go_on()

    def _go_on(self) -> None:
        for text in self.now.then:
            self.act(_first(self.game, text))
        self.step, self.done = self.step + 1, ()


def _begins(way: Sequence[str], actions: Sequence[str]) -> bool:
    """Whether a way of doing it begins with these actions; `pass *` is any action that begins so."""
    if len(actions) > len(way):
        return False
    return all(
        text.startswith(wanted[:-1]) if wanted.endswith(ANY) else text == wanted
        for wanted, text in zip(way, actions, strict=False)
    )


def _first(game: Game[Any, Any], wanted: str) -> str:
    """The first legal action that is wanted; where it is said which, that one."""
    if not wanted.endswith(ANY):
        return wanted
    return next((action.text for action in game.legal() if _begins([wanted], [action.text])), wanted)


def begin(lesson: FirstGame, number: int, lang: str, name: str = "") -> LessonGame:
    """A part of a lesson at its beginning."""
    if not 0 <= number < len(lesson.parts):
        raise NoStep(f"this lesson has no part {number}")
    part = lesson.parts[number]
    scene = Scene(
        path=lesson.path,
        title=lesson.title,
        name=part.key,
        rules=(),
        source="",
        free=part.free,
        seats=part.seats,
        options=part.options,
        box="",
        position=part.position,
        steps=(),
    )
    game = set_up(scene)
    names = name_seats(game, part.seat, name)
    began = LessonGame(lesson=lesson, part=part, game=game, seat=part.seat, names=names, lang=lang)
    for text in part.start:
        began.act(text)
    began.forget_story()
    return began


def at_place(lesson: FirstGame, place: LessonPlace, lang: str, name: str = "") -> LessonGame:
    """Where a learner says to be; NoStep where one cannot be there."""
    found = begin(lesson, place.part, lang, name)
    rest = list(place.actions)
    try:
        while found.step < place.step:
            if found.is_finished:
                raise NoStep(f"part {place.part} has {len(found.part.steps)} steps")
            if found.now.is_read:
                found.read()
            elif rest:
                found.play([rest.pop(0)])
            else:
                raise NoStep("actions are missing before this step")
        found.play(rest)
    except IllegalAction as error:
        raise NoStep(str(error)) from None
    if found.step != place.step:
        raise NoStep("these actions lead beyond this step")
    return found


def problems_of(lesson: FirstGame) -> list[str]:
    """What does not fit the present rules: every way of every step is played."""
    found: list[str] = []
    for number, part in enumerate(lesson.parts):
        for way in range(max((len(step.plays) for step in part.steps), default=0) or 1):
            try:
                _play_through(lesson, number, way)
            except LudusError as error:
                found.append(f"part {part.key}: {error}")
                break
    return found


def _play_through(lesson: FirstGame, number: int, way: int) -> None:
    """A part from its beginning to its end; where a step has several ways, the one of this number."""
    playing = begin(lesson, number, "en")
    while not playing.is_finished:
        step = playing.now
        try:
            if step.is_read:
                playing.read()
            else:
                here = playing.step
                while not playing.is_finished and playing.step == here:
                    playing.play(gesture_for(playing, step.plays[min(way, len(step.plays) - 1)])[1])
        except (LudusError, IndexError) as error:
            raise FormatError(f"step {step.key}: {error}", source=str(lesson.path)) from None


def gesture_for(playing: LessonGame, way: Sequence[str]) -> tuple[tuple[str, ...], list[str]]:
    """The touches by which a learner goes on this way, and the actions that they stand for: as many as there
    are; FormatError where nothing can be touched for it."""
    rest, game = way[len(playing.done) :], playing.game
    found: tuple[tuple[str, ...], list[str]] = ((), [])
    for gesture in gestures(game):
        texts = [game.common.text(code) for code in gesture.codes]
        if _begins(rest, texts) and len(texts) > len(found[1]):
            found = (gesture.path, texts)
    if not found[1]:
        raise FormatError(f"step {playing.now.key}: nothing can be touched for {SPLIT.join(rest)!r}")
    return found


def fitting_lesson(title: Title[Any, Any]) -> tuple[FirstGame | None, list[str]]:
    """The lesson of a title if it fits the present rules; else what is wrong with it, if there is one."""
    if lesson_path(title) is None:
        return None, []
    try:
        lesson = read_lesson(title)
        wrong = problems_of(lesson)
    except LudusError as error:
        return None, [str(error)]
    return (None, wrong) if wrong else (lesson, [])
