"""Routes: over many matches."""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter, Request

from . import exploring
from .asking import PROBLEMS, Anybody, LangQuery, Somebody, TheServer, asker_of
from .routes_rules import NamePath
from .server import title_of
from .wire import Json

Shown = dict[str, Any]
api = APIRouter(prefix="/api", responses=PROBLEMS, tags=["analysis"])


@api.get("/titles/{name}/beginnings", response_model=Shown)
async def beginnings(
    name: NamePath, request: Request, person: Anybody, server: TheServer, lang: LangQuery = "en"
) -> Json:
    """How a title is begun, how often and with what success: by bots, and in finished public matches."""
    title_of(name)
    return Json(
        await server.stories.make(asker_of(request, person), exploring.beginnings, server, name, lang)
    )


@api.get("/me/play", response_model=Shown)
async def my_play(request: Request, person: Somebody, server: TheServer, lang: LangQuery = "en") -> Json:
    """My analysed matches by title: luck and error rate over time, and where I lose most."""
    return Json(await server.stories.make(asker_of(request, person), exploring.mine, server, person, lang))
