"""Analyses in the server: asked for once, made in the background, kept, shared, limited, gone on with."""

from __future__ import annotations

import asyncio
import contextlib
import io
import json
import os
import signal
import time
from pathlib import Path
from typing import Any

import pytest

from ludus.analysis.analysis import WORDS
from ludus.core.words import LANGUAGES
from ludus.match.file import write_match
from ludus.server import analysis_worker
from ludus.server.testing import Client, Postgres, ServerProcess
from ludus.store import analyses, open_store, schema
from ludus.store.analyses import DONE, FAILED, OPEN, RUNNING, STOPPED, WAITING
from samples import BARE, LARGE
from test_analysis import played

SETTINGS = {"grace": "0", "bot_workers": "1"}


async def two_at(
    server: ServerProcess, title: str, plies: int = 6, **wish: Any
) -> tuple[Client, Client, str]:
    """A match of two guests that one of them gives up after some actions."""
    anna, bruno = [await Client.guest(server.url) for _ in range(2)]
    seats = [{"kind": "me"}, {"kind": "open"}]
    made = await anna.post("/api/matches", {"title": title, "seats": seats, **wish})
    match_id = made["table"]["id"]
    await bruno.post(f"/api/matches/{match_id}/join")
    people = (anna, bruno)
    for _ in range(plies):
        seat = (await anna.get(f"/api/matches/{match_id}"))["table"]["to_move"]
        if not isinstance(seat, int):
            break  # it is over already
        state = await people[seat].get(f"/api/matches/{match_id}")
        await people[seat].command(
            match_id,
            do="play",
            seat=seat,
            actions=[state["legal"][0]["action"]],
            expect=state["table"]["entries"],
        )
    return anna, bruno, match_id


async def asked_after_resigning(client: Client, match_id: str) -> str:
    """End a match and ask for its analysis; where that is."""
    await client.command(match_id, do="resign", seat=0)
    path = f"/api/matches/{match_id}/analysis"
    await client.post(path, status=202)
    return path


async def made(client: Client, path: str, lang: str = "en") -> Any:
    """Wait until an analysis is made."""
    for _ in range(3000):
        found = await client.get(f"{path}?lang={lang}")
        if found["state"] not in ("waiting", "running"):
            return found
        await asyncio.sleep(0.1)
    raise AssertionError(found)


def test_an_analysis_is_made_once_kept_and_told_in_every_language(server: ServerProcess) -> None:
    async def work() -> None:
        anna, bruno, match_id = await two_at(server, BARE, 4)
        path = f"/api/matches/{match_id}/analysis"
        refused = await anna.request("POST", f"{path}?lang=de", {})
        assert refused.status_code == 403 and "nicht zu Ende" in refused.json()["reason"]
        assert (await anna.get(path)) == {"state": "none"}
        await anna.command(match_id, do="resign", seat=0)
        assert (await anna.post(path, status=202))["state"] in ("waiting", "running")
        await bruno.post(path, status=202)
        found = await made(bruno, path)
        assert found["state"] == "done"
        numbers = found["found"]
        for p, seat in enumerate(numbers["seats"]):
            total = numbers["start"][p] + sum(seat["skill"]) + seat["luck"] + seat["agreed"]
            assert total == numbers["result"][p]
        assert numbers["rough"] and found["told"]["rough"]
        said = {json.dumps((await made(anna, path, lang))["told"]) for lang in LANGUAGES}
        assert len(said) == len(LANGUAGES)
        stranger = Client(server.url)  # whoever may see the match may see its analysis
        kept = (await stranger.request("GET", f"{path}/file")).json()
        assert kept["rows"] == numbers["rows"] and anna.name in kept["names"]
        assert "names" not in numbers
        again = await anna.post(path, status=202)
        assert again["state"] == "done"
        assert (await anna.request("DELETE", path)).status_code == 404, "nothing is left to be stopped"

    asyncio.run(work())


def test_who_asked_may_stop_it_and_what_was_made_is_gone_on_with(
    tmp_path: Path,
) -> None:
    async def work(server: ServerProcess) -> None:
        anna, bruno, match_id = await two_at(server, LARGE, 8)
        path = await asked_after_resigning(anna, match_id)
        for _ in range(3000):
            if (await anna.get(path)).get("done", 0) > 2:
                break
            await asyncio.sleep(0.1)
        assert (await bruno.request("DELETE", path)).status_code == 404
        assert not (await bruno.get(path))["mine"] and (await anna.get(path))["mine"], "who may stop it"
        stopped = await anna.request("DELETE", path)
        assert stopped.json()["state"] == STOPPED
        done = (await anna.get(path))["done"]
        assert done > 2
        assert (await bruno.post(path, status=202))["done"] >= done

    with ServerProcess(str(tmp_path / "a.db"), SETTINGS) as process:
        asyncio.run(work(process))


