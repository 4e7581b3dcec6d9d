"""Threats: what the other side could do next, from what a seat may know; nothing is stored.

The seat's turn is ended in positions that it could believe in, and a quick bot plays the next turn of the
others there (`replies`); the worst that came of it for the seat is told, and where it happens.
"""

from __future__ import annotations

from time import monotonic
from typing import Any

from ludus.core import reasons
from ludus.core.chance import CHANCE
from ludus.core.game import Game
from ludus.core.telling import Told, join_throws, tell_action
from ludus.match.match import Match
from ludus.store.people import Person

from .errors import Forbidden
from .hints import adviser, require_hints
from .models import HintQuery
from .replies import WORLDS, end_turn, their_turn
from .server import Server

SECONDS = 4.0  # somebody waits for it
SAID, BEGINS = 8, 3  # sentences at most: of what hurts, and of a turn that does not hurt


async def threats(server: Server, person: Person, match_id: str, query: HintQuery) -> dict[str, Any]:
    """What the others could do after this turn, and what it would change for the seat."""
    server.limiter.take("hint", person.id)
    with server.limiter.at_once("hint", person.id):
        _, standing = await server.now(match_id)
        require_hints(standing, person)
        match, seat = standing.running_match(), standing.seat_for(person, query.seat)
        if match.over:
            raise Forbidden("the match is over")
        bot = adviser(standing.row.title, quick=True)
        found: list[dict[str, Any]] = []
        ends = monotonic() + SECONDS
        for world in range(WORLDS):
            if not found or monotonic() < ends:
                found.append(await _one_world(server, match, seat, bot, query.lang, world, ends))
        worst = min(found, key=lambda one: one["worth"])
        return {"entry": standing.entries, **{key: worst[key] for key in ("said", "why", "touches")}}


async def _one_world(
    server: Server, match: Match, seat: int, bot: str, lang: str, world: int, ends: float
) -> dict[str, Any]:
    twin = match.fork()
    twin.game = game = match.game.imagine(seat, seed=world + 1)
    await end_turn(server, twin, seat, bot)
    before = game.sight(seat)
    plies, _ = await their_turn(server, twin, seat, bot, ends)
    after = game.sight(seat)
    told = [tell_action(game, lang, match.names, ply.was, ply.face, ply.now) for ply in plies]
    hurt = [bool(_harms(game, lang, ply.was, ply.now, seat)) for ply in plies]
    kept = _what_hurts(told, hurt)
    return {
        "said": _worst_of(join_throws(game, lang, told), kept),
        "why": _harms(game, lang, before, after, seat),
        "worth": _worth(game, before, after, seat),
        "touches": list(dict.fromkeys(place for k in kept for place in _places(plies[k].touches))),
    }


def _harms(game: Game[Any, Any], lang: str, before: Any, after: Any, seat: int) -> list[str]:
    return reasons.changes(game.title, game.words, lang, before, after, seat, harms=True)


def _what_hurts(told: list[Told], hurt: list[bool]) -> list[int]:
    """Which actions hurt, and the choices that led to them."""
    kept: set[int] = set()
    choice = 0
    for k, one in enumerate(told):
        choice = choice if one.face.seat == CHANCE else k
        if hurt[k]:
            kept |= {choice, k}
    return sorted(kept)


def _worst_of(sentences: list[list[str]], kept: list[int]) -> list[str]:
    """What is told of what hurts; where nothing does, how the turn begins."""
    if not any(sentences[k] for k in kept):
        return [sentence for some in sentences for sentence in some][:BEGINS]
    return [sentence for k in kept for sentence in sentences[k]][:SAID]


def _places(touches: tuple[str, ...]) -> list[str]:
    """Where an action arrives: what it leaves from, how many and by which button is not what it hurts."""
    return [touch for touch in touches if not touch.startswith(("amount:", "button:"))][-1:]


def _worth(game: Game[Any, Any], before: Any, after: Any, seat: int) -> float:
    """How good the turn was for the seat, by what the title counts."""
    score = game.title.talk.score
    by = [b - a for a, b in zip(score(before), score(after), strict=False)] or [0] * game.seats
    return by[seat] - (sum(by) - by[seat]) / max(1, game.seats - 1)
