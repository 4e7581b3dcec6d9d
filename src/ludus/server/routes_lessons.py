"""Routes: the first game of a title, played step by step.  Nothing is stored: a learner says where they are.

What comes in is bounded (`LessonMove`) and played again from the beginning of its part; what does not fit the
lesson is refused.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from contextlib import suppress
from functools import lru_cache, partial
from typing import Annotated, Any

from fastapi import APIRouter, Request
from fastapi import Path as PathParameter

from ludus.core.errors import LudusError
from ludus.lessons.lesson import FirstGame
from ludus.lessons.playing import LessonGame, LessonPlace, NoStep, at_place, fitting_lesson

from . import logs, staging
from .asking import PROBLEMS, LangQuery, TheServer, address_of
from .errors import Refusal, Unknown
from .models import LessonMove, LessonQuestion
from .server import title_of

_known: set[str] = set()  # titles whose lessons were played through
api = APIRouter(prefix="/api", responses=PROBLEMS, tags=["lessons"])


@lru_cache(32)
def lesson_of(name: str) -> FirstGame | None:
    """The lesson of a title; None where there is none, or where it does not fit the rules: a line says so."""
    lesson, wrong = fitting_lesson(title_of(name))
    for problem in wrong[:1]:
        logs.line("lesson", warning=True, title=name, problem=problem)
    return lesson


async def know_lessons(names: Iterable[str]) -> None:
    """Play through the lessons that are not known yet, beside the event loop."""
    for name in set(names) - _known:
        with suppress(LudusError):  # whatever is wrong with a title is told where it is described
            await asyncio.to_thread(lesson_of, name)
        _known.add(name)


@api.post("/titles/{name}/lesson")
async def play_lesson(
    request: Request,
    name: Annotated[str, PathParameter(max_length=40)],
    move: LessonMove,
    server: TheServer,
    lang: LangQuery = "en",
) -> dict[str, Any]:
    """Where a learner is after a move, as a table shows it: what is said, lit, seen and possible."""
    server.limiter.take("lesson", address_of(request))
    return await server.reading(_played, name, move, lang)


@api.post("/titles/{name}/lesson/ask")
async def ask_lesson(
    request: Request,
    name: Annotated[str, PathParameter(max_length=40)],
    question: LessonQuestion,
    server: TheServer,
    lang: LangQuery = "en",
) -> dict[str, Any]:
    """Why a touch is not what is wanted, what a touch could lead to, or what would be after some actions."""
    server.limiter.take("lesson", address_of(request))
    return await server.reading(_answered, name, question, lang)


# -- made beside the event loop ---------------------------------------------------------------------------


def _at(name: str, move: LessonMove, lang: str) -> LessonGame:
    title_of(name)
    lesson = lesson_of(name)
    if lesson is None:
        raise Unknown(f"{name} has no lesson")
    called = staging.clean(move.name)
    try:
        return at_place(lesson, LessonPlace(move.part, move.step, tuple(move.actions)), lang, called)
    except NoStep as error:
        raise Refusal(str(error)) from None


def _played(name: str, move: LessonMove, lang: str) -> dict[str, Any]:
    playing = _at(name, move, lang)
    since, actions = len(playing.rows), list(move.actions)
    if move.read:
        try:
            playing.read()
        except NoStep as error:
            raise Refusal(str(error)) from None
    elif move.play:
        if not _fits(playing, move.play):
            return {"ok": False, "reason": _wrong(playing, lang)}
        playing.play(move.play)
        actions += move.play
    return {"ok": True, "since": since, "actions": actions, **_told(playing, move.part, since, lang)}


def _fits(playing: LessonGame, actions: list[str]) -> bool:
    """Whether actions are right, and legal one after the other."""
    if not playing.wants(actions):
        return False
    legal = {action.text for action in playing.game.legal()}
    return playing.game.to_move == playing.seat and actions[0] in legal


def _wrong(playing: LessonGame, lang: str) -> str:
    """What is said to whatever is not what the step is about, allowed or not."""
    lesson = playing.lesson
    if playing.is_finished:
        return lesson.say(lang, "wrong")
    own = f"{playing.part.key}.{playing.now.key}_wrong"
    return lesson.say(lang, own if lesson.words.has(own) else "wrong")


def _told(playing: LessonGame, part: int, since: int, lang: str) -> dict[str, Any]:
    lesson = playing.lesson
    step = None if playing.is_finished else playing.now
    told = staging.told(playing, playing.part.seats, playing.part.options, since)
    if step is not None and not step.is_read:
        told |= staging.choices(playing, playing.wants)
    return {
        "lesson": {"name": lesson.say(lang, "name"), "parts": [len(p.steps) for p in lesson.parts]},
        "part": part,
        "step": playing.step,
        "text": "" if step is None else lesson.say(lang, f"{playing.part.key}.{step.key}"),
        "frame": list(playing.part.view),
        "light": [] if step is None else list(step.light),
        "touches": [] if step is None else list(step.touch),
        "reads": step is not None and step.is_read,
        "finished": step is None,
        **told,
    }


def _answered(name: str, question: LessonQuestion, lang: str) -> dict[str, Any]:
    playing = _at(name, question.at, lang)
    return staging.answer(playing, question, partial(_wrong, playing, lang), teaches=True)
