"""Hints: what a bot would do for the seat to move, and what that changes.  Only at tables against bots."""

from __future__ import annotations

from typing import Any

from ludus.match.match import Match
from ludus.store.people import Person

from .bots import bot_names, level_names, make_job
from .errors import Forbidden
from .models import HintQuery
from .server import Server
from .standing import Standing

QUICK = ("centurio", "optio", "miles", "tiro")  # who judges well and at once, the best first


def adviser(title: str, quick: bool) -> str:
    """Who is asked: the strongest that people can choose, or for a tip at every turn one that is quick."""
    able = bot_names(title)
    if quick:
        return next((bot for bot in QUICK if bot in able), able[0])
    return level_names(title)[-1]


def may_have_hints(standing: Standing, person: Person) -> bool:
    """Whether nobody but bots plays against this person: whoever plays against people thinks alone."""
    own = standing.seats_of(person)
    return len(own) == 1 and all(seat.kind == "bot" or seat.seat in own for seat in standing.seats)


async def hint(server: Server, person: Person, match_id: str, query: HintQuery) -> dict[str, Any]:
    """What a bot would do now, told from what the seat may know; nothing is stored."""
    server.limiter.take("hint", person.id)
    with server.limiter.at_once("hint", person.id):
        _, standing = await server.now(match_id)
        if not may_have_hints(standing, person):
            raise Forbidden("hints are given at tables against bots only")
        match, seat = standing.running_match(), standing.seat_for(person, query.seat)
        if match.over or match.game.to_move != seat:
            raise Forbidden("hints are for the seat whose turn it is")
        bot = adviser(standing.row.title, query.quick)
        thought = await server.bots.think(make_job(match, seat, bot))
        changes = await server.reading(what_changes, match, seat, thought.action)
        return {"entry": standing.entries, "action": thought.action, "bot": bot, **changes}


def what_changes(match: Match, seat: int, action: str) -> dict[str, int]:
    """By how much an action changes what is counted: for the seat, and for all others together; as far as it
    goes before chance or somebody else decides."""
    score = match.game.title.talk.score
    after = match.game.copy()
    after.auto = False
    after.play(action)
    before, then = list(score(match.game.sight(seat))), list(score(after.sight(seat)))
    by = [b - a for a, b in zip(before, then, strict=False)] or [0] * after.seats
    return {"gain": by[seat], "others": sum(by) - by[seat]}
