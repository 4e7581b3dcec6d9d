"""Routes: how far the holder of an account has come, and how strong they are.  What a guest
has done is kept in the browser, and sent when the guest becomes an account."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter
from fastapi import Path as PathParameter

from ludus.store import progress
from ludus.store.people import Person

from . import rated
from .asking import PROBLEMS, Somebody, TheServer
from .errors import Forbidden
from .models import ProgressDocument
from .server import Server

api = APIRouter(prefix="/api/me", responses=PROBLEMS, tags=["identity"])
KindPath = Annotated[str, PathParameter(pattern=r"^[a-z]{1,20}$")]


def _require_account(person: Person) -> None:
    if not person.account:
        raise Forbidden("what a guest has done is kept in the browser; with an account it is kept here")


@api.get("/progress/{kind}")
async def my_progress(kind: KindPath, person: Somebody, server: TheServer) -> dict[str, Any]:
    """How far I have come: all entries of a kind ("lesson", "puzzles")."""
    _require_account(person)
    return {"data": await server.reading(_load, server, person.id, kind)}


@api.get("/strength")
async def my_strength(person: Somebody, server: TheServer) -> dict[str, Any]:
    """How strong I am at each title: by `matches`, with the `curve` of those that counted, and `puzzles`."""
    return await server.reading(rated.strength_page, server, person)


def _load(server: Server, person_id: str, kind: str) -> progress.Document:
    with server.store.read() as db:
        return progress.load(db, person_id, kind)


@api.post("/progress/{kind}")
async def add_progress(
    kind: KindPath, body: ProgressDocument, person: Somebody, server: TheServer
) -> dict[str, Any]:
    """Add entries; answers all there are.  Nothing is lost: the greater `n` stays, and what was written later
    (`at`).  Sent twice it happens once."""
    _require_account(person)
    server.limiter.take("progress", person.id)
    given = progress.read_document(body.data)
    now = server.time.wall()
    whole = await server.writing(lambda db: progress.merge_in(db, person.id, kind, given, now))
    return {"data": whole}
