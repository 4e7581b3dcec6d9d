"""Before and after play: making a match, sitting down, getting up, playing again."""

from __future__ import annotations

import json
import secrets
import string
import time
from itertools import count
from typing import Any

from sqlalchemy import Connection

from ludus.core.title import Title
from ludus.match import fairness
from ludus.match.match import NotAllowed
from ludus.store import people, records
from ludus.store.names import clean_name
from ludus.store.people import NameTaken, Person
from ludus.store.rows import MatchRow, SeatRow
from ludus.store.writes import Write

from . import changing, clocks, positions, rated, thinking, watching
from .bots import bot_names, default_bot, name_at_table
from .change import Change, new_nonce
from .errors import Forbidden, Invalid, Unknown
from .limiter import AT_ONCE, TooMany
from .models import ClockWish, GiveNonce, Join, NewMatch, SeatWish
from .server import Server, title_of
from .standing import Standing

LETTERS = string.ascii_letters + string.digits


def new_id() -> str:
    """Nobody can guess it: who has it was given the link."""
    # Letters and digits only: an id that began with a dash would read as an option on the command line.
    return "".join(secrets.choice(LETTERS) for _ in range(18))


async def create(server: Server, person: Person, wish: NewMatch, address: str) -> str:
    """A new match; its id.  It begins at once if nobody has to come."""
    title = title_of(wish.title)
    wishes = wish.seats or _default_seats(title)
    number, options = title.read_setting(len(wishes), wish.options)
    if wish.rated:
        rated.check_wish(person, wish, wishes)
    start = await positions.start_of(server, person, title, wish.start, number, options) if wish.start else ""
    _check_wishes(title.name, wishes)
    clock = _clock(wish.clock)
    server.limiter.take("match", person.id)
    server.limiter.take("match_address", address)
    values = _match_values(person, title, number, options, clock)
    values.update(public=wish.public, client=wish.client, start=start, hints=wish.hints)
    values["rated"] = rated.LOT if wish.rated else ""
    values["same_screen"] = all(w.kind in ("me", "screen") for w in wishes)
    default = default_bot(title.name)
    wishes = [w.model_copy(update={"bot": w.bot or default}) if w.kind == "bot" else w for w in wishes]
    names = await _names(server, person, wishes)
    seats = [_seat_values(k, w, person, wish.own_nonce, names[k]) for k, w in enumerate(wishes)]
    await _note_strength(server, person, values, seats)
    return await _make(server, person, values, seats)


async def _note_strength(
    server: Server, person: Person, values: dict[str, Any], seats: list[dict[str, Any]]
) -> None:
    """In a rated match the seats say how strong those are who sit there."""
    told = await rated.strength_json(server, person, values["title"]) if values["rated"] else ""
    for seat in seats:
        seat["strength"] = told if seat["kind"] == "person" else ""


def _default_seats(title: Title[Any, Any]) -> list[SeatWish]:
    return [SeatWish(kind="me")] + [SeatWish(kind="open")] * (min(title.seats) - 1)


def _check_wishes(title: str, wishes: list[SeatWish]) -> None:
    kinds = [w.kind for w in wishes]
    if kinds.count("me") > 1:
        raise Invalid("you have one seat; others on your screen are of kind 'screen'")
    if all(kind == "bot" for kind in kinds):
        raise Invalid("at least one seat must be for a person")
    if "screen" in kinds and "me" not in kinds:
        raise Invalid("seats on your screen need one of kind 'me' beside them")
    bots = bot_names(title)
    for wish in wishes:
        if wish.kind == "bot" and wish.bot is not None and wish.bot not in bots:
            raise Invalid(f"there is no bot {wish.bot!r:.40}; there are: {', '.join(bots)}")


def _clock(wish: ClockWish) -> clocks.Clock:
    if wish.kind == "none":
        return clocks.Clock()
    if wish.seconds < 5:
        raise Invalid("a clock gives at least 5 seconds")
    return clocks.Clock(wish.kind, float(wish.seconds), float(wish.increment))


def _match_values(
    person: Person, title: Title[Any, Any], seats: int, options: dict[str, Any], clock: clocks.Clock
) -> dict[str, Any]:
    now = time.time()
    return {
        "id": new_id(),
        "incarnation": secrets.token_hex(8),
        "revision": 1,
        "title": title.name,
        "rules_version": title.version,
        "options": json.dumps(options),
        "seats": seats,
        "names": "[]",
        "box_hash": "",
        "state": "waiting",
        "creator_id": person.id,
        "client": None,
        "secret": fairness.new_key().hex(),
        "clock": json.dumps(vars(clock)),
        "clock_state": json.dumps(clocks.begin(clock, seats).json()),
        "deadline": None,
        "bot_due": None,
        "to_move": -1,
        "entries": 0,
        "chat": 0,
        "hash": "",
        "result": "",
        "ending": "",
        "again_id": None,
        "created": now,
        "updated": now,
        "score": "",
        "start": "",
        "hints": False,
        "rated": "",
    }


