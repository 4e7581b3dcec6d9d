"""What a step of a scene says must follow: legal, illegal, expect.

`expect` takes paths of the position (lists and tables ask only for what they name), and besides::

    to_move, result, check      who is to move, the result, the number of the broken invariant
    exactly.PATH = { ... }      a row holds what is named and nothing else
    size.PATH = 5               how many things lie there
    view.SEAT.PATH              what a seat, or `spectator`, is shown; "hidden" for what it is not

A path may be written with dots in quotes or as tables in tables.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from .chance import CHANCE, OVER, SPECTATOR
from .errors import FormatError
from .game import Game
from .naming import mismatch, size_of


def who_moves(game: Game[Any, Any]) -> Any:
    return {CHANCE: "chance", OVER: "over"}.get(game.to_move, game.to_move)


def problems(game: Game[Any, Any], step: Mapping[str, Any]) -> Iterator[str]:
    """What does not hold, or cannot be asked, after a step."""
    listed = [a.text for a in game.legal()] or [a.text for a, _ in game.odds()]
    for text in texts(step.get("legal", ())):
        yield from _answer(_check_legal, game, text, listed)
    illegal = step.get("illegal", ())
    for given in [illegal] if isinstance(illegal, str | Mapping) else illegal:
        wanted = given if isinstance(given, Mapping) else {"play": given}
        yield from _answer(_check_illegal, game, wanted["play"], wanted.get("rule"), listed)
    for path, wanted in _flat(step.get("expect", {})):
        yield from _answer(_check_expected, game, path, wanted)


def _answer(check: Any, *asked: Any) -> Iterator[str]:
    """A question that cannot be asked is a problem too."""
    try:
        found: str = check(*asked)
    except FormatError as error:
        found = error.reason
    if found:
        yield found


def texts(given: Any) -> list[str]:
    """One text, or a list of them."""
    return [given] if isinstance(given, str) else list(given)


def _flat(expect: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    """`view = { 0 = { board = { ... } } }` and `size = { ... }` by their paths."""
    for path, wanted in expect.items():
        deep = path.split(".")[0] in ("view", "size") and isinstance(wanted, Mapping) and wanted
        if deep or path == "exactly":
            inner = wanted.items() if isinstance(wanted, Mapping) else ()
            for word, item in inner:
                below = f"{path}.{word}"
                yield from _flat({below: item}) if deep else iter([(below, item)])
        else:
            yield path, wanted


# -- actions ----------------------------------------------------------------------------------------------


def _canonical(game: Game[Any, Any], text: str) -> str:
    codes = game.title.codes
    return codes.text(codes.read(text, game.labels), game.labels)


def _check_legal(game: Game[Any, Any], text: str, listed: list[str]) -> str:
    if _canonical(game, text) in listed:
        return ""
    return f"{text!r} should be legal; legal are {', '.join(listed) or 'none'}"


def _check_illegal(game: Game[Any, Any], text: str, rule: str | None, listed: list[str]) -> str:
    if _canonical(game, text) in listed:
        return f"{text!r} should not be legal"
    if rule is None:
        return ""
    found = game.refusal(game.title.codes.read(text, game.labels)).rule
    return "" if found == rule else f"{text!r} should be refused because of {rule}, not {found or 'nothing'}"


# -- paths ------------------------------------------------------------------------------------------------


def _check_expected(game: Game[Any, Any], path: str, wanted: Any) -> str:
    layout, labels = game.title.position, game.labels
    first, _, rest = path.partition(".")
    if path == "to_move":
        return _compare(path, who_moves(game), wanted)
    if path == "result":
        return _compare(path, list(game.outcome.returns) if game.outcome else None, wanted)
    if path == "check":
        return _compare(path, game.form.check(game.s), wanted)
    if first == "view":
        return _check_view(game, path, wanted)
    if first == "size":
        return _compare(path, size_of(layout, game.position, rest, labels), wanted)
    if first == "exactly":
        return mismatch(layout, game.position, rest, wanted, labels, exactly=True)
    try:
        return mismatch(layout, game.position, path, wanted, labels)
    except FormatError as error:
        if first in layout.field:
            raise
        more = "to_move, result, check, exactly.PATH, size.PATH and view.SEAT.PATH"
        raise FormatError(f"{error.reason}; and {more}") from None


def _compare(path: str, found: Any, wanted: Any) -> str:
    return "" if found == wanted else f"{path} is {found}, expected {wanted}"


def _check_view(game: Game[Any, Any], path: str, wanted: Any) -> str:
    _, _, rest = path.partition(".")
    who, *words = rest.split(".")
    seats = [str(seat) for seat in range(game.seats)]
    if who not in (*seats, "spectator"):
        known = ", ".join([*seats, "spectator"])
        raise FormatError(f"{path}: a view is that of one of {known}, not of {who!r}")
    value: Any = game.view(SPECTATOR if who == "spectator" else int(who))
    at = f"view.{who}"
    for word in words:
        value = _inside(value, word, at)
        at = f"{at}.{word}"
    shown = _spelled(value)
    return "" if shown == wanted else f"{path} is {shown!r}, expected {wanted!r}"


def _inside(value: Any, word: str, at: str) -> Any:
    if value is None:
        raise FormatError(f'{at} is hidden, and nothing in it can be asked for; expect it to be "hidden"')
    if isinstance(value, dict):
        if word in value:
            return value[word]
        raise FormatError(f"{at} has no {word!r}; there are: {', '.join(map(str, value)) or 'none'}")
    if not isinstance(value, list):
        raise FormatError(f"{at} is {value!r}, and {word!r} goes deeper than that")
    if not (word.isascii() and word.isdigit() and int(word) < len(value)):
        raise FormatError(f"{at} has no place {word!r}; it goes from 0 to {len(value) - 1}")
    return value[int(word)]


def _spelled(value: Any) -> Any:
    """TOML has no null: "hidden" stands for what is not shown."""
    if isinstance(value, list):
        return [_spelled(item) for item in value]
    return "hidden" if value is None else value
