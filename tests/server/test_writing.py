"""Moves that share a transaction, and processes that share a database."""

from __future__ import annotations

import asyncio
import threading
import time
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import select, text

from ludus.core.errors import LudusError
from ludus.match.entries import Entry
from ludus.server.writer import Writer
from ludus.store import Store, open_store, schema
from ludus.store.dbfile import Turns
from ludus.store.writes import Moved, Write
from samples import SMALL


def test_work_in_one_transaction_is_refused_one_by_one(db_path: str) -> None:
    async def work() -> None:
        store = open_store(db_path)
        writer = Writer(store)

        def put(key: str, fail: bool = False) -> Any:
            def job(db: Any) -> str:
                db.execute(schema.installation.insert().values(key=key, value="v"))
                if fail:
                    raise LudusError("refused")
                return key

            return writer.run(job)

        def slow(db: Any) -> None:
            time.sleep(0.2)

        first = asyncio.ensure_future(writer.run(slow))
        await asyncio.sleep(0.05)  # the rest waits, and goes together
        results = await asyncio.gather(
            put("a"), put("b", fail=True), put("c"), put("a"), put("d"), return_exceptions=True
        )
        await first
        kinds = [type(r).__name__ for r in results]
        assert kinds == ["str", "LudusError", "str", "StoreDown", "str"]
        with store.read() as db:
            keys = set(db.execute(select(schema.installation.c.key)).scalars())
        assert keys == {"a", "c", "d"}
        writer.close()
        store.close()

    asyncio.run(work())


def a_match(store: Store, match_id: str) -> None:
    facts = dict.fromkeys(("options", "names", "clock", "clock_state"), "{}")
    facts |= dict.fromkeys(("box_hash", "secret", "hash", "result", "ending"), "")
    numbers = dict.fromkeys(("rules_version", "to_move", "entries", "chat", "revision"), 0)
    rest = {"public": False, "same_screen": False, "created": 0.0, "updated": 0.0, "seats": 2}
    row = {"id": match_id, "incarnation": "first", "title": SMALL, "state": "running"}
    with store.write() as db:
        db.execute(schema.matches.insert().values(**row, **facts, **numbers, **rest))


def a_move(match_id: str, revision: int, **more: Any) -> Write:
    """The third move of a match has three entries, the others have one."""
    number = revision + 1
    entries = [Entry(number + k, 0, f"show {number}") for k in range(3 if number == 3 else 1)]
    values = {"revision": number, "entries": entries[-1].number, "updated": number / 3, **more}
    return Write(match_id, "first", revision, "here", number / 7, values, entries, f"command {number}")


@pytest.mark.parametrize("kind", ["sqlite", "postgresql"])
def test_moves_that_share_their_statements_are_each_written_or_refused(
    kind: str, db_path: str, request: Any
) -> None:
    """Many matches move at once; one of each dozen moves was thought out too early."""
    store = open_store(db_path if kind == "sqlite" else request.getfixturevalue("cluster").new_database())
    ids = [f"match {k:02}" for k in range(36)]
    early = set(ids[5::12])
    for match_id in ids:
        a_match(store, match_id)

    async def play() -> None:
        writer = Writer(store)

        def hold_up(_db: Any) -> None:
            time.sleep(0.1)

        for revision in range(3):
            held = [asyncio.ensure_future(writer.run(hold_up)) for _ in range(store.writers)]
            await asyncio.sleep(0.05)  # the moves wait, and go together
            moves = [
                a_move(m, revision + 5 * (m in early), **({"to_move": 1} if m.endswith("7") else {}))
                for m in ids
            ]
            told = await asyncio.gather(*map(writer.write, moves), return_exceptions=True)
            await asyncio.gather(*held)
            assert {m for m, error in zip(ids, told, strict=True) if isinstance(error, Moved)} == early
            assert [error for error in told if error is not None and not isinstance(error, Moved)] == []
        writer.close()

    asyncio.run(play())
    with store.read() as db:
        rows = db.execute(select(schema.matches).order_by(schema.matches.c.id)).all()
        kept = db.execute(select(schema.entries).order_by(schema.entries.c.match_id, schema.entries.c.number))
        entries = [tuple(row) for row in kept]
    assert [(r.id, r.revision, r.entries, r.updated, r.to_move) for r in rows] == [
        (m, 0, 0, 0.0, 0) if m in early else (m, 3, 5, 1.0, int(m.endswith("7"))) for m in ids
    ]
    record: list[tuple[int, str | None, float]] = [(1, "command 1", 1 / 7), (2, "command 2", 2 / 7)]
    record += [(3, "command 3", 3 / 7), (4, None, 3 / 7), (5, None, 3 / 7)]
    assert entries == [
        (m, number, 0, f"show {min(number, 3)}", command, made)
        for m in ids
        if m not in early
        for number, command, made in record
    ]
    store.close()


def test_processes_that_write_take_turns(db_path: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Who waits does not ask SQLite before it is its turn."""
    one, other = open_store(db_path), open_store(db_path)
    order: list[str] = []
    waits = threading.Event()
    nap = time.sleep

    def note(seconds: float) -> None:
        waits.set()
        nap(seconds)

    def write() -> None:
        with other.write():
            order.append("other")

    monkeypatch.setattr(time, "sleep", note)
    thread = threading.Thread(target=write)
    with one.write():
        thread.start()
        assert waits.wait(20)
        order.append("one")
    thread.join(20)
    assert order == ["one", "other"]
    one.close()
    other.close()


def test_who_gets_no_turn_writes_all_the_same(db_path: str) -> None:
    """A process that hangs while it is its turn keeps nobody from writing: SQLite alone decides that."""
    store, turns = open_store(db_path), Turns(Path(db_path), 0.05)
    impatient = Turns(Path(db_path), 0.05)
    with turns.mine(), impatient.mine(), store.writer.begin() as db:
        db.execute(text("DELETE FROM notes"))
    turns.close()
    impatient.close()
    store.close()
