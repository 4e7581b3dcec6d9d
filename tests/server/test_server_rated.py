"""Rated matches: who may play them and how, what they count, and that each counts once."""

from __future__ import annotations

import asyncio
import json
import sqlite3
import uuid
from collections.abc import Coroutine
from pathlib import Path
from typing import Any

import pytest

from ludus.ratings import BEGINNER, after_game
from ludus.server.settings import Settings
from ludus.server.testing import Client, Postgres, ServerProcess
from ludus.store import migrate, open_store, strengths
from ludus.store.backup import backup, restore
from ludus.store.store import Store, read_url
from samples import LARGE, PLANNED, SMALL
from server.inside import Inside

PASSWORD = "a long and odd pass phrase"
CLOCK = {"kind": "match", "seconds": 600, "increment": 5}
ME, OPEN = {"kind": "me"}, {"kind": "open"}
WISH: dict[str, Any] = {"title": SMALL, "options": {"rounds": 20}, "seats": [ME, OPEN], "clock": CLOCK}
RATED = {**WISH, "rated": True}


def run(work: Coroutine[Any, Any, None]) -> None:
    asyncio.run(work)


async def account(url: str, name: str = "Gaia") -> Client:
    made = await Client.guest(url)
    await made.take_account(f"{name} {uuid.uuid4().hex[:8]}", PASSWORD)
    return made


async def seated(one: Client, other: Client, **wish: Any) -> tuple[str, list[Client]]:
    """A rated match that has begun, and who sits where."""
    match_id = (await one.post("/api/matches", {**RATED, **wish}))["table"]["id"]
    await other.post(f"/api/matches/{match_id}/join")
    return match_id, await in_order(match_id, one, other)


async def in_order(match_id: str, *people: Client) -> list[Client]:
    sits = {(await who.get(f"/api/matches/{match_id}"))["yours"][0]: who for who in people}
    return [sits[0], sits[1]]


async def move(match_id: str, people: list[Client], **body: Any) -> None:
    now = await people[0].get(f"/api/matches/{match_id}")
    mover = people[now["table"]["to_move"]]
    action = (await mover.get(f"/api/matches/{match_id}"))["legal"][0]["action"]
    answer = await mover.command(match_id, expect=now["entry"], actions=[action], **body)
    assert answer.status_code == 200, answer.text


async def table(match_id: str, who: Client) -> dict[str, Any]:
    found: dict[str, Any] = (await who.get(f"/api/matches/{match_id}"))["table"]
    return found


async def strength(who: Client) -> dict[str, Any]:
    found: dict[str, Any] = (await who.get("/api/me/strength"))["titles"].get(SMALL, {})
    told: dict[str, Any] = found.get("matches", {})
    return told


# -- how one is played ------------------------------------------------------------------------------------


def test_a_rated_match_counts_for_both_and_once(server: ServerProcess) -> None:
    async def work() -> None:
        anna, bruno = await account(server.url), await account(server.url)
        match_id, people = await seated(anna, bruno)
        sits = {"rating": 1200, "deviation": 350, "games": 0}
        facts = await table(match_id, anna)
        assert facts["rated"] is True
        assert [seat["strength"] for seat in facts["seats"]] == [sits, sits]
        assert await strength(anna) == {}
        await move(match_id, people)
        client = uuid.uuid4().hex
        for _ in range(3):
            assert (await people[0].command(match_id, do="resign", client=client)).status_code == 200
        assert (await people[0].command(match_id, do="resign")).status_code == 409
        won, lost = after_game(BEGINNER, BEGINNER, 1.0)
        facts = await table(match_id, anna)
        assert facts["state"] == "over"
        assert [seat["strength"]["after"] for seat in facts["seats"]] == [
            round(lost.rating),
            round(won.rating),
        ]
        assert [seat["strength"]["rating"] for seat in facts["seats"]] == [1200, 1200]
        for who, now in ((people[0], lost), (people[1], won)):
            told = await strength(who)
            assert (told["rating"], told["games"]) == (round(now.rating), 1)
            assert told["deviation"] == round(now.deviation) < 350
            [one] = told["curve"]
            assert (one["match"], one["rating"], one["after"]) == (match_id, 1200, round(now.rating))
            assert one["against"]["rating"] == 1200
        rows = (await anna.get("/api/matches?finished=true"))["matches"]
        [row] = [row for row in rows if row["id"] == match_id]
        assert row["rated"] is True and "after" in row["seats"][0]["strength"]

    run(work())