async def rows_made(client: Client, path: str, more: int = 2) -> int:
    """Wait until some rows of an analysis are kept; how many."""
    for _ in range(3000):
        found = await client.get(path)
        assert found["state"] in OPEN, found
        if found["done"] > more:
            return int(found["done"])
        await asyncio.sleep(0.05)
    raise AssertionError(found)


def forget_the_beat(db: str, match_id: str) -> list[str]:
    """As if its server had been dead for long; the rows that it has left."""
    store = open_store(db)
    with store.write() as connection:
        row = analyses.row_of(connection, match_id)
        assert row is not None and row.state == RUNNING, "nobody could say that it was stopped"
        assert analyses.beat(connection, match_id, 0.0)
        left = analyses.part_of(connection, match_id)
    store.close()
    return left


@pytest.fixture(params=["sqlite", "postgresql"])
def database(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    if request.param == "sqlite":
        return str(tmp_path / "a.db")
    cluster: Postgres = request.getfixturevalue("cluster")
    return cluster.new_database()


def test_an_analysis_goes_on_where_it_was_when_its_server_is_killed(database: str) -> None:
    async def begun(server: ServerProcess) -> tuple[str, str, int]:
        anna, _, match_id = await two_at(server, LARGE, 8)
        path = await asked_after_resigning(anna, match_id)
        return match_id, path, await rows_made(anna, path)

    async def goes_on(server: ServerProcess, path: str, left: list[str]) -> None:
        stranger = Client(server.url)
        told = []
        for _ in range(3000):
            told.append(await stranger.get(path))
            if told[-1]["state"] == DONE:
                break
            await asyncio.sleep(0.05)
        assert told[-1]["state"] == DONE
        assert min(one["done"] for one in told[:-1]) >= len(left) - 1, "nothing was begun anew"
        rows = told[-1]["found"]["rows"]
        for line in left[1:]:
            kept = json.loads(line)
            assert kept["row"].items() <= rows[kept["n"]].items()

    with ServerProcess(database, SETTINGS) as process:
        match_id, path, done = asyncio.run(begun(process))
        at_work = workers_of(process)
        process.kill()  # with SIGKILL: it can put nothing in order
        assert at_work and all(is_gone(worker) for worker in at_work), (
            "nobody works on for a house that is gone"
        )
        left = forget_the_beat(database, match_id)
        assert len(left) - 1 >= done, "what was told was kept"
        process.start()
        asyncio.run(goes_on(process, path, left))


def is_gone(pid: int) -> bool:
    """Whether a process comes to its end by itself."""
    for _ in range(1200):
        state = Path(f"/proc/{pid}/stat")
        with contextlib.suppress(OSError):
            if state.read_text().rpartition(")")[2].split()[0] != "Z":
                time.sleep(0.05)
                continue
        return True
    return False


def workers_of(server: ServerProcess) -> list[int]:
    """The processes that analyse for a server."""
    assert server.process is not None
    found = []
    for folder in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):
            parent = int((folder / "stat").read_text().rpartition(")")[2].split()[1])
            if parent == server.process.pid and b"analysis_worker" in (folder / "cmdline").read_bytes():
                found.append(int(folder.name))
    return found


def niceness(pid: int) -> int:
    return int(Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[16])


def test_tables_are_played_at_while_an_analysis_is_made_behind_them(database: str) -> None:
    """Moves do not wait for the end of the analysis, nor the analysis for that of the moves."""

    async def moves_meanwhile(server: ServerProcess, path: str) -> int:
        anna, bruno, match_id = await two_at(server, LARGE, 0)
        moves = 0
        while (await anna.get(path))["state"] in OPEN:
            seat = (await anna.get(f"/api/matches/{match_id}"))["table"]["to_move"]
            if not isinstance(seat, int):  # it is over
                anna, bruno, match_id = await two_at(server, LARGE, 0)
                continue
            people = (anna, bruno)
            state = await people[seat].get(f"/api/matches/{match_id}")
            before = state["table"]["entries"]
            actions = [state["legal"][0]["action"]]
            await people[seat].command(match_id, do="play", seat=seat, actions=actions, expect=before)
            assert (await anna.get(f"/api/matches/{match_id}"))["table"]["entries"] > before
            moves += 1
        return moves

    async def work(server: ServerProcess) -> None:
        anna, _, match_id = await two_at(server, LARGE, 24)
        path = await asked_after_resigning(anna, match_id)
        await rows_made(anna, path)
        assert server.process is not None
        behind = [niceness(worker) - niceness(server.process.pid) for worker in workers_of(server)]
        assert behind and min(behind) >= min(15, 19 - niceness(server.process.pid)), "it steps back"
        assert await moves_meanwhile(server, path) > 2
        assert (await anna.get(path))["state"] == DONE

    with ServerProcess(database, SETTINGS) as process:
        asyncio.run(work(process))


