"""Puzzles in the terminal: from the files of a title, or one's own; nothing else is needed."""

from __future__ import annotations

from collections.abc import Sequence

from rich.console import Console

from ludus.core.telling import say_choice
from ludus.puzzles.puzzle import Puzzle
from ludus.puzzles.solving import Attempt, begin
from ludus.puzzles.telling import say, tell
from ludus.ratings import GameResult, Rating, after

from .drawings import drawing_of, look_at
from .speech import Speech

SURE = 120.0  # how sure the rating of a puzzle is


def solve_all(console: Console, puzzles: Sequence[Puzzle], lang: str) -> None:
    """One after the other, until somebody has enough; then how it went."""
    strength, solved, tried = Rating(1200.0), 0, 0
    for number, puzzle in enumerate(puzzles, 1):
        name = puzzle.title.called(lang, puzzle.scene.options)
        head = say(lang, "terminal.number", n=number, all=len(puzzles), name=name, rating=puzzle.rating)
        console.rule(head)
        attempt = begin(puzzle, lang)
        if not _solve(console, attempt):
            break
        tried += 1
        solved += attempt.is_solved
        score = 1.0 if attempt.is_solved else 0.0
        strength = after(strength, [GameResult(Rating(float(puzzle.rating), SURE), score)])
    if tried:
        console.print(say(lang, "terminal.score", solved=solved, all=tried, rating=round(strength.rating)))


def _solve(console: Console, attempt: Attempt) -> bool:
    """Ask until it is over; False when somebody leaves."""
    while not attempt.is_over:
        _draw(console, attempt)
        game, lang = attempt.game, attempt.lang
        legal = game.legal()
        sight = game.sight(attempt.seat)
        console.print(tell(attempt), style="bold")
        for number, action in enumerate(legal, 1):
            console.print(f"{number:3}  {say_choice(game, lang, action.code, sight, attempt.names)}")
        given = _ask(console, lang)
        if given in ("q", ""):
            return False
        if given == "?":
            attempt.give_up()
        elif given.isascii() and given.isdigit() and 1 <= int(given) <= len(legal):
            attempt.play([legal[int(given) - 1].text])
        else:
            console.print(say(lang, "terminal.bad", given=repr(given[:20])))
    console.print(say(attempt.lang, f"terminal.{attempt.verdict}"), tell(attempt), style="bold")
    return True


def _ask(console: Console, lang: str) -> str:
    """What is typed; leaving where there is nobody to ask."""
    try:
        return console.input(say(lang, "terminal.choose")).strip().lower()
    except (EOFError, KeyboardInterrupt):
        console.print()
        return "q"


def _draw(console: Console, attempt: Attempt) -> None:
    game = attempt.game
    speech = Speech(game.title, game.labels, attempt.lang, attempt.names)
    look = look_at(game, attempt.seat, speech)
    for part in drawing_of(game.title.name).draw(look, console.width, None):
        console.print(part)
