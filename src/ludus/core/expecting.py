"""What a step of a scene says must follow: legal, only, illegal, best, avoid, expect.

`legal` names some of what may be played, `only` all of it in its order.  `best` and `avoid` must be legal;
what bots make of them is another question (`lab.choices`).  `chances` says what some choices come to, in
points of a hundred (`ludus.puzzles`); they must be legal too.

`expect` takes paths of the position (lists and tables ask only for what they name), and besides::

    to_move, result, check      who is to move, the result, the number of the broken invariant
    odds = { "roll 1" = 1 }     all outcomes of chance with their weights
    exactly.PATH = { ... }      a row holds what is named and nothing else
    size.PATH = 5               how many things lie there
    view.SEAT.PATH              what a seat, or `spectator`, is shown; "hidden" for what it is not
    face.SEAT = "draw ?"        what it saw of the last action
    believed.SEAT.PATH = [...]  all that a seat could believe to lie there, in any order

A path may be written with dots in quotes or as tables in tables.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from .chance import CHANCE, OVER, SPECTATOR, seed_rng
from .errors import FormatError
from .game import Game
from .naming import mismatch, named, size_of

REDEALS = 300  # so many that what is rare comes, too
_DEEP = ("view", "size", "face", "believed")  # what may be written as tables in tables


def who_moves(game: Game[Any, Any]) -> Any:
    return {CHANCE: "chance", OVER: "over"}.get(game.to_move, game.to_move)


def problems(game: Game[Any, Any], step: Mapping[str, Any]) -> Iterator[str]:
    """What does not hold, or cannot be asked, after a step."""
    listed = [a.text for a in game.legal()] or [a.text for a, _ in game.odds()]
    choices = [text for key in ("legal", "best", "avoid", "chances") for text in texts(step.get(key, ()))]
    for text in choices:
        yield from _answer(_check_legal, game, text, listed)
    if "only" in step:
        yield from _answer(_check_only, game, texts(step["only"]), listed)
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
        deep = path.split(".")[0] in _DEEP and isinstance(wanted, Mapping) and wanted
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


def _check_only(game: Game[Any, Any], wanted: list[str], listed: list[str]) -> str:
    if [_canonical(game, text) for text in wanted] == listed:
        return ""
    return f"legal are {', '.join(listed) or 'none'}; expected only {', '.join(wanted) or 'none'}"


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
    if path == "odds":
        return _compare(path, {action.text: weight for action, weight in game.odds()}, wanted)
    if path == "check":
        return _compare(path, game.form.check(game.s), wanted)
    if first == "view":
        return _check_view(game, path, wanted)
    if first == "face":
        if not game.line:
            raise FormatError(f"{path}: nothing was played yet, so nobody saw anything")
        return _compare(path, game.face(game.line[-1], _eye(game, path, rest)).text, wanted)
    if first == "believed":
        return _check_believed(game, path, wanted)
    if first == "size":
        return _compare(path, size_of(layout, game.position, rest, labels), wanted)
    if first == "exactly":
        return mismatch(layout, game.position, rest, wanted, labels, exactly=True)
    try:
        return mismatch(layout, game.position, path, wanted, labels)
    except FormatError as error:
        if first in layout.field:
            raise
        more = "to_move, result, odds, check, exactly.PATH, size.PATH, face.SEAT, view.SEAT.PATH and believed"
        raise FormatError(f"{error.reason}; and {more}") from None


def _compare(path: str, found: Any, wanted: Any) -> str:
    return "" if found == wanted else f"{path} is {found}, expected {wanted}"


def _eye(game: Game[Any, Any], path: str, who: str) -> int:
    seats = [str(seat) for seat in range(game.seats)]
    if who not in (*seats, "spectator"):
        known = ", ".join([*seats, "spectator"])
        raise FormatError(f"{path}: a view is that of one of {known}, not of {who!r}")
    return SPECTATOR if who == "spectator" else int(who)


def _check_believed(game: Game[Any, Any], path: str, wanted: Any) -> str:
    """What a seat could believe, found by many redeals, each of them a possible position."""
    who, _, inside = path.removeprefix("believed.").partition(".")
    seat = _eye(game, path, who)
    if seat == SPECTATOR or not isinstance(wanted, list):
        raise FormatError(f"{path} takes a seat and the list of all that it could believe")
    form, rng = game.form, [0, 0, 0, 0]
    seed_rng(rng, REDEALS, seat)
    found: list[Any] = []
    for _ in range(REDEALS):
        s = form.copy(game.s)
        form.redeal(s, seat, rng)
        if broken := form.check(s):
            reason = game.title.words.say("en", f"invariant.{broken}")
            return f"{path}: seat {seat} would believe in something impossible: {reason}"
        value = named(game.title.position, form.plain(s), inside, game.labels)
        if value not in found:
            found.append(value)
    missing, more = ([v for v in a if v not in b] for a, b in ((wanted, found), (found, wanted)))
    return f"{path}: never believed {missing}, believed {more}" if missing or more else ""


def _check_view(game: Game[Any, Any], path: str, wanted: Any) -> str:
    _, _, rest = path.partition(".")
    who, *words = rest.split(".")
    value: Any = game.view(_eye(game, path, who))
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
