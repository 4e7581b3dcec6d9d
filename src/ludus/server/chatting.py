"""Chat: players to players, watchers to watchers, and one player to another."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection

from ludus.store import people, records
from ludus.store.people import Person
from ludus.store.rows import PAIR, ChatRow

from .errors import Forbidden, Unknown
from .models import Say
from .server import Server
from .standing import Standing
from .table import Table


@dataclass(frozen=True)
class NewLine:
    """A line that is to be said.  Where it is `about` something, that is made from the line's number.

    `check` refuses it in the transaction that writes it: another process may have been quicker.
    """

    room: str
    person_id: str | None  # None: a bot, or the house
    name: str
    text: str = ""
    to_id: str | None = None
    about: Callable[[int], dict[str, Any]] | None = None
    check: Callable[[Connection], None] | None = None


async def say(server: Server, person: Person, match_id: str, wish: Say) -> dict[str, Any]:
    """A line of chat; its number."""
    server.limiter.take("chat", person.id)
    said = " ".join("".join(c for c in wish.text if c.isprintable() or c == "\n").split())
    if not said:
        raise Forbidden("there is nothing to say")

    def line(standing: Standing) -> NewLine:
        if wish.to is None:
            room = "table" if standing.seats_of(person) else "gallery"
            return NewLine(room, person.id, person.name, said)
        seat, other = pair_of(standing, person, wish.seat, wish.to)
        about = {"seat": seat, "to": wish.to}
        return NewLine(PAIR, person.id, person.name, said, other, lambda _: about)

    return await server.to_the_end(_say_and_tell(server, match_id, line))


async def say_as_bot(server: Server, match_id: str, name: str, text: str, about: dict[str, Any]) -> None:
    """A line of a bot, for the players; `about` says the same for screens of other languages."""
    line = NewLine("table", None, name, text, about=lambda _: about)
    await server.to_the_end(_say_and_tell(server, match_id, lambda _: line))


def pair_of(standing: Standing, person: Person, seat: int | None, to: int) -> tuple[int, str]:
    """The seat for which somebody speaks, and the person at another seat to whom they speak alone."""
    mine = standing.seat_for(person, seat)
    if not 0 <= to < len(standing.seats):
        raise Unknown(f"there is no seat {to}")
    other = standing.seats[to]
    if other.kind != "person" or other.person_id is None or other.person_id == person.id:
        raise Forbidden(f"nobody else hears at seat {to}: one speaks alone to a person at another seat")
    return mine, other.person_id


async def _say_and_tell(server: Server, match_id: str, make: Callable[[Standing], NewLine]) -> dict[str, Any]:
    async with server.tables.held(match_id) as table:
        standing = await server.tables.catch_up(table)
        server.publisher.publish(table)
        line = await write(server, table, make(standing))
    return {"n": line.number}


async def write(server: Server, table: Table, new: NewLine) -> ChatRow:
    """Store a line and tell those who may read it.  Under the lock of the table."""
    line = await server.writing(lambda db: _write(db, server, table.id, new), table.id)
    if line.number == table.chat + 1:
        table.chat = line.number
        server.publisher.tell_chat(table, [line])
    else:
        await tell_missing_lines(server, table, line.number)
    return line


def _write(db: Connection, server: Server, match_id: str, new: NewLine) -> ChatRow:
    row = records.match_row(db, match_id, lock=True)
    if row is None:
        raise Unknown("there is no such match")
    if not people.are_known(db, [one for one in (new.person_id, new.to_id) if one is not None]):
        raise Forbidden("one of the two has been forgotten")  # their lines are gone: none may come after them
    if new.check is not None:
        new.check(db)
    number = row.chat + 1
    about = json.dumps(new.about(number)) if new.about is not None else ""
    now = time.time()
    line = ChatRow(match_id, number, new.room, new.person_id, new.name, new.text, now, new.to_id, about)
    records.add_chat(db, line)
    server.store.tell_others(db, server.origin, match_id)
    return line


async def tell_missing_lines(server: Server, table: Table, last: int | None = None) -> None:
    """Tell the viewers what was said elsewhere.  Under the lock of the table."""
    if last is None:
        last = table.standing.row.chat if table.standing is not None else 0
    if last <= table.chat:
        return
    since, table.chat = table.chat, last
    lines = await server.reading(_all_since, server, table.id, since)
    # What somebody said since `last` was looked up is told when it is heard of, and no second time.
    server.publisher.tell_chat(table, [line for line in lines if line.number <= last])


def _all_since(server: Server, match_id: str, since: int) -> list[ChatRow]:
    with server.store.read() as db:
        return records.all_chat_since(db, match_id, since)


def lines_for(server: Server, standing: Standing, person: Person | None, since: int) -> list[dict[str, Any]]:
    """What somebody may read."""
    with server.store.read() as db:
        rooms, reader = standing.rooms(person), person.id if person is not None else None
        return [line.told() for line in records.chat_since(db, standing.row.id, since, rooms, reader)]
