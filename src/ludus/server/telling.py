"""What a viewer is told of a match: rows of its story, choices.  Nothing else leaves.

An eye is a seat's number or SPECTATOR.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ludus.core.chance import SPECTATOR
from ludus.core.game import Action, Game
from ludus.core.sight import Sight
from ludus.core.telling import say_choice
from ludus.match.entries import WHO
from ludus.match.match import Match
from ludus.match.moments import Moment
from ludus.match.story import Row, Story


def rows(
    match: Match,
    eye: int,
    lang: str,
    since: int,
    until: int | None = None,
    whole: bool = False,
    at: list[Moment] | None = None,
) -> list[dict[str, Any]]:
    """What an eye is told of the entries after `since`: face, sentences, view after it.

    `whole` shows every action whole: only for a match that is over.  `at` are the moments from
    `since` on, where they are known already.
    """
    story = Story(match, eye, lang, since, whole, views=True)
    story.grow(until, at)
    return [as_json(row) for row in story.rows()]


def as_json(row: Row) -> dict[str, Any]:
    told: dict[str, Any] = {
        "n": row.number,
        "who": WHO.get(row.who, row.who),
        "text": row.text,
        "log": row.sentences,
        "stands": row.stands,
        "view": row.view,
    }
    if row.back_to is not None:
        told["back_to"] = row.back_to
    return told


# -- choices ----------------------------------------------------------------------------------------------


def choices(
    game: Game[Any, Any], lang: str, legal: Sequence[Action], sight: Sight[Any, Any]
) -> list[dict[str, Any]]:
    """The legal actions of the seat to move: text to send, words to show, path of touches."""
    touches = game.title.talk.touches
    return [
        {
            "action": action.text,
            "say": say_choice(game, lang, action.code),
            "touches": list(touches(sight, action.code)),
        }
        for action in legal
    ]


def choices_now(match: Match, eye: int, lang: str, now: Moment | None = None) -> list[dict[str, Any]]:
    """The choices of an eye: none while it is not that seat's turn.  `now` is the present moment."""
    game = match.game
    if match.over or eye == SPECTATOR or game.to_move != eye:
        return []
    return choices(game, lang, game.legal(), now.sight(eye) if now is not None else game.sight(eye))


def what_if(match: Match, seat: int, lang: str, actions: Sequence[str]) -> dict[str, Any]:
    """What the seat to move would see after actions of its own; stores nothing."""
    game = match.game
    answer = game.what_if(list(actions))
    rows: list[dict[str, Any]] = []
    if answer.legal:
        twin = game.copy()
        twin.auto = False
        for text in list(actions)[: answer.played]:
            twin.play(text)
        rows = choices(twin, lang, answer.legal, twin.sight(seat))
    return {"played": answer.played, "stopped": answer.stopped, "legal": rows, "view": answer.view}


def advice(match: Match, eye: int, about: str, actions: Sequence[str]) -> dict[str, Any] | None:
    """What a title says of a touch, now or after actions of the seat to move."""
    game, advise = match.game, match.game.title.advise
    if advise is None:
        return None
    if actions:
        played = game.what_if(list(actions)).played
        game = game.copy()
        game.auto = False
        game.play(*actions[:played])
    return advise(game.sight(eye), about)
