"""Positions: of any moment of a match, and as what a new match begins from.

Of a match that is over everybody may have the whole position.  Of one that runs somebody has what the eyes of
their own seat saw: what that seat cannot know is dealt anew before anything leaves.
"""

from __future__ import annotations

import secrets
from typing import Any

from ludus.core import starting
from ludus.core.chance import SPECTATOR
from ludus.core.title import Title
from ludus.match.match import Match
from ludus.match.moments import packed_positions
from ludus.store.people import Person

from .errors import Forbidden, Invalid, Unknown
from .models import StartWish
from .rated import require_alone
from .server import Server
from .standing import Standing
from .wire import encode


def moment_of(standing: Standing, person: Person | None, seat: int | None, entry: int) -> dict[str, Any]:
    """The position after an entry, as somebody may have it: with what a match from there needs."""
    require_alone(standing)
    match, eyes = _match_of(standing, entry), None
    s = _position_after(match, entry)
    if not standing.over:
        eyes = _eyes(standing, person, seat, match)
        s = _seen(match, s, eyes)
    setting = match.setting
    return {
        "title": setting.title.name,
        "seats": setting.seats,
        "options": dict(setting.options),
        "position": starting.write_start(setting.title, match.game.box, s),
        "eyes": eyes,
        "entry": entry,
    }


def page(standing: Standing, person: Person | None, seat: int | None, entry: int) -> bytes:
    """The same as JSON."""
    return encode(moment_of(standing, person, seat, entry))


def _match_of(standing: Standing, entry: int) -> Match:
    if standing.match is None or entry > standing.entries:
        raise Unknown(f"there is no entry {entry}; the last is {standing.entries}")
    return standing.match


def _eyes(standing: Standing, person: Person | None, seat: int | None, match: Match) -> int | None:
    """Whose eyes saw the moment; None where everybody sees everything."""
    eye = standing.eye_of(person, seat)
    if eye == SPECTATOR and match.setting.title.hides_something:
        raise Forbidden("a position of a running match is for those who sit at it; of a finished one for all")
    return None if eye == SPECTATOR else eye


def _position_after(match: Match, entry: int) -> Any:
    return match.setting.title.position.unpack(packed_positions(match, entry, entry)[0])


def _seen(match: Match, s: Any, eyes: int | None) -> Any:
    if eyes is None:
        return s
    return starting.redealt(match.setting.title, match.game.box, s, eyes, secrets.randbits(62))


async def start_of(
    server: Server,
    person: Person,
    title: Title[Any, Any],
    wish: StartWish,
    seats: int,
    options: dict[str, Any],
) -> str:
    """The text of the position that a new match begins from, checked; what `eyes` cannot know is new."""
    server.limiter.take("position", person.id)
    with server.limiter.at_once("position", person.id):
        text, eyes = wish.position, wish.eyes
        if wish.match is not None:
            _, standing = await server.now(wish.match)
            found = await server.reading(moment_of, standing, person, wish.eyes, wish.entry or 0)
            if (found["title"], found["seats"], found["options"]) != (title.name, seats, options):
                raise Invalid("the match that the position is from has another title, seats or options")
            text, eyes = found["position"], found["eyes"] if wish.eyes is None else wish.eyes
        if text is None:
            raise Invalid("start: a position is needed, or the match that it is from")
        if eyes is not None and eyes >= seats:
            raise Unknown(f"there is no seat {eyes}")
        return str(await server.reading(_checked, title, seats, options, text, eyes))


def _checked(title: Title[Any, Any], seats: int, options: dict[str, Any], text: str, eyes: int | None) -> str:
    box = title.box_for(seats, **options)
    s = starting.read_start(title, box, text)
    starting.require_start(title, box, s)
    if eyes is not None:
        s = starting.redealt(title, box, s, eyes, secrets.randbits(62))
        starting.require_start(title, box, s)
    return starting.write_start(title, box, s)
