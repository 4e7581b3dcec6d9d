"""Backups: every table as lines of JSON in one compressed file, at one moment, while a server runs.

The format knows nothing of the database, so a backup of SQLite restores into PostgreSQL and back.
The last line counts the rows and holds a digest: a file that was cut off is refused.
"""

from __future__ import annotations

import gzip
import hashlib
import json
import os
import secrets
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, func, select

from ludus.core.errors import FormatError, LudusError

from . import migrate, people, records, schema
from .dbfile import open_for_owner
from .store import Store

MAGIC = "ludus backup"
FORMAT = 1
CHUNK = 500


class NotEmpty(LudusError):
    """A restore into a database that already holds something."""


def backup(store: Store, path: Path) -> dict[str, int]:
    """Write everything that must survive; how many rows of each table.

    The file appears under its name only when it is complete.
    """
    partial = path.with_name(f"{path.name}.{os.getpid()}.part")
    try:
        # For its owner only: it holds hands, keys of dice and hashes of passwords.
        with open(partial, "wb", opener=open_for_owner) as raw:
            with gzip.GzipFile(fileobj=raw, mode="wb", compresslevel=6, mtime=0) as out:
                counts = _write(store, out)
            raw.flush()
            os.fsync(raw.fileno())
        partial.replace(path)
    except OSError as error:
        raise FormatError(error.strerror or "cannot be written", source=str(path)) from None
    finally:
        partial.unlink(missing_ok=True)
    return counts


def _write(store: Store, out: gzip.GzipFile) -> dict[str, int]:
    digest = hashlib.sha256()
    counts: dict[str, int] = {}

    def line(data: Any) -> None:
        encoded = json.dumps(data, ensure_ascii=False, separators=(",", ":")).encode() + b"\n"
        digest.update(encoded)
        out.write(encoded)

    with store.snapshot() as db:
        line({"magic": MAGIC, "format": FORMAT, "schema": migrate.present(db)})
        for table in schema.TABLES:
            names = [c.name for c in table.columns]
            line({"table": table.name, "columns": names})
            counts[table.name] = 0
            for row in db.execute(select(table).order_by(*table.primary_key.columns)).yield_per(CHUNK):
                line(list(row))
                counts[table.name] += 1
    out.write(json.dumps({"rows": counts, "sha256": digest.hexdigest()}).encode() + b"\n")
    return counts


def restore(store: Store, path: Path, replace: bool = False) -> dict[str, int]:
    """Read a backup into a database, all of it or nothing.

    Servers that run on the database notice: their matches are read again, their clients reconnect.
    """
    expected = _check(path)
    with store.write() as db:
        if not replace and _holds_something(db):
            raise NotEmpty("the database is not empty; --replace puts the backup in place of what is there")
        for table in reversed((*schema.TABLES, *schema.CACHES)):
            db.execute(table.delete())
        for table, rows in _chunks(path):
            if table is schema.matches:
                for row in rows:
                    row["incarnation"] = secrets.token_hex(8)
            db.execute(table.insert(), rows)
        if "sat" not in expected:  # a backup of before: the seats know the last ones who sat there
            _remember_seats(db)
        people.key_by_looks(db)  # a backup of an earlier release compares names otherwise
        store.tell_others(db, "restore", "*")
    return expected


def _remember_seats(db: Connection) -> None:
    for row in db.execute(select(schema.seats)).all():
        had = {row.person_id, row.former_id} - {None}
        records.remember_seats(db, row.match_id, [(row.seat, person_id) for person_id in had])


def _holds_something(db: Connection) -> bool:
    return any(
        db.execute(select(func.count()).select_from(t)).scalar_one() for t in (schema.people, schema.matches)
    )


def _lines(path: Path) -> Iterator[bytes]:
    try:
        with gzip.open(path, "rb") as file:
            yield from file
    except (OSError, EOFError) as error:
        raise FormatError(f"this is no complete backup ({error})", source=str(path)) from None


def _check(path: Path) -> dict[str, int]:
    """Refuse a file that is damaged, cut off, or of a later release, before anything is changed."""
    digest = hashlib.sha256()
    last = b""
    for number, row in enumerate(_lines(path)):
        if number == 0:
            _check_head(_json(row, path), path)
        digest.update(last)
        last = row
    end = _json(last, path)
    if not isinstance(end, dict) or end.get("sha256") != digest.hexdigest():
        raise FormatError("the backup is damaged or cut off", source=str(path))
    found: dict[str, int] = end["rows"]
    return found


def _json(row: bytes, path: Path) -> Any:
    try:
        return json.loads(row)
    except ValueError:
        raise FormatError("this is no backup of Ludus", source=str(path)) from None


def _check_head(head: Any, path: Path) -> None:
    if not isinstance(head, dict) or head.get("magic") != MAGIC:
        raise FormatError("this is no backup of Ludus", source=str(path))
    if head["format"] > FORMAT or head["schema"] > migrate.newest():
        raise FormatError("the backup is of a later release of Ludus", source=str(path))


def _chunks(path: Path) -> Iterator[tuple[Any, list[dict[str, Any]]]]:
    table: Any = None
    columns: list[str] = []
    rows: list[dict[str, Any]] = []
    for raw in _lines(path):
        data = json.loads(raw)
        if isinstance(data, list):
            rows.append(dict(zip(columns, data, strict=True)))
        if rows and (isinstance(data, dict) or len(rows) >= CHUNK):
            yield table, rows
            rows = []
        if isinstance(data, dict) and "table" in data:
            table, columns = schema.metadata.tables[data["table"]], data["columns"]
