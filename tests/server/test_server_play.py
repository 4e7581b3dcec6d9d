"""Playing over the API: from an empty room to a match file that proves its dice."""

from __future__ import annotations

import asyncio
import json
import random
import time
import uuid
from collections.abc import Coroutine
from typing import Any

import pytest

from ludus import titles as registry
from ludus.match.file import read_match, verify
from ludus.server.testing import Client, ServerProcess
from samples import SMALL, WIDE

PLAY = {"title": SMALL, "options": {"rounds": 2}}


def run(work: Coroutine[Any, Any, None]) -> None:
    asyncio.run(work)


async def begin(url: str, seats: int = 2, title: str = SMALL, **wish: Any) -> tuple[str, list[Client]]:
    """A match with so many people, begun."""
    people = [await Client.guest(url) for _ in range(seats)]
    wanted = [{"kind": "me"}] + [{"kind": "open"}] * (seats - 1)
    made = await people[0].post("/api/matches", {"title": title, "seats": wanted, **wish})
    match_id = made["table"]["id"]
    for person in people[1:]:
        await person.post(f"/api/matches/{match_id}/join")
    return match_id, people


async def state(person: Client, match_id: str) -> dict[str, Any]:
    found: dict[str, Any] = await person.get(f"/api/matches/{match_id}")
    return found


async def play_one(people: list[Client], match_id: str, choose: Any = random.choice) -> bool:
    """One action of whoever is to move; False when nobody can."""
    table = (await state(people[0], match_id))["table"]
    mover = table["to_move"]
    if table["state"] != "running" or not isinstance(mover, int):
        return False
    now = await state(people[mover], match_id)
    action = choose(now["legal"])["action"]
    answer = await people[mover].command(match_id, expect=now["entry"], actions=[action])
    assert answer.status_code == 200, answer.text
    return True


async def play_to_the_end(people: list[Client], match_id: str) -> dict[str, Any]:
    while await play_one(people, match_id):
        pass
    return await state(people[0], match_id)


def test_two_guests_play_a_match_and_verify_its_dice(server: ServerProcess) -> None:
    async def work() -> None:
        match_id, (anna, bruno) = await begin(server.url, options={"rounds": 2}, public=True)
        commitment = (await state(anna, match_id))["table"]["fairness"]["commitment"]
        end = await play_to_the_end([anna, bruno], match_id)
        assert end["table"]["state"] == "over" and end["table"]["ending"] == "played"
        assert end["table"]["fairness"]["commitment"] == commitment
        text = (await bruno.request("GET", f"/api/matches/{match_id}/file")).text
        proof = verify(read_match(text, registry.title))
        assert proof.good, proof.problem
        mine = await bruno.get("/api/matches?finished=true")
        assert [m["id"] for m in mine["matches"]] == [match_id]
        assert (await bruno.get("/api/matches"))["matches"] == []

    run(work())


@pytest.mark.parametrize("title", registry.title_names())
def test_every_title_of_the_registry_is_playable(server: ServerProcess, title: str) -> None:
    async def work() -> None:
        guest = await Client.guest(server.url)
        known = (await guest.get("/api/titles"))["titles"]
        if title not in known:
            pytest.fail(f"{title} is in the registry and the server does not know it")
        seats = known[title]["seats"][0]
        match_id, people = await begin(server.url, seats, title)
        for _ in range(40):
            if not await play_one(people, match_id):
                break
        assert (await state(people[0], match_id))["entry"] > 0
        facts = await guest.get(f"/api/titles/{title}?lang=it")
        assert facts["words"]

    run(work())


def test_both_seats_are_told_by_socket_and_a_returning_one_gets_what_it_missed(server: ServerProcess) -> None:
    async def work() -> None:
        match_id, (anna, bruno) = await begin(server.url)
        async with anna.watch(match_id) as a:
            first = await a.wait_for("state")
            async with bruno.watch(match_id) as b:
                await b.wait_for("state")
                answer = await a.command(do="play", expect=0, actions=["stake 2", "show 3"])
                assert answer["ok"] and answer["entry"] == 2
                told = await b.wait_for("entries")
                assert [e["text"] for e in told["entries"]] == ["stake 2", "show ?"]
                assert told["entries"][1]["view"]["board"]["fingers"] == [None, 0]
                assert told["entries"][0]["log"], "a sentence for the log"
                assert told["legal"] == []
            await a.command(do="play", expect=2, actions=["guess 5"])
        assert first["legal"][0].keys() == {"action", "say", "touches"}
        async with bruno.watch(match_id, since=2) as b:
            missed = await b.receive()
            assert (missed["type"], missed["since"]) == ("entries", 2)
            assert [e["text"] for e in missed["entries"]] == ["guess ?"]
            assert [c["action"] for c in missed["legal"]] == [f"show {n}" for n in range(1, 6)]
        async with bruno.watch(match_id, since=3) as b:
            assert (await b.receive())["entries"] == []
        async with bruno.watch(match_id, since=99) as b:
            assert (await b.receive())["type"] == "state"

    run(work())


