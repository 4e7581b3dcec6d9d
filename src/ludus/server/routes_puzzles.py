"""Routes: puzzles of a title, solved at the same table as matches are played.

Nothing of an attempt is stored until it is over: who solves says what was played so far (`PuzzleMove`,
bounded), and it is played again on a copy.  What is best is told when it is over, and not before.
"""

from __future__ import annotations

import asyncio
import zlib
from collections.abc import Iterable
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from functools import lru_cache, partial
from typing import Annotated, Any

from fastapi import APIRouter, Request
from fastapi import Path as PathParameter

from ludus.core.errors import FormatError, LudusError
from ludus.puzzles import given as elsewhere
from ludus.puzzles.puzzle import Puzzle, fitting_puzzles
from ludus.puzzles.solving import Attempt, NoAttempt, at_place, puzzle_of_the_day
from ludus.puzzles.telling import gains, tell
from ludus.store import puzzles as kept
from ludus.store.people import Person

from . import logs, rating, staging, taken
from .asking import PROBLEMS, Anybody, LangQuery, TheServer, address_of
from .errors import Invalid, Refusal, Unknown
from .models import PuzzleFile, PuzzleMove, PuzzleQuestion
from .server import Server, title_of
from .wire import Json, encode

TitlePath = Annotated[str, PathParameter(max_length=40)]
PuzzlePath = Annotated[str, PathParameter(pattern=r"^[A-Za-z0-9_-]{1,40}$")]
DAYS = 7  # so many puzzles of the day are told ahead, for whoever takes some along
WRONG = 5  # puzzles of a file of which it is said why they are left out
_known: set[str] = set()  # titles whose puzzles were looked at
api = APIRouter(prefix="/api", responses=PROBLEMS, tags=["puzzles"])


@lru_cache(32)
def puzzles_of(name: str) -> dict[str, Puzzle]:
    """The puzzles of a title by name; of each that does not fit the rules a line says so."""
    found, wrong = fitting_puzzles(title_of(name))
    for problem in wrong:
        logs.line("puzzle", warning=True, title=name, problem=problem)
    return {puzzle.name: puzzle for puzzle in found}


async def know_puzzles(names: Iterable[str]) -> None:
    """Look at the puzzles that are not known yet, beside the event loop."""
    for name in set(names) - _known:
        with suppress(LudusError):  # whatever is wrong with a title is told where it is described
            await asyncio.to_thread(puzzles_of, name)
        _known.add(name)


@api.get("/titles/{name}/puzzles")
async def list_puzzles(name: TitlePath, server: TheServer, lang: LangQuery = "en") -> dict[str, Any]:
    """The puzzles of a title, each with how hard it is and which game it is of; and that of the day."""
    return await server.reading(_listed, server, name, lang)


@api.get("/titles/{name}/puzzles/{puzzle}", response_model=dict[str, Any])
async def take_puzzle(
    request: Request, name: TitlePath, puzzle: PuzzlePath, server: TheServer, lang: LangQuery = "en"
) -> Json:
    """A puzzle with all that can be told of it, to be solved without a line: of each of its `steps` what is
    seen there (`at`), what comes of each of the `choices`, what is `shown` to who asks for the solution."""
    address = address_of(request)
    server.limiter.take("taken", address)
    with server.limiter.at_once("taken", address):
        return Json(zlib.decompress(await server.reading(_taken, name, puzzle, lang)))


@api.get("/puzzles/client")
async def client_files(server: TheServer) -> dict[str, Any]:
    """The files of the client, for whoever keeps them to solve puzzles without a line."""
    return {"files": await server.reading(taken.client_files)}


@api.post("/puzzles/file")
async def open_puzzles(
    request: Request, file: PuzzleFile, server: TheServer, lang: LangQuery = "en"
) -> dict[str, Any]:
    """The puzzles of a file of one's own, checked by the rules; each is played by the text `given`, which is
    sent along with every move.  Nothing is kept, and nothing is rated."""
    server.limiter.take("puzzles", address_of(request))
    return await server.reading(_opened, file.text, lang)


@api.post("/titles/{name}/puzzle")
async def play_puzzle(
    request: Request,
    name: TitlePath,
    move: PuzzleMove,
    person: Anybody,
    server: TheServer,
    lang: LangQuery = "en",
) -> dict[str, Any]:
    """Where somebody is after a move, as a table shows it; when it is over, what it was worth."""
    server.limiter.take("puzzle", address_of(request))
    told, attempt = await server.reading(_played, name, move, lang)
    if attempt is not None and move.given is None:
        told["rated"] = await _rated(server, person, attempt, move)
    return told


@api.post("/titles/{name}/puzzle/ask")
async def ask_puzzle(
    request: Request,
    name: TitlePath,
    question: PuzzleQuestion,
    server: TheServer,
    lang: LangQuery = "en",
) -> dict[str, Any]:
    """Why a touch is no choice, what a touch could lead to, what would be after some actions, or what would
    stand open if the turn ended."""
    server.limiter.take("puzzle", address_of(request))
    return await server.reading(_answered, name, question, lang)


# -- made beside the event loop -----------------------------------------------------------------------------


