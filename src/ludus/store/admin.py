"""What a host does by hand, beside a running server: end, delete, ban, rename, forget."""

from __future__ import annotations

from typing import Any

from sqlalchemy import Connection, select

from ludus.core.errors import LudusError
from ludus.match.entries import HOUSE, Entry, house_text

from . import forgetting, people, records
from .opening import Unplayable, open_match, told_to_host
from .people import Person
from .schema import matches
from .store import Store

ORIGIN = "admin"


class NotThere(LudusError):
    """No match, or no person, of that name."""


def _match(db: Connection, match_id: str) -> Any:
    row = records.match_row(db, match_id, lock=True)
    if row is None:
        raise NotThere(f"there is no match {match_id!r:.40}")
    return row


def _person(db: Connection, who: str) -> Person:
    person = people.find(db, who)
    if person is None:
        raise NotThere(f"there is nobody called {who!r:.60}")
    return person


def stuck_matches(store: Store, idle: float, now: float) -> list[dict[str, Any]]:
    """Running matches that cannot be opened, or in which nothing has happened for so many seconds."""
    with store.read() as db:
        ids = records.running_ids(db, ("running",))
        waiting = select(matches.c.id).where(matches.c.state == "waiting", matches.c.updated < now - idle)
        ids += list(db.execute(waiting).scalars())
    found = []
    for match_id in ids:
        with store.read() as db:
            row = records.match_row(db, match_id)
            if row is None:
                continue
            why = _why_stuck(db, row, idle, now)
        if why:
            found.append({"id": row.id, "title": row.title, "entries": row.entries, "why": why})
    return found


def _why_stuck(db: Connection, row: Any, idle: float, now: float) -> str:
    if row.state == "running":
        try:
            open_match(db, row, records.seat_rows(db, row.id))
        except LudusError as error:
            return told_to_host(error)
        if row.bot_due is not None and row.bot_due < now - 600:
            return f"a bot has not moved for {(now - row.bot_due) / 60:.0f} minutes"
    if row.updated < now - idle:
        return f"nothing has happened for {(now - row.updated) / 86400:.0f} days"
    return ""


def close_match(store: Store, match_id: str, now: float) -> None:
    """End a match without a result."""
    with store.write() as db:
        row = _match(db, match_id)
        if row.state in ("over", "closed"):
            raise NotThere("this match has ended already")
        changed: dict[str, Any] = {"state": "closed", "deadline": None, "bot_due": None, "updated": now}
        records.change(db, match_id, revision=row.revision + 1, **changed)
        store.tell_others(db, ORIGIN, match_id)


def delete_match(store: Store, match_id: str) -> None:
    with store.write() as db:
        _match(db, match_id)
        records.delete_match(db, match_id)
        store.tell_others(db, ORIGIN, match_id)


def ban_person(store: Store, who: str, banned: bool, now: float) -> str:
    """Ban a person, whose seats become free, or let them in again; the name."""
    with store.write() as db:
        person = _person(db, who)
        people.set_banned(db, person.id, banned)
        if banned:  # the others must be able to go on
            for match_id, seat in records.running_seats_of(db, person.id):
                _free_seat(db, match_id, seat, now)
                store.tell_others(db, ORIGIN, match_id)
    return person.name


def rename_person(store: Store, who: str, name: str) -> str:
    with store.write() as db:
        changed = people.rename(db, _person(db, who).id, name)
        store.tell_others(db, ORIGIN, "*")
    return changed


def forget_person(store: Store, who: str, now: float) -> int:
    """Free the seats of a person, then remove what is known of them; how many matches changed."""
    with store.write() as db:
        person = _person(db, who)
        for match_id, seat in records.running_seats_of(db, person.id):
            _free_seat(db, match_id, seat, now)
        changed = forgetting.forget(db, person.id)
        for match_id in changed:
            store.tell_others(db, ORIGIN, match_id)
    store.wash()
    return len(changed)


def _free_seat(db: Connection, match_id: str, seat: int, now: float) -> None:
    row = _match(db, match_id)
    if row.state == "waiting":
        records.change_seat(db, match_id, seat, kind="open", person_id=None, name="", nonce="", strength="")
        return
    try:
        match = open_match(db, row, records.seat_rows(db, match_id))
    except Unplayable:
        match = None  # nobody can play there; the person can go all the same
    if match is not None and match.status[seat] == "playing" and not match.over:
        entry = Entry(len(match.entries) + 1, HOUSE, house_text("leave", seat))
        match.read_entry(entry)
        records.append(db, match_id, [entry], None, now)
        others = [s for s in records.seat_rows(db, match_id) if s.kind == "person" and s.seat != seat]
        waits = {} if any(s.person_id for s in others) else {"bot_due": None}  # nobody is left to play with
        records.change(db, match_id, entries=entry.number, revision=row.revision + 1, updated=now, **waits)
    records.change_seat(db, match_id, seat, person_id=None, former_id=records.holder(db, match_id, seat))
