"""Routes: positions that somebody makes.  Nothing is kept but what is handed in as a bug of the rules."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, Request
from fastapi import Path as PathParameter
from fastapi.responses import PlainTextResponse, Response

from ludus.core import editing, scene, starting
from ludus.core.chance import CHANCE, OVER
from ludus.core.errors import LudusError
from ludus.core.game import Game
from ludus.core.title import Title
from ludus.store import reports

from .asking import PLAIN_TEXT, PROBLEMS, LangQuery, Somebody, TheServer, address_of
from .errors import Invalid
from .models import PositionAt, PositionQuery, PositionScene
from .server import title_of

api = APIRouter(prefix="/api/titles", responses=PROBLEMS, tags=["positions"])
TitlePath = Annotated[str, PathParameter(max_length=40)]


@api.post("/{name}/position")
async def position(
    request: Request, name: TitlePath, body: PositionQuery, server: TheServer, lang: LangQuery = "en"
) -> dict[str, Any]:
    """A position, changed as I say: what it is now, what one sees of it, and what stands against beginning
    there (`wrong`), if anything does."""
    server.limiter.take("position", address_of(request))
    return await server.reading(_shown, title_of(name), body, lang)


@api.post("/{name}/position/scene", response_class=Response, responses=PLAIN_TEXT)
async def as_scene(request: Request, name: TitlePath, body: PositionScene, server: TheServer) -> Response:
    """The same as a scene file."""
    server.limiter.take("position", address_of(request))
    text = await server.reading(_scene_of, title_of(name), body)
    head = {"content-disposition": f'attachment; filename="{name}.toml"'}
    return PlainTextResponse(text, headers=head)


@api.post("/{name}/position/report", status_code=201)
async def hand_in(
    name: TitlePath, body: PositionScene, person: Somebody, server: TheServer
) -> dict[str, Any]:
    """Hand a position in as a bug of the rules, with a comment: the host finds it (`ludus admin reports`)."""
    if not body.note.strip():
        raise Invalid("say what is wrong with the rules here")
    server.limiter.take("report", person.id)
    text = await server.reading(_scene_of, title_of(name), body)
    now = server.time.wall()
    made = await server.writing(lambda db: reports.add(db, name, text, person.id, now))
    return {"ok": True, "id": made}


# -- made beside the event loop ---------------------------------------------------------------------------


class _Made:
    """A position with the box it is of."""

    def __init__(self, title: Title[Any, Any], seats: int, options: dict[str, Any], box: Any, s: Any) -> None:
        self.title, self.seats, self.options, self.box, self.s = title, seats, options, box, s


def _made(title: Title[Any, Any], at: PositionAt) -> _Made:
    seats, values = title.read_setting(at.seats, at.options)
    options: dict[str, Any] = dict(values)
    box = title.box_for(seats, **options)
    if at.position is not None:
        s = starting.read_start(title, box, at.position)
    elif getattr(at, "dealt", False):
        s = Game(title, box).position
    else:
        s = editing.empty_box(title, box)
    return _Made(title, seats, options, box, s)


def _of_scene(title: Title[Any, Any], text: str) -> _Made:
    found = scene.read_scene_text(text, title_of)
    if found.title.name != title.name:
        raise Invalid(f"this scene is one of {found.title.name}, not of {title.name}")
    if found.box:
        raise Invalid("this scene is played with a small box, which no match is")
    seats, options = title.read_setting(found.seats, found.options)
    box, s = scene.scene_position(found)
    return _Made(title, seats, dict(options), box, s)


def _shown(title: Title[Any, Any], query: PositionQuery, lang: str) -> dict[str, Any]:
    made = _made(title, query) if query.scene is None else _of_scene(title, query.scene)
    edits = [(edit.path, edit.value) for edit in query.edits]
    s = editing.edited(title, made.box, made.s, edits) if edits else made.s
    wrong = editing.judged(title, made.box, s, lang)
    told: dict[str, Any] = {
        "title": title.name,
        "seats": made.seats,
        "options": made.options,
        "position": starting.write_start(title, made.box, s),
        "values": title.position.json(s),
        "wrong": wrong,
        **_seen(made, s, query.eye),
    }
    return {**told, **editing.describe(title, made.box, lang)} if query.describe else told


def _seen(made: _Made, s: Any, eye: int | None) -> dict[str, Any]:
    """What is to be seen of it, as far as a drawing can show it."""
    if eye is not None and eye >= made.seats:
        raise Invalid(f"there is no seat {eye}")
    try:
        data = made.title.position.pack(s)
        game = Game(made.title, made.box, seed=0, chance="manual", start=data)
        mover = game.to_move
        looks = eye if eye is not None else max(0, min(mover, made.seats - 1))
        moves = {CHANCE: "chance", OVER: None}.get(mover, mover)
        return {"view": game.view(looks), "eye": looks, "to_move": moves}
    except (LudusError, IndexError, KeyError, ValueError, ZeroDivisionError, AssertionError):
        return {"view": None, "eye": eye or 0, "to_move": None}


def _scene_of(title: Title[Any, Any], given: PositionScene) -> str:
    made = _made(title, given)
    free = editing.judged(title, made.box, made.s, "en") is not None
    name = " ".join(given.name.split()) or "A position"
    return scene.write_position_scene(title, made.seats, made.options, made.s, name, given.note.strip(), free)
