"""Seats under attack: keys of dice, hands that somebody has seen, votes, and bots that play for nobody."""

from __future__ import annotations

import asyncio
import sqlite3
from typing import Any

import pytest

from ludus.server.testing import Client, ServerProcess
from samples import LARGE
from server.conftest import HERE, SETTINGS
from server.test_server_play import PLAY, begin, run, state

TURN = ["stake 1", "show 1", "guess 2"]


async def made(person: Client, *seats: str, **wish: Any) -> str:
    """A match of a person, with seats of these kinds."""
    wanted = [{"kind": "me"}, *({"kind": kind} for kind in seats)]
    answer = await person.post("/api/matches", {**PLAY, "seats": wanted, **wish})
    return str(answer["table"]["id"])


# -- the key of the dice ------------------------------------------------------------------------------


def test_no_key_leaves_before_the_end_whoever_asks(server: ServerProcess) -> None:
    async def work() -> None:
        anna = await Client.guest(server.url)
        bruno = await Client.guest(server.url)
        match_id = await made(anna, "screen")
        await anna.command(match_id, seat=0, expect=0, actions=TURN)
        for person, seats in ((anna, ["", "?seat=0", "?seat=1"]), (bruno, [""])):
            async with person.watch(match_id) as socket:
                await socket.wait_for("state")
            for query in seats:
                await person.request("GET", f"/api/matches/{match_id}{query}")
                await person.request("GET", f"/api/matches/{match_id}/entries{query}")
                text = (await person.request("GET", f"/api/matches/{match_id}/file{query}")).text
                assert "entries: 3" in text and "key:" not in text
        await anna.command(match_id, do="resign", seat=1)
        key = (await state(anna, match_id))["table"]["fairness"]["key"]
        before = "".join(anna.received[:-2] + bruno.received)
        assert key not in before
        assert f"key: {key}" in (await anna.request("GET", f"/api/matches/{match_id}/file")).text

    run(work())


def test_a_match_on_one_screen_is_for_those_at_the_screen(server: ServerProcess) -> None:
    async def work() -> None:
        anna, bruno = await Client.guest(server.url), await Client.guest(server.url)
        match_id = await made(anna, "screen")
        await bruno.post(f"/api/matches/{match_id}/join", status=409)
        await anna.command(match_id, do="leave", seat=1)
        assert (await bruno.command(match_id, do="claim", seat=1)).status_code == 403
        assert (await anna.command(match_id, do="claim", seat=1)).status_code == 200
        for seat in (0, 1):
            await anna.command(match_id, do="leave", seat=seat)
        for seat in (0, 1):
            assert (await bruno.command(match_id, do="claim", seat=seat)).status_code == 403
        assert (await anna.command(match_id, do="claim", seat=0)).status_code == 200

    run(work())


# -- hands that somebody has seen ---------------------------------------------------------------------


def test_who_ever_saw_a_hand_plays_against_nobody_who_holds_it(server: ServerProcess) -> None:
    """Anna has seen hand 0.  Others sat there since, and she is still remembered."""

    async def work() -> None:
        match_id, (anna, bruno, _carla) = await begin(server.url, 3)
        dora = await Client.guest(server.url)
        await anna.command(match_id, do="leave")
        assert (await dora.command(match_id, do="claim", seat=0)).status_code == 200
        await dora.command(match_id, do="leave")
        await bruno.command(match_id, do="leave")
        for person in (anna, dora):
            refused = await person.command(match_id, do="claim", seat=1)
            assert refused.status_code == 403, "they have seen hand 0"
        assert (await anna.command(match_id, do="claim", seat=0)).status_code == 200

    run(work())


def test_nobody_sits_down_where_another_player_has_seen_the_hand(server: ServerProcess) -> None:
    """Anna holds two hands at her screen and gives one back: it is known to her for good."""

    async def work() -> None:
        anna, bruno, dora = [await Client.guest(server.url) for _ in range(3)]
        match_id = await made(anna, "screen", "open")
        await bruno.post(f"/api/matches/{match_id}/join")
        await anna.command(match_id, do="leave", seat=1)
        refused = await dora.command(match_id, do="claim", seat=1)
        assert refused.status_code == 403 and "has seen" in refused.json()["reason"]
        assert (await bruno.command(match_id, do="take_over", seat=1)).status_code == 200

    run(work())


