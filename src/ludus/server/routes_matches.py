"""Routes: titles and matches."""

from __future__ import annotations

import copy
from typing import Annotated, Any

from fastapi import APIRouter, Query, Request, WebSocket
from fastapi import Path as PathParameter
from fastapi.responses import PlainTextResponse, Response
from sqlalchemy import Connection

from ludus import titles as registry
from ludus.match.file import write_match
from ludus.store import StoreDown, records
from ludus.store.people import Person

from . import errors, lobby, socket, telling
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
)
from .bots import bot_names
from .house import House, title_of
from .identity import Identities
from .models import Advice, Answer, Command, GiveNonce, Join, NewMatch, Note, Say, WhatIf
from .table import Table, short

PAGE = 200  # entries in one answer
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
    words = {key: title.words.say(lang, key) for key in sorted(title.words.keys(lang))}
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
    }


# -- matches ----------------------------------------------------------------------------------------------


@api.post("/matches", status_code=201)
async def new_match(
    request: Request, body: NewMatch, person: Somebody, house: TheHouse, lang: LangQuery = "en"
) -> dict[str, Any]:
    """Make a match.  It begins when every seat is taken."""
    match_id = await lobby.create(house, person, body, address_of(request))
    return await house.state(match_id, person, None, lang)


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


@api.get("/matches/{match_id}")
async def see_match(
    match_id: MatchPath, person: Anybody, house: TheHouse, seat: SeatQuery = None, lang: LangQuery = "en"
) -> dict[str, Any]:
    """What I see of a match now: the table, my view, my choices."""
    return await house.state(match_id, person, seat, lang)


@api.post("/matches/{match_id}/join")
async def join(match_id: MatchPath, body: Join, person: Somebody, house: TheHouse) -> dict[str, Any]:
    """Take a free seat."""
    await lobby.join(house, person, match_id, body)
    return await house.state(match_id, person, None, "en")


@api.post("/matches/{match_id}/leave")
async def get_up(match_id: MatchPath, person: Somebody, house: TheHouse) -> dict[str, bool]:
    """Give a seat back before the match has begun."""
    return {"ok": True, "gone": await lobby.leave(house, person, match_id)}


@api.post("/matches/{match_id}/nonce")
async def give_nonce(
    match_id: MatchPath, body: GiveNonce, person: Somebody, house: TheHouse
) -> dict[str, Any]:
    """My part of the dice, for a match made with `own_nonce`."""
    await lobby.give_nonce(house, person, match_id, body)
    return await house.state(match_id, person, body.seat, "en")


@api.post("/matches/{match_id}/commands")
async def command(
    match_id: MatchPath, body: Command, person: Somebody, house: TheHouse, lang: LangQuery = "en"
) -> Answer:
    """Play, or do something else for a seat.  Sent twice, it happens once."""
    done = await house.command(person, match_id, body)
    async with house.at(match_id) as table:
        eye = body.seat if body.seat is not None and table.may_look(person, body.seat) else None
        state = house.state_at(table, person, table.eye_of(person, eye), lang)
    return Answer(ok=True, repeated=done.repeated, entry=done.entry, state=state)


@api.post("/matches/{match_id}/what-if")
async def what_if(match_id: MatchPath, body: WhatIf, person: Somebody, house: TheHouse) -> dict[str, Any]:
    """What I would see after some actions of mine; nothing is stored."""
    return await house.what_if(person, match_id, body)


@api.post("/matches/{match_id}/advice")
async def advice(match_id: MatchPath, body: Advice, person: Somebody, house: TheHouse) -> dict[str, Any]:
    """What the title says of a touch: reach, chances, dangers; nothing is stored."""
    return await house.advice(person, match_id, body)


@api.get("/matches/{match_id}/entries")
async def entries(
    match_id: MatchPath,
    person: Anybody,
    house: TheHouse,
    since: SinceQuery = 0,
    limit: Annotated[int, Query(ge=1, le=PAGE)] = PAGE,
    seat: SeatQuery = None,
    whole: Annotated[bool, Query(description="Every action whole: only when the match is over.")] = False,
    lang: LangQuery = "en",
) -> dict[str, Any]:
    """The story from an entry on: what was done, as I may know it, and what I saw after it."""
    async with house.at(match_id) as table:
        eye = table.eye_of(person, seat)
        if whole and not table.over:
            raise errors.Forbidden("the whole record is public when the match is over")
        rows: list[dict[str, Any]] = []
        if table.match is not None and since < table.entries:
            rows = await house.reading(telling.pairs, table.match, eye, lang, since, since + limit, whole)
        return {"since": since, "entries": rows, "last": table.entries}


@api.get("/matches/{match_id}/moments/{number}")
async def moment(
    match_id: MatchPath,
    number: Annotated[int, PathParameter(ge=0, le=10_000_000)],
    person: Anybody,
    house: TheHouse,
    seat: SeatQuery = None,
) -> dict[str, Any]:
    """A link to a moment: what I see of the position after an entry."""
    async with house.at(match_id) as table:
        eye = table.eye_of(person, seat)
        if table.match is None or number > table.entries:
            raise errors.Unknown(f"there is no entry {number}; the last is {table.entries}")
        found = await house.reading(telling.moments, table.match, number, number)
        return {"entry": number, "eye": seat, "view": found[0].view(eye), "last": table.entries}


@api.get("/matches/{match_id}/file", response_class=Response, responses=PLAIN_TEXT)
async def match_file(
    match_id: MatchPath, request: Request, person: Anybody, house: TheHouse, seat: SeatQuery = None
) -> Response:
    """The match file: whole when the match is over, else what I know."""
    house.limiter.take("file", person.id if person else address_of(request))
    async with house.at(match_id) as table:
        eye = table.eye_of(person, seat)
        if table.match is None:
            raise errors.Refusal("the match has not begun yet")
        text = await house.reading(_file, table, person, eye)
    name = f"{table.row.title}-{match_id}.match"
    return PlainTextResponse(text, headers={"content-disposition": f'attachment; filename="{name}"'})


def _file(table: Table, person: Person | None, eye: int) -> str:
    match = copy.copy(table.match)
    assert match is not None
    # Whole only for those at the screen: others who watch may not read all hands.
    match.same_screen = match.same_screen and len(table.seats_of(person)) == len(table.seats)
    return write_match(match, eye)


@api.post("/matches/{match_id}/again", status_code=201)
async def play_again(match_id: MatchPath, person: Somebody, house: TheHouse) -> dict[str, Any]:
    """The same once more, everybody one seat further."""
    made = await lobby.play_again(house, person, match_id)
    return await house.state(made, person, None, "en")


@api.get("/matches/{match_id}/chat")
async def read_chat(
    match_id: MatchPath,
    person: Anybody,
    house: TheHouse,
    since: SinceQuery = 0,
) -> dict[str, Any]:
    """Chat: players read players, watchers read watchers; both read all when the match is over."""
    async with house.at(match_id) as table:
        rooms = table.rooms(person)
        return {"lines": await house.reading(_chat, house, match_id, since, rooms)}


def _chat(house: House, match_id: str, since: int, rooms: list[str]) -> list[dict[str, Any]]:
    with house.store.read() as db:
        return records.chat_since(db, match_id, since, rooms)


@api.post("/matches/{match_id}/chat", status_code=201)
async def say(match_id: MatchPath, body: Say, person: Somebody, house: TheHouse) -> dict[str, Any]:
    """Say something to the table, or, without a seat, to those who watch."""
    return await house.say(person, match_id, body.text)


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
