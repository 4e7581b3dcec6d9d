"""Rated matches: two people with accounts, a clock, no help; and what the end does to how strong they are.

The rules of it in one place (docs/rated.md tells them to players).  Who sits where is drawn by lot when play
begins (`LOT`); a return match changes seats instead (`RETURN`).
"""

from __future__ import annotations

import json
import secrets
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from sqlalchemy import Connection

from ludus.match.match import Match
from ludus.store import progress, strengths
from ludus.store.people import Person
from ludus.store.rows import MatchRow, SeatRow

from . import rating as puzzle_rating
from .errors import Forbidden, Invalid
from .models import NewMatch, SeatWish

if TYPE_CHECKING:
    from .server import Server
    from .standing import Standing

LOT, RETURN = "lot", "return"  # what `matches.rated` says; "" of all others
ACCOUNT = (
    "rated matches are for accounts, since a rating needs a name that stays: make one, a name and a password "
    "are enough, and your matches come along"
)


def require_account(person: Person) -> None:
    if not person.account:
        raise Forbidden(ACCOUNT)


def check_wish(person: Person, wish: NewMatch, seats: Sequence[SeatWish]) -> None:
    """Refuse what a rated match cannot be, with the sentence that says why."""
    require_account(person)
    kinds = [seat.kind for seat in seats]
    if len(kinds) != 2:
        raise Invalid("rated matches are for two: of three, two can play against one")
    if "bot" in kinds:
        raise Invalid(
            "rated matches are between people: a bot's strength hangs on the machine that it runs on"
        )
    if "screen" in kinds or kinds.count("me") != 1:
        raise Invalid("a rated match needs two accounts, each at a screen of its own")
    if wish.hints:
        raise Invalid("a rated match is played without hints")
    if wish.start is not None:
        raise Invalid("a rated match begins as a new game, not from a position")
    if wish.clock.kind == "none":
        raise Invalid("a rated match needs a clock: else whoever stands badly need never move again")


async def strength_json(server: Server, person: Person, title: str) -> str:
    """What the seat of somebody says who sits down now."""

    def read() -> str:
        with server.store.read() as db:
            return json.dumps(strengths.strength_of(db, person.id, title, server.time.wall()).json())

    return await server.reading(read)


def draw_lots(row: MatchRow, seats: Sequence[SeatRow]) -> dict[int, dict[str, Any]]:
    """Who sits elsewhere than where they sat down: the columns of seats that change, or nothing."""
    if row.rated != LOT or not secrets.randbits(1):
        return {}
    one, other = seats
    return {one.seat: _who(other), other.seat: _who(one)}


def _who(seat: SeatRow) -> dict[str, Any]:
    """All of a seat but its place."""
    return {name: value for name, value in seat._asdict().items() if name not in ("match_id", "seat")}


def require_alone(standing: Standing) -> None:
    """No position of a rated match leaves it while it runs, nor a file that leads to one: somebody could ask
    a bot about it."""
    if standing.row.rated and standing.row.state in ("waiting", "running"):
        raise Forbidden("this match is rated: its positions and its file can be had when it is over")


class RatedEnd:
    """What the end of a rated match writes beside itself, in its transaction: the strengths of both.

    May be run, and rolled back, for nothing; what the last run found is what was committed.
    """

    def __init__(self, row: MatchRow, seats: Sequence[SeatRow], match: Match, now: float) -> None:
        result = match.result or ()
        self.row, self.now = row, now
        self.played = any(entry.who >= 0 for entry in match.entries)
        self.players = [
            strengths.Player(
                seat.seat,
                seat.person_id or seat.former_id,
                seat.strength,
                _score(result, seat.seat),
                match.status[seat.seat] in ("resigned", "forfeited"),
            )
            for seat in seats
        ]
        self.found: dict[int, str] = {}

    def __call__(self, db: Connection) -> None:
        row = self.row
        self.found = strengths.count_match(db, row.id, row.title, self.players, self.played, self.now)

    def shown(self, seats: Sequence[SeatRow]) -> tuple[SeatRow, ...]:
        """The seats as they were written."""
        return tuple(s._replace(strength=self.found.get(s.seat, s.strength)) for s in seats)


def _score(result: Sequence[int], seat: int) -> float:
    own, other = result[seat], result[1 - seat]
    return 0.5 if own == other else float(own > other)


# -- asking -------------------------------------------------------------------------------------------------


def strength_page(server: Server, person: Person) -> dict[str, Any]:
    """How strong somebody with an account is: by matches, with their curve, and by puzzles."""
    with server.store.read() as db:
        known = strengths.strengths_of(db, person.id, server.time.wall())
        found: dict[str, dict[str, Any]] = {
            title: {"matches": {**one.json(), "curve": strengths.curve_of(db, person.id, title)}}
            for title, one in known.items()
        }
        whole = progress.load(db, person.id, puzzle_rating.KIND)
    for title, entry in whole.items():
        if "/" not in title:
            own = puzzle_rating.read_entry(entry)
            told = {"rating": round(own.rating), "deviation": round(own.deviation), "tries": entry["n"]}
            found.setdefault(title, {})["puzzles"] = told
    return {"titles": found}