def test_the_lobby_says_that_it_is_rated_and_how_strong_who_waits_is(server: ServerProcess) -> None:
    async def work() -> None:
        anna, stranger = await account(server.url), await Client.guest(server.url)
        match_id = (await anna.post("/api/matches", {**RATED, "public": True}))["table"]["id"]
        rows = (await stranger.get("/api/matches/open"))["matches"]
        [row] = [row for row in rows if row["id"] == match_id]
        assert row["rated"] is True
        assert row["seats"][0]["strength"] == {"rating": 1200, "deviation": 350, "games": 0}
        await anna.post(f"/api/matches/{match_id}/leave")

    run(work())


@pytest.mark.parametrize(
    ("wish", "why"),
    [
        ({"hints": True}, "without hints"),
        ({"clock": {"kind": "none"}}, "needs a clock"),
        ({"seats": [ME, {"kind": "bot", "bot": "tiro"}]}, "between people"),
        ({"seats": [ME, {"kind": "screen"}]}, "a screen of its own"),
        ({"seats": [OPEN, OPEN]}, "two accounts"),
        ({"seats": [ME, OPEN, OPEN]}, "for two"),
        ({"start": {"position": "{}"}}, "as a new game"),
    ],
)
def test_what_a_rated_match_cannot_be_is_refused_with_a_sentence(
    server: ServerProcess, wish: dict[str, Any], why: str
) -> None:
    async def work() -> None:
        anna = await account(server.url)
        answer = await anna.request("POST", "/api/matches", {**RATED, **wish})
        assert answer.status_code == 422 and why in answer.json()["reason"], answer.text

    run(work())


def test_a_guest_is_told_why_not_and_how(server: ServerProcess) -> None:
    """Neither made, nor joined, nor claimed by whoever asks the API itself."""

    async def work() -> None:
        guest, anna, bruno = await Client.guest(server.url), *[await account(server.url) for _ in range(2)]
        match_id = (await anna.post("/api/matches", RATED))["table"]["id"]
        refused = [
            await guest.request("POST", "/api/matches", RATED),
            await guest.request("POST", f"/api/matches/{match_id}/join", {}),
            await guest.request("POST", f"/api/matches/{match_id}/join", {"seat": 1}),
        ]
        for answer in refused:
            assert answer.status_code == 403, answer.text
            assert "for accounts" in answer.json()["reason"] and "make one" in answer.json()["reason"]
        await bruno.post(f"/api/matches/{match_id}/join")
        await bruno.command(match_id, do="leave")
        people = await seats_of(match_id, anna)
        claim = await guest.command(match_id, do="claim", seat=people.index(False))
        assert claim.status_code == 403, claim.text
        await guest.take_account(f"Livia {uuid.uuid4().hex[:8]}", PASSWORD)
        claim = await guest.command(match_id, do="claim", seat=people.index(False))
        assert claim.status_code == 403 and "only who has left" in claim.json()["reason"]
        assert (await bruno.command(match_id, do="claim", seat=people.index(False))).status_code == 200

    run(work())


def test_a_match_that_one_has_left_stays_among_ones_own(server: ServerProcess) -> None:
    """Its clock runs on: whoever has left finds it, and alone may come back; also when it is over."""

    async def work() -> None:
        anna, bruno, stranger = [await account(server.url) for _ in range(3)]
        match_id, people = await seated(anna, bruno)
        await people[0].command(match_id, do="leave")
        told = {who: await who.get(f"/api/matches/{match_id}") for who in (people[0], stranger)}
        assert (told[people[0]]["away"], told[people[0]]["claims"]) == ([0], [0])
        assert (told[stranger]["away"], told[stranger]["claims"]) == ([], [])
        [row] = (await people[0].get("/api/matches"))["matches"]
        assert (row["id"], row["yours"], row["away"], row["your_turn"]) == (match_id, [], [0], False)
        await people[1].command(match_id, do="resign")
        [row] = (await people[0].get("/api/matches?finished=true"))["matches"]
        assert (row["id"], row["away"], row["result"]) == (match_id, [0], [2, 0])
        unrated, _ = await seated(anna, bruno, rated=False)
        assert (await bruno.command(unrated, do="leave")).status_code == 200
        told = {who: await who.get(f"/api/matches/{unrated}") for who in (anna, bruno, stranger)}
        assert (told[anna]["claims"], told[bruno]["claims"], told[stranger]["claims"]) == ([], [1], [1])
        assert (await bruno.get("/api/matches"))["matches"] == [], "somebody else may have it"

    run(work())


