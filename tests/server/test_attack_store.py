"""The database under attack: who may read its file, and what happens when it is full, gone or not ours."""

from __future__ import annotations

import asyncio
import os
import re
import resource
import shutil
import sqlite3
from collections.abc import Coroutine
from dataclasses import replace
from pathlib import Path
from typing import Any

import httpx
import pytest

from ludus import titles as registry
from ludus.server.app import make_app
from ludus.server.settings import Settings
from ludus.server.testing import Client, ServerProcess
from ludus.store import Store, StoreDown, admin, open_store, schema
from ludus.store.backup import backup
from ludus.store.store import read_url
from ludus.store.verify import verify_all
from samples import SMALL, WIDE


def run(work: Coroutine[Any, Any, None]) -> None:
    asyncio.run(work)


def mode(path: Path) -> int:
    return path.stat().st_mode & 0o777


# -- who may read the file -----------------------------------------------------------------------------


def test_the_database_and_its_backups_are_for_their_owner_only(tmp_path: Path) -> None:
    folder = tmp_path / "data" / "ludus"
    old = os.umask(0o022)
    try:
        with ServerProcess(str(folder / "ludus.db")) as process:
            run(_a_guest(process.url))
            found = {path.name: mode(path) for path in folder.iterdir()}
            store = open_store(str(folder / "ludus.db"))
            (folder / "b.backup").write_text("an older one, open to all")
            backup(store, folder / "b.backup")
            store.close()
    finally:
        os.umask(old)
    assert {"ludus.db", "ludus.db-wal", "ludus.db-shm"} <= found.keys()
    assert set(found.values()) == {0o600}, found
    assert mode(folder) == 0o700 and mode(folder / "b.backup") == 0o600


async def _a_guest(url: str) -> None:
    await Client.guest(url)


def test_a_database_that_was_open_to_all_is_closed_at_the_start(tmp_path: Path) -> None:
    path = tmp_path / "ludus.db"
    first = open_store(str(path))
    with first.write() as db:
        db.execute(schema.installation.insert().values(key="k", value="v"))
    for name in ("ludus.db", "ludus.db-wal", "ludus.db-shm"):
        (tmp_path / name).chmod(0o644)
    second = Store(read_url(str(path)))
    assert {mode(p) for p in tmp_path.iterdir()} == {0o600}
    second.close()
    first.close()


# -- a file that is gone ----------------------------------------------------------------------------------


async def _begun(url: str) -> tuple[str, Client]:
    anna = await Client.guest(url)
    seats = [{"kind": "me"}, {"kind": "screen"}]
    return (await anna.post("/api/matches", {"title": SMALL, "seats": seats}))["table"]["id"], anna


async def _play(anna: Client, match_id: str) -> httpx.Response:
    now = await anna.get(f"/api/matches/{match_id}")
    seat = now["table"]["to_move"]
    mine = await anna.get(f"/api/matches/{match_id}?seat={seat}")
    action = mine["legal"][0]["action"]
    answer: httpx.Response = await anna.command(match_id, seat=seat, expect=now["entry"], actions=[action])
    return answer


def _away(path: Path, aside: Path) -> None:
    """The file goes, and comes back as the same one."""
    path.rename(aside)


def _replaced(path: Path, aside: Path) -> None:
    """Another file of the same content takes its place."""
    path.rename(aside)
    shutil.copy(aside, path)


def test_no_move_is_acknowledged_into_a_file_that_is_gone(tmp_path: Path) -> None:
    db_path, aside = tmp_path / "ludus.db", tmp_path / "aside"
    attacks = [(attack, Path(f"{db_path}{end}")) for attack in (_away, _replaced) for end in ("", "-wal")]
    with ServerProcess(str(db_path)) as process:

        async def work() -> None:
            match_id, anna = await _begun(process.url)
            for attack, file in attacks:
                assert (await _play(anna, match_id)).status_code == 200
                attack(file, aside)
                refused = await _play(anna, match_id)
                assert refused.status_code == 503 and refused.headers["retry-after"]
                assert (await anna.request("POST", "/api/guest", {"bearer": True})).status_code == 503
                assert (await anna.request("GET", "/healthz")).status_code == 503
                file.unlink(missing_ok=True)
                aside.rename(file)  # it is there again: play goes on

        run(work())
    with sqlite3.connect(db_path) as db:
        assert db.execute("SELECT entries FROM matches").fetchone() == (len(attacks),)
        assert db.execute("SELECT count(*) FROM entries").fetchone() == (len(attacks),)


def test_a_file_that_goes_while_a_transaction_runs_takes_nothing(tmp_path: Path) -> None:
    store = open_store(str(tmp_path / "ludus.db"))
    with pytest.raises(StoreDown, match="removed or replaced"), store.write() as db:
        db.execute(schema.installation.insert().values(key="k", value="v"))
        (tmp_path / "ludus.db").rename(tmp_path / "aside")
    (tmp_path / "aside").rename(tmp_path / "ludus.db")
    with store.read() as db:
        assert "k" not in db.execute(schema.installation.select()).scalars().all()
    store.close()