def test_a_command_is_all_or_none_and_says_which_rule_forbids_it(server: ServerProcess) -> None:
    async def work() -> None:
        match_id, (anna, bruno) = await begin(server.url)
        answer = await anna.command(match_id, expect=0, actions=["stake 2", "show 9"])
        assert answer.status_code == 422 and answer.json()["error"] == "illegal"
        answer = await anna.command(match_id, expect=0, actions=["stake 99"])
        assert answer.status_code == 422
        answer = await anna.command(match_id, expect=0, actions=["show 1"])
        assert answer.json()["rule"] == "M2"
        assert (await bruno.command(match_id, expect=0, actions=["stake 1"])).status_code == 409
        assert (await state(anna, match_id))["entry"] == 0
        stale = await anna.command(match_id, expect=7, actions=["stake 1"])
        assert stale.status_code == 409
        assert stale.json()["error"] == "stale" and stale.json()["state"]["entry"] == 0

    run(work())


def test_a_list_cannot_go_on_behind_a_reveal(server: ServerProcess) -> None:
    """Else a list that fails there would be taken back, and its author would know the hidden hand."""

    async def work() -> None:
        match_id, (anna, bruno) = await begin(server.url)
        await anna.command(match_id, expect=0, actions=["stake 2", "show 3", "guess 5"])
        # With one call both are right and dice would follow, with the other they would not.
        for call, last in ((5, "stake 1"), (4, "stake 1"), (5, "stake 99"), (4, "nonsense")):
            answer = await bruno.command(match_id, expect=3, actions=["show 2", f"guess {call}", last])
            assert answer.status_code == 409 and "of its own" in answer.json()["reason"]
            assert (await state(bruno, match_id))["entry"] == 3

    run(work())


def test_what_if_stores_nothing_and_stops_before_a_reveal(server: ServerProcess) -> None:
    async def work() -> None:
        match_id, (anna, bruno) = await begin(server.url)
        query = f"/api/matches/{match_id}/what-if"
        answer = await anna.post(query, {"actions": ["stake 2", "show 3"]})
        assert answer["played"] == 2 and answer["legal"][0]["action"] == "guess 4"
        assert answer["view"]["board"]["fingers"] == [3, None]
        await bruno.post(query, {"actions": []}, status=403)
        await anna.command(match_id, expect=0, actions=["stake 2", "show 3", "guess 5"])
        answer = await bruno.post(query, {"actions": ["show 1", "guess 4"]})
        assert (answer["played"], answer["stopped"]) == (1, "reveal")
        assert (await state(bruno, match_id))["entry"] == 3

    run(work())


def test_advice_is_what_the_title_says_and_stores_nothing(server: ServerProcess) -> None:
    """After actions of one's own only in one's turn; a title without advice has none."""

    async def work() -> None:
        anna = await Client.guest(server.url)
        seats = [{"kind": "me"}, {"kind": "bot", "bot": "tiro"}]
        options = {"homes": "seated", "first_home": "macedonia"}
        made = await anna.post("/api/matches", {"title": WIDE, "seats": seats, "options": options})
        match_id = made["table"]["id"]
        query = f"/api/matches/{match_id}/advice"
        home = (await state(anna, match_id))["view"]["board"]["seats"][0]["home"]
        told = await anna.post(query, {"about": f"region:{home}"})
        assert told["advice"]["land"] and told["entry"] == (await state(anna, match_id))["entry"]
        lead = f"lead {home} general"
        after = await anna.post(query, {"about": "moving", "actions": [lead]})
        assert after["advice"]["reach"]
        assert (await anna.post(query, {"about": "moving"}))["advice"] is None
        await anna.post(query, {"about": "moving", "actions": ["march nowhere"]}, status=422)
        await anna.post(query, {"about": ""}, status=422)
        match_id, (_, bruno) = await begin(server.url)
        query = f"/api/matches/{match_id}/advice"
        assert (await bruno.post(query, {"about": "region:italia"}))["advice"] is None
        await bruno.post(query, {"about": "battle", "actions": ["show 1"]}, status=403)

    run(work())


