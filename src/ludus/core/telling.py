"""Telling: log lines, each a function of what a seat saw before, its face, and what it sees after."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from .chance import CHANCE
from .codes import Codes, Labels, label
from .game import Face, Game
from .sight import Sight, look
from .words import Words


class Line(NamedTuple):
    """One sentence to be said: its key in the title's words and what fills its fields.

    A field `seat` (or one ending in `_seat`) is a seat's number, shown by the player's name; a value
    (group, label) is shown by the name of that label, and (group, label, number) by the text `GROUP.LABEL`
    with that number as `n`: "3 catapults".  A list is shown with commas.
    """

    key: str
    fields: dict[str, Any]


def plain_line(
    codes: Codes, sight: Sight[Any, Any], seat: int, kind: str, args: tuple[int, ...] | None
) -> Line:
    """The line most actions need: `log.KIND` with its arguments, or `log_hidden.KIND` without."""
    if args is None:
        return Line(f"log_hidden.{kind}", {"seat": seat})
    return Line(f"log.{kind}", {"seat": seat, **_arguments(codes, sight.labels, kind, args)})


def say_line(words: Words, lang: str, line: Line, names: Sequence[str]) -> str:
    """A line as a sentence, with the players' names.

    Without words of its own an action is called by its kind and arguments, and told as "Anna: ...".
    """
    if words.has(line.key):
        wanted = {name: line.fields[name] for name in words.fields(lang, line.key) if name in line.fields}
        return words.say(lang, line.key, **_fill(words, lang, wanted, names))
    fields = _fill(words, lang, line.fields, names)
    part, _, kind = line.key.partition(".")
    if part not in ("action", "log"):
        return words.say(lang, line.key, **fields)
    if part == "log":
        return f"{fields['seat']}: {say_line(words, lang, Line(f'action.{kind}', line.fields), names)}"
    return " ".join([kind, *(str(value) for name, value in fields.items() if name != "seat")])


def say_choice(
    game: Game[Any, Any], lang: str, code: int, sight: Sight[Any, Any], names: Sequence[str] = ()
) -> str:
    """What a legal action is called for somebody who may choose it."""
    line: Line | None = game.title.talk.choice_line(sight, code)
    if line is not None:
        return say_line(game.words, lang, line, names)
    kind, arguments = game.title.codes.split(code)
    known = game.common.said
    said = known.get((lang, code))
    if said is None:
        fields = _arguments(game.title.codes, game.labels, kind, arguments)
        said = say_line(game.words, lang, Line(f"action.{kind}", fields), names)
        if not any(arg.labels == "seat" for arg in game.title.codes.kinds[kind].args):
            known[lang, code] = said  # the same at every table
    return said


def _arguments(codes: Codes, labels: Labels, kind: str, arguments: tuple[int, ...]) -> dict[str, Any]:
    fields: dict[str, Any] = {}
    for arg, value in zip(codes.kinds[kind].args, arguments, strict=True):
        named = arg.labels and arg.labels != "seat"
        fields[arg.name] = (arg.labels, label(arg.labels, value, labels)) if named else value
    return fields


def _fill(words: Words, lang: str, fields: dict[str, Any], names: Sequence[str]) -> dict[str, Any]:
    filled: dict[str, Any] = {}
    for name, value in fields.items():
        if name == "seat" or name.endswith("_seat"):
            known = isinstance(value, int) and 0 <= value < len(names)
            filled[name] = names[value] if known else words.say(lang, "chance")
        else:
            filled[name] = _named(words, lang, value)
    return filled


def _named(words: Words, lang: str, value: Any) -> Any:
    if isinstance(value, list):
        return ", ".join(str(_named(words, lang, one)) for one in value)
    if not isinstance(value, tuple):
        return value
    if len(value) == 3:
        group, name, number = value
        return words.say(lang, f"{group}.{name}", n=number)
    return words.named(lang, *value)


# -- stories ----------------------------------------------------------------------------------------------

HEADING = "event.turn"  # the line with which a turn begins


class Told(NamedTuple):
    """One action as it is told by itself.  `thrown`: its outcome is told together with its neighbours'."""

    face: Face
    said: list[str]
    thrown: bool
    by: str  # of a throw: the name of whose dice they are
    heading: str  # which of the sentences begins a turn, or ""
    news: tuple[str, ...]  # which of them are worth a digest


