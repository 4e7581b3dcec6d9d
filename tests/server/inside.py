"""Applications inside the test's own process: HTTP and WebSocket without a line between.

Several of them on one database are what several server processes are, and quick enough for many thousand
steps.  Nothing runs beside what the test does: no clock, no polling; who wants the news asks for them.
All that these tests know about the inside of the server stands in this file.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, Future
from contextlib import AbstractAsyncContextManager, closing, contextmanager
from typing import Any

import httpx
import pytest

from ludus.match.entries import Entry
from ludus.server import thinking, watching
from ludus.server.app import make_app
from ludus.server.bots import Thought
from ludus.server.change import Change
from ludus.server.settings import Settings
from ludus.server.standing import Standing
from ludus.server.testing import Client
from ludus.store import store
from ludus.store.rows import MatchRow
from ludus.store.writes import Write, notice, read_news

ADDRESS = "http://ludus.test"
PATIENCE = 120.0  # s; nothing is measured by it: only what never comes takes so long


_ROUTES: list[Any] = []


class Closed(Exception):
    """The server has closed a socket."""

    def __init__(self, code: int) -> None:
        super().__init__(f"closed with {code}")
        self.code = code


class _Outlet:
    """The end of a socket at which an application puts its messages."""

    def __init__(self, came: asyncio.Queue[dict[str, Any]]) -> None:
        self._came = came
        self.waiting = 0  # that a client who does not read has left lying

    def put(self, text: bytes) -> None:
        self._came.put_nowait({"type": "websocket.send", "text": text.decode()})


class InsideSocket:
    """A WebSocket of an application in this process."""

    def __init__(self, app: Any, path: str, token: str | None, query: str = "") -> None:
        scope = {**_scope("websocket", path, query, _headers(token)), "scheme": "ws", "subprotocols": []}
        self._sent: asyncio.Queue[dict[str, Any]] = asyncio.Queue()
        self._came: asyncio.Queue[dict[str, Any]] = asyncio.Queue()
        self.outlet = scope["state"]["outlet"] = _Outlet(self._came)
        self._sent.put_nowait({"type": "websocket.connect"})
        self.task = asyncio.create_task(app(scope, self._sent.get, self._came.put))

    def send(self, **message: Any) -> None:
        self._sent.put_nowait({"type": "websocket.receive", "text": json.dumps(message)})

    async def receive(self) -> dict[str, Any]:
        """The next message, as JSON."""
        while True:
            event = await asyncio.wait_for(self._came.get(), PATIENCE)
            if event["type"] == "websocket.send":
                found: dict[str, Any] = json.loads(event["text"])
                return found
            if event["type"] == "websocket.close":
                raise Closed(event["code"])

    def waiting(self) -> bool:
        """Whether something has come that was not received yet."""
        return not self._came.empty()

    async def close(self) -> None:
        self._sent.put_nowait({"type": "websocket.disconnect", "code": 1000})
        await asyncio.wait_for(self.task, PATIENCE)


class InsideClient(Client):
    """A client of an application in this process: no line, and nothing of httpx but the form of an answer."""

    def __init__(self, app: Any, token: str | None, address: str) -> None:
        self.app, self.url, self.token, self.address = app, ADDRESS, token, address
        self.id = self.name = ""
        self.received: list[str] = []

    async def request(self, method: str, path: str, body: Any = None) -> httpx.Response:
        where, _, query = path.partition("?")
        headers = [*_headers(self.token), (b"content-type", b"application/json")]
        scope = {**_scope("http", where, query, headers), "method": method, "scheme": "http"}
        scope["client"] = (self.address, 1)
        text = b"" if body is None else json.dumps(body).encode()
        parts: list[dict[str, Any]] = []
        never: asyncio.Future[dict[str, Any]] = asyncio.get_running_loop().create_future()
        requests = iter([{"type": "http.request", "body": text, "more_body": False}])

        async def receive() -> dict[str, Any]:
            return next(requests, None) or await never

        async def send(part: dict[str, Any]) -> None:
            parts.append(part)

        await self.app(scope, receive, send)
        content = b"".join(part.get("body", b"") for part in parts)
        self.received.append(content.decode())
        return httpx.Response(parts[0]["status"], headers=parts[0]["headers"], content=content)

    async def close(self) -> None:
        pass


def _headers(token: str | None) -> list[tuple[bytes, bytes]]:
    known = [(b"host", b"ludus.test")]
    return [*known, (b"authorization", f"Bearer {token}".encode())] if token else known


def _scope(kind: str, path: str, query: str, headers: list[tuple[bytes, bytes]]) -> dict[str, Any]:
    return {
        "type": kind,
        "asgi": {"version": "3.0"},
        "http_version": "1.1",
        "path": path,
        "raw_path": path.encode(),
        "root_path": "",
        "query_string": query.encode(),
        "headers": headers,
        "client": ("127.0.0.1", 1),
        "server": ("ludus.test", 80),
        "state": {},
        "extensions": {},
    }


class Here(Executor):
    """Does at once, in the thread of the event loop, what an application gives to threads that read.

    Whoever waits for it still waits for the loop, so that others come between; but no two threads hand each
    step to and fro, which takes longer than all that is compared.
    """

    def submit(self, work: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        done: Future[Any] = Future()
        try:
            done.set_result(work(*args, **kwargs))
        except BaseException as error:
            done.set_exception(error)
        return done


class Inside:
    """An application on a database, as a process of its own would be."""

    def __init__(self, settings: Settings, threads: bool = True) -> None:
        self.settings = settings
        self.app = make_app(settings)
        # FastAPI prepares each route when it is first used, which takes longer than a hundred steps: once is
        # enough.  A route finds the house through the application that was asked.
        if not _ROUTES:
            _ROUTES.extend(self.app.router.routes)
        self.app.router.routes[:] = _ROUTES
        self.server: Any = self.app.state.server
        if not threads:
            for owner, name in ((self.server, "_readers"), (self.server.stories, "_maker")):
                getattr(owner, name).shutdown()
                setattr(owner, name, Here())

    def client(self, token: str | None = None, address: str = "127.0.0.1") -> Client:
        return InsideClient(self.app, token, address)

    async def guest(self, address: str = "127.0.0.1") -> Client:
        made = await self.client(None, address).post("/api/guest", {"bearer": True})
        client = self.client(made["token"], address)
        client.id, client.name = made["id"], made["name"]
        return client

    def socket(self, match_id: str, token: str | None, **query: object) -> InsideSocket:
        wanted = "&".join(f"{k}={v}" for k, v in query.items() if v is not None)
        return InsideSocket(self.app, f"/api/matches/{match_id}/socket", token, wanted)

    def living(self) -> AbstractAsyncContextManager[Any]:
        """With all that runs beside requests: clocks, bots, news.  Closed at the end."""
        return self.app.router.lifespan_context(self.app)

    async def close(self) -> None:
        await self.server.close()
        self.app.state.identities.close()
        self.server.store.close()

    # -- what is inside ---------------------------------------------------------------------------------

    def remembered(self, match_id: str) -> list[Entry] | None:
        """The record of a match as this process has it in memory; None if it does not have it."""
        table = self.server.tables.known(match_id)
        match = table.standing.match if table is not None and table.standing is not None else None
        return None if match is None else list(match.entries)

    def row(self, match_id: str) -> MatchRow | None:
        """The row of a match as this process has it in memory."""
        table = self.server.tables.known(match_id)
        return table.standing.row if table is not None and table.standing is not None else None

    async def hear(self) -> None:
        """Hear what other processes have done, as the loops of a running server do all the time."""
        await watching.hear_all(self.server)

    async def hear_of(self, notice: str) -> None:
        """Hear a notice of another process, as PostgreSQL brings it."""
        _, match_id, *news = notice.split(" ", 2)
        await watching.hear(self.server, match_id, read_news(news[0] if news else ""))

    def read_nothing(self, patch: pytest.MonkeyPatch) -> None:
        """From now on nobody here may ask the store."""

        async def fail(*_: Any) -> None:
            raise AssertionError("the store was asked")

        patch.setattr(self.server.tables, "_reading", fail)

    async def wake(self, match_id: str) -> None:
        """Let a bot that is to move think, as the loops do."""
        await thinking.wake(self.server, match_id)

    def think_by(self, think: Callable[[dict[str, Any]], Any]) -> None:
        """Let bots think here, and not in processes of their own: `think` is awaited for a `Thought`."""
        self.server.bots.think = think

    @contextmanager
    def impatient(self, milliseconds: int) -> Iterator[None]:
        """Whoever writes here waits only so long for others who write."""
        try:
            self._wait_for_others(milliseconds)
            yield
        finally:
            self._wait_for_others(store.BUSY_MS)

    def _wait_for_others(self, milliseconds: int) -> None:
        with closing(self.server.store.writer.raw_connection()) as connection:
            connection.cursor().execute(f"PRAGMA busy_timeout={milliseconds}")

    def lose_the_next_acknowledgement(self) -> Callable[[], bool]:
        """The next commit reaches the disk, and the server never hears so.  Tells whether that happened."""
        dialect = self.server.store.writer.dialect
        commit, lost = dialect.do_commit, []

        def lose(connection: Any) -> None:
            dialect.do_commit = commit
            commit(connection)
            lost.append(True)
            raise dialect.dbapi.OperationalError("disk I/O error")

        dialect.do_commit = lose

        def happened() -> bool:
            dialect.do_commit = commit
            return bool(lost)

        return happened


def notices_of_changes(patch: pytest.MonkeyPatch) -> list[str]:
    """What PostgreSQL would tell other processes of every change that is thought out from now on."""
    told: list[str] = []
    finish = Change.finish

    def note(change: Change, origin: str, command: str | None) -> tuple[Write, Standing]:
        written, after = finish(change, origin, command)
        told.append(notice(written))
        return written, after

    patch.setattr(Change, "finish", note)
    return told


__all__ = ["Closed", "Inside", "InsideSocket", "Thought", "notices_of_changes"]
