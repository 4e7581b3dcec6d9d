"""Matches that the present rules cannot play again: what is stored of them can be read for ever.

No rules can be asked who saw what, so of a match that is not over a seat is shown its own actions, and of all
others the kind alone, which was never hidden from anybody.  A match that is over is public, whole.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass

from ludus.match import fairness
from ludus.match.entries import HOUSE, Entry, back_to, kind_alone, standing_after
from ludus.match.file import Sheet, scope_of, shown_start, write_sheet
from ludus.match.story import Row
from ludus.store import records

from .errors import Unknown
from .server import Server
from .standing import Standing
from .telling import as_json
from .wire import encode


@dataclass(frozen=True)
class Stored:
    """The rows of a match, and nothing that was worked out from them."""

    standing: Standing
    entries: Sequence[Entry]

    def shown(self, eye: int) -> list[Entry]:
        """Every entry as an eye may know it without the rules."""
        if self.standing.over:
            return list(self.entries)
        return [entry if entry.who in (HOUSE, eye) else kind_alone(entry) for entry in self.entries]


async def read(server: Server, match_id: str) -> Stored:
    """What is stored of a match; Unknown when there is none."""

    def rows() -> Stored:
        with server.store.read() as db:
            row = records.match_row(db, match_id)
            if row is None:
                raise Unknown("there is no such match")
            standing = Standing(row, tuple(records.seat_rows(db, match_id)), None)
            return Stored(standing, records.entries_since(db, match_id, 0))

    return await server.reading(rows)


def page(stored: Stored, eye: int, since: int, limit: int) -> bytes:
    """The record from an entry on, as JSON: texts, without sentences and views."""
    shown, standing = stored.shown(eye), set(standing_after(stored.entries))
    rows = [
        as_json(Row(e.number, e.who, e.text, e.who == HOUSE or e.number in standing, back_to(e)))
        for e in shown[since : since + limit]
    ]
    return encode({"since": since, "entries": rows, "last": len(shown), "unplayable": True})


def match_file(stored: Stored, eye: int) -> str:
    """The match file, with the version of the rules that it was played with."""
    row, over = stored.standing.row, stored.standing.over
    return write_sheet(
        Sheet(
            row.title,
            row.rules_version,
            row.seats,
            json.loads(row.names),
            json.loads(row.options),
            box=row.box_hash,
            start=shown_start(row.start, whole=over),
            scope=scope_of(eye, over, whole=over),
            entries=stored.shown(eye),
            match_id=row.id,
            commitment=fairness.commitment(row.id, bytes.fromhex(row.secret)),
            nonces=[seat.nonce for seat in stored.standing.seats],
            result=row.result,
            ending=row.ending,
            key=row.secret if over else "",  # no key leaves before the end, whoever asks
            hash=row.hash if over else "",
        )
    )
