"""The puzzles of Conquest are of turns and of battles."""

from __future__ import annotations

from collections import Counter

from ludus.puzzles.puzzle import fitting_puzzles
from ludus.titles.conquest import TITLE

TURNS = {"move", "muster", "sail", "buy"}
# What is asked while a battle goes on, and what it leaves: who retreats where, and what becomes of captives.
BATTLE = {"line", "losses", "decide", "victims", "retreat", "sink", "captive"}


def test_ten_puzzles_at_least_are_in_a_battle() -> None:
    phases = Counter(str(one.scene.position["phase"]) for one in fitting_puzzles(TITLE)[0])
    assert sum(phases[phase] for phase in BATTLE) >= 10, phases
    assert sum(phases[phase] for phase in TURNS) >= 40, phases
    assert phases["decide"] >= 5 and BATTLE | TURNS | {"battles"} >= set(phases), phases
