"""The others' next turn, thought out: in a position that a seat could believe in, its own turn is ended and
a quick bot plays theirs, or one that is after a thing alone (`bots.raider`).  Nothing is stored.  What they
do is a threat (`threats`), what a choice changes in it is what the choice saves (`hints`).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from time import monotonic
from typing import Any, NamedTuple

from ludus.bots.raider import AIM, has_aims
from ludus.bots.raider import NAME as RAIDER
from ludus.core import reasons
from ludus.core.chance import CHANCE, OVER
from ludus.core.contract import DRAW
from ludus.core.game import Face, Game
from ludus.core.sight import Sight
from ludus.match.match import Match

from .bots import make_job
from .server import Server

WORLDS = 3  # that are tried, while there is time
PLIES = 40  # of one turn
SECONDS = 5.0  # somebody waits for what a choice saves
AT_LEAST = 2  # worlds in which it must have been tried: one alone may be luck
NEARLY = 16  # actions of which each is tried and what follows it, too: that takes a while
RAIDS = 2  # aims that the others are thought to be after, beside what a bot would do


@dataclass
class Opponent:
    """Who plays a turn: a bot, which may change while it lasts, and what it wrote down for itself."""

    bot: Callable[[], str]
    aim: int | None = None  # of a raider
    seat: int = CHANCE
    memory: dict[str, Any] = field(default_factory=dict)

    def of(self, seat: int) -> dict[str, Any]:
        """What it knows of its plan; of who moved before it, or of before a throw, nothing."""
        if seat != self.seat:
            self.seat, self.memory = seat, {} if self.aim is None else {AIM: self.aim}
        return self.memory


def quick(bot: str) -> Opponent:
    return Opponent(lambda: bot)


def raider(aim: int) -> Opponent:
    """Who is after one thing, whether or not that pays."""
    return Opponent(lambda: RAIDER, aim)


class TheirPly(NamedTuple):
    """One action of the others' turn, as the seat sees it."""

    was: Sight[Any, Any]
    face: Face
    now: Sight[Any, Any]
    places: tuple[str, ...]  # where it is done; () where the seat is not told what it is
    code: int
    legal: frozenset[int]  # what could have been chosen instead; of chance nothing


async def their_turn(
    server: Server, twin: Match, seat: int, player: Opponent, ends: float
) -> tuple[list[TheirPly], bool]:
    """What the others do until the seat's next turn begins, and whether there was time for all of it."""
    game = twin.game
    game.auto = False
    plies: list[TheirPly] = []
    while not game.over and len(plies) < PLIES:
        if plies and monotonic() >= ends:
            return plies, False
        was = game.sight(seat)
        code = await _next(server, twin, player)
        if plies and game.title.talk.turn(game.after(code).sight(seat))[0] == seat:
            break  # with this the seat's own turn would begin: what that brings is no threat
        places = places_of(game, code)
        legal = frozenset() if game.to_move == CHANCE else frozenset(game.legal_codes())
        game.apply(code)
        now, face = game.sight(seat), game.face(game.line[-1], seat)
        plies.append(TheirPly(was, face, now, places if face.arguments is not None else (), code, legal))
        if game.title.talk.turn(now)[0] == seat:
            break
    return plies, True


def places_of(game: Game[Any, Any], code: int) -> tuple[str, ...]:
    """Where an action is done that is played next; nowhere what chance does."""
    mover = game.to_move
    return () if mover == CHANCE else tuple(game.title.talk.places(game.sight(mover), code))