def test_undo_alone_and_by_consent(server: ServerProcess) -> None:
    async def work() -> None:
        match_id, (anna, bruno) = await begin(server.url)
        await anna.command(match_id, expect=0, actions=["stake 2", "show 3"])
        assert (await anna.command(match_id, do="undo", expect=2, to=1)).status_code == 200
        assert (await state(anna, match_id))["legal"][0]["action"] == "show 1"
        await anna.command(match_id, expect=3, actions=["show 1", "guess 2"])
        await bruno.command(match_id, expect=5, actions=["show 1"])
        assert (await anna.command(match_id, do="undo", expect=6, to=1)).status_code == 409
        assert (await anna.command(match_id, do="propose", kind="undo", to=1)).status_code == 200
        assert (await state(bruno, match_id))["table"]["proposal"]["kind"] == "undo"
        vote = {"do": "vote", "yes": True, "proposal": 7}
        assert (await anna.command(match_id, **vote)).status_code == 409
        assert (await bruno.command(match_id, **vote)).status_code == 200
        now = await state(anna, match_id)
        assert now["legal"][0]["action"] == "show 1" and now["table"]["proposal"] is None
        moment = await bruno.get(f"/api/matches/{match_id}/moments/5")
        assert moment["view"]["board"]["fingers"] == [None, 0]
        rows = (await bruno.get(f"/api/matches/{match_id}/entries"))["entries"]
        assert [row["n"] for row in rows if row["stands"] and row["who"] != "house"] == [1]
        assert {row["n"]: row["back_to"] for row in rows if "back_to" in row} == {3: 1, 9: 1}

    run(work())


def test_draw_and_resignation_end_a_match(server: ServerProcess) -> None:
    async def work() -> None:
        match_id, (anna, bruno) = await begin(server.url)
        await anna.command(match_id, do="propose", kind="draw")
        await bruno.command(match_id, do="vote", yes=False, proposal=1)
        await bruno.command(match_id, do="propose", kind="draw")
        await anna.command(match_id, do="vote", yes=True, proposal=3)
        table = (await state(anna, match_id))["table"]
        assert (table["state"], table["ending"], table["result"]) == ("over", "agreed", [1, 1])
        match_id, (anna, bruno) = await begin(server.url)
        await bruno.command(match_id, do="resign")
        table = (await state(anna, match_id))["table"]
        assert (table["ending"], table["result"]) == ("resigned", [2, 0])
        assert (await bruno.command(match_id, do="resign")).status_code == 409

    run(work())


def test_a_bot_plays_on_for_one_of_three_who_resigns(server: ServerProcess) -> None:
    async def work() -> None:
        match_id, people = await begin(server.url, 3, options={"rounds": 1})
        await people[0].command(match_id, do="resign")
        for _ in range(800):
            table = (await state(people[1], match_id))["table"]
            if table["to_move"] == 1:
                break
            await asyncio.sleep(0.05)
        assert table["seats"][0]["kind"] == "bot" and table["to_move"] == 1
        end = await play_to_the_end(people, match_id)
        assert end["table"]["result"][0] == 0, "who resigned has lost, whatever the bot did"

    run(work())


def test_a_seat_that_is_left_can_be_claimed_or_given_to_a_bot(server: ServerProcess) -> None:
    async def work() -> None:
        match_id, people = await begin(server.url, 3)
        anna, bruno, carla = people
        dora = await Client.guest(server.url)
        claim = {"do": "claim", "seat": 1}
        assert (await dora.command(match_id, **claim)).status_code == 409, "nobody has left"
        async with bruno.watch(match_id, seat=1) as b:
            await b.wait_for("state")
            assert (await bruno.command(match_id, do="leave")).status_code == 200
            assert (await b.wait_for("state"))["eye"] is None, "who has left sees what everybody sees"
        assert (await bruno.request("GET", f"/api/matches/{match_id}?seat=1")).status_code == 403
        assert (await carla.command(match_id, **claim)).status_code == 403, "one hand is enough"
        assert (await dora.command(match_id, **claim)).status_code == 200
        assert (await state(dora, match_id))["yours"] == [1]
        assert (await bruno.command(match_id, **claim)).status_code == 409
        await carla.command(match_id, do="leave")
        take = {"do": "take_over", "seat": 2}
        assert (await bruno.command(match_id, **take)).status_code == 403, "no player any more"
        assert (await bruno.command(match_id, do="claim", seat=2)).status_code in (200, 403)
        assert (await anna.command(match_id, **take, bot="no such")).status_code in (409, 422)

    run(work())


