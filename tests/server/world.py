"""A small world for the model test: two applications on one database, people, matches and who watches.

`World.settle` is the comparison that follows every step.  The model of a match is a list of entries: those
that were acknowledged.  What the database holds, what each application remembers and all that anybody was
told must be that list, and nothing else.
"""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from ludus.core.chance import CHANCE
from ludus.core.errors import LudusError
from ludus.match.entries import HOUSE, Entry, read_house
from ludus.match.match import Match
from ludus.server.settings import Settings
from ludus.server.testing import Client
from ludus.store import open_store, records
from ludus.store.opening import empty_match
from ludus.store.verify import verify_all
from samples import LARGE, SMALL
from server.inside import PATIENCE, Closed, Inside, InsideSocket, Thought

PROCESSES = 2
PEOPLE = 4
TABLES = 1  # kept in memory beside those that somebody watches
ME, OPEN, SCREEN = {"kind": "me"}, {"kind": "open"}, {"kind": "screen"}
LONG = {"title": SMALL, "options": {"rounds": 20}}
# What is played: mostly the smallest title; three seats, so that some may leave; one with decks and secrets.
WISHES: tuple[dict[str, Any], ...] = (
    {**LONG, "seats": [ME, OPEN]},
    {**LONG, "seats": [ME, OPEN, OPEN]},
    {**LONG, "seats": [ME, SCREEN]},
    {"title": LARGE, "seats": [ME, OPEN]},
)
# What may follow an entry that somebody asked for, without having been asked for itself.
CONSEQUENCES = ("undo", "draw", "take_over", "vote")

Signature = list[tuple[int, str]]  # who and how the text begins, of the entries that a command makes


class Broken(AssertionError):
    """What is told, stored and remembered is not the same."""


def require(truth: object, *what: object) -> None:
    if not truth:
        raise Broken(*what)


@dataclass(frozen=True)
class Sent:
    """A command, and who sent it."""

    person: int
    body: dict[str, Any]
    signature: Signature = field(default_factory=list)

    @property
    def client(self) -> str:
        return str(self.body["client"])


@dataclass(frozen=True)
class Reply:
    """What was answered, by HTTP or socket alike."""

    ok: bool
    repeated: bool
    entry: int
    error: str


@dataclass
class Known:
    """A match as the model knows it."""

    id: str
    shadow: Match  # plays every stored entry again: what may be played, and by whom
    entries: list[Entry] = field(default_factory=list)
    holders: list[str | None] = field(default_factory=list)
    kinds: list[str] = field(default_factory=list)
    acknowledged: dict[tuple[int, str], Sent] = field(default_factory=dict)
    chat: list[str] = field(default_factory=list)
    told: dict[tuple[int | None, str], dict[int, dict[str, Any]]] = field(default_factory=dict)
    compared: dict[tuple[int | None, str], int] = field(default_factory=dict)

    @property
    def over(self) -> bool:
        return self.shadow.over

    @property
    def closed(self) -> bool:
        """Only bots are left: nobody can come any more."""
        return not self.over and all(kind == "bot" for kind in self.kinds)

    def seat_of(self, person_id: str) -> int | None:
        return next((s for s, holder in enumerate(self.holders) if holder == person_id), None)


@dataclass
class Viewer:
    """A socket, and all it was told."""

    known: Known
    process: int
    person: int | None
    lang: str
    socket: InsideSocket
    eye: int | None = None
    last: int = 0  # the last entry it was told
    lines: set[int] = field(default_factory=set)
    answers: list[dict[str, Any]] = field(default_factory=list)


@dataclass
class Pending:
    """A bot that waits for leave to think."""

    gate: asyncio.Future[int]
    task: asyncio.Task[Any]
    job: dict[str, Any]
    process: int