async def _names(server: Server, person: Person, wishes: list[SeatWish]) -> list[str]:
    """What the seats are called; NameTaken when one on the screen would pass for somebody else."""
    found: list[str] = []
    for seat, wish in enumerate(wishes):
        if wish.kind == "bot":
            found.append(name_at_table(wish.bot or "", found))
        elif wish.kind == "screen":
            found.append(await server.reading(_screen_name, server, person, seat, wish.name))
        else:
            found.append(person.name if wish.kind == "me" else "")
    return found


def _screen_name(server: Server, person: Person, seat: int, wanted: str | None) -> str:
    with server.store.read() as db:
        return _name_on_screen(db, person, seat, wanted)


def _name_on_screen(db: Connection, person: Person, seat: int, wanted: str | None) -> str:
    if wanted:
        name = clean_name(wanted, screen=True)
        if people.account_called(db, name, but=person.id):
            raise NameTaken(f"{name!r} is the name of somebody's account; a seat of yours needs another")
        return name
    made = (f"{person.name[:34]} {number}" for number in count(seat + 1))
    return next(name for name in made if not people.account_called(db, name, but=person.id))


def _seat_values(seat: int, wish: SeatWish, person: Person, own_nonce: bool, name: str) -> dict[str, Any]:
    mine = wish.kind in ("me", "screen")
    return {
        "seat": seat,
        "kind": "person" if mine else wish.kind,
        "person_id": person.id if mine else None,
        "former_id": None,
        "bot": wish.bot if wish.kind == "bot" else "",
        "name": name,
        "invite": secrets.token_urlsafe(12) if wish.kind == "link" else "",
        "nonce": new_nonce() if wish.kind == "bot" or (mine and not own_nonce) else "",
    }


async def _make(
    server: Server,
    person: Person,
    values: dict[str, Any],
    seats: list[dict[str, Any]],
    after: str | None = None,
) -> str:
    """Store a new match, and begin it if every seat is taken.  `after` is the match it follows."""
    match_id = str(values["id"])
    # To begin takes a while; to wait for somebody does not.
    begins = all(seat["kind"] in ("person", "bot") and seat["nonce"] for seat in seats)
    first, begun, standing = (
        await server.reading(_first_state, server, values, seats)
        if begins
        else _first_state(server, values, seats)
    )

    def store(db: Connection) -> str:
        earlier = _made_before(db, person, values["client"], after)
        if earlier is not None:
            return earlier
        if server.limiter.on and records.waiting_of(db, person.id) >= AT_ONCE["waiting"]:
            raise TooMany("waiting", 60.0)
        records.add_match(db, first, seats)
        records.append(db, match_id, begun.entries, None, begun.made)
        records.remember_seats(db, match_id, begun.sat)
        if after is not None:
            row = records.match_row(db, after)
            assert row is not None
            records.change(db, after, again_id=match_id, revision=row.revision + 1)
            server.store.tell_others(db, server.origin, after)
        return match_id

    made = await server.writing(store)
    if made == match_id:
        thinking.wake_bots(server, await server.tables.open(match_id, standing))
    if after is not None:
        await watching.hear(server, after)
    return made


def _first_state(
    server: Server, values: dict[str, Any], seats: list[dict[str, Any]]
) -> tuple[dict[str, Any], Write, Standing]:
    """The columns of a new match, what is written beside, and where it stands then: it begins at once if
    nobody has to come."""
    rows = [SeatRow(match_id=values["id"], **seat) for seat in seats]
    standing = Standing(MatchRow(**values), rows, None)
    form = server.forms.of(values["title"])
    change = Change(standing, server.time, server.settings.bot_seconds, form)
    change.begin_if_full()
    write, standing = change.finish(server.origin, None)
    return {**values, **write.values}, write, standing


def _made_before(db: Connection, person: Person, client: str | None, after: str | None) -> str | None:
    if after is not None:
        row = records.match_row(db, after, lock=True)
        made = str(row.again_id) if row is not None and row.again_id else None
        return made if made and records.match_row(db, made) is not None else None  # all may have left it
    return records.made_by_command(db, person.id, client) if client else None


# -- sitting down and getting up ------------------------------------------------------------------------


async def join(server: Server, person: Person, match_id: str, wish: Join) -> None:
    """Take a free seat; who sits already stays where they are."""
    _, standing = await server.now(match_id)
    told = await rated.strength_json(server, person, standing.row.title) if standing.row.rated else ""

    def work(change: Change) -> None:
        if change.table.seats_of(person):
            return
        if change.table.row.state != "waiting":
            raise NotAllowed("the match has begun; free seats are claimed by a command")
        if change.table.row.rated:
            rated.require_account(person)
        seat = _seat_to_take(change, person, wish)
        nonce = (wish.nonce or new_nonce()).lower()
        who = {"person_id": person.id, "name": person.name, "strength": told}
        change.seat(seat, kind="person", nonce=nonce, **who)
        change.begin_if_full()

    await changing.change(server, match_id, work, aside=True)