def test_what_a_guest_has_seen_the_account_has_seen(server: ServerProcess) -> None:
    async def work() -> None:
        match_id, (anna, bruno, _carla) = await begin(server.url, 3)
        name = f"Anna {match_id[:8]}"
        password = {"name": name, "password": "a long and odd pass phrase"}
        made = await (await Client.guest(server.url)).post("/api/account", password)
        account = Client(server.url, made["token"])
        await anna.command(match_id, do="leave")
        await bruno.command(match_id, do="leave")
        await anna.post("/api/login", password)
        assert (await account.command(match_id, do="claim", seat=1)).status_code == 403
        assert (await account.command(match_id, do="claim", seat=0)).status_code == 200

    run(work())


def test_matches_of_an_earlier_release_remember_who_sat(db_path: str) -> None:
    """The first tables knew the last one who sat at a seat; the change of tables takes that along."""
    from ludus.store import migrate, open_store, records
    from ludus.store.store import Store, read_url

    old = Store(read_url(db_path))
    with old.write() as db:
        migrate.upgrade(db, "0001")
    old.close()
    with sqlite3.connect(db_path) as db:
        columns = [row[1] for row in db.execute("PRAGMA table_info(matches)")]
        values = dict.fromkeys(columns, 0) | {"id": "m" * 18, "state": "running", "creator_id": None}
        values |= {"client": None, "again_id": None, "deadline": None, "bot_due": None}
        marks = ", ".join("?" * len(columns))
        db.execute(f"INSERT INTO matches VALUES ({marks})", [values[c] for c in columns])
        db.execute("INSERT INTO people VALUES ('p', 'P', 'p', NULL, 0, 0.0)")
        seat = "INSERT INTO seats VALUES (?, ?, 'person', ?, ?, '', 'P', '', '')"
        db.execute(seat, ("m" * 18, 0, "p", "q"))
        db.execute(seat, ("m" * 18, 1, None, "r"))
    store = open_store(db_path)
    with store.read() as reading:
        assert records.sat(reading, "m" * 18) == {(0, "p"), (0, "q"), (1, "r")}
    store.close()


# -- votes --------------------------------------------------------------------------------------------


def test_a_vote_counts_for_the_proposal_that_it_names(server: ServerProcess) -> None:
    async def work() -> None:
        match_id, (anna, bruno) = await begin(server.url)
        await anna.command(match_id, expect=0, actions=TURN)
        await anna.command(match_id, do="propose", kind="draw")
        draw = (await state(bruno, match_id))["table"]["proposal"]
        assert draw["entry"] == 4
        await anna.command(match_id, do="propose", kind="undo", to=0)
        late = await bruno.command(match_id, do="vote", yes=True, proposal=4)
        assert late.status_code == 409 and late.json()["error"] == "stale"
        assert (await bruno.command(match_id, do="vote", yes=True)).status_code == 422
        assert (await state(bruno, match_id))["entry"] == 5, "nothing has happened"
        assert (await bruno.command(match_id, do="vote", yes=True, proposal=5)).status_code == 200
        assert (await state(bruno, match_id))["table"]["to_move"] == 0

    run(work())


def test_absent_persons_are_not_overruled(server: ServerProcess) -> None:
    """Bruno has played and gone: nobody, and no bot, takes that back or makes peace without him."""

    async def work() -> None:
        for others in ("bot", "open"):
            anna, bruno, carla = [await Client.guest(server.url) for _ in range(3)]
            match_id = await made(anna, "open", others)
            for person in (bruno, carla) if others == "open" else (bruno,):
                await person.post(f"/api/matches/{match_id}/join")
            await anna.command(match_id, expect=0, actions=["stake 1", "show 1", "guess 3"])
            await bruno.command(match_id, expect=3, actions=["show 1"])
            await bruno.command(match_id, do="leave")
            for wish in ({"kind": "undo", "to": 0}, {"kind": "undo", "to": 3}, {"kind": "draw"}):
                refused = await anna.command(match_id, do="propose", **wish)
                assert refused.status_code == 409 and "seat 1" in refused.json()["reason"], wish
            now = await state(anna, match_id)
            assert now["entry"] == 5 and now["table"]["to_move"] == 1

    run(work())


