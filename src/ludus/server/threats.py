"""Threats: what the other side could do next, from what a seat may know; nothing is stored.

The seat's turn is ended in positions that it could believe in, and a quick bot plays the next turn of the
others there (`replies`), each time with other dice; where turns are after something, two tries of three go
after one thing each, whether or not it pays.  What hurt the seat in them is told with the choice that
led to it, the worst first, and in how many of the tries; what was thrown is not.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from time import monotonic
from typing import Any

from ludus.bots.raider import has_aims
from ludus.core.chance import CHANCE
from ludus.core.game import Game
from ludus.core.reasons import GAME, Reason, harms, say_harm
from ludus.core.telling import tell_action
from ludus.match.match import Match
from ludus.store.people import Person

from .bots import bot_names
from .errors import Forbidden
from .hints import adviser, require_hints
from .models import HintQuery
from .replies import Opponent, TheirPly, end_turn, raider, their_turn, worth_to
from .server import Server

SECONDS = 4.0  # somebody waits for it
TRIES, LEAST = 12, 2  # with different luck, while there is time; so many even where it is late
SWIFT = "miles"  # plays on where half of the time has gone
MOST = 4  # harms that are told
STEPS = 3  # choices that are told of what led to a harm


@dataclass(frozen=True)
class Blow:
    """What hurt the seat once: the choices that led to it, where they were made, and how bad it was."""

    led: tuple[str, ...]
    places: tuple[str, ...]
    reasons: tuple[Reason, ...]
    loss: int
    meant: bool = False  # by who was after nothing else: how often it comes says nothing then


@dataclass
class Threat:
    """The same blow in several tries."""

    blows: list[Blow] = field(default_factory=list)
    tries: set[int] = field(default_factory=set)

    @property
    def worth(self) -> tuple[bool, int, int]:
        """How bad it is: the game first, then what it costs in all tries, then how often it comes."""
        ends = any(reason.what.startswith(f"{GAME}.") for one in self.blows for reason in one.reasons)
        return ends, sum(one.loss for one in self.blows), len(self.tries)


async def threats(server: Server, person: Person, match_id: str, query: HintQuery) -> dict[str, Any]:
    """What the others could do after this turn, and what it would cost the seat."""
    server.limiter.take("hint", person.id)
    with server.limiter.at_once("hint", person.id):
        _, standing = await server.now(match_id)
        require_hints(standing, person)
        match, seat = standing.running_match(), standing.seat_for(person, query.seat)
        if match.over:
            raise Forbidden("the match is over")
        found, tries = await find_blows(server, match, seat, query.lang)
        return {"entry": standing.entries, "tries": tries, "threats": tell_threats(match, query.lang, found)}


async def find_blows(
    server: Server, match: Match, seat: int, lang: str
) -> tuple[list[tuple[int, Blow]], int]:
    """What hurt, each with the number of its try, and how many tries there were."""
    name = match.setting.title.name
    good = adviser(name, quick=True)
    swift = SWIFT if SWIFT in bot_names(name) else good
    found: list[tuple[int, Blow]] = []
    ends, tries = monotonic() + SECONDS, 0

    def bot() -> str:
        return good if monotonic() < ends - SECONDS / 2 else swift

    raids = has_aims(match.game.title)
    while tries < TRIES and (tries < LEAST or monotonic() < ends):
        twin = match.fork()
        twin.game = match.game.imagine(seat, seed=tries + 1)
        await end_turn(server, twin, seat, Opponent(bot), idle=tries)
        raid = raids and tries % 3 > 0
        aim = tries - tries // 3 - 1  # the first one in try 1, then in 2, 4, 5, 7, ...
        player = raider(aim) if raid else Opponent(bot)
        plies, whole = await their_turn(server, twin, seat, player, ends)
        blows = [replace(blow, meant=raid) for blow in blows_of(twin.game, plies, seat, lang, match.names)]
        if tries >= LEAST and not whole and not blows:
            break  # what was cut short shows nothing
        found += [(tries, blow) for blow in blows]
        tries += 1
    return found, tries


def tell_threats(match: Match, lang: str, found: Iterable[tuple[int, Blow]]) -> list[dict[str, Any]]:
    """The worst first: what is chosen and what it costs as one sentence without its end, in how many tries,
    (0: that would say nothing), and what lies where it happens."""
    gathered: dict[Any, Threat] = {}
    for number, blow in found:
        key = (blow.led[:1], blow.places, tuple(reason.what for reason in blow.reasons))
        threat = gathered.setdefault(key, Threat())
        threat.blows.append(blow)
        threat.tries.add(number)
    worst = sorted(gathered.values(), key=lambda one: one.worth, reverse=True)[:MOST]
    return [
        {
            "said": _said(match, lang, one),
            "tries": 0 if any(blow.meant for blow in one.blows) else len(one.tries),
            "touches": list(one.blows[0].places),
        }
        for one in worst
    ]


def _said(match: Match, lang: str, threat: Threat) -> str:
    first = threat.blows[0]
    words = match.game.words
    parts = []
    for k, reason in enumerate(first.reasons):
        numbers = [one.reasons[k].n for one in threat.blows]
        parts.append(say_harm(words, lang, reason.what, min(numbers), max(numbers)))
    costs = ", ".join(parts)
    apart = "\u00a0" if lang[:2] == "fr" else ""
    led = f"{apart}; ".join(sentence.rstrip(".") for sentence in first.led)
    return f"{led}{apart}: {costs}" if led else costs[:1].upper() + costs[1:]


# -- what led to it ---------------------------------------------------------------------------------------


def blows_of(
    game: Game[Any, Any], plies: Sequence[TheirPly], seat: int, lang: str, names: Sequence[str]
) -> list[Blow]:
    """Everything in a turn of the others that hurts the seat, with the choices that led to it.  What none of
    them has chosen (what the seat itself pays, what the round takes from all) is no threat."""
    found = []
    for k, ply in enumerate(plies):
        reasons = harms(game.title, game.words, ply.was, ply.now, seat)
        led = [plies[i] for i in _led_to(plies, k, seat)] if reasons else []
        said = tuple(filter(None, (_sentence(game, lang, names, one) for one in led)))
        if said or any(reason.what.startswith(f"{GAME}.") for reason in reasons):
            places = dict.fromkeys(place for one in led for place in one.places)
            loss = worth_to(seat, game, ply.was) - worth_to(seat, game, ply.now)
            found.append(Blow(said, tuple(places), tuple(reasons), loss))
    return found


def _led_to(plies: Sequence[TheirPly], k: int, seat: int) -> list[int]:
    """The choice of the others from which something came, and those that made it possible: a target is
    chosen only once somebody is at work.  What is done nowhere (a die, an amount) is left out."""
    theirs = [i for i in range(k + 1) if plies[i].face.seat not in (CHANCE, seat)]
    led: list[int] = []
    while theirs and len(led) < STEPS:
        last = theirs[-1]
        led.insert(0, last)
        since = next(n for n, i in enumerate(theirs) if plies[last].code in plies[i].legal)
        theirs = theirs[:since]
    return [i for i in led if plies[i].places] or led[-1:]


def _sentence(game: Game[Any, Any], lang: str, names: Sequence[str], ply: TheirPly) -> str:
    """What is told of a choice, without what follows from it."""
    told = tell_action(game, lang, names, ply.was, ply.face, ply.now)
    return next((sentence for sentence in told.said if sentence != told.heading), "")
