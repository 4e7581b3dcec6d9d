"""What people ask of a match without changing it."""

from __future__ import annotations

from typing import Any

from ludus.core.chance import SPECTATOR
from ludus.core.telling import say_line
from ludus.match.file import write_match
from ludus.match.match import Match
from ludus.match.moments import moments
from ludus.store.people import Person

from . import errors, telling
from .errors import Forbidden
from .models import AdviceQuery, WarningQuery, WhatIfQuery, WhyNotQuery
from .publishing import state_of
from .server import Server
from .standing import Standing
from .wire import encode


async def state(
    server: Server, match_id: str, person: Person | None, wanted: int | None, lang: str
) -> dict[str, Any]:
    """Everything that somebody sees at this moment."""
    table, standing = await server.now(match_id)
    eye = SPECTATOR if wanted == SPECTATOR else standing.eye_of(person, wanted)
    return state_of(table, standing, person, eye, lang)


def _to_move(standing: Standing, person: Person, wanted: int | None, what: str) -> tuple[Match, int]:
    """The match and the person's seat, if it is that seat's turn."""
    match, seat = standing.running_match(), standing.seat_for(person, wanted)
    if match.over or match.game.to_move != seat:
        raise Forbidden(f"{what} for the seat whose turn it is")
    return match, seat


async def what_if(server: Server, person: Person, match_id: str, query: WhatIfQuery) -> dict[str, Any]:
    """What a seat would see after some actions; nothing is stored."""
    server.limiter.take("what_if", person.id)
    with server.limiter.at_once("what_if", person.id):
        _, standing = await server.now(match_id)
        match, seat = _to_move(standing, person, query.seat, "what-if is")
        answer = await server.reading(telling.what_if, match, seat, query.lang, query.actions)
        return {"entry": standing.entries, **answer}


async def gestures(server: Server, person: Person, match_id: str, query: WhatIfQuery) -> dict[str, Any]:
    """The gestures of the seat to move that begin with some actions, with all answers; nothing is stored."""
    server.limiter.take("what_if", person.id)
    with server.limiter.at_once("what_if", person.id):
        _, standing = await server.now(match_id)
        match, _ = _to_move(standing, person, query.seat, "gestures are")
        found = await server.reading(telling.answers_after, match, query.lang, query.actions)
        return {"entry": standing.entries, "gestures": found}


async def advice(server: Server, person: Person, match_id: str, query: AdviceQuery) -> dict[str, Any]:
    """What the title says of a touch, from what one eye may know; nothing is stored."""
    server.limiter.take("what_if", person.id)
    with server.limiter.at_once("what_if", person.id):
        _, standing = await server.now(match_id)
        match, eye = standing.running_match(), standing.eye_of(person, query.seat)
        if query.actions and (match.over or match.game.to_move != standing.seat_for(person, query.seat)):
            raise Forbidden("what-if is for the seat whose turn it is")
        found = await server.reading(telling.advice, match, eye, query.about, query.actions)
        return {"entry": standing.entries, "advice": found}


async def why_not(server: Server, person: Person, match_id: str, query: WhyNotQuery) -> dict[str, Any]:
    """Which rule forbids what the seat to move has touched; nothing is stored."""
    server.limiter.take("what_if", person.id)
    with server.limiter.at_once("what_if", person.id):
        _, standing = await server.now(match_id)
        match, _ = _to_move(standing, person, query.seat, "why-not is")
        found = await server.reading(telling.why_not, match, tuple(query.touches), query.actions)
        because = say_line(match.game.words, query.lang, found.because, match.names) if found.because else ""
        return {"entry": standing.entries, "action": found.action, "rule": found.rule, "because": because}


async def warning(server: Server, person: Person, match_id: str, query: WarningQuery) -> dict[str, Any]:
    """What the seat to move would leave open if it ended its turn now; nothing is stored."""
    server.limiter.take("what_if", person.id)
    with server.limiter.at_once("what_if", person.id):
        _, standing = await server.now(match_id)
        match, seat = _to_move(standing, person, query.seat, "warnings are")
        game = match.game
        found = await server.reading(game.title.grouping.warning, game.sight(seat))
        said = say_line(game.words, query.lang, found, match.names) if found else ""
        return {"entry": standing.entries, "warning": said}


# -- stories: made beside the event loop ----------------------------------------------------------------


def page(standing: Standing, eye: int, lang: str, since: int, limit: int, whole: bool) -> bytes:
    """The story from an entry on, as JSON."""
    rows: list[dict[str, Any]] = []
    if standing.match is not None and since < standing.entries:
        rows = telling.rows(standing.match, eye, lang, since, since + limit, whole)
    return encode({"since": since, "entries": rows, "last": standing.entries})


def moment(standing: Standing, eye: int, seat: int | None, number: int) -> bytes:
    """What an eye sees of the position after an entry, as JSON."""
    if standing.match is None or number > standing.entries:
        raise errors.Unknown(f"there is no entry {number}; the last is {standing.entries}")
    found = moments(standing.match, number, number)[0]
    return encode({"entry": number, "eye": seat, "view": found.view(eye), "last": standing.entries})


def match_file(standing: Standing, eye: int) -> str:
    """The match file: whole when the match is over, else what this eye knows."""
    if standing.match is None:
        raise errors.Refusal("the match has not begun yet")
    return write_match(standing.match, eye)