async def seats_of(match_id: str, who: Client) -> list[bool]:
    mine = (await who.get(f"/api/matches/{match_id}"))["yours"]
    return [seat in mine for seat in range(2)]


def test_an_invitation_is_no_way_around(server: ServerProcess) -> None:
    async def work() -> None:
        guest, anna = await Client.guest(server.url), await account(server.url)
        made = await anna.post("/api/matches", {**RATED, "seats": [ME, {"kind": "link"}]})
        match_id, invite = made["table"]["id"], made["invites"]["1"]
        join = f"/api/matches/{match_id}/join"
        assert (await guest.request("POST", join, {"invite": invite})).status_code == 403
        assert (await anna.post(join, {"invite": invite}))["yours"] == [0], "who sits stays where they are"
        assert (await anna.request("POST", join, {"rated": False})).status_code == 422
        bruno = await account(server.url)
        assert (await bruno.post(join, {"invite": invite}))["table"]["state"] == "running"

    run(work())


def test_everybody_thinks_alone_and_for_themselves(server: ServerProcess) -> None:
    """No hints, no threats, no positions to ask a bot about, no bot that plays on, no undo by agreement."""

    async def work() -> None:
        anna, bruno = await account(server.url), await account(server.url)
        match_id, people = await seated(anna, bruno)
        await move(match_id, people)
        place = f"/api/matches/{match_id}"
        for ask in ("hint", "threats"):
            answer = await people[0].request("POST", f"{place}/{ask}", {})
            assert answer.status_code == 403 and "rated" in answer.json()["reason"]
        start = {"title": SMALL, "options": {"rounds": 20}, "start": {"match": match_id, "entry": 1}}
        from_here = {**start, "seats": [ME, {"kind": "bot", "bot": "tiro"}]}
        assert (await people[0].request("POST", "/api/matches", from_here)).status_code == 403
        assert (await people[0].request("GET", f"{place}/moments/1/position")).status_code == 403
        undo = await people[0].command(match_id, do="propose", kind="undo", to=0)
        assert undo.status_code == 409 and "rated" in undo.json()["reason"]
        await people[1].command(match_id, do="leave")
        take = await people[0].command(match_id, do="take_over", seat=1)
        assert take.status_code == 403 and "no bot" in take.json()["reason"]
        await people[0].command(match_id, do="resign")
        assert (await strength(people[1]))["games"] == 1, "who has left has won all the same"
        assert (await people[0].request("GET", f"{place}/moments/1/position")).status_code == 200

    run(work())


@pytest.mark.parametrize("title", [LARGE, PLANNED])
def test_no_file_leads_to_a_position_of_a_match_that_runs(server: ServerProcess, title: str) -> None:
    """Where nothing is hidden a spectator has all of the match: with two other lines the file plays again."""

    async def work() -> None:
        anna, bruno = await account(server.url), await account(server.url)
        match_id, people = await seated(anna, bruno, title=title, options={})
        await move(match_id, people)
        place = f"/api/matches/{match_id}"
        for who in (*people, await Client.guest(server.url)):
            for path in ("file", "file?seat=0", "moments/1/position"):
                answer = await who.request("GET", f"{place}/{path}")
                assert answer.status_code == 403, (path, answer.text)
            assert "rated" in (await who.request("GET", f"{place}/file")).json()["reason"]
            study = await who.request("POST", "/api/studies", {"match": match_id})
            assert study.status_code == 403
            for method, path in (("GET", "chances"), ("GET", "course"), ("POST", "analysis")):
                answer = await who.request(method, f"{place}/{path}")
                assert answer.status_code in (403, 409), (path, answer.text)
        await people[0].command(match_id, do="resign")
        assert (await anna.request("GET", f"{place}/file")).status_code == 200

    run(work())


def test_what_nobody_has_answered_may_be_taken_back(server: ServerProcess) -> None:
    """The touch that slipped: the same as at every table with a clock."""

    async def work() -> None:
        anna, bruno = await account(server.url), await account(server.url)
        match_id, people = await seated(anna, bruno)
        now = await people[0].get(f"/api/matches/{match_id}")
        legal = [choice["action"] for choice in now["legal"]]
        await people[0].command(match_id, expect=now["entry"], actions=legal[:1])
        done = await people[0].get(f"/api/matches/{match_id}")
        if done["table"]["to_move"] == 0:
            back = await people[0].command(match_id, do="undo", expect=done["entry"], to=now["entry"])
            assert back.status_code == 200, back.text

    run(work())


