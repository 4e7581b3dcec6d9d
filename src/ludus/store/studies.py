"""Studies, in the caller's transaction: a finished match, matches that branch off it, and comments."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, delete, func, select, update

from .schema import matches, studies

MOST = 50  # of one person


@dataclass(frozen=True)
class StudyRow:
    """A study.  `data`: its branches and comments, as `server.studies` writes them."""

    id: str
    person_id: str
    match_id: str
    name: str
    revision: int
    data: dict[str, Any]


_COLUMNS = [studies.c[name] for name in StudyRow.__dataclass_fields__]


def find(db: Connection, study_id: str) -> StudyRow | None:
    found = db.execute(select(*_COLUMNS).where(studies.c.id == study_id)).one_or_none()
    return None if found is None else StudyRow(**{**found._mapping, "data": json.loads(found.data)})


def of_person(db: Connection, person_id: str) -> list[tuple[str, str, str]]:
    """Id, name and title of all studies of somebody, the latest first."""
    query = (
        select(studies.c.id, studies.c.name, matches.c.title)
        .join(matches, matches.c.id == studies.c.match_id)
        .where(studies.c.person_id == person_id)
        .order_by(studies.c.updated.desc())
    )
    return [(row[0], row[1], row[2]) for row in db.execute(query)]


def count_of(db: Connection, person_id: str) -> int:
    query = select(func.count()).select_from(studies).where(studies.c.person_id == person_id)
    return int(db.execute(query).scalar_one())


def add(db: Connection, row: StudyRow, now: float) -> None:
    values = {name: getattr(row, name) for name in StudyRow.__dataclass_fields__}
    db.execute(studies.insert().values(**values | {"data": json.dumps(row.data), "updated": now}))


def change(db: Connection, row: StudyRow, now: float) -> bool:
    """Put a changed study in the place of the one with the revision before; False where that is gone."""
    here = (studies.c.id == row.id) & (studies.c.revision == row.revision - 1)
    values = {"name": row.name, "data": json.dumps(row.data), "revision": row.revision, "updated": now}
    return bool(db.execute(update(studies).where(here).values(**values)).rowcount)


def drop(db: Connection, study_id: str, person_id: str) -> bool:
    here = (studies.c.id == study_id) & (studies.c.person_id == person_id)
    return bool(db.execute(delete(studies).where(here)).rowcount)
