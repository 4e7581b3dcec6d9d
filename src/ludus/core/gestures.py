"""Gestures: what a person says with a touch or two, and the rules play as several actions.

"Three legions to Genua", "a city there, paid as usual", "end the turn" are one path of touches and one
command; the record stays action by action.  Which actions belong together a title says in its `gestures.py`
(`Gestures`); legal is still the only truth: everything here is played on copies, up to the next
chance outcome, other seat or reveal.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Protocol

from .game import Game
from .sight import Sight
from .telling import Line, say_choice
from .touches import Path

END = "button:end"  # ends the turn, whatever could still be done in it


class Gestures(Protocol):
    """`gestures.py` of a title.  Each function may be left out: `PlainGestures` says what happens then."""

    def leads_on(self, sight: Sight[Any, Any], code: int) -> bool:
        """Whether a question that belongs to this action may follow it."""

    def answers(self, sight: Sight[Any, Any], begun: int | None) -> Sequence[int] | None:
        """The question of this position, if it belongs to the action before it: one code is the answer that
        is proposed (a payment); none: each answer is touched.  None where it is no such question.  `begun` is
        the action that the gesture began with, None for who stands before that question alone."""

    def opens(self, sight: Sight[Any, Any], code: int) -> bool:
        """Whether the questions after this action are asked in one dialogue (a trade)."""

    def passes(self, sight: Sight[Any, Any], code: int) -> bool:
        """Whether this action only goes on to the next stretch of the turn, or ends it."""

    def ahead(self, sight: Sight[Any, Any]) -> bool:
        """Whether the choices of this stretch are offered before it begins; else a button leads there."""

    def more(self, sight: Sight[Any, Any]) -> Sequence[tuple[Path, tuple[int, ...]]]:
        """Further paths: the touches, and the actions that they stand for."""

    def asks(self, sight: Sight[Any, Any], code: int) -> bool:
        """Whether a person wants to be asked though this action is the only one."""

    def idle(self, sight: Sight[Any, Any]) -> bool:
        """Whether the turn may end by itself though something else could be done: all of it can wait."""

    def warning(self, sight: Sight[Any, Any]) -> Line | None:
        """What precious thing would stand open if the turn ended now; asked before it ends."""


class PlainGestures:
    """A title without gestures: every action is one."""

    def leads_on(self, sight: Sight[Any, Any], code: int) -> bool:
        return False

    def answers(self, sight: Sight[Any, Any], begun: int | None) -> Sequence[int] | None:
        return None

    def opens(self, sight: Sight[Any, Any], code: int) -> bool:
        return False

    def passes(self, sight: Sight[Any, Any], code: int) -> bool:
        return False

    def ahead(self, sight: Sight[Any, Any]) -> bool:
        return False

    def more(self, sight: Sight[Any, Any]) -> Sequence[tuple[Path, tuple[int, ...]]]:
        return ()

    def asks(self, sight: Sight[Any, Any], code: int) -> bool:
        return False

    def idle(self, sight: Sight[Any, Any]) -> bool:
        return False

    def warning(self, sight: Sight[Any, Any]) -> Line | None:
        return None


@dataclass(frozen=True)
class Gesture:
    """A path of touches and the actions that it stands for; the last `proposed` of them answer by themselves.

    It is called after the action at `called`, or by `gesture.WORD` of the title's words.
    """

    path: Path
    codes: tuple[int, ...]
    called: int = 0
    proposed: int = 0
    word: str = ""
    opens: bool = False


def gestures(game: Game[Any, Any]) -> list[Gesture]:
    """All gestures of the seat to move; no path is the beginning of another."""
    return list(_Finder(game).all()) if game.to_move >= 0 else []


def answers_after(game: Game[Any, Any], actions: Sequence[str]) -> list[Gesture]:
    """The gestures that begin with these actions, to the end of the questions that follow them; none where it
    is not for this seat to go on."""
    finder, after = _Finder(game), game
    begun = Gesture((), ())
    for text in actions:
        code = after.code_of(text)
        begun = Gesture(begun.path + finder.touches(after, code), (*begun.codes, code), len(begun.codes))
        after = after.after(code)
        if not finder.goes_on(after):
            return []
    return list(finder.grown(after, begun)) if begun.codes else []


def by_itself(game: Game[Any, Any], found: Sequence[Gesture]) -> Gesture | None:
    """What may be played without asking: the only gesture there is, if it shows nothing hidden and the title
    does not want to be asked; or the end of a turn in which nothing is left to do."""
    sight = game.sight(game.to_move)
    if len(found) > 1:
        end = next((gesture for gesture in found if gesture.path == (END,)), None)
        return end if end is not None and game.title.grouping.idle(sight) else None
    only = found[0]
    hidden = game.after(only.codes[0]).line[-1].reveals
    return None if only.opens or hidden or game.title.grouping.asks(sight, only.codes[0]) else only


def called(
    game: Game[Any, Any],
    lang: str,
    found: Sequence[Gesture],
    names: Sequence[str] = (),
    said: Mapping[int, str] = {},
) -> Iterator[str]:
    """What gestures are called for somebody who may choose them; `said` where actions of this position were
    called already."""
    seat = game.to_move
    # What is seen where the action is played that names a gesture.
    after: dict[tuple[int, ...], Sight[Any, Any]] = {(): game.sight(seat)}
    for gesture in found:
        key = f"gesture.{gesture.word}"
        if gesture.word and game.words.has(key):
            yield game.words.say(lang, key)
            continue
        before, code = gesture.codes[: gesture.called], gesture.codes[gesture.called]
        if not before and code in said:
            yield said[code]
            continue
        if before not in after:
            after[before] = _played(game, before).sight(seat)
        said_once, times = say_choice(game, lang, code, after[before], names), gesture.codes.count(code)
        yield said_once if times == 1 else f"{said_once} × {times}"


def _played(game: Game[Any, Any], codes: Sequence[int]) -> Game[Any, Any]:
    for code in codes:
        game = game.after(code)
    return game


def faulty(game: Game[Any, Any]) -> str:
    """What is wrong with the gestures of this position, or "": they can be played as they stand, each action
    begins one, and no path is the beginning of another."""
    found = gestures(game)
    for gesture in found:
        after = game
        for code in gesture.codes:
            if after.to_move != game.to_move or code not in after.legal_codes():
                return f"{gesture.path}: {after.action(code).text} cannot be played then"
            after = after.after(code)
    begun = {gesture.codes[0] for gesture in found}
    for action in game.legal():
        if action.code not in begun:
            return f"no gesture begins with {action.text}"
    paths = [gesture.path for gesture in found]
    known = set(paths)
    if len(known) < len(paths):
        return f"two gestures share a path: {next(path for path in paths if paths.count(path) > 1)}"
    for path in paths:
        if any(path[:k] in known for k in range(1, len(path))):
            return f"a path is the beginning of {path}"
    return ""


class _Finder:
    """Looks for the gestures of one position."""

    def __init__(self, game: Game[Any, Any]) -> None:
        self.game, self.seat = game, game.to_move
        self.says: Gestures = game.title.grouping
        self.sight = game.sight(self.seat)

    def all(self) -> Iterator[Gesture]:
        game, says, sight = self.game, self.says, self.sight
        plain = says.answers(sight, None) is not None  # who is in the middle of a question answers it alone
        own: list[Gesture] = []
        for code in game.legal_codes():
            gesture = Gesture(self.touches(game, code), (code,), opens=says.opens(sight, code))
            if plain:
                own.append(gesture)
            elif not says.passes(sight, code):
                own += self.with_answers(game, gesture)
        if not plain:
            for path, codes in says.more(sight):
                own += self.with_answers(_played(game, codes[:-1]), Gesture(path, codes, len(codes) - 1))
        yield from own
        if not plain:
            yield from self.passing({gesture.path[0] for gesture in own})

    def touches(self, game: Game[Any, Any], code: int) -> Path:
        sight = self.sight if game is self.game else game.sight(self.seat)
        path: Path = game.title.talk.touches(sight, code)
        return path

    # -- questions ------------------------------------------------------------------------------------

    def with_answers(self, game: Game[Any, Any], gesture: Gesture) -> Iterator[Gesture]:
        """A gesture whose last action is played in this position, with the answers to what it asks."""
        sight = self.sight if game is self.game else game.sight(self.seat)
        if gesture.opens or not self.says.leads_on(sight, gesture.codes[-1]):
            yield gesture
        else:
            yield from self.grown(game.after(gesture.codes[-1]), gesture)

    def grown(self, game: Game[Any, Any], gesture: Gesture) -> Iterator[Gesture]:
        """A gesture that has led to this position, joined with the answers to the question there."""
        asked = self.goes_on(game)
        answers = self.says.answers(game.sight(self.seat), gesture.codes[0]) if asked else None
        if answers is None:
            yield gesture
        elif answers:
            codes = (*gesture.codes, answers[0])
            more = replace(gesture, codes=codes, proposed=gesture.proposed + 1)
            yield from self.grown(game.after(answers[0]), more)
        else:
            for code in game.legal_codes():
                path, codes = gesture.path + self.touches(game, code), (*gesture.codes, code)
                yield from self.grown(game.after(code), Gesture(path, codes, len(gesture.codes)))

    def goes_on(self, game: Game[Any, Any]) -> bool:
        """Whether it is still for this seat to say what follows."""
        return game.to_move == self.seat and not game.line[-1].reveals

    # -- the end of the turn ----------------------------------------------------------------------------

    def passing(self, begun: set[str]) -> Iterator[Gesture]:
        """The end of the turn, and before it the next stretch that offers what is not offered now; where that
        is offered ahead, also the one after it."""
        game, codes = self.game, tuple[int, ...]()
        stops: list[tuple[Game[Any, Any], tuple[int, ...]]] = []
        while (code := self._pass_of(game)) is not None:
            game, codes = game.after(code), (*codes, code)
            if not self.goes_on(game):
                yield Gesture((END,), codes, word="end")
                break
            looks_on = not stops or self.says.ahead(stops[-1][0].sight(self.seat))
            if looks_on and any(path[0] not in begun for _, path in self._choices(game)):
                stops.append((game, codes))
        for stop in stops:
            found = list(self._at_stop(*stop, begun))
            begun = begun | {gesture.path[0] for gesture in found}
            yield from found

    def _pass_of(self, game: Game[Any, Any]) -> int | None:
        sight = self.sight if game is self.game else game.sight(self.seat)
        return next((code for code in game.legal_codes() if self.says.passes(sight, code)), None)

    def _choices(self, game: Game[Any, Any]) -> Iterator[tuple[int, Path]]:
        """What can be done in a position but for going on."""
        sight = game.sight(self.seat)
        touches = game.title.talk.touches
        codes = (code for code in game.legal_codes() if not self.says.passes(sight, code))
        return ((code, touches(sight, code)) for code in codes)

    def _at_stop(self, game: Game[Any, Any], codes: tuple[int, ...], begun: set[str]) -> Iterator[Gesture]:
        """What the next stretch offers, now already, or the button that leads there."""
        sight = game.sight(self.seat)
        if not self.says.ahead(sight):
            word = game.title.talk.prompt(sight)
            yield Gesture(self.touches(self.game, codes[0]), codes, len(codes) - 1, word=word)
            return
        for code, path in self._choices(game):
            if path[0] not in begun:
                opens = self.says.opens(sight, code)
                yield from self.with_answers(game, Gesture(path, (*codes, code), len(codes), opens=opens))