def tell_action(
    game: Game[Any, Any],
    lang: str,
    names: Sequence[str],
    before: Sight[Any, Any],
    face: Face,
    after: Sight[Any, Any],
) -> Told:
    """What is said of an action to somebody who saw this before it, this of it, and this after it."""
    title = game.title
    lines: list[Line] = title.talk.log(before, face.seat, face.kind, face.arguments, after)
    thrown = face.seat == CHANCE and title.words.has(f"joined.{face.kind}")
    by = _fill(game.words, lang, {"seat": lines[0].fields.get("seat")}, names)["seat"] if thrown else ""
    said = [(line.key, say_line(game.words, lang, line, names)) for line in lines[thrown:]]
    heading = next((sentence for key, sentence in said if key == HEADING), "")
    news = tuple(sentence for key, sentence in said if sentence and key in title.talk.news)
    return Told(face, [sentence for _, sentence in said if sentence], thrown, by, heading, news)


def join_throws(game: Game[Any, Any], lang: str, told: Sequence[Told | None]) -> list[list[str]]:
    """The sentences of each action; None is something between them that is no action.

    Neighbouring outcomes of chance of one kind and owner become one sentence, with the last of them, where
    the words have `joined.KIND`.
    """
    sentences: list[list[str]] = []
    throw: list[Told] = []
    for k, one in enumerate(told):
        said = [] if one is None else one.said
        if one is not None and one.thrown:
            throw.append(one)
            following = told[k + 1] if k + 1 < len(told) else None
            if said or following is None or not _is_one_throw(one, following):
                joined = _say_throw(game, lang, throw)
                said = [joined, *said] if joined else said
                throw = []
        sentences.append(said)
    return sentences


def _is_one_throw(one: Told, following: Told) -> bool:
    return following.thrown and (following.face.kind, following.by) == (one.face.kind, one.by)


def _say_throw(game: Game[Any, Any], lang: str, throw: list[Told]) -> str:
    """Outcomes of one kind as one sentence: "Anna throws 3, 4, 6"."""
    values = []
    codes = game.title.codes
    for face in (one.face for one in throw):
        if face.arguments is not None:
            arg = codes.kinds[face.kind].args[-1]
            name = label(arg.labels, face.arguments[-1], game.labels)
            values.append(game.words.name(lang, arg.labels, name) if arg.labels else name)
    key = f"joined.{throw[0].face.kind}"
    return game.words.say(lang, key, seat=throw[0].by, values=", ".join(values), number=len(throw))


def tell(game: Game[Any, Any], seat: int, lang: str, names: Sequence[str]) -> list[str]:
    """The story of a game without a record, as `seat` may know it; `match.story` tells records."""
    form = game.form
    s = form.new() if game._start is None else form.unpack(game._start)

    def sight() -> Sight[Any, Any]:
        mover = form.to_move(s)
        return look(game.title.position, form.plain(s), game.box, seat, game.seats, mover, game.labels)

    told: list[Told] = []
    before = sight()
    for played in game.line:
        form.apply(s, played.code)
        after = sight()
        told.append(tell_action(game, lang, names, before, game.face(played, seat), after))
        before = after
    return [sentence for said in join_throws(game, lang, told) for sentence in said]


def score_change(game: Game[Any, Any], seat: int, actions: Sequence[str]) -> tuple[int, int]:
    """By how much actions change what is counted: for the seat, and for all others together; as far as that
    goes before chance or somebody else decides."""
    score = game.title.talk.score
    after = game.copy()
    after.auto = False
    after.play(*actions)
    before, then = list(score(game.sight(seat))), list(score(after.sight(seat)))
    by = [b - a for a, b in zip(before, then, strict=False)] or [0] * after.seats
    return by[seat], sum(by) - by[seat]
