"""Analyses of finished matches: asked for by people, made beside everything else, kept and shared.

A request puts a match into a queue in the store; each server process that has an analyst takes the next one.
Rows are kept on the way, so that one that was killed or stopped goes on where it was, in whatever process.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import sys
import time
from collections import Counter, OrderedDict
from typing import TYPE_CHECKING, Any

from sqlalchemy import Connection

from ludus.analysis.analysis import FORMAT, WORDS
from ludus.analysis.telling import tell
from ludus.core.chance import SPECTATOR
from ludus.core.compilation import has_numba
from ludus.match.file import write_match
from ludus.store import StoreDown, analyses
from ludus.store.analyses import DONE, FAILED, OPEN, WAITING, AnalysisRow
from ludus.store.people import Person

from . import logs
from .bots import worker_environment
from .errors import Forbidden, Refusal, Unknown
from .limiter import AT_ONCE, TooMany
from .standing import Standing
from .wire import encode

if TYPE_CHECKING:
    from .server import Server

LOOK = 2.0  # seconds between looks into the queue
KEEP = 3.0  # seconds between two times that rows are kept
BEAT = 5.0  # seconds between two times that an analyst says it is still there
STALE = 30.0  # nobody has worked at it for so long: whoever did is gone
LONGEST = 1800.0  # seconds of one analysis at a stretch; then it waits again, behind the others
SILENCE = 900.0  # seconds without a word from a worker: it compiles, or hangs
MAX_LINE = 32_000_000
SEED = 1
TRIES = 3  # so often a worker may vanish from one match: killed, or short of memory
FORMATS = 1000  # more ways in which analyses are made than there will ever be
TOLD = 16  # answers that are kept, ready to be sent


class Analysts:
    """The analysts of one server process."""

    def __init__(self, server: Server, number: int) -> None:
        self._server, self.number = server, number
        self._wake = asyncio.Event()
        self._working: dict[str, asyncio.subprocess.Process] = {}
        self._vanished: Counter[str] = Counter()
        self.told: OrderedDict[tuple[str, str, int, str, int | None], bytes] = OrderedDict()

    def start(self) -> None:
        for _ in range(self.number):
            self._server.spawn(self._forever())

    def wake(self) -> None:
        self._wake.set()

    async def _forever(self) -> None:
        while True:
            try:
                row = await self._next()
            except Exception as error:  # a database that is gone is waited for
                logs.failure("analysis", error)
                row = None
            if row is not None:
                await self._make(row)
                continue
            self._wake.clear()
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(self._wake.wait(), LOOK)

    async def _next(self) -> AnalysisRow | None:
        """The next one to be made, taken; a house where nobody asks is not written to."""
        if not await self._server.reading(_is_free, self._server):
            return None
        return await self._server.writing(lambda db: analyses.take_next(db, time.time(), STALE))

    async def _make(self, row: AnalysisRow) -> None:
        state, last = FAILED, True
        beating = asyncio.ensure_future(self._beat(row.match_id))
        try:
            state = await self._analyse(row)
        except asyncio.CancelledError:
            state, last = WAITING, False  # the house closes: it is the next one when it opens again
            raise
        except Exception as error:  # whatever a worker says or does not say
            if row.match_id not in self._working:
                state = ""  # it was stopped here: whoever asks next has it now
            elif isinstance(error, EOFError) and self._again(row.match_id):
                state, last = WAITING, False  # what it has made is kept
            else:
                logs.line("analysis", warning=True, match=row.match_id, problem=type(error).__name__)
        finally:
            beating.cancel()
            await self.stop(row.match_id)
            if state in (FAILED, WAITING):
                with contextlib.suppress(Exception):
                    now = time.time()
                    await self._server.writing(
                        lambda db: analyses.put_back(db, row.match_id, state, now, last)
                    )

    def _again(self, match_id: str) -> bool:
        """Whether another worker goes on where one was killed."""
        if len(self._vanished) > TOLD:
            self._vanished.clear()
        self._vanished[match_id] += 1
        return self._vanished[match_id] < TRIES

    async def _beat(self, match_id: str) -> None:
        """Say that somebody works at it, also while a worker is silent; end the work that nobody wants."""
        while True:
            await asyncio.sleep(BEAT)
            with contextlib.suppress(StoreDown):
                if not await self._server.writing(lambda db: analyses.beat(db, match_id, time.time())):
                    await self.stop(match_id)

    async def _analyse(self, row: AnalysisRow) -> str:
        """Let a worker analyse a match; the state in which it is left, "" where it is told already."""
        server, began = self._server, time.monotonic()
        _, standing = await server.now(row.match_id)
        if standing.match is None or not standing.over:
            return FAILED
        text = await server.reading(write_match, standing.match, SPECTATOR)
        part = await server.reading(_part, server, row.match_id)
        compiled = server.settings.form != "plain" and has_numba()
        job = {"file": text, "part": part, "seed": SEED, "form": "compiled" if compiled else "plain"}
        process = await self._begin(row.match_id, {**job, "depth": "usual" if compiled else "quick"})
        lines: list[str] = []
        kept = 0.0
        while time.monotonic() - began < LONGEST:
            told = await asyncio.wait_for(_line(process), SILENCE)
            if "problem" in told:
                logs.line("analysis", warning=True, match=row.match_id, problem=told["problem"])
                return FAILED
            if "found" in told:
                return await self._finish(row.match_id, told["found"], time.monotonic() - began)
            lines = told.get("lines") or [*lines, *told["more"]]
            if time.monotonic() - kept >= KEEP:
                if not await self._keep(row.match_id, lines, told):
                    return ""  # nobody wants it any more
                kept = time.monotonic()
        return WAITING

    async def _finish(self, match_id: str, found: dict[str, Any], seconds: float) -> str:
        await self._server.writing(lambda db: analyses.finish(db, match_id, found, time.time()))
        logs.line("analysis", match=match_id, title=found["title"], seconds=round(seconds, 1))
        return DONE

    async def _keep(self, match_id: str, lines: list[str], told: dict[str, Any]) -> bool:
        done, total, now = told["done"], told["total"], time.time()

        def keep(db: Connection) -> bool:
            return analyses.keep_part(db, match_id, lines, done, total, now)

        return await self._server.writing(keep)

    async def _begin(self, match_id: str, job: dict[str, Any]) -> asyncio.subprocess.Process:
        process = await asyncio.create_subprocess_exec(
            sys.executable, "-P", "-m", "ludus.server.analysis_worker",
            stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.DEVNULL, limit=MAX_LINE, env=worker_environment(),
        )  # fmt: skip
        self._working[match_id] = process
        assert process.stdin is not None
        process.stdin.write(json.dumps(job).encode() + b"\n")
        await process.stdin.drain()
        return process

    async def stop(self, match_id: str) -> None:
        """End the worker of a match, if it works here."""
        process = self._working.pop(match_id, None)
        if process is not None and process.returncode is None:
            with contextlib.suppress(ProcessLookupError):
                process.kill()
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(process.wait(), 5.0)

    async def close(self) -> None:
        for match_id in list(self._working):
            await self.stop(match_id)


async def _line(process: asyncio.subprocess.Process) -> dict[str, Any]:
    assert process.stdout is not None
    line = await process.stdout.readline()
    if not line:
        raise EOFError("the analyst is gone")
    told = json.loads(line)
    if not isinstance(told, dict):
        raise ValueError("no answer")
    return told


def _is_free(server: Server) -> bool:
    with server.store.read() as db:
        return analyses.is_free(db, time.time(), STALE)


def _part(server: Server, match_id: str) -> list[str]:
    with server.store.read() as db:
        return analyses.part_of(db, match_id)


# -- what people ask ----------------------------------------------------------------------------------------


async def ask(server: Server, person: Person, standing: Standing, lang: str) -> dict[str, Any]:
    """Ask for the analysis of a match that is over.  Asked twice, or by two, it is made once."""
    if not standing.over or standing.match is None:
        raise Forbidden(WORDS.say(lang, "cannot.unfinished"))
    if not server.settings.analysts:
        raise Refusal(WORDS.say(lang, "cannot.off"))
    match_id, entries = standing.row.id, standing.entries
    rules = standing.match.setting.title.version * FORMATS + FORMAT
    known = await server.reading(_row, server, match_id)
    if (
        known is not None
        and known.state in (DONE, *OPEN)
        and (known.entries, known.rules) == (entries, rules)
    ):
        return await state(server, standing, person)
    server.limiter.take("analysis", person.id)
    now = time.time()

    def put(db: Connection) -> None:
        if server.limiter.on and analyses.open_of(db, person.id) >= AT_ONCE["analyses"]:
            raise TooMany("analyses", LOOK * 30)
        if server.limiter.on and analyses.open_of(db) >= AT_ONCE["analyses_all"]:
            raise TooMany("analyses_all", LOOK * 60)
        analyses.ask(db, match_id, person.id, entries, rules, now)

    await server.writing(put)
    server.analysts.wake()
    return await state(server, standing, person)


async def cancel(server: Server, person: Person, standing: Standing) -> dict[str, Any]:
    """Whoever asked wants it no more."""
    match_id = standing.row.id
    stopped = await server.writing(lambda db: analyses.stop(db, match_id, person.id))
    if not stopped:
        raise Unknown("there is no analysis of this match that you have asked for and that is not made yet")
    await server.analysts.stop(match_id)
    return await state(server, standing, person)


def _is_of_now(row: AnalysisRow, standing: Standing) -> bool:
    """Whether it is of this match as it stands, and made as analyses are made now; else it is made anew."""
    return row.entries == standing.entries and row.rules % FORMATS == FORMAT


def _row(server: Server, match_id: str) -> AnalysisRow | None:
    with server.store.read() as db:
        return analyses.row_of(db, match_id)


async def state(server: Server, standing: Standing, person: Person | None) -> dict[str, Any]:
    """How far it is: none, off, waiting (behind how many), running (how far), done, failed or stopped; and
    whether it is this person who has asked, and may stop it."""

    def read() -> dict[str, Any]:
        with server.store.read() as db:
            row = analyses.row_of(db, standing.row.id)
            if row is None or not _is_of_now(row, standing):
                return {"state": "none"}
            mine = person is not None and row.person_id == person.id
            told = {"state": row.state, "done": row.done, "total": row.total, "mine": mine}
            return told | ({"before": analyses.place_of(db, row)} if row.state == WAITING else {})

    found = await server.reading(read)
    return found | ({} if server.settings.analysts or found["state"] == DONE else {"state": "off"})


def own_seat(standing: Standing, person: Person | None) -> int | None:
    """The seat as which somebody is spoken to: the only one at which that person has played."""
    own = [*standing.seats_of(person), *standing.resigned_by(person)]
    return own[0] if len(own) == 1 else None


def page(server: Server, standing: Standing, lang: str, me: int | None = None) -> bytes:
    """A made analysis with its words, told to who played as `me`; what was asked for lately lies ready."""
    if standing.match is None:
        raise Unknown("there is no analysis of this match")
    told = server.analysts.told
    key = (standing.row.id, standing.row.incarnation, standing.entries, lang, me)
    if key in told:
        told.move_to_end(key)
        return told[key]
    found = _result(server, standing)
    bots = [seat.seat for seat in standing.seats if seat.kind == "bot"]
    words = tell(found, standing.match, lang, me, bots)
    made = encode({"state": DONE, "found": found, "told": words})
    told[key] = made
    while len(told) > TOLD:
        told.popitem(last=False)
    return made


def _result(server: Server, standing: Standing) -> dict[str, Any]:
    with server.store.read() as db:
        row = analyses.row_of(db, standing.row.id)
        found = analyses.result_of(db, standing.row.id)
    if row is None or found is None or row.state != DONE or not _is_of_now(row, standing):
        raise Unknown("there is no analysis of this match")
    return found


def as_file(server: Server, standing: Standing) -> bytes:
    """The analysis as a file: what `ludus analyse` writes."""
    found = _result(server, standing)
    assert standing.match is not None
    return encode({**found, "names": list(standing.match.names)})
