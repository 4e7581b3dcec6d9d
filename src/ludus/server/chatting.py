"""Chat: players to players, watchers to watchers."""

from __future__ import annotations

import time
from typing import Any

from sqlalchemy import Connection

from ludus.store import records
from ludus.store.people import Person

from .errors import Forbidden, Unknown
from .server import Server
from .table import Table


async def say(server: Server, person: Person, match_id: str, text: str) -> dict[str, Any]:
    """A line of chat; its number."""
    server.limiter.take("chat", person.id)
    said = " ".join("".join(c for c in text if c.isprintable() or c == "\n").split())
    if not said:
        raise Forbidden("there is nothing to say")
    return await server.to_the_end(_say_and_tell(server, person, match_id, said))


async def _say_and_tell(server: Server, person: Person, match_id: str, text: str) -> dict[str, Any]:
    async with server.tables.held(match_id) as table:
        standing = await server.tables.catch_up(table)
        server.publisher.publish(table)
        room = "table" if standing.seats_of(person) else "gallery"
        line = await server.writing(lambda db: _say(db, server, match_id, room, person, text), match_id)
        if line["n"] == table.chat + 1:
            table.chat = line["n"]
            server.publisher.tell_chat(table, [line])
        else:
            await tell_missing_lines(server, table, line["n"])
    return {"n": line["n"]}


def _say(
    db: Connection, server: Server, match_id: str, room: str, person: Person, text: str
) -> dict[str, Any]:
    now = time.time()
    row = records.match_row(db, match_id, lock=True)
    if row is None:
        raise Unknown("there is no such match")
    number = row.chat + 1
    records.add_chat(db, match_id, number, room, person.id, person.name, text, now)
    server.store.tell_others(db, server.origin, match_id)
    return {"n": number, "room": room, "name": person.name, "text": text, "at": now}


async def tell_missing_lines(server: Server, table: Table, last: int | None = None) -> None:
    """Tell the viewers what was said elsewhere.  Under the lock of the table."""
    if last is None:
        last = table.standing.row.chat if table.standing is not None else 0
    if last <= table.chat:
        return
    since, table.chat = table.chat, last
    server.publisher.tell_chat(table, await server.reading(lines_since, server, table.id, since))


def lines_since(
    server: Server, match_id: str, since: int, rooms: list[str] | None = None
) -> list[dict[str, Any]]:
    with server.store.read() as db:
        return records.chat_since(db, match_id, since, rooms or ["table", "gallery"])
