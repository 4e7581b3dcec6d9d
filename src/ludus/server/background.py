"""What runs beside requests: clocks, overdue bots, news from other processes, and keeping tidy."""

from __future__ import annotations

import asyncio
import gc
import time
from collections.abc import Awaitable, Callable
from contextlib import suppress

from sqlalchemy import Connection, select

from ludus.core.errors import LudusError
from ludus.store import StoreDown, people, records, schema
from ludus.store.store import CHANNEL
from ludus.store.writes import read_news

from . import changing, commands, logs, thinking, watching
from .clocks import ServerTime
from .server import Server

TICK = 0.5
POLL_SQLITE = 0.25
TIDY = 10.0
BEAT = 2.0
OUTAGE = 8.0  # no beat of any process for so long: nobody could play
HOUR = 3600.0
UNWATCHED = HOUR  # so long may who has resigned be away from bots that play on for them
JUMP = 0.5  # the wall clock was put forward or back by more than this
LOOK_AROUND = 15.0  # PostgreSQL: in case a notice was lost


def start(server: Server) -> None:
    server.bots.start()
    server.analysts.start()
    server.spawn(_clocks_forever(server))
    server.spawn(_forever(server, _tidy, HOUR))
    server.spawn(_forever(server, _bots, TICK * 2))
    server.spawn(_forever(server, Server.close_dead_sessions, TIDY))
    if server.store.sqlite:
        server.spawn(_forever(server, _Polling().look, POLL_SQLITE))
    else:
        server.spawn(_listen_forever(server))
        server.spawn(_forever(server, watching.hear_all, LOOK_AROUND))
    server.spawn(_wake_all(server))


async def _forever(server: Server, work: Callable[[Server], Awaitable[None]], seconds: float) -> None:
    """Again and again; a database that is gone is waited for, a fault is noted and does not end it."""
    while True:
        try:
            await work(server)
        except StoreDown as error:
            server.metrics.count("store_errors")
            logs.store_down(error)
            await asyncio.sleep(1.0)
        except Exception as error:
            server.metrics.count("failures")
            logs.failure("fault", error)
            await asyncio.sleep(1.0)
        await asyncio.sleep(seconds)


async def _clocks_forever(server: Server) -> None:
    """Clocks stand still while nobody can play: first the beat, which notices that, then the time-outs."""
    beaten = 0.0

    async def look(_house: Server) -> None:
        nonlocal beaten
        if time.monotonic() - beaten >= BEAT:
            for match_id in await server.writing(lambda db: beat(db, server.settings.grace, server.time)):
                await watching.hear(server, match_id)
            server.health.beat()
            beaten = time.monotonic()
        due = await server.reading(_due, server, "deadline", server.time.now())
        await asyncio.gather(*(changing.time_out(server, match_id) for match_id in due))  # side by side

    await _forever(server, look, TICK)


def beat(db: Connection, grace: float, server_time: ServerTime) -> list[str]:
    """Say that the server is open.  After an outage, give everybody the lost time back, once.

    A wall clock that was put forward while the server was closed looks like an outage: it costs nobody
    anything.
    """
    noted = (
        select(schema.installation).where(schema.installation.c.key.in_(("beat", "ahead"))).with_for_update()
    )
    known = {row.key: float(row.value) for row in db.execute(noted)}
    last = known.get("beat", server_time.now())
    server_time.catch_up(last)
    now, ahead = server_time.now(), server_time.ahead
    _remember(db, "beat", now, "beat" in known)
    if abs(known.get("ahead", 0.0) - ahead) > JUMP:
        _remember(db, "ahead", ahead, "ahead" in known)
    gap = now - last
    return records.shift_clocks(db, gap + grace, now) if gap > OUTAGE else []


def _remember(db: Connection, key: str, value: float, known: bool) -> None:
    server = schema.installation
    change = server.update().where(server.c.key == key) if known else server.insert().values(key=key)
    db.execute(change.values(value=repr(value)))


async def _tidy(server: Server) -> None:
    for match_id in await server.reading(_between_bots, server, time.time() - UNWATCHED):
        with suppress(LudusError):
            await changing.change(server, match_id, commands.end_between_bots)
    gc.collect()
    await server.writing(lambda db: people.tidy(db, time.time()))
    await server.reading(server.store.wash)


async def _bots(server: Server) -> None:
    for match_id in await server.reading(_due, server, "bot_due", time.time()):
        await thinking.wake(server, match_id)


async def _wake_all(server: Server) -> None:
    """After a start: bots that were thinking when the last process ended think again at once."""
    while True:
        try:
            for match_id in await server.reading(_due, server, "bot_due", time.time() + 1e6):
                await thinking.wake(server, match_id)
            return
        except StoreDown:
            await asyncio.sleep(1.0)


def _between_bots(server: Server, before: float) -> list[str]:
    with server.store.read() as db:
        return records.between_bots(db, before)


def _due(server: Server, column: str, before: float) -> list[str]:
    with server.store.read() as db:
        return records.due(db, column, before)


class _Polling:
    """SQLite tells cheaply whether another process has written."""

    def __init__(self) -> None:
        self._last = -1

    async def look(self, server: Server) -> None:
        now = await server.writing(server.store.foreign_writes)
        if now != self._last:
            await watching.hear_all(server)
            self._last = now


async def _listen_forever(server: Server) -> None:
    while True:
        try:
            await _listen(server)
        except asyncio.CancelledError:
            raise
        except Exception:  # whatever the driver says, the answer is to connect again
            server.metrics.count("store_errors")
        await asyncio.sleep(0.5)


async def _listen(server: Server) -> None:
    import psycopg

    url = server.store.url.set(drivername="postgresql").render_as_string(hide_password=False)
    async with await psycopg.AsyncConnection.connect(url, autocommit=True, connect_timeout=3) as connection:
        await connection.execute(f"LISTEN {CHANNEL}")
        await watching.hear_all(server)  # what happened while nobody listened
        async for notice in connection.notifies():
            origin, match_id, *news = notice.payload.split(" ", 2)
            if match_id == "*":
                server.spawn(watching.hear_all(server))
            elif origin != server.origin and server.tables.known(match_id) is not None:
                server.spawn(watching.hear(server, match_id, read_news(news[0] if news else "")))
