"""The others' next turn, thought out: in a position that a seat could believe in, its own turn is ended and
a quick bot plays theirs.  Nothing is stored.  What it does is a threat (`threats`), what a choice changes in
it is what the choice saves (`hints`).
"""

from __future__ import annotations

from collections.abc import Callable
from time import monotonic
from typing import Any, NamedTuple

from ludus.core import reasons
from ludus.core.chance import CHANCE
from ludus.core.game import Face, Game
from ludus.core.sight import Sight
from ludus.match.match import Match

from .bots import make_job
from .server import Server

WORLDS = 3  # that are tried, while there is time
PLIES = 40  # of one turn
SECONDS = 5.0  # somebody waits for what a choice saves
AT_LEAST = 2  # worlds in which it must have been tried: one alone may be luck


Player = Callable[[], str]
"""Which bot plays next."""


class TheirPly(NamedTuple):
    """One action of the others' turn, as the seat sees it."""

    was: Sight[Any, Any]
    face: Face
    now: Sight[Any, Any]
    places: tuple[str, ...]  # where it is done; () where the seat is not told what it is
    code: int
    legal: frozenset[int]  # what could have been chosen instead; of chance nothing


async def their_turn(
    server: Server, twin: Match, seat: int, bot: Player, ends: float
) -> tuple[list[TheirPly], bool]:
    """What the others do until the seat's next turn begins, and whether there was time for all of it."""
    game = twin.game
    game.auto = False
    plies: list[TheirPly] = []
    while not game.over and len(plies) < PLIES:
        if plies and monotonic() >= ends:
            return plies, False
        was = game.sight(seat)
        code = await _next(server, twin, bot)
        if plies and game.title.talk.turn(game.after(code).sight(seat))[0] == seat:
            break  # with this the seat's own turn would begin: what that brings is no threat
        places = _places(game, code)
        legal = frozenset() if game.to_move == CHANCE else frozenset(game.legal_codes())
        game.apply(code)
        now, face = game.sight(seat), game.face(game.line[-1], seat)
        plies.append(TheirPly(was, face, now, places if face.arguments is not None else (), code, legal))
        if game.title.talk.turn(now)[0] == seat:
            break
    return plies, True


def _places(game: Game[Any, Any], code: int) -> tuple[str, ...]:
    mover = game.to_move
    return () if mover == CHANCE else tuple(game.title.talk.places(game.sight(mover), code))


async def end_turn(server: Server, twin: Match, seat: int, bot: Player) -> None:
    """Bring the seat's own turn to its end as soon as the rules let it."""
    game = twin.game
    mine = game.title.talk.turn(game.sight(seat))
    for _ in range(PLIES // 4):
        if game.over or game.to_move not in (seat, CHANCE) or game.title.talk.turn(game.sight(seat)) != mine:
            return
        if game.to_move == seat and (found := endings(game, seat, most=1)):
            game.apply(found[0])
        else:
            game.apply(await _next(server, twin, bot))


def endings(game: Game[Any, Any], seat: int, most: int) -> list[int]:
    """Actions after which the turn is another's, the last of the legal list first."""
    mine = game.title.talk.turn(game.sight(seat))
    found: list[int] = []
    for code in reversed(game.legal_codes()):
        after = game.after(code)
        if after.to_move != seat and (
            after.to_move == CHANCE or game.title.talk.turn(after.sight(seat)) != mine
        ):
            twin = game.copy(seed=1)
            twin.auto = True
            twin.apply(code)
            if game.title.talk.turn(twin.sight(seat))[0] != seat or twin.to_move not in (seat, CHANCE):
                found.append(code)
        if len(found) == most:
            break
    return found


async def _next(server: Server, twin: Match, bot: Player) -> int:
    """What comes next, by chance or by the bot."""
    game = twin.game
    if game.to_move == CHANCE:
        return game.draw()
    if len(forced := game.legal_codes()) == 1:
        return int(forced[0])
    thought = await server.bots.think(make_job(twin, game.to_move, bot()))
    return game.code_of(thought.action)


# -- what a choice saves --------------------------------------------------------------------------------


async def what_is_saved(
    server: Server, match: Match, seat: int, action: str, bot: str, lang: str
) -> list[str]:
    """What the others' next turn takes or brings where something else is chosen, and not after this: tried in
    several positions that the seat could believe in, each time with the same luck for both."""
    ends = monotonic() + SECONDS
    tried: list[dict[str, int]] = []
    for world in range(WORLDS):
        if (other := instead(match.game, seat, action, world)) is None:
            return []
        without = await _course(server, match, seat, other, bot, world, ends)
        chosen = await _course(server, match, seat, match.game.code_of(action), bot, world, ends)
        if without is None or chosen is None:
            break
        tried.append(reasons.spared(without, chosen, seat))
    return reasons.savings(match.game.words, lang, tried) if len(tried) >= AT_LEAST else []


def instead(game: Game[Any, Any], seat: int, action: str, world: int) -> int | None:
    """What else is chosen in a world: what ends the turn, where something does, else any other choice."""
    chosen = game.code_of(action)
    ends = [code for code in endings(game, seat, most=len(game.legal_codes())) if code != chosen]
    others = ends or [code for code in game.legal_codes() if code != chosen]
    return int(others[world * len(others) // WORLDS]) if others else None


async def _course(
    server: Server, match: Match, seat: int, code: int, bot: str, world: int, ends: float
) -> reasons.Course | None:
    """How it goes on after a choice; None where there was no time to see."""
    if monotonic() >= ends:
        return None
    twin = match.fork()
    twin.game = game = match.game.imagine(seat, seed=world + 1)
    start = game.sight(seat)
    game.apply(code)
    await end_turn(server, twin, seat, lambda: bot)
    before = game.sight(seat)
    _, whole = await their_turn(server, twin, seat, lambda: bot, ends)
    if not whole:
        return None
    after, title = game.sight(seat), game.title
    return reasons.Course(reasons.difference(title, before, after), reasons.difference(title, start, after))
