"""A stranger asks for long stories: nobody waits for them but the stranger, and no clock stands still.

Time is not measured here.  What is told of the beginning of a match is made slow: who makes it outside the
loop waits until the test says so, and meanwhile everything else must come to an end; who makes it in the loop
may make only little before others have their turn.
"""

from __future__ import annotations

import asyncio
import sqlite3
import threading
from collections.abc import Callable, Coroutine, Iterator
from pathlib import Path
from typing import Any

import pytest

import ludus
from ludus.core.game import Game
from ludus.server.settings import Settings
from ludus.server.testing import Client
from samples import SMALL
from server.inside import Inside

PATIENCE = 10.0  # s; nothing is measured by it: only what never comes takes so long
STRANGERS = 20
AT_ONCE = 8  # stories that one asker may have made at the same time, at most
IN_ONE_GO = 64  # views that may be made in the loop before others have their turn
LONG = {"title": SMALL, "options": {"rounds": 20}}
FIRST = "stake 5"  # how every match here begins; nobody says so later


def run(work: Coroutine[Any, Any, None]) -> None:
    asyncio.run(work)


class Slow:
    """Views of a first round and faces of a first action wait until they are released."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.released = threading.Event()
        self.inside = self.most = 0  # how many wait now; at once, at most
        self.in_one_go = 0
        self._guard = threading.Lock()
        self._loop_thread = threading.get_ident()
        self._tick = self._made = 0
        title = ludus.title(SMALL)
        view, face = title.talk.view, Game.face

        def slow_view(sight: Any) -> Any:
            self._pass(sight.s.round == 1)
            return view(sight)

        def slow_face(game: Any, played: Any, seat: int) -> Any:
            self._pass(title.codes.text(played.code, game.labels) == FIRST)
            return face(game, played, seat)

        monkeypatch.setattr(title.talk, "view", slow_view)
        monkeypatch.setattr(Game, "face", slow_face)

    def _pass(self, old: bool) -> None:
        if threading.get_ident() == self._loop_thread:
            self._made += 1
            self.in_one_go = max(self.in_one_go, self._made)
        elif old and not self.released.is_set():
            with self._guard:
                self.inside += 1
                self.most = max(self.most, self.inside)
            self.released.wait(PATIENCE * 2)
            with self._guard:
                self.inside -= 1

    async def count_turns(self) -> None:
        """Runs in the loop: whenever it does, others have had their turn."""
        while True:
            self._made = 0
            await asyncio.sleep(0.001)

    async def until_begun(self, asking: list[asyncio.Task[Any]]) -> None:
        """Until a story waits, or none will: all who asked are answered."""
        while not self.inside and not all(task.done() for task in asking):
            await asyncio.sleep(0.005)


@pytest.fixture
def slow(monkeypatch: pytest.MonkeyPatch) -> Iterator[Slow]:
    found = Slow(monkeypatch)
    yield found
    found.released.set()


async def begin(process: Inside, **wish: Any) -> tuple[str, list[Client]]:
    """A match of two, whose first entry is made."""
    people = [await process.guest("192.0.2.1"), await process.guest("192.0.2.2")]
    match_id = (await people[0].post("/api/matches", {**LONG, **wish}))["table"]["id"]
    await people[1].post(f"/api/matches/{match_id}/join")
    assert (await people[0].command(match_id, expect=0, actions=[FIRST])).status_code == 200
    return match_id, people


async def play_long(match_id: str, people: list[Client]) -> int:
    """Into the second round, and there to and fro; how many entries that are."""
    for seat, actions in ((0, ["show 1", "guess 6"]), (1, ["show 1"]), (1, ["guess 6"]), (1, ["stake 1"])):
        now = int((await people[seat].get(f"/api/matches/{match_id}"))["entry"])
        assert (await people[seat].command(match_id, expect=now, actions=actions)).status_code == 200
    now += 1
    for _ in range(60):
        play = {"expect": now, "actions": ["show 1", "guess 2"]}
        assert (await people[1].command(match_id, **play)).status_code == 200
        back = {"do": "undo", "expect": now + 2, "to": now}
        assert (await people[1].command(match_id, **back)).status_code == 200
        now += 3
    return now


async def waits_for_nobody(what: str, work: Coroutine[Any, Any, Any]) -> Any:
    try:
        return await asyncio.wait_for(work, PATIENCE)
    except TimeoutError:
        raise AssertionError(f"{what} waits for a stranger's story") from None


Asking = Callable[[Inside, str], Coroutine[Any, Any, Any]]


async def entries(process: Inside, match_id: str) -> Any:
    return await process.client().request("GET", f"/api/matches/{match_id}/entries")


async def moment(process: Inside, match_id: str) -> Any:
    return await process.client().request("GET", f"/api/matches/{match_id}/moments/1")


async def file(process: Inside, match_id: str) -> Any:
    return await process.client().request("GET", f"/api/matches/{match_id}/file")


async def socket(process: Inside, match_id: str) -> Any:
    line = process.socket(match_id, None, since=0)
    try:
        return await line.receive()
    finally:
        await line.close()


@pytest.mark.parametrize("ask", [entries, moment, file, socket])
def test_a_seat_moves_while_strangers_ask_for_stories(tmp_path: Path, slow: Slow, ask: Asking) -> None:
    async def work() -> None:
        process = Inside(
            Settings(db=str(tmp_path / "l.db"), log="off", limits=False, bot_workers=1, form="plain")
        )
        slow.released.set()
        match_id, people = await begin(process)
        now = await play_long(match_id, people)
        slow.released.clear()
        slow.in_one_go = 0
        turns = asyncio.create_task(slow.count_turns())
        asking = [asyncio.create_task(ask(process, match_id)) for _ in range(STRANGERS)]
        await slow.until_begun(asking)
        try:
            for seat in (0, 1):
                path = f"/api/matches/{match_id}?seat={seat}"
                state = await waits_for_nobody("a look at the table", people[seat].get(path))
                assert state["entry"] == now
            body = {"expect": now, "actions": ["show 4", "guess 8"]}
            answer = await waits_for_nobody("a move", people[1].command(match_id, **body))
            assert answer.status_code == 200, answer.text
            assert answer.json()["entry"] > now
        finally:
            slow.released.set()
            got = await asyncio.gather(*asking, return_exceptions=True)
            turns.cancel()
            await process.close()
        assert not [answer for answer in got if isinstance(answer, BaseException)]
        assert slow.in_one_go <= IN_ONE_GO, "others wait while a story is made in the loop"

    run(work())


def test_clocks_run_while_strangers_ask_for_stories(tmp_path: Path, slow: Slow) -> None:
    """Of the match that they ask for, and of another one whose time is up later."""

    async def work() -> None:
        db = tmp_path / "c.db"
        process = Inside(Settings(db=str(db), log="off", limits=False, bot_workers=1, form="plain", grace=0))
        async with process.living():
            slow.released.set()
            clock = {"kind": "move", "seconds": 5}
            asked_for, _ = await begin(process, clock=clock)
            other, _ = await begin(process, clock=clock)
            slow.released.clear()
            asking = [asyncio.create_task(entries(process, asked_for)) for _ in range(STRANGERS)]
            await slow.until_begun(asking)
            try:
                for match_id in (asked_for, other):
                    await waits_for_nobody("a clock", timed_out(db, match_id))
            finally:
                slow.released.set()
                await asyncio.gather(*asking)

    async def timed_out(db: Path, match_id: str) -> None:
        query = "SELECT count(*) FROM entries WHERE match_id = ? AND text LIKE 'time_out%'"
        with sqlite3.connect(db) as connection:
            while connection.execute(query, (match_id,)).fetchone() != (1,):
                await asyncio.sleep(0.05)

    run(work())


def test_one_asker_has_few_stories_made_at_once(tmp_path: Path, slow: Slow) -> None:
    """However many matches it asks for; meanwhile everybody else reads, makes matches and plays."""

    async def work() -> None:
        db = str(tmp_path / "m.db")
        unlimited = Inside(Settings(db=db, log="off", limits=False, bot_workers=1, form="plain"))
        slow.released.set()
        matches = [(await begin(unlimited))[0] for _ in range(STRANGERS)]
        await unlimited.close()
        slow.released.clear()
        process = Inside(Settings(db=db, log="off", limits=True, bot_workers=1, form="plain"))
        asking = [asyncio.create_task(entries(process, match_id)) for match_id in matches]
        await slow.until_begun(asking)
        try:
            await waits_for_nobody("everybody", somebody_plays(process))
        finally:
            slow.released.set()
            answers = await asyncio.gather(*asking)
            await process.close()
        assert {answer.status_code for answer in answers} <= {200, 429}
        assert any(answer.status_code == 200 for answer in answers)
        assert slow.most <= AT_ONCE, f"{slow.most} stories for one asker at once"

    async def somebody_plays(process: Inside) -> None:
        people = [await process.guest("192.0.2.7"), await process.guest("192.0.2.8")]
        for path in ("/api/me", "/api/matches", "/api/matches/live", "/api/matches/open", "/healthz"):
            assert (await people[0].request("GET", path)).status_code == 200
        match_id = (await people[0].post("/api/matches", LONG))["table"]["id"]
        await people[1].post(f"/api/matches/{match_id}/join")
        answer = await people[0].command(match_id, expect=0, actions=["stake 2", "show 1", "guess 2"])
        assert answer.status_code == 200, answer.text

    run(work())
