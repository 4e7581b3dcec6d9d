"""Rating those who solve puzzles, and the puzzles: a first try is a game between the two.

A guest's strength is kept in the browser, which sends it along; that of an account with its progress
(`store.progress`, kind "puzzles"), where an entry `TITLE` says how strong somebody is and `TITLE/PUZZLE` that
it was tried.  What a browser says of a guest is bounded and moves no puzzle.
"""

from __future__ import annotations

from typing import Any

from sqlalchemy import Connection

from ludus.puzzles.puzzle import Puzzle
from ludus.ratings import BEGINNER, Rating, after_game
from ludus.store import progress
from ludus.store import puzzles as kept

from .models import Strength

KIND = "puzzles"
TRIED, SOLVED = 1, 2  # how far somebody has come with a puzzle
DEVIATION = 120.0  # how sure the rating is that rungs have given a puzzle


def as_json(strength: Rating) -> dict[str, float]:
    return {
        "rating": round(strength.rating, 2),
        "deviation": round(strength.deviation, 2),
        "volatility": round(strength.volatility, 6),
    }


def given(strength: Strength | None) -> Rating:
    """What a browser says of somebody."""
    if strength is None:
        return BEGINNER
    return Rating(strength.rating, strength.deviation, strength.volatility)


def first_rating(puzzle: Puzzle) -> Rating:
    """What rungs have made of a puzzle."""
    return Rating(float(puzzle.rating), DEVIATION)


def after_try(own: Rating, puzzle: Rating, solved: bool) -> tuple[Rating, Rating]:
    """The ratings of both after a try."""
    return after_game(own, puzzle, 1.0 if solved else 0.0)


def rate_account(
    db: Connection, person_id: str, puzzle: Puzzle, solved: bool, now: float
) -> tuple[Rating, dict[str, Any]] | None:
    """Count a try of somebody with an account: their strength before it, and the entry that is kept now; None
    if it was not the first, after which the solution is known: nothing is counted any more."""
    title = puzzle.title.name
    whole = progress.load(db, person_id, KIND)
    key = f"{title}/{puzzle.name}"
    at = round(1000 * now)
    tried = {key: {"n": SOLVED if solved else TRIED, "at": at}}
    if key in whole:
        return None
    known = whole.get(title, {"n": 0})
    own = read_entry(known)
    hard = kept.rating_of(db, title, puzzle.name) or first_rating(puzzle)
    later, hard = after_try(own, hard, solved)
    strength: dict[str, Any] = {"n": known["n"] + 1, "at": max(at, known.get("at", 0)), **as_json(later)}
    progress.merge_in(db, person_id, KIND, {**tried, title: strength}, now)
    kept.keep_rating(db, title, puzzle.name, hard)
    return own, strength


def read_entry(entry: dict[str, Any]) -> Rating:
    """The strength in an entry of progress, which a browser may have written: bounded as from anybody."""
    try:
        said = {key: entry[key] for key in ("rating", "deviation", "volatility") if key in entry}
        return given(Strength.model_validate(said))
    except ValueError:
        return BEGINNER
