"""Miles, the soldier: plays the action whose after-state is best by the title's hand-made value.

It averages over chance and over what it cannot know (a few re-dealt positions), and looks one action of
its own further.  The judging runs in compiled code when that lies ready, else in plain form.
"""

from __future__ import annotations

from collections.abc import Sequence
from time import monotonic
from typing import Any

from ludus.core.chance import OVER
from ludus.core.contract import MAX_SEATS
from ludus.core.engine import ENGINE
from ludus.core.game import Action
from ludus.core.title import Title

from .bot import Bot
from .chair import Chair
from .judging import JUDGE, MOST, NO_AIM, SCRATCH

SAMPLES = 6  # re-dealt positions a choice


class Miles(Bot):
    """Needs a value of positions (`value.py` of a title)."""

    programs = (ENGINE, JUDGE)
    budget = 0.5

    @classmethod
    def can_play(cls, title: Title[Any, Any]) -> bool:
        return title.value is not None

    def choose(self, chair: Chair) -> Action:
        legal = chair.legal()
        if len(legal) == 1:
            return legal[0]
        codes = [action.code for action in legal]
        totals = self.judge(chair, codes)
        return legal[max(range(len(codes)), key=lambda i: totals[i])]

    def judge(self, chair: Chair, codes: list[int]) -> list[float]:
        """The summed worth of each action over the samples; the budget may cut the samples short."""
        end = monotonic() + chair.budget
        judging = _Judging(chair, codes)
        first: list[float] = []
        for number in range(SAMPLES):
            if number and monotonic() > end:
                break
            judging.add(chair.sample(chair.random()), chair.random())
            if number == 1 and judging.totals() == [2 * x for x in first]:
                break  # neither chance nor anything hidden comes in: more samples say the same
            first = first or judging.totals()
        return judging.totals()


def judge_at_once(chair: Chair, codes: Sequence[int | None]) -> list[float]:
    """What each action is worth at once by the title's value, in a position that the seat may believe in;
    None: what that position itself is worth."""
    assert chair.title.value is not None
    sample = chair.sample(chair.random())
    found = []
    for code in codes:
        after = chair.form.copy(sample)
        if code is not None:
            chair.form.apply(after, code)
        if chair.form.to_move(after) == OVER:
            found.append(float(MOST * (chair.form.returns(after)[chair.seat] - 1)))
        else:
            found.append(float(chair.title.value(chair.form.glance(after), chair.box, chair.seat)))
    return found


class _Judging:
    """The loops of `judging` with everything they write into, in the form of the chair."""

    def __init__(self, chair: Chair, codes: list[int]) -> None:
        form, size = chair.form, chair.title.codes.size
        self.form, self.seat, self.n = form, chair.seat, len(codes)
        self.space = form.bind(JUDGE)
        self.scratch = form.rows(SCRATCH)
        self.out, self.weight = form.ints(2, size), form.ints(2, size)
        self.codes, self.nexts, self.results = form.ints(self.n), form.ints(size), form.ints(MAX_SEATS)
        self.codes[:] = codes
        self.sums = form.floats(self.n)

    def add(self, sample: Any, rng: list[int]) -> None:
        self.form.put(self.scratch, 0, sample)
        self.space.judge(
            self.scratch, self.form.boxes, self.seat, NO_AIM, self.codes, self.n, self.nexts,
            self.out, self.weight, self.results, self.form.words(rng), self.sums,
        )  # fmt: skip

    def totals(self) -> list[float]:
        return [float(x) for x in self.sums]
