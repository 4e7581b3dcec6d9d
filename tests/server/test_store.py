"""The store: tables, snapshots, backups, and what a host does by hand."""

from __future__ import annotations

import asyncio
import gzip
import json
import random
import sqlite3
import zlib
from collections.abc import Coroutine
from pathlib import Path
from typing import Any

import pytest
import typer
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from sqlalchemy import String, Text, select, text
from typer.testing import CliRunner
from websockets.exceptions import ConnectionClosed

from ludus import titles as registry
from ludus.cli import serve as commands
from ludus.core.errors import FormatError, LudusError
from ludus.match.entries import Entry
from ludus.match.file import read_match
from ludus.match.match import Match
from ludus.server.server import Server
from ludus.server.settings import Settings
from ludus.server.testing import Client, Postgres, ServerProcess
from ludus.store import Store, StoreDown, open_store, records, schema
from ludus.store.backup import NotEmpty, backup, restore
from ludus.store.opening import Unplayable, open_match
from ludus.store.store import read_url
from ludus.store.verify import verify_all
from samples import SMALL

app = typer.Typer()
for name in ("serve", "backup", "restore"):
    app.command(name)(getattr(commands, name))
app.add_typer(commands.admin, name="admin")
app.command("verify-all")(commands.verify_all)


def run(work: Coroutine[Any, Any, None]) -> None:
    asyncio.run(work)


def cli(*words: str, status: int = 0) -> str:
    result = CliRunner().invoke(app, list(words))
    if isinstance(result.exception, LudusError):
        return str(result.exception)
    assert result.exit_code == status, result.output
    return result.output


async def played(url: str, moves: int, **wish: Any) -> tuple[str, list[Client]]:
    """A match of two guests, so many random moves long."""
    people = [await Client.guest(url) for _ in range(2)]
    wish = {"title": SMALL, "options": {"rounds": 20}, **wish}
    match_id = (await people[0].post("/api/matches", wish))["table"]["id"]
    await people[1].post(f"/api/matches/{match_id}/join")
    for _ in range(moves):
        await move(match_id, people)
    return match_id, people


async def move(match_id: str, people: list[Client]) -> None:
    now = await people[0].get(f"/api/matches/{match_id}")
    seat = now["table"]["to_move"]
    mine = await people[seat].get(f"/api/matches/{match_id}")
    action = random.choice(mine["legal"])["action"]
    action = "stake 1" if action.startswith("stake") else action  # nobody is ruined early
    answer = await people[seat].command(match_id, expect=now["entry"], actions=[action])
    assert answer.status_code == 200, answer.text


def hashes(store: Store) -> dict[str, tuple[str, int, str]]:
    columns = (schema.matches.c.id, schema.matches.c.hash, schema.matches.c.entries, schema.matches.c.state)
    with store.read() as db:
        return {row[0]: (row[1], row[2], row[3]) for row in db.execute(select(*columns))}


# -- tables ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", ["sqlite", "postgresql"])
def test_migrations_make_the_tables_of_the_schema(kind: str, db_path: str, request: Any) -> None:
    url = db_path if kind == "sqlite" else request.getfixturevalue("cluster").new_database()
    store = open_store(url)
    with store.read() as db:
        differences = compare_metadata(MigrationContext.configure(db), schema.metadata)
    assert differences == []
    store.close()
    open_store(url).close()  # the second time there is nothing to do


@pytest.mark.parametrize("kind", ["sqlite", "postgresql"])
@pytest.mark.parametrize("numbers", [(2,), (1, 3), (1, 2, 4)])
def test_the_database_refuses_a_gap_in_a_record(
    numbers: tuple[int, ...], kind: str, db_path: str, request: Any
) -> None:
    store = open_store(db_path if kind == "sqlite" else request.getfixturevalue("cluster").new_database())
    columns: dict[str, Any] = {
        c.name: "" if isinstance(c.type, (String, Text)) else 0
        for c in schema.matches.columns
        if not c.nullable
    }
    with store.write() as db:
        db.execute(
            schema.matches.insert().values({**columns, "id": "m", "public": False, "same_screen": False})
        )
    entries = [Entry(number, 0, "stake 1") for number in numbers]
    with pytest.raises(StoreDown), store.write() as db:
        records.append(db, "m", entries, None, 0.0)
    with store.write() as db:
        records.append(db, "m", [Entry(n, 0, "stake 1") for n in (1, 2, 3)], None, 0.0)
    with store.read() as db:
        assert [e.number for e in records.entries_since(db, "m", 0)] == [1, 2, 3]
    store.close()


