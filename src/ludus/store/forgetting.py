"""Forgetting a person: out of every table, and out of the records of matches, which play on as before.

A record needs no name to be played again: where the name of somebody who is forgotten stood (the names that a
match began with, and "claim SEAT NAME"), "Forgotten" stands, and the position after every entry is the same.
All functions work in the caller's transaction.
"""

from __future__ import annotations

import json
import secrets
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

from sqlalchemy import Column, ColumnElement, Connection, and_, delete, or_, select, update

from ludus.core.errors import FormatError, LudusError
from ludus.match.entries import HOUSE, house_text, read_house

from . import records
from .schema import chat, entries, matches, metadata, people, seats, snapshots

FORGOTTEN = "Forgotten"
PERSON = ("person_id", "former_id", "creator_id", "to_id")  # columns that hold the id of a person


class StillSitting(LudusError):
    """A person who is to be forgotten has a seat in a match that is not over."""


def person_columns() -> list[Column[Any]]:
    """Every column of every table that holds the id of a person; also of tables that are yet to come."""
    return [c for table in metadata.sorted_tables for c in table.columns if c.name in PERSON]


def _by(person_id: str) -> ColumnElement[bool]:
    """Entries that a command of this person made."""
    return and_(entries.c.command >= f"{person_id}:", entries.c.command < f"{person_id};")


def linked_matches(db: Connection, person_id: str) -> set[str]:
    """The matches in which a row knows the person."""
    found: set[str] = set()
    for column in person_columns():
        match_id = matches.c.id if column.table is matches else column.table.c.get("match_id")
        if match_id is not None:
            found.update(db.execute(select(match_id).where(column == person_id).distinct()).scalars())
    return found


def matches_acted_in(db: Connection, person_id: str) -> set[str]:
    """The matches in which the person has done something.  Looks at every entry of the store."""
    return set(db.execute(select(entries.c.match_id).where(_by(person_id)).distinct()).scalars())


def _matches_naming(db: Connection, name: str) -> set[str]:
    """The matches in whose record a name stands.  Looks at every match, and at every entry."""
    began = matches.c.names.contains(json.dumps(name)[1:-1], autoescape=True)
    claimed = and_(
        entries.c.who == HOUSE,
        entries.c.text.startswith("claim "),
        entries.c.text.endswith(name, autoescape=True),
    )
    found = set(db.execute(select(matches.c.id).where(began)).scalars())
    return found | set(db.execute(select(entries.c.match_id).where(claimed).distinct()).scalars())


def find_matches(db: Connection, person_id: str) -> list[str]:
    """Every match that knows the person: as a row, by what they did, or by their name.

    Takes a while where there are many entries: to be asked outside of a transaction that writes.
    """
    found = linked_matches(db, person_id) | matches_acted_in(db, person_id)
    name = db.execute(select(people.c.name).where(people.c.id == person_id)).scalar()
    return sorted(found | (_matches_naming(db, name) if name else set()))


# -- one record -------------------------------------------------------------------------------------------


@dataclass
class _Story:
    """Where a person comes up in the record of a match."""

    claims: list[tuple[int, int]] = field(default_factory=list)  # number and seat of their claims
    filled: dict[int, int] = field(default_factory=dict)  # seat -> the first entry by which it changed hands
    acted: dict[int, int] = field(default_factory=dict)  # seat -> the first entry of theirs

    def sat_first(self, linked: Iterable[int]) -> set[int]:
        """The seats that they had when the match began."""
        came_later = {seat for _, seat in self.claims}
        began = {seat for seat, number in self.acted.items() if number < self.filled.get(seat, number + 1)}
        return began | (set(linked) - came_later)


def _story(db: Connection, match_id: str, person_id: str, name: str) -> _Story:
    story = _Story()
    wanted = or_(entries.c.who == HOUSE, _by(person_id))
    query = select(entries).where(entries.c.match_id == match_id, wanted).order_by(entries.c.number)
    for row in db.execute(query):
        theirs = (row.command or "").startswith(f"{person_id}:")
        kind, seat, claimed = _parts(row.who, row.text)
        if kind == "claim" and (theirs or claimed == name):
            story.claims.append((row.number, seat))
        elif theirs and seat >= 0:
            story.acted.setdefault(seat, row.number)
        if kind in ("claim", "take_over"):
            story.filled.setdefault(seat, row.number)
    return story


