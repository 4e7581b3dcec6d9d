"""How far somebody has come: a small document a person and kind ("lesson", "puzzles"), merged and never lost.

A document is an object of entries, each an object with two numbers and anything else: `n`, how far one has
come, which only rises, and `at`, when it was written.  Two documents become one by taking every entry of
both; where both have one, the greater `n`, and the rest of the one that was written later.  So it does not
matter in which order a browser and an account hear of each other, nor how often.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from sqlalchemy import Connection, delete, func, select

from ludus.core.errors import FormatError

from .schema import progress

MAX_CHARS = 48_000  # of one document
MAX_ENTRIES = 4000
MAX_KEY = 80
MAX_KINDS = 8  # of one person

Document = dict[str, dict[str, Any]]


def read_document(data: Any) -> Document:
    """A document that somebody sent; FormatError says what is wrong."""
    if not isinstance(data, Mapping) or len(data) > MAX_ENTRIES:
        raise FormatError(f"progress is an object of at most {MAX_ENTRIES} entries")
    for key, entry in data.items():
        if not isinstance(key, str) or not 0 < len(key) <= MAX_KEY:
            raise FormatError(f"an entry of progress has a name of 1 to {MAX_KEY} characters")
        if not isinstance(entry, Mapping) or not _is_count(entry.get("n")) or not _is_count(entry.get("at")):
            raise FormatError(f"{key!r:.40}: an entry of progress has whole numbers n and at")
    return {key: dict(entry) for key, entry in data.items()}


def _is_count(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and 0 <= value < 1 << 53


def merged(one: Document, other: Document) -> Document:
    """All entries of both.

    >>> merged({"a": {"n": 3, "at": 5, "x": 1}}, {"a": {"n": 1, "at": 9, "x": 2}, "b": {"n": 0, "at": 0}})
    {'a': {'n': 3, 'at': 9, 'x': 2}, 'b': {'n': 0, 'at': 0}}
    """
    both = dict(one)
    for key, entry in other.items():
        known = both.get(key)
        if known is None:
            both[key] = entry
        else:
            later = known if known["at"] > entry["at"] else entry
            both[key] = {**later, "n": max(known["n"], entry["n"])}
    return both


def load(db: Connection, person_id: str, kind: str) -> Document:
    here = (progress.c.person_id == person_id) & (progress.c.kind == kind)
    found: str | None = db.execute(select(progress.c.data).where(here)).scalar()
    return {} if found is None else json.loads(found)


def merge_in(db: Connection, person_id: str, kind: str, given: Document, now: float) -> Document:
    """Add what somebody sent to what is kept; all of it."""
    known = load(db, person_id, kind)
    whole = merged(known, given)
    if whole == known:
        return known
    text = json.dumps(whole, separators=(",", ":"))
    if len(text) > MAX_CHARS:
        raise FormatError(f"progress of one kind has at most {MAX_CHARS} characters")
    here = (progress.c.person_id == person_id) & (progress.c.kind == kind)
    kinds = db.execute(
        select(func.count()).select_from(progress).where(progress.c.person_id == person_id)
    ).scalar_one()
    if not known and kinds >= MAX_KINDS:
        raise FormatError(f"there are at most {MAX_KINDS} kinds of progress")
    db.execute(delete(progress).where(here))
    db.execute(progress.insert().values(person_id=person_id, kind=kind, data=text, updated=now))
    return whole
