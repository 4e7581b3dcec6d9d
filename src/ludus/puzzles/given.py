"""Puzzles from elsewhere: a file that somebody opens on a page, read as data of which nothing is believed.

Everything is bounded, a step says nothing but what is asked and what it is worth, and a puzzle that does not
fit the rules is left out with a sentence.  The server keeps nothing: each puzzle is handed back as a text,
and whoever solves it sends that text along.
"""

from __future__ import annotations

import json
import tomllib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from math import isfinite
from pathlib import Path
from typing import Any

from ludus.core.errors import FormatError, LudusError
from ludus.core.title import Title

from .puzzle import Puzzle, problem_of, puzzle_of

LONGEST_FILE = 60_000  # characters
LONGEST = 12_000  # of one puzzle
MOST = 100  # puzzles of a file
STEPS, PLAYED = 8, 40  # decisions of a puzzle, and actions that lead to one
_PUZZLE = {"name", "rating", "found", "position", "step", "options", "seats"}
_STEP = {"seat", "play", "best", "chances"}
_NAMELESS = "a puzzle has a name of at most 40 letters and digits"
_HERE = Path("given.toml")


@dataclass(frozen=True)
class Given:
    """What a file came to: its puzzles, each with the text that it is played by, and what was left out."""

    title: Title[Any, Any]
    puzzles: list[tuple[Puzzle, str]] = field(default_factory=list)
    wrong: list[str] = field(default_factory=list)


def read_file(text: str, find: Callable[[str], Title[Any, Any]]) -> Given:
    """The puzzles of a text; FormatError where it is no file of puzzles."""
    if len(text) > LONGEST_FILE:
        raise FormatError(f"a file of puzzles has at most {LONGEST_FILE} characters here")
    try:
        data = tomllib.loads(text)
    except (tomllib.TOMLDecodeError, RecursionError, ValueError) as error:
        raise FormatError(f"this cannot be read: {error}") from None
    rows = data.get("puzzle")
    if not isinstance(data.get("title"), str) or not isinstance(rows, list) or not rows:
        raise FormatError("this is no file of puzzles: it names a title, and parts are headed [[puzzle]]")
    given = Given(find(data["title"]))
    shared = {key: data[key] for key in ("options", "seats") if key in data}
    for number, row in enumerate(rows[:MOST], 1):
        name = f"{row.get('name', number)!s:.40}" if isinstance(row, dict) else str(number)
        try:
            if not isinstance(row, dict):
                raise FormatError("parts are headed [[puzzle]]")
            one = json.dumps({**shared, **row}, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
            puzzle = read_one(one, given.title)
            if any(puzzle.name == other.name for other, _ in given.puzzles):
                raise FormatError("there is another one of this name")
            given.puzzles.append((puzzle, one))
        except (LudusError, ValueError, TypeError) as error:
            reason = error.reason if isinstance(error, FormatError) else str(error)
            given.wrong.append(f"{name}: {reason}")
    if len(rows) > MOST:
        given.wrong.append(f"only {MOST} puzzles of a file are read")
    return given


def read_one(text: str, title: Title[Any, Any]) -> Puzzle:
    """One puzzle as it was handed out; FormatError where it does not fit the rules, or never was one."""
    if len(text) > LONGEST:
        raise FormatError(f"a puzzle has at most {LONGEST} characters")
    try:
        row = json.loads(text)
    except (ValueError, RecursionError):
        raise FormatError("this is no puzzle") from None
    _check(row)
    puzzle = puzzle_of(_HERE, {**row, "title": title.name}, title)
    if problem := problem_of(puzzle):
        raise FormatError(problem)
    return puzzle


def _check(row: Any) -> None:
    """What a puzzle of ours may say, and how much of it."""
    if not isinstance(row, dict) or not set(row) <= _PUZZLE:
        raise FormatError(f"a puzzle says {', '.join(sorted(_PUZZLE))}")
    name, steps = row.get("name"), row.get("step")
    if not isinstance(name, str) or not 0 < len(name) <= 40 or not name.replace("-", "").isalnum():
        raise FormatError(_NAMELESS)
    if not name.isascii():
        raise FormatError(_NAMELESS)
    if not isinstance(steps, list) or not 0 < len(steps) <= STEPS:
        raise FormatError(f"a puzzle has 1 to {STEPS} steps")
    for step in steps:
        if not isinstance(step, dict) or not set(step) <= _STEP:
            raise FormatError(f"a step of a puzzle says {', '.join(sorted(_STEP))}")
        if isinstance(step.get("play"), list) and len(step["play"]) > PLAYED:
            raise FormatError(f"at most {PLAYED} actions lead to a step")
        _check_points(step.get("chances"))


def _check_points(chances: Any) -> None:
    points = chances.values() if isinstance(chances, Mapping) else ()
    if not all(isinstance(n, int | float) and isfinite(n) and 0 <= n <= 100 for n in points):
        raise FormatError("chances are points from 0 to 100")
