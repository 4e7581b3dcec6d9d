"""Matches, seats, entries, snapshots, chat and notes, row by row, in the caller's transaction."""

from __future__ import annotations

import hashlib
import json
import zlib
from collections.abc import Iterable, Sequence
from functools import cache
from pathlib import Path
from typing import Any

from sqlalchemy import ColumnElement, Connection, Row, bindparam, delete, func, or_, select, true, update
from sqlalchemy.dialects import postgresql, sqlite

from ludus.match.entries import Entry
from ludus.match.match import Match

from .rows import PAIR, ChatRow, MatchRow, SeatRow, match_of, seat_of
from .schema import chat, entries, matches, notes, seats, snapshots
from .schema import sat as seen

SNAPSHOT_EVERY = 64

_MATCH = select(matches).where(matches.c.id == bindparam("wanted"))
_LOCKED = _MATCH.with_for_update()
_SEATS = select(seats).where(seats.c.match_id == bindparam("wanted")).order_by(seats.c.seat)
_ENTRIES = (
    select(entries.c.number, entries.c.who, entries.c.text)
    .where(entries.c.match_id == bindparam("wanted"), entries.c.number > bindparam("since"))
    .order_by(entries.c.number)
)
_COMMANDS = select(entries.c.command, entries.c.number).where(
    entries.c.match_id == bindparam("wanted"),
    entries.c.number > bindparam("since"),
    entries.c.command.is_not(None),
)
_APPEND = entries.insert()
_MAKE, _SEAT = matches.insert(), seats.insert()
_CHANGE_SEAT = update(seats).where(
    seats.c.match_id == bindparam("wanted"), seats.c.seat == bindparam("place")
)
_SAT = select(seen.c.seat, seen.c.person_id).where(seen.c.match_id == bindparam("wanted"))
_MARK = select(matches.c.incarnation, matches.c.revision, matches.c.chat).where(
    matches.c.id == bindparam("wanted")
)
_REMEMBER = {  # by dialect
    name: insert(seen).on_conflict_do_nothing()
    for name, insert in (("postgresql", postgresql.insert), ("sqlite", sqlite.insert))
}
_UPDATE = update(matches).where(matches.c.id == bindparam("wanted"))  # the columns are those given


def match_row(db: Connection, match_id: str, lock: bool = False) -> MatchRow | None:
    """The row of a match; locked, nobody else can change the match before this transaction ends."""
    row = db.execute(_LOCKED if lock else _MATCH, {"wanted": match_id}).one_or_none()
    return None if row is None else match_of(row)


def mark(db: Connection, match_id: str) -> tuple[str, int, int] | None:
    """What tells whether a match has changed: incarnation, revision, chat."""
    row = db.execute(_MARK, {"wanted": match_id}).one_or_none()
    return None if row is None else (row[0], row[1], row[2])


def seat_rows(db: Connection, match_id: str) -> list[SeatRow]:
    return [seat_of(row) for row in db.execute(_SEATS, {"wanted": match_id})]


def entries_since(db: Connection, match_id: str, since: int) -> list[Entry]:
    rows = db.execute(_ENTRIES, {"wanted": match_id, "since": since})
    return [Entry(number, who, text) for number, who, text in rows]


def commands_since(db: Connection, match_id: str, since: int) -> dict[str, int]:
    """The commands that made the entries after `since`, each with its first entry."""
    rows = db.execute(_COMMANDS, {"wanted": match_id, "since": since})
    return {row[0]: row[1] for row in rows}


def append(db: Connection, match_id: str, new: Sequence[Entry], command: str | None, now: float) -> None:
    rows = [
        {"match_id": match_id, "number": e.number, "who": e.who, "text": e.text, "command": None, "made": now}
        for e in new
    ]
    if rows:
        rows[0]["command"] = command
        db.execute(_APPEND, rows)


