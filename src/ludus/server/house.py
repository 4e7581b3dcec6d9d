"""The house: every match that somebody plays or watches in this process, and all that happens to it.

One rule keeps matches whole: change, commit, then tell.  Whoever holds the lock of a table may change
it, in one transaction that holds the row of the match; after the commit the viewers are told, each
through its own eye; if anything fails the table is dropped and read again.
"""

from __future__ import annotations

import asyncio
import json
import secrets
import time
from collections import OrderedDict
from collections.abc import AsyncIterator, Callable, Coroutine
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from dataclasses import dataclass
from functools import partial
from typing import Any, TypeVar

from sqlalchemy import Connection

from ludus import titles as registry
from ludus.core.chance import SPECTATOR
from ludus.core.errors import LudusError
from ludus.match.match import Stale
from ludus.store import Store, StoreDown, people, records
from ludus.store.people import Person

from . import commands, logs, telling
from .bots import BotPool, make_job
from .change import Change
from .errors import Forbidden, NoIdentity, Unknown
from .limiter import Limiter
from .metrics import Metrics
from .models import Advice, Command, WhatIf
from .rules_form import Forms
from .settings import Settings
from .socket import Viewer
from .table import Table
from .writer import Writer

T = TypeVar("T")
READERS = 6
CATCH_UP = 200  # entries; who misses more gets the present state instead


@dataclass(frozen=True)
class Done:
    """What became of a change."""

    entry: int
    added: int  # entries
    repeated: bool
    value: Any = None


