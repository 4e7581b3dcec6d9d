"""The server: what one server process has, and what runs in it.

What happens in it stands in modules of their own: `changing` (think out, commit, then tell), `watching`,
`questions`, `thinking` (bots), `chatting`, `lobby`; `background` runs beside them.
"""

from __future__ import annotations

import asyncio
import secrets
import time
from collections.abc import Callable, Coroutine
from concurrent.futures import ThreadPoolExecutor
from typing import Any, ParamSpec, TypeVar

from sqlalchemy import Connection

from ludus import titles as registry
from ludus.core.errors import LudusError
from ludus.core.title import Title
from ludus.store import Store, people
from ludus.store.people import Person
from ludus.store.writes import Write

from . import logs
from .analysing import Analysts
from .bots import BotPool
from .clocks import ServerTime
from .errors import Forbidden, NoIdentity, Unknown
from .health import Health
from .limiter import Limiter
from .metrics import Metrics
from .publishing import Publisher
from .rules_form import Forms
from .settings import Settings
from .standing import Standing
from .stories import Stories
from .table import Table
from .tables import Tables
from .writer import Writer

P = ParamSpec("P")
T = TypeVar("T")
READERS = 6


class Server:
    def __init__(self, settings: Settings, store: Store, server_time: ServerTime | None = None) -> None:
        self.settings, self.store = settings, store
        self.limiter, self.metrics, self.health = Limiter(settings.limits), Metrics(), Health()
        self.bots = BotPool(settings.bot_workers, settings.bot_seconds, settings.bot_think)
        self.analysts = Analysts(self, settings.analysts)
        self.explored: dict[str, tuple[float, dict[str, Any]]] = {}  # by title: when, and what was found
        self.forms = Forms(settings.form, bool(settings.analysts))
        self.origin = secrets.token_hex(4)  # the name of this process to the others
        self.began = time.monotonic()
        self.time = server_time or ServerTime()
        self.time.join(float(store.remembered("ahead", "0.0")))
        self.stories = Stories(self.limiter)
        self.publisher = Publisher(self.metrics, self.stories)
        self.tables = Tables(store, self.forms, self.reading, settings.tables, self.time)
        self.after_change: list[Callable[[Table], None]] = []  # who wants to hear of every change made here
        self._writer = Writer(store)
        self._readers = ThreadPoolExecutor(READERS, "read")
        self._tasks: set[asyncio.Task[Any]] = set()
        self._changing: set[asyncio.Task[Any]] = set()
        self._warned: dict[str, float] = {}

    # -- running ---------------------------------------------------------------------------------------

    def spawn(self, work: Coroutine[Any, Any, None]) -> None:
        """Run something beside the rest; its faults are noted, never lost."""
        task = asyncio.ensure_future(work)
        self._tasks.add(task)
        task.add_done_callback(self._ended)

    def _ended(self, task: asyncio.Task[Any]) -> None:
        self._tasks.discard(task)
        if not task.cancelled() and (error := task.exception()) is not None:
            self.metrics.count("failures")
            logs.failure("fault", error)

    async def to_the_end(self, work: Coroutine[Any, Any, T]) -> T:
        """Run something that goes on to its end even if whoever asked for it goes away."""
        if asyncio.current_task() in self._changing:
            return await work  # whoever asked is such work itself
        task = asyncio.create_task(work)
        self._changing.add(task)
        task.add_done_callback(self._changing.discard)
        return await asyncio.shield(task)

    async def close(self) -> None:
        for table in self.tables.watched():
            for viewer in list(table.viewers):
                viewer.close(1012, "the server is restarting; come back")
        for task in list(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, *self._changing, return_exceptions=True)
        await self.bots.close()
        await self.analysts.close()
        self._writer.close()
        self.stories.close()
        self._readers.shutdown(wait=True)

    async def reading(self, work: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        """Run something that reads the store, or takes a while, outside the event loop."""
        return await asyncio.wrap_future(self._readers.submit(work, *args, **kwargs))

    async def writing(self, work: Callable[[Connection], T], order: str = "") -> T:
        """Run work in a transaction outside the event loop; its value after the commit."""
        with self.health.watching():
            return await self._writer.run(work, order)

    async def write(self, change: Write) -> None:
        """Write a change of a match; `Moved` when somebody else was quicker."""
        with self.health.watching():
            await self._writer.write(change)

    # -- where matches stand -----------------------------------------------------------------------------

    async def now(self, match_id: str) -> tuple[Table, Standing]:
        """Where a match stands, as the store knows it now; Unknown when there is no such match.

        No lock is held: a standing never changes.
        """
        table = self.tables.known(match_id)
        standing = table.standing if table is not None else None
        if table is not None and standing is not None and await self.tables.is_current(table, standing):
            return table, table.standing or standing
        async with self.tables.held(match_id) as held:
            standing = await self.tables.catch_up(held)
            self.publisher.publish(held)
        return held, standing

    def note_stuck(self, match_id: str, error: LudusError) -> None:
        """A match that cannot be opened: say so once an hour, not twice a second."""
        now = time.monotonic()
        if now - self._warned.get(match_id, -1e9) > 3600:
            self._warned[match_id] = now
            logs.line("stuck", warning=True, match=match_id, problem=type(error).__name__)

    # -- people ----------------------------------------------------------------------------------------

    async def person_of(self, token: str | None) -> Person | None:
        if token is None:
            return None
        return await self.reading(self._person_of, token)

    def _person_of(self, token: str) -> Person | None:
        with self.store.read() as db:
            return people.person_of(db, token, time.time())

    async def close_dead_sessions(self) -> None:
        """Close the sockets of people who have logged out or were banned."""
        viewers = [(v, v.person.session) for t in self.tables.watched() for v in t.viewers if v.person]
        if not viewers:
            return
        live = await self.reading(self._live, list({session for _, session in viewers}))
        for viewer, session in viewers:
            if session not in live:
                viewer.close(4401, "logged out")

    def _live(self, wanted: list[str]) -> set[str]:
        with self.store.read() as db:
            return people.live_sessions(db, wanted, time.time())

    def gauges(self) -> dict[str, float]:
        return {
            "tables": len(self.tables),
            "viewers": sum(len(table.viewers) for table in self.tables.watched()),
            "titles_compiled": self.forms.compiled,
            "bots_waiting": self.bots.waiting,
            "uptime_seconds": time.monotonic() - self.began,
        }


def require(person: Person | None) -> Person:
    if person is None:
        raise NoIdentity("this needs an identity: POST /api/guest first")
    if person.banned:
        raise Forbidden("this person was banned by the host")
    return person


def title_of(name: str) -> Title[Any, Any]:
    """A title, or 404."""
    if name not in registry.title_names():
        raise Unknown(f"there is no title {name!r:.40}")
    try:
        return registry.title(name)
    except LudusError as error:  # a title that is broken must not take the others with it
        logs.line("title", warning=True, title=name, problem=str(error))
        raise Unknown(f"{name} cannot be played now") from None
