"""`ludus bench server`: live matches, random play at a fixed rate, and how long both seats wait.

Moves are sent by the clock, whether or not earlier ones have been answered, and a move is timed from
when it should have been sent until both seats were told: a server that stalls cannot hide it.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import random
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import orjson
from websockets.asyncio.client import ClientConnection, connect

from ludus import titles as registry
from ludus.core import compilation
from ludus.core.errors import LudusError
from ludus.core.process import child_environment
from ludus.server.testing import Client, ServerProcess, postgres

from .server_load import Analysing

PEOPLE = 40  # who sit at the tables; one person sits at many
GOAL_MS = 100.0
BEGIN_AGAIN = 0.05  # seconds between looks for matches that are over
ANALYST_LOADED = 900.0  # seconds within which an analyst begins, also where it must compile first
CODE_LOADED = 60.0  # seconds within which a server takes up machine code that lies ready
LONG = {"rounds": 20}  # options that make matches last, where a title has them


class BenchFailed(LudusError):
    """The measurement could not be made."""


@dataclass
class Load:
    """What is asked of the server."""

    title: str
    matches: int = 500
    rate: float = 250.0
    seconds: float = 60.0
    postgres: bool = False
    processes: int = 1
    form: str = "auto"
    apart: bool = False  # whether the two seats of a match are at different processes
    analysing: bool = False  # whether an analysis is made all the time


@dataclass
class LoadFigures:
    """What was reached.  Times in ms from the moment a move was due until both seats were told."""

    load: dict[str, Any]
    moves: int = 0
    seconds: float = 0.0
    rate: float = 0.0
    p50: float = 0.0
    p95: float = 0.0
    p99: float = 0.0
    worst: float = 0.0
    errors: int = 0
    late: int = 0  # moves that could not be sent: every match was still waiting for an answer
    ended: int = 0  # matches that were over before the end; new ones were begun in their places
    memory_mb: float = 0.0  # the most that all server processes held together
    processor: float = 0.0  # cores that the server processes kept busy
    cpu_ms: float = 0.0  # their processor time for one move: it does not depend on who shares the cores
    compiled: bool = False  # whether all servers played by compiled rules from the first move on
    analysed: int = 0  # analyses that were made meanwhile
    first_error: str = ""

    @property
    def good(self) -> bool:
        enough = self.rate >= 0.97 * self.load["rate"]
        return self.errors == 0 and self.p99 < GOAL_MS and enough and self.memory_mb < 1024


class _Seat:
    """One seat's socket."""

    def __init__(self, table: _LiveMatch, seat: int) -> None:
        self.table, self.seat = table, seat
        self.socket: ClientConnection | None = None
        self.legal: list[str] = []

    async def listen(self) -> None:
        assert self.socket is not None
        with contextlib.suppress(Exception):
            async for text in self.socket:
                self.table.hear(self, orjson.loads(text))
        self.table.closed = True


class _LiveMatch:
    def __init__(self, match_id: str, place: int, seats: int, note: Callable[[float, float], None]) -> None:
        self.id, self.place, self._note = match_id, place, note
        self.seats = [_Seat(self, k) for k in range(seats)]
        self.entry = 0
        self.to_move: Any = 0
        self.due = 0.0
        self.waiting: set[int] = set()
        self.over = self.closed = False
        self.error = ""

    @property
    def ready(self) -> bool:
        if self.waiting or self.over or self.closed or not isinstance(self.to_move, int):
            return False
        return bool(self.seats[self.to_move].legal)

    def hear(self, seat: _Seat, message: dict[str, Any]) -> None:
        kind = message["type"]
        if kind == "answer":
            if not message["ok"]:
                self.error = f"{message['error']}: {message['reason']}"
                self.waiting.clear()
            return
        if kind not in ("state", "entries", "table"):
            return
        table = message["table"]
        seat.legal = [c["action"] for c in message["legal"]]
        if table["entries"] < self.entry:
            return
        self.to_move, self.over = table["to_move"], table["state"] == "over"
        if kind == "entries" and seat.seat in self.waiting and table["entries"] > self.entry:
            self.waiting.discard(seat.seat)
            if not self.waiting:
                self.entry = table["entries"]
                self._note(self.due, time.perf_counter())

    async def move(self, due: float, number: int) -> None:
        self.due, self.waiting = due, set(range(len(self.seats)))
        seat = self.seats[self.to_move]
        body = {
            "type": "command",
            "client": f"b{number}",
            "do": "play",
            "seat": seat.seat,
            "expect": self.entry,
        }
        assert seat.socket is not None
        await seat.socket.send(json.dumps({**body, "actions": [random.choice(seat.legal)]}))

    def leave(self) -> None:
        for seat in self.seats:
            if seat.socket is not None:
                seat.socket.transport.abort()