class House:
    def __init__(self, settings: Settings, store: Store) -> None:
        self.settings, self.store = settings, store
        self.limiter, self.metrics = Limiter(settings.limits), Metrics()
        self.bots = BotPool(settings.bot_workers, settings.bot_seconds, settings.bot_think)
        self.forms = Forms(settings.form)
        self.origin = secrets.token_hex(4)  # the name of this process to the others
        self.began = time.monotonic()
        self._tables: OrderedDict[str, Table] = OrderedDict()
        self._writer = Writer(store)
        self._readers = ThreadPoolExecutor(READERS, "read")
        self._tasks: set[asyncio.Task[Any]] = set()
        self._changing: set[asyncio.Task[Any]] = set()
        self._warned: dict[str, float] = {}

    # -- running ---------------------------------------------------------------------------------------

    def spawn(self, work: Any) -> None:
        """Run something beside the rest; its faults are noted, never lost."""
        task = asyncio.ensure_future(work)
        self._tasks.add(task)
        task.add_done_callback(self._ended)

    def _ended(self, task: asyncio.Task[Any]) -> None:
        self._tasks.discard(task)
        if not task.cancelled() and (error := task.exception()) is not None:
            self.metrics.count("failures")
            logs.failure("fault", error)

    async def close(self) -> None:
        for table in self._tables.values():
            for viewer in list(table.viewers):
                viewer.close(1012, "the server is restarting; come back")
        for task in list(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, *self._changing, return_exceptions=True)
        await self.bots.close()
        self._writer.close()
        self._readers.shutdown(wait=True)

    async def reading(self, work: Callable[..., T], *args: Any) -> T:
        """Run something that reads the store, or takes a while, outside the event loop."""
        return await asyncio.get_running_loop().run_in_executor(self._readers, work, *args)

    async def writing(self, work: Callable[[Connection], T]) -> T:
        """Run work in a transaction outside the event loop; its value after the commit."""
        return await self._writer.run(work)

    # -- tables ----------------------------------------------------------------------------------------

    def _table(self, match_id: str) -> Table:
        table = self._tables.get(match_id)
        if table is None:
            table = self._tables[match_id] = Table(match_id)
            self._evict()
        self._tables.move_to_end(match_id)
        return table

    def _evict(self) -> None:
        """Forget the tables that were not used for longest and at which nobody is."""
        excess = len(self._tables) - self.settings.tables
        for match_id in list(self._tables)[: max(0, excess) * 2]:
            table = self._tables[match_id]
            if not table.viewers and not table.lock.locked():
                del self._tables[match_id]

    def watched(self) -> list[str]:
        return [table.id for table in self._tables.values() if table.viewers]

    def all_viewers(self) -> list[Viewer]:
        return [viewer for table in self._tables.values() for viewer in table.viewers]

    @asynccontextmanager
    async def held(self, match_id: str) -> AsyncIterator[Table]:
        """The one table of a match, with its lock."""
        while True:
            table = self._table(match_id)
            async with table.lock:
                if self._tables.setdefault(match_id, table) is table:  # not forgotten while we waited
                    yield table
                    return

    @asynccontextmanager
    async def at(self, match_id: str) -> AsyncIterator[Table]:
        """A table as the store knows it now, to look at; Unknown when there is no such match."""
        async with self.held(match_id) as table:
            await self.reading(self._refresh, table)
            await self._publish(table)
            yield table

    def _refresh(self, table: Table) -> None:
        with self.store.read() as db:
            row = records.match_row(db, table.id)
            if row is None:
                table.drop()
                raise Unknown("there is no such match")
            table.refresh(db, row, self.forms.of(row.title))

    async def change(
        self,
        match_id: str,
        work: Callable[[Change], Any],
        command: str | None = None,
        expect: int | None = None,
    ) -> Done:
        """Change a match in one transaction; then tell everybody who looks at it.

        Goes on to its end even if whoever asked for it goes away.  A `command` that has happened happens
        no second time; `expect` is the last entry its sender knew.
        """
        return await self._to_the_end(self._change_and_tell(match_id, work, command, expect))

    async def _change_and_tell(
        self, match_id: str, work: Callable[[Change], Any], command: str | None, expect: int | None
    ) -> Done:
        async with self.held(match_id) as table:
            done = await self._change(table, work, command, expect)
            await self._publish(table)
        self.metrics.count("entries", n=done.added)
        self.wake_bots(table)
        return done

    async def _to_the_end(self, work: Coroutine[Any, Any, T]) -> T:
        task = asyncio.create_task(work)
        self._changing.add(task)
        task.add_done_callback(self._changing.discard)
        return await asyncio.shield(task)

    async def _change(
        self, table: Table, work: Callable[[Change], Any], command: str | None, expect: int | None
    ) -> Done:
        """The transaction.  Whatever fails, the table stands where the store stands, or is dropped."""
        refused: Change | None = None

        def transaction(db: Connection) -> tuple[Change | None, Any]:
            nonlocal refused
            row = records.match_row(db, table.id, lock=True)
            if row is None:
                raise Unknown("there is no such match")
            form = self.forms.of(row.title)
            table.refresh(db, row, form)
            # A command that made an entry is behind by now: who knows the last entry sends a new one.
            if command is not None and expect != table.entries:
                earlier = records.entry_of_command(db, table.id, command)
                if earlier is not None:
                    return None, earlier
            change = refused = Change(db, table, time.time(), self.settings.bot_seconds, form)
            value = work(change)
            change.finish(self.store, self.origin, command)
            return change, value

        try:
            change, value = await self.writing(transaction)
        except LudusError as error:
            # Refused before anything happened: what is in memory still stands.
            stands = not isinstance(error, StoreDown) and refused is not None
            if not stands or refused is None or table.entries != refused.before:
                table.drop()
            raise
        except BaseException:
            table.drop()
            raise
        if change is None:
            return Done(value, 0, repeated=True)
        change.adopt()
        return Done(table.entries, table.entries - change.before, repeated=False, value=value)

    # -- telling ---------------------------------------------------------------------------------------

    async def _publish(self, table: Table, chat: list[dict[str, Any]] | None = None) -> None:
        """Tell the viewers what they have not been told yet.  Only after a commit, under the lock."""
        row = table.row
        now = (row.incarnation, table.entries, row.revision, row.chat)
        told, table.told = table.told, now
        if not table.viewers or told == now:
            return
        self._lower_eyes(table)
        if now[0] != told[0]:  # restored from a backup: nothing that was told before counts
            for viewer in table.viewers:
                viewer.send_json(type="state", **self.state_at(table, viewer.person, viewer.eye, viewer.lang))
            return
        if now[:3] != told[:3]:
            self._tell_entries(table, told[1])
        if now[3] != told[3]:
            lines = chat if chat is not None else await self.reading(self._chat_lines, table.id, told[3])
            self._tell_chat(table, lines)

    def _lower_eyes(self, table: Table) -> None:
        """Who has lost a seat sees what everybody sees from now on."""
        for viewer in table.viewers:
            if not table.may_look(viewer.person, viewer.eye):
                viewer.eye = SPECTATOR
                viewer.send_json(type="state", **self.state_at(table, viewer.person, SPECTATOR, viewer.lang))

    def _tell_entries(self, table: Table, since: int) -> None:
        public = table.public()
        since = min(since, table.entries)
        at = table.moments(since)
        encoded: dict[tuple[int, str], str] = {}
        for viewer in table.viewers:
            key = (viewer.eye, viewer.lang)
            if key not in encoded:
                message = self._entries_message(table, public, since, viewer.eye, viewer.lang, at)
                encoded[key] = json.dumps(message, ensure_ascii=False, separators=(",", ":"))
            viewer.send(encoded[key])
        self.metrics.count("messages", n=len(table.viewers))

    def _entries_message(
        self, table: Table, public: dict[str, Any], since: int, eye: int, lang: str, at: list[telling.Moment]
    ) -> dict[str, Any]:
        match = table.match
        if match is None or since == table.entries:
            kind: dict[str, Any] = {"type": "table", "table": public}
        else:
            rows = telling.pairs(match, eye, lang, since, at=at)
            kind = {"type": "entries", "since": since, "entries": rows, "table": public}
        return {**kind, "legal": self._choices(table, eye, lang, at[-1] if at else None)}

    def _choices(
        self, table: Table, eye: int, lang: str, now: telling.Moment | None = None
    ) -> list[dict[str, Any]]:
        if table.match is None or table.row.state != "running" or eye == SPECTATOR:
            return []
        return telling.choices_now(table.match, eye, lang, now)

    def _tell_chat(self, table: Table, lines: list[dict[str, Any]]) -> None:
        for line in lines:
            for viewer in table.viewers:
                if line["room"] in table.rooms(viewer.person):
                    viewer.send_json(type="chat", line=line)

    def _chat_lines(self, match_id: str, since: int) -> list[dict[str, Any]]:
        with self.store.read() as db:
            return records.chat_since(db, match_id, since, ["table", "gallery"])

    def state_at(self, table: Table, person: Person | None, eye: int, lang: str) -> dict[str, Any]:
        """Everything that somebody sees at this moment."""
        match, row = table.match, table.row
        state: dict[str, Any] = {
            "table": table.public(),
            "entry": table.entries,
            "eye": None if eye == SPECTATOR else eye,
            "yours": table.seats_of(person),
            "view": match.game.view(eye) if match is not None else None,
            "legal": self._choices(table, eye, lang),
        }
        if person is not None and person.id == row.creator_id and row.state == "waiting":
            state["invites"] = {str(s.seat): s.invite for s in table.seats if s.kind == "link"}
        return state

    async def state(
        self, match_id: str, person: Person | None, wanted: int | None, lang: str
    ) -> dict[str, Any]:
        async with self.at(match_id) as table:
            eye = SPECTATOR if wanted == SPECTATOR else table.eye_of(person, wanted)
            return self.state_at(table, person, eye, lang)

    # -- viewers ---------------------------------------------------------------------------------------

    async def watch(self, viewer: Viewer, match_id: str, seat: int | None, since: int | None) -> None:
        """A viewer comes, or comes back, and gets what it has missed."""
        async with self.at(match_id) as table:
            viewer.eye = table.eye_of(viewer.person, seat)
            table.viewers.add(viewer)
            self._catch_up(table, viewer, since)
            self._announce(table, viewer)

    async def look(self, viewer: Viewer, match_id: str, seat: int | None, since: int | None) -> None:
        """A viewer looks through another eye, or asks again for what it has missed."""
        async with self.at(match_id) as table:
            eye = table.eye_of(viewer.person, seat)
            changed, viewer.eye = eye != viewer.eye, eye
            self._catch_up(table, viewer, None if changed else since)

    def _catch_up(self, table: Table, viewer: Viewer, since: int | None) -> None:
        match = table.match
        if match is None or since is None or not 0 <= table.entries - since <= CATCH_UP:
            viewer.send_json(type="state", **self.state_at(table, viewer.person, viewer.eye, viewer.lang))
            return
        rows = telling.pairs(match, viewer.eye, viewer.lang, since)
        legal = self._choices(table, viewer.eye, viewer.lang)
        viewer.send_json(type="entries", since=since, entries=rows, table=table.public(), legal=legal)

    def _announce(self, table: Table, but: Viewer | None = None) -> None:
        """Who is there has changed."""
        if table.row is None or len(table.viewers) > 50:
            return
        public = table.public()
        for viewer in table.viewers:
            if viewer is not but:
                legal = self._choices(table, viewer.eye, viewer.lang)
                viewer.send_json(type="table", table=public, legal=legal)

    def unwatch(self, viewer: Viewer, match_id: str) -> None:
        table = self._tables.get(match_id)
        if table is not None and viewer in table.viewers:
            table.viewers.discard(viewer)
            self.spawn(self._announce_later(table))

    async def _announce_later(self, table: Table) -> None:
        async with table.lock:
            if table.viewers:
                self._announce(table)

    async def hear(self, match_id: str) -> None:
        """Another process has changed a match at which somebody looks here."""
        table = self._tables.get(match_id)
        if table is None or not table.viewers:
            return
        try:
            async with self.at(match_id):
                pass
        except Unknown:
            for viewer in list(table.viewers):
                viewer.close(4404, "the match is gone")
        except StoreDown:
            self.metrics.count("store_errors")  # it is heard of again when the database is back
        except LudusError as error:
            self.note_stuck(match_id, error)

    async def hear_all(self) -> None:
        """Something has changed somewhere: look which of the watched matches it was."""
        known = {m: self._tables[m] for m in self.watched()}
        if not known:
            return
        found = await self.reading(self._revisions, list(known))
        for match_id, table in known.items():
            row = table.row
            present = (row.incarnation, row.revision, table.entries, row.chat) if row is not None else None
            if found.get(match_id) != present:
                await self.hear(match_id)

    def _revisions(self, match_ids: list[str]) -> dict[str, tuple[str, int, int, int]]:
        with self.store.read() as db:
            return records.revisions(db, match_ids)

    # -- what people do --------------------------------------------------------------------------------

    async def command(self, person: Person, match_id: str, command: Command) -> Done:
        """A command of a person; see `commands`."""
        began = time.perf_counter()
        outcome, done = "failed", None
        try:
            key = f"{person.id}:{command.client}"
            work = partial(commands.run, person=person, command=command)
            done = await self.change(match_id, work, key, command.expect)
            outcome = "repeated" if done.repeated else "done"
            return done
        except Stale:
            outcome = "stale"
            raise
        except LudusError as error:
            outcome = "down" if isinstance(error, StoreDown) else "refused"
            raise
        finally:
            spent = time.perf_counter() - began
            self.metrics.count("commands", outcome)
            self.metrics.time("command", spent)
            logs.line(
                "command",
                match=match_id,
                person=person.id,
                do=command.do,
                seat=command.seat,
                entry=done.entry if done else None,
                reason=outcome,
                ms=round(spent * 1000, 1),
            )

    async def say(self, person: Person, match_id: str, text: str) -> dict[str, Any]:
        """A line of chat: players to players, watchers to watchers."""
        self.limiter.take("chat", person.id)
        said = " ".join("".join(c for c in text if c.isprintable() or c == "\n").split())
        if not said:
            raise Forbidden("there is nothing to say")
        return await self._to_the_end(self._say_and_tell(person, match_id, said))

    async def _say_and_tell(self, person: Person, match_id: str, text: str) -> dict[str, Any]:
        async with self.held(match_id) as table:
            try:
                line = await self.writing(lambda db: self._say(db, table, person, text))
            except BaseException:
                table.drop()
                raise
            table.row.chat = line["n"]
            await self._publish(table, [line])
        return {"n": line["n"]}

    def _say(self, db: Connection, table: Table, person: Person, text: str) -> dict[str, Any]:
        now = time.time()
        row = records.match_row(db, table.id, lock=True)
        if row is None:
            raise Unknown("there is no such match")
        table.refresh(db, row, self.forms.of(row.title))
        room = "table" if table.seats_of(person) else "gallery"
        number = row.chat + 1
        records.add_chat(db, table.id, number, room, person.id, person.name, text, now)
        self.store.tell_others(db, self.origin, table.id)
        return {"n": number, "room": room, "name": person.name, "text": text, "at": now}

    async def what_if(self, person: Person, match_id: str, query: WhatIf) -> dict[str, Any]:
        """What a seat would see after some actions; nothing is stored."""
        self.limiter.take("what_if", person.id)
        with self.limiter.at_once("what_if", person.id):
            async with self.at(match_id) as table:
                match = table.running_match()
                seat = table.seat_for(person, query.seat)
                if match.over or match.game.to_move != seat:
                    raise Forbidden("what-if is for the seat whose turn it is")
                answer = await self.reading(telling.what_if, match, seat, query.lang, query.actions)
                return {"entry": table.entries, **answer}

    async def advice(self, person: Person, match_id: str, query: Advice) -> dict[str, Any]:
        """What the title says of a touch, from what one eye may know; nothing is stored."""
        self.limiter.take("what_if", person.id)
        with self.limiter.at_once("what_if", person.id):
            async with self.at(match_id) as table:
                match, eye = table.running_match(), table.eye_of(person, query.seat)
                if query.actions and (match.over or match.game.to_move != table.seat_for(person, query.seat)):
                    raise Forbidden("what-if is for the seat whose turn it is")
                found = await self.reading(telling.advice, match, eye, query.about, query.actions)
                return {"entry": table.entries, "advice": found}

    # -- bots ------------------------------------------------------------------------------------------

    def wake_bots(self, table: Table) -> None:
        """If a bot is to move, let it think."""
        row = table.row
        if row is None or row.state != "running" or row.to_move < 0 or table.thinking == row.entries:
            return
        if table.seats[row.to_move].kind == "bot":
            table.thinking = row.entries
            self.spawn(self._bot_turn(table.id, row.entries))

    async def _bot_turn(self, match_id: str, entry: int) -> None:
        try:
            async with self.at(match_id) as table:
                match, row = table.match, table.row
                if match is None or row.state != "running" or table.entries != entry:
                    return
                seat = match.game.to_move
                if seat < 0 or table.seats[seat].kind != "bot":
                    return
                job = make_job(match, seat, table.seats[seat].bot)
            thought = await self.bots.think(job)
            self.metrics.count("bots", thought.outcome)

            def play(change: Change) -> None:
                commands.bot_plays(change, seat, entry, thought.action)

            await self.change(match_id, play, f"bot:{seat}:{entry}", entry)
        except StoreDown:
            self.metrics.count("store_errors")  # its move is due later, here or elsewhere
        except LudusError as error:
            if not isinstance(error, (Stale, Unknown, Forbidden)):  # else the match went on without it
                self.note_stuck(match_id, error)
        finally:
            known = self._tables.get(match_id)
            if known is not None and known.thinking == entry:
                known.thinking = -1

    async def wake(self, match_id: str) -> None:
        """A bot whose move is overdue, because its process died: think here."""
        try:
            async with self.at(match_id) as table:
                pass
            self.wake_bots(table)
        except LudusError as error:
            self.note_stuck(match_id, error)

    def note_stuck(self, match_id: str, error: LudusError) -> None:
        """A match that cannot be opened: say so once an hour, not twice a second."""
        now = time.monotonic()
        if now - self._warned.get(match_id, -1e9) > 3600:
            self._warned[match_id] = now
            logs.line("stuck", warning=True, match=match_id, problem=type(error).__name__)

    async def time_out(self, match_id: str) -> None:
        try:
            await self.change(match_id, commands.time_is_up)
        except LudusError as error:
            if isinstance(error, StoreDown):
                raise
            self.note_stuck(match_id, error)

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
        viewers = [v for v in self.all_viewers() if v.person is not None]
        wanted = list({v.person.session for v in viewers if v.person is not None})
        if not wanted:
            return
        live = await self.reading(self._live, wanted)
        for viewer in viewers:
            if viewer.person is not None and viewer.person.session not in live:
                viewer.close(4401, "logged out")

    def _live(self, wanted: list[str]) -> set[str]:
        with self.store.read() as db:
            return people.live_sessions(db, wanted, time.time())

    def gauges(self) -> dict[str, float]:
        return {
            "tables": len(self._tables),
            "viewers": len(self.all_viewers()),
            "bots_waiting": self.bots.waiting,
            "uptime_seconds": time.monotonic() - self.began,
        }


def require(person: Person | None) -> Person:
    if person is None:
        raise NoIdentity("this needs an identity: POST /api/guest first")
    if person.banned:
        raise Forbidden("this person was banned by the host")
    return person


def title_of(name: str) -> Any:
    """A title, or 404."""
    if name not in registry.title_names():
        raise Unknown(f"there is no title {name!r:.40}")
    try:
        return registry.title(name)
    except Exception as error:  # a title that is broken must not take the others with it
        logs.failure("title", error, title=name)
        raise Unknown(f"{name} cannot be played now") from None
