"""Changes of matches as they are written: all or nothing, and only where their authors believed them to be.

Every move of every match passes here, so this speaks to the driver itself: prepared statements with plain
parameters cost a third of what building them anew would, and one statement for many matches a part of that.
Whoever made the change read the match at some
revision; if the row has another by now nothing is written, and the author looks again (`Moved`).
"""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from itertools import chain, groupby
from typing import Any, TypeVar

from sqlalchemy import Connection

from ludus.core.errors import LudusError
from ludus.match.entries import Entry

from . import records
from .store import CHANNEL

T = TypeVar("T")
Row = tuple[str, int, int, str, str | None, float]
NOTICE = 7900  # bytes that a notice of PostgreSQL may have, and a few to spare


class Moved(LudusError):
    """Somebody else has changed the match in the meantime; nothing was written."""


@dataclass(frozen=True)
class Write:
    """What a transaction writes of one match, and at which revision its author saw it."""

    match_id: str
    incarnation: str
    revision: int
    origin: str  # the process that writes; the others hear of it
    made: float
    values: Mapping[str, Any]  # columns of the match
    entries: Sequence[Entry] = ()
    command: str | None = None  # what made them
    seats: Mapping[int, Mapping[str, Any]] = field(default_factory=dict)
    sat: Collection[tuple[int, str]] = ()  # seats with people who see their hands from now on
    snapshot: Mapping[str, Any] | None = None
    also: Sequence[Callable[[Connection], None]] = ()

    def news(self) -> News | None:
        """What others must hear of it to stand where the match stands then; None when that is more than
        columns and entries, and must be read."""
        if self.seats or self.sat or self.also:
            return None
        return News(self.incarnation, self.revision, self.values, self.entries, self.command)


@dataclass(frozen=True)
class News:
    """What was written of a match by another process: from which revision on, and what it changed."""

    incarnation: str
    revision: int  # that the match had until then
    values: Mapping[str, Any]
    entries: Sequence[Entry]
    command: str | None

    def text(self) -> str:
        entries = [(e.number, e.who, e.text) for e in self.entries]
        return json.dumps([self.incarnation, self.revision, self.values, entries, self.command])


def read_news(text: str) -> News | None:
    """The inverse of `News.text`; None for no news."""
    if not text:
        return None
    incarnation, revision, values, entries, command = json.loads(text)
    return News(incarnation, revision, values, [Entry(*entry) for entry in entries], command)


def notice(change: Write) -> str:
    """What PostgreSQL tells the other processes when a change is committed: who, which match, what."""
    said, news = f"{change.origin} {change.match_id}", change.news()
    whole = f"{said} {news.text()}" if news is not None else said
    return whole if len(whole) <= NOTICE and whole.isascii() else said


def write_all(db: Connection, changes: Sequence[Write]) -> None:
    """Write changes of different matches, or raise `Moved` when the author of any must look again.

    In the caller's transaction, which must not go on after that.  Matches are locked in the order given.
    """
    for columns, alike in groupby(changes, key=lambda change: tuple(change.values)):
        _update(db, columns, list(alike))
    _append(db, [row for change in changes for row in _rows(change)])
    # The rest is seldom: seats, caches, and what a change has beside it.
    for change in changes:
        for seat, changed in change.seats.items():
            records.change_seat(db, change.match_id, seat, **changed)
        records.remember_seats(db, change.match_id, change.sat)
        if change.snapshot is not None:
            records.save_snapshot(db, change.match_id, dict(change.snapshot))
        for more in change.also:
            more(db)


def _update(db: Connection, columns: tuple[str, ...], changes: Sequence[Write]) -> None:
    rows = [(c.match_id, c.incarnation, c.revision, *c.values.values()) for c in changes]
    if db.dialect.name == "sqlite":
        found = sum(
            _driver(db).execute(_update_these(columns, len(some)), [*chain(*some)]).rowcount
            for some in _in_powers_of_two(rows)
        )
    else:  # the driver sends all of them before it waits for an answer
        with _driver(db).cursor() as cursor:
            cursor.executemany(
                _update_and_tell(columns),
                [(*row[3:], *row[:3], CHANNEL, notice(c)) for row, c in zip(rows, changes, strict=True)],
            )
            found = cursor.rowcount
    if found != len(changes):
        raise Moved("the match has changed meanwhile")


def _rows(change: Write) -> list[Row]:
    """The new entries of a change; the first of them holds the command that made them all."""
    return [
        (change.match_id, e.number, e.who, e.text, None if k else change.command, change.made)
        for k, e in enumerate(change.entries)
    ]


def _append(db: Connection, rows: Sequence[Row]) -> None:
    if db.dialect.name == "sqlite":
        for some in _in_powers_of_two(rows):
            _driver(db).execute(_insert("?", len(some)), [*chain(*some)])
    elif rows:
        with _driver(db).cursor() as cursor:
            cursor.executemany(_insert("%s", 1), rows)


def _driver(db: Connection) -> Any:
    return db.connection.driver_connection


def _in_powers_of_two(rows: Sequence[T]) -> Iterator[Sequence[T]]:
    """Pieces of 64, 32, ... 1: SQLite is asked few times, and with few different statements.

    At every statement the thread that writes lets the event loop go on, and must wait until that lets it in
    again: that is dearer than the statement.

    >>> [len(piece) for piece in _in_powers_of_two("x" * 77)]
    [64, 8, 4, 1]
    """
    done = 0
    while done < len(rows):
        size = min(64, 1 << (len(rows) - done).bit_length() - 1)
        yield rows[done : done + size]
        done += size


@cache
def _update_these(columns: tuple[str, ...], many: int) -> str:
    """SQLite: each row of parameters is id, incarnation, revision and the new values."""
    changes = ", ".join(f"{column} = new.column{k}" for k, column in enumerate(columns, 4))
    row = f"({', '.join('?' * (3 + len(columns)))})"
    return (
        f"UPDATE matches SET {changes} FROM (VALUES {', '.join([row] * many)}) AS new WHERE matches.id = "
        "new.column1 AND matches.incarnation = new.column2 AND matches.revision = new.column3"
    )


@cache
def _update_and_tell(columns: tuple[str, ...]) -> str:
    """PostgreSQL: the new values, id, incarnation and revision, and what the other processes are told."""
    changes = ", ".join(f"{column} = %s" for column in columns)
    return (
        f"UPDATE matches SET {changes} WHERE id = %s AND incarnation = %s AND revision = %s "
        "RETURNING pg_notify(%s, %s)"
    )


@cache
def _insert(mark: str, many: int) -> str:
    row = f"({', '.join([mark] * 6)})"
    columns = "match_id, number, who, text, command, made"
    return f"INSERT INTO entries ({columns}) VALUES {', '.join([row] * many)}"
