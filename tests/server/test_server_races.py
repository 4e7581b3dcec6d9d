"""Races: the same command many times, two seats at once, stale ones, two processes.  One entry each."""

from __future__ import annotations

import asyncio
import random
import uuid
from collections import Counter
from collections.abc import Callable, Coroutine
from typing import Any

import pytest

from ludus.server.testing import Client, ServerProcess
from samples import SMALL


def run(work: Coroutine[Any, Any, None]) -> None:
    asyncio.run(work)


class Racers:
    """Two people at one table, each with a client on every server."""

    def __init__(self, match_id: str, clients: list[list[Client]]) -> None:
        self.id, self.clients = match_id, clients

    async def state(self, seat: int = 0) -> dict[str, Any]:
        found: dict[str, Any] = await self.clients[seat][0].get(f"/api/matches/{self.id}?seat={seat}")
        return found

    def send(self, dice: random.Random, seat: int, **body: Any) -> Coroutine[Any, Any, Any]:
        """A command through any of the servers."""
        command: Coroutine[Any, Any, Any] = dice.choice(self.clients[seat]).command(
            self.id, seat=seat, **body
        )
        return command


async def seated(servers: list[ServerProcess]) -> Racers:
    people = [await Client.guest(servers[0].url) for _ in range(2)]
    wish = {"title": SMALL, "options": {"rounds": 20}}
    match_id = (await people[0].post("/api/matches", wish))["table"]["id"]
    await people[1].post(f"/api/matches/{match_id}/join")
    clients = [[p, *(Client(s.url, p.token) for s in servers[1:])] for p in people]
    return Racers(match_id, clients)


async def one_trial(table: Racers, dice: random.Random, kind: str) -> None:
    before = await table.state()
    entry, seat = before["entry"], before["table"]["to_move"]
    legal = [c["action"] for c in (await table.state(seat))["legal"]]
    action = dice.choice(legal)
    sends = []
    if kind == "same":  # one command, five times
        client = uuid.uuid4().hex
        sends = [table.send(dice, seat, client=client, expect=entry, actions=[action]) for _ in range(5)]
    elif kind == "different":  # five commands for the same moment
        sends = [table.send(dice, seat, expect=entry, actions=[dice.choice(legal)]) for _ in range(5)]
    elif kind == "seats":  # both seats at once
        sends = [table.send(dice, k, expect=entry, actions=[action]) for k in (0, 1, 0, 1)]
    elif kind == "stale":
        sends = [table.send(dice, seat, expect=entry - k, actions=[action]) for k in (0, 1, 2) if k <= entry]
    answers = await asyncio.gather(*sends)
    after = await table.state()
    codes = Counter(a.status_code for a in answers)
    done = [a.json() for a in answers if a.status_code == 200]
    fresh = [d for d in done if not d["repeated"]]
    assert len(fresh) == 1, (kind, codes, [a.text[:200] for a in answers])
    if kind == "same":
        assert len(done) == 5, "sent five times, acknowledged five times, happened once"
        assert {d["entry"] for d in done} <= set(range(entry + 1, after["entry"] + 1))
    else:
        assert all(a.status_code == 409 for a in answers if a.status_code != 200), codes
        for answer in answers:
            if answer.status_code == 409 and answer.json()["error"] == "stale":
                assert answer.json()["state"]["entry"] >= entry, "a stale one gets the present state"
    told = (await table.clients[0][0].get(f"/api/matches/{table.id}/entries?since={entry}"))["entries"]
    assert len(told) == after["entry"] - entry
    assert sum(e["who"] == seat for e in told) == 1, (kind, told)


async def trials(servers: list[ServerProcess], number: int) -> None:
    dice = random.Random(number)
    table = await seated(servers)
    for trial in range(number):
        if (await table.state())["table"]["state"] != "running":
            table = await seated(servers)
        await one_trial(table, dice, ("same", "different", "seats", "stale")[trial % 4])


def test_one_entry_each(server: ServerProcess, many: Callable[[int], int]) -> None:
    run(trials([server], many(1000)))


def test_one_entry_each_with_two_processes(pair: list[ServerProcess], many: Callable[[int], int]) -> None:
    run(trials(pair, many(1000)))


