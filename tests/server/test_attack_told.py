"""What is told is what is stored: the attacks that once told something else, by a real server and sockets.

A used id with the present `expect` was answered, told to everybody and not stored: the match broke at the
next start, and who had seen cards or dice that way could have the table dropped and choose anew.
"""

from __future__ import annotations

import asyncio
import random
import sqlite3
from collections.abc import Callable, Coroutine, Iterator
from contextlib import AsyncExitStack
from typing import Any

import pytest

from ludus.server.testing import Client, ServerProcess, Socket
from ludus.store import open_store, records
from ludus.store.opening import verify_match
from samples import LARGE, SMALL
from server.conftest import HERE, SETTINGS

TABLES = 2  # kept in memory: who asks for as many others has one dropped


def run(work: Coroutine[Any, Any, None]) -> None:
    asyncio.run(work)


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    """A server that keeps few tables in memory."""
    folder = tmp_path_factory.mktemp("small")
    settings = {**SETTINGS, "tables": str(TABLES)}
    with ServerProcess(str(folder / "ludus.db"), settings, log=folder / "log", paths=[HERE]) as process:
        yield process
    log = (folder / "log").read_text(encoding="utf-8")
    assert '"event": "fault"' not in log, log[-2000:]


async def begin(url: str, title: str = SMALL, **wish: Any) -> tuple[str, list[Client]]:
    people = [await Client.guest(url) for _ in range(2)]
    match_id = (await people[0].post("/api/matches", {"title": title, **wish}))["table"]["id"]
    await people[1].post(f"/api/matches/{match_id}/join")
    return match_id, people


async def drop_the_table(somebody: Client, match_id: str) -> None:
    """Anybody can do that: ask for other matches."""
    for _ in range(TABLES):
        wish = {"title": SMALL, "seats": [{"kind": "me"}, {"kind": "screen"}]}
        await somebody.get(f"/api/matches/{(await somebody.post('/api/matches', wish))['table']['id']}")


def stored(db: str, match_id: str) -> list[tuple[int, str]]:
    with sqlite3.connect(db) as connection:
        query = "SELECT number, text FROM entries WHERE match_id = ? ORDER BY number"
        return list(connection.execute(query, (match_id,)))


def check_record(db: str, match_id: str) -> None:
    """It replays, from its first entry to the position that is stored."""
    store = open_store(db)
    try:
        with store.read() as connection:
            assert verify_match(connection, records.match_row(connection, match_id)) == ""
    finally:
        store.close()


async def told_so_far(socket: Socket) -> list[dict[str, Any]]:
    """Every entry in what has come until now."""
    await socket.send(type="ping")
    entries: list[dict[str, Any]] = []
    while True:
        message = await socket.receive()
        entries += message.get("entries", [])
        if message["type"] == "answer" and message["to"] == "ping":
            return entries


async def by_http(person: Client, match_id: str, _socket: Socket, body: dict[str, Any]) -> dict[str, Any]:
    answer = await person.command(match_id, **body)
    return {"ok": answer.status_code == 200, **answer.json()}


async def by_socket(_person: Client, _match_id: str, socket: Socket, body: dict[str, Any]) -> dict[str, Any]:
    return await socket.command(**body)


Sending = Callable[[Client, str, Socket, dict[str, Any]], Coroutine[Any, Any, dict[str, Any]]]


ATTACKS: dict[str, dict[str, Any]] = {
    "play": {"actions": ["show 2"]},
    "undo": {"do": "undo", "to": 0},
    "propose": {"do": "propose", "kind": "draw"},
    "leave": {"do": "leave"},
}


async def attack(server: ServerProcess, send: Sending, do: str) -> tuple[str, list[Client]]:
    """A used id and the present `expect`: nothing happens, nobody is told, and play goes on."""
    match_id, people = await begin(server.url)
    anna, watcher = people[0], await Client.guest(server.url)
    async with AsyncExitStack() as stack:
        sockets = [await stack.enter_async_context(p.watch(match_id)) for p in (*people, watcher)]
        first: dict[str, Any] = {"client": "once", "seat": 0, "expect": 0, "actions": ["stake 1"]}
        assert (await send(anna, match_id, sockets[0], first))["ok"]
        for socket in sockets:
            await told_so_far(socket)
        used = {"client": "once", "seat": 0, "expect": 1, **ATTACKS[do]}
        answer = await send(anna, match_id, sockets[0], used)
        assert answer.get("repeated") or not answer["ok"], "it is no new command"
        for socket in sockets:
            assert await told_so_far(socket) == [], "nothing has happened, so nothing is told"
        assert stored(server.db, match_id) == [(1, "stake 1")]
        for person in (*people, watcher):
            now = await person.get(f"/api/matches/{match_id}")
            assert now["entry"] == now["table"]["entries"] == 1
        assert (await anna.command(match_id, expect=1, actions=["show 3"])).status_code == 200
        for socket in sockets:
            assert [e["n"] for e in await told_so_far(socket)] == [2]
    return match_id, people


