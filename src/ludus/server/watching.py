"""Viewers come, look and go; and what other processes did is heard of."""

from __future__ import annotations

from ludus.core.errors import LudusError
from ludus.store import StoreDown, records
from ludus.store.writes import News

from .chatting import tell_missing_lines
from .errors import Unknown
from .server import Server
from .table import Table
from .viewer import Viewer


async def watch(server: Server, viewer: Viewer, match_id: str, seat: int | None, since: int | None) -> None:
    """A viewer comes, or comes back, and gets what it has missed."""
    async with server.tables.held(match_id) as table:
        standing = await server.tables.catch_up(table)
        server.publisher.publish(table)
        viewer.eye = standing.eye_of(viewer.person, seat)
        if not table.viewers:
            table.chat = standing.row.chat
        table.viewers.add(viewer)
    if table.is_watched:
        for listen in server.after_change:
            listen(table)
    await _bring_up_to_date(server, table, viewer, since)
    server.publisher.announce(table, viewer)


async def look(server: Server, viewer: Viewer, match_id: str, seat: int | None, since: int | None) -> None:
    """A viewer looks through another eye, or asks again for what it has missed."""
    table, standing = await server.now(match_id)
    eye = standing.eye_of(viewer.person, seat)
    changed, viewer.eye = eye != viewer.eye, eye
    await _bring_up_to_date(server, table, viewer, None if changed else since)


async def _bring_up_to_date(server: Server, table: Table, viewer: Viewer, since: int | None) -> None:
    await server.publisher.catch_up(table, viewer, since)
    server.publisher.publish(table)  # what happened while its story was made


def unwatch(server: Server, viewer: Viewer, match_id: str) -> None:
    table = server.tables.known(match_id)
    if table is not None and viewer in table.viewers:
        table.viewers.discard(viewer)
        server.publisher.announce(table)


async def hear(server: Server, match_id: str, news: News | None = None) -> None:
    """Somebody else has changed a match at which people look here; `news` where they say what."""
    table = server.tables.known(match_id)
    if table is None or not table.viewers:
        return
    try:
        async with server.tables.held(match_id) as table:
            before = table.standing
            if news is not None and server.tables.follow(table, news):
                server.publisher.publish(table, before)
            else:
                await server.tables.catch_up(table)
                server.publisher.publish(table)
            await tell_missing_lines(server, table)
    except Unknown:
        for viewer in list(table.viewers):
            viewer.close(4404, "the match is gone")
    except StoreDown:
        server.metrics.count("store_errors")  # it is heard of again when the database is back
    except LudusError as error:
        server.note_stuck(match_id, error)


async def hear_all(server: Server) -> None:
    """Something has changed somewhere: look which of the watched matches it was."""
    known = {table.id: table for table in server.tables.watched()}
    if not known:
        return

    def read() -> dict[str, tuple[str, int, int, int]]:
        with server.store.read() as db:
            return records.revisions(db, list(known))

    found = await server.reading(read)
    for match_id, table in known.items():
        if not _knows(table, found.get(match_id)):
            await hear(server, match_id)


def _knows(table: Table, found: tuple[str, int, int, int] | None) -> bool:
    """Whether a table stands where the store was found to stand, or further on: meanwhile people have played
    here."""
    if table.standing is None or found is None:
        return False
    row, (incarnation, revision, _, chat) = table.standing.row, found
    return row.incarnation == incarnation and row.revision >= revision and table.chat >= chat
