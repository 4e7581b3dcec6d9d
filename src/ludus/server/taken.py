"""Puzzles that somebody takes along: everything that could be told of one, to be solved without a line.

A puzzle is a small tree: at each step there are its choices, and whoever does not find the best one is at an
end.  So all of it can be told beforehand, by the rules, and the browser only looks up what was told.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

from ludus import titles as registry
from ludus.core.errors import LudusError
from ludus.core.title import Title
from ludus.puzzles.puzzle import Puzzle
from ludus.puzzles.solving import Attempt, at_place

from . import drawings, staging, telling
from .server import title_of

CLIENT = Path(__file__).parents[1] / "web" / "static"
KINDS = (".js", ".css", ".woff2", ".json", ".svg", ".png")
Play = Callable[[list[str], list[str], bool], dict[str, Any]]
"""What is told at the place after some actions, when others are played there, or the solution is shown."""


def whole(puzzle: Puzzle, lang: str, play: Play) -> dict[str, Any]:
    """All that can be told of a puzzle, step by step."""
    return {"puzzle": puzzle.name, "steps": [_step(puzzle, k, lang, play) for k in range(len(puzzle.asked))]}


def _step(puzzle: Puzzle, number: int, lang: str, play: Play) -> dict[str, Any]:
    asked = puzzle.asked[number]
    before = [one.best for one in puzzle.asked[:number]]
    attempt = at_place(puzzle, before, lang)
    told = play(before, [], False)
    return {
        "at": told,
        "forced": asked.play[1:] if number else (),  # what is played by itself on the way here
        "choices": {choice: play(before, [choice], False) for choice in asked.chances},
        "shown": play(before, [], True),
        "warning": staging.warning(attempt),
        "advice": _advice(attempt, told["legal"]),
    }


def _advice(attempt: Attempt, legal: Iterable[dict[str, Any]]) -> dict[str, Any]:
    """What the title says of everything that can be touched or chosen here."""
    if attempt.game.title.advise is None:
        return {}
    match = staging.as_match(attempt)
    abouts = dict.fromkeys(about for row in legal for about in (row["action"], *row["touches"][:1]))
    found = {about: telling.advice(match, attempt.seat, about, []) for about in abouts}
    return {about: said for about, said in found.items() if said}


def client_files() -> list[str]:
    """The addresses of all files of the client and of the tables of all titles."""
    ours = [path for path in sorted(CLIENT.rglob("*")) if path.suffix in KINDS and path.name != "sw.js"]
    found = [f"/{path.relative_to(CLIENT).as_posix()}" for path in ours]
    for name in registry.title_names():
        try:
            found += _title_files(title_of(name))
        except LudusError:
            continue  # it is said where titles are described
    return found


def _title_files(title: Title[Any, Any]) -> list[str]:
    folder = drawings.folder_of(title)
    inside = [path for path in sorted(folder.rglob("*")) if path.suffix in KINDS]
    return [f"{drawings.PLACE}/{title.name}/{path.relative_to(folder).as_posix()}" for path in inside]
