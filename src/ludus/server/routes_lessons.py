"""Routes: the first game of a title, played step by step.  Nothing is stored: a learner says where they are.

What comes in is bounded (`LessonMove`) and played again from the beginning of its part; what does not fit the
lesson is refused.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from contextlib import suppress
from functools import lru_cache
from types import SimpleNamespace
from typing import Annotated, Any

from fastapi import APIRouter, Request
from fastapi import Path as PathParameter

from ludus.core import touches
from ludus.core.chance import CHANCE, OVER
from ludus.core.errors import LudusError
from ludus.core.telling import say_line
from ludus.lessons.lesson import FirstGame
from ludus.lessons.playing import LessonGame, LessonPlace, NoStep, at_place, fitting_lesson

from . import logs, telling
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
    called = " ".join("".join(c for c in move.name if c.isprintable()).split())
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
    """What is said to a move that is allowed, but not what the step is about."""
    lesson = playing.lesson
    if playing.is_finished:
        return lesson.say(lang, "wrong")
    own = f"{playing.part.key}.{playing.now.key}_wrong"
    return lesson.say(lang, own if lesson.words.has(own) else "wrong")


def _told(playing: LessonGame, part: int, since: int, lang: str) -> dict[str, Any]:
    lesson, game = playing.lesson, playing.game
    step = None if playing.is_finished else playing.now
    shim: Any = SimpleNamespace(
        game=game, names=playing.names, over=game.over
    )  # what `telling` asks of a match
    legal: list[dict[str, Any]] = []
    gestures: list[dict[str, Any]] = []
    if step is not None and not step.is_read and game.to_move == playing.seat:
        every = telling.choices(game, lang, game.legal_codes(), game.sight(playing.seat), playing.names)
        gestures = [
            {key: value for key, value in row.items() if key != "alone"}
            for row in telling.gestures_now(shim, lang, every)
            if playing.wants(row.get("actions", [row["action"]]))
        ]
        legal = [row for row in every if playing.wants([row["action"]])]
    return {
        "lesson": {"name": lesson.say(lang, "name"), "parts": [len(p.steps) for p in lesson.parts]},
        "part": part,
        "step": playing.step,
        "text": "" if step is None else lesson.say(lang, f"{playing.part.key}.{step.key}"),
        "light": [] if step is None else list(step.light),
        "reads": step is not None and step.is_read,
        "finished": step is None,
        "entries": playing.told_rows(since),
        "table": _table(playing),
        "entry": len(playing.rows),
        "eye": playing.seat,
        "yours": [playing.seat],
        "view": game.view(playing.seat),
        "legal": legal,
        "gestures": gestures,
    }


def _table(playing: LessonGame) -> dict[str, Any]:
    """The facts of a table at which nothing happens by itself."""
    game, part = playing.game, playing.part
    options = game.title.read_setting(part.seats, part.options)[1]
    outcome = game.outcome
    return {
        "id": "",
        "title": game.title.name,
        "options": options,
        "state": "over" if game.over else "running",
        "public": False,
        "same_screen": False,
        "entries": len(playing.rows),
        "to_move": {CHANCE: "chance", OVER: None}.get(game.to_move, game.to_move),
        "seats": [
            {"seat": p, "kind": "person", "name": called, "status": "playing", "present": True}
            for p, called in enumerate(playing.names)
        ],
        "clock": {"kind": "none", "seconds": 0, "increment": 0},
        "proposal": None,
        "result": list(outcome.returns) if outcome else None,
        "ending": "",
        "again": None,
        "watching": 0,
        "rules_version": game.title.version,
        "fairness": {"commitment": ""},
    }


def _answered(name: str, question: LessonQuestion, lang: str) -> dict[str, Any]:
    playing = _at(name, question.at, lang)
    game = playing.game
    shim: Any = SimpleNamespace(game=game, names=playing.names)
    if question.touches:
        return _why_not(playing, tuple(question.touches), lang)
    if question.about:
        return {"advice": telling.advice(shim, playing.seat, question.about, question.what_if)}
    if game.to_move != playing.seat:
        raise Refusal("it is not the learner's turn")
    return telling.what_if(shim, playing.seat, lang, question.what_if)


def _why_not(playing: LessonGame, path: tuple[str, ...], lang: str) -> dict[str, Any]:
    """The rule that forbids it; where none does, what the lesson wants instead."""
    game = playing.game
    if game.to_move != playing.seat:
        return {"rule": "", "because": _wrong(playing, lang)}
    found = touches.why_not(game, path)
    because = say_line(game.words, lang, found.because, playing.names) if found.because else ""
    if not found.rule and not because:
        because = _wrong(playing, lang)
    return {"rule": found.rule, "because": because}