def test_who_left_one_seat_cannot_take_another(server: ServerProcess) -> None:
    async def work() -> None:
        match_id, (anna, bruno, _carla) = await begin(server.url, 3)
        await anna.command(match_id, do="leave")
        await bruno.command(match_id, do="leave")
        assert (await anna.command(match_id, do="claim", seat=1)).status_code == 403
        assert (await anna.command(match_id, do="claim", seat=0)).status_code == 200
        assert (await anna.command(match_id, do="take_over", seat=1)).status_code == 200
        seats = (await state(anna, match_id))["table"]["seats"]
        assert [s["kind"] for s in seats] == ["person", "bot", "person"]

    run(work())


def test_who_runs_out_of_time_has_lost_and_everybody_is_told(server: ServerProcess) -> None:
    async def work() -> None:
        clock = {"kind": "move", "seconds": 5}
        match_id, (anna, bruno) = await begin(server.url, clock=clock)
        many, (carla, *_) = await begin(server.url, seats=3, clock=clock)
        shown = (await state(anna, match_id))["table"]["clock"]
        assert shown["running"] == 0 and shown["left"] == [5.0, 5.0]
        assert shown["deadline"] > shown["now"] > time.time() - 60, "told with the time of the telling"
        async with bruno.watch(match_id) as b:
            for _ in range(20):
                message = await b.receive()
                if message["table"]["state"] == "over":
                    break
            assert [row["text"] for row in message["entries"][-2:]] == ["time_out 0", "forfeit 0"]
            assert (message["table"]["result"], message["table"]["ending"]) == ([0, 2], "timed_out")
        late = await anna.command(match_id, expect=2, actions=["stake 1"])
        assert late.status_code == 409
        assert (await state(anna, match_id))["yours"] == [0], "the loser may ask for another match"
        table = (await state(carla, many))["table"]
        for _ in range(100):
            if table["seats"][0]["kind"] == "bot" and table["to_move"] == 1:
                break
            await asyncio.sleep(0.05)
            table = (await state(carla, many))["table"]
        assert (table["state"], table["to_move"]) == ("running", 1), "of several the others play on"
        assert table["seats"][0]["status"] == "forfeited"

    run(work())


def test_seats_by_link_need_the_invitation(server: ServerProcess) -> None:
    async def work() -> None:
        anna, bruno = await Client.guest(server.url), await Client.guest(server.url)
        made = await anna.post("/api/matches", {**PLAY, "seats": [{"kind": "me"}, {"kind": "link"}]})
        match_id, invite = made["table"]["id"], made["invites"]["1"]
        join = f"/api/matches/{match_id}/join"
        assert invite not in (await bruno.request("GET", f"/api/matches/{match_id}")).text
        await bruno.post(join, {}, status=409)
        await bruno.post(join, {"seat": 1}, status=403)
        await bruno.post(join, {"invite": "wrong"}, status=403)
        assert (await bruno.get("/api/matches/open"))["matches"] == [] or match_id not in str(
            await bruno.get("/api/matches/open")
        )
        assert (await bruno.post(join, {"invite": invite}))["table"]["state"] == "running"
        carla = await Client.guest(server.url)
        await carla.post(join, {"invite": invite}, status=409)

    run(work())


def test_leaving_before_play_and_full_seats(server: ServerProcess) -> None:
    async def work() -> None:
        anna, bruno, carla = [await Client.guest(server.url) for _ in range(3)]
        wish = {**PLAY, "seats": [{"kind": "me"}] + [{"kind": "open"}] * 2, "public": True}
        match_id = (await anna.post("/api/matches", wish))["table"]["id"]
        join, leave = f"/api/matches/{match_id}/join", f"/api/matches/{match_id}/leave"
        await bruno.post(join, {"seat": 2})
        assert (await bruno.post(join))["yours"] == [2], "joining twice changes nothing"
        await carla.post(join, {"seat": 2}, status=403)
        await carla.post(leave, status=403)
        assert match_id in str(await carla.get(f"/api/matches/open?title={SMALL}"))
        assert (await bruno.post(leave)) == {"ok": True, "gone": False}
        assert (await anna.post(leave)) == {"ok": True, "gone": True}
        assert (await anna.request("GET", f"/api/matches/{match_id}")).status_code == 404

    run(work())


