"""Positions with an obvious choice: they are possible, they ask something, and their own answer is right."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import ludus
from conftest import all_titles
from ludus.bots import Bot, Chair
from ludus.core.expecting import texts
from ludus.core.game import Action
from ludus.core.scene import read_scene, run_scene
from ludus.core.title import Title
from ludus.lab import choices

ENOUGH = 30  # positions of a title whose bots play by a net


class Follower(Bot):
    """Plays the written line of each position, or its first best, or whatever is not to be avoided."""

    def __init__(self, title: Title[Any, Any]) -> None:
        super().__init__(title)
        self.lines = [_line(path) for path in choices.files(title)]
        self.to_come: list[str] = []

    def choose(self, chair: Chair) -> Action:
        if not self.to_come:
            self.to_come, avoid = self.lines.pop(0)
            self.to_come = self.to_come or [a.text for a in chair.legal() if a.text not in avoid][:1]
        wanted = self.to_come.pop(0)
        return next(action for action in chair.legal() if action.text == wanted)


def _line(path: Path) -> tuple[list[str], list[str]]:
    step = _question(path)
    best, play = texts(step.get("best", ())), texts(step.get("play", ()))
    return (play or best[:1]), texts(step.get("avoid", ()))


def _question(path: Path) -> Any:
    return read_scene(path, ludus.title).steps[-1]


def _cases() -> list[Any]:
    return [
        pytest.param(path, id=f"{title.name}-{path.stem}")
        for title in all_titles()
        for path in choices.files(title)
    ]


@pytest.mark.parametrize("path", _cases())
def test_a_position_is_possible_and_its_last_step_asks_something(path: Path) -> None:
    report = run_scene(read_scene(path, ludus.title))
    assert report.passed, "\n".join(report.failures)
    step = _question(path)
    assert "seat" in step
    assert step.get("best") or step.get("avoid") or ("best" in step and "expect" in step)
    assert ("expect" in step) == ("play" in step), "what is expected of a turn is shown to be possible"


@pytest.mark.parametrize("title", [t for t in all_titles() if choices.files(t)], ids=lambda t: t.name)
def test_who_plays_what_is_written_is_right_everywhere(title: Title[Any, Any]) -> None:
    found = choices.put_to(title, Follower(title), form="plain")
    assert [f"{choice.name}: {choice.wrong}" for choice in found if choice.wrong] == []


@pytest.mark.parametrize("title", all_titles(), ids=lambda t: t.name)
def test_a_title_with_a_net_has_positions_enough(title: Title[Any, Any]) -> None:
    if any((title.folder / "nets").glob("*.npz")):
        assert len(choices.files(title)) >= ENOUGH
