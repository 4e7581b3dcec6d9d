"""Telling: log lines, each a function of what a seat saw before, its face, and what it sees after."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from .chance import CHANCE
from .codes import Codes, Labels, label
from .contract import EVERYONE
from .game import Face, Game
from .sight import Sight, look
from .words import Words


@dataclass(frozen=True)
class Line:
    """One sentence to be said: its key in the title's words and what fills its fields.

    A field `seat` (or one ending in `_seat`) is a seat's number, shown by the player's name; a value
    (group, label) is shown by the name of that label.
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
    fields = _fill(words, lang, line.fields, names)
    part, _, kind = line.key.partition(".")
    if words.has(line.key) or part not in ("action", "log"):
        return words.say(lang, line.key, **fields)
    if part == "log":
        return f"{fields['seat']}: {say_line(words, lang, Line(f'action.{kind}', line.fields), names)}"
    return " ".join([kind, *(str(value) for name, value in fields.items() if name != "seat")])


def say_choice(game: Game[Any, Any], lang: str, code: int) -> str:
    """What an action is called for somebody who may choose it; the same whatever the position."""
    known = game.common.said
    said = known.get((lang, code))
    if said is None:
        kind, arguments = game.title.codes.split(code)
        fields = _arguments(game.title.codes, game.labels, kind, arguments)
        said = game.common.said[lang, code] = say_line(
            game.words, lang, Line(f"action.{kind}", fields), names=()
        )
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
        elif isinstance(value, tuple):
            filled[name] = words.name(lang, *value)
        else:
            filled[name] = value
    return filled


def tell(
    game: Game[Any, Any],
    seat: int,
    lang: str,
    names: Sequence[str],
    since: int = 0,
    everything: bool = False,
) -> list[str]:
    """The story of a game as `seat` may know it, from action number `since` on.

    `everything` shows every action whole, for a match that is over.

    Neighbouring outcomes of chance of one kind are joined into one sentence where the words have
    `joined.KIND`.
    """
    title, form = game.title, game.form
    s = form.new() if game._start is None else form.unpack(game._start)
    sentences: list[str] = []
    throw: list[Face] = []

    def sight() -> Sight[Any, Any]:
        mover = form.to_move(s)
        return look(title.position, form.plain(s), game.box, seat, game.seats, mover, game.labels)

    def flush() -> None:
        if throw:
            sentences.append(join_throw(game, lang, throw))
            throw.clear()

    before = sight()
    for number, played in enumerate(game.line):
        face = game.face(replace(played, seen=EVERYONE) if everything else played, seat)
        form.apply(s, played.code)
        after = sight()
        if number >= since:
            if throw and throw[0].kind != face.kind:
                flush()
            lines: list[Line] = title.talk.log(before, face.seat, face.kind, face.arguments, after)
            if face.seat == CHANCE and title.words.has(f"joined.{face.kind}"):
                throw.append(face)
                lines = lines[1:]
                if lines:
                    flush()
            else:
                flush()
            sentences.extend(say_line(game.words, lang, line, names) for line in lines)
        before = after
    flush()
    return [sentence for sentence in sentences if sentence]


def join_throw(game: Game[Any, Any], lang: str, throw: list[Face]) -> str:
    """Neighbouring outcomes of chance of one kind as one sentence: "the dice show 3, 4, 6"."""
    values = []
    codes = game.title.codes
    for face in throw:
        if face.arguments is not None:
            arg = codes.kinds[face.kind].args[-1]
            name = label(arg.labels, face.arguments[-1], game.labels)
            values.append(game.words.name(lang, arg.labels, name) if arg.labels else name)
    key = f"joined.{throw[0].kind}"
    return game.words.say(lang, key, values=", ".join(values), number=len(throw))
