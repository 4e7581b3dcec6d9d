"""Nothing leaves that its receiver may not know.

Three ways to look: everything that seats and watchers receive in random matches is searched for what is
hidden from them; twin matches that differ only in what is hidden must give the same bytes; and for
every title, whatever is told from a position must not change when the position is re-dealt.
"""

from __future__ import annotations

import asyncio
import json
import random
import re
import sqlite3
from collections.abc import Callable, Coroutine, Iterator
from typing import Any

import pytest

from ludus import titles as registry
from ludus.core.chance import SPECTATOR, seed_rng
from ludus.match.file import write_match
from ludus.match.match import Match
from ludus.match.moments import moments
from ludus.server import telling
from ludus.server.bots import make_job
from ludus.server.testing import Client, ServerProcess, Socket
from samples import SMALL

HIDDEN = re.compile(r"^(show|guess) \d+$")


def run(work: Coroutine[Any, Any, None]) -> None:
    asyncio.run(work)


# -- searching what was received --------------------------------------------------------------------------


def objects(data: Any) -> Iterator[dict[str, Any]]:
    """Every object inside some JSON."""
    if isinstance(data, dict):
        yield data
        for value in data.values():
            yield from objects(value)
    elif isinstance(data, list):
        for value in data:
            yield from objects(value)


def leaks(text: str, eye: int | None, seats: int) -> Iterator[str]:
    """What one received text tells that the eye may not know, while a match is played."""
    if text.startswith("ludus match"):
        for row in text.splitlines():
            parts = row.split(" ", 2)
            if len(parts) == 3 and parts[1] != str(eye) and HIDDEN.match(parts[2]):
                yield row
            if row.startswith(("key:", "hash:")):
                yield row
        return
    try:
        data = json.loads(text)
    except ValueError:
        return
    for item in objects(data):
        if "fingers" in item and "coins" in item:
            for p in range(seats):
                if p != eye and (item["fingers"][p] is not None or item["guess"][p] is not None):
                    yield f"hand of seat {p}"
        if "who" in item and item["who"] != eye and HIDDEN.match(str(item.get("text", ""))):
            yield f"{item['who']} {item['text']}"
        if item.get("key") and "commitment" in item:
            yield "the key of the dice"


class Table:
    """A match with sockets for both seats and a watcher, all of whose mail is kept."""

    def __init__(self, server: ServerProcess, people: list[Client], match_id: str) -> None:
        self.server, self.people, self.id = server, people, match_id
        self.sockets: list[Socket] = []

    async def state(self, seat: int) -> dict[str, Any]:
        found: dict[str, Any] = await self.people[seat].get(f"/api/matches/{self.id}")
        return found


async def new_table(server: ServerProcess, rounds: int = 2) -> Table:
    people = [await Client.guest(server.url) for _ in range(3)]  # two seats and a watcher
    wish = {"title": SMALL, "options": {"rounds": rounds}}
    match_id = (await people[0].post("/api/matches", wish))["table"]["id"]
    await people[1].post(f"/api/matches/{match_id}/join")
    return Table(server, people, match_id)


async def probe(table: Table, dice: random.Random, entry: int) -> None:
    """Everybody asks for all sorts of things, allowed or not."""
    base = f"/api/matches/{table.id}"
    back = dice.randrange(entry + 1)
    for person in table.people:
        for path in (f"{base}/entries?since={back}", f"{base}/moments/{back}", f"{base}/file"):
            await person.request("GET", path)
        path = dice.choice(
            [f"{base}?seat={dice.randrange(3)}", f"{base}/entries?whole=true", f"{base}/chat", base]
        )
        await person.request("GET", path)
        await person.command(table.id, expect=entry, seat=dice.randrange(3), actions=["show 9"])
        await person.command(table.id, expect=entry - 1, actions=["show 1"])
        await person.command(table.id, expect=entry, actions=["guess 4", "stake 99"])
        tries = dice.choice([[], ["show 2"], ["show 2", "guess 4"]])
        await person.request("POST", f"{base}/what-if", {"actions": tries})


