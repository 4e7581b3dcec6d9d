"""An analysis of one decision that was not judged: so that a test says itself which turns are compared."""

from __future__ import annotations

from typing import Any

from ludus.analysis.analysis import Row
from ludus.analysis.verdicts import WHOLE
from ludus.analysis.walk import CHOICE
from ludus.match.match import Match

COST = 123_000  # millionths, of the first turn that was played


def played_turn(match: Match, seat: int, texts: list[str]) -> None:
    """Actions of a seat; dice fall as they fall."""
    for text in texts:
        match.play(seat, [text])


def compared(match: Match, entry: int, seat: int, turns: list[list[str]]) -> Row:
    """What an analysis keeps of a decision between whole turns, the best one first, the last one played."""
    title, labels = match.setting.title, match.game.labels
    plans = [[title.codes.read(text, labels) for text in turn] for turn in turns]
    chances = [WHOLE // 2 - COST * k for k in range(len(plans))]
    level = [WHOLE // 2, WHOLE - WHOLE // 2]
    row: Row = {
        "kind": CHOICE, "seat": seat, "entry": entry, "until": len(match.entries), "before": level,
        "after": level, "brought": [0, 0], "unseen": [0, 0], "class": "blunder", "cost": COST, "doubt": 0,
        "played": len(plans) - 1, "tried": len(plans), "asked": "", "rungs": {},
        "options": [{"plan": plan, "chance": chance} for plan, chance in zip(plans, chances, strict=True)],
    }  # fmt: skip
    seats = [
        {"decisions": 0, "skill": [0, 0], "luck": 0, "cost": 0, "agreed": 0, "elo": None, "rungs": {}}
    ] * 2
    return {
        "unit": "turn", "rows": [row], "seats": seats, "start": level, "result": level, "rough": False,
        "by": "net", "dice": [], "decisive": {"choices": [0], "throws": []},
    }  # fmt: skip


def staged_match(title: Any, scene: str, options: dict[str, Any], seats: int = 2) -> Match:
    """A match that begins at a scene of the browser tests."""
    return Match.simulated(title, 1, seats, **{**options, "scene": scene})