class ServerBench:
    """Servers, people and matches, made once; loads of any rate after that."""

    def __init__(self, load: Load) -> None:
        self.load = load
        self.servers: list[ServerProcess] = []
        self.live: list[_LiveMatch] = []
        self.people: list[Client] = []
        self.options: dict[str, Any] = {}
        self.ended = 0
        self.compiled = False
        self._times: list[float] = []
        self._tasks: list[asyncio.Task[None]] = []
        self._analysing: Analysing | None = None
        self._numbers = iter(range(1 << 40))

    @contextlib.contextmanager
    def running(self) -> Iterator[ServerBench]:
        """The servers, on a database that is thrown away.

        In form "auto" the rules are compiled first: what a server has some minutes after its first start is
        measured, not the compiler beside it.
        """
        if self.load.form == "auto" and not compilation.is_ready(registry.title(self.load.title)):
            command = [sys.executable, "-m", "ludus", "compile", self.load.title]
            subprocess.run(command, env=child_environment(), check=False, stdout=subprocess.DEVNULL)
        with contextlib.ExitStack() as stack:
            if self.load.postgres:
                db = stack.enter_context(postgres()).new_database()
            else:
                db = str(
                    Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="ludus-bench-"))) / "b.db"
                )
            settings = {"form": self.load.form, "log": "warning"}
            settings |= {} if self.load.analysing else {"analysts": "0"}
            for _ in range(self.load.processes):
                self.servers.append(ServerProcess(db, settings))
                stack.enter_context(self.servers[-1])
            yield self

    async def set_up(self, progress: Callable[[int, int], None] | None = None) -> None:
        self.people = [await Client.guest(self.servers[0].url) for _ in range(PEOPLE)]
        self.options = await self._long_options(self.people[0])
        for place in range(self.load.matches):
            self.live.append(await self._begin(place))
            if progress is not None:
                progress(place + 1, self.load.matches)
        self._tasks.append(asyncio.create_task(self._begin_again()))

    async def wait_for_code(self) -> None:
        """Until every server has taken up the machine code of the rules, where there is any."""
        until = time.monotonic() + CODE_LOADED
        wanted = self.load.form == "auto" and compilation.is_ready(registry.title(self.load.title))
        while wanted and not self.compiled and time.monotonic() < until:
            self.compiled = all([await self._has_code(server) for server in self.servers])
            await asyncio.sleep(0.2)

    async def begin_analysing(self) -> None:
        """Until an analysis is at work beside the tables: the rules of its worker are loaded."""
        if not self.load.analysing:
            return
        self._analysing = Analysing(self.servers[0].url, self.load.title)
        task = asyncio.create_task(self._analysing.forever())
        self._tasks.append(task)
        until = time.monotonic() + ANALYST_LOADED
        while not self._analysing.at_work and time.monotonic() < until:
            if task.done():
                task.result()
            await asyncio.sleep(0.2)
        if not self._analysing.at_work:
            raise BenchFailed("no analysis began to work")

    async def _has_code(self, server: ServerProcess) -> bool:
        text = (await self.people[0].request("GET", f"{server.url}/metrics")).text
        row = next(row for row in text.splitlines() if row.startswith("ludus_titles_compiled "))
        return float(row.split()[1]) > 0

    async def _begin_again(self) -> None:
        """A new match for the same people in the place of each that is over, one after the other."""
        while True:
            await asyncio.sleep(BEGIN_AGAIN)
            for old in [match for match in self.live if match.over and not match.waiting]:
                self.live[old.place] = await self._begin(old.place)
                self.ended += 1
                old.leave()

    async def _long_options(self, person: Client) -> dict[str, Any]:
        facts = (await person.get("/api/titles"))["titles"].get(self.load.title)
        if facts is None:
            raise BenchFailed(f"there is no title {self.load.title!r}")
        return {k: v for k, v in LONG.items() if v in facts["options"].get(k, {"values": []})["values"]}

    async def _begin(self, place: int) -> _LiveMatch:
        first, second = self.people[place % PEOPLE], self.people[(place + 1 + place // PEOPLE) % PEOPLE]
        if second is first:
            second = self.people[(place + 1) % PEOPLE]
        wish = {"title": self.load.title, "options": self.options}
        # A proxy that shares out the processes by match brings both seats to the same one; a match that is to
        # be made has no name yet, and goes to any of them.
        maker = self.servers[place // len(self.servers) % len(self.servers)]
        at = [self.servers[(k if self.load.apart else place) % len(self.servers)] for k in range(2)]
        seats = [{"kind": "me"}, {"kind": "open"}]
        made = await first.post(f"{maker.url}/api/matches", {**wish, "seats": seats})
        match_id = made["table"]["id"]
        await second.post(f"{at[1].url}/api/matches/{match_id}/join")
        match = _LiveMatch(match_id, place, 2, self._note)
        for k, (person, server) in enumerate(zip((first, second), at, strict=True)):
            address = f"{server.url.replace('http', 'ws', 1)}/api/matches/{match_id}/socket?seat={k}"
            headers = {"authorization": f"Bearer {person.token}"}
            seat = match.seats[k]
            seat.socket = await connect(
                address, additional_headers=headers, compression=None, max_size=None, ping_interval=None
            )
            hello = json.loads(await seat.socket.recv())
            match.entry = hello["entry"]
            match.hear(seat, hello)
            self._tasks.append(asyncio.create_task(seat.listen()))
        return match

    def _note(self, due: float, told: float) -> None:
        self._times.append((told - due) * 1000.0)

    async def measure(self, rate: float, seconds: float) -> LoadFigures:
        """Play at a rate for a time."""
        self._times.clear()
        self.ended = 0
        for match in self.live:
            match.error = ""
        result = LoadFigures({**asdict(self.load), "rate": rate, "seconds": seconds}, compiled=self.compiled)
        before = self._analysing.made if self._analysing else 0
        used = sum(_processor(s) for s in self.servers)
        began = time.perf_counter()
        place, sent = 0, 0
        for number in range(int(rate * seconds)):
            due = began + number / rate
            wait = due - time.perf_counter()
            if wait > 0:
                await asyncio.sleep(wait)
            elif number % 20 == 0:
                await asyncio.sleep(0)
            for _ in range(len(self.live)):
                place = (place + 1) % len(self.live)
                if self.live[place].ready:
                    await self.live[place].move(due, next(self._numbers))
                    sent += 1
                    break
            else:
                result.late += 1
        await self._settle()
        result.seconds = time.perf_counter() - began
        used = sum(_processor(s) for s in self.servers) - used
        result.processor = round(used / result.seconds, 2)
        self._fill(result, sent)
        result.analysed = self._analysing.made - before if self._analysing else 0
        result.cpu_ms = round(1000.0 * used / max(1, result.moves), 2)
        return result

    async def _settle(self) -> None:
        for _ in range(100):
            if not any(match.waiting and not match.closed for match in self.live):
                return
            await asyncio.sleep(0.05)

    def _fill(self, result: LoadFigures, sent: int) -> None:
        times = sorted(self._times)
        result.moves = len(times)
        result.rate = round(result.moves / result.seconds, 1)
        result.errors = sent - len(times) + sum(m.closed for m in self.live)
        result.first_error = next((m.error for m in self.live if m.error), "")
        result.ended = self.ended
        result.memory_mb = round(sum(_memory(s) for s in self.servers), 1)
        if times:
            for name, share in (("p50", 0.5), ("p95", 0.95), ("p99", 0.99), ("worst", 1.0)):
                setattr(result, name, round(times[min(len(times) - 1, int(share * len(times)))], 1))

    async def close(self) -> None:
        for task in self._tasks:
            task.cancel()
        for match in self.live:
            match.leave()
        for person in self.people:
            await person.close()


def _processor(server: ServerProcess) -> float:
    """Seconds of processor time that a server has used."""
    assert server.process is not None
    fields = Path(f"/proc/{server.process.pid}/stat").read_text(encoding="ascii").rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def _memory(server: ServerProcess) -> float:
    """The most memory a server has held, in MB."""
    assert server.process is not None
    text = Path(f"/proc/{server.process.pid}/status").read_text(encoding="ascii")
    line = next(row for row in text.splitlines() if row.startswith("VmHWM"))
    return int(line.split()[1]) / 1024


@dataclass
class ServerFigures:
    asked: LoadFigures
    steps: list[LoadFigures] = field(default_factory=list)

    @property
    def saturates(self) -> float:
        """The highest rate that was reached within the goal."""
        return max((r.rate for r in [self.asked, *self.steps] if r.good), default=0.0)

    def json(self) -> dict[str, Any]:
        steps = [asdict(step) for step in self.steps]
        return {
            "asked": {**asdict(self.asked), "good": self.asked.good},
            "steps": steps,
            "saturates": self.saturates,
        }


def run_bench(
    load: Load, saturate: bool = False, progress: Callable[[int, int], None] | None = None
) -> ServerFigures:
    """Measure a load; with `saturate`, go on with higher rates until the goal is missed."""
    bench = ServerBench(load)

    async def run() -> ServerFigures:
        await bench.set_up(progress)
        await bench.wait_for_code()
        await bench.begin_analysing()
        try:
            await bench.measure(min(50.0, load.rate), 2.0)  # warm
            report = ServerFigures(await bench.measure(load.rate, load.seconds))
            rate = load.rate
            while saturate and report.asked.good and rate < 5000:
                rate += max(50.0, load.rate / 2)
                report.steps.append(await bench.measure(rate, min(10.0, load.seconds)))
                if not report.steps[-1].good:
                    break
            return report
        finally:
            await bench.close()

    with bench.running():
        return asyncio.run(run())


def table(report: ServerFigures) -> list[str]:
    """The report as a table of Markdown."""
    load = report.asked.load
    kind = "PostgreSQL" if load["postgres"] else "SQLite"
    rules = "compiled rules" if report.asked.compiled else "plain rules"
    beside = f", {report.asked.analysed} matches analysed meanwhile" if load["analysing"] else ""
    rows = [
        f"{load['title']}, {load['matches']} live matches, {kind}, {_processes(load)}, {rules}{beside}; "
        "ms from when a move was due until both seats were told",
        "",
        "| asked moves/s | reached | p50 | p95 | p99 | worst | errors | MB | cores | CPU ms a move | goal |",
        "| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |",
    ]
    for r in [report.asked, *report.steps]:
        asked = f"{r.load['rate']:g} for {r.load['seconds']:g} s"
        numbers = [r.rate, r.p50, r.p95, r.p99, r.worst, r.errors, r.memory_mb, r.processor, r.cpu_ms]
        cells = [asked, *(f"{n:g}" for n in numbers), "met" if r.good else "missed"]
        rows.append(f"| {' | '.join(cells)} |")
        if r.first_error:
            rows.append(f"first error: {r.first_error}")
    return rows


def _processes(load: dict[str, Any]) -> str:
    if load["processes"] == 1:
        return "one server process"
    seats = "at different ones" if load["apart"] else "at the same one"
    return f"{load['processes']} server processes (both seats of a match {seats})"


def place(load: Load) -> str:
    """The marker in the docs between which the table of such a load stands."""
    more = " --postgres" if load.postgres else ""
    more += f" --processes {load.processes}" if load.processes > 1 else ""
    more += " --apart" if load.apart else ""
    more += " --analysing" if load.analysing else ""
    return f"ludus bench server --title {load.title}{more}"


def command(load: Load, saturate: bool) -> str:
    """What to type to measure the same again."""
    given = f"{place(load)} --matches {load.matches} --rate {load.rate:g} --seconds {load.seconds:g}"
    form = f" --form {load.form}" if load.form != "auto" else ""
    return given + form + (" --saturate" if saturate else "")
