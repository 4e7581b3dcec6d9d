"""Puzzles as they are written: files `puzzles/*.toml` in the folder of a title, many puzzles a file.

Each puzzle is a scene (`core.scene`) whose steps ask something: `best` says what is right, `chances` what
every choice comes to, in points of a hundred for the seat that is asked.  Where several choices are as good,
all of them solve it; whoever finds the best one goes on to the next step::

    title = "NAME"
    version = 1                                   # of the rules that it was found with
    made = "ludus lab puzzles NAME"

    [[puzzle]]
    name = "7c2f41"
    rating = 1540                                 # how hard it is, on the scale of people's ratings
    found = { tiro = 0.12, centurio = 0.75 }      # which rungs found it, in so many of their tries
    position = { phase = "act", "dice.0.1" = 3 }

    [[puzzle.step]]
    seat = 0
    best = "forum 3"
    chances = { "forum 3" = 71.2, end = 55.0 }

Nothing in a position is true beyond what the seat knows: all else was dealt anew before it was judged.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ludus.core.errors import FormatError, LudusError
from ludus.core.expecting import texts
from ludus.core.scene import Scene, make_scene, run_scene
from ludus.core.title import Title

FOLDER = "puzzles"
GOOD = 2.0  # points: a choice that costs less is as good as the best
_FILE = {"title", "version", "made", "options", "seats", "puzzle"}
_OWN = {"rating", "found"}


@dataclass(frozen=True)
class Asked:
    """One decision of a puzzle."""

    play: tuple[str, ...]  # what leads to it from the decision before
    best: str
    chances: Mapping[str, float]  # of every choice, in points

    def cost(self, choice: str) -> float:
        """What a choice gives away, in points."""
        return max(0.0, self.chances[self.best] - self.chances[choice])

    def is_good(self, choice: str) -> bool:
        return choice == self.best or self.cost(choice) < GOOD

    @property
    def good(self) -> list[str]:
        """All that solves it, the best first."""
        others = sorted((c for c in self.chances if c != self.best and self.is_good(c)), key=self.cost)
        return [self.best, *others]

    @property
    def margin(self) -> float:
        """By how much everything else is worse."""
        return min((self.cost(c) for c in self.chances if not self.is_good(c)), default=0.0)


@dataclass(frozen=True)
class Puzzle:
    scene: Scene
    rating: int
    found: Mapping[str, float]
    seat: int
    asked: tuple[Asked, ...]

    @property
    def name(self) -> str:
        return self.scene.name

    @property
    def title(self) -> Title[Any, Any]:
        return self.scene.title


def puzzle_files(title: Title[Any, Any]) -> list[Path]:
    """The files with puzzles of a title."""
    return sorted((title.folder / FOLDER).glob("*.toml"))


def read_puzzles(path: Path, title: Title[Any, Any]) -> tuple[list[Puzzle], list[str]]:
    """The puzzles of a file that can be read, and for each other one a line that says why not.

    FormatError where the file is none of puzzles at all.
    """
    try:
        data = tomllib.loads(path.read_text(encoding="utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise FormatError(str(error), source=str(path)) from None
    except OSError as error:
        raise FormatError(error.strerror or "cannot be read", source=str(path)) from None
    rows = data.get("puzzle", [])
    unknown = sorted(set(data) - _FILE)
    if unknown or not isinstance(rows, list) or not all(isinstance(row, dict) for row in rows):
        wrong = f"unknown key {unknown[0]!r}" if unknown else "parts are headed [[puzzle]]"
        raise FormatError(f"this is no file of puzzles: {wrong}", source=str(path))
    if data.get("title") != title.name:
        raise FormatError(f"these are no puzzles of {title.name}", source=str(path))
    shared: dict[str, Any] = {key: data[key] for key in ("title", "options", "seats") if key in data}
    found: list[Puzzle] = []
    wrong_ones: list[str] = []
    for number, row in enumerate(rows, 1):
        try:
            found.append(puzzle_of(path, {**shared, **row}, title))
        except LudusError as error:
            reason = error.reason if isinstance(error, FormatError) else str(error)
            wrong_ones.append(f"{path.name}: puzzle {row.get('name', number)!s:.40}: {reason}")
    return found, wrong_ones


def puzzle_of(path: Path, row: Mapping[str, Any], title: Title[Any, Any]) -> Puzzle:
    """A puzzle out of the data of its part of a file."""
    scene = make_scene(path, {k: v for k, v in row.items() if k not in _OWN}, lambda name: title)
    rating, found = row.get("rating"), row.get("found", {})
    if not isinstance(rating, int) or not 0 <= rating <= 4000:
        raise FormatError(f"rating takes a whole number from 0 to 4000, not {rating!r:.20}")
    if not isinstance(found, dict) or not all(isinstance(share, int | float) for share in found.values()):
        raise FormatError("found takes a table such as { tiro = 0.25 }")
    if scene.free or not scene.steps or not isinstance(scene.steps[0].get("seat"), int):
        raise FormatError("a puzzle is a possible position, and its first step says whose choice it is")
    asked = tuple(_asked(number, step) for number, step in enumerate(scene.steps, 1))
    return Puzzle(scene, rating, found, scene.steps[0]["seat"], asked)


def _asked(number: int, step: Mapping[str, Any]) -> Asked:
    best, chances = texts(step.get("best", ())), step.get("chances", {})
    if len(best) != 1 or best[0] not in chances or len(chances) < 2:
        raise FormatError(f"step {number}: a puzzle says one best choice, and what every choice comes to")
    return Asked(tuple(texts(step.get("play", ()))), best[0], chances)


def problem_of(puzzle: Puzzle) -> str:
    """What of a puzzle does not fit the present rules; "" where all does."""
    report = run_scene(puzzle.scene)
    return "" if report.passed else report.failures[0]


def fitting_puzzles(
    title: Title[Any, Any], files: Sequence[Path] | None = None
) -> tuple[list[Puzzle], list[str]]:
    """The puzzles of a title, or of some files, that fit the present rules, and a line for each that does
    not."""
    found: list[Puzzle] = []
    wrong: list[str] = []
    for path in puzzle_files(title) if files is None else files:
        try:
            some, unreadable = read_puzzles(path, title)
        except FormatError as error:
            wrong.append(str(error))
            continue
        wrong += unreadable
        for puzzle in some:
            problem = problem_of(puzzle)
            if not problem and puzzle.name in {one.name for one in found}:
                problem = "there is another one of this name"
            if problem:
                wrong.append(f"{path.name}: puzzle {puzzle.name}: {problem}")
            else:
                found.append(puzzle)
    return found, wrong
