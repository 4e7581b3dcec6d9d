"""Faults: kill -9 in the middle of play, a database that goes away, a disk that is full.

No acknowledged move is lost, no half move stays, and matches go on.
"""

from __future__ import annotations

import asyncio
import random
import resource
import sqlite3
import uuid
from collections.abc import Callable, Coroutine
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx
import pytest

from ludus.server.testing import Client, Postgres, ServerProcess
from ludus.store import open_store
from ludus.store.verify import verify_all
from samples import SMALL


def run(work: Coroutine[Any, Any, None]) -> None:
    asyncio.run(work)


@dataclass
class Player:
    """Both seats of a match, played until told to stop; what was acknowledged is remembered."""

    match_id: str
    people: list[Client]
    acknowledged: dict[int, str] = field(default_factory=dict)  # entry -> action
    unanswered: dict[str, Any] | None = None

    async def step(self) -> None:
        """One move.  Raises when the server is gone; the command is kept and sent again later."""
        if self.unanswered is None:
            now = await self.people[0].get(f"/api/matches/{self.match_id}")
            if now["table"]["state"] != "running":
                return
            seat = now["table"]["to_move"]
            mine = await self.people[seat].get(f"/api/matches/{self.match_id}")
            action = random.choice(mine["legal"])["action"]
            self.unanswered = {
                "client": uuid.uuid4().hex,
                "seat": seat,
                "expect": now["entry"],
                "actions": [action],
            }
        body = self.unanswered
        answer = await self.people[body["seat"]].command(self.match_id, **body)
        if answer.status_code >= 500:
            raise httpx.ReadError("the server could not")
        assert answer.status_code == 200, answer.text
        self.acknowledged[body["expect"] + 1] = body["actions"][0]
        self.unanswered = None


async def new_player(url: str) -> Player:
    people = [await Client.guest(url) for _ in range(2)]
    wish = {"title": SMALL, "options": {"rounds": 20}}
    match_id = (await people[0].post("/api/matches", wish))["table"]["id"]
    await people[1].post(f"/api/matches/{match_id}/join")
    return Player(match_id, people)


async def play_until(players: list[Player], stop: asyncio.Event) -> None:
    async def one(player: Player) -> None:
        while not stop.is_set():
            try:
                await player.step()
            except (httpx.HTTPError, AssertionError) as error:
                if isinstance(error, AssertionError) and "50" not in str(error)[:3]:
                    raise
                await asyncio.sleep(0.02)

    await asyncio.gather(*(one(p) for p in players))


def check_records(db: str, players: list[Player]) -> int:
    """Every acknowledged move is there, nothing is there twice or half; how many moves that are."""
    store = open_store(db)
    try:
        found = verify_all(store, finished=True)
        assert found.passed, found.problems
        from ludus.store import records

        with store.read() as connection:
            for player in players:
                entries = records.entries_since(connection, player.match_id, 0)
                assert [e.number for e in entries] == list(range(1, len(entries) + 1))
                row = records.match_row(connection, player.match_id)
                assert row is not None and row.entries == len(entries)
                for number, action in player.acknowledged.items():
                    assert entries[number - 1].text == action, (player.match_id, number)
    finally:
        store.close()
    return sum(len(p.acknowledged) for p in players)


def test_kill_9_in_the_middle_of_play(
    db_path: str, many: Callable[[int], int], record_property: Callable[[str, object], None]
) -> None:
    process = ServerProcess(db_path)
    process.start()
    slowest = 0.0
    moves = 0

    async def work() -> None:
        nonlocal slowest, moves
        players = [await new_player(process.url) for _ in range(4)]
        for _ in range(many(50)):
            stop = asyncio.Event()
            playing = asyncio.create_task(play_until(players, stop))
            await asyncio.sleep(random.uniform(0.1, 0.6))
            process.kill()
            stop.set()
            await playing
            moves = check_records(db_path, players)
            slowest = max(slowest, await asyncio.to_thread(process.start))
            for player in players:  # what was not answered is sent again, and happens once
                await player.step()
            check_records(db_path, players)
            players = [p if len(p.acknowledged) < 80 else await new_player(process.url) for p in players]

    try:
        run(work())
        assert process.stop() in (0, -15)
    finally:
        process.kill()
    record_property("slowest_start_seconds", round(slowest, 2))
    assert moves > 0