def test_a_database_of_a_later_release_is_refused(db_path: str) -> None:
    store = open_store(db_path)
    with store.write() as db:
        db.execute(text("UPDATE alembic_version SET version_num = '9999'"))
    with pytest.raises(LudusError, match="later release"):
        open_store(db_path)


@pytest.mark.parametrize(
    "bad",
    [
        "mysql://x/y",
        "sqlite://",
        "postgresql",
        "sqlite:///:memory:",
        "nonsense://",
        "::://",
        "sqlite:///file:x",
    ],
)
def test_wrong_addresses_are_explained(bad: str, tmp_path: Path) -> None:
    if "://" not in bad:
        assert read_url(str(tmp_path / bad)).database == str(tmp_path / bad)
        return
    with pytest.raises(LudusError):
        read_url(bad)


def test_an_error_of_the_database_never_shows_what_was_to_be_written(db_path: str) -> None:
    store = open_store(db_path)
    with pytest.raises(StoreDown) as error, store.write() as db:
        db.execute(schema.entries.insert().values(match_id="x", number=1, who=0, text="show 4", made=0.0))
    assert "show 4" not in str(error.value) and "INSERT" not in str(error.value)


# -- snapshots -------------------------------------------------------------------------------------


def random_match(title_name: str, seed: int, moves: int) -> Match:
    """A match with undos, proposals and votes in it."""
    dice = random.Random(seed)
    match = Match.simulated(registry.title(title_name), seed)
    for _ in range(moves):
        if match.over:
            break
        seat = match.game.to_move
        match.play(seat, [dice.choice(match.game.legal()).text])
        if dice.random() < 0.1 and not match.over:
            limit = match.game.undo_limit(seat)
            if limit < len(match.standing):
                match.undo(seat, match.standing[limit] - 1)
        if dice.random() < 0.05 and not match.over:
            match.propose(seat, "draw")
    return match


@pytest.mark.parametrize("title_name", registry.title_names())
def test_a_resumed_match_is_the_match(title_name: str) -> None:
    for seed in range(3):
        match = random_match(title_name, seed, 60)
        stored = json.loads(json.dumps(match.snapshot()))
        again = Match(match.setting, match.game.source, seed=match.seed, replaying=True)
        again.resume(match.entries, stored)
        read = Match(match.setting, match.game.source, seed=match.seed, replaying=True)
        for entry in match.entries:
            read.read_entry(entry)
        assert again.snapshot() == match.snapshot() == read.snapshot()
        assert again.game.hash() == match.game.hash() and again.faces(0) == match.faces(0)
        if not match.over:
            action = match.game.legal()[0].text
            for one in (match, again):
                one.play(one.game.to_move, [action])
            assert again.snapshot() == match.snapshot()
    with pytest.raises(FormatError):
        again.resume(match.entries, stored)


def test_positions_of_any_moment_are_found_from_frames_or_by_walking() -> None:
    from ludus.match.moments import packed_positions

    match = random_match(SMALL, 3, 100)
    seen = {}
    walked = Match(match.setting, match.game.source, seed=match.seed, replaying=True)
    seen[0] = walked.game.form.pack(walked.game.s)
    for entry in match.entries:
        walked.read_entry(entry)
        seen[entry.number] = walked.game.form.pack(walked.game.s)
    last = len(match.entries)
    assert len(match.frames) < 32 + 2 + last // 32, "memory stays bounded"
    for since in range(0, last, 7):
        assert packed_positions(match, since, last) == [seen[n] for n in range(since, last + 1)]


