"""What runs beside requests: clocks, overdue bots, news from other processes, and keeping tidy."""

from __future__ import annotations

import asyncio
import gc
import time
from collections.abc import Awaitable, Callable

from sqlalchemy import Connection, select

from ludus.store import StoreDown, people, records, schema
from ludus.store.store import CHANNEL

from . import changing, logs, thinking, watching
from .clocks import HouseTime
from .house import House

TICK = 0.5
POLL_SQLITE = 0.25
TIDY = 10.0
BEAT = 2.0
OUTAGE = 8.0  # no beat of any process for so long: nobody could play
HOUR = 3600.0
JUMP = 0.5  # the wall clock was put forward or back by more than this
LOOK_AROUND = 15.0  # PostgreSQL: in case a notice was lost


def start(house: House) -> None:
    house.bots.start()
    house.spawn(_clocks_forever(house))
    house.spawn(_forever(house, _tidy, HOUR))
    house.spawn(_forever(house, _bots, TICK * 2))
    house.spawn(_forever(house, House.close_dead_sessions, TIDY))
    if house.store.sqlite:
        house.spawn(_forever(house, _Polling().look, POLL_SQLITE))
    else:
        house.spawn(_listen_forever(house))
        house.spawn(_forever(house, watching.hear_all, LOOK_AROUND))
    house.spawn(_wake_all(house))


async def _forever(house: House, work: Callable[[House], Awaitable[None]], seconds: float) -> None:
    """Again and again; a database that is gone is waited for, a fault is noted and does not end it."""
    while True:
        try:
            await work(house)
        except StoreDown as error:
            house.metrics.count("store_errors")
            logs.store_down(error)
            await asyncio.sleep(1.0)
        except Exception as error:
            house.metrics.count("failures")
            logs.failure("fault", error)
            await asyncio.sleep(1.0)
        await asyncio.sleep(seconds)


async def _clocks_forever(house: House) -> None:
    """Clocks stand still while nobody can play: first the beat, which notices that, then the time-outs."""
    beaten = 0.0

    async def look(_house: House) -> None:
        nonlocal beaten
        if time.monotonic() - beaten >= BEAT:
            for match_id in await house.writing(lambda db: beat(db, house.settings.grace, house.time)):
                await watching.hear(house, match_id)
            house.health.beat()
            beaten = time.monotonic()
        due = await house.reading(_due, house, "deadline", house.time.now())
        await asyncio.gather(*(changing.time_out(house, match_id) for match_id in due))  # side by side

    await _forever(house, look, TICK)


def beat(db: Connection, grace: float, time_of_house: HouseTime) -> list[str]:
    """Say that the house is open.  After an outage, give everybody the lost time back, once.

    A wall clock that was put forward while the house was closed looks like an outage: it costs nobody
    anything.
    """
    noted = select(schema.house).where(schema.house.c.key.in_(("beat", "ahead"))).with_for_update()
    known = {row.key: float(row.value) for row in db.execute(noted)}
    last = known.get("beat", time_of_house.now())
    time_of_house.catch_up(last)
    now, ahead = time_of_house.now(), time_of_house.ahead
    _remember(db, "beat", now, "beat" in known)
    if abs(known.get("ahead", 0.0) - ahead) > JUMP:
        _remember(db, "ahead", ahead, "ahead" in known)
    gap = now - last
    return records.shift_clocks(db, gap + grace, now) if gap > OUTAGE else []


def _remember(db: Connection, key: str, value: float, known: bool) -> None:
    house = schema.house
    change = house.update().where(house.c.key == key) if known else house.insert().values(key=key)
    db.execute(change.values(value=repr(value)))


async def _tidy(house: House) -> None:
    gc.collect()
    await house.writing(lambda db: people.tidy(db, time.time()))
    await house.reading(house.store.wash)


async def _bots(house: House) -> None:
    for match_id in await house.reading(_due, house, "bot_due", time.time()):
        await thinking.wake(house, match_id)


async def _wake_all(house: House) -> None:
    """After a start: bots that were thinking when the last process ended think again at once."""
    while True:
        try:
            for match_id in await house.reading(_due, house, "bot_due", time.time() + 1e6):
                await thinking.wake(house, match_id)
            return
        except StoreDown:
            await asyncio.sleep(1.0)


def _due(house: House, column: str, before: float) -> list[str]:
    with house.store.read() as db:
        return records.due(db, column, before)


class _Polling:
    """SQLite tells cheaply whether another process has written."""

    def __init__(self) -> None:
        self._last = -1

    async def look(self, house: House) -> None:
        now = await house.writing(house.store.foreign_writes)
        if now != self._last:
            await watching.hear_all(house)
            self._last = now


async def _listen_forever(house: House) -> None:
    while True:
        try:
            await _listen(house)
        except asyncio.CancelledError:
            raise
        except Exception:  # whatever the driver says, the answer is to connect again
            house.metrics.count("store_errors")
        await asyncio.sleep(0.5)


async def _listen(house: House) -> None:
    import psycopg

    url = house.store.url.set(drivername="postgresql").render_as_string(hide_password=False)
    async with await psycopg.AsyncConnection.connect(url, autocommit=True, connect_timeout=3) as connection:
        await connection.execute(f"LISTEN {CHANNEL}")
        await watching.hear_all(house)  # what happened while nobody listened
        async for notice in connection.notifies():
            origin, _, match_id = notice.payload.partition(" ")
            if match_id == "*":
                house.spawn(watching.hear_all(house))
            elif origin != house.origin:
                house.spawn(watching.hear(house, match_id))