async def play_and_search(server: ServerProcess, seed: int) -> int:
    """A random match; how many texts were searched."""
    dice = random.Random(seed)
    table = await new_table(server)
    searched = 0
    async with (
        table.people[0].watch(table.id) as a,
        table.people[1].watch(table.id) as b,
        table.people[2].watch(table.id) as w,
    ):
        table.sockets = [a, b, w]
        readers = [asyncio.create_task(_read(socket)) for socket in table.sockets]
        with sqlite3.connect(server.db) as db:
            key = db.execute("SELECT secret FROM matches WHERE id = ?", (table.id,)).fetchone()[0]
        while True:
            now = await table.state(0)
            if now["table"]["state"] == "over":
                break
            seat, entry = now["table"]["to_move"], now["entry"]
            if dice.random() < 0.25:
                await probe(table, dice, entry)
            legal = (await table.state(seat))["legal"]
            await table.people[seat].command(table.id, expect=entry, actions=[dice.choice(legal)["action"]])
            if dice.random() < 0.2:
                await table.people[seat].command(table.id, do="undo", expect=entry + 1, to=entry)
            searched += _search(table, key)
        for reader in readers:
            reader.cancel()
    return searched


async def _read(socket: Socket) -> None:
    while True:
        await socket.receive(60)


def _search(table: Table, key: str) -> int:
    """Search what has been received since the last time; what comes with the end of the match may all be
    known."""
    number = 0
    for eye, person in enumerate(table.people):
        received, person.received = person.received, []
        for text in received:
            if '"state":"over"' in text or '"key"' in text or "scope: whole" in text:
                continue
            number += 1
            found = list(leaks(text, eye if eye < 2 else None, 2))
            assert not found, (eye, found, text[:400])
            assert key not in text, (eye, "the key of the dice")
            for other in table.people:
                assert other is person or str(other.token) not in text
    return number


def test_random_matches_leak_nothing(server: ServerProcess, many: Callable[[int], int]) -> None:
    async def work() -> None:
        searched = 0
        for seed in range(many(200)):
            searched += await play_and_search(server, seed)
        assert searched > many(200) * 30, "the search has seen what was received"

    run(work())


def test_the_search_finds_what_is_planted() -> None:
    """A search that finds nothing must be able to find something."""
    pair = {"n": 3, "who": 1, "text": "show 4", "view": {}}
    assert list(leaks(json.dumps({"entries": [pair]}), 0, 2))
    board = {"coins": [5, 5], "fingers": [None, 3], "guess": [None, None]}
    assert list(leaks(json.dumps({"view": {"board": board}}), 0, 2))
    assert list(leaks("ludus match 1\n3 1 show 4\n", 0, 2))
    assert list(leaks(json.dumps({"fairness": {"commitment": "a", "key": "b"}}), 0, 2))
    assert not list(leaks(json.dumps({"entries": [pair]}), 1, 2))


# -- twins: the same but for what is hidden -----------------------------------------------------------------


async def transcript(server: ServerProcess, dice: random.Random, hidden: int) -> list[list[str]]:
    """What seat 1 and a watcher receive while seat 0 makes its hidden choice number `hidden`."""
    table = await new_table(server)
    anna, bruno, watcher = table.people
    async with anna.watch(table.id) as a:
        await a.wait_for("state")
        async with bruno.watch(table.id, seat=1) as b, watcher.watch(table.id) as w:
            await b.wait_for("state"), await w.wait_for("state")
            stake = dice.randrange(1, 6)
            options = [(f, g) for f in range(1, 6) for g in range(f + 1, f + 6)]
            fingers, call = options[hidden % len(options)]
            await a.command(expect=0, actions=[f"stake {stake}"], client="one")
            await a.command(expect=1, actions=[f"show {fingers}"], client="two")
            if dice.random() < 0.5:
                await a.command(do="undo", expect=2, to=1, client="back")
                await a.command(expect=3, actions=[f"show {fingers}"], client="again")
            at = (await table.state(0))["entry"]
            await a.command(expect=at, actions=[f"guess {call}"], client="three")
            for socket in (b, w):
                await socket.send(type="what_if", actions=["show 1"])
                await socket.send(
                    type="command", client="x", expect=at + 1, actions=["show 3", "guess 5", "guess 9"]
                )
                await socket.send(type="look", since=0)
                await socket.send(type="chat", text="bene")
                await socket.send(type="ping")
                while (await socket.wait_for("answer"))["to"] != "ping":
                    pass
            base = f"/api/matches/{table.id}"
            for person in (bruno, watcher):
                for path in ("", "/entries", "/moments/2", f"/moments/{at + 1}", "/file", "/chat"):
                    await person.request("GET", base + path)
    return [_normal(table, person.received) for person in (bruno, watcher)]


