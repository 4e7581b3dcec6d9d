"""Analyses in the server: asked for once, made in the background, kept, shared, limited, gone on with."""

from __future__ import annotations

import asyncio
import io
import json
import time
from pathlib import Path
from typing import Any

import pytest

from ludus.core.words import LANGUAGES
from ludus.match.file import write_match
from ludus.server import analysis_worker
from ludus.server.testing import Client, ServerProcess
from ludus.store import analyses, open_store, schema
from ludus.store.analyses import DONE, FAILED, RUNNING, STOPPED, WAITING
from samples import BARE, LARGE
from test_analysis import played

SETTINGS = {"grace": "0", "bot_workers": "1"}


async def two_at(server: ServerProcess, title: str, plies: int = 6) -> tuple[Client, Client, str]:
    """A match of two guests that one of them gives up after some actions."""
    anna, bruno = [await Client.guest(server.url) for _ in range(2)]
    made = await anna.post("/api/matches", {"title": title, "seats": [{"kind": "me"}, {"kind": "open"}]})
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
        anna, bruno, match_id = await two_at(server, LARGE, 24)
        await anna.command(match_id, do="resign", seat=0)
        path = f"/api/matches/{match_id}/analysis"
        await anna.post(path, status=202)
        for _ in range(3000):
            if (await anna.get(path)).get("done", 0) > 2:
                break
            await asyncio.sleep(0.1)
        assert (await bruno.request("DELETE", path)).status_code == 404
        stopped = await anna.request("DELETE", path)
        assert stopped.json()["state"] == STOPPED
        done = (await anna.get(path))["done"]
        assert done > 2
        assert (await bruno.post(path, status=202))["done"] >= done

    with ServerProcess(str(tmp_path / "a.db"), SETTINGS) as process:
        asyncio.run(work(process))


def test_one_person_cannot_make_the_house_analyse_without_end(tmp_path: Path) -> None:
    async def work(server: ServerProcess) -> None:
        paths = []
        for _ in range(3):
            anna, _, match_id = await two_at(server, LARGE, 24)
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


def test_the_queue_gives_each_to_one_and_takes_back_what_nobody_works_at(tmp_path: Path) -> None:
    store = open_store(str(tmp_path / "a.db"))
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
        assert {RUNNING, DONE} == {"running", "done"}
    store.close()
