"""Matches that begin from a position: against bots, friends or oneself, and what of a match may leave it."""

from __future__ import annotations

import asyncio
import json
from typing import Any

from ludus.server.testing import Client, ServerProcess
from ludus.store import open_store, reports
from samples import LARGE, SMALL

ME, BOT, SCREEN = {"kind": "me"}, {"kind": "bot", "bot": "tiro"}, {"kind": "screen"}


async def made(client: Client, **body: Any) -> dict[str, Any]:
    answer = await client.request("POST", "/api/matches", body)
    assert answer.status_code == 201, answer.text
    found: dict[str, Any] = answer.json()
    return found


async def position_of(client: Client, match: str, entry: int, status: int = 200) -> dict[str, Any]:
    answer = await client.request("GET", f"/api/matches/{match}/moments/{entry}/position")
    assert answer.status_code == status, answer.text
    found: dict[str, Any] = answer.json()
    return found


async def begun(client: Client) -> tuple[str, int]:
    """A match of the large title on one screen, some actions old."""
    state = await made(client, title=LARGE, seats=[ME, SCREEN])
    match = state["table"]["id"]
    for number in range(6):
        seat = state["table"]["to_move"]
        body = {"client": f"c{number}", "seat": seat, "expect": state["table"]["entries"]}
        legal = (await client.request("GET", f"/api/matches/{match}?seat={seat}")).json()["legal"]
        answer = await client.request(
            "POST", f"/api/matches/{match}/commands", {**body, "actions": [legal[0]["action"]]}
        )
        assert answer.status_code == 200, answer.text
        state = (await client.request("GET", f"/api/matches/{match}")).json()
    return match, state["table"]["entries"]


def test_a_match_begins_from_a_moment_of_another(server: ServerProcess) -> None:
    async def work() -> None:
        me = await Client.guest(server.url)
        match, last = await begun(me)
        for seats in ([ME, BOT], [BOT, ME], [ME, SCREEN], [ME, {"kind": "link"}]):
            state = await made(me, title=LARGE, seats=seats, start={"match": match, "entry": last})
            assert state["table"]["start"] is True
            if {"kind": "link"} not in seats:
                assert state["table"]["state"] == "running"
        listed = (await me.request("GET", "/api/matches")).json()["matches"]
        assert {row["start"] for row in listed} == {True, False}
        other = await me.request(
            "POST", "/api/matches", {"title": SMALL, "start": {"match": match, "entry": last}}
        )
        assert other.status_code == 422 and "another title" in other.json()["reason"]

    asyncio.run(work())


def test_of_a_running_match_only_what_ones_seat_saw_leaves(server: ServerProcess) -> None:
    async def work() -> None:
        me, stranger = await Client.guest(server.url), await Client.guest(server.url)
        match, last = await begun(me)
        found = await position_of(me, match, last)
        assert found["eyes"] == 0
        mine = json.loads(found["position"])["hand"][0]
        hands = set()
        for _ in range(12):
            again = json.loads((await position_of(me, match, last))["position"])
            assert again["hand"][0] == mine
            hands.add(json.dumps(again["hand"][1]))
        assert len(hands) > 1, "the other hand is the true one, or always the same lie"
        assert "sit at it" in (await position_of(stranger, match, last, 403))["reason"]
        await position_of(me, match, last + 1, 404)
        start = {"match": match, "entry": last}
        refused = await stranger.request("POST", "/api/matches", {"title": LARGE, "start": start})
        assert refused.status_code == 403
        text = (await me.request("GET", f"/api/matches/{match}/file")).text
        assert "start" not in text.split("\n1 ")[0]

    asyncio.run(work())


