"""A match in memory: what the store says of it, who is looking, and what they have been told.

The store is the truth.  A table is read again, or caught up, whenever its row says that something has
happened; it is only touched by whoever holds its lock.
"""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Sequence
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

from sqlalchemy import Connection

from ludus.core.chance import CHANCE, OVER, SPECTATOR
from ludus.match import fairness
from ludus.match.match import Match
from ludus.store import records
from ludus.store.opening import open_match

from .clocks import Clock, ClockState, read_state
from .errors import Forbidden, Invalid, Unknown
from .telling import Moment, moments

if TYPE_CHECKING:
    from ludus.store.people import Person

    from .socket import Viewer

BEGUN = ("running", "over", "closed")


class Table:
    """One match in this process."""

    def __init__(self, match_id: str) -> None:
        self.id = match_id
        self.lock = asyncio.Lock()
        self.row: Any = None
        self.seats: list[Any] = []
        self.match: Match | None = None
        self.viewers: set[Viewer] = set()
        self._last: tuple[int, Moment] | None = None  # the present moment, as eyes have seen it
        self.told = ("", 0, 0, 0)  # what viewers have been told: incarnation, entries, revision, chat
        self.thinking = -1  # the entry after which a bot of this table is thinking
        self.used = time.monotonic()

    # -- keeping up with the store ------------------------------------------------------------------

    def drop(self) -> None:
        """Forget everything that was read: the next one to ask reads it again."""
        self.row, self.seats, self.match, self._last = None, [], None, None

    def moments(self, since: int) -> list[Moment]:
        """The moments after entry `since` and after each later one; the last is kept for next time."""
        match = self.match
        if match is None:
            return []
        known = self._last
        if known is not None and known[0] == since:
            found = [known[1]] + (moments(match, since + 1, self.entries) if since < self.entries else [])
        else:
            found = moments(match, since, self.entries)
        self._last = (self.entries, found[-1])
        return found

    def refresh(self, db: Connection, row: Any, form: str = "plain") -> None:
        """Stand where the store stands.  In the transaction in which `row` was read."""
        self.used = time.monotonic()
        known = self.row
        if known is not None and known.incarnation == row.incarnation and known.revision == row.revision:
            known.chat = row.chat
            return
        seats = [SimpleNamespace(**s._mapping) for s in records.seat_rows(db, self.id)]
        fresh = known is None or known.incarnation != row.incarnation or row.entries < known.entries
        match = None if fresh else self.match
        self.drop()  # nothing half-read stays if something fails below
        if match is not None:
            for entry in records.entries_since(db, self.id, len(match.entries)):
                match.read_entry(entry)
        elif row.state in BEGUN and row.box_hash:
            match = open_match(db, row, seats, form=form)
        self.row, self.seats, self.match = SimpleNamespace(**row._mapping), seats, match

    # -- who may do what ------------------------------------------------------------------------------

    @property
    def entries(self) -> int:
        return len(self.match.entries) if self.match is not None else 0

    @property
    def over(self) -> bool:
        return bool(self.row.state == "over")

    def seats_of(self, person: Person | None) -> list[int]:
        """The seats that a person holds."""
        if person is None:
            return []
        return [s.seat for s in self.seats if s.kind == "person" and s.person_id == person.id]

    def may_look(self, person: Person | None, eye: int) -> bool:
        """Whether somebody may see what this eye sees.  When a match is over everybody may."""
        if eye == SPECTATOR:
            return True
        return 0 <= eye < len(self.seats) and (self.over or eye in self.seats_of(person))

    def eye_of(self, person: Person | None, wanted: int | None) -> int:
        """The eye somebody looks through: the wanted seat, one's own, or a spectator's."""
        if wanted is None:
            own = self.seats_of(person)
            return own[0] if own else SPECTATOR
        if not 0 <= wanted < len(self.seats):
            raise Unknown(f"there is no seat {wanted}")
        if not self.may_look(person, wanted):
            raise Forbidden(f"seat {wanted} is not yours")
        return wanted

    def seat_for(self, person: Person, wanted: int | None) -> int:
        """The seat for which somebody acts."""
        own = self.seats_of(person)
        if wanted is not None:
            if not 0 <= wanted < len(self.seats):
                raise Unknown(f"there is no seat {wanted}")
            if wanted not in own:
                raise Forbidden(f"seat {wanted} is not yours")
            return wanted
        if not own:
            raise Forbidden("you have no seat in this match")
        if len(own) > 1:
            raise Invalid(f"say for which seat: you have {', '.join(map(str, own))}")
        return own[0]

    def rooms(self, person: Person | None) -> list[str]:
        """Which chat somebody reads: players do not hear the gallery, nor it them, until the end."""
        if self.over:
            return ["table", "gallery"]
        return ["table"] if self.seats_of(person) else ["gallery"]

    @property
    def clock(self) -> Clock:
        return Clock(**json.loads(self.row.clock))

    @property
    def clock_state(self) -> ClockState:
        return read_state(json.loads(self.row.clock_state))

    def running_match(self) -> Match:
        if self.match is None or self.row.state == "waiting":
            raise Forbidden("the match has not begun yet: seats are still free")
        if self.row.state == "closed":
            raise Forbidden("the host has closed this match")
        return self.match

    # -- what everybody may know ------------------------------------------------------------------------

    def public(self) -> dict[str, Any]:
        """The facts about a match that everybody at it may know."""
        row, match = self.row, self.match
        key = bytes.fromhex(row.secret)
        facts: dict[str, Any] = {
            "id": row.id,
            "title": row.title,
            "rules_version": row.rules_version,
            "options": json.loads(row.options),
            "state": row.state,
            "public": bool(row.public),
            "same_screen": bool(row.same_screen),
            "entries": self.entries,
            "to_move": {CHANCE: "chance", OVER: None}.get(row.to_move, row.to_move),
            "seats": [self._seat(s) for s in self.seats],
            "clock": {**json.loads(row.clock), **self._clock_shown()},
            "proposal": None,
            "result": [int(r) for r in row.result.split()] or None,
            "ending": row.ending,
            "again": row.again_id,
            "watching": sum(v.eye == SPECTATOR for v in self.viewers),
            "fairness": {"commitment": fairness.commitment(row.id, key)},
        }
        if match is not None:
            facts["fairness"]["nonces"] = [n.hex() for n in match.nonces]
            if match.proposal is not None and not match.over:
                kind, seat, to = match.proposal
                facts["proposal"] = {"kind": kind, "seat": seat, "to": to, "yes": sorted(match.votes)}
        if self.over:
            facts["fairness"]["key"] = row.secret
        return facts

    def _seat(self, seat: Any) -> dict[str, Any]:
        here = {v.person.id for v in self.viewers if v.person is not None}
        shown = {
            "seat": seat.seat,
            "kind": seat.kind if seat.kind != "person" or seat.person_id else "free",
            "name": seat.name,
            "status": self.match.status[seat.seat] if self.match is not None else "waiting",
            "present": seat.kind == "bot" or seat.person_id in here,
        }
        return {**shown, "bot": seat.bot} if seat.kind == "bot" else shown

    def _clock_shown(self) -> dict[str, Any]:
        if json.loads(self.row.clock)["kind"] == "none":
            return {}
        state = self.clock_state
        return {
            "left": [round(s, 3) for s in state.left],
            "running": state.running if state.running >= 0 else None,
            "deadline": state.deadline,
        }


def short(row: Any, seats: Sequence[Any], person: Person | None) -> dict[str, Any]:
    """A match in a list: nothing that needs its record."""
    mine = [s.seat for s in seats if person is not None and s.person_id == person.id]
    return {
        "id": row.id,
        "title": row.title,
        "options": json.loads(row.options),
        "state": row.state,
        "public": bool(row.public),
        "clock": json.loads(row.clock),
        "seats": [{"seat": s.seat, "kind": s.kind, "name": s.name} for s in seats],
        "entries": row.entries,
        "to_move": row.to_move if row.to_move >= 0 else None,
        "yours": mine,
        "your_turn": row.state == "running" and row.to_move in mine,
        "result": [int(r) for r in row.result.split()] or None,
        "created": row.created,
        "updated": row.updated,
    }
