"""Two processes on one PostgreSQL under attack: one is killed, the database is killed, the line is cut.

People play through both and watch through both.  Whatever happens: an acknowledged move is stored, once,
where it was acknowledged; the record has no gap; both processes end with the same one; nobody was told
anything else.  A client that got no answer, or "try again", sends the same id again, to any of the two; and
now and then somebody tries a used id for another move.
"""

from __future__ import annotations

import asyncio
import contextlib
import ctypes
import os
import random
import signal
import socket
import struct
import threading
import uuid
from collections import Counter
from collections.abc import AsyncIterator, Callable, Coroutine, Iterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from itertools import chain
from pathlib import Path
from typing import Any

import httpx
import pytest
from websockets.exceptions import ConnectionClosed, InvalidHandshake

from ludus.server.testing import Client, Postgres, ServerProcess, free_port
from ludus.store import open_store, records
from ludus.store.opening import verify_match
from samples import SMALL
from server.conftest import HERE, LONG, SETTINGS

# The long one is longer than all that the driver waits for (`tcp_user_timeout`).
PARTITION = 15.0 if LONG else 1.5  # s
# Linux: a filter of one instruction, "return 0".
ATTACH_FILTER, DETACH_FILTER = 26, 27
RETURN_0 = ctypes.create_string_buffer(struct.pack("HBBI", 0x06, 0, 0, 0), 8)
NOTHING_PASSES = struct.pack("HP", 1, ctypes.addressof(RETURN_0))
MATCHES = 4
TOLD = ("log", "news", "heading")  # in words, with names that may change
IMPATIENCE = 2.0  # s until a client gives an answer up and asks again
USED_IDS = 0.2  # how often somebody tries one
PATIENCE = 60.0  # s; nothing is measured by it
GONE = (OSError, httpx.HTTPError, ConnectionClosed, InvalidHandshake, TimeoutError)


def run(work: Coroutine[Any, Any, None]) -> None:
    asyncio.run(work)


# -- a line that can be cut ----------------------------------------------------------------------------------