def test_same_screen_is_played_by_one_person_and_others_read_no_hand(server: ServerProcess) -> None:
    async def work() -> None:
        anna, bruno = await Client.guest(server.url), await Client.guest(server.url)
        seats = [{"kind": "me"}, {"kind": "screen", "name": "Nonna"}]
        made = await anna.post("/api/matches", {**PLAY, "seats": seats})
        match_id = made["table"]["id"]
        assert made["table"]["seats"][1]["name"] == "Nonna" and made["yours"] == [0, 1]
        await anna.command(match_id, seat=0, expect=0, actions=["stake 1", "show 4", "guess 6"])
        async with anna.watch(match_id, seat=1) as a:
            assert (await a.wait_for("state"))["view"]["board"]["fingers"] == [None, 0]
            await a.send(type="look", seat=0)
            assert (await a.wait_for("state"))["view"]["board"]["fingers"] == [4, None]
        assert (await anna.command(match_id, expect=3, actions=["show 1"])).status_code == 422
        mine = (await anna.request("GET", f"/api/matches/{match_id}/file?seat=0")).text
        assert "show 4" in mine
        partial = (await bruno.request("GET", f"/api/matches/{match_id}/file")).text
        assert "show ?" in partial and "key:" not in partial

    run(work())


def test_own_nonces_come_after_the_commitment(server: ServerProcess) -> None:
    async def work() -> None:
        anna, bruno = await Client.guest(server.url), await Client.guest(server.url)
        seats = [{"kind": "me"}, {"kind": "open"}]
        made = await anna.post("/api/matches", {**PLAY, "seats": seats, "own_nonce": True})
        match_id = made["table"]["id"]
        assert len(made["table"]["fairness"]["commitment"]) == 64
        mine, yours = uuid.uuid4().hex, uuid.uuid4().hex
        joined = await bruno.post(f"/api/matches/{match_id}/join", {"nonce": yours})
        assert joined["table"]["state"] == "waiting"
        await bruno.post(f"/api/matches/{match_id}/nonce", {"seat": 0, "nonce": mine}, status=403)
        begun = await anna.post(f"/api/matches/{match_id}/nonce", {"seat": 0, "nonce": mine})
        assert begun["table"]["state"] == "running"
        assert begun["table"]["fairness"]["nonces"] == [mine, yours]

    run(work())


def test_play_again_with_seats_swapped(server: ServerProcess) -> None:
    async def work() -> None:
        match_id, (anna, bruno) = await begin(server.url)
        again = f"/api/matches/{match_id}/again"
        await anna.post(again, status=409)
        await bruno.command(match_id, do="resign")
        carla = await Client.guest(server.url)
        await carla.post(again, status=403)
        first = await anna.post(again)
        assert first["yours"] == [1] and first["table"]["state"] == "waiting"
        await carla.post(f"/api/matches/{first['table']['id']}/join", status=409)
        second = await bruno.post(again)
        assert second["table"]["id"] == first["table"]["id"] and second["yours"] == [0]
        assert second["table"]["state"] == "running"
        assert (await state(anna, match_id))["table"]["again"] == first["table"]["id"]

    run(work())


def test_chat_of_players_and_of_watchers_and_private_notes(server: ServerProcess) -> None:
    async def work() -> None:
        match_id, (anna, bruno) = await begin(server.url)
        watcher = await Client.guest(server.url)
        chat = f"/api/matches/{match_id}/chat"
        async with bruno.watch(match_id) as b, watcher.watch(match_id) as w:
            await b.wait_for("state"), await w.wait_for("state")
            await anna.post(chat, {"text": "salve  \u0007 Bruno"})
            assert (await b.wait_for("chat"))["line"]["text"] == "salve Bruno"
            await w.send(type="chat", text="show five!")
            assert (await w.wait_for("chat"))["line"]["room"] == "gallery"
        assert [r["text"] for r in (await anna.get(chat))["lines"]] == ["salve Bruno"]
        assert [r["text"] for r in (await watcher.get(chat))["lines"]] == ["show five!"]
        await bruno.command(match_id, do="resign")
        assert len((await watcher.get(chat))["lines"]) == 2
        note = f"/api/matches/{match_id}/note"
        assert (await anna.request("PUT", note, {"text": "he shows 5"})).status_code == 200
        assert (await anna.get(note))["text"] == "he shows 5"
        assert (await bruno.get(note))["text"] == ""

    run(work())


