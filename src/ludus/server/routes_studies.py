"""Routes: studies of finished matches."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter
from fastapi import Path as PathParameter

from . import studies
from .asking import PROBLEMS, Anybody, Somebody, TheServer
from .models import StudyChange, StudyWish
from .wire import Json

Shown = dict[str, Any]
StudyPath = Annotated[str, PathParameter(pattern=r"^[A-Za-z0-9_-]{8,32}$", description="The id of a study.")]
api = APIRouter(prefix="/api/studies", responses=PROBLEMS, tags=["analysis"])


@api.post("", response_model=Shown, status_code=201)
async def begin(wish: StudyWish, person: Somebody, server: TheServer) -> Json:
    """Begin a study of a match that is over."""
    return Json(await studies.begin(server, person, wish), 201)


@api.get("", response_model=Shown)
async def mine(person: Somebody, server: TheServer) -> Json:
    """My studies, the latest first."""
    return Json({"studies": await server.reading(studies.listed, server, person)})


@api.get("/{study_id}", response_model=Shown)
async def see(study_id: StudyPath, person: Anybody, server: TheServer) -> Json:
    """A study: its match, the matches that branch off it and where, and its comments."""
    return Json(await studies.see(server, person, study_id))


@api.post("/{study_id}", response_model=Shown)
async def change(study_id: StudyPath, wish: StudyChange, person: Somebody, server: TheServer) -> Json:
    """Change my study: its name, the comment on a moment, or a branch that begins there."""
    return Json(await studies.change(server, person, study_id, wish))


@api.delete("/{study_id}", response_model=Shown)
async def drop(study_id: StudyPath, person: Somebody, server: TheServer) -> Json:
    """Drop my study; the matches stay."""
    await studies.drop(server, person, study_id)
    return Json({})
