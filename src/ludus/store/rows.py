"""Rows of the database as typed, unchangeable objects: what was read, or what was committed."""

from __future__ import annotations

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


def match_of(row: Row[Any]) -> MatchRow:
    return MatchRow(**row._mapping)


def seat_of(row: Row[Any]) -> SeatRow:
    return SeatRow(**row._mapping)