def test_a_database_that_goes_away_and_comes_back(cluster: Postgres, tmp_path: Path) -> None:
    db = cluster.new_database()
    process = ServerProcess(db, log=tmp_path / "log")
    process.start()

    async def work() -> None:
        players = [await new_player(process.url) for _ in range(3)]
        async with players[0].people[1].watch(players[0].match_id, seat=1) as socket:
            await socket.wait_for("state")
            for player in players:
                for _ in range(3):
                    await player.step()
            cluster.stop()
            answer = await players[1].people[0].request("GET", f"/api/matches/{players[1].match_id}")
            assert answer.status_code == 503 and answer.headers["retry-after"] == "1"
            assert (await players[0].people[0].request("GET", "/healthz")).status_code == 503
            for player in players:
                with pytest.raises((httpx.HTTPError, AssertionError)):
                    await player.step()
            cluster.start()
            for player in players:
                for _ in range(200):
                    try:
                        await player.step()
                        break
                    except (httpx.HTTPError, AssertionError):
                        await asyncio.sleep(0.05)
                assert player.unanswered is None, "the match goes on"
            for player in players:
                for _ in range(5):
                    await player.step()
            # The socket that stayed open is told what happened, all of it.
            last = (await players[0].people[0].get(f"/api/matches/{players[0].match_id}"))["entry"]
            entry = 0
            while entry < last:
                told = await socket.wait_for("entries")
                assert told["since"] <= entry or entry == 0
                entry = told["table"]["entries"]
        check_records(db, players)

    try:
        run(work())
    finally:
        process.kill()
        if cluster.process is None:
            cluster.start()
    assert '"event": "fault"' not in (tmp_path / "log").read_text(encoding="utf-8")


def test_a_full_disk(db_path: str, tmp_path: Path) -> None:
    """The server's files may not grow any more, as on a full disk; then there is room again."""
    process = ServerProcess(db_path, log=None)
    process.start()
    assert process.process is not None
    pid, unlimited = process.process.pid, (resource.RLIM_INFINITY, resource.RLIM_INFINITY)

    async def work() -> None:
        players = [await new_player(process.url) for _ in range(2)]
        for player in players:
            for _ in range(5):
                await player.step()
        full = max(Path(db_path).stat().st_size, Path(f"{db_path}-wal").stat().st_size)
        resource.prlimit(pid, resource.RLIMIT_FSIZE, (full, resource.RLIM_INFINITY))
        refused = 0
        for _ in range(80):
            for player in players:
                try:
                    await player.step()
                except httpx.HTTPError:
                    refused += 1
            if refused > 4:
                break
        assert refused, "the disk was never full"
        answer = await players[0].people[0].request("GET", f"/api/matches/{players[0].match_id}")
        assert answer.status_code == 200, "reading goes on"
        resource.prlimit(pid, resource.RLIMIT_FSIZE, unlimited)
        for player in players:
            for _ in range(5):
                await player.step()
        check_records(db_path, players)

    try:
        run(work())
    finally:
        process.kill()
    with sqlite3.connect(db_path) as db:
        assert db.execute("PRAGMA integrity_check").fetchone() == ("ok",)


def test_a_server_that_is_asked_to_stop_lets_everybody_go_politely(db_path: str) -> None:
    process = ServerProcess(db_path)
    process.start()

    async def work() -> None:
        player = await new_player(process.url)
        async with player.people[0].watch(player.match_id) as socket:
            await socket.wait_for("state")
            await player.step()
            status = await asyncio.to_thread(process.stop)
            assert status in (0, -15)
            from websockets.exceptions import ConnectionClosed

            with pytest.raises(ConnectionClosed) as closed:
                while True:
                    await socket.receive()
            assert closed.value.rcvd is not None and closed.value.rcvd.code == 1012
        check_records(db_path, [player])

    run(work())