def change(db: Connection, match_id: str, telling: ColumnElement[Any] | None = None, **values: Any) -> None:
    """Change columns of a match; `telling` (see `Store`) goes along in the same statement."""
    statement = _UPDATE if telling is None else _UPDATE.returning(telling)
    db.execute(statement, {"wanted": match_id, **values})


def add_match(db: Connection, values: dict[str, Any], seat_values: Iterable[dict[str, Any]]) -> None:
    db.execute(_MAKE, values)
    db.execute(_SEAT, [{"match_id": values["id"], **row} for row in seat_values])


def change_seat(db: Connection, match_id: str, seat: int, **values: Any) -> None:
    db.execute(_CHANGE_SEAT, {"wanted": match_id, "place": seat, **values})


def free_seat(db: Connection, match_id: str, seat: int, person_id: str) -> None:
    """Somebody sits there no more, whatever the record says."""
    here = (seats.c.match_id == match_id) & (seats.c.seat == seat) & (seats.c.person_id == person_id)
    db.execute(update(seats).where(here).values(person_id=None, former_id=person_id))


def holder(db: Connection, match_id: str, seat: int) -> str | None:
    """Who sits there."""
    query = select(seats.c.person_id).where(seats.c.match_id == match_id, seats.c.seat == seat)
    found: str | None = db.execute(query).scalar()
    return found


def remember_seats(db: Connection, match_id: str, sat: Iterable[tuple[int, str]]) -> None:
    """These people see the hands of these seats, and are remembered for it."""
    rows = [{"match_id": match_id, "seat": seat, "person_id": person_id} for seat, person_id in sat]
    if rows:
        db.execute(_REMEMBER[db.dialect.name], rows)


def sat(db: Connection, match_id: str) -> frozenset[tuple[int, str]]:
    """Every seat with everybody who ever sat there since play began."""
    return frozenset((row.seat, row.person_id) for row in db.execute(_SAT, {"wanted": match_id}))


def shift_clocks(db: Connection, seconds: float, now: float) -> list[str]:
    """Give everybody whose clock runs the time of an outage back; the matches that changed."""
    running = select(matches).where(matches.c.state == "running", matches.c.deadline.is_not(None))
    changed = []
    for row in db.execute(running.with_for_update()).all():
        state = json.loads(row.clock_state)
        # Never into the future: who moved after the outage has lost nothing by it.
        shift = max(0.0, min(seconds, now - state["since"]))
        if shift > 0:
            state["since"] += shift
            moved = {"clock_state": json.dumps(state), "deadline": row.deadline + shift}
            change(db, row.id, revision=row.revision + 1, **moved)
            changed.append(str(row.id))
    return changed


def delete_match(db: Connection, match_id: str) -> None:
    db.execute(delete(matches).where(matches.c.id == match_id))


def made_by_command(db: Connection, person_id: str, client: str) -> str | None:
    """The match that a person's command to make one made, if it was sent before."""
    query = select(matches.c.id).where(matches.c.creator_id == person_id, matches.c.client == client)
    found: str | None = db.execute(query).scalar()
    return found


# -- lists --------------------------------------------------------------------------------------------

_SHORT = (
    matches.c.id,
    matches.c.title,
    matches.c.options,
    matches.c.state,
    matches.c.public,
    matches.c.clock,
    matches.c.deadline,
    matches.c.to_move,
    matches.c.entries,
    matches.c.result,
    matches.c.score,
    (matches.c.start != "").label("start"),
    (matches.c.rated != "").label("rated"),
    matches.c.created,
    matches.c.updated,
)


def matches_of(db: Connection, person_id: str, limit: int, states: Sequence[str]) -> list[Row[Any]]:
    """The matches that somebody sits in or has made, and rated ones that they have left: their clock runs."""
    sits = select(seats.c.match_id).where(seats.c.person_id == person_id)
    left = select(seats.c.match_id).where(
        seats.c.former_id == person_id, seats.c.kind == "person", seats.c.person_id.is_(None)
    )
    query = (
        select(*_SHORT)
        .where(
            matches.c.id.in_(sits)
            | (matches.c.creator_id == person_id)
            | (matches.c.id.in_(left) & (matches.c.rated != ""))
        )
        .where(matches.c.state.in_(states))
        .order_by(matches.c.updated.desc())
        .limit(limit)
    )
    return list(db.execute(query))