async def end_turn(server: Server, twin: Match, seat: int, player: Opponent, idle: int = 0) -> None:
    """Bring the seat's own turn to its end as soon as the rules let it, so that it does as little as can be;
    where there are several ways to that, `idle` says which."""
    game = twin.game
    mine = game.title.talk.turn(game.sight(seat))
    for _ in range(PLIES // 4):
        if game.over or game.to_move not in (seat, CHANCE) or game.title.talk.turn(game.sight(seat)) != mine:
            return
        found = (endings(game, seat, most=1) or nearly(game, seat)) if game.to_move == seat else []
        game.apply(found[idle % len(found)] if found else await _next(server, twin, player))


def nearly(game: Game[Any, Any], seat: int) -> list[int]:
    """Actions after which the seat can end its turn at once; none is looked for among too many."""

    def may_end(code: int) -> bool:
        after = game.copy(seed=1)
        after.auto = False
        after.apply(code)
        return not after.over and after.to_move == seat and bool(endings(after, seat, most=1))

    legal = game.legal_codes()
    return [code for code in legal if may_end(code)] if len(legal) <= NEARLY else []


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


async def _next(server: Server, twin: Match, player: Opponent) -> int:
    """What comes next, by chance or by the player."""
    game = twin.game
    if game.to_move == CHANCE:
        player.seat = CHANCE
        return game.draw()
    if len(forced := game.legal_codes()) == 1:
        return int(forced[0])
    job = make_job(twin, game.to_move, player.bot(), player.of(game.to_move))
    thought = await server.bots.think(job)
    player.memory = thought.memory
    return game.code_of(thought.action)


# -- what a choice saves --------------------------------------------------------------------------------


async def what_is_saved(
    server: Server, match: Match, seat: int, chosen: Sequence[int], bot: str, lang: str
) -> list[str]:
    """What the others' next turn takes or brings where the seat does something else, and not after what is
    chosen (one action, or a turn): tried in several positions that the seat could believe in, each time
    with the same luck for both.  Of what the others could do then, the worst counts."""
    ends = monotonic() + SECONDS
    tried: list[dict[str, int]] = []
    for world in range(WORLDS):
        if (other := instead(match.game, seat, chosen[0], world)) is None:
            return []
        without = await _worst(server, match, seat, [other], bot, world, ends)
        after = await _worst(server, match, seat, chosen, bot, world, ends)
        if without is None or after is None:
            break
        tried.append(reasons.spared(without, after, seat))
        if len(tried) - sum(map(bool, tried)) > WORLDS // 2:
            return []  # nothing is saved in most of them
    return reasons.savings(match.game.words, lang, tried) if len(tried) >= AT_LEAST else []


def instead(game: Game[Any, Any], seat: int, chosen: int, world: int) -> int | None:
    """What else is chosen in a world: what ends the turn, or nearly, where something does, else any other
    choice."""

    def but(codes: Sequence[int]) -> list[int]:
        return [int(code) for code in codes if code != chosen]

    legal = game.legal_codes()
    others = but(endings(game, seat, most=len(legal))) or but(nearly(game, seat)) or but(legal)
    return others[world * len(others) // WORLDS] if others else None


async def _worst(
    server: Server, match: Match, seat: int, codes: Sequence[int], bot: str, world: int, ends: float
) -> reasons.Course | None:
    """The worst course after what is chosen; None where there was no time to see."""
    players = [quick(bot), *(raider(aim) for aim in range(RAIDS) if has_aims(match.game.title))]
    found: list[tuple[int, reasons.Course]] = []
    for player in players:
        if (course := await _course(server, match, seat, codes, bot, player, world, ends)) is None:
            return None
        found.append(course)
    return min(found, key=lambda one: one[0])[1]


async def _course(
    server: Server,
    match: Match,
    seat: int,
    codes: Sequence[int],
    bot: str,
    player: Opponent,
    world: int,
    ends: float,
) -> tuple[int, reasons.Course] | None:
    """How it goes on after what is chosen, and what that is worth to the seat: a bot ends its turn where that
    needs somebody, then the opponent plays."""
    if monotonic() >= ends:
        return None
    twin = match.fork()
    twin.game = game = match.game.imagine(seat, seed=world + 1)
    start, title = game.sight(seat), game.title
    mine = title.talk.turn(start)
    for code in codes:
        if (
            game.to_move != seat
            or title.talk.turn(game.sight(seat)) != mine
            or code not in game.legal_codes()
        ):
            break
        game.apply(code)
    await end_turn(server, twin, seat, quick(bot), world)
    if monotonic() >= ends:
        return None
    before = game.sight(seat)
    _, whole = await their_turn(server, twin, seat, player, ends)
    if not whole:
        return None
    after = game.sight(seat)
    course = reasons.Course(reasons.difference(title, before, after), reasons.difference(title, start, after))
    return worth_to(seat, game, after), course


def worth_to(seat: int, game: Game[Any, Any], sight: Sight[Any, Any]) -> int:
    """How good a position is for a seat: by the result, the value of the title where it has one, else by what
    it counts."""
    title = game.title
    if sight.to_move == OVER:
        returns = [0] * sight.seats
        title.rules.returns(sight.s, sight.box, returns)
        return (returns[seat] - DRAW) * 10**9
    if title.value is not None:
        return int(title.value(sight.s, sight.box, seat))
    score = list(title.talk.score(sight)) or [0] * sight.seats
    return score[seat] * len(score) - sum(score)
