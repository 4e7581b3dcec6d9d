"""Hints: what a bot would do for the seat to move, and what that changes.

At tables against bots, and where all have agreed to it when the table was set up; such
a match is never rated.
"""

from __future__ import annotations

from time import monotonic
from typing import Any

from ludus.core import reasons
from ludus.core.telling import say_choice, score_change
from ludus.match.match import Match
from ludus.store.people import Person

from .bots import bot_names, level_names, make_job
from .errors import Forbidden
from .models import HintQuery
from .replies import what_is_saved
from .server import Server
from .standing import Standing

PLIES, SECONDS = 12, 2.0  # of a turn that is played on to tell what it brings
SAID = 2  # of its actions that are told
QUICK = ("centurio", "optio", "miles", "tiro")  # who judges well and at once, the best first


def adviser(title: str, quick: bool) -> str:
    """Who is asked: the strongest that people can choose, or for a tip at every turn one that is quick."""
    able = bot_names(title)
    if quick:
        return next((bot for bot in QUICK if bot in able), able[0])
    return level_names(title)[-1]


def may_have_hints(standing: Standing, person: Person) -> bool:
    """Whether nobody but bots plays against this person, or everybody at the table may have hints: else
    whoever plays against people thinks alone."""
    own = standing.seats_of(person)
    alone = len(own) == 1 and all(seat.kind == "bot" or seat.seat in own for seat in standing.seats)
    return bool(own) and (alone or bool(standing.row.hints))


def require_hints(standing: Standing, person: Person) -> None:
    if not may_have_hints(standing, person):
        raise Forbidden("hints are given at tables against bots only, or where the table allows them")


async def hint(server: Server, person: Person, match_id: str, query: HintQuery) -> dict[str, Any]:
    """What a bot would do now, told from what the seat may know; nothing is stored."""
    server.limiter.take("hint", person.id)
    with server.limiter.at_once("hint", person.id):
        _, standing = await server.now(match_id)
        require_hints(standing, person)
        match, seat = standing.running_match(), standing.seat_for(person, query.seat)
        if match.over or match.game.to_move != seat:
            raise Forbidden("hints are for the seat whose turn it is")
        bot = adviser(standing.row.title, query.quick)
        thought = await server.bots.think(make_job(match, seat, bot))
        changes = await server.reading(what_changes, match, seat, thought.action)
        why = await server.reading(why_so, match, seat, thought.action, query.lang)
        why += await what_is_saved(
            server, match, seat, thought.action, adviser(standing.row.title, quick=True), query.lang
        )
        told = {"entry": standing.entries, "action": thought.action, "bot": bot, **changes, "why": why}
        return told | await _rest_of_turn(server, match, seat, thought.action, query.lang)


def why_so(match: Match, seat: int, action: str, lang: str) -> list[str]:
    """What an action changes that the seat can see, in words of the title: tried on what the seat could
    believe, so that nothing is told which only playing it would reveal."""
    game = match.game
    after = game.imagine(seat)
    after.auto = False
    after.play(action)
    return reasons.changes(game.title, game.words, lang, game.sight(seat), after.sight(seat), seat)


async def _rest_of_turn(
    server: Server, match: Match, seat: int, action: str, lang: str
) -> dict[str, list[str]]:
    """How the turn could go on after an action, and what all of it changes that the seat can see: played on
    by a quick bot in what the seat could believe, as far as nobody else and no chance decides."""
    twin = match.fork()
    twin.game = game = match.game.imagine(seat)
    game.auto = False
    mine, bot = game.title.talk.turn(game.sight(seat)), adviser(match.setting.title.name, quick=True)
    then: list[str] = []
    ends = monotonic() + SECONDS
    game.play(action)
    for _ in range(PLIES):
        over = game.over or game.to_move != seat or game.title.talk.turn(game.sight(seat)) != mine
        if over or monotonic() > ends:
            break
        legal = game.legal()
        if len(legal) > 1:
            text = (await server.bots.think(make_job(twin, seat, bot))).action
            code = next(one.code for one in legal if one.text == text)
            then.append(say_choice(game, lang, code, game.sight(seat), match.names))
        game.play(legal[0].text if len(legal) == 1 else text)
    before, after = match.game.sight(seat), game.sight(seat)
    turn = reasons.changes(game.title, game.words, lang, before, after, seat) if then else []
    return {"then": then[:SAID], "turn": turn}


def what_changes(match: Match, seat: int, action: str) -> dict[str, int]:
    """By how much an action changes what is counted."""
    own, others = score_change(match.game, seat, [action])
    return {"gain": own, "others": others}
