"""A staged game as a table in the browser takes it: what lessons and puzzles have in common."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from types import SimpleNamespace
from typing import Any, Protocol

from ludus.core import touches
from ludus.core.chance import CHANCE, OVER
from ludus.core.staged import StagedGame
from ludus.core.telling import say_line

from . import telling
from .errors import Refusal


class StagedQuestion(Protocol):
    """What is asked at a staged game: exactly one of these is said."""

    touches: list[str]
    about: str
    what_if: list[str]


def clean(name: str) -> str:
    """What somebody calls themselves, as it can be shown."""
    return " ".join("".join(c for c in name if c.isprintable()).split())


def told(
    staged: StagedGame, seats: int | None, options: Mapping[str, Any], since: int
) -> dict[str, Any]:  # fmt: skip
    """Everything that the table shows; nothing can be chosen (`choices` adds that)."""
    return {
        "entries": staged.told_rows(since),
        "table": _table(staged, seats, options),
        "entry": len(staged.rows),
        "eye": staged.seat,
        "yours": [staged.seat],
        "view": staged.game.view(staged.seat),
        "legal": [],
        "gestures": [],
    }


def choices(
    staged: StagedGame, wants: Callable[[Sequence[str]], bool] = lambda actions: True
) -> dict[str, Any]:  # fmt: skip
    """What the person can do, as far as it is wanted."""
    game, lang = staged.game, staged.lang
    if game.to_move != staged.seat:
        return {}
    every = telling.choices(game, lang, game.legal_codes(), game.sight(staged.seat), staged.names)
    gestures = [
        {key: value for key, value in row.items() if key != "alone"}
        for row in telling.gestures_now(as_match(staged), lang, every)
        if wants(row.get("actions", [row["action"]]))
    ]
    return {"legal": [row for row in every if wants([row["action"]])], "gestures": gestures}


def answer(
    staged: StagedGame, question: StagedQuestion, otherwise: Callable[[], str], *, teaches: bool = False
) -> dict[str, Any]:
    """Why not, what a touch could lead to, or what would be; `otherwise` is said where no rule forbids it,
    and to learners (`teaches`) in any case: it is what is wanted of them."""
    if question.touches:
        return _why_not(staged, tuple(question.touches), otherwise, teaches)
    match = as_match(staged)
    if question.about:
        return {"advice": telling.advice(match, staged.seat, question.about, question.what_if)}
    if staged.game.to_move != staged.seat:
        raise Refusal("it is not your turn")
    return telling.what_if(match, staged.seat, staged.lang, question.what_if)


def warning(staged: StagedGame) -> str:
    """What would stand open if the turn ended now, as a table says it; "" where nothing does."""
    game = staged.game
    found = game.title.grouping.warning(game.sight(staged.seat))
    return say_line(game.words, staged.lang, found, staged.names) if found else ""


def _why_not(
    staged: StagedGame, path: tuple[str, ...], otherwise: Callable[[], str], teaches: bool
) -> dict[str, Any]:
    """What stands against it at this moment, and what is wanted instead.  A rule that only might have been
    meant (one disc was touched, and no die) would mislead a learner: what is wanted says more.  `no_reason`
    says what is told where nothing stands against it: the `step` of a lesson, or the `prompt` that everybody
    reads."""
    game = staged.game
    wanted = {"rule": "", "no_reason": "step" if teaches else "prompt"}
    if game.to_move != staged.seat:
        return {**wanted, "because": otherwise()}
    found = touches.why_not(game, path)
    because = say_line(game.words, staged.lang, found.because, staged.names) if found.because else ""
    if not because:
        return {**wanted, "because": otherwise()}
    return {"rule": found.rule, "because": because, "instead": otherwise() if teaches else ""}


def as_match(staged: StagedGame) -> Any:
    """What `telling` asks of a match."""
    return SimpleNamespace(game=staged.game, names=staged.names, over=staged.game.over)


def _table(staged: StagedGame, seats: int | None, options: Mapping[str, Any]) -> dict[str, Any]:
    """The facts of a table at which nothing happens by itself."""
    game = staged.game
    outcome = game.outcome
    return {
        "id": "",
        "title": game.title.name,
        "options": game.title.read_setting(seats, options)[1],
        "state": "over" if game.over else "running",
        "public": False,
        "same_screen": False,
        "entries": len(staged.rows),
        "to_move": {CHANCE: "chance", OVER: None}.get(game.to_move, game.to_move),
        "seats": [
            {"seat": p, "kind": "person", "name": called, "status": "playing", "present": True}
            for p, called in enumerate(staged.names)
        ],
        "clock": {"kind": "none", "seconds": 0, "increment": 0},
        "proposal": None,
        "result": list(outcome.returns) if outcome else None,
        "ending": "",
        "again": None,
        "watching": 0,
        "rules_version": game.title.version,
        "fairness": {"commitment": ""},
    }