@pytest.mark.parametrize("send", [by_http, by_socket])
@pytest.mark.parametrize("do", ATTACKS)
def test_a_used_id_with_the_present_expect_does_nothing(small: ServerProcess, send: Sending, do: str) -> None:
    asyncio.run(attack(small, send, do))


def test_after_a_used_id_and_a_restart_the_match_goes_on(small: ServerProcess) -> None:
    """Whatever was answered: what people have been told is there after a restart, without gaps."""

    async def before() -> tuple[str, list[Client], list[str]]:
        match_id, (anna, bruno) = await begin(small.url)
        async with bruno.watch(match_id, since=0) as socket:
            for expect, client, action in ((0, "x", "stake 1"), (1, "x", "show 2"), (2, "y", "guess 4")):
                body = {"client": client, "expect": expect, "actions": [action]}
                await anna.command(match_id, **body)
            now = (await anna.get(f"/api/matches/{match_id}"))["entry"]
            await anna.command(match_id, expect=now, actions=["guess 4" if now == 2 else "show 5"])
            told = await told_so_far(socket)
        return match_id, [anna, bruno], [f"{e['n']} {e['text']}" for e in told]

    match_id, people, told = asyncio.run(before())
    small.kill()
    small.start()

    async def after() -> None:
        anna, bruno = (Client(small.url, p.token) for p in people)
        story = (await bruno.get(f"/api/matches/{match_id}/entries"))["entries"]
        assert [f"{e['n']} {e['text']}" for e in story] == told
        now = await anna.get(f"/api/matches/{match_id}")
        body = {"expect": now["entry"], "actions": [now["legal"][0]["action"]]}
        assert (await anna.command(match_id, **body)).status_code == 200

    asyncio.run(after())
    assert [n for n, _ in stored(small.db, match_id)] == list(range(1, len(stored(small.db, match_id)) + 1))
    check_record(small.db, match_id)


def test_nobody_sees_cards_and_chooses_anew(small: ServerProcess) -> None:
    """Take cards with a used id, look at them, have the table dropped, take something else."""

    async def work() -> None:
        dice = random.Random(5)
        match_id, people = await begin(small.url, LARGE)
        base = f"/api/matches/{match_id}"
        used: set[int] = set()
        while True:
            mover = (await people[0].get(base))["table"]["to_move"]
            mine = await people[mover].get(base)
            offered = [c["action"] for c in mine["legal"]]
            if mover in used and any(action.startswith("cards") for action in offered):
                break
            chosen = next((a for a in offered if a.startswith("money")), dice.choice(offered))
            body = {"expect": mine["entry"], "actions": [chosen]}
            client = {} if mover in used else {"client": "once"}
            assert (await people[mover].command(match_id, **body, **client)).status_code == 200
            used.add(mover)
        before, thief = mine["entry"], people[mover]
        cards = next(action for action in offered if action.startswith("cards"))
        thief.received.clear()
        answer = (await thief.command(match_id, client="once", expect=before, actions=[cards])).json()
        seen = max(answer.get("entry", 0), answer.get("state", {}).get("entry", 0))
        now = await thief.get(base)
        seen = max(seen, now["entry"])
        assert len(stored(small.db, match_id)) >= seen, "who has seen a card has taken it"
        await drop_the_table(thief, match_id)
        later = await thief.get(base)
        assert later["entry"] == now["entry"] and later["view"] == now["view"]
        assert (later["entry"], later["view"]) == (before, mine["view"]), "and an old id takes none"
        check_record(small.db, match_id)

    run(work())


def test_more_tables_are_watched_than_are_kept(small: ServerProcess) -> None:
    """Those that somebody watches do not count: another one is still opened, and not thrown out at once."""

    async def work() -> None:
        watched = [await begin(small.url) for _ in range(TABLES + 1)]
        async with AsyncExitStack() as stack:
            for match_id, (anna, _) in watched:
                socket = await stack.enter_async_context(anna.watch(match_id))
                await socket.wait_for("state")
            match_id, (anna, bruno) = await begin(small.url)
            assert (await anna.command(match_id, expect=0, actions=["stake 1"])).status_code == 200
            assert (await bruno.get(f"/api/matches/{match_id}"))["entry"] == 1

    run(work())
