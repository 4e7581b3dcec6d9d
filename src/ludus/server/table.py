"""A match in this process: where it stands, who is looking, and which bot is thinking.

The store is the truth; a table only remembers where the store stood.  It is changed in the event loop alone,
by whoever holds its lock; the standing in it may be read by anybody.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from ludus.core.chance import SPECTATOR
from ludus.store.rows import SeatRow

from .bots import Memories
from .clocks import ServerTime
from .standing import Standing, away_from

if TYPE_CHECKING:
    from ludus.store.people import Person

    from .viewer import Viewer


GESTURES = 30  # so many of somebody's latest gestures are told when they come back


class Table:
    def __init__(self, match_id: str, time: ServerTime) -> None:
        self.id, self.time = match_id, time
        self.lock = asyncio.Lock()
        self.standing: Standing | None = None  # None: to be read from the store
        self.commands: dict[str, int] = {}  # every command that has happened, with its first entry
        self.viewers: set[Viewer] = set()
        self.chat = 0  # the last line of chat that viewers were told
        self.thinking = -1  # the entry after which a bot of this table is thinking
        self.excused: set[int] = set()  # seats whose bots have failed and have said so
        self.memories = Memories()

    def drop(self) -> None:
        """Forget what was read: the next one to ask reads it again."""
        self.standing = None
        self.commands = {}

    def begun_by(self, person: Person | None) -> list[int]:
        """The first entries of the latest gestures of a person: what one command played, or several whose ids
        are the same before a dash, is taken back as one."""
        if person is None:
            return []
        first: dict[str, int] = {}
        for command, entry in self.commands.items():
            who, _, client = command.partition(":")
            if who == person.id:
                gesture = client.rpartition("-")[0] or client
                first[gesture] = min(entry, first.get(gesture, entry))
        return sorted(first.values())[-GESTURES:]

    def public(self, standing: Standing) -> dict[str, Any]:
        """The facts about the match, with who is there."""
        here = {v.person.id for v in self.viewers if v.person is not None}
        watching = sum(v.eye == SPECTATOR for v in self.viewers)
        return standing.public(here, watching, self.time)


def short(row: Any, seats: Sequence[SeatRow], person: Person | None, now: float) -> dict[str, Any]:
    """A match in a list: nothing that needs its record.  `now` is the time by which clocks run."""
    mine = [s.seat for s in seats if person is not None and s.person_id == person.id]
    return {
        "id": row.id,
        "title": row.title,
        "options": json.loads(row.options),
        "state": row.state,
        "public": bool(row.public),
        "start": bool(row.start),
        "rated": bool(row.rated),
        "clock": json.loads(row.clock),
        "left": None if row.deadline is None else round(max(0.0, row.deadline - now), 3),
        "seats": [_short_seat(s) for s in seats],
        "entries": row.entries,
        "to_move": row.to_move if row.to_move >= 0 else None,
        "yours": mine,
        "away": away_from(seats, person),
        "your_turn": row.state == "running" and row.to_move in mine,
        "result": [int(r) for r in row.result.split()] or None,
        "score": [int(n) for n in row.score.split()] or None,
        "created": row.created,
        "updated": row.updated,
    }


def _short_seat(s: SeatRow) -> dict[str, Any]:
    told: dict[str, Any] = {"seat": s.seat, "kind": s.kind, "name": s.name}
    if s.strength:
        told["strength"] = json.loads(s.strength)
    return {**told, "bot": s.bot} if s.kind == "bot" else told
