"""Threats: what the other side could do next, from what a seat may know; nothing is stored.

The seat's turn is ended in positions that it could believe in, and a quick bot plays the next turn of the
others there; the worst that came of it for the seat is told.
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

from .bots import make_job
from .errors import Forbidden
from .hints import adviser, require_hints
from .models import HintQuery
from .server import Server

WORLDS = 3  # that are tried, while there is time
PLIES = 40  # of one turn
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
        return {"entry": standing.entries, "said": worst["said"], "why": worst["why"]}


async def _one_world(
    server: Server, match: Match, seat: int, bot: str, lang: str, world: int, ends: float
) -> dict[str, Any]:
    twin = match.fork()
    twin.game = game = match.game.imagine(seat, seed=world + 1)
    await _end_turn(server, twin, seat, bot)
    game.auto = False
    before, told, hurt = game.sight(seat), list[Told](), list[bool]()
    while not game.over and len(told) < PLIES and (monotonic() < ends or not told):
        was = game.sight(seat)
        code = await _next(server, twin, bot)
        if told and game.title.talk.turn(game.after(code).sight(seat))[0] == seat:
            break  # with this the seat's own turn would begin: what that brings is no threat
        game.apply(code)
        now = game.sight(seat)
        told.append(tell_action(game, lang, match.names, was, game.face(game.line[-1], seat), now))
        hurt.append(bool(_harms(game, lang, was, now, seat)))
        if game.title.talk.turn(now)[0] == seat:
            break
    after = game.sight(seat)
    said = _worst_of(join_throws(game, lang, told), told, hurt)
    why = _harms(game, lang, before, after, seat)
    return {"said": said, "why": why, "worth": _worth(game, before, after, seat)}


def _harms(game: Game[Any, Any], lang: str, before: Any, after: Any, seat: int) -> list[str]:
    return reasons.changes(game.title, game.words, lang, before, after, seat, harms=True)


def _worst_of(sentences: list[list[str]], told: list[Told], hurt: list[bool]) -> list[str]:
    """What is told of what hurts, and the choice that led to it; where nothing does, how the turn begins."""
    kept: set[int] = set()
    choice = 0
    for k, one in enumerate(told):
        choice = choice if one.face.seat == CHANCE else k
        if hurt[k]:
            kept |= {choice, k}
    if not any(sentences[k] for k in kept):
        return [sentence for some in sentences for sentence in some][:BEGINS]
    return [sentence for k in sorted(kept) for sentence in sentences[k]][:SAID]


def _worth(game: Game[Any, Any], before: Any, after: Any, seat: int) -> float:
    """How good the turn was for the seat, by what the title counts."""
    score = game.title.talk.score
    by = [b - a for a, b in zip(score(before), score(after), strict=False)] or [0] * game.seats
    return by[seat] - (sum(by) - by[seat]) / max(1, game.seats - 1)


async def _end_turn(server: Server, twin: Match, seat: int, bot: str) -> None:
    """Bring the seat's own turn to its end as soon as the rules let it."""
    game = twin.game
    mine = game.title.talk.turn(game.sight(seat))
    for _ in range(PLIES // 4):
        if game.over or game.to_move not in (seat, CHANCE) or game.title.talk.turn(game.sight(seat)) != mine:
            return
        if game.to_move == seat and (ends := _ending(game, seat, mine)) is not None:
            game.apply(ends)
        else:
            await _ply(server, twin, bot)


def _ending(game: Game[Any, Any], seat: int, mine: tuple[int, int]) -> int | None:
    """An action after which the turn is another's."""
    for code in reversed(game.legal_codes()):
        after = game.after(code)
        if after.to_move != seat and (
            after.to_move == CHANCE or game.title.talk.turn(after.sight(seat)) != mine
        ):
            twin = game.copy(seed=1)
            twin.auto = True
            twin.apply(code)
            if game.title.talk.turn(twin.sight(seat))[0] != seat or twin.to_move not in (seat, CHANCE):
                return code
    return None


async def _ply(server: Server, twin: Match, bot: str) -> None:
    twin.game.apply(await _next(server, twin, bot))


async def _next(server: Server, twin: Match, bot: str) -> int:
    """What comes next, by chance or by the bot."""
    game = twin.game
    if game.to_move == CHANCE:
        return game.draw()
    thought = await server.bots.think(make_job(twin, game.to_move, bot))
    return game.code_of(thought.action)