def open_matches(db: Connection, limit: int, title: str | None) -> list[Row[Any]]:
    query = select(*_SHORT).where(matches.c.state == "waiting", matches.c.public.is_(True))
    if title:
        query = query.where(matches.c.title == title)
    return list(db.execute(query.order_by(matches.c.created.desc()).limit(limit)))


def public_running(db: Connection, limit: int, title: str | None) -> list[Row[Any]]:
    query = select(*_SHORT).where(matches.c.state == "running", matches.c.public.is_(True))
    if title:
        query = query.where(matches.c.title == title)
    return list(db.execute(query.order_by(matches.c.updated.desc()).limit(limit)))


def seats_of_many(db: Connection, match_ids: Sequence[str]) -> dict[str, list[SeatRow]]:
    found: dict[str, list[SeatRow]] = {}
    query = select(seats).where(seats.c.match_id.in_(match_ids)).order_by(seats.c.match_id, seats.c.seat)
    for row in db.execute(query):
        found.setdefault(row.match_id, []).append(seat_of(row))
    return found


def due(db: Connection, column: str, before: float, limit: int = 100) -> list[str]:
    """Running matches whose deadline, or bot, is due."""
    when = matches.c[column]
    query = (
        select(matches.c.id).where(matches.c.state == "running", when < before).order_by(when).limit(limit)
    )
    return list(db.execute(query).scalars())


def revisions(db: Connection, match_ids: Sequence[str]) -> dict[str, tuple[str, int, int, int]]:
    """What tells whether a match changed: incarnation, revision, entries, chat."""
    found: dict[str, tuple[str, int, int, int]] = {}
    for first in range(0, len(match_ids), 500):
        some = match_ids[first : first + 500]
        columns = (matches.c.id, matches.c.incarnation, matches.c.revision, matches.c.entries, matches.c.chat)
        for row in db.execute(select(*columns).where(matches.c.id.in_(some))):
            found[row[0]] = (row[1], row[2], row[3], row[4])
    return found


def waiting_of(db: Connection, person_id: str) -> int:
    """How many matches of a person still wait for players."""
    query = select(func.count()).where(matches.c.creator_id == person_id, matches.c.state == "waiting")
    return int(db.execute(query).scalar_one())


def running_ids(db: Connection, states: Sequence[str] = ("running",)) -> list[str]:
    return list(db.execute(select(matches.c.id).where(matches.c.state.in_(states))).scalars())


def counts(db: Connection) -> dict[str, int]:
    query = select(matches.c.state, func.count()).group_by(matches.c.state)
    return {str(state): int(n) for state, n in db.execute(query)}


def running_seats_of(db: Connection, person_id: str) -> list[tuple[str, int]]:
    """Where a person sits in matches that are not over."""
    query = (
        select(seats.c.match_id, seats.c.seat)
        .join(matches, matches.c.id == seats.c.match_id)
        .where(seats.c.person_id == person_id, matches.c.state.in_(("waiting", "running")))
    )
    return [(row[0], row[1]) for row in db.execute(query)]


# -- snapshots: a cache -------------------------------------------------------------------------------


@cache
def _rules_digest(name: str, version: int, folder: Path) -> str:
    rules = folder / "rules"
    files = sorted(rules.rglob("*.py")) if rules.is_dir() else [folder / "rules.py"]
    h = hashlib.sha256(f"1 {name} {version}".encode())
    for path in [folder / "layout.py", *files]:
        h.update(path.read_bytes())
    return h.hexdigest()[:32]