def test_a_draw_by_agreement_moves_both_to_each_other(server: ServerProcess) -> None:
    async def work() -> None:
        anna, bruno = await account(server.url), await account(server.url)
        first, people = await seated(anna, bruno)
        await move(first, people)
        await people[0].command(first, do="resign")
        low, high = (await strength(people[0]))["rating"], (await strength(people[1]))["rating"]
        match_id, again = await seated(anna, bruno)
        await move(match_id, again)
        await again[0].command(match_id, do="propose", kind="draw")
        asked = (await table(match_id, anna))["proposal"]["entry"]
        await again[1].command(match_id, do="vote", yes=True, proposal=asked)
        assert low < (await strength(people[0]))["rating"] < (await strength(people[1]))["rating"] < high

    run(work())


def test_a_match_that_ends_before_the_first_move_counts_for_nobody_but_not_always(
    server: ServerProcess,
) -> None:
    """Who has seen what was dealt may get up before the first move, three times a day."""

    async def work() -> None:
        anna, bruno = await account(server.url), await account(server.url)
        for number in range(strengths.FREE + 1):
            match_id, _ = await seated(anna, bruno)
            await anna.command(match_id, do="resign")
            seats = (await table(match_id, anna))["seats"]
            if number < strengths.FREE:
                assert all(seat["strength"].get("unplayed") for seat in seats)
                assert await strength(anna) == await strength(bruno) == {}
        assert (await strength(anna))["games"] == (await strength(bruno))["games"] == 1
        assert (await strength(anna))["rating"] < 1200 < (await strength(bruno))["rating"]
        assert not any("unplayed" in seat["strength"] for seat in seats)

    run(work())


def test_a_return_match_stays_rated_and_the_seats_change(server: ServerProcess) -> None:
    async def work() -> None:
        anna, bruno = await account(server.url), await account(server.url)
        for _ in range(6):  # a lot that was drawn again would keep them in their seats
            match_id, people = await seated(anna, bruno)
            await move(match_id, people)
            await people[0].command(match_id, do="resign")
            made = (await anna.post(f"/api/matches/{match_id}/again"))["table"]["id"]
            assert (await bruno.post(f"/api/matches/{match_id}/again"))["table"]["id"] == made
            facts = await table(made, anna)
            assert facts["rated"] is True and facts["state"] == "running"
            assert facts["seats"][0]["strength"]["games"] >= 1, "as strong as they are now"
            assert await in_order(made, anna, bruno) == people[::-1]
            await anna.command(made, do="resign")

    run(work())


def test_who_sits_where_is_drawn_by_lot_and_told_to_who_waits(server: ServerProcess) -> None:
    async def work() -> None:
        anna, bruno = await account(server.url), await account(server.url)
        seen = set()
        for _ in range(40):
            match_id = (await anna.post("/api/matches", RATED))["table"]["id"]
            async with anna.watch(match_id) as socket:
                assert (await socket.wait_for("state"))["yours"] == [0]
                await bruno.post(f"/api/matches/{match_id}/join")
                told = await socket.wait_for("state", "table", "entries")
                while told["table"]["state"] == "waiting":
                    told = await socket.wait_for("state", "table", "entries")
            now = await anna.get(f"/api/matches/{match_id}")
            if told["type"] == "state":
                assert told["eye"] == now["eye"] == 1 and told["yours"] == [1]
            seen.add(now["eye"])
            assert now["table"]["seats"][now["eye"]]["name"] == anna.name
            await anna.command(match_id, do="resign")
            if seen == {0, 1}:
                return
        raise AssertionError(f"forty lots fell the same: {seen}")

    run(work())


def test_time_that_runs_out_counts(server: ServerProcess) -> None:
    async def work() -> None:
        anna, bruno = await account(server.url), await account(server.url)
        quick = {"kind": "move", "seconds": 5}
        match_id, people = await seated(anna, bruno, clock=quick)
        await move(match_id, people)
        mover = (await table(match_id, anna))["to_move"]
        for _ in range(200):
            facts = await table(match_id, anna)
            if facts["state"] == "over":
                break
            await asyncio.sleep(0.1)
        assert facts["ending"] == "timed_out"
        assert (
            (await strength(people[mover]))["rating"] < 1200 < (await strength(people[1 - mover]))["rating"]
        )

    run(work())