def _parts(who: int, text: str) -> tuple[str, int, str]:
    """Kind, seat and name of an entry; of an action only who made it."""
    if who != HOUSE:
        return "", who, ""
    try:
        kind, arguments = read_house(text)
    except FormatError:
        return "", -1, ""
    return kind, int(arguments[0]) if arguments else -1, arguments[1] if len(arguments) > 1 else ""


def _linked_seats(db: Connection, match_id: str, person_id: str) -> set[int]:
    found: set[int] = set()
    for column in person_columns():
        table = column.table
        if "seat" in table.c and "match_id" in table.c:
            query = select(table.c.seat).where(table.c.match_id == match_id, column == person_id)
            found.update(db.execute(query).scalars())
    return found


def forget_in_match(db: Connection, match_id: str, person_id: str, name: str) -> None:
    """Take a person out of a match: seats, record, commands, chat."""
    row = records.match_row(db, match_id, lock=True)
    if row is None:
        return
    story = _story(db, match_id, person_id, name)
    first = story.sat_first(_linked_seats(db, match_id, person_id))
    here = entries.c.match_id == match_id
    for number, seat in story.claims:
        text = house_text("claim", seat, FORGOTTEN)
        db.execute(update(entries).where(here, entries.c.number == number).values(text=text))
    db.execute(update(entries).where(here, _by(person_id)).values(command=None))
    names = [FORGOTTEN if n == name or p in first else n for p, n in enumerate(json.loads(row.names))]
    _forget_seats(db, match_id, person_id, name)
    theirs = or_(chat.c.person_id == person_id, chat.c.to_id == person_id)  # said by them, or to them alone
    db.execute(delete(chat).where(chat.c.match_id == match_id, theirs))
    db.execute(delete(snapshots).where(snapshots.c.match_id == match_id))  # they hold names as well
    fresh: dict[str, Any] = {"revision": row.revision + 1, "incarnation": secrets.token_hex(8)}
    if row.creator_id == person_id:
        fresh.update(creator_id=None, client=None)
    records.change(db, match_id, names=json.dumps(names), **fresh)


def _forget_seats(db: Connection, match_id: str, person_id: str, name: str) -> None:
    here = seats.c.match_id == match_id
    theirs = (seats.c.person_id == person_id) | (seats.c.former_id == person_id) | (seats.c.name == name)
    # A bot that plays for them has a name of its own.
    shown = here & theirs & (seats.c.kind == "person")
    other = seats.c.person_id.is_not(None) & (seats.c.person_id != person_id)
    db.execute(update(seats).where(shown & ~other).values(name=FORGOTTEN))
    for column in (seats.c.person_id, seats.c.former_id):
        db.execute(update(seats).where(here, column == person_id).values({column.name: None}))


# -- the whole person -------------------------------------------------------------------------------------


def forget_in(db: Connection, match_ids: Sequence[str], person_id: str) -> None:
    name = str(db.execute(select(people.c.name).where(people.c.id == person_id)).scalar() or "")
    for match_id in match_ids:
        forget_in_match(db, match_id, person_id, name)


def finish(db: Connection, person_id: str) -> list[str]:
    """Remove the person, and what other rows still say of them; the matches that this has changed.

    The matches that `find_matches` finds must have been dealt with, and every seat been left.
    """
    if records.running_seats_of(db, person_id):
        raise StillSitting("this person has a seat in a match that is not over")
    late = sorted(linked_matches(db, person_id))
    forget_in(db, late, person_id)
    for column in person_columns():
        if not column.foreign_keys:  # else the database does it when the person goes
            table = column.table
            gone = delete(table) if not column.nullable else update(table).values({column.name: None})
            db.execute(gone.where(column == person_id))
    db.execute(delete(people).where(people.c.id == person_id))
    return late


def forget(db: Connection, person_id: str) -> list[str]:
    """All of it at once; the matches that were changed."""
    found = find_matches(db, person_id)
    forget_in(db, found, person_id)
    return sorted({*found, *finish(db, person_id)})


def hand_over_commands(db: Connection, match_ids: Sequence[str], old_id: str, new_id: str) -> None:
    """What one person did becomes what another did: a guest who logs in."""
    for match_id in match_ids:
        here = entries.c.match_id == match_id
        have = set(db.execute(select(entries.c.command).where(here, _by(new_id))).scalars())
        for number, command in db.execute(
            select(entries.c.number, entries.c.command).where(here, _by(old_id))
        ).all():
            moved: str | None = f"{new_id}:{command.partition(':')[2]}"
            this = update(entries).where(here, entries.c.number == number)
            db.execute(this.values(command=None if moved in have else moved))