def test_making_a_match_twice_makes_one(server: ServerProcess) -> None:
    async def work() -> None:
        anna = await Client.guest(server.url)
        wish = {**PLAY, "client": "once"}
        made = await asyncio.gather(*(anna.post("/api/matches", wish) for _ in range(5)))
        assert len({m["table"]["id"] for m in made}) == 1

    run(work())


def test_what_cannot_be_made_is_refused_with_a_reason(server: ServerProcess) -> None:
    async def work() -> None:
        anna = await Client.guest(server.url)
        me, bot = {"kind": "me"}, {"kind": "bot"}
        for status, wish in (
            (404, {"title": "no such"}),
            (422, {"title": SMALL, "options": {"rounds": 99}}),
            (422, {"title": SMALL, "options": {"speed": 1}}),
            (422, {"title": SMALL, "seats": [me]}),
            (422, {"title": SMALL, "seats": [bot, bot]}),
            (422, {"title": SMALL, "seats": [me, me]}),
            (422, {"title": SMALL, "seats": [me, {"kind": "bot", "bot": "Hannibal"}]}),
            (422, {"title": SMALL, "seats": [me, {"kind": "bot", "bot": "exec:/bin/true"}]}),
            (422, {"title": SMALL, "seats": [me, {"kind": "bot", "bot": "http://127.0.0.1/"}]}),
            (422, {"title": SMALL, "clock": {"kind": "move", "seconds": 1}}),
            (422, {"title": SMALL, "surprise": 1}),
        ):
            answer = await anna.request("POST", "/api/matches", wish)
            assert answer.status_code == status, (wish, answer.text)
            assert answer.json()["reason"]

    run(work())


def test_clocks_stand_still_during_an_outage(db_path: str) -> None:
    """The last sign of life is ten minutes old: who was to move has not lost those minutes."""
    import sqlite3

    settings = {"grace": "15"}
    process = ServerProcess(db_path, settings)

    async def before() -> tuple[str, list[Client]]:
        return await begin(process.url, clock={"kind": "match", "seconds": 60})

    async def after() -> None:
        again = [Client(process.url, p.token) for p in people]
        for _ in range(100):
            clock = (await state(again[0], match_id))["table"]["clock"]
            if clock["deadline"] > time.time():
                break
            await asyncio.sleep(0.05)
        assert 30 < clock["deadline"] - time.time() <= 61
        assert (await again[0].command(match_id, expect=0, actions=["stake 1"])).status_code == 200

    with process:
        match_id, people = asyncio.run(before())
        process.kill()
        with sqlite3.connect(db_path) as db:
            (told,) = db.execute("SELECT clock_state FROM matches").fetchone()
            clock = json.loads(told)
            moved = json.dumps({**clock, "since": clock["since"] - 600})
            db.execute("UPDATE matches SET clock_state = ?, deadline = deadline - 600", (moved,))
            db.execute("UPDATE house SET value = value - 595 WHERE key = 'beat'")
        process.start()
        asyncio.run(after())


def test_the_client_is_served_where_it_is_there(tmp_path: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    import httpx

    from ludus.server import app as application
    from ludus.server.settings import Settings

    (tmp_path / "index.html").write_text("<title>Ludus</title>", encoding="utf-8")
    (tmp_path / "app.js").write_text("export const a = 1;", encoding="utf-8")
    monkeypatch.setattr(application, "STATIC", tmp_path)
    made = application.make_app(Settings(db=str(tmp_path / "w.db"), log="off"))

    async def work() -> None:
        async with httpx.AsyncClient(transport=httpx.ASGITransport(made), base_url="http://l") as browser:
            for path in ("/", "/m/some-match", "/index.html"):
                page = await browser.get(path)
                assert page.status_code == 200 and "Ludus" in page.text, path
                assert "script-src 'self'" in page.headers["content-security-policy"]
            script = await browser.get("/app.js")
            assert "javascript" in script.headers["content-type"]
            for path in ("/nowhere.js", "/api/nowhere", "/../pyproject.toml", "/%2e%2e/w.db"):
                assert (await browser.get(path)).status_code in (404, 200), path
                assert "SQLite" not in (await browser.get(path)).text
            assert (await browser.get("/api/nowhere")).status_code == 404
        await made.state.server.close()

    run(work())
