"""A change of a match as it is written: all of it or nothing, and only where its author believed it to be.

Every move of every match passes here, so this speaks to the driver itself: prepared statements with plain
parameters cost a third of what building them anew would.  Whoever made the change read the match at some
revision; if the row has another by now nothing is written, and the author looks again (`Moved`).
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Any

from sqlalchemy import Connection

from ludus.core.errors import LudusError
from ludus.match.entries import Entry

from . import records
from .store import CHANNEL


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


def write(db: Connection, change: Write) -> None:
    """Write a change, or raise `Moved`.  In the caller's transaction, which must not go on after that."""
    sqlite = db.dialect.name == "sqlite"
    driver = db.connection.driver_connection
    assert driver is not None
    columns = tuple(change.values)
    values = [*change.values.values(), change.match_id, change.incarnation, change.revision]
    if not sqlite:
        values += [CHANNEL, f"{change.origin} {change.match_id}"]
    if driver.execute(_update(columns, sqlite), values).rowcount != 1:
        raise Moved("the match has changed meanwhile")
    if change.entries:
        first = change.entries[0].number
        rows = [
            (
                change.match_id,
                e.number,
                e.who,
                e.text,
                change.command if e.number == first else None,
                change.made,
            )
            for e in change.entries
        ]
        cursor = driver.cursor()
        cursor.executemany(_insert(sqlite), rows)
        cursor.close()
    # The rest is seldom: seats, caches, and what a change has beside it.
    for seat, changed in change.seats.items():
        records.change_seat(db, change.match_id, seat, **changed)
    records.remember_seats(db, change.match_id, change.sat)
    if change.snapshot is not None:
        records.save_snapshot(db, change.match_id, dict(change.snapshot))
    for more in change.also:
        more(db)


@cache
def _update(columns: tuple[str, ...], sqlite: bool) -> str:
    mark = "?" if sqlite else "%s"
    changes = ", ".join(f"{column} = {mark}" for column in columns)
    found = f"UPDATE matches SET {changes} WHERE id = {mark} AND incarnation = {mark} AND revision = {mark}"
    return found if sqlite else f"{found} RETURNING pg_notify({mark}, {mark})"


@cache
def _insert(sqlite: bool) -> str:
    marks = ", ".join(["?" if sqlite else "%s"] * 6)
    return f"INSERT INTO entries (match_id, number, who, text, command, made) VALUES ({marks})"