class World:
    """Everything that a run of the model has."""

    def __init__(self, db: Path, threads: bool) -> None:
        self.db, self.threads = db, threads
        self.settings = Settings(
            db=str(db), log="off", limits=False, tables=TABLES, bot_workers=1, form="plain"
        )
        self.eye_of_truth = sqlite3.connect(db, isolation_level=None)
        self.store = open_store(str(db), migrate=False)
        self.processes: list[Inside] = []
        self.people: list[Client] = []
        self.matches: dict[int, Known] = {}
        self.past: list[Known] = []
        self.decoys: list[str] = []
        self.viewers: list[Viewer] = []
        self.thinking: list[Pending] = []
        self.sent = self.steps = 0

    # -- beginning and ending -------------------------------------------------------------------------------

    async def begin(self) -> None:
        for number in range(PROCESSES):
            self.processes.append(self._process(number))
        self.people = [await self.processes[0].guest() for _ in range(PEOPLE)]

    def _process(self, number: int) -> Inside:
        made = Inside(self.settings, self.threads)

        async def think(job: dict[str, Any]) -> Thought:
            task = asyncio.current_task()
            assert task is not None
            gate: asyncio.Future[int] = asyncio.get_running_loop().create_future()
            waiting = Pending(gate, task, job, number)
            self.thinking.append(waiting)
            try:
                choice = await gate
            finally:
                self.thinking.remove(waiting)
            return Thought(job["legal"][choice % len(job["legal"])], "played")

        made.think_by(think)
        return made

    async def match(self, kind: int) -> Known:
        """The match of a kind that is being played; a new one when the last is over."""
        kind %= len(WISHES)
        known = self.matches.get(kind)
        if known is None or known.over or known.closed:
            if known is not None:
                await self._retire(known)
            known = self.matches[kind] = await self._new_match(kind)
        return known

    async def _new_match(self, kind: int) -> Known:
        wish = WISHES[kind]
        made = await self.people[0].post("/api/matches", wish)
        match_id = made["table"]["id"]
        for person in self.people[1 : 1 + wish["seats"].count(OPEN)]:
            await person.post(f"/api/matches/{match_id}/join")
        with self.store.read() as db:
            row, seats = records.match_row(db, match_id), records.seat_rows(db, match_id)
        known = Known(match_id, empty_match(row, seats))
        self._read_seats(known)
        self.matches[kind] = known
        first = self._stored(known)  # what is dealt before anybody plays
        require(all(entry.who == CHANCE for entry in first), "somebody played before the match began", first)
        self._learn(known, first)
        for seat in range(len(known.holders)):
            await self.watch(known, seat % PROCESSES, self.person_at(known, seat), seat=seat)
        await self.watch(known, kind % PROCESSES, None, lang="it")
        return known

    async def _retire(self, known: Known) -> None:
        for viewer in [v for v in self.viewers if v.known is known]:
            await self.unwatch(viewer)
        self.past.append(known)

    async def restart(self, number: int) -> None:
        """A process ends and another begins; who watched comes back with the last entry it has."""
        number %= PROCESSES
        watched = [v for v in self.viewers if v.process == number]
        for viewer in watched:
            await self.unwatch(viewer)
        await self.processes[number].close()
        self.processes[number] = self._process(number)
        if number == 0:
            self.people = [self._again(person) for person in self.people]
        for old in watched:
            await self.watch(old.known, number, old.person, old.eye, old.lang, old.last)

    def _again(self, person: Client) -> Client:
        client = self.processes[0].client(person.token)
        client.id, client.name = person.id, person.name
        return client

    async def crowd_out(self, number: int) -> None:
        """Ask a process for so many other matches that it forgets those that nobody watches."""
        while len(self.decoys) < 2 * TABLES + 1:
            made = await self.people[0].post("/api/matches", {"title": SMALL, "seats": [ME, SCREEN]})
            self.decoys.append(made["table"]["id"])
        for match_id in self.decoys:
            await self.client(number, 0).get(f"/api/matches/{match_id}")

    async def end(self) -> None:
        """What everybody was told is what a server tells that has just been started."""
        for known in self.matches.values():
            await self._retire(known)
        for process in self.processes:
            await process.close()
        self.processes = [Inside(self.settings, self.threads)]
        self.people = [self._again(person) for person in self.people]
        try:
            for known in self.past:
                await self._compare_stories(known, whole=True)
        finally:
            await self.processes[0].close()
        found = verify_all(self.store, finished=True)
        require(found.passed, found.problems)

    async def drop(self) -> None:
        """Whatever fails: let go of everything."""
        for viewer in list(self.viewers):
            viewer.socket.task.cancel()
        for process in self.processes:
            await process.close()

    def close(self) -> None:
        self.eye_of_truth.close()
        self.store.close()

    # -- people ---------------------------------------------------------------------------------------------

    def client(self, process: int, person: int) -> Client:
        return self.processes[process % PROCESSES].client(self.people[person].token)

    def person_at(self, known: Known, seat: int) -> int | None:
        """Who sits there, by number."""
        holder = known.holders[seat]
        return next((k for k, p in enumerate(self.people) if p.id == holder), None)

    def mover(self, known: Known) -> tuple[int, int | None]:
        """The seat to move and who sits there; nobody, when it is a bot's or free."""
        seat = known.shadow.game.to_move
        return seat, None if seat < 0 else self.person_at(known, seat)

    def new_client(self) -> str:
        self.sent += 1
        return f"c{self.sent}"

    async def send(self, known: Known, sent: Sent, process: int, by_socket: bool = False) -> Reply:
        """Send a command; whatever is answered is noted as told."""
        mine = [
            v
            for v in self.viewers
            if v.known is known and v.process == process % PROCESSES and v.person == sent.person
        ]
        if by_socket and mine:
            viewer = mine[0]
            viewer.socket.send(type="command", **sent.body)
            while not viewer.answers:
                self._note(viewer, await viewer.socket.receive())
            answer = viewer.answers.pop(0)
            state = answer.get("state")
            reply = Reply(
                answer["ok"], answer.get("repeated", False), answer.get("entry", 0), answer.get("error", "")
            )
        else:
            client = self.client(process, sent.person)
            got = await client.command(known.id, **sent.body)
            answer = got.json()
            state = answer.get("state")
            reply = Reply(
                got.status_code == 200,
                answer.get("repeated", False),
                answer.get("entry", 0),
                answer.get("error", ""),
            )
        require(reply.error != "fault", "a fault of the server", sent)
        if state is not None and state.get("view") is not None:
            self._note_view(known, state["eye"], state["entry"], state["view"])
        return reply

    # -- who watches ----------------------------------------------------------------------------------------

    async def watch(
        self,
        known: Known,
        process: int,
        person: int | None,
        seat: int | None = None,
        lang: str = "en",
        since: int | None = None,
    ) -> None:
        process %= PROCESSES
        token = None if person is None else self.people[person].token
        if seat is None and person is not None:  # whose eyes, when nothing is said: one's own
            seat = known.seat_of(self.people[person].id)
        socket = self.processes[process].socket(known.id, token, seat=seat, since=since, lang=lang)
        viewer = Viewer(known, process, person, lang, socket, eye=seat, last=since or 0)
        self.viewers.append(viewer)
        await self._hear_out(viewer)

    async def unwatch(self, viewer: Viewer) -> None:
        self.viewers.remove(viewer)
        await viewer.socket.close()

    async def look(self, viewer: Viewer, seat: int) -> None:
        """Through the eyes of a seat that its person has taken now."""
        viewer.socket.send(type="look", seat=seat)
        await self._hear_out(viewer)
        viewer.answers.clear()

    async def _hear_out(self, viewer: Viewer) -> None:
        """Receive all that was told before now: the answer to a ping comes behind it."""
        viewer.socket.send(type="ping")
        try:
            while True:
                message = await viewer.socket.receive()
                if message["type"] == "answer" and message["to"] == "ping":
                    return
                self._note(viewer, message)
        except Closed as closed:
            raise Broken("a socket was closed", closed.code, viewer) from None

    def _note(self, viewer: Viewer, message: dict[str, Any]) -> None:
        """Whatever anybody is told goes through here."""
        known, kind = viewer.known, message["type"]
        stored = self._count(known)
        if "table" in message:
            said = message["table"]["entries"]
            require(said <= stored, f"told of {said} entries, {stored} are stored", message)
        if kind == "state":
            viewer.eye, viewer.last = message["eye"], message["entry"]
            require(message["entry"] <= stored, "told and not stored", message["entry"], stored)
            self._note_view(known, viewer.eye, message["entry"], message["view"])
        elif kind == "entries":
            numbers = [entry["n"] for entry in message["entries"]]
            require(message["since"] <= viewer.last, "a gap in what was told", viewer.last, message["since"])
            require(
                numbers == list(range(message["since"] + 1, message["since"] + 1 + len(numbers))),
                "what is told has gaps",
                message["since"],
                numbers,
            )
            for entry in message["entries"]:
                self._note_entry(known, viewer.eye, viewer.lang, entry, stored)
            viewer.last = max([viewer.last, *numbers])
        elif kind == "chat":
            line = message["line"]
            row = self.eye_of_truth.execute(
                "SELECT text FROM chat WHERE match_id = ? AND number = ?", (known.id, line["n"])
            ).fetchone()
            require(row == (line["text"],), "a line was told that is not stored", line)
            require(line["n"] > max(viewer.lines, default=0), "a line was told twice, or late", line)
            viewer.lines.add(line["n"])
        elif kind == "answer":
            viewer.answers.append(message)
        else:
            require(kind == "table", "told something that nobody knows", message)

    def _note_entry(
        self, known: Known, eye: int | None, lang: str, entry: dict[str, Any], stored: int
    ) -> None:
        require(entry["n"] <= stored, "told and not stored", entry["n"], entry["text"], stored)
        entry = _lasting(entry)
        before = known.told.setdefault((eye, lang), {}).setdefault(entry["n"], entry)
        require(before == entry, "told twice, and not the same", eye, before, entry)
        self._note_view(known, eye, entry["n"], entry["view"])

    def _note_view(self, known: Known, eye: int | None, number: int, view: dict[str, Any]) -> None:
        stored = self._count(known)
        require(number <= stored, "a view of what is not stored", number, stored)
        for (other, _), entries in known.told.items():
            if other == eye and number in entries:
                require(
                    entries[number]["view"] == view, "two views of one moment", eye, entries[number], view
                )

    # -- the comparison -------------------------------------------------------------------------------------

    async def say(self, known: Known, person: int, process: int) -> None:
        """A line of chat: stored, and told to those who may read it, once."""
        text = f"line {self.new_client()}"
        answer = await self.client(process, person).request(
            "POST", f"/api/matches/{known.id}/chat", {"text": text}
        )
        query = "SELECT number, room FROM chat WHERE match_id = ? AND text = ?"
        rows = self.eye_of_truth.execute(query, (known.id, text)).fetchall()
        require(len(rows) == answer.is_success, "said, and stored so often", rows, answer.text)
        await self.settle(known)
        for number, room in rows:
            for viewer in self.viewers:
                mine = viewer.person is None if room == "gallery" else viewer.eye is not None
                if viewer.known is known and mine:
                    require(number in viewer.lines or known.over, "a line was not told", number, viewer)

    async def let_think(self, choice: int) -> None:
        """One bot that waits plays; what it thought may be too late, and is then nothing."""
        if not self.thinking:
            return
        bot = self.thinking[choice % len(self.thinking)]
        bot.gate.set_result(choice)
        await asyncio.wait({bot.task}, timeout=PATIENCE)
        legal, known = bot.job["legal"], self._grown()
        if known is not None:
            done = [(bot.job["seat"], legal[choice % len(legal)])]
            await self.settle(known, done=[(known, done)])

    def _grown(self) -> Known | None:
        """The match in which something has happened since the last comparison."""
        return next((k for k in self.matches.values() if self._count(k) > len(k.entries)), None)

    async def settle(self, *touched: Known, done: Sequence[tuple[Known, Signature]] = ()) -> None:
        """After a step: database, memory and what was told are the model, which grows by what was `done`."""
        self.steps += 1
        for known in self.matches.values():
            new = self._compare_database(known)
            self._explain(known, new, [signature for k, signature in done if k is known])
            self._learn(known, new)
            self._compare_memory(known)
        for process in self.processes:
            await process.hear()
        for viewer in self.viewers:
            if viewer.known in touched:
                await self._hear_out(viewer)
            while viewer.socket.waiting() or viewer.last < len(viewer.known.entries):
                self._note(viewer, await viewer.socket.receive())
            require(not viewer.answers, "an answer that nobody asked for", viewer.answers)
        for known in self.matches.values():
            self._compare_memory(known)
            if known in touched:
                await self._compare_stories(known)

    def _count(self, known: Known) -> int:
        query = "SELECT count(*) FROM entries WHERE match_id = ?"
        return int(self.eye_of_truth.execute(query, (known.id,)).fetchone()[0])

    def _stored(self, known: Known) -> list[Entry]:
        query = "SELECT number, who, text FROM entries WHERE match_id = ? ORDER BY number"
        return [Entry(*row) for row in self.eye_of_truth.execute(query, (known.id,))]

    def _compare_database(self, known: Known) -> list[Entry]:
        """What is stored begins with the model and has no gaps; what came to it."""
        stored = self._stored(known)
        numbers = [entry.number for entry in stored]
        require(numbers == list(range(1, len(numbers) + 1)), "the record has gaps", numbers)
        old = stored[: len(known.entries)]
        require(old == known.entries, "what was acknowledged is not stored", old[-3:], known.entries[-3:])
        (entries,) = self.eye_of_truth.execute(
            "SELECT entries FROM matches WHERE id = ?", (known.id,)
        ).fetchone()
        require(entries == len(stored), "the row of the match counts otherwise", entries, len(stored))
        return stored[len(known.entries) :]

    def _explain(self, known: Known, new: list[Entry], done: Sequence[Signature]) -> None:
        """Every new entry was asked for, or follows from one that was; all that was done is there, once."""
        left = [list(signature) for signature in done]
        for entry in new:
            asked = next(
                (s for s in left if s and entry.who == s[0][0] and entry.text.startswith(s[0][1])), None
            )
            if asked is not None:
                asked.pop(0)
                continue
            follows = entry.who == CHANCE or (
                entry.who == HOUSE and read_house(entry.text)[0] in CONSEQUENCES
            )
            require(done and follows, "nobody did what is stored", entry, done)
        require(not any(left), "acknowledged, and not stored", left, new)

    def _learn(self, known: Known, new: list[Entry]) -> None:
        """Play what is new again: it must be possible, and lead to the position that is stored."""
        for entry in new:
            try:
                known.shadow.read_entry(entry)
            except LudusError as error:
                raise Broken("what is stored could not have happened", entry, str(error)) from None
            known.entries.append(entry)
        state, at, mover = self.eye_of_truth.execute(
            "SELECT state, hash, to_move FROM matches WHERE id = ?", (known.id,)
        ).fetchone()
        require(known.shadow.game.hash() == at, "another position is stored", known.entries[-3:])
        require((state == "over") == known.over, "the match is said to be", state)
        if not known.over:
            require(mover == known.shadow.game.to_move, "another seat is said to move", mover)
        self._read_seats(known)
        require((state == "closed") == known.closed, "the match is said to be", state, known.kinds)

    def _read_seats(self, known: Known) -> None:
        rows = self.eye_of_truth.execute(
            "SELECT kind, person_id FROM seats WHERE match_id = ? ORDER BY seat", (known.id,)
        ).fetchall()
        known.kinds, known.holders = [row[0] for row in rows], [row[1] for row in rows]

    def _compare_memory(self, known: Known) -> None:
        """What a process remembers is the record, or an earlier state of it that it will look up again."""
        for process in self.processes:
            remembered = process.remembered(known.id)
            if remembered is not None:
                require(
                    remembered == known.entries[: len(remembered)],
                    "remembered and not stored",
                    remembered[-3:],
                    known.entries[-3:],
                )

    async def _compare_stories(self, known: Known, whole: bool = False) -> None:
        """Who asks is told what others were told by socket: one eye after a step, in turn; at the end all."""
        eyes = list(known.told)
        for eye, lang in eyes if whole else eyes[self.steps % max(1, len(eyes)) :][:1]:
            person = None if eye is None else self.person_at(known, eye)
            since = 0 if whole else known.compared.get((eye, lang), 0)
            if since == len(known.entries) or (eye is not None and person is None):
                continue  # nothing is new, or nobody may look through this eye now
            asked = self.processes[self.steps % len(self.processes)]
            client = asked.client() if person is None else asked.client(self.people[person].token)
            seat = "" if eye is None else f"&seat={eye}"
            story: list[dict[str, Any]] = []
            while since + len(story) < len(known.entries):  # a long one comes in parts
                asked_since = f"since={since + len(story)}&lang={lang}{seat}"
                part = (await client.get(f"/api/matches/{known.id}/entries?{asked_since}"))["entries"]
                numbers = [entry["n"] for entry in part]
                first = since + len(story) + 1
                require(part and numbers == list(range(first, first + len(part))), "gaps", since, numbers)
                story += part
            for told in story:
                require(told["stands"] == known.shadow.stands(told["n"]), "it stands, or not", told)
                entry = _lasting(told)
                before = known.told[eye, lang].setdefault(entry["n"], entry)
                require(before == entry, "the story is not what was told", eye, before, entry)
            known.compared[eye, lang] = len(known.entries)


def _lasting(entry: dict[str, Any]) -> dict[str, Any]:
    """What is told of an entry for ever.  It may be taken back later; and sentences name who sits there now,
    and tell dice together that were told together."""
    return {key: value for key, value in entry.items() if key not in ("log", "news", "heading", "stands")}
