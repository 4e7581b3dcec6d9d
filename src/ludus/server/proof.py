"""The proof of the dice: what each outcome of chance of a finished match was drawn from.

With the key, the nonces and these weights a browser derives every outcome again, whatever the title, as
`ludus verify` does with a match file.
"""

from __future__ import annotations

from typing import Any

from ludus.core.chance import CHANCE, Seeded
from ludus.match.entries import back_to
from ludus.match.match import Match

from .errors import Forbidden
from .standing import Standing
from .wire import encode


def page(standing: Standing) -> bytes:
    """All chance of a match that is over, as JSON."""
    if not standing.over or standing.match is None:
        raise Forbidden("what dice and cards were drawn from is told when the match is over")
    return encode(chances(standing.match))


def chances(match: Match) -> dict[str, Any]:
    """The entries of chance with their outcomes and weights, and what was taken back between them.

    `outcomes` are lists of (text, weight) in the order of the draw, each told once; a row names its own by
    its place.  A row of taking back says after which entry everything was taken back: outcome i of a match is
    the one before which i others stand.
    """
    again = Match(match.setting, Seeded(0), seed=0, replaying=True)
    places: dict[tuple[tuple[str, int], ...], int] = {}
    rows: list[dict[str, Any]] = []
    for entry in match.entries:
        if entry.who == CHANCE:
            found = tuple((action.text, weight) for action, weight in again.game.odds())
            place = places.setdefault(found, len(places))
            rows.append({"n": entry.number, "text": entry.text, "outcomes": place})
        elif (to := back_to(entry)) is not None:
            rows.append({"n": entry.number, "back_to": to})
        again.read_entry(entry)
    return {"outcomes": [list(found) for found in places], "rows": rows}
