"""How strong people are by their rated matches: one number a person and title, and what each match did to it.

What a match did stands with its seats (`seats.strength`, JSON), where every reader of the match finds it:
`rating`, `deviation` and `games` when somebody sat down; from the end on what they were just before it, and
`after` and `after_deviation`; `unplayed` where it counts for nobody.  All of it is written in the transaction
that ends the match, and a match ends once.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import ColumnElement, Connection, func, or_, select, update

from ludus.ratings import BEGINNER, Rating, after_game, rested

from . import records
from .schema import matches, people, seats
from .schema import strengths as table

DAY = 86400.0
FREE = 3  # matches a day that somebody may give up before the first move: they have seen what they were dealt
CURVE = 300  # of the latest matches of a title


@dataclass(frozen=True)
class PlayerStrength:
    """How strong somebody is, and by how many matches that is known."""

    rating: Rating
    games: int = 0

    def json(self) -> dict[str, Any]:
        return {**_numbers(self.rating), "games": self.games}


@dataclass(frozen=True)
class Player:
    """Somebody at a seat of a match that ends."""

    seat: int
    person_id: str | None  # None: gone since
    strength: str  # what their seat says
    score: float
    gave_up: bool


def strength_of(db: Connection, person_id: str, title: str, now: float) -> PlayerStrength:
    """How strong somebody is now; a beginner where they have never played a rated match."""
    here = (table.c.person_id == person_id) & (table.c.title == title)
    row = db.execute(select(table).where(here)).one_or_none()
    return _known(row, now) if row is not None else PlayerStrength(BEGINNER)


def strengths_of(db: Connection, person_id: str, now: float) -> dict[str, PlayerStrength]:
    """The same of every title that they have played."""
    rows = db.execute(select(table).where(table.c.person_id == person_id).order_by(table.c.title)).all()
    return {row.title: _known(row, now) for row in rows}


def _known(row: Any, now: float) -> PlayerStrength:
    rating = Rating(row.rating, row.deviation, row.volatility)
    return PlayerStrength(rested(rating, now - row.updated), row.games)


def _numbers(rating: Rating, before: str = "") -> dict[str, int]:
    """As they are shown: whole."""
    names = (f"{before}", f"{before}_deviation") if before else ("rating", "deviation")
    return dict(zip(names, (round(rating.rating), round(rating.deviation)), strict=True))


def _of_seat(strength: str) -> PlayerStrength:
    """What a seat says of somebody who is gone since."""
    told = json.loads(strength or "{}")
    if "rating" not in told:
        return PlayerStrength(BEGINNER)
    return PlayerStrength(Rating(told["rating"], told["deviation"]), told["games"])


# -- the end of a match -------------------------------------------------------------------------------------


def count_match(
    db: Connection, match_id: str, title: str, players: Sequence[Player], played: bool, now: float
) -> dict[int, str]:
    """Count a match of two that ends in this transaction; what its seats say from now on.

    Who is gone is known by their seat alone: the other is rated all the same.
    """
    here = _locked(db, [p.person_id for p in players if p.person_id is not None])
    found = [_before(db, player, here, title, now) for player in players]
    if played or any(p.gave_up and _gives_up_often(db, p.person_id, now) for p in players):
        told = _rated(db, players, found, here, title, now)
    else:
        told = {
            player.seat: {**known.json(), "unplayed": True, **({"gave_up": True} if player.gave_up else {})}
            for player, known in zip(players, found, strict=True)
        }
    texts = {seat: json.dumps(one) for seat, one in told.items()}
    for seat, text in texts.items():
        records.change_seat(db, match_id, seat, strength=text)
    return texts


def _locked(db: Connection, ids: Sequence[str]) -> set[str]:
    """Who of these is still here; nobody else rates them before this transaction ends.

    The people are locked, in one order, and not their numbers: those of a beginner are not there yet.
    """
    query = select(people.c.id).where(people.c.id.in_(ids)).order_by(people.c.id)
    return set(db.execute(query.with_for_update(key_share=True)).scalars())


def _before(db: Connection, player: Player, here: set[str], title: str, now: float) -> PlayerStrength:
    if player.person_id in here:
        assert player.person_id is not None
        return strength_of(db, player.person_id, title, now)
    return _of_seat(player.strength)


def _rated(
    db: Connection,
    players: Sequence[Player],
    known: Sequence[PlayerStrength],
    here: set[str],
    title: str,
    now: float,
) -> dict[int, Mapping[str, Any]]:
    one, other = players
    later = after_game(known[0].rating, known[1].rating, one.score)
    told: dict[int, Mapping[str, Any]] = {}
    for player, before, after in zip((one, other), known, later, strict=True):
        if player.person_id in here:
            assert player.person_id is not None
            _keep(db, player.person_id, title, PlayerStrength(after, before.games + 1), now)
        told[player.seat] = {**before.json(), **_numbers(after, "after")}
    return told


def _keep(db: Connection, person_id: str, title: str, known: PlayerStrength, now: float) -> None:
    values = {**vars(known.rating), "games": known.games, "updated": now}
    here = (table.c.person_id == person_id) & (table.c.title == title)
    if not db.execute(update(table).where(here).values(**values)).rowcount:
        db.execute(table.insert().values(person_id=person_id, title=title, **values))


def _theirs(person_id: str) -> ColumnElement[bool]:
    return or_(seats.c.person_id == person_id, seats.c.former_id == person_id)


def _gives_up_often(db: Connection, person_id: str | None, now: float) -> bool:
    if person_id is None:
        return False
    query = (
        select(func.count())
        .select_from(seats.join(matches, matches.c.id == seats.c.match_id))
        .where(_theirs(person_id), seats.c.strength.contains('"gave_up"'), matches.c.updated > now - DAY)
    )
    return int(db.execute(query).scalar_one()) >= FREE


# -- over time ----------------------------------------------------------------------------------------------


def curve_of(db: Connection, person_id: str, title: str) -> list[dict[str, Any]]:
    """The rated matches of somebody that counted, the latest last: when, against whom, what came of it."""
    other = seats.alias("other")
    query = (
        select(
            matches.c.id, matches.c.updated, seats.c.strength, other.c.name, other.c.strength.label("theirs")
        )
        .join(matches, matches.c.id == seats.c.match_id)
        .join(other, (other.c.match_id == matches.c.id) & (other.c.seat != seats.c.seat))
        .where(_theirs(person_id), matches.c.title == title, matches.c.state == "over")
        .where(matches.c.rated != "", seats.c.strength.contains('"after"'))
        .order_by(matches.c.updated.desc())
        .limit(CURVE)
    )
    found = []
    for row in db.execute(query):
        told, theirs = json.loads(row.strength), json.loads(row.theirs or "{}")
        against = {"name": row.name, "rating": theirs.get("rating")}
        found.append({"match": row.id, "at": row.updated, **told, "against": against})
    return found[::-1]
