"""Routes: the analysis of a finished match."""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter, Request
from fastapi.responses import Response

from ludus.analysis.analysis import WORDS
from ludus.store.opening import Unplayable

from . import analysing
from .asking import PROBLEMS, Anybody, LangQuery, MatchPath, Somebody, TheServer, asker_of
from .errors import Refusal
from .server import Server
from .standing import Standing
from .wire import Json

Shown = dict[str, Any]
api = APIRouter(prefix="/api/matches/{match_id}/analysis", responses=PROBLEMS, tags=["analysis"])


async def _standing(server: Server, match_id: str, lang: str) -> Standing:
    """Where a match stands; a sentence where the present rules cannot play it."""
    try:
        _, standing = await server.now(match_id)
    except Unplayable:
        raise Refusal(WORDS.say(lang, "cannot.changed")) from None
    return standing


@api.post("", response_model=Shown, status_code=202)
async def ask(match_id: MatchPath, person: Somebody, server: TheServer, lang: LangQuery = "en") -> Json:
    """Ask for the analysis of a match that is over: it is made in the background, once, for everybody."""
    standing = await _standing(server, match_id, lang)
    return Json(await analysing.ask(server, person, standing, lang), 202)


@api.get("", response_model=Shown)
async def see(
    match_id: MatchPath, request: Request, person: Anybody, server: TheServer, lang: LangQuery = "en"
) -> Json:
    """How far the analysis is; when it is made, all of it, in words too."""
    standing = await _standing(server, match_id, lang)
    now = await analysing.state(server, standing, person)
    if now["state"] != "done":
        return Json(now)
    asker = asker_of(request, person)
    me = analysing.own_seat(standing, person)
    return Json(await server.stories.make(asker, analysing.page, server, standing, lang, me))


@api.delete("", response_model=Shown)
async def cancel(match_id: MatchPath, person: Somebody, server: TheServer) -> Json:
    """I have asked for it and want it no more."""
    return Json(await analysing.cancel(server, person, await _standing(server, match_id, "en")))


@api.get("/file", response_class=Response)
async def as_file(match_id: MatchPath, request: Request, person: Anybody, server: TheServer) -> Response:
    """A made analysis as a file: numbers alone, as `ludus analyse` writes them."""
    standing = await _standing(server, match_id, "en")
    asker = asker_of(request, person)
    data = await server.stories.make(asker, analysing.as_file, server, standing)
    name = f"{standing.row.title}-{match_id}.analysis.json"
    headers = {"content-disposition": f'attachment; filename="{name}"'}
    return Response(data, media_type="application/json", headers=headers)
