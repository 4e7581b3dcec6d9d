"""Legatus and imperator: search with a net.

Some plans for the turn are followed through the rest of it and the reply, with the same re-deals and dice
for each, and the net judges where that ends (`planning`).  Half of the plans are given up, again and again,
so that the time goes to those that may be the best.  What is left of the chosen plan is played on without
a new search as long as nothing happens that it did not know.
"""

from __future__ import annotations

from math import ceil, log2
from time import monotonic
from typing import ClassVar

from ludus.core.compilation import has_numba

from .bot import Bot
from .centurio import SAMPLES, Centurio, NetBot
from .chair import Chair
from .planner import Planner, Search
from .planning import BY_SOLDIER, BY_TURNS, ROUND

MARGIN = 0.1  # of the time is kept back: a clock that is looked at late must not make a turn late


class Legatus(NetBot):
    """Thinks for `seconds` a turn."""

    seconds: ClassVar[float] = 1.0
    lucks: int = 0  # so many lucks a halving instead of a time: the same choice on every machine
    actions: ClassVar[Search] = Search(wide=24, more=0, soldier=0, heat=0.0, turns=1)
    whole_turns: ClassVar[Search] = Search(
        wide=0, more=0, soldier=16, heat=0.04, turns=1, how=BY_TURNS, aimed=8, led=14
    )
    replied: ClassVar[Search] = Search(
        wide=0, more=0, soldier=16, heat=0.04, turns=ROUND, how=BY_SOLDIER, aimed=8, led=6
    )

    def until_ready(self) -> Bot | None:
        """A search is worth little in plain form; where there is no other form, it is kept short."""
        if self.quick and not has_numba():
            return None
        return Centurio(self.title) if self.quick else self.soldier()

    def search(self, chair: Chair, planner: Planner) -> list[int]:
        """The best plan that is found in time."""
        begun = monotonic()
        base = planner.sit(chair)
        assert self.title.inputs is not None
        search = self.turns() if self.title.inputs.whole_turns else self.actions
        count = planner.propose(chair.seat, base, search, SAMPLES)
        if count == 1:
            return planner.plan(0)
        planner.call_crew(chair.cores if chair.form.name == "compiled" else 1)
        halvings = max(1, ceil(log2(count)))
        span = self.share(chair) * (1 - MARGIN)

        def more_lucks(halving: int, lucks: int) -> bool:
            if self.lucks:
                return lucks < self.lucks << halving
            return monotonic() < begun + span * (halving + 1) / halvings

        ranked = planner.halve(chair.seat, base, count, search, more_lucks)
        chair.memory["spent"] = chair.memory.get("spent", 0.0) + monotonic() - begun
        chair.evaluation, plan = ranked[0]
        return planner.plan(plan)

    def share(self, chair: Chair) -> float:
        """The seconds for this decision: half of what is left of the turn's."""
        now = chair.turn
        if chair.memory.get("turn") != now:
            chair.memory.update(turn=now, spent=0.0)
        return float(min(chair.budget, max(self.seconds / 50, (self.seconds - chair.memory["spent"]) / 2)))


class Imperator(Legatus):
    """The same with the larger net and five times the time."""

    size = "-large"
    seconds = budget = 5.0
    actions = Search(wide=32, more=16, soldier=0, heat=0.03, turns=3)
    whole_turns = Search(wide=0, more=0, soldier=32, heat=0.04, turns=1, how=BY_TURNS, aimed=10, led=20)
    replied = Search(wide=0, more=0, soldier=40, heat=0.04, turns=ROUND, how=BY_SOLDIER, aimed=10, led=12)