def test_a_long_match_opens_from_its_snapshot_and_a_bad_one_is_dropped(
    server: ServerProcess, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def make() -> str:
        return (await played(server.url, 90))[0]

    match_id = asyncio.run(make())
    store = open_store(server.db)
    read: list[int] = []
    original = Match.read_entry

    def counted(self: Match, entry: Any) -> None:
        read.append(entry.number)
        original(self, entry)

    monkeypatch.setattr(Match, "read_entry", counted)

    def opened() -> tuple[str, int]:
        read.clear()
        with store.read() as db:
            row = records.match_row(db, match_id)
            assert row is not None
            match = open_match(db, row, records.seat_rows(db, match_id))
            assert match.game.hash() == row.hash
            return match.game.hash(), len(read)

    whole, few = opened()
    entries = hashes(store)[match_id][1]
    assert 0 < few <= records.SNAPSHOT_EVERY
    bad: list[dict[str, Any]] = [
        {"digest": "other rules"},
        {"data": b"damaged"},
        {"data": zlib.compress(b'{"entries": 64}')},
        {"entries": 10_000},
    ]
    for values in bad:
        with store.write() as db:
            here = schema.snapshots.c.match_id == match_id
            kept = db.execute(select(schema.snapshots).where(here)).one()._mapping
            db.execute(schema.snapshots.update().where(here).values(**values))
        assert opened() == (whole, entries)
        with store.write() as db:
            db.execute(schema.snapshots.update().where(here).values(**kept))
    store.close()


# -- verify ----------------------------------------------------------------------------------------


def test_verify_all_replays_everything_and_finds_what_was_changed(db_path: str) -> None:
    with ServerProcess(db_path) as process:

        async def make() -> list[str]:
            return [(await played(process.url, n))[0] for n in (3, 9, 70)]

        ids = asyncio.run(make())
        assert "3 good, 0 not" in cli("verify-all", db_path)
    store = open_store(db_path)
    with store.write() as db:
        here = (schema.entries.c.match_id == ids[1]) & (schema.entries.c.number == 2)
        shown = db.execute(select(schema.entries.c.text).where(here)).scalar_one()
        other = "show 1" if shown != "show 1" else "show 2"
        db.execute(schema.entries.update().where(here).values(text=other))
        third = schema.entries.c.match_id == ids[2]
        db.execute(schema.entries.delete().where(third, schema.entries.c.number == 70))
    found = verify_all(store)
    assert found.good == 1 and set(found.problems) == {ids[1], ids[2]}
    assert ids[1] in cli("verify-all", db_path, status=1)
    store.close()


# -- backups ---------------------------------------------------------------------------------------


def test_backup_and_restore_while_running(db_path: str, tmp_path: Path) -> None:
    file = tmp_path / "a.backup"
    with ServerProcess(db_path) as process:

        async def work() -> None:
            match_id, people = await played(process.url, 8)
            before = hashes(open_store(db_path))
            here = before[match_id][1]  # chance may have had a word, too
            assert f"1 matches, {here} entries, 2 people" in cli("backup", str(file), "--db", db_path)
            assert file.stat().st_mode & 0o077 == 0, "only for the owner's eyes"
            async with people[0].watch(match_id) as socket:
                assert (await socket.wait_for("state"))["entry"] == here
                for _ in range(4):
                    await move(match_id, people)
                new_id, _ = await played(process.url, 1)
                assert "not empty" in cli("restore", str(file), "--db", db_path)
                assert "restored" in cli("restore", str(file), "--db", db_path, "--replace")
                while (await socket.wait_for("state", "entries")).get("entry") != here:
                    pass
            assert (await people[0].request("GET", f"/api/matches/{new_id}")).status_code == 404
            assert hashes(open_store(db_path)) == before
            for _ in range(3):
                await move(match_id, people)  # the same identities, the same match, going on

        run(work())


def test_a_backup_moves_between_databases(cluster: Postgres, tmp_path: Path) -> None:
    first, there, back = str(tmp_path / "1.db"), cluster.new_database(), str(tmp_path / "2.db")
    people: list[Client] = []
    with ServerProcess(first) as process:

        async def make() -> str:
            nonlocal people
            match_id, people = await played(process.url, 70)
            await people[0].post(f"/api/matches/{match_id}/chat", {"text": "Ärger, 日本"})
            await people[0].request("PUT", f"/api/matches/{match_id}/note", {"text": "a note"})
            return match_id

        match_id = asyncio.run(make())
    stores = [open_store(url) for url in (first, there, back)]
    for k in (0, 1):
        backup(stores[k], tmp_path / f"{k}.backup")
        restore(stores[k + 1], tmp_path / f"{k}.backup")
    assert hashes(stores[0]) == hashes(stores[1]) == hashes(stores[2])
    for store in stores:
        assert verify_all(store).passed
        store.close()
    with ServerProcess(there) as process:

        async def go_on() -> None:
            again = [Client(process.url, p.token) for p in people]
            for _ in range(3):
                await move(match_id, again)
            assert (await again[0].get(f"/api/matches/{match_id}/note"))["text"] == "a note"
            assert (await again[0].get(f"/api/matches/{match_id}/chat"))["lines"][0]["text"] == "Ärger, 日本"

        run(go_on())


def test_damaged_backups_are_refused_and_change_nothing(db_path: str, tmp_path: Path) -> None:
    store, good = open_store(db_path), tmp_path / "good"
    store.secret()
    backup(store, good)
    whole = good.read_bytes()
    rows = gzip.decompress(whole).splitlines(keepends=True)
    bad = {
        "cut": whole[: len(whole) // 2],
        "text": b"hello",
        "empty": b"",
        "no end": gzip.compress(b"".join(rows[:-1])),
        "changed": gzip.compress(b"".join(rows).replace(b'"secret"', b'"sekret"')),
        "later": gzip.compress(b"".join(rows).replace(b'"format":1', b'"format":2')),
        "other": gzip.compress(b'{"magic": "other"}\n'),
    }
    for kind, data in bad.items():
        file = tmp_path / kind.replace(" ", "-")
        file.write_bytes(data)
        with pytest.raises(LudusError):
            restore(store, file, replace=True)
        assert store.secret(), "nothing has changed"
    with pytest.raises(LudusError):
        backup(store, tmp_path / "no" / "folder")
    assert not list(tmp_path.glob("*.part"))
    with pytest.raises(NotEmpty):
        with store.write() as db:
            db.execute(
                schema.people.insert().values(id="p", name="P", name_key="p", banned=False, created=0.0)
            )
        restore(store, good)


# -- the host's hand -------------------------------------------------------------------------------


def test_admin_beside_a_running_server(db_path: str) -> None:
    with ServerProcess(db_path) as process:

        async def work() -> None:
            match_id, (anna, bruno) = await played(process.url, 2)
            other, _ = await played(process.url, 2)
            async with anna.watch(match_id) as a, bruno.watch(other) as b:
                await a.wait_for("state"), await b.wait_for("state")
                assert "Marcus Tullius" in cli(
                    "admin", "rename", anna.name, "Marcus Tullius", "--db", db_path
                )
                assert (await a.wait_for("table"))["table"]["seats"][0]["name"] == "Marcus Tullius"
                assert "closed" in cli("admin", "end", match_id, "--db", db_path)
                while (await a.wait_for("table"))["table"]["state"] != "closed":
                    pass
                assert (await anna.command(match_id, expect=2, actions=["show 1"])).status_code == 403
                assert "gone" in cli("admin", "delete", other, "--yes", "--db", db_path)
                with pytest.raises(ConnectionClosed):
                    while True:
                        await b.receive()
            assert "0 matches" in cli("admin", "stuck", "--db", db_path)
            third, (carla, dora) = await played(process.url, 2)
            assert "1 matches" in cli("admin", "stuck", "--days", "0", "--db", db_path)
            assert "banned" in cli("admin", "ban", carla.name, "--db", db_path)
            assert (await carla.request("GET", "/api/me")).status_code == 401
            assert "let in" in cli("admin", "ban", carla.name, "--lift", "--db", db_path)
            assert "forgotten" in cli("admin", "forget", carla.id, "--yes", "--db", db_path)
            table = (await dora.get(f"/api/matches/{third}"))["table"]
            assert table["seats"][0]["kind"] == "free" and table["seats"][0]["status"] == "left"
            assert (await dora.command(third, do="take_over", seat=0)).status_code == 200
            assert verify_all(open_store(db_path)).passed
            for words in (("end", "no-such"), ("delete", "no-such", "--yes"), ("ban", "Nemo")):
                assert "there is n" in cli("admin", *words, "--db", db_path)

        run(work())


async def told_from_the_rows(people: list[Client], match_id: str) -> None:
    """Entries and file of a match that no rules can play: nobody learns a secret."""
    anna, bruno = people
    texts = {}
    for name, who in (("anna", anna), ("bruno", bruno), ("guest", await Client.guest(anna.url))):
        found = await who.get(f"/api/matches/{match_id}/entries")
        assert found["last"] == 4 and found["unplayable"] and all(row["stands"] for row in found["entries"])
        texts[name] = [row["text"] for row in found["entries"]]
        file = (await who.request("GET", f"/api/matches/{match_id}/file")).text
        assert [line.split(" ", 2)[2] for line in file.splitlines() if line[:2] in SOME] == texts[name]
        assert "key:" not in file and "hash:" not in file
    assert texts["guest"] == ["stake ?", "show ?", "guess ?", "show ?"]
    assert not any("?" in text for text in texts["anna"][:3]) and texts["anna"][3:] == ["show ?"]
    assert "?" not in texts["bruno"][3] and texts["bruno"][:3] == texts["guest"][:3]
    assert (await bruno.request("GET", f"/api/matches/{match_id}/entries?seat=0")).status_code == 403


async def told_whole_when_over(url: str, match_id: str, db_path: str) -> None:
    with sqlite3.connect(db_path) as db:
        over = "state = 'over', result = '2 0', ending = 'played', rules_version = 0"
        db.execute(f"UPDATE matches SET {over}, revision = revision + 1 WHERE id = ?", (match_id,))
        rows = db.execute("SELECT text FROM entries WHERE match_id = ? ORDER BY number", (match_id,))
        texts = [row[0] for row in rows]
    guest = await Client.guest(url)
    shown = await guest.get(f"/api/matches/{match_id}/entries?seat=0")
    assert [row["text"] for row in shown["entries"]] == texts
    file = read_match((await guest.request("GET", f"/api/matches/{match_id}/file")).text, registry.title)
    assert file.changed and [e.text for e in file.entries] == texts


SOME = [f"{n} " for n in range(1, 5)]


def test_a_match_of_older_rules_goes_on_if_it_comes_out_the_same(db_path: str) -> None:
    with ServerProcess(db_path) as process:
        match_id, _ = asyncio.run(played(process.url, 4))
    store = open_store(db_path)

    def opened(values: str) -> Match:
        with sqlite3.connect(db_path) as raw:
            raw.execute(f"UPDATE matches SET {values}")
        with store.read() as db:
            row = records.match_row(db, match_id)
            assert row is not None
            return open_match(db, row, records.seat_rows(db, match_id))

    assert len(opened("rules_version = 0").entries) == 4
    with pytest.raises(Unplayable, match="the present rules play it differently"):
        opened("hash = 'other'")
    store.close()


def test_a_match_that_cannot_be_opened_is_told_and_listed(db_path: str) -> None:
    with ServerProcess(db_path) as process:

        async def make() -> tuple[str, list[Client]]:
            return await played(process.url, 4)

        match_id, people = asyncio.run(make())
        with sqlite3.connect(db_path) as db:
            db.execute("UPDATE matches SET box_hash = 'other', revision = revision + 1")
            db.execute("DELETE FROM snapshots")

        async def look() -> None:
            fresh = Client(process.url, people[0].token)
            for _ in range(100):
                answer = await fresh.request("GET", f"/api/matches/{match_id}")
                if answer.status_code != 200:
                    break
            process.kill()
            await asyncio.to_thread(process.start)
            answer = await fresh.request("GET", f"/api/matches/{match_id}")
            assert answer.status_code == 409 and answer.json()["error"] == "unplayable"
            assert (await fresh.command(match_id, expect=4, actions=["show 1"])).status_code == 409
            assert (await fresh.get("/api/matches"))["matches"][0]["id"] == match_id
            await told_from_the_rows([fresh, Client(process.url, people[1].token)], match_id)
            await played(process.url, 2)

        run(look())
        assert match_id in cli("admin", "stuck", "--db", db_path)
        assert match_id in cli("verify-all", db_path, status=1)
        run(told_whole_when_over(process.url, match_id, db_path))


def test_tables_that_nobody_uses_are_forgotten(db_path: str) -> None:
    async def work() -> None:
        store = open_store(db_path)
        server = Server(Settings(db=db_path, tables=5, log="off", form="plain"), store)
        for k in range(50):
            with pytest.raises(LudusError):
                await server.now(f"unknown-{k:04}")
        assert server.gauges()["tables"] <= 11
        await server.close()
        store.close()

    run(work())