def test_an_impossible_start_is_refused_and_makes_no_match(server: ServerProcess) -> None:
    async def work() -> None:
        me = await Client.guest(server.url)
        match, last = await begun(me)
        good = json.loads((await position_of(me, match, last))["position"])
        for change, field, invariant in (
            ({"stock": good.get("stock", 0) + 1}, "stock", "3"),
            ({"phase": 99}, "phase", ""),
            ({"nothing": 1}, "nothing", ""),
        ):
            start = {"position": json.dumps({**good, **change})}
            answer = await me.request(
                "POST", "/api/matches", {"title": LARGE, "seats": [ME, BOT], "start": start}
            )
            assert answer.status_code == 422, answer.text
            assert (answer.json()["field"], answer.json()["invariant"]) == (field, invariant)
        for start in ({}, {"position": "x"}, {"position": " " * 50_000}, {"match": "no-such-match-here"}):
            answer = await me.request("POST", "/api/matches", {"title": LARGE, "start": start})
            assert answer.status_code in (404, 422), answer.text
        listed = (await me.request("GET", "/api/matches")).json()["matches"]
        assert [row["id"] for row in listed] == [match]

    asyncio.run(work())


def test_a_match_from_a_position_is_still_there_after_a_restart(server: ServerProcess) -> None:
    async def work() -> None:
        me = await Client.guest(server.url)
        match, last = await begun(me)
        state = await made(me, title=LARGE, seats=[ME, SCREEN], start={"match": match, "entry": last})
        table = state["table"]["id"]
        before = await position_of(me, table, state["table"]["entries"])
        server.stop()
        server.start()
        again = (await me.request("GET", f"/api/matches/{table}")).json()
        assert again["view"] == state["view"]
        after = await position_of(me, table, state["table"]["entries"])
        mine = [json.loads(found["position"])["hand"][0] for found in (before, after)]
        assert mine[0] == mine[1]

    asyncio.run(work())


def test_a_position_is_changed_described_and_written_as_a_scene(server: ServerProcess) -> None:
    async def work() -> None:
        me = await Client.guest(server.url)
        place = f"/api/titles/{LARGE}/position"
        empty = await me.post(place, {"describe": True})
        assert empty["wrong"] is None
        assert {"name", "called", "axes", "holds"} <= set(empty["fields"][0])
        edits = [{"path": "board.0.4", "value": "forum"}, {"path": "money.0", "value": 7}]
        told = await me.post(place, {"position": empty["position"], "edits": edits})
        assert told["wrong"] is None
        assert told["values"]["money"][0] == 7
        assert sum(told["values"]["deck"]) == sum(empty["values"]["deck"]) - 1
        wrong = await me.post(f"{place}?lang=de", {"edits": [{"path": "stock", "value": 3}]})
        assert wrong["wrong"]["field"] == "stock"
        assert "Punkte" in wrong["wrong"]["reason"]
        scene = await me.request("POST", f"{place}/scene", {"position": told["position"], "name": "Mine"})
        again = await me.post(place, {"scene": scene.text})
        assert again["position"] == told["position"]

    asyncio.run(work())


def test_what_is_no_edit_or_scene_is_refused(server: ServerProcess) -> None:
    async def work() -> None:
        me = await Client.guest(server.url)
        place = f"/api/titles/{LARGE}/position"
        for body in (
            {"edits": [{"path": "nothing", "value": 1}]},
            {"edits": [{"path": "board.0.99", "value": 1}]},
            {"edits": [{"path": "board.0.4", "value": "no such card"}]},
            {"edits": [{"path": "money.0", "value": 10**9}]},
            {"scene": "title = ["},
            {"scene": f'title = "{SMALL}"\nname = "x"\n[[step]]\n'},
            {"eye": 7},
            {"seats": 9},
            {"position": "[[["},
        ):
            answer = await me.request("POST", place, body)
            assert answer.status_code == 422, (body, answer.text)
            assert answer.json()["reason"]
        assert (await me.request("POST", "/api/titles/none/position", {})).status_code == 404

    asyncio.run(work())


def test_a_bug_that_is_handed_in_is_found_by_the_host(server: ServerProcess) -> None:
    async def work() -> None:
        me = await Client.guest(server.url)
        place = f"/api/titles/{LARGE}/position/report"
        assert (await me.request("POST", place, {"note": " "})).status_code == 422
        assert (await me.request("POST", place, {"note": "The Forum pays twice."})).status_code == 201

    asyncio.run(work())
    store = open_store(server.db)
    with store.read() as db:
        found = reports.listed(db)
    store.close()
    assert [row.title for row in found] == [LARGE]
    assert "The Forum pays twice." in found[0].text