def _listed(server: Server, name: str, lang: str) -> dict[str, Any]:
    title = title_of(name)
    found = puzzles_of(name)
    with server.store.read() as db:
        ratings = kept.ratings_of(db, name)
    today = datetime.now(UTC).date()
    every = list(found.values())
    days = {
        day.isoformat(): one.name
        for day in (today + timedelta(days=k) for k in range(DAYS))
        if (one := puzzle_of_the_day(every, day)) is not None
    }
    return {
        "name": title.words.say(lang, "name"),
        "date": today.isoformat(),
        "day": days.get(today.isoformat()),
        "days": days,
        "puzzles": [
            {
                "name": puzzle.name,
                "rating": round((ratings.get(puzzle.name) or rating.first_rating(puzzle)).rating),
                "game": title.called(lang, puzzle.scene.options),
            }
            for puzzle in found.values()
        ],
    }


@lru_cache(2000)
def _taken(name: str, wanted: str, lang: str) -> bytes:
    """Made once for everybody, and kept as small as it goes."""
    title_of(name)
    puzzle = puzzles_of(name).get(wanted)
    if puzzle is None:
        raise Unknown(f"{name} has no puzzle {wanted}")

    def play(actions: list[str], played: list[str], show: bool) -> dict[str, Any]:
        move = PuzzleMove(puzzle=wanted, actions=actions, play=played, show=show)
        return _played(name, move, lang)[0]

    return zlib.compress(encode(taken.whole(puzzle, lang, play)))


def _opened(text: str, lang: str) -> dict[str, Any]:
    try:
        file = elsewhere.read_file(text, title_of)
    except FormatError as error:
        raise Invalid(error.reason) from None
    return {
        "title": file.title.name,
        "puzzles": [
            {
                "name": puzzle.name,
                "rating": puzzle.rating,
                "game": file.title.called(lang, puzzle.scene.options),
                "given": given,
            }
            for puzzle, given in file.puzzles
        ],
        "wrong": file.wrong[:WRONG],
    }


@lru_cache(64)
def _given(name: str, text: str) -> Puzzle:
    """A puzzle of somebody's file, checked anew: what comes from a browser may have been changed there."""
    try:
        return elsewhere.read_one(text, title_of(name))
    except FormatError as error:
        raise Invalid(error.reason) from None


def _at(name: str, move: PuzzleMove, lang: str) -> Attempt:
    title_of(name)
    puzzle = puzzles_of(name).get(move.puzzle) if move.given is None else _given(name, move.given)
    if puzzle is None:
        raise Unknown(f"{name} has no puzzle {move.puzzle}")
    try:
        return at_place(puzzle, move.actions, lang, staging.clean(move.name))
    except NoAttempt as error:
        raise Refusal(str(error)) from None


def _played(name: str, move: PuzzleMove, lang: str) -> tuple[dict[str, Any], Attempt | None]:
    """What is told, and the attempt if it ended with this move."""
    attempt = _at(name, move, lang)
    since, actions, was_over = len(attempt.rows), list(move.actions), attempt.is_over
    try:
        if move.show:
            attempt.give_up()
        elif move.play:
            if was_over:
                raise NoAttempt("this puzzle is over")
            actions += move.play[: attempt.play(move.play)]
    except (NoAttempt, LudusError) as error:
        raise Refusal(str(error)) from None
    scene = attempt.puzzle.scene
    told = staging.told(attempt, scene.seats, scene.options, since)
    if attempt.is_over:
        told |= {"verdict": attempt.verdict, "solved": attempt.is_solved, **gains(attempt)}
    else:
        told |= {"verdict": "", "solved": False, **staging.choices(attempt)}
    told |= {"since": since, "actions": actions, "puzzle": attempt.puzzle.name, "text": tell(attempt)}
    told |= {"step": attempt.step, "steps": len(attempt.puzzle.asked)}
    told |= {"game": attempt.puzzle.title.called(lang, scene.options)}
    return {"ok": True, **told}, attempt if attempt.is_over and not was_over else None


async def _rated(
    server: Server, person: Person | None, attempt: Attempt, move: PuzzleMove
) -> dict[str, Any] | None:
    """What the try did to somebody's strength; None where it was not the first."""
    puzzle, solved = attempt.puzzle, attempt.is_solved
    if person is not None and person.account:
        now = server.time.wall()
        found = await server.writing(lambda db: rating.rate_account(db, person.id, puzzle, solved, now))
        return found and {**found[1], "before": round(found[0].rating, 2)}
    if move.strength is None:
        return None
    own = rating.given(move.strength)
    hard = await server.reading(_hard, server, puzzle)
    later, _ = rating.after_try(own, hard, solved)
    return {**rating.as_json(later), "before": round(own.rating, 2)}


def _hard(server: Server, puzzle: Puzzle) -> Any:
    with server.store.read() as db:
        return kept.ratings_of(db, puzzle.title.name).get(puzzle.name) or rating.first_rating(puzzle)


def _answered(name: str, question: PuzzleQuestion, lang: str) -> dict[str, Any]:
    attempt = _at(name, question.at, lang)
    if attempt.is_over:
        raise Refusal("this puzzle is over")
    if question.warning:
        return {"warning": staging.warning(attempt)}
    return staging.answer(attempt, question, partial(tell, attempt))