def snapshot_digest(match: Match) -> str:
    """Names rules and box to the byte: a snapshot of others is dropped."""
    title = match.setting.title
    rules = _rules_digest(title.name, title.version, title.folder)
    return f"{rules}{match.setting.box_hash()[:32]}"


def make_snapshot(match: Match) -> dict[str, Any]:
    """The columns of a snapshot of a match."""
    data = zlib.compress(json.dumps(match.snapshot(), separators=(",", ":")).encode(), 1)
    return {"entries": len(match.entries), "digest": snapshot_digest(match), "data": data}


def save_snapshot(db: Connection, match_id: str, values: dict[str, Any]) -> None:
    insert = postgresql.insert if db.dialect.name == "postgresql" else sqlite.insert
    row = insert(snapshots).values(match_id=match_id, **values)
    db.execute(row.on_conflict_do_update(index_elements=["match_id"], set_=values))


def load_snapshot(db: Connection, match_id: str, match: Match, up_to: int) -> dict[str, Any] | None:
    """The snapshot of a match, if one was made by the present rules and box."""
    row = db.execute(select(snapshots).where(snapshots.c.match_id == match_id)).one_or_none()
    if row is None or row.digest != snapshot_digest(match) or row.entries > up_to:
        return None
    try:
        found: dict[str, Any] = json.loads(zlib.decompress(row.data))
    except (zlib.error, ValueError):
        return None
    return found


def drop_snapshot(db: Connection, match_id: str) -> None:
    db.execute(delete(snapshots).where(snapshots.c.match_id == match_id))


# -- chat and notes -------------------------------------------------------------------------------------


def add_chat(db: Connection, line: ChatRow) -> None:
    db.execute(chat.insert().values(**line._asdict()))
    change(db, line.match_id, chat=line.number)


def chat_since(
    db: Connection, match_id: str, since: int, rooms: Sequence[str], person_id: str | None, limit: int = 200
) -> list[ChatRow]:
    """The latest lines that somebody who is in these rooms may read."""
    readable: ColumnElement[bool] = chat.c.room.in_([room for room in rooms if room != PAIR])
    if person_id is not None:
        readable |= (chat.c.room == PAIR) & or_(chat.c.person_id == person_id, chat.c.to_id == person_id)
    return _latest(db, match_id, since, readable, limit)


def all_chat_since(db: Connection, match_id: str, since: int, limit: int = 200) -> list[ChatRow]:
    """The same of whatever room: each line is for its readers alone (`ChatRow.is_for`)."""
    return _latest(db, match_id, since, true(), limit)


def _latest(
    db: Connection, match_id: str, since: int, which: ColumnElement[bool], limit: int
) -> list[ChatRow]:
    here = (chat.c.match_id == match_id) & (chat.c.number > since) & which
    query = select(chat).where(here).order_by(chat.c.number.desc()).limit(limit)
    return [ChatRow(**row._mapping) for row in reversed(list(db.execute(query)))]


def chat_about(db: Connection, match_id: str, what: str) -> list[ChatRow]:
    """All lines that are about something of this kind, in their order."""
    here = (chat.c.match_id == match_id) & chat.c.about.startswith(f'{{"{what}":')
    return [ChatRow(**row._mapping) for row in db.execute(select(chat).where(here).order_by(chat.c.number))]


def read_note(db: Connection, match_id: str, person_id: str) -> str:
    here = (notes.c.match_id == match_id) & (notes.c.person_id == person_id)
    return str(db.execute(select(notes.c.text).where(here)).scalar() or "")


def write_note(db: Connection, match_id: str, person_id: str, text: str) -> None:
    insert = postgresql.insert if db.dialect.name == "postgresql" else sqlite.insert
    row = insert(notes).values(match_id=match_id, person_id=person_id, text=text)
    keys = ["match_id", "person_id"]
    db.execute(row.on_conflict_do_update(index_elements=keys, set_={"text": text}))
