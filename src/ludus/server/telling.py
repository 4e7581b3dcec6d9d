"""What a viewer is told of a match: pairs of face and view, log lines, choices.  Nothing else leaves.

An eye is a seat's number or SPECTATOR.  Everything here is a function of what that eye may see: its
views before and after, and its faces.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

from ludus.core.chance import CHANCE, OVER, SPECTATOR
from ludus.core.contract import EVERYONE
from ludus.core.errors import LudusError
from ludus.core.game import Action, Face, Game, Outcome, make_face, view_of
from ludus.core.sight import Sight, look_at
from ludus.core.telling import Line, join_throw, say_choice, say_line
from ludus.match.entries import HOUSE, Entry, read_house
from ludus.match.match import Match

WHO: dict[int, Any] = {CHANCE: "chance", HOUSE: "house"}


class Moment:
    """The position after an entry, as different eyes see it."""

    def __init__(self, game: Game[Any, Any], packed: bytes) -> None:
        self.game, self.packed = game, packed
        s = game.form.unpack(packed)
        self.to_move = game.form.to_move(s)
        self.outcome = Outcome(tuple(game.form.returns(s))) if self.to_move == OVER else None
        self._sights: dict[int, Sight[Any, Any]] = {}
        self._views: dict[int, dict[str, Any]] = {}

    def sight(self, eye: int) -> Sight[Any, Any]:
        if eye not in self._sights:
            g = self.game
            self._sights[eye] = look_at(
                g.title.position, self.packed, g.box, eye, g.seats, self.to_move, g.labels
            )
        return self._sights[eye]

    def view(self, eye: int) -> dict[str, Any]:
        """What this eye may see, as JSON; made once.  Not to be changed."""
        if eye not in self._views:
            self._views[eye] = view_of(self.game.title, self.sight(eye), self.outcome)
        return self._views[eye]


def moments(match: Match, since: int, until: int) -> list[Moment]:
    """The positions after entries `since` to `until`, both included."""
    return [Moment(match.game, packed) for packed in _packed(match, since, until)]


def _packed(match: Match, since: int, until: int) -> list[bytes]:
    frames = match.frames
    if all(n in frames for n in range(since, until + 1)):
        return [frames[n] for n in range(since, until + 1)]
    return [packed for n, packed in _walk(match, since) if since <= n <= until]


def _walk(match: Match, since: int) -> Iterator[tuple[int, bytes]]:
    """Every position from the last frame before `since` on, by playing the standing actions again."""
    form = match.game.form
    start = max(n for n in match.frames if n <= since)
    standing = standing_at(match.entries[:start])
    s = form.unpack(match.frames[start])
    yield start, match.frames[start]
    for entry in match.entries[start:]:
        played = match.played(entry.number)
        if played is not None:
            standing.append(entry.number)
            form.apply(s, played.code)
        elif entry.text.startswith("undo "):
            standing = _undone(standing, entry)
            s = form.new()
            for number in standing:
                earlier = match.played(number)
                assert earlier is not None
                form.apply(s, earlier.code)
        yield entry.number, form.pack(s)


def standing_at(entries: Sequence[Entry]) -> list[int]:
    """The entries whose actions stand after these entries."""
    standing: list[int] = []
    for entry in entries:
        if entry.who != HOUSE:
            standing.append(entry.number)
        elif entry.text.startswith("undo "):
            standing = _undone(standing, entry)
    return standing


def _undone(standing: list[int], entry: Entry) -> list[int]:
    to = int(read_house(entry.text)[1][1])
    return [number for number in standing if number <= to]


# -- pairs ----------------------------------------------------------------------------------------------


def pairs(
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
    last = len(match.entries) if until is None else min(until, len(match.entries))
    found = at or moments(match, since, last)
    told: list[dict[str, Any]] = []
    faces: list[Face | None] = []
    for k, entry in enumerate(match.entries[since:last]):
        before, after = found[k], found[k + 1]
        face = _face(match, entry, eye, whole)
        row: dict[str, Any] = {"n": entry.number, "who": WHO.get(entry.who, entry.who)}
        row["text"] = entry.text if face is None else face.text
        row["log"] = [] if face is None else sentences(match, lang, before.sight(eye), face, after.sight(eye))
        row["view"] = after.view(eye)
        told.append(row)
        faces.append(face)
    _join_throws(match, lang, told, faces)
    return told


def _face(match: Match, entry: Entry, eye: int, whole: bool) -> Face | None:
    played = match.played(entry.number)
    if played is None:
        return None
    return make_face(match.game, replace(played, seen=EVERYONE) if whole else played, eye)


def sentences(
    match: Match, lang: str, before: Sight[Any, Any], face: Face, after: Sight[Any, Any]
) -> list[str]:
    """The log lines of one action, in a language; without the first where throws are joined."""
    title = match.game.title
    lines: list[Line] = title.talk.log(before, face.seat, face.kind, face.arguments, after)
    said = (say_line(match.game.words, lang, one, match.names) for one in lines[_is_thrown(match, face) :])
    return [sentence for sentence in said if sentence]


def _is_thrown(match: Match, face: Face) -> bool:
    return face.seat == CHANCE and match.game.title.words.has(f"joined.{face.kind}")


def _join_throws(match: Match, lang: str, told: list[dict[str, Any]], faces: list[Face | None]) -> None:
    """Neighbouring outcomes of one kind become one sentence, on the last of them."""
    throw: list[Face] = []
    for k, face in enumerate(faces):
        if face is None or not _is_thrown(match, face):
            throw = []
            continue
        throw.append(face)
        following = faces[k + 1] if k + 1 < len(faces) else None
        if following is None or following.kind != face.kind or told[k]["log"]:
            said = join_throw(match.game, lang, throw)
            told[k]["log"][:0] = [said] if said else []
            throw = []


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


def refusal(error: LudusError) -> dict[str, Any]:
    """An illegal action in words, with the rule that forbids it."""
    rule = getattr(error, "rule", "")
    what = getattr(error, "what", str(error))
    return {"error": "illegal", "reason": what, **({"rule": rule} if rule else {})}
