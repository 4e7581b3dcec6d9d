"""Chat: players to players, watchers to watchers."""

from __future__ import annotations

import time
from typing import Any

from sqlalchemy import Connection

from ludus.store import records
from ludus.store.people import Person

from .errors import Forbidden, Unknown
from .house import House
from .table import Table


async def say(house: House, person: Person, match_id: str, text: str) -> dict[str, Any]:
    """A line of chat; its number."""
    house.limiter.take("chat", person.id)
    said = " ".join("".join(c for c in text if c.isprintable() or c == "\n").split())
    if not said:
        raise Forbidden("there is nothing to say")
    return await house.to_the_end(_say_and_tell(house, person, match_id, said))


async def _say_and_tell(house: House, person: Person, match_id: str, text: str) -> dict[str, Any]:
    async with house.tables.held(match_id) as table:
        standing = await house.tables.catch_up(table)
        house.publisher.publish(table)
        room = "table" if standing.seats_of(person) else "gallery"
        line = await house.writing(lambda db: _say(db, house, match_id, room, person, text), match_id)
        if line["n"] == table.chat + 1:
            table.chat = line["n"]
            house.publisher.tell_chat(table, [line])
        else:
            await tell_missing_lines(house, table, line["n"])
    return {"n": line["n"]}


def _say(db: Connection, house: House, match_id: str, room: str, person: Person, text: str) -> dict[str, Any]:
    now = time.time()
    row = records.match_row(db, match_id, lock=True)
    if row is None:
        raise Unknown("there is no such match")
    number = row.chat + 1
    records.add_chat(db, match_id, number, room, person.id, person.name, text, now)
    house.store.tell_others(db, house.origin, match_id)
    return {"n": number, "room": room, "name": person.name, "text": text, "at": now}


async def tell_missing_lines(house: House, table: Table, last: int | None = None) -> None:
    """Tell the viewers what was said elsewhere.  Under the lock of the table."""
    if last is None:
        last = table.standing.row.chat if table.standing is not None else 0
    if last <= table.chat:
        return
    since, table.chat = table.chat, last
    house.publisher.tell_chat(table, await house.reading(lines_since, house, table.id, since))


def lines_since(
    house: House, match_id: str, since: int, rooms: list[str] | None = None
) -> list[dict[str, Any]]:
    with house.store.read() as db:
        return records.chat_since(db, match_id, since, rooms or ["table", "gallery"])