# -- health --------------------------------------------------------------------------------------------


def test_health_is_not_good_while_nothing_can_be_written(db_path: str) -> None:
    """The server's files may not grow any more, as on a full disk; then there is room again."""
    with ServerProcess(db_path) as process:
        assert process.process is not None
        pid, unlimited = process.process.pid, (resource.RLIM_INFINITY, resource.RLIM_INFINITY)

        stranger = Client(process.url)

        async def status() -> int:
            return (await stranger.request("GET", "/healthz")).status_code

        async def becomes(wanted: int) -> None:
            while await status() != wanted:
                await asyncio.sleep(0.1)

        async def work() -> None:
            await _begun(process.url)
            assert await status() == 200
            resource.prlimit(pid, resource.RLIMIT_FSIZE, (0, resource.RLIM_INFINITY))
            assert (await stranger.request("POST", "/api/guest", {"bearer": True})).status_code == 503
            assert await status() == 503
            resource.prlimit(pid, resource.RLIMIT_FSIZE, unlimited)
            await asyncio.wait_for(becomes(200), 30.0)

        run(work())


# -- a record that cannot be played again ----------------------------------------------------------------


def test_an_unplayable_match_quotes_nothing_that_is_hidden(db_path: str, tmp_path: Path) -> None:
    """A hidden action that is not legal any more, read by a new process and by one that catches up."""
    log = tmp_path / "log"
    with ServerProcess(db_path, {"log": "info"}, log=log) as process:

        async def played() -> tuple[str, Client]:
            anna, bruno = await Client.guest(process.url), await Client.guest(process.url)
            match_id = (await anna.post("/api/matches", {"title": SMALL}))["table"]["id"]
            await bruno.post(f"/api/matches/{match_id}/join")
            for entry, action in enumerate(("stake 1", "show 4")):
                assert (await anna.command(match_id, expect=entry, actions=[action])).status_code == 200
            return match_id, bruno

        match_id, bruno = asyncio.run(played())
        opened = Client(process.url, bruno.token)

        async def attack(sql: str) -> list[str]:
            with sqlite3.connect(db_path) as db:
                db.executescript(sql)
            told = []
            for path in ("", "/entries", "/file", "/moments/1"):
                answer = await Client(process.url, opened.token).request(
                    "GET", f"/api/matches/{match_id}{path}"
                )
                # The record can be read, without what is hidden in it; where the match stands nobody knows.
                assert answer.status_code == (200 if path in ("/entries", "/file") else 409), answer.text
                told.append(answer.text)
            command = await Client(process.url, opened.token).command(match_id, expect=2, actions=["show 1"])
            async with Client(process.url, opened.token).watch(match_id) as socket:
                return [*told, command.text, str(await socket.receive())]

        behind = asyncio.run(
            attack(
                "INSERT INTO entries VALUES "
                f"('{match_id}', 3, 0, 'show 5', NULL, 0); "
                "UPDATE matches SET entries = 3, revision = revision + 1;"
            )
        )
        process.kill()
        process.start()
        fresh = asyncio.run(
            attack(
                "DELETE FROM entries WHERE number = 3; UPDATE entries SET text = 'show 9' WHERE number = 2;"
            )
        )
        stuck = admin.stuck_matches(open_store(db_path), 1e9, 0.0)
    for text in [*behind, *fresh, log.read_text(encoding="utf-8")]:
        assert not re.search(r"(show|guess) \d", text), text
    assert "entry 3" in behind[0] and "entry 2" in fresh[0]
    assert "not 9" in stuck[0]["why"], "the host may know"
    found = verify_all(open_store(db_path)).problems[match_id]
    assert "entry 2" in found and "not 9" in found


# -- what a match costs ----------------------------------------------------------------------------------


def test_the_box_of_a_setting_is_made_once(db_path: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Matches of one setting are made, played, opened again and written down; then one of another."""
    made: list[int] = []
    title = registry.title(WIDE)

    def make_box(options: Any, seats: int) -> Any:
        made.append(seats)
        return title.make_box(options, seats)

    counted = replace(title, make_box=make_box)
    monkeypatch.setattr(registry, "title", lambda name: counted)
    app = make_app(Settings(db=db_path, log="off", limits=False, form="plain"))

    async def work() -> None:
        anna = Client("http://ludus.test", transport=httpx.ASGITransport(app))
        token = (await anna.post("/api/guest", {"bearer": True}))["token"]
        anna.http.headers["authorization"] = f"Bearer {token}"
        for seats in (2, 2, 3):
            wish = {"title": WIDE, "seats": [{"kind": "me"}, *[{"kind": "screen"}] * (seats - 1)]}
            match_id = (await anna.post("/api/matches", wish))["table"]["id"]
            assert (await _play(anna, match_id)).status_code == 200
            async with app.state.server.tables.held(match_id) as table:
                table.drop()
            assert (await anna.request("GET", f"/api/matches/{match_id}/file")).status_code == 200
        await app.state.server.close()

    run(work())
    assert made == [2, 3]
    assert counted.boxes.changed() == []