def test_a_bot_takes_back_nothing_that_was_drawn_or_revealed(server: ServerProcess) -> None:
    async def work() -> None:
        anna = await Client.guest(server.url)
        seats = [{"kind": "me"}, {"kind": "bot"}]
        made = await anna.post("/api/matches", {"title": LARGE, "seats": seats})
        match_id = made["table"]["id"]
        for _ in range(200):
            now = await state(anna, match_id)
            if any(
                e["who"] == "chance" for e in (await anna.get(f"/api/matches/{match_id}/entries"))["entries"]
            ):
                break
            if now["legal"]:
                action = now["legal"][0]["action"]
                await anna.command(match_id, expect=now["entry"], actions=[action])
            await asyncio.sleep(0.02)
        asked = await anna.command(match_id, do="propose", kind="undo", to=0)
        assert asked.status_code == 200
        told = (await anna.get(f"/api/matches/{match_id}/entries"))["entries"]
        assert [e["text"].split()[0] for e in told if e["who"] == "house"] == ["propose_undo", "vote"]
        assert told[-1]["text"].startswith("vote 1 no") or told[-2]["text"].startswith("vote 1 no")

    run(work())


# -- bots for nobody ----------------------------------------------------------------------------------


def test_bots_wait_while_nobody_holds_a_seat(db_path: str) -> None:
    """Also one that was thinking already: what it thought is not played.

    A server of its own: bots of other tests would stand in line before this one.
    """

    async def late_bots(person: Client) -> float:
        text = (await person.request("GET", "/metrics")).text
        rows = [row for row in text.splitlines() if row.startswith("ludus_bots_total") and "late" in row]
        return sum(float(row.split()[-1]) for row in rows)

    async def work() -> None:
        anna = await Client.guest(process.url)
        seats = [{"kind": "me"}, {"kind": "bot", "bot": "trial-sleep"}]
        match_id = (await anna.post("/api/matches", {**PLAY, "seats": seats}))["table"]["id"]
        before = await late_bots(anna)
        await anna.command(match_id, expect=0, actions=TURN)
        await anna.command(match_id, do="leave")
        for _ in range(400):
            if await late_bots(anna) > before:
                break
            await asyncio.sleep(0.05)
        now = await state(anna, match_id)
        assert (now["entry"], now["table"]["to_move"]) == (4, 1), "nothing has been played"
        with sqlite3.connect(process.db) as db:
            found = db.execute("SELECT bot_due FROM matches WHERE id = ?", (match_id,))
            assert found.fetchone() == (None,), "and nobody will be woken"
        async with anna.watch(match_id) as a:
            await anna.command(match_id, do="claim", seat=0)
            while (await a.receive()).get("table", {}).get("entries", 0) <= 5:
                pass  # until the bot has played on

    with ServerProcess(db_path, SETTINGS, paths=[HERE]) as process:
        run(work())


def test_who_resigns_among_bots_has_lost_a_match_that_is_over(server: ServerProcess) -> None:
    async def work() -> None:
        anna = await Client.guest(server.url)
        match_id = await made(anna, "bot", "bot")
        await anna.command(match_id, do="resign")
        shown = await state(anna, match_id)
        table = shown["table"]
        assert (table["state"], table["ending"], table["result"]) == ("over", "abandoned", [0, 1, 1])
        assert shown["yours"] == [0] and table["seats"][0]["kind"] == "person"
        told = (await anna.get(f"/api/matches/{match_id}/entries"))["entries"]
        assert [e["text"] for e in told][-2:] == ["resign 0", "abandon"]
        assert (await anna.get("/api/matches?finished=true"))["matches"][0]["id"] == match_id
        assert "ending: abandoned" in (await anna.request("GET", f"/api/matches/{match_id}/file")).text
        await anna.post(f"/api/matches/{match_id}/analysis")

    run(work())


