"""Routes: titles and matches."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, Query, Request, WebSocket
from fastapi import Path as PathParameter
from fastapi.responses import PlainTextResponse, Response
from sqlalchemy import Connection

from ludus import titles as registry
from ludus.store import StoreDown, records
from ludus.store.opening import Unplayable
from ludus.store.people import Person

from . import changing, chatting, drawings, errors, lobby, proof, questions, socket, stored
from .asking import (
    PLAIN_TEXT,
    PROBLEMS,
    Anybody,
    LangQuery,
    LimitQuery,
    MatchPath,
    SeatQuery,
    SinceQuery,
    Somebody,
    TheHouse,
    TitleQuery,
    address_of,
    asker_of,
)
from .bots import bot_names
from .house import House, title_of
from .identity import Identities
from .models import Advice, Answer, Command, GiveNonce, Join, NewMatch, Note, Say, WhatIf, WhyNot
from .publishing import state_of
from .table import short
from .wire import Json

PAGE = 200  # entries in one answer
Shown = dict[str, Any]
api = APIRouter(prefix="/api", responses=PROBLEMS, tags=["matches"])


# -- titles -------------------------------------------------------------------------------------------


@api.get("/titles")
async def list_titles(lang: LangQuery = "en") -> dict[str, Any]:
    """What can be played, with seats, options and bots."""
    found: dict[str, Any] = {}
    for name in registry.title_names():
        try:
            found[name] = _describe(title_of(name), lang)
        except errors.Unknown:
            continue
    return {"titles": found}


@api.get("/titles/{name}")
async def one_title(
    name: Annotated[str, PathParameter(max_length=40)], lang: LangQuery = "en"
) -> dict[str, Any]:
    """One title, with all its words in a language."""
    title = title_of(name)
    keys = (key for key in sorted(title.words.keys(lang)) if not key.startswith("terminal."))
    words = {key: title.words.say(lang, key) for key in keys}
    return {**_describe(title, lang), "words": words}


def _describe(title: Any, lang: str) -> dict[str, Any]:
    words = title.words
    options = {
        o.name: {
            "name": words.say(lang, f"option.{o.name}.name"),
            "help": words.say(lang, f"option.{o.name}.help"),
            "default": o.default,
            "values": list(o.values),
            "disputed": o.disputed,
        }
        for o in title.options
    }
    return {
        "name": words.say(lang, "name"),
        "blurb": words.say(lang, "blurb"),
        "rules_version": title.version,
        "seats": list(title.seats),
        "options": options,
        "bots": bot_names(title.name),
        "length": words.say(lang, "length") if words.has("length") else "",
        "mark": words.say(lang, "mark") if words.has("mark") else "",
        "picture": drawings.picture_of(title),
        "drawing": drawings.drawing_of(title),
    }


# -- matches ----------------------------------------------------------------------------------------------


@api.post("/matches", response_model=Shown, status_code=201)
async def new_match(
    request: Request, body: NewMatch, person: Somebody, house: TheHouse, lang: LangQuery = "en"
) -> Json:
    """Make a match.  It begins when every seat is taken."""
    match_id = await lobby.create(house, person, body, address_of(request))
    return Json(await questions.state(house, match_id, person, None, lang), 201)


@api.get("/matches")
async def my_matches(
    person: Somebody,
    house: TheHouse,
    finished: bool = False,
    limit: LimitQuery = 100,
) -> dict[str, Any]:
    """The matches in which I sit, or which I made."""
    states = ("over", "closed") if finished else ("waiting", "running")
    return await house.reading(
        _list, house, person, lambda db: records.matches_of(db, person.id, limit, states)
    )


@api.get("/matches/open")
async def open_matches(
    person: Anybody,
    house: TheHouse,
    title: TitleQuery = None,
    limit: LimitQuery = 50,
) -> dict[str, Any]:
    """Public matches that wait for players."""
    return await house.reading(_list, house, person, lambda db: records.open_matches(db, limit, title))


@api.get("/matches/live")
async def live_matches(
    person: Anybody,
    house: TheHouse,
    title: TitleQuery = None,
    limit: LimitQuery = 50,
) -> dict[str, Any]:
    """Public matches that are being played, to watch."""
    return await house.reading(_list, house, person, lambda db: records.public_running(db, limit, title))


def _list(house: House, person: Person | None, find: Any) -> dict[str, Any]:
    with house.store.read() as db:
        rows = find(db)
        seats = records.seats_of_many(db, [row.id for row in rows])
    return {"matches": [short(row, seats.get(row.id, []), person) for row in rows]}


@api.get("/matches/{match_id}", response_model=Shown)
async def see_match(
    match_id: MatchPath, person: Anybody, house: TheHouse, seat: SeatQuery = None, lang: LangQuery = "en"
) -> Json:
    """What I see of a match now: the table, my view, my choices."""
    return Json(await questions.state(house, match_id, person, seat, lang))


@api.post("/matches/{match_id}/join", response_model=Shown)
async def join(match_id: MatchPath, body: Join, person: Somebody, house: TheHouse) -> Json:
    """Take a free seat."""
    await lobby.join(house, person, match_id, body)
    return Json(await questions.state(house, match_id, person, None, "en"))


@api.post("/matches/{match_id}/leave")
async def get_up(match_id: MatchPath, person: Somebody, house: TheHouse) -> dict[str, bool]:
    """Give a seat back before the match has begun."""
    return {"ok": True, "gone": await lobby.leave(house, person, match_id)}


@api.post("/matches/{match_id}/nonce", response_model=Shown)
async def give_nonce(match_id: MatchPath, body: GiveNonce, person: Somebody, house: TheHouse) -> Json:
    """My part of the dice, for a match made with `own_nonce`."""
    await lobby.give_nonce(house, person, match_id, body)
    return Json(await questions.state(house, match_id, person, body.seat, "en"))


@api.post("/matches/{match_id}/commands", response_model=Answer)
async def command(
    match_id: MatchPath, body: Command, person: Somebody, house: TheHouse, lang: LangQuery = "en"
) -> Json:
    """Play, or do something else for a seat.  Sent twice, it happens once."""
    done = await changing.command(house, person, match_id, body)
    table, standing = await house.now(match_id)
    seat = body.seat if body.seat is not None and standing.may_look(person, body.seat) else None
    state = state_of(standing, table.public(standing), person, standing.eye_of(person, seat), lang)
    return Json({"ok": True, "repeated": done.repeated, "entry": done.entry, "state": state})


@api.post("/matches/{match_id}/what-if", response_model=Shown)
async def what_if(match_id: MatchPath, body: WhatIf, person: Somebody, house: TheHouse) -> Json:
    """What I would see after some actions of mine; nothing is stored."""
    return Json(await questions.what_if(house, person, match_id, body))


@api.post("/matches/{match_id}/advice", response_model=Shown)
async def advice(match_id: MatchPath, body: Advice, person: Somebody, house: TheHouse) -> Json:
    """What the title says of a touch: reach, chances, dangers; nothing is stored."""
    return Json(await questions.advice(house, person, match_id, body))


@api.post("/matches/{match_id}/why-not", response_model=Shown)
async def why_not(match_id: MatchPath, body: WhyNot, person: Somebody, house: TheHouse) -> Json:
    """Which rule forbids what I touched."""
    return Json(await questions.why_not(house, person, match_id, body))


@api.get("/matches/{match_id}/chances", response_model=Shown)
async def chances(match_id: MatchPath, request: Request, person: Anybody, house: TheHouse) -> Json:
    """What each die and card of a finished match was drawn from: all outcomes with their weights."""
    _, standing = await house.now(match_id)
    return Json(await house.stories.make(asker_of(request, person), proof.page, standing))


@api.get("/matches/{match_id}/entries", response_model=Shown)
async def entries(
    match_id: MatchPath,
    request: Request,
    person: Anybody,
    house: TheHouse,
    since: SinceQuery = 0,
    limit: Annotated[int, Query(ge=1, le=PAGE)] = PAGE,
    seat: SeatQuery = None,
    whole: Annotated[bool, Query(description="Every action whole: only when the match is over.")] = False,
    lang: LangQuery = "en",
) -> Json:
    """The story from an entry on: what was done, as I may know it, and what I saw after it."""
    asker = asker_of(request, person)
    try:
        _, standing = await house.now(match_id)
    except Unplayable:
        found = await stored.read(house, match_id)
        eye = found.standing.eye_of(person, seat)
        return Json(await house.stories.make(asker, stored.page, found, eye, since, limit))
    eye = standing.eye_of(person, seat)
    if whole and not standing.over:
        raise errors.Forbidden("the whole record is public when the match is over")
    return Json(await house.stories.make(asker, questions.page, standing, eye, lang, since, limit, whole))


@api.get("/matches/{match_id}/moments/{number}", response_model=Shown)
async def moment(
    match_id: MatchPath,
    number: Annotated[int, PathParameter(ge=0, le=10_000_000)],
    request: Request,
    person: Anybody,
    house: TheHouse,
    seat: SeatQuery = None,
) -> Json:
    """A link to a moment: what I see of the position after an entry."""
    _, standing = await house.now(match_id)
    eye = standing.eye_of(person, seat)
    asker = asker_of(request, person)
    return Json(await house.stories.make(asker, questions.moment, standing, eye, seat, number))


@api.get("/matches/{match_id}/file", response_class=Response, responses=PLAIN_TEXT)
async def match_file(
    match_id: MatchPath, request: Request, person: Anybody, house: TheHouse, seat: SeatQuery = None
) -> Response:
    """The match file: whole when the match is over, else what I know."""
    asker = asker_of(request, person)
    try:
        _, standing = await house.now(match_id)
        eye = standing.eye_of(person, seat)
        text = await house.stories.make(asker, questions.match_file, standing, eye)
    except Unplayable:
        found = await stored.read(house, match_id)
        standing = found.standing
        eye = standing.eye_of(person, seat)
        text = await house.stories.make(asker, stored.match_file, found, eye)
    name = f"{standing.row.title}-{match_id}.match"
    return PlainTextResponse(text, headers={"content-disposition": f'attachment; filename="{name}"'})


@api.post("/matches/{match_id}/again", response_model=Shown, status_code=201)
async def play_again(match_id: MatchPath, person: Somebody, house: TheHouse) -> Json:
    """The same once more, everybody one seat further."""
    made = await lobby.play_again(house, person, match_id)
    return Json(await questions.state(house, made, person, None, "en"), 201)


@api.get("/matches/{match_id}/chat")
async def read_chat(
    match_id: MatchPath,
    person: Anybody,
    house: TheHouse,
    since: SinceQuery = 0,
) -> dict[str, Any]:
    """Chat: players read players, watchers read watchers; both read all when the match is over."""
    _, standing = await house.now(match_id)
    rooms = standing.rooms(person)
    return {"lines": await house.reading(chatting.lines_since, house, match_id, since, rooms)}


@api.post("/matches/{match_id}/chat", status_code=201)
async def say(match_id: MatchPath, body: Say, person: Somebody, house: TheHouse) -> dict[str, Any]:
    """Say something to the table, or, without a seat, to those who watch."""
    return await chatting.say(house, person, match_id, body.text)


@api.get("/matches/{match_id}/note")
async def read_note(match_id: MatchPath, person: Somebody, house: TheHouse) -> Note:
    """My private note on a match."""

    def read() -> str:
        with house.store.read() as db:
            return records.read_note(db, match_id, person.id)

    return Note(text=await house.reading(read))


@api.put("/matches/{match_id}/note")
async def write_note(match_id: MatchPath, body: Note, person: Somebody, house: TheHouse) -> Note:
    """Write my private note on a match."""
    house.limiter.take("chat", person.id)

    def write(db: Connection) -> None:
        if records.match_row(db, match_id) is None:
            raise errors.Unknown("there is no such match")
        records.write_note(db, match_id, person.id, body.text)

    await house.writing(write)
    return body


@api.websocket("/matches/{match_id}/socket")
async def watch(websocket: WebSocket, match_id: str) -> None:
    """What happens, as it happens; see docs/api.md."""
    house: House = websocket.app.state.house
    identities: Identities = websocket.app.state.identities
    try:
        person = await identities.who(websocket)
    except StoreDown:
        await websocket.accept()
        await websocket.close(socket.TRY_LATER, "try again")
        return
    if (person is not None and person.banned) or len(match_id) > 32:
        await websocket.close(socket.POLICY)
        return
    await socket.serve(house, websocket, match_id, person)
