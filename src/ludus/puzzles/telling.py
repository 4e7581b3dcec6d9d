"""What is said to somebody who solves a puzzle: the question, and after it what the choice was worth."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from ludus.analysis.analysis import WORDS as ANALYSIS
from ludus.analysis.telling import say_points
from ludus.analysis.verdicts import WHOLE, verdict
from ludus.core.reasons import changes
from ludus.core.scene import set_up
from ludus.core.telling import score_change
from ludus.core.words import Words

from .solving import BEST, GOOD, WRONG, Attempt

WORDS = Words(Path(__file__).parent / "words")
_QUOTES = {"en": "“{}”", "fr": "«\u00a0{}\u00a0»", "it": "«{}»", "de": "„{}“"}


def say(lang: str, key: str, **fields: Any) -> str:
    return WORDS.say(lang, key, **fields)


def tell(attempt: Attempt) -> str:
    """What is asked now, or what came of it; whether that was right stands above it."""
    lang = attempt.lang
    if not attempt.is_over:
        if attempt.step:
            return say(lang, "said.more")
        return say(lang, "said.ask")
    asked = attempt.asked
    fields = {
        "line": _line(lang, attempt.solution(attempt.step)),
        "chance": _points(lang, asked.chances[asked.best]),
        "margin": _points(lang, asked.margin),
    }
    if attempt.verdict == BEST:
        return say(lang, "said.best", **{**fields, "line": _line(lang, attempt.solution(0))})
    if attempt.verdict == GOOD:
        key = "said.good" if attempt.cost >= 0.1 else "said.same"
        return say(
            lang, key, played=_quoted(lang, attempt.choice_said()), cost=_points(lang, attempt.cost), **fields
        )
    if attempt.verdict == WRONG:
        named = ANALYSIS.say(lang, f"class.{verdict(round(attempt.cost * WHOLE / 100))}")
        fields |= {"played": _quoted(lang, attempt.choice_said()), "cost": _points(lang, attempt.cost)}
        return say(lang, "said.wrong", **fields, **{"class": named})
    return say(lang, "said.shown", **fields)


def _line(lang: str, said: list[str]) -> str:
    """The best line as one phrase: "a, then b"."""
    found = _quoted(lang, said[-1])
    for one in reversed(said[:-1]):
        found = say(lang, "said.then", first=_quoted(lang, one), rest=found)
    return found


def _quoted(lang: str, said: str) -> str:
    return _QUOTES[lang[:2]].format(said)


def _points(lang: str, points: float) -> str:
    return say_points(lang, round(points * WHOLE / 100))


def gains(attempt: Attempt) -> dict[str, Any]:
    """By how much the solution changes what is counted, for the seat and for the others; and why it is good,
    in words of the title where it has some."""
    game = set_up(attempt.puzzle.scene)
    asked = attempt.puzzle.asked
    for text in asked[0].play:
        game.play(text)
    line = [*(text for one in asked[1:] for text in one.play), asked[-1].best]
    own, others = score_change(game, attempt.seat, line)
    after = game.copy()
    after.auto = False
    after.play(*line)
    seat = attempt.seat
    before, then = game.sight(seat), after.sight(seat)
    why = changes(game.title, game.words, attempt.lang, before, then, seat, gains=True)
    return {"gain": own, "others": others, "why": why}