# -- once and only once ------------------------------------------------------------------------------------


async def at_once(servers: list[ServerProcess], many: int) -> None:
    """Two people finish many matches at once, through both processes; each counts once, in some order."""
    anna, bruno = await account(servers[0].url), await account(servers[0].url)
    ids = []
    for _ in range(many):
        match_id, people = await seated(anna, bruno)
        await move(match_id, people)
        ids.append(match_id)
    clients = {who: [who, Client(servers[1].url, who.token)] for who in (anna, bruno)}
    ends = [
        clients[who][(k + j) % 2].command(match_id, do="resign", client=f"end-{match_id}")
        for k, match_id in enumerate(ids)
        for j, who in enumerate((anna, bruno, anna, bruno))
    ]
    answers = await asyncio.gather(*ends)
    assert {answer.status_code for answer in answers} <= {200, 409}
    told = [await strength(anna), await strength(bruno)]
    assert [one["games"] for one in told] == [many, many]
    for one in told:
        steps = one["curve"]
        assert {step["match"] for step in steps} == set(ids)
        left = sorted((step["rating"], step["after"]) for step in steps)
        known = 1200
        while left:  # every change begins where another one ended
            step = next(pair for pair in left if pair[0] == known)
            left.remove(step)
            known = step[1]
        assert known == one["rating"]
    # What one wins the other loses, as far as both are as sure.
    assert told[0]["rating"] + told[1]["rating"] == pytest.approx(2400, abs=4)


def test_two_processes_that_finish_at_once_count_each_match_once(pair: list[ServerProcess]) -> None:
    run(at_once(pair, 8))


def test_two_processes_on_a_file_count_each_match_once(pair_on_a_file: list[ServerProcess]) -> None:
    run(at_once(pair_on_a_file, 6))


