"""Bots on a server: none can stop a match, slow people down or be silent about a failure."""

from __future__ import annotations

import asyncio
import json

import pytest

from ludus.bots.levels import LEVELS, STRONGEST
from ludus.server.testing import Client, ServerProcess
from samples import LARGE, SMALL
from server.test_server_play import PLAY, begin, play_to_the_end, run, state


def test_the_table_keeps_the_memory_of_a_bot_and_tells_nobody(server: ServerProcess) -> None:
    async def work() -> None:
        anna = await Client.guest(server.url)
        seats = [{"kind": "me"}, {"kind": "bot", "bot": "trial-diary"}]
        made = await anna.post("/api/matches", {**PLAY, "options": {"rounds": 1}, "seats": seats})
        match_id = made["table"]["id"]
        async with anna.watch(match_id) as told:
            await anna.command(match_id, expect=0, actions=["stake 1", "show 1", "guess 2"])
            while (message := await told.receive())["table"]["state"] != "over":
                assert "asked" not in json.dumps(message)
        rows = (await anna.get(f"/api/matches/{match_id}/entries?whole=true"))["entries"]
        assert [row["text"] for row in rows if row["who"] == 1] == ["show 1", "guess 3"]

    run(work())


@pytest.mark.parametrize(
    "bot",
    ["tiro", "trial-program", "trial-crash", "trial-sleep", "trial-spin", "trial-illegal", "trial-garbage"],
)
def test_no_bot_can_stop_a_match(server: ServerProcess, bot: str) -> None:
    async def work() -> None:
        anna = await Client.guest(server.url)
        seats = [{"kind": "me"}, {"kind": "bot", "bot": bot}]
        made = await anna.post("/api/matches", {**PLAY, "options": {"rounds": 1}, "seats": seats})
        match_id = made["table"]["id"]
        await anna.command(match_id, expect=0, actions=["stake 1", "show 1", "guess 2"])
        for _ in range(300):
            table = (await state(anna, match_id))["table"]
            if table["state"] == "over":
                return
            await asyncio.sleep(0.05)
        raise AssertionError(f"{bot} has stopped the match: {table}")

    run(work())


def test_a_bot_that_fails_says_so_to_the_players_once(server: ServerProcess) -> None:
    async def work() -> None:
        anna = await Client.guest(server.url)
        seats = [{"kind": "me"}, {"kind": "bot", "bot": "trial-illegal"}]
        made = await anna.post("/api/matches", {**PLAY, "options": {"rounds": 1}, "seats": seats})
        match_id = made["table"]["id"]
        chat = f"/api/matches/{match_id}/chat"
        async with anna.watch(match_id) as socket:
            await socket.wait_for("state")
            await anna.command(match_id, expect=0, actions=["stake 1", "show 1", "guess 2"])
            line = (await socket.wait_for("chat"))["line"]
        assert line["name"] == "trial-illegal (bot)" and line["text"].startswith("I ")
        while (await state(anna, match_id))["table"]["state"] != "over":
            await asyncio.sleep(0.05)
        await anna.post(chat, {"text": "I see"})
        lines = (await anna.get(chat))["lines"]
        assert [row["name"] for row in lines].count("trial-illegal (bot)") == 1 and len(lines) == 2
        assert line["room"] == "table"

    run(work())


def test_people_are_answered_while_many_bots_think(server: ServerProcess) -> None:
    async def work() -> None:
        anna = await Client.guest(server.url)
        seats = [{"kind": "bot", "bot": "trial-spin"}, {"kind": "me"}]
        for _ in range(20):
            await anna.post("/api/matches", {**PLAY, "seats": seats})
        match_id, people = await begin(server.url, options={"rounds": 1})
        assert (await play_to_the_end(people, match_id))["table"]["state"] == "over"
        text = (await anna.request("GET", "/metrics")).text
        waiting = next(row for row in text.splitlines() if row.startswith("ludus_bots_waiting "))
        assert float(waiting.split()[1]) > 5, "the bots are still thinking"

    run(work())


def test_a_bot_agrees_to_take_back_and_never_to_a_draw(server: ServerProcess) -> None:
    async def work() -> None:
        anna = await Client.guest(server.url)
        seats = [{"kind": "me"}, {"kind": "bot"}]
        match_id = (await anna.post("/api/matches", {**PLAY, "seats": seats}))["table"]["id"]
        await anna.command(match_id, expect=0, actions=["stake 1"])
        await anna.command(match_id, do="propose", kind="draw")
        assert (await state(anna, match_id))["table"]["proposal"] is None
        await anna.command(match_id, do="propose", kind="undo", to=0)
        assert (await state(anna, match_id))["legal"][0]["action"] == "stake 1"

    run(work())


def test_every_level_is_seated_by_its_name(server: ServerProcess) -> None:
    async def work() -> None:
        anna = await Client.guest(server.url)
        titles = (await anna.get("/api/titles"))["titles"]
        assert titles[LARGE]["levels"][:6] == [*LEVELS, STRONGEST]
        assert titles[SMALL]["levels"][:2] == ["tiro", "miles"]
        assert (titles[LARGE]["substitute"], titles[SMALL]["substitute"]) == ("optio", "miles")
        for bot in [*LEVELS, STRONGEST, "miles", "random", None]:
            seats = [{"kind": "me"}, {"kind": "bot", "bot": bot}]
            table = (await anna.post("/api/matches", {"title": LARGE, "seats": seats}))["table"]
            assert (table["state"], table["seats"][1]["bot"]) == ("running", bot or "tiro")
        seats = [{"kind": "me"}, {"kind": "bot", "bot": "legatus"}]
        refused = await anna.post("/api/matches", {**PLAY, "seats": seats}, status=422)
        assert "there is no bot 'legatus'; there are: random, tiro, miles" in refused["reason"]

    run(work())