def test_one_entry_each_with_two_processes_on_a_file(
    pair_on_a_file: list[ServerProcess], many: Callable[[int], int]
) -> None:
    run(trials(pair_on_a_file, many(200)))


def test_one_seat_is_taken_once(
    server: ServerProcess, pair: list[ServerProcess], many: Callable[[int], int]
) -> None:
    async def work() -> None:
        for number in range(many(100)):
            servers = [server] if number % 2 else pair
            anna = await Client.guest(servers[0].url)
            rivals = [await Client.guest(servers[0].url) for _ in range(4)]
            rivals = [Client(servers[k % len(servers)].url, r.token) for k, r in enumerate(rivals)]
            match_id = (await anna.post("/api/matches", {"title": SMALL}))["table"]["id"]
            join = f"/api/matches/{match_id}/join"
            answers = await asyncio.gather(*(r.request("POST", join, {}) for r in rivals))
            assert sorted(a.status_code for a in answers) == [200, 409, 409, 409]
            table = (await anna.get(f"/api/matches/{match_id}"))["table"]
            assert table["state"] == "running"
            leaver = rivals[[a.status_code for a in answers].index(200)]
            await leaver.command(match_id, do="leave")
            claims = await asyncio.gather(
                *(r.command(match_id, do="claim", seat=1) for r in rivals if r is not leaver)
            )
            assert sorted(a.status_code for a in claims) == [200, 409, 409]

    run(work())


def test_two_processes_serve_one_match(pair: list[ServerProcess]) -> None:
    """Each seat has its socket at another process; both are told everything, in order."""

    async def work() -> None:
        table = await seated(pair)
        (anna, _), (_, bruno) = table.clients
        async with anna.watch(table.id, seat=0) as a, bruno.watch(table.id, seat=1) as b:
            sockets, known = [a, b], [0, 0]
            legal: list[list[str]] = [[], []]
            for seat in (0, 1):
                first = await sockets[seat].wait_for("state")
                legal[seat] = [c["action"] for c in first["legal"]]
            mover: Any = 0
            for _ in range(30):
                body = {"client": uuid.uuid4().hex, "expect": known[mover], "seat": mover}
                await sockets[mover].send(type="command", **body, actions=[random.choice(legal[mover])])
                for seat in (0, 1):
                    told = await sockets[seat].wait_for("entries")
                    assert told["since"] == known[seat]
                    assert [e["n"] for e in told["entries"]] == list(
                        range(known[seat] + 1, told["table"]["entries"] + 1)
                    )
                    known[seat] = told["table"]["entries"]
                    legal[seat] = [c["action"] for c in told["legal"]]
                    mover = told["table"]["to_move"]
                assert known[0] == known[1]
            await a.send(type="chat", text="ave")
            assert (await b.wait_for("chat"))["line"]["text"] == "ave"

    run(work())


@pytest.mark.parametrize("stopped", [0])
def test_a_bot_is_thought_for_by_the_other_process(pair: list[ServerProcess], stopped: int) -> None:
    """The process that was thinking dies: the other one, or its next life, plays the bot's move."""

    async def work() -> None:
        first, second = pair[stopped], pair[1 - stopped]
        anna = await Client.guest(first.url)
        seats = [{"kind": "me"}, {"kind": "bot", "bot": "trial-sleep"}]
        wish = {"title": SMALL, "options": {"rounds": 1}, "seats": seats}
        match_id = (await anna.post("/api/matches", wish))["table"]["id"]
        await anna.command(match_id, expect=0, actions=["stake 1", "show 1", "guess 2"])
        first.kill()
        there = Client(second.url, anna.token)
        for _ in range(400):
            table = (await there.get(f"/api/matches/{match_id}"))["table"]
            if table["state"] == "over":
                break
            await asyncio.sleep(0.05)
        assert table["state"] == "over"

    try:
        run(work())
    finally:
        pair[stopped].start()


def test_making_the_same_match_through_two_processes_makes_one(pair: list[ServerProcess]) -> None:
    async def work() -> None:
        anna = await Client.guest(pair[0].url)
        both = [anna, Client(pair[1].url, anna.token)]
        for number in range(10):
            wish = {"title": SMALL, "client": f"once-{number}"}
            made = await asyncio.gather(*(both[k % 2].post("/api/matches", wish) for k in range(6)))
            assert len({m["table"]["id"] for m in made}) == 1

    run(work())
