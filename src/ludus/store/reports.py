"""Bugs in the rules that people have handed in: scenes with a comment, for the host to read."""

from __future__ import annotations

import secrets
from typing import NamedTuple

from sqlalchemy import Connection, delete, func, select

from ludus.core.errors import LudusError

from .schema import reports

MOST = 500  # that are kept; the host makes room
MAX_CHARS = 64_000


class Full(LudusError):
    """The host has not read what was handed in before."""


class HandedIn(NamedTuple):
    id: str
    title: str
    text: str  # a scene
    made: float


def add(db: Connection, title: str, text: str, person_id: str, now: float) -> str:
    """Keep a scene; its id."""
    if db.execute(select(func.count()).select_from(reports)).scalar_one() >= MOST:
        raise Full("so many were handed in that there is no room; save the file and send it to the host")
    made = secrets.token_hex(8)
    row = {"id": made, "title": title, "text": text[:MAX_CHARS], "person_id": person_id, "made": now}
    db.execute(reports.insert().values(**row))
    return made


def listed(db: Connection) -> list[HandedIn]:
    """All of them, the oldest first."""
    columns = (reports.c.id, reports.c.title, reports.c.text, reports.c.made)
    return [HandedIn(*row) for row in db.execute(select(*columns).order_by(reports.c.made))]


def remove(db: Connection, report_id: str) -> bool:
    """Whether there was one."""
    return db.execute(delete(reports).where(reports.c.id == report_id)).rowcount == 1
