"""Who may take a free seat of a match that runs: nobody plays against whoever has seen their hand."""

from __future__ import annotations

from ludus.store.people import Person

from .errors import Forbidden, Refusal
from .standing import Standing


def require_claim(standing: Standing, person: Person, seat: int) -> None:
    """Refuse a seat that is free, but not for this person, with the sentence that says why."""
    sat = standing.sat
    if standing.row.rated and (seat, person.id) not in sat:
        raise Forbidden("this match is rated: only who has left a seat comes back to it")
    known = {number for number, who in sat if who == person.id}
    at_screen = standing.row.same_screen and seat in known
    if standing.seats_of(person) and not at_screen:
        raise Forbidden("you have a seat in this match already")
    if standing.row.same_screen and not at_screen:
        raise Forbidden("a match on one screen is for those at the screen")
    if known and seat not in known:
        raise Forbidden("you have seen the hand of another seat in this match")
    for other in standing.seats:
        if other.kind != "person" or other.person_id in (None, person.id):
            continue
        if (seat, other.person_id) in sat:
            raise Forbidden(f"the player of seat {other.seat} has seen the hand of this seat")
        if other.seat in known:
            raise Forbidden(f"you have seen the hand of seat {other.seat}, at which somebody else sits now")


def claims_of(standing: Standing, person: Person | None) -> list[int]:
    """The seats that somebody could take now."""
    match = standing.match
    if person is None or match is None or standing.row.state != "running":
        return []
    free = [s.seat for s in standing.seats if s.kind == "person" and s.person_id is None]
    return [seat for seat in free if match.status[seat] == "left" and _may_claim(standing, person, seat)]


def _may_claim(standing: Standing, person: Person, seat: int) -> bool:
    try:
        require_claim(standing, person, seat)
    except Refusal:
        return False
    return True
