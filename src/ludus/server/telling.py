"""What a viewer is told of a match: rows of its story, choices.  Nothing else leaves.

An eye is a seat's number or SPECTATOR.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ludus.core import gestures, touches
from ludus.core.chance import SPECTATOR
from ludus.core.game import Game
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
        "log": [sentence for sentence in row.sentences if sentence != row.heading],
        "turn": row.turn[0] if row.turn[0] >= 0 else None,
        "round": row.turn[1],
        "stands": row.stands,
        "view": row.view,
    }
    if row.heading:
        after = len(row.sentences) - 1 - row.sentences.index(row.heading)
        told |= {"heading": row.heading, "after": after}
    if row.news:
        told["news"] = row.news
    if row.name:
        told["name"] = row.name
    if row.back_to is not None:
        told["back_to"] = row.back_to
    return told


# -- choices ----------------------------------------------------------------------------------------------


def choices(
    game: Game[Any, Any], lang: str, legal: Sequence[int], sight: Sight[Any, Any], names: Sequence[str]
) -> list[dict[str, Any]]:
    """The legal actions of the seat to move: text to send, words to show, path of touches."""
    path_of, text = game.title.talk.touches, game.common.text
    return [
        {
            "action": text(code),
            "say": say_choice(game, lang, code, sight, names),
            "touches": path_of(sight, code),
        }
        for code in legal
    ]


def choices_now(match: Match, eye: int, lang: str, now: Moment | None = None) -> list[dict[str, Any]]:
    """The choices of an eye: none while it is not that seat's turn.  `now` is the present moment."""
    game = match.game
    if match.over or eye == SPECTATOR or game.to_move != eye:
        return []
    sight = now.sight(eye) if now is not None else game.sight(eye)
    return choices(game, lang, game.legal_codes(), sight, match.names)


def gestures_now(match: Match, lang: str, legal: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """What the seat to move can say with one gesture; see `core/gestures.py`.  `legal` are its choices."""
    found = gestures.gestures(match.game)
    said = {code: row["say"] for code, row in zip(match.game.legal_codes(), legal, strict=True)}
    rows = gesture_rows(match, lang, found, said)
    alone = gestures.by_itself(match.game, found)
    for gesture, row in zip(found, rows, strict=True):
        if gesture is alone:
            row["alone"] = True
    return rows


def gesture_rows(
    match: Match, lang: str, found: Sequence[gestures.Gesture], said: Mapping[int, str] = {}
) -> list[dict[str, Any]]:
    """Gestures as choices: the action that each is called after, and all of them where there are several.

    `said` is what actions of this position are called, where that is known.
    """
    text = match.game.common.text
    rows = []
    calls = gestures.called(match.game, lang, found, match.names, said)
    for gesture, call in zip(found, calls, strict=True):
        row: dict[str, Any] = {
            "action": text(gesture.codes[gesture.called]),
            "say": call,
            "touches": gesture.path,
        }
        if len(gesture.codes) > 1:
            row["actions"] = [text(code) for code in gesture.codes]
        if gesture.proposed:
            row["proposed"] = gesture.proposed
        if gesture.opens:
            row["opens"] = True
        rows.append(row)
    return rows


def answers_after(match: Match, lang: str, actions: Sequence[str]) -> list[dict[str, Any]]:
    """The gestures that begin with these actions, to the end of the questions that follow: for a dialogue."""
    return gesture_rows(match, lang, gestures.answers_after(match.game, actions))


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
        legal = [action.code for action in answer.legal]
        rows = choices(twin, lang, legal, twin.sight(seat), match.names)
    return {"played": answer.played, "stopped": answer.stopped, "legal": rows, "view": answer.view}


def advice(match: Match, eye: int, about: str, actions: Sequence[str]) -> dict[str, Any] | None:
    """What a title says of a touch, now or after actions of the seat to move."""
    advise = match.game.title.advise
    return advise(thought_on(match.game, actions).sight(eye), about) if advise else None


def why_not(match: Match, path: touches.Path, actions: Sequence[str]) -> touches.WhyNot:
    """Why a path of touches is no choice, now or after actions of the seat to move."""
    return touches.why_not(thought_on(match.game, actions), path)


def thought_on(game: Game[Any, Any], actions: Sequence[str]) -> Game[Any, Any]:
    """The game after actions of the seat to move, as far as those go without chance; itself without any."""
    if not actions:
        return game
    played = game.what_if(list(actions)).played
    twin = game.copy()
    twin.auto = False
    twin.play(*actions[:played])
    return twin
