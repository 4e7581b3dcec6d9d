"""The course of a finished match: how far each seat had come after each turn, and what its dice showed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any, NamedTuple

from ludus.core.chance import CHANCE, SPECTATOR, Seeded
from ludus.core.codes import label
from ludus.core.game import Game
from ludus.match.match import Match

from .errors import Forbidden
from .standing import Standing
from .wire import encode

NO_TURN = (-1, 0)
FEWEST = 6  # throws: fewer say nothing


def page(standing: Standing, lang: str) -> bytes:
    """The course of a match that is over, as JSON."""
    if not standing.over or standing.match is None:
        raise Forbidden("the course of a match is told when it is over")
    return encode(course(standing.match, lang))


class Thrown(NamedTuple):
    """One outcome of chance, and what it was drawn from."""

    kind: str
    seat: int  # whose it was
    text: str
    odds: tuple[tuple[str, int], ...]


def course(match: Match, lang: str) -> dict[str, Any]:
    """`turns`: after which entry whose turn ended, and how far each seat had come by then; `reached`: that at
    the end, and `margin`, in words; `dice`: how often each face came, and how often it was to be expected.
    """
    again = Match(match.setting, Seeded(0), seed=0, replaying=True)
    score = again.game.title.talk.score
    turns: list[dict[str, Any]] = []
    thrown: list[Thrown] = []
    last = NO_TURN
    for entry in match.entries:
        counts = match.stands(entry.number) and match.played(entry.number) is not None
        game, before = again.game, again.game.sight(SPECTATOR)
        odds = game.odds() if counts and entry.who == CHANCE else []
        found = tuple((action.text, weight) for action, weight in odds)
        again.read_entry(entry)
        if not counts:
            continue
        turn = game.title.talk.turn(before)
        if turn not in (last, NO_TURN):
            last = turn
            turns.append({"seat": turn[0] if turn[0] >= 0 else None, "round": turn[1]})
        if turns:
            turns[-1]["n"] = entry.number
        if turns and (reached := score(again.game.sight(SPECTATOR))):
            turns[-1]["reached"] = list(reached)
        if found:
            thrown.append(Thrown(entry.text.split()[0], _thrower(again.game, before), entry.text, found))
    told: dict[str, Any] = {"turns": turns, "dice": dice_of(again.game, lang, thrown)}
    if turns and "reached" in turns[-1]:
        told |= _in_words(again.game, lang, turns[-1]["reached"])
    return told


def _thrower(game: Game[Any, Any], before: Any) -> int:
    """Whose dice these were, as the story tells it; below 0: nobody's."""
    played = game.line[-1]
    face = game.face(played, SPECTATOR)
    lines = game.title.talk.log(before, CHANCE, face.kind, face.arguments, game.sight(SPECTATOR))
    seat = lines[0].fields.get("seat", CHANCE) if lines else CHANCE
    return seat if isinstance(seat, int) else CHANCE


def _in_words(game: Game[Any, Any], lang: str, reached: Sequence[int]) -> dict[str, Any]:
    def said(n: int) -> str:
        return game.words.say(lang, "reached", n=n) if game.words.has("reached") else str(n)

    first, second, *_ = [*sorted(reached, reverse=True), 0]
    return {"reached": [said(n) for n in reached], "margin": said(first - second)}


def dice_of(game: Game[Any, Any], lang: str, thrown: Sequence[Thrown]) -> list[dict[str, Any]]:
    """Dice are what always has the same outcomes with the same weights, and belongs to somebody."""
    tables = []
    for kind in dict.fromkeys(one.kind for one in thrown):
        mine = [one for one in thrown if one.kind == kind]
        if len(mine) < FEWEST or len({one.odds for one in mine}) > 1 or min(one.seat for one in mine) < 0:
            continue
        odds = mine[0].odds
        whole = sum(weight for _, weight in odds)
        number = Counter(one.seat for one in mine)
        faces = Counter((one.seat, one.text) for one in mine)
        rows = [
            {
                "face": _face_name(game, lang, text),
                "thrown": [faces[seat, text] for seat in range(game.seats)],
                "expected": [round(number[seat] * weight / whole, 1) for seat in range(game.seats)],
            }
            for text, weight in odds
        ]
        name = game.words.say(lang, f"dice.{kind}") if game.words.has(f"dice.{kind}") else ""
        tables.append({"name": name, "rows": rows})
    return tables


def _face_name(game: Game[Any, Any], lang: str, text: str) -> str:
    kind, values = game.title.codes.split(game.title.codes.read(text, game.labels))
    arg = game.title.codes.kinds[kind].args[-1]
    name = label(arg.labels, values[-1], game.labels)
    return game.words.name(lang, arg.labels, name) if arg.labels else name