def test_an_analysis_goes_on_by_itself_when_its_worker_is_killed(tmp_path: Path) -> None:
    async def work(server: ServerProcess) -> None:
        anna, _, match_id = await two_at(server, LARGE, 8)
        path = await asked_after_resigning(anna, match_id)
        await rows_made(anna, path)
        for process in workers_of(server):
            os.kill(process, signal.SIGKILL)
        assert (await anna.get(path))["state"] in OPEN, "it was killed before its end"
        assert (await made(anna, path))["state"] == DONE, "nobody asked again"

    with ServerProcess(str(tmp_path / "a.db"), SETTINGS) as process:
        asyncio.run(work(process))


def test_an_analysis_that_was_made_as_analyses_once_were_is_made_anew(tmp_path: Path) -> None:
    async def work(server: ServerProcess) -> None:
        anna, _, match_id = await two_at(server, BARE, 4)
        path = await asked_after_resigning(anna, match_id)
        assert (await made(anna, path))["state"] == DONE
        store = open_store(str(tmp_path / "a.db"))
        with store.write() as db:
            db.execute(schema.analyses.update().values(rules=1))  # the version of the rules alone stood there
        assert (await anna.get(path)) == {"state": "none"}
        assert (await anna.request("GET", f"{path}/file")).status_code == 404
        await anna.post(path, status=202)
        assert (await made(anna, path))["state"] == DONE

    with ServerProcess(str(tmp_path / "a.db"), SETTINGS) as process:
        asyncio.run(work(process))


def test_a_match_that_the_present_rules_play_otherwise_gets_a_sentence_in_every_language(
    tmp_path: Path,
) -> None:
    async def finished(server: ServerProcess) -> tuple[str | None, str]:
        anna, _, match_id = await two_at(server, BARE, 4)
        await anna.command(match_id, do="resign", seat=0)
        return anna.token, f"/api/matches/{match_id}/analysis"

    async def refused(server: ServerProcess, token: str | None, path: str) -> None:
        anna, said = Client(server.url, token), set()
        for lang in LANGUAGES:
            for how in ("GET", "POST"):
                answer = await anna.request(how, f"{path}?lang={lang}", {} if how == "POST" else None)
                assert answer.status_code == 409
                assert answer.json()["reason"] == WORDS.say(lang, "cannot.changed")
                said.add(answer.json()["reason"])
        assert len(said) == len(LANGUAGES)

    with ServerProcess(str(tmp_path / "a.db"), SETTINGS) as process:
        token, path = asyncio.run(finished(process))
        process.kill()
        store = open_store(str(tmp_path / "a.db"))
        with store.write() as db:
            db.execute(schema.matches.update().values(rules_version=0, hash="another"))
        store.close()
        process.start()
        asyncio.run(refused(process, token, path))


def test_two_servers_on_one_database_make_an_analysis_once(pair: list[ServerProcess]) -> None:
    async def work() -> None:
        anna, _, match_id = await two_at(pair[0], BARE, 4)
        await anna.command(match_id, do="resign", seat=0)
        path = f"/api/matches/{match_id}/analysis"
        elsewhere = Client(pair[1].url, anna.token)
        await asyncio.gather(*(one.post(path, status=202) for one in (anna, elsewhere, anna, elsewhere)))
        found = [(await made(one, path))["found"] for one in (anna, elsewhere)]
        assert found[0] == found[1]
        assert (await elsewhere.post(path, status=202))["state"] == DONE

    asyncio.run(work())


def test_one_person_cannot_make_the_house_analyse_without_end(tmp_path: Path) -> None:
    async def work(server: ServerProcess) -> None:
        paths = []
        for _ in range(3):
            anna, _, match_id = await two_at(server, LARGE, 8)
            await anna.command(match_id, do="resign", seat=0)
            paths.append(f"/api/matches/{match_id}/analysis")
        answers = [(await anna.request("POST", path, {})).status_code for path in paths]
        assert answers == [202, 202, 429]
        assert (await anna.request("POST", paths[0], {})).status_code == 202, "asked twice costs nothing"

    settings = {**SETTINGS, "limits": "on"}
    with ServerProcess(str(tmp_path / "a.db"), settings) as process:
        asyncio.run(work(process))


