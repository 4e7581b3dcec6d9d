"""Routes: titles and matches."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, Query, Request, WebSocket
from fastapi import Path as PathParameter
from fastapi.responses import PlainTextResponse, Response
from sqlalchemy import Connection

from ludus import titles as registry
from ludus.core.errors import LudusError
from ludus.store import StoreDown, records
from ludus.store.opening import Unplayable
from ludus.store.people import Person

from . import (
    changing,
    chatting,
    course,
    drawings,
    errors,
    hints,
    lobby,
    logs,
    peace,
    positions,
    proof,
    questions,
    sides,
    socket,
    stored,
    threats,
)
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
    TheServer,
    TitleQuery,
    address_of,
    asker_of,
)
from .bots import bot_names, level_names, substitute
from .identity import Identities
from .models import (
    AdviceQuery,
    Answer,
    AnswerPeace,
    Command,
    GiveNonce,
    HintQuery,
    Join,
    NewMatch,
    Note,
    OfferPeace,
    Say,
    WarningQuery,
    WhatIfQuery,
    WhyNotQuery,
)
from .publishing import state_of
from .rated import require_alone
from .routes_lessons import know_lessons, lesson_of
from .routes_puzzles import know_puzzles, puzzles_of
from .server import Server, title_of
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
    await know_lessons(registry.title_names())
    await know_puzzles(registry.title_names())
    for name in registry.title_names():
        try:
            found[name] = _describe(title_of(name), lang)
        except errors.Unknown:
            continue
        except LudusError as error:  # words of this language that cannot be read
            logs.line("title", warning=True, title=name, problem=str(error))
    return {"titles": found}


@api.get("/titles/{name}")
async def one_title(
    name: Annotated[str, PathParameter(max_length=40)], lang: LangQuery = "en"
) -> dict[str, Any]:
    """One title, with all its words in a language, and what is printed on its things."""
    title = title_of(name)
    await know_lessons([name])
    await know_puzzles([name])
    keys = (key for key in sorted(title.words.keys(lang)) if not key.startswith("terminal."))
    words = {key: title.words.say(lang, key) for key in keys}
    more = {"printed": title.printed(), "sides": sides.of_title(name), "pieces": title.pieces}
    return {**_describe(title, lang), "words": words, **more}


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
    games = [
        {"options": made, "name": title.called(lang, made), "blurb": blurb}
        for made, blurb in title.games(lang)
    ]
    return {
        "name": words.say(lang, "name"),
        "games": games,
        "blurb": words.say(lang, "blurb"),
        "rules_version": title.version,
        "seats": list(title.seats),
        "hides": title.hides_something,
        "warns": title.warns,
        "chance": title.has_chance,
        "options": options,
        "bots": bot_names(title.name),
        "levels": level_names(title.name),
        "substitute": substitute(title.name),
        "length": words.say(lang, "length") if words.has("length") else "",
        "mark": words.say(lang, "mark") if words.has("mark") else "",
        "peace": peace.may_have(title),
        "score": words.say(lang, "score") if words.has("score") else "",
        "picture": drawings.picture_of(title),
        "drawing": drawings.drawing_of(title),
        "lesson": lesson_of(title.name) is not None,
        "puzzles": len(puzzles_of(title.name)),
    }


# -- matches ----------------------------------------------------------------------------------------------


@api.post("/matches", response_model=Shown, status_code=201)
async def new_match(
    request: Request, body: NewMatch, person: Somebody, server: TheServer, lang: LangQuery = "en"
) -> Json:
    """Make a match.  It begins when every seat is taken."""
    match_id = await lobby.create(server, person, body, address_of(request))
    return Json(await questions.state(server, match_id, person, None, lang), 201)


@api.get("/matches")
async def my_matches(
    person: Somebody,
    server: TheServer,
    finished: bool = False,
    limit: LimitQuery = 100,
) -> dict[str, Any]:
    """The matches in which I sit, or which I made."""
    states = ("over", "closed") if finished else ("waiting", "running")
    return await server.reading(
        _list, server, person, lambda db: records.matches_of(db, person.id, limit, states)
    )


@api.get("/matches/open")
async def open_matches(
    person: Anybody,
    server: TheServer,
    title: TitleQuery = None,
    limit: LimitQuery = 50,
) -> dict[str, Any]:
    """Public matches that wait for players."""
    return await server.reading(_list, server, person, lambda db: records.open_matches(db, limit, title))


@api.get("/matches/live")
async def live_matches(
    person: Anybody,
    server: TheServer,
    title: TitleQuery = None,
    limit: LimitQuery = 50,
) -> dict[str, Any]:
    """Public matches that are being played, to watch."""
    return await server.reading(_list, server, person, lambda db: records.public_running(db, limit, title))


def _list(server: Server, person: Person | None, find: Any) -> dict[str, Any]:
    with server.store.read() as db:
        rows = find(db)
        seats = records.seats_of_many(db, [row.id for row in rows])
    now = server.time.now()
    return {"matches": [short(row, seats.get(row.id, []), person, now) for row in rows]}


@api.get("/matches/{match_id}", response_model=Shown)
async def see_match(
    match_id: MatchPath, person: Anybody, server: TheServer, seat: SeatQuery = None, lang: LangQuery = "en"
) -> Json:
    """What I see of a match now: the table, my view, my choices."""
    return Json(await questions.state(server, match_id, person, seat, lang))


@api.post("/matches/{match_id}/join", response_model=Shown)
async def join(match_id: MatchPath, body: Join, person: Somebody, server: TheServer) -> Json:
    """Take a free seat."""
    await lobby.join(server, person, match_id, body)
    return Json(await questions.state(server, match_id, person, None, "en"))


@api.post("/matches/{match_id}/leave")
async def get_up(match_id: MatchPath, person: Somebody, server: TheServer) -> dict[str, bool]:
    """Give a seat back before the match has begun."""
    return {"ok": True, "gone": await lobby.leave(server, person, match_id)}


@api.post("/matches/{match_id}/nonce", response_model=Shown)
async def give_nonce(match_id: MatchPath, body: GiveNonce, person: Somebody, server: TheServer) -> Json:
    """My part of the dice, for a match made with `own_nonce`."""
    await lobby.give_nonce(server, person, match_id, body)
    _, standing = await server.now(match_id)
    seat = body.seat if standing.may_look(person, body.seat) else None  # the lot may have set me elsewhere
    return Json(await questions.state(server, match_id, person, seat, "en"))


@api.post("/matches/{match_id}/commands", response_model=Answer)
async def command(
    match_id: MatchPath, body: Command, person: Somebody, server: TheServer, lang: LangQuery = "en"
) -> Json:
    """Play, or do something else for a seat.  Sent twice, it happens once."""
    done = await changing.command(server, person, match_id, body)
    table, standing = await server.now(match_id)
    seat = body.seat if body.seat is not None and standing.may_look(person, body.seat) else None
    state = state_of(table, standing, person, standing.eye_of(person, seat), lang)
    return Json({"ok": True, "repeated": done.repeated, "entry": done.entry, "state": state})


@api.post("/matches/{match_id}/what-if", response_model=Shown)
async def what_if(match_id: MatchPath, body: WhatIfQuery, person: Somebody, server: TheServer) -> Json:
    """What I would see after some actions of mine; nothing is stored."""
    return Json(await questions.what_if(server, person, match_id, body))


@api.post("/matches/{match_id}/gestures", response_model=Shown)
async def gestures(match_id: MatchPath, body: WhatIfQuery, person: Somebody, server: TheServer) -> Json:
    """What I can say with one gesture that begins with some actions; nothing is stored."""
    return Json(await questions.gestures(server, person, match_id, body))


@api.post("/matches/{match_id}/advice", response_model=Shown)
async def advice(match_id: MatchPath, body: AdviceQuery, person: Somebody, server: TheServer) -> Json:
    """What the title says of a touch: reach, chances, dangers; nothing is stored."""
    return Json(await questions.advice(server, person, match_id, body))


@api.post("/matches/{match_id}/why-not", response_model=Shown)
async def why_not(match_id: MatchPath, body: WhyNotQuery, person: Somebody, server: TheServer) -> Json:
    """Which rule forbids what I touched."""
    return Json(await questions.why_not(server, person, match_id, body))


@api.post("/matches/{match_id}/warning", response_model=Shown)
async def warning(match_id: MatchPath, body: WarningQuery, person: Somebody, server: TheServer) -> Json:
    """What I would leave open if I ended my turn now."""
    return Json(await questions.warning(server, person, match_id, body))


@api.post("/matches/{match_id}/hint", response_model=Shown)
async def hint(match_id: MatchPath, body: HintQuery, person: Somebody, server: TheServer) -> Json:
    """What a bot would do in my place, and what that changes; at tables against bots, or that allow it."""
    return Json(await hints.hint(server, person, match_id, body))


@api.post("/matches/{match_id}/threats", response_model=Shown)
async def what_threatens(match_id: MatchPath, body: HintQuery, person: Somebody, server: TheServer) -> Json:
    """What the others could do after my turn, from what I may know; at tables where hints are given."""
    return Json(await threats.threats(server, person, match_id, body))


@api.get("/matches/{match_id}/chances", response_model=Shown)
async def chances(match_id: MatchPath, request: Request, person: Anybody, server: TheServer) -> Json:
    """What each die and card of a finished match was drawn from: all outcomes with their weights."""
    _, standing = await server.now(match_id)
    return Json(await server.stories.make(asker_of(request, person), proof.page, standing))


@api.get("/matches/{match_id}/course", response_model=Shown)
async def course_of(
    match_id: MatchPath, request: Request, person: Anybody, server: TheServer, lang: LangQuery = "en"
) -> Json:
    """How far each seat of a finished match had come after each turn, and what its dice showed."""
    _, standing = await server.now(match_id)
    return Json(await server.stories.make(asker_of(request, person), course.page, standing, lang))


@api.get("/matches/{match_id}/entries", response_model=Shown)
async def entries(
    match_id: MatchPath,
    request: Request,
    person: Anybody,
    server: TheServer,
    since: SinceQuery = 0,
    limit: Annotated[int, Query(ge=1, le=PAGE)] = PAGE,
    seat: SeatQuery = None,
    whole: Annotated[bool, Query(description="Every action whole: only when the match is over.")] = False,
    lang: LangQuery = "en",
) -> Json:
    """The story from an entry on: what was done, as I may know it, and what I saw after it."""
    asker = asker_of(request, person)
    try:
        _, standing = await server.now(match_id)
    except Unplayable:
        found = await stored.read(server, match_id)
        eye = found.standing.eye_of(person, seat)
        return Json(await server.stories.make(asker, stored.page, found, eye, since, limit))
    eye = standing.eye_of(person, seat)
    if whole and not standing.over:
        raise errors.Forbidden("the whole record is public when the match is over")
    return Json(await server.stories.make(asker, questions.page, standing, eye, lang, since, limit, whole))


@api.get("/matches/{match_id}/moments/{number}", response_model=Shown)
async def moment(
    match_id: MatchPath,
    number: Annotated[int, PathParameter(ge=0, le=10_000_000)],
    request: Request,
    person: Anybody,
    server: TheServer,
    seat: SeatQuery = None,
) -> Json:
    """A link to a moment: what I see of the position after an entry."""
    _, standing = await server.now(match_id)
    eye = standing.eye_of(person, seat)
    asker = asker_of(request, person)
    return Json(await server.stories.make(asker, questions.moment, standing, eye, seat, number))


@api.get("/matches/{match_id}/moments/{number}/position", response_model=Shown)
async def position(
    match_id: MatchPath,
    number: Annotated[int, PathParameter(ge=0, le=10_000_000)],
    request: Request,
    person: Anybody,
    server: TheServer,
    seat: SeatQuery = None,
) -> Json:
    """The position after an entry, to change it or to play on from it: whole when the match is over, else
    what my seat saw, with all that it cannot know dealt anew."""
    _, standing = await server.now(match_id)
    asker = asker_of(request, person)
    return Json(await server.stories.make(asker, positions.page, standing, person, seat, number))


@api.get("/matches/{match_id}/file", response_class=Response, responses=PLAIN_TEXT)
async def match_file(
    match_id: MatchPath, request: Request, person: Anybody, server: TheServer, seat: SeatQuery = None
) -> Response:
    """The match file: whole when the match is over, else what I know; of a rated one none until then."""
    asker = asker_of(request, person)
    try:
        _, standing = await server.now(match_id)
        require_alone(standing)
        eye = standing.eye_of(person, seat)
        text = await server.stories.make(asker, questions.match_file, standing, eye)
    except Unplayable:
        found = await stored.read(server, match_id)
        standing = found.standing
        require_alone(standing)
        eye = standing.eye_of(person, seat)
        text = await server.stories.make(asker, stored.match_file, found, eye)
    name = f"{standing.row.title}-{match_id}.match"
    return PlainTextResponse(text, headers={"content-disposition": f'attachment; filename="{name}"'})


@api.post("/matches/{match_id}/again", response_model=Shown, status_code=201)
async def play_again(match_id: MatchPath, person: Somebody, server: TheServer) -> Json:
    """The same once more, everybody one seat further."""
    made = await lobby.play_again(server, person, match_id)
    return Json(await questions.state(server, made, person, None, "en"), 201)


@api.get("/matches/{match_id}/chat")
async def read_chat(
    match_id: MatchPath,
    person: Anybody,
    server: TheServer,
    since: SinceQuery = 0,
) -> dict[str, Any]:
    """Chat: players read players, watchers read watchers; both read all when the match is over.  What one
    player said to another alone only these two read.  `peace` is what was agreed, and what is offered me."""
    _, standing = await server.now(match_id)
    told = {"lines": await server.reading(chatting.lines_for, server, standing, person, since)}
    if peace.may_have(title_of(standing.row.title)):
        spoken_of = await server.reading(peace.known, server, match_id)
        told["peace"] = peace.for_reader(spoken_of, standing, person)
    return told


@api.post("/matches/{match_id}/chat", status_code=201)
async def say(match_id: MatchPath, body: Say, person: Somebody, server: TheServer) -> dict[str, Any]:
    """Say something to the table, to one person at it, or, without a seat, to those who watch."""
    return await chatting.say(server, person, match_id, body)


@api.post("/matches/{match_id}/peace", status_code=201)
async def offer_peace(
    match_id: MatchPath, body: OfferPeace, person: Somebody, server: TheServer
) -> dict[str, Any]:
    """Offer somebody peace for some rounds, or make a counter-offer: a word that binds nobody."""
    return await peace.offer(server, person, match_id, body)


@api.post("/matches/{match_id}/peace/answer", status_code=201)
async def answer_peace(
    match_id: MatchPath, body: AnswerPeace, person: Somebody, server: TheServer
) -> dict[str, Any]:
    """Say yes or no to an offer of peace."""
    return await peace.answer(server, person, match_id, body)


@api.get("/matches/{match_id}/note")
async def read_note(match_id: MatchPath, person: Somebody, server: TheServer) -> Note:
    """My private note on a match."""

    def read() -> str:
        with server.store.read() as db:
            return records.read_note(db, match_id, person.id)

    return Note(text=await server.reading(read))


@api.put("/matches/{match_id}/note")
async def write_note(match_id: MatchPath, body: Note, person: Somebody, server: TheServer) -> Note:
    """Write my private note on a match."""
    server.limiter.take("chat", person.id)

    def write(db: Connection) -> None:
        if records.match_row(db, match_id) is None:
            raise errors.Unknown("there is no such match")
        records.write_note(db, match_id, person.id, body.text)

    await server.writing(write)
    return body


@api.websocket("/matches/{match_id}/socket")
async def watch(websocket: WebSocket, match_id: str) -> None:
    """What happens, as it happens; see docs/api.md."""
    server: Server = websocket.app.state.server
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
    await socket.serve(server, websocket, match_id, person)