def _normal(table: Table, received: list[str]) -> list[str]:
    """Without what differs between any two matches: ids, names, times and random numbers."""
    people = [person.name for person in table.people]
    # The longest first: one guest's name may be the beginning of another's ("Guest 7", "Guest 706").
    names = re.compile("|".join(map(re.escape, sorted(people, key=len, reverse=True))))
    made = []
    for text in received:
        text = text.replace(table.id, "ID")
        text = names.sub(lambda found: f"NAME{people.index(found[0])}", text)
        text = re.sub(r'"[0-9a-f]{32,64}"|\b[0-9a-f]{32,64}\b', "HEX", text)
        made.append(re.sub(r'"(at|created|updated)":\s*[0-9.]+', "TIME", text))
    return made


def test_twin_matches_give_the_same_messages_to_the_byte(
    server: ServerProcess, many: Callable[[int], int]
) -> None:
    async def work() -> None:
        for seed in range(many(200)):
            first, second = random.Random(seed).sample(range(25), 2)
            one = await transcript(server, random.Random(seed), first)
            two = await transcript(server, random.Random(seed), second)
            for k in range(2):
                assert len(one[k]) == len(two[k]) > 10, "as many messages"
                for x, y in zip(one[k], two[k], strict=True):
                    assert x == y, (seed, k)

    run(work())


# -- re-dealt positions, for every title --------------------------------------------------------------


def everything_told(match: Match, eye: int) -> str:
    """All that leaves the server for an eye, from the match in memory."""
    told: list[Any] = [
        match.game.view(eye),
        telling.rows(match, eye, "en", max(0, len(match.entries) - 3)),
        moments(match, len(match.entries), len(match.entries))[0].view(eye),
        telling.choices_now(match, eye, "fr"),
        write_match(match, eye),
    ]
    if match.game.to_move == eye and not match.over:
        first = match.game.legal()[0].text
        told += [telling.what_if(match, eye, "en", []), telling.what_if(match, eye, "en", [first])]
    return json.dumps(told)


def redealt(match: Match, eye: int, seed: int) -> Match:
    """The same match for an eye, with other hidden numbers in its last positions."""
    import copy

    twin = copy.copy(match)
    twin.game = match.game.copy()
    twin.frames = dict(match.frames)
    rng = [0, 0, 0, 0]
    seed_rng(rng, seed, 1)
    form = twin.game.form
    form.redeal(twin.game.s, eye, rng)
    twin.frames[len(twin.entries)] = form.pack(twin.game.s)
    return twin


def hides_something(name: str) -> bool:
    return any(f.who.value != "public" for f in registry.title(name).position.fields)


@pytest.mark.parametrize("name", [n for n in registry.title_names() if hides_something(n)])
def test_nothing_that_is_told_depends_on_what_is_hidden(name: str, many: Callable[[int], int]) -> None:
    title = registry.title(name)
    changed = checked = 0
    for seed in range(many(30)):
        dice = random.Random(seed)
        match = Match.simulated(title, seed, seats=title.seats[0])
        for _ in range(60):
            if match.over:
                break
            action = dice.choice(match.game.legal()).text
            match.play(match.game.to_move, [action])
            if match.over:
                break  # now everybody may know everything
            for eye in range(match.setting.seats):
                twin = redealt(match, eye, dice.getrandbits(32))
                changed += twin.frames[len(twin.entries)] != match.frames[len(match.entries)]
                assert everything_told(twin, eye) == everything_told(match, eye), (
                    seed,
                    len(match.entries),
                    eye,
                )
                checked += 1
    assert checked > 20
    assert changed, "the re-deal has changed something"


@pytest.mark.parametrize("name", registry.title_names())
def test_a_bot_is_told_nothing_hidden(name: str) -> None:
    """What a bot's process gets is the same view as the seat's, and its hidden part is made up."""
    title = registry.title(name)
    dice = random.Random(5)
    match = Match.simulated(title, 5, seats=title.seats[0])
    for _ in range(40):
        if match.over:
            break
        seat = match.game.to_move
        job = make_job(match, seat, "tiro")
        given = title.position.unpack(bytes.fromhex(job["position"]))
        twin = redealt(match, seat, 1)
        twin.game.s = twin.game.form.unpack(bytes.fromhex(job["position"]))
        assert twin.game.view(seat) == match.game.view(seat) and given is not None
        told = {"bot", "title", "seats", "options", "seat", "position", "legal", "seed", "data"}
        assert set(job) == told | {"memory", "others"}
        assert job["others"] == sum(entry.who != seat for entry in match.entries) and job["memory"] == {}
        match.play(seat, [dice.choice(match.game.legal()).text])
    assert SPECTATOR < 0
