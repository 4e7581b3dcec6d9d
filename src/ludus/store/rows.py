"""Rows of the database as typed, unchangeable objects: what was read, or what was committed."""

from __future__ import annotations

import json
from collections.abc import Collection
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from sqlalchemy import Row


class MatchRow(NamedTuple):
    """A row of `matches`; the columns are explained in `schema`."""

    id: str
    incarnation: str
    revision: int
    title: str
    rules_version: int
    options: str
    seats: int
    names: str
    box_hash: str
    public: bool
    same_screen: bool
    state: str
    creator_id: str | None
    client: str | None
    secret: str
    clock: str
    clock_state: str
    deadline: float | None
    bot_due: float | None
    to_move: int
    entries: int
    chat: int
    hash: str
    result: str
    ending: str
    again_id: str | None
    created: float
    updated: float
    score: str = ""
    start: str = ""
    hints: bool = False
    rated: str = ""


class SeatRow(NamedTuple):
    """A row of `seats`."""

    match_id: str
    seat: int
    kind: str
    person_id: str | None
    former_id: str | None
    bot: str
    name: str
    invite: str
    nonce: str
    strength: str = ""


PAIR = "pair"  # the room of two people


class ChatRow(NamedTuple):
    """A row of `chat`."""

    match_id: str
    number: int
    room: str
    person_id: str | None
    name: str
    text: str
    made: float
    to_id: str | None
    about: str

    def is_for(self, person_id: str | None, rooms: Collection[str]) -> bool:
        """Whether somebody who is in these rooms may read it."""
        if self.room == PAIR:
            return person_id is not None and person_id in (self.person_id, self.to_id)
        return self.room in rooms

    def told(self) -> dict[str, Any]:
        """What a reader is told of it: names and seats, no ids."""
        line = {"n": self.number, "room": self.room, "name": self.name, "text": self.text, "at": self.made}
        return {**line, **json.loads(self.about or "{}")}


def match_of(row: Row[Any]) -> MatchRow:
    return MatchRow(**row._mapping)


def seat_of(row: Row[Any]) -> SeatRow:
    return SeatRow(**row._mapping)
