"""Who asks, and what every route has in common."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import Depends, Query, Request
from fastapi import Path as PathParameter

from ludus.store.people import Person

from .identity import Identities
from .models import Lang, MatchId, Problem
from .server import Server, require

PROBLEMS: dict[int | str, dict[str, Any]] = {
    status: {"model": Problem, "description": text}
    for status, text in {
        401: "No identity",
        403: "Not for you",
        404: "No such thing",
        409: "Not now",
        413: "Too large",
        415: "Not JSON",
        422: "Cannot be read, or an illegal action",
        429: "Too many",
        503: "The database does not answer",
    }.items()
}
PLAIN_TEXT: dict[int | str, dict[str, Any]] = {
    200: {"content": {"text/plain": {"schema": {"type": "string"}}}}
}
MatchPath = Annotated[MatchId, PathParameter(description="The id of a match.")]
SeatQuery = Annotated[int | None, Query(ge=0, le=15, description="Look through the eyes of this seat.")]
LangQuery = Annotated[Lang, Query(description="The language of sentences.")]
TitleQuery = Annotated[str | None, Query(pattern=r"^[A-Za-z0-9_-]{1,40}$")]
SinceQuery = Annotated[int, Query(ge=0, le=10_000_000)]
LimitQuery = Annotated[int, Query(ge=1, le=200)]


def the_server(request: Request) -> Server:
    server: Server = request.app.state.server
    return server


def the_identities(request: Request) -> Identities:
    found: Identities = request.app.state.identities
    return found


# FastAPI sends a plain function that a route depends on through a thread, for every request.


async def _server(request: Request) -> Server:
    return the_server(request)


async def _identities(request: Request) -> Identities:
    return the_identities(request)


async def _anybody(request: Request) -> Person | None:
    person = await the_identities(request).who(request)
    return require(person) if person is not None else None


async def _somebody(request: Request) -> Person:
    return require(await the_identities(request).who(request))


TheServer = Annotated[Server, Depends(_server)]
TheIdentities = Annotated[Identities, Depends(_identities)]
Anybody = Annotated[Person | None, Depends(_anybody)]
Somebody = Annotated[Person, Depends(_somebody)]


def address_of(request: Request) -> str:
    return str(request.scope["state"]["address"])


def asker_of(request: Request, person: Person | None) -> str:
    """Who is asked not to ask too much: a person, or where somebody unknown comes from."""
    return person.id if person is not None else address_of(request)