def _seat_to_take(change: Change, person: Person, wish: Join) -> int:
    seats = change.seats
    if wish.invite is not None:
        for s in seats:
            if s.kind == "link" and s.invite and secrets.compare_digest(s.invite, wish.invite):
                return int(s.seat)
        raise Forbidden("this invitation is not good, or was used already")

    def may(s: SeatRow) -> bool:
        return bool(s.kind == "open" or (s.kind == "held" and s.person_id == person.id))

    if wish.seat is not None:
        if not 0 <= wish.seat < len(seats):
            raise Unknown(f"there is no seat {wish.seat}")
        if not may(seats[wish.seat]):
            raise Forbidden(f"seat {wish.seat} is not free for you")
        return wish.seat
    free = sorted((s for s in seats if may(s)), key=lambda s: s.kind != "held")
    if not free:
        raise NotAllowed("there is no free seat")
    return int(free[0].seat)


async def give_nonce(server: Server, person: Person, match_id: str, given: GiveNonce) -> None:
    """The creator's part of the dice, after seeing the commitment."""

    def work(change: Change) -> None:
        seat = change.table.seat_for(person, given.seat)
        if change.table.row.state != "waiting" or change.seats[seat].nonce:
            raise NotAllowed("the nonce of this seat has been given")
        change.seat(seat, nonce=given.nonce.lower())
        change.begin_if_full()

    await changing.change(server, match_id, work, aside=True)


async def leave(server: Server, person: Person, match_id: str) -> bool:
    """Get up before play begins; a match without people is gone.  True when it is."""

    def work(change: Change) -> bool:
        if change.table.row.state != "waiting":
            raise NotAllowed("the match has begun; leave by a command, or resign")
        mine = [s for s in change.seats if s.person_id == person.id]
        if not mine and change.table.row.creator_id != person.id:
            raise Forbidden("you have no seat in this match")
        for s in mine:
            kind = "link" if s.invite else "open"
            change.seat(s.seat, kind=kind, person_id=None, name="", nonce="", strength="")
        return not any(s.kind == "person" for s in change.seats)

    done = await changing.change(server, match_id, work, aside=True)
    if done.value:
        await server.writing(lambda db: _delete(db, server, match_id))
        await watching.hear(server, match_id)
    return bool(done.value)


def _delete(db: Connection, server: Server, match_id: str) -> None:
    row = records.match_row(db, match_id, lock=True)
    seats = records.seat_rows(db, match_id)
    if row is not None and row.state == "waiting" and not any(s.kind == "person" for s in seats):
        records.delete_match(db, match_id)
        server.store.tell_others(db, server.origin, match_id)


async def play_again(server: Server, person: Person, match_id: str) -> str:
    """The same match once more, everybody one seat further; who asks second joins the first."""
    _, standing = await server.now(match_id)
    if not standing.seats_of(person) and not standing.resigned_by(person):
        raise Forbidden("you had no seat in this match")
    if standing.row.state not in ("over", "closed"):
        raise NotAllowed("the match is not over")
    row, old = standing.row, await server.reading(_as_they_sat, server, standing)
    title = title_of(row.title)
    number, options = title.read_setting(row.seats, json.loads(row.options))
    clock = clocks.Clock(**json.loads(row.clock))
    values = _match_values(person, title, number, options, clock)
    values.update(public=bool(row.public), same_screen=bool(row.same_screen))
    values.update(start=row.start, hints=bool(row.hints), rated=rated.RETURN if row.rated else "")
    seats = [_seat_again(k, old[(k + 1) % number], person) for k in range(number)]
    await _note_strength(server, person, values, seats)
    server.limiter.take("match", person.id)
    made = await _make(server, person, values, seats, after=match_id)
    _, standing = await server.now(made)
    if any(s.kind == "held" and s.person_id == person.id for s in standing.seats):
        await join(server, person, made, Join())
    return made


def _as_they_sat(server: Server, standing: Standing) -> list[SeatRow]:
    """The seats at the end, but those who resigned sit there again instead of the bots that played on."""
    assert standing.match is not None
    found = []
    with server.store.read() as db:
        for s, status in zip(standing.seats, standing.match.status, strict=True):
            went = s.former_id if s.kind == "bot" and status == "resigned" else None
            former = people.find(db, went) if went else None
            if former is not None and former.id == went:
                s = s._replace(kind="person", bot="", person_id=former.id, name=former.name)
            found.append(s)
    return found


def _seat_again(seat: int, old: SeatRow, person: Person) -> dict[str, Any]:
    mine = old.person_id == person.id
    waits = old.kind == "person" and old.person_id and not mine
    kind = "bot" if old.kind == "bot" else "person" if mine else "held" if waits else "open"
    return {
        "seat": seat,
        "kind": kind,
        "person_id": old.person_id,
        "former_id": None,
        "bot": old.bot,
        "name": old.name if kind != "open" else "",
        "invite": "",
        "nonce": new_nonce() if kind in ("bot", "person") else "",
    }