def test_a_match_whose_count_fails_has_not_ended(db_path: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The number and the end are one transaction: neither is there without the other."""

    async def work() -> None:
        house = Inside(Settings(db=db_path, log="off", limits=False, bot_workers=1, form="plain", grace=0))
        anna, bruno = await account_in(house), await account_in(house)
        match_id, people = await seated(anna, bruno)
        await move(match_id, people)
        right = strengths.count_match

        def broken(*given: Any) -> dict[int, str]:
            right(*given)
            raise RuntimeError("the plug was pulled here")

        monkeypatch.setattr(strengths, "count_match", broken)
        answer = await people[0].command(match_id, do="resign", client="the-end")
        assert answer.status_code == 500
        assert (await table(match_id, anna))["state"] == "running"
        assert await strength(anna) == {}
        monkeypatch.setattr(strengths, "count_match", right)
        again = await people[0].command(match_id, do="resign", client="the-end")
        assert again.status_code == 200 and not again.json()["repeated"]
        assert (await strength(anna))["games"] == (await strength(bruno))["games"] == 1
        await house.close()

    run(work())


# -- people who go, and what is kept -----------------------------------------------------------------------


def test_who_is_forgotten_has_resigned_and_leaves_no_number(db_path: str) -> None:
    with ServerProcess(db_path) as process:

        async def work() -> None:
            anna, bruno = await account(process.url), await account(process.url)
            first, people = await seated(anna, bruno)
            await move(first, people)
            await anna.command(first, do="resign")
            before = (await strength(bruno))["rating"]
            second, people = await seated(anna, bruno)
            await move(second, people)
            gone = await anna.request("DELETE", "/api/me", {"password": PASSWORD})
            assert gone.status_code == 200, gone.text
            facts = await table(second, bruno)
            assert (facts["state"], facts["ending"]) == ("over", "resigned")
            told = await strength(bruno)
            assert told["games"] == 2 and told["rating"] > before
            assert [one["against"]["name"] for one in told["curve"]] == ["Forgotten", "Forgotten"]
            with sqlite3.connect(db_path) as db:
                ids = [row[0] for row in db.execute("SELECT person_id FROM strengths")]
                assert ids == [bruno.id]

        run(work())


def test_who_was_taken_out_by_the_host_loses_by_the_clock_and_the_other_is_rated(db_path: str) -> None:
    from ludus.store import admin

    with ServerProcess(db_path) as process:

        async def work() -> None:
            anna, bruno = await account(process.url), await account(process.url)
            match_id, people = await seated(anna, bruno, clock={"kind": "move", "seconds": 5})
            await move(match_id, people)
            mover = people[(await table(match_id, anna))["to_move"]]
            other = next(who for who in people if who is not mover)
            store = open_store(db_path)
            await asyncio.to_thread(admin.forget_person, store, mover.id, 0.0)
            store.close()
            for _ in range(200):
                if (await table(match_id, other))["state"] == "over":
                    break
                await asyncio.sleep(0.1)
            assert (await strength(other))["rating"] > 1200

        run(work())


@pytest.mark.parametrize("kind", ["sqlite", "postgresql"])
def test_matches_of_an_earlier_release_are_not_rated(kind: str, db_path: str, request: Any) -> None:
    """The tables of before, with a match and its seats, are brought along; and nobody has a number."""
    from sqlalchemy import text

    url = db_path if kind == "sqlite" else request.getfixturevalue("cluster").new_database()
    old = Store(read_url(url))
    with old.write() as db:
        migrate.upgrade(db, "0012")
        columns = "id, incarnation, revision, title, rules_version, options, seats, names, box_hash, public"
        more = "same_screen, state, secret, clock, clock_state, to_move, entries, chat, hash, result, ending"
        values = "'m', 'i', 1, 't', 1, '{}', 2, '[]', '', false"
        values += ", false, 'over', '', '', '', -2, 0, 0, '', '2 0', ''"
        db.execute(text(f"INSERT INTO matches ({columns}, {more}, created, updated) VALUES ({values}, 0, 0)"))
        seat = "match_id, seat, kind, bot, name, invite, nonce"
        for number in (0, 1):
            db.execute(text(f"INSERT INTO seats ({seat}) VALUES ('m', {number}, 'person', '', 'P', '', '')"))
    old.close()
    store = open_store(url)
    from ludus.store import records

    with store.read() as reading:
        row = records.match_row(reading, "m")
        assert row is not None and row.rated == ""
        assert [seat.strength for seat in records.seat_rows(reading, "m")] == ["", ""]
        assert reading.execute(text("SELECT count(*) FROM strengths")).scalar() == 0
    store.close()


def test_a_backup_takes_ratings_from_one_database_to_the_other(cluster: Postgres, tmp_path: Path) -> None:
    first, there = str(tmp_path / "1.db"), cluster.new_database()
    people: list[Client] = []
    told: list[dict[str, Any]] = []
    with ServerProcess(first) as process:

        async def play() -> None:
            people.extend([await account(process.url), await account(process.url)])
            match_id, order = await seated(*people)
            await move(match_id, order)
            await order[0].command(match_id, do="resign")
            told.extend([await strength(who) for who in people])

        run(play())
    source, goal = open_store(first), open_store(there)
    backup(source, tmp_path / "b.backup")
    restore(goal, tmp_path / "b.backup")
    source.close()
    goal.close()
    with ServerProcess(there) as process:

        async def go_on() -> None:
            again = [Client(process.url, who.token) for who in people]
            now = [await strength(who) for who in again]
            assert json.dumps(now) == json.dumps(told)
            match_id, order = await seated(*again)
            await move(match_id, order)
            await order[0].command(match_id, do="resign")
            assert [(await strength(who))["games"] for who in again] == [2, 2]

        run(go_on())


def test_a_guest_has_no_number(server: ServerProcess) -> None:
    async def work() -> None:
        guest = await Client.guest(server.url)
        assert (await guest.get("/api/me/strength")) == {"titles": {}}

    run(work())


def test_strength_by_puzzles_stands_beside_that_by_matches(server: ServerProcess) -> None:
    """Two numbers: what a browser may write for itself moves no match."""

    async def work() -> None:
        anna, bruno = await account(server.url), await account(server.url)
        said = {SMALL: {"n": 9, "at": 1, "rating": 3999.0, "deviation": 45.0, "volatility": 0.06}}
        await anna.post("/api/me/progress/puzzles", {"data": said})
        told = (await anna.get("/api/me/strength"))["titles"][SMALL]
        assert told == {"puzzles": {"rating": 3999, "deviation": 45, "tries": 9}}
        match_id, _ = await seated(anna, bruno)
        assert {s["strength"]["rating"] for s in (await table(match_id, anna))["seats"]} == {1200}

    run(work())


async def account_in(house: Inside) -> Client:
    guest = await house.guest()
    wish = {"name": f"Gaia {uuid.uuid4().hex[:8]}", "password": PASSWORD}
    return house.client((await guest.post("/api/account", wish))["token"])
