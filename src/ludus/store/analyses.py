"""Analyses of finished matches, in the caller's transaction: the queue and what came out of it."""

from __future__ import annotations

import json
import zlib
from dataclasses import dataclass
from typing import Any

from sqlalchemy import ColumnElement, Connection, and_, delete, func, or_, select, update

from .schema import analyses, matches, seats

WAITING, RUNNING, DONE, FAILED, STOPPED = "waiting", "running", "done", "failed", "stopped"
OPEN = (WAITING, RUNNING)


@dataclass(frozen=True)
class AnalysisRow:
    """What is known of the analysis of a match, beside its rows and its result."""

    match_id: str
    person_id: str | None
    state: str
    entries: int
    rules: int
    asked: float
    beat: float
    done: int
    total: int


_HEAD = [analyses.c[name] for name in AnalysisRow.__dataclass_fields__]


def row_of(db: Connection, match_id: str) -> AnalysisRow | None:
    found = db.execute(select(*_HEAD).where(analyses.c.match_id == match_id)).one_or_none()
    return None if found is None else AnalysisRow(*found)


def ask(db: Connection, match_id: str, person_id: str, entries: int, rules: int, now: float) -> None:
    """Put a match at the end of the queue.  What is made of it already stays, if it is still the same
    match."""
    known = row_of(db, match_id)
    values: dict[str, Any] = {"person_id": person_id, "state": WAITING, "asked": now, "beat": now}
    if known is None:
        made = {"match_id": match_id, "entries": entries, "rules": rules, "done": 0, "total": 0}
        db.execute(analyses.insert().values(**made, **values))
        return
    if (known.entries, known.rules) != (entries, rules):
        values |= {"entries": entries, "rules": rules, "done": 0, "total": 0, "part": None, "data": None}
    db.execute(update(analyses).where(analyses.c.match_id == match_id).values(**values))


def open_of(db: Connection, person_id: str | None = None) -> int:
    """How many wait or are being made: of one person, or of all."""
    query = select(func.count()).select_from(analyses).where(analyses.c.state.in_(OPEN))
    if person_id is not None:
        query = query.where(analyses.c.person_id == person_id)
    return int(db.execute(query).scalar_one())


def place_of(db: Connection, row: AnalysisRow) -> int:
    """How many wait before this one."""
    before = and_(analyses.c.state == WAITING, analyses.c.asked < row.asked)
    return int(db.execute(select(func.count()).select_from(analyses).where(before)).scalar_one())


def _free(now: float, stale: float) -> ColumnElement[bool]:
    """What can be taken: what waits, or what nobody has worked at for so long."""
    left = and_(analyses.c.state == RUNNING, analyses.c.beat < now - stale)
    return or_(analyses.c.state == WAITING, left)


def is_free(db: Connection, now: float, stale: float) -> bool:
    """Whether there is anything to be taken."""
    return db.execute(select(analyses.c.match_id).where(_free(now, stale)).limit(1)).first() is not None


def take_next(db: Connection, now: float, stale: float) -> AnalysisRow | None:
    """The next one to be made, taken."""
    query = (
        select(*_HEAD)
        .where(_free(now, stale))
        .order_by(analyses.c.asked)
        .limit(1)
        .with_for_update(skip_locked=True)
    )
    found = db.execute(query).one_or_none()
    if found is None:
        return None
    row = AnalysisRow(*found)
    taken = update(analyses).where(analyses.c.match_id == row.match_id)
    db.execute(taken.values(state=RUNNING, beat=now))
    return row


def part_of(db: Connection, match_id: str) -> list[str]:
    """The rows that are made so far, a line each."""
    found = db.execute(select(analyses.c.part).where(analyses.c.match_id == match_id)).scalar()
    return zlib.decompress(found).decode().splitlines() if found else []


def result_of(db: Connection, match_id: str) -> dict[str, Any] | None:
    found = db.execute(select(analyses.c.data).where(analyses.c.match_id == match_id)).scalar()
    return json.loads(zlib.decompress(found)) if found else None


def made_for(db: Connection, person_id: str, most: int) -> list[tuple[str, int, float, dict[str, Any]]]:
    """The latest made analyses of matches that somebody sat at: match, seat, when it was over, result."""
    query = (
        select(matches.c.id, seats.c.seat, matches.c.updated, analyses.c.data)
        .join(seats, seats.c.match_id == matches.c.id)
        .join(analyses, analyses.c.match_id == matches.c.id)
        .where(seats.c.person_id == person_id, analyses.c.state == DONE)
        .order_by(matches.c.updated.desc())
        .limit(most)
    )
    return [(row[0], row[1], row[2], json.loads(zlib.decompress(row[3]))) for row in db.execute(query)]


def keep_part(
    db: Connection, match_id: str, lines: list[str], done: int, total: int, now: float
) -> bool:  # fmt: skip
    """Keep what is made so far; False where nobody wants it any more."""
    packed = zlib.compress("\n".join(lines).encode())
    values = {"part": packed, "done": done, "total": total, "beat": now}
    return _change(db, match_id, values)


def beat(db: Connection, match_id: str, now: float) -> bool:
    """Somebody still works at it; False where nobody wants it any more."""
    return _change(db, match_id, {"beat": now})


def finish(db: Connection, match_id: str, found: dict[str, Any], now: float) -> bool:
    packed = zlib.compress(json.dumps(found, separators=(",", ":")).encode())
    steps = int(found["steps"])
    done = {"done": steps, "total": steps}
    return _change(db, match_id, {"state": DONE, "data": packed, "part": None, "beat": now, **done})


def put_back(db: Connection, match_id: str, state: str, now: float, last: bool = False) -> bool:
    """End the work at one: failed, or waiting again, where it stood in the queue or as the `last` one."""
    return _change(db, match_id, {"state": state, "beat": now, **({"asked": now} if last else {})})


def _change(db: Connection, match_id: str, values: dict[str, Any]) -> bool:
    here = (analyses.c.match_id == match_id) & (analyses.c.state == RUNNING)
    return bool(db.execute(update(analyses).where(here).values(**values)).rowcount)


def stop(db: Connection, match_id: str, person_id: str) -> bool:
    """Whoever asked wants it no more: what is made so far stays, for whoever asks next."""
    here = (analyses.c.match_id == match_id) & (analyses.c.person_id == person_id)
    wanted = here & analyses.c.state.in_(OPEN)
    return bool(db.execute(update(analyses).where(wanted).values(state=STOPPED)).rowcount)


def forget(db: Connection, match_id: str) -> None:
    """Take an analysis out; it can be made again."""
    db.execute(delete(analyses).where(analyses.c.match_id == match_id))
