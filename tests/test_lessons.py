"""Lessons: they fit the rules, speak four languages, and are played with touches."""

from __future__ import annotations

import shutil
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from conftest import all_titles
from ludus.core.errors import FormatError
from ludus.core.title import Title
from ludus.core.words import LANGUAGES
from ludus.lessons.lesson import FIRST, lesson_path, read_lesson
from ludus.lessons.playing import (
    LessonGame,
    LessonPlace,
    NoStep,
    at_place,
    begin,
    fitting_lesson,
    gesture_for,
    problems_of,
)

TAUGHT = [title for title in all_titles() if lesson_path(title) is not None]
TITLES = pytest.mark.parametrize("title", TAUGHT, ids=lambda t: t.name)


def go_through(title: Title[Any, Any]) -> list[tuple[LessonGame, LessonPlace]]:
    """Every step of a lesson as it is met, with the place that a learner would send."""
    lesson = read_lesson(title)
    met: list[tuple[LessonGame, int]] = []
    for number in range(len(lesson.parts)):
        actions: list[str] = []
        playing = begin(lesson, number, "en")
        while not playing.is_finished:
            met.append((at_place(lesson, LessonPlace(number, playing.step, tuple(actions)), "en"), number))
            step = playing.step
            if playing.now.is_read:
                playing.read()
            while not playing.is_finished and playing.step == step:
                _, texts = gesture_for(playing, playing.now.plays[0])
                playing.play(texts)
                actions += texts
    return [(found, LessonPlace(number, found.step)) for found, number in met]


def test_every_title_teaches() -> None:
    assert {title.name for title in TAUGHT} == {title.name for title in all_titles()}


@TITLES
def test_a_lesson_fits_the_rules_and_can_be_touched(title: Title[Any, Any]) -> None:
    lesson = read_lesson(title)
    assert problems_of(lesson) == []
    met = go_through(title)
    assert len(met) == sum(len(part.steps) for part in lesson.parts)
    assert sum(not found.now.is_read for found, _ in met) >= 3, "a learner plays"


@TITLES
def test_what_is_lit_is_there(title: Title[Any, Any]) -> None:
    """Names of pieces are those that explanations know."""
    for part in read_lesson(title).parts:
        for step in part.steps:
            for piece in step.light:
                assert piece.partition(":")[0] in {p.partition(":")[0] for p in title.pieces}, piece


@TITLES
def test_a_lesson_speaks_four_languages(title: Title[Any, Any]) -> None:
    lesson = read_lesson(title)
    steps = {f"{part.key}.{step.key}" for part in lesson.parts for step in part.steps}
    keys = set(lesson.words.written("en"))
    assert keys <= {"name", "wrong"} | steps | {f"{key}_wrong" for key in steps}
    for lang in LANGUAGES:
        texts = lesson.words.written(lang)
        assert set(texts) == keys, lang
        for key, text in texts.items():
            assert text.strip() and "{" not in text, (lang, key)
            assert len(text) < 330, f"{lang} {key}: too long for a phone ({len(text)})"


@TITLES
def test_places_that_do_not_fit_are_refused(title: Title[Any, Any]) -> None:
    lesson = read_lesson(title)
    with pytest.raises(NoStep, match="no part"):
        at_place(lesson, LessonPlace(99, 0), "en")
    with pytest.raises(NoStep):
        at_place(lesson, LessonPlace(0, 90), "en")
    with pytest.raises(NoStep, match="not what this step wants"):
        at_place(lesson, LessonPlace(0, 0, ("nonsense",)), "en")


def _copied(title: Title[Any, Any], folder: Path) -> Title[Any, Any]:
    shutil.copytree(title.folder / "lessons", folder / "lessons")
    return replace(title, folder=folder)


def test_a_lesson_that_the_rules_left_behind_is_noticed(tmp_path: Path) -> None:
    title = TAUGHT[0]
    copy = _copied(title, tmp_path)
    copy.__dict__["words"] = title.words
    path = tmp_path / "lessons" / FIRST
    first = next(step for step in read_lesson(title).parts[0].steps if not step.is_read)
    text = path.read_text(encoding="utf-8").replace(f'"{first.plays[0][0]}"', '"fly away"')
    path.write_text(text, encoding="utf-8")
    lesson, wrong = fitting_lesson(copy)
    assert lesson is None
    assert wrong and first.key in wrong[0]


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "a lesson has parts"),
        ("[[part]]\nkey = 'x'", "a part needs"),
        ("[[part]]\nkey = 'x'\nsteps = 3\n[[part.step]]\nkey = 'y'", "unknown key 'steps'"),
        ("[[part]]\nkey = 'x'\n[[part.step]]\nplay = 'end'", "a step needs 'key'"),
        ("[[part]]\nkey = 'x'\n[[part.step]]\nkey = 'unsaid'", "there is no text x.unsaid"),
        ("[[part", "Expected"),
    ],
)
def test_what_is_wrong_with_a_file_is_said(tmp_path: Path, text: str, reason: str) -> None:
    copy = _copied(TAUGHT[0], tmp_path)
    (tmp_path / "lessons" / FIRST).write_text(text, encoding="utf-8")
    with pytest.raises(FormatError, match=reason):
        read_lesson(copy)