class Line:
    """Carries bytes to the database, until it is cut: then they wait, and are carried later or never.

    When packets are lost, not even their arrival is confirmed: a filter at this end throws them away before
    TCP sees them, and those who would like to connect hear nothing.
    """

    def __init__(self, target: int) -> None:
        self.target, self.port = target, free_port()
        self._loop = asyncio.new_event_loop()
        self._writers: set[asyncio.StreamWriter] = set()
        self._ours: set[socket.socket] = set()  # the ends towards the server process, and the door
        self._ready = threading.Event()
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()
        assert self._ready.wait(PATIENCE)

    def _run(self) -> None:
        async def main() -> None:
            self._whole = asyncio.Event()
            self._whole.set()
            self._ended = asyncio.Event()
            async with await asyncio.start_server(self._connected, "127.0.0.1", self.port) as door:
                self._doors = door.sockets
                self._ready.set()
                await self._ended.wait()
            self._drop_all()

        self._loop.run_until_complete(main())

    async def _connected(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await self._whole.wait()
        try:
            there_reader, there_writer = await asyncio.open_connection("127.0.0.1", self.target)
        except OSError:
            writer.close()
            return
        ours = writer.get_extra_info("socket")
        self._writers |= {writer, there_writer}
        self._ours.add(ours)
        await asyncio.gather(self._carry(reader, there_writer), self._carry(there_reader, writer))
        self._writers -= {writer, there_writer}
        self._ours.remove(ours)

    async def _carry(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with contextlib.suppress(OSError):
            while data := await reader.read(65536):
                await self._whole.wait()
                writer.write(data)
                await writer.drain()
        writer.close()

    def _drop_all(self) -> None:
        for writer in self._writers:
            writer.transport.abort()

    def _do(self, work: Callable[[], object]) -> None:
        self._loop.call_soon_threadsafe(work)

    def cut(self) -> None:
        self._do(self._whole.clear)

    def lose(self) -> None:
        """From now on packets are lost, and nobody is told so."""

        def work() -> None:
            self._whole.clear()
            for each in (*self._doors, *self._ours):
                each.setsockopt(socket.SOL_SOCKET, ATTACH_FILTER, NOTHING_PASSES)

        self._do(work)

    def mend(self) -> None:
        """What waited comes through, late."""

        def work() -> None:
            self._find_again()
            self._whole.set()

        self._do(work)

    def _find_again(self) -> None:
        for each in (*self._doors, *self._ours):
            with contextlib.suppress(OSError):  # it had lost nothing
                each.setsockopt(socket.SOL_SOCKET, DETACH_FILTER, 0)

    def mend_without_what_waited(self) -> None:
        """What waited is lost, and so are all connections."""

        def work() -> None:
            self._drop_all()
            self._find_again()
            self._whole.set()

        self._do(work)

    def end(self) -> None:
        self._do(self._ended.set)
        self._thread.join(PATIENCE)
        self._loop.close()


# -- people who play and watch through both ------------------------------------------------------------------


@dataclass
class Duel:
    """A match whose seats play through any process, and what was acknowledged."""

    id: str
    clients: list[list[Client]]  # by seat, then by process
    acknowledged: dict[int, str] = field(default_factory=dict)  # entry -> action
    pending: dict[str, Any] | None = None
    answers: Counter[str] = field(default_factory=Counter)
    used: tuple[list[str], list[str]] = field(default_factory=lambda: ([], []))  # ids, by seat

    async def step(self) -> None:
        """One move, or the same one again while it was not acknowledged."""
        if self.pending is None:
            await self._choose()
        body = self.pending
        if body is None:
            return
        if random.random() < USED_IDS:
            await self.try_a_used_id(body)
        answer = await random.choice(self.clients[body["seat"]]).command(self.id, **body)
        self._note(answer)
        if answer.status_code == 200:
            self.acknowledged[body["expect"] + 1] = body["actions"][0]
            self.used[body["seat"]].append(body["client"])
            self.pending = None

    async def try_a_used_id(self, body: dict[str, Any]) -> None:
        """The same move under an id of this seat that was acknowledged for another: it does not happen."""
        seat = body["seat"]
        if self.used[seat]:
            attack = {**body, "client": random.choice(self.used[seat])}
            answer = await random.choice(self.clients[seat]).command(self.id, **attack)
            assert answer.status_code < 500 or answer.status_code == 503, answer.text
            assert answer.status_code != 200 or answer.json()["repeated"], "a used id made another move"

    async def _choose(self) -> None:
        path = f"/api/matches/{self.id}"
        for seat, clients in enumerate(self.clients):
            answer = await random.choice(clients).request("GET", f"{path}?seat={seat}")
            self._note(answer)
            now = answer.json() if answer.status_code == 200 else {}
            if now.get("legal"):
                action = random.choice(now["legal"])["action"]
                client = uuid.uuid4().hex
                self.pending = {"client": client, "seat": seat, "expect": now["entry"], "actions": [action]}
                return

    def _note(self, answer: httpx.Response) -> None:
        """A move for the present moment succeeds, or says clearly that it should be tried again."""
        self.answers[str(answer.status_code)] += 1
        if answer.status_code == 503:
            assert answer.json()["error"] == "try again" and answer.json()["reason"], answer.text
            assert answer.headers["retry-after"]
        elif (
            answer.status_code == 409
        ):  # a process that has not heard yet: its present moment is an older one
            assert answer.json()["error"] == "stale", answer.text
            if self.pending is not None and self.pending["expect"] < answer.json()["state"]["entry"]:
                self.pending = None
        else:
            assert answer.status_code == 200, answer.text

    async def play(self, stop: asyncio.Event) -> None:
        while not stop.is_set():
            try:
                await self.step()
            except GONE as error:
                self.answers[type(error).__name__] += 1
                await asyncio.sleep(0.02)
            if self.answers["503"]:
                await asyncio.sleep(0.01)

    async def finish(self) -> None:
        """Whatever was not answered is sent again until it is."""

        async def until_answered() -> None:
            while self.pending is not None:
                try:
                    await self.step()
                except GONE:
                    await asyncio.sleep(0.05)

        await asyncio.wait_for(until_answered(), PATIENCE)


@dataclass
class Watcher:
    """Somebody with a socket at one process, who comes back with the last entry known."""

    client: Client
    match_id: str
    eye: int | None
    told: dict[int, dict[str, Any]] = field(default_factory=dict)
    last: int = 0
    came: asyncio.Event = field(default_factory=asyncio.Event)

    async def watch(self, stop: asyncio.Event) -> None:
        while not stop.is_set():
            with contextlib.suppress(*GONE):
                async with self.client.watch(self.match_id, since=self.last, seat=self.eye) as socket:
                    fresh = self.last
                    while not stop.is_set():
                        fresh = self._note(await socket.receive(PATIENCE), fresh)
            await asyncio.sleep(0.05)

    def _note(self, message: dict[str, Any], fresh: int) -> int:
        """`fresh`: the last entry that this connection has told."""
        if message["type"] == "state":
            assert message["entry"] >= self.last, "the record went backwards"
            raise AssertionError("told a state: the server did not know the entry that it had told before")
        for entry in message.get("entries", []):
            assert entry["n"] == fresh + 1, f"entry {entry['n']} was told after {fresh}"
            fresh = entry["n"]
            content = {key: value for key, value in entry.items() if key not in TOLD}
            assert self.told.setdefault(fresh, content) == content, "told twice, and not the same"
        self.last = max(self.last, fresh)
        self.came.set()
        return fresh

    async def until(self, entries: int) -> None:
        async def enough() -> None:
            while self.last < entries:
                self.came.clear()
                await self.came.wait()

        await asyncio.wait_for(enough(), PATIENCE)


async def new_duel(urls: list[str]) -> Duel:
    people = [await Client.guest(urls[0]) for _ in range(2)]
    wish = {"title": SMALL, "options": {"rounds": 20}}
    match_id = (await people[0].post("/api/matches", wish))["table"]["id"]
    await people[1].post(f"/api/matches/{match_id}/join")
    clients = [[p, *(Client(url, p.token) for url in urls[1:])] for p in people]
    for client in chain(*clients):
        client.http.timeout = httpx.Timeout(IMPATIENCE)
    return Duel(match_id, clients)


class Attacked:
    """Matches under attack: played and watched through all processes until the end."""

    def __init__(self, db: str, servers: list[ServerProcess]) -> None:
        self.db, self.servers = db, servers
        self.duels: list[Duel] = []
        self.watchers: list[Watcher] = []
        self.stop, self.stop_watching = asyncio.Event(), asyncio.Event()
        self._playing: list[asyncio.Task[None]] = []
        self._watching: list[asyncio.Task[None]] = []

    async def begin(self) -> None:
        urls = [server.url for server in self.servers]
        self.duels = [await new_duel(urls) for _ in range(MATCHES)]
        for duel in self.duels:
            for seat, clients in enumerate(duel.clients):
                self.watchers += [Watcher(client, duel.id, seat) for client in clients]
            self.watchers += [Watcher(Client(url), duel.id, None) for url in urls]
        self._watching = [asyncio.create_task(w.watch(self.stop_watching)) for w in self.watchers]
        self._playing = [asyncio.create_task(duel.play(self.stop)) for duel in self.duels]

    async def moves(self, number: int) -> None:
        """Until so many more moves were acknowledged in every match that is not over."""

        async def enough() -> None:
            for duel, before in [(d, len(d.acknowledged)) for d in self.duels]:
                while len(duel.acknowledged) < before + number and not await self._over(duel):
                    self._fail_early()
                    await asyncio.sleep(0.02)

        await asyncio.wait_for(enough(), PATIENCE)

    async def _over(self, duel: Duel) -> bool:
        return len(duel.acknowledged) > 60  # twenty rounds are a hundred entries

    def _fail_early(self) -> None:
        for task in (*self._playing, *self._watching):
            if task.done():
                task.result()

    async def end(self) -> Counter[str]:
        """Play stops; all that is stored, told and acknowledged is compared.  How requests were answered."""
        self.stop.set()
        await asyncio.gather(*self._playing)
        for duel in self.duels:
            await duel.finish()
        stored = self._check_records()
        for watcher in self.watchers:
            self._fail_early()
            await watcher.until(len(stored[watcher.match_id]))
            story = await self._story(watcher)
            assert list(watcher.told.values()) == story[: watcher.last], "told is what is stored"
        return sum((duel.answers for duel in self.duels), Counter())

    async def let_go(self) -> None:
        """Also when something has failed: nobody plays or watches any more."""
        self.stop.set()
        self.stop_watching.set()
        tasks = {*self._playing, *self._watching}
        while tasks:  # a task that is just being answered may miss that it was cancelled
            for task in tasks:
                task.cancel()
            _, tasks = await asyncio.wait(tasks, timeout=1.0)
        for client in chain(*(chain(*duel.clients) for duel in self.duels)):
            await client.close()

    async def _story(self, watcher: Watcher) -> list[dict[str, Any]]:
        seat = "" if watcher.eye is None else f"?seat={watcher.eye}"
        story = (await watcher.client.get(f"/api/matches/{watcher.match_id}/entries{seat}"))["entries"]
        return [{key: value for key, value in entry.items() if key not in TOLD} for entry in story]

    def _check_records(self) -> dict[str, list[str]]:
        found: dict[str, list[str]] = {}
        store = open_store(self.db, migrate=False)
        try:
            with store.read() as connection:
                for duel in self.duels:
                    entries = records.entries_since(connection, duel.id, 0)
                    assert [e.number for e in entries] == list(range(1, len(entries) + 1)), "no gap"
                    row = records.match_row(connection, duel.id)
                    assert row is not None and row.entries == len(entries)
                    assert verify_match(connection, row) == ""
                    for number, action in duel.acknowledged.items():
                        assert entries[number - 1].text == action, "acknowledged, and not stored"
                    seats = [e for e in entries if e.who >= 0]
                    assert len(seats) == len(duel.acknowledged), "every move happened once"
                    found[duel.id] = [e.text for e in entries]
        finally:
            store.close()
        return found


@asynccontextmanager
async def attacked(db: str, servers: list[ServerProcess]) -> AsyncIterator[Attacked]:
    attack = Attacked(db, servers)
    try:
        await attack.begin()
        await attack.moves(2)
        yield attack
    finally:
        await attack.let_go()


# -- the attacks ---------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def lined(cluster: Postgres, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Lined]:
    """Two servers on one PostgreSQL, the second by a line that can be cut."""
    db, folder = cluster.new_database(), tmp_path_factory.mktemp("lined")
    line = Line(cluster.port)
    through = db.replace(f":{cluster.port}/", f":{line.port}/")
    with (
        ServerProcess(db, SETTINGS, log=folder / "a.log", paths=[HERE]) as first,
        ServerProcess(through, SETTINGS, log=folder / "b.log", paths=[HERE]) as second,
    ):
        yield Lined(db, [first, second], line)
    line.end()
    for name in ("a.log", "b.log"):
        log = (folder / name).read_text(encoding="utf-8")
        assert '"event": "fault"' not in log, log[-2000:]


@dataclass
class Lined:
    db: str
    servers: list[ServerProcess]
    line: Line


def test_one_process_is_killed_while_both_are_played(lined: Lined, many: Callable[[int], int]) -> None:
    async def work() -> None:
        async with attacked(lined.db, lined.servers) as attack:
            for number in range(many(20)):
                victim = lined.servers[number % 2]
                victim.kill()
                await attack.moves(2)  # the other goes on
                await asyncio.to_thread(victim.start)
            answers = await attack.end()
        assert answers["200"] > 0

    run(work())


def kill_the_database(cluster: Postgres) -> None:
    """kill -9 of the database and of all its sessions."""
    assert cluster.process is not None
    parent = cluster.process.pid
    for folder in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError, ProcessLookupError):
            if int((folder / "stat").read_text().rpartition(")")[2].split()[1]) == parent:
                os.kill(int(folder.name), signal.SIGKILL)
    cluster.process.kill()
    cluster.process.wait()
    cluster.process = None


@pytest.mark.parametrize("end", [kill_the_database, Postgres.stop])
def test_the_database_is_killed_in_the_middle_of_play(
    lined: Lined, cluster: Postgres, end: Callable[[Postgres], None], many: Callable[[int], int]
) -> None:
    async def work() -> None:
        async with attacked(lined.db, lined.servers) as attack:
            for _ in range(many(10)):
                await asyncio.to_thread(end, cluster)
                await refused(attack)
                await asyncio.to_thread(cluster.start)
                await attack.moves(2)
            answers = await attack.end()
        assert answers["503"], "people were told to try again"

    try:
        run(work())
    finally:
        if cluster.process is None:
            cluster.start()


async def refused(attack: Attacked) -> None:
    """Until somebody has been told to try again."""
    while not any(duel.answers["503"] or duel.answers["ReadTimeout"] for duel in attack.duels):
        attack._fail_early()
        await asyncio.sleep(0.02)


@pytest.mark.parametrize("begin", [Line.cut, Line.lose])
@pytest.mark.parametrize("end", [Line.mend, Line.mend_without_what_waited])
def test_a_process_is_cut_off_from_the_database(
    lined: Lined, begin: Callable[[Line], None], end: Callable[[Line], None]
) -> None:
    """What it was about to do comes late, or never; meanwhile the same ids come through the other one."""

    async def work() -> None:
        async with attacked(lined.db, lined.servers) as attack:
            begin(lined.line)
            await asyncio.sleep(PARTITION)  # the length of the partition, not a wait for something
            end(lined.line)
            await attack.moves(2)
            await attack.end()

    try:
        run(work())
    finally:
        lined.line.mend()