def test_bots_play_on_for_who_has_resigned_as_long_as_they_watch(server: ServerProcess) -> None:
    async def work() -> None:
        anna = await Client.guest(server.url)
        match_id = await made(anna, "bot", "bot")
        await anna.command(match_id, do="resign", watch=True)
        await asyncio.sleep(0.5)
        still = await state(anna, match_id)
        assert (still["table"]["state"], still["resigned"]) == ("running", [0])
        stranger = await Client.guest(server.url)
        async with stranger.watch(match_id):
            await asyncio.sleep(0.5)
        assert (await state(anna, match_id))["entry"] == still["entry"], "bots play for nobody"
        assert match_id in [m["id"] for m in (await anna.get("/api/matches"))["matches"]]
        async with anna.watch(match_id) as a:
            while (await a.receive()).get("table", {}).get("state") != "over":
                pass
        table = (await state(anna, match_id))["table"]
        assert table["ending"] == "played" and table["result"][0] == 0

    run(work())


def test_who_left_takes_the_seat_back_from_the_bot_that_plays_on(server: ServerProcess) -> None:
    async def work() -> None:
        match_id, (anna, bruno) = await begin(server.url)
        await anna.command(match_id, do="leave")
        await bruno.command(match_id, do="take_over", seat=0)
        shown = await state(anna, match_id)
        assert (shown["yours"], shown["away"], shown["claims"]) == ([], [0], [0])
        listed = (await anna.get("/api/matches"))["matches"]
        assert [m["lent"] for m in listed if m["id"] == match_id] == [[0]]
        assert (await state(bruno, match_id))["claims"] == []
        carla = await Client.guest(server.url)
        await carla.command(match_id, do="claim", seat=0, status=409)
        await anna.command(match_id, do="claim", seat=0)
        shown = await state(anna, match_id)
        assert shown["yours"] == [0] and shown["table"]["seats"][0]["kind"] == "person"
        await anna.command(match_id, do="resign")
        await anna.command(match_id, do="claim", seat=0, status=403)

    run(work())


@pytest.mark.parametrize("how", ["leave", "forget me"])
def test_a_rematch_that_is_gone_keeps_nobody_from_another(server: ServerProcess, how: str) -> None:
    """Who asked for it and went away had the other told "there is no such match" for ever."""

    async def work() -> None:
        match_id, (anna, bruno) = await begin(server.url)
        again = f"/api/matches/{match_id}/again"
        await anna.command(match_id, do="resign")
        gone = (await anna.post(again))["table"]["id"]
        if how == "leave":
            await anna.post(f"/api/matches/{gone}/leave")
        else:
            await anna.request("DELETE", "/api/me")
        assert (await bruno.request("GET", f"/api/matches/{gone}")).status_code == 404
        made = await bruno.post(again)
        assert made["table"]["id"] != gone and made["yours"] == [0]
        assert (await bruno.post(again))["table"]["id"] == made["table"]["id"], "and no third one"

    run(work())


def test_who_resigned_while_the_others_played_on_may_ask_for_the_next_match(server: ServerProcess) -> None:
    """The seat is theirs there, not of the bot that played on; and whoever asks, it waits for them."""

    async def work() -> None:
        match_id, (anna, bruno, carla) = await begin(server.url, 3)
        again = f"/api/matches/{match_id}/again"
        await anna.command(match_id, do="resign")
        shown = await state(anna, match_id)
        assert (shown["yours"], shown["resigned"]) == ([], [0])
        assert (await state(bruno, match_id))["resigned"] == []
        await anna.post(again, status=409)
        await bruno.command(match_id, do="resign")
        await (await Client.guest(server.url)).post(again, status=403)
        made = (await bruno.post(again))["table"]
        assert [seat["kind"] for seat in made["seats"]].count("bot") == 0
        joined = await anna.post(again)
        assert joined["table"]["id"] == made["id"] and joined["yours"] == [2]
        assert (await carla.post(again))["table"]["state"] == "running"

    run(work())