def test_a_house_without_analysts_says_so(tmp_path: Path) -> None:
    async def work(server: ServerProcess) -> None:
        anna, _, match_id = await two_at(server, BARE, 2)
        await anna.command(match_id, do="resign", seat=0)
        refused = await anna.request("POST", f"/api/matches/{match_id}/analysis?lang=it", {})
        assert refused.status_code == 409 and "non fa analisi" in refused.json()["reason"]
        assert (await anna.get(f"/api/matches/{match_id}/analysis"))["state"] == "off"

    with ServerProcess(str(tmp_path / "a.db"), {**SETTINGS, "analysts": "0"}) as process:
        asyncio.run(work(process))


def test_a_worker_goes_on_where_another_one_was_killed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(analysis_worker, "step_back", lambda: None)  # not these tests
    monkeypatch.setattr(analysis_worker, "EVERY", 0.0)
    match = played(BARE, 8)
    job: dict[str, Any] = {
        "file": write_match(match),
        "seed": 1,
        "form": "plain",
        "depth": "quick",
        "part": [],
    }

    def lines(part: list[str]) -> list[dict[str, Any]]:
        out = io.StringIO()
        analysis_worker.work({**job, "part": part}, out)
        return [json.loads(line) for line in out.getvalue().splitlines()]

    whole = lines([])
    assert whole[0]["done"] == 0 and "names" not in whole[-1]["found"]
    rows = [*whole[0]["lines"], *(row for line in whole[1:-1] for row in line["more"])]
    again = lines(rows[:4])
    assert again[0]["done"] == 3
    assert again[-1]["found"] == whole[-1]["found"]


def test_a_worker_says_why_it_cannot() -> None:
    out = io.StringIO()
    job = {"file": "ludus match 1\n", "seed": 1, "form": "plain", "depth": "quick", "part": []}
    analysis_worker.work(job, out)
    assert json.loads(out.getvalue())["problem"] == "failed"


def any_match(name: str) -> dict[str, Any]:
    """The row of a match of which nothing matters but its id."""
    empty: dict[type, Any] = {str: "", int: 0, float: 0.0, bool: False}
    columns = [c for c in schema.matches.columns if not c.nullable]
    return {c.name: empty[c.type.python_type] for c in columns} | {"id": name}


def test_the_queue_gives_each_to_one_and_takes_back_what_nobody_works_at(database: str) -> None:
    store = open_store(database)
    now = time.time()
    with store.write() as db:
        for name in ("a", "b"):
            db.execute(schema.matches.insert().values(**any_match(name)))
            analyses.ask(db, name, "anna", 5, 1, now)
            now += 1
        first, second = (analyses.take_next(db, now, 60) for _ in range(2))
        assert first is not None and second is not None and (first.match_id, second.match_id) == ("a", "b")
        assert analyses.take_next(db, now, 60) is None and not analyses.is_free(db, now, 60)
        assert analyses.open_of(db, "anna") == 2 and analyses.open_of(db, "bruno") == 0
        assert analyses.keep_part(db, "a", ["x", "y"], 1, 5, now)
        assert analyses.beat(db, "a", now + 50)
        left = analyses.take_next(db, now + 61, 60)
        assert left is not None and left.match_id == "b", "somebody still works at the first"
        left = analyses.take_next(db, now + 111, 60)
        assert left is not None and analyses.part_of(db, left.match_id) == ["x", "y"]
        assert analyses.stop(db, "a", "bruno") is False and analyses.stop(db, "a", "anna") is True
        assert not analyses.keep_part(db, "a", ["z"], 2, 5, now), "whoever is stopped hears of it"
        analyses.ask(db, "a", "bruno", 5, 1, now)
        row = analyses.row_of(db, "a")
        assert row is not None and (row.state, row.done) == (WAITING, 1)
        analyses.ask(db, "a", "bruno", 6, 1, now)
        assert analyses.part_of(db, "a") == [], "another record is another match"
        assert analyses.put_back(db, "b", FAILED, now)
        for name in ("b", "c"):
            if name == "c":
                db.execute(schema.matches.insert().values(**any_match(name)))
            now += 1
            analyses.ask(db, name, "anna", 5, 1, now)
        taken = analyses.take_next(db, now, 60)
        assert taken is not None and taken.match_id == "a"
        assert analyses.put_back(db, "a", WAITING, now + 1, last=True), "it had its time"
        taken = analyses.take_next(db, now + 2, 60)
        assert taken is not None and taken.match_id == "b"
        assert analyses.put_back(db, "b", WAITING, now + 3), "its house closed"
        again = analyses.take_next(db, now + 4, 60)
        assert again is not None and again.match_id == "b"
        assert {RUNNING, DONE} == {"running", "done"}
    store.close()
