"""Solving a puzzle: where somebody is are the actions so far, played again from the position of the puzzle.

Whoever finds the best choice is asked the next one; another good choice solves the puzzle there, and
everything else ends it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from hashlib import sha256
from typing import Any

from ludus.core.errors import IllegalAction, LudusError
from ludus.core.scene import set_up
from ludus.core.staged import StagedGame, name_seats
from ludus.core.telling import say_choice

from .puzzle import Asked, Puzzle

BEST, GOOD, WRONG, SHOWN = "best", "good", "wrong", "shown"  # how an attempt ended


class NoAttempt(LudusError):
    """What somebody says to have played does not fit the puzzle: it was changed since, or made up."""


@dataclass(kw_only=True)
class Attempt(StagedGame):
    """A puzzle as far as somebody has come with it."""

    puzzle: Puzzle
    step: int = 0
    verdict: str = ""  # "" while something is asked
    choice: str = ""  # with which it ended

    @property
    def asked(self) -> Asked:
        return self.puzzle.asked[self.step]

    @property
    def is_over(self) -> bool:
        return bool(self.verdict)

    @property
    def is_solved(self) -> bool:
        return self.verdict in (BEST, GOOD)

    @property
    def cost(self) -> float:
        """What the choice with which it ended gives away, in points."""
        return self.asked.cost(self.choice) if self.choice else 0.0

    def play(self, actions: Sequence[str]) -> int:
        """Actions as one gesture: one answer after the other until it is over; how many of them counted."""
        forced: list[str] = []
        for number, text in enumerate(actions):
            if forced and text == forced[0]:  # what could not be otherwise is played already
                forced.pop(0)
                continue
            if self.is_over:
                return number
            if text not in self.asked.chances:
                raise NoAttempt(f"{text!r:.60} is no choice here")
            forced = self._answer(text)
        return len(actions)

    def _answer(self, text: str) -> list[str]:
        self.act(text)
        last = self.step == len(self.puzzle.asked) - 1
        if text == self.asked.best and not last:
            self.step += 1
            forced = list(self.asked.play[1:])
            for more in forced:
                self.act(more)
            return forced
        self.choice = text
        self.verdict = (
            BEST if text == self.asked.best else GOOD if self.asked.is_good(text) else WRONG
        )  # fmt: skip
        return []

    def give_up(self) -> None:
        """Somebody wants to be told."""
        if self.is_over:
            raise NoAttempt("this puzzle is over")
        self.verdict = SHOWN

    def solution(self, since: int) -> list[str]:
        """The best line from a decision on, in words of the title."""
        game = set_up(self.puzzle.scene)
        said: list[str] = []
        for number, asked in enumerate(self.puzzle.asked):
            for text in asked.play:
                game.play(text)
            if number >= since:
                said.append(self._said(game, asked.best))
        return said

    def choice_said(self) -> str:
        """The choice with which it ended, in words."""
        game = set_up(self.puzzle.scene)
        for asked in self.puzzle.asked[: self.step + 1]:
            for text in asked.play:
                game.play(text)
        return self._said(game, self.choice)

    def _said(self, game: Any, text: str) -> str:
        return say_choice(game, self.lang, game.code_of(text), game.sight(self.seat), self.names)


def begin(puzzle: Puzzle, lang: str, name: str = "") -> Attempt:
    """A puzzle before anything is played."""
    game = set_up(puzzle.scene)
    names = name_seats(game, puzzle.seat, name)
    found = Attempt(puzzle=puzzle, game=game, seat=puzzle.seat, names=names, lang=lang)
    for text in puzzle.asked[0].play:
        found.act(text)
    found.forget_story()
    return found


def at_place(puzzle: Puzzle, actions: Sequence[str], lang: str, name: str = "") -> Attempt:
    """Where somebody says to be; NoAttempt where one cannot be there."""
    found = begin(puzzle, lang, name)
    try:
        if found.play(actions) < len(actions):
            raise NoAttempt("this puzzle is over before these actions are")
    except IllegalAction as error:
        raise NoAttempt(str(error)) from None
    return found


def puzzle_of_the_day(puzzles: Sequence[Puzzle], day: date) -> Puzzle | None:
    """The same for everybody: every puzzle has its number of the day, and the smallest is it."""
    return min(
        puzzles, key=lambda one: sha256(f"{day.isoformat()} {one.name}".encode()).digest(), default=None
    )
