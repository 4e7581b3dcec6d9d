"""Miles, the soldier: plays the action whose after-state is best by the title's hand-made value.

It averages over chance and over what it cannot know (a few re-dealt positions), and looks one action of
its own further.  The judging runs in compiled code when that lies ready, else in plain form.
"""

from __future__ import annotations

from time import monotonic
from typing import Any

from ludus.core import compilation
from ludus.core.binding import bind_plain
from ludus.core.contract import MAX_SEATS
from ludus.core.engine import ENGINE
from ludus.core.game import Action
from ludus.core.title import Title

from .bot import Bot
from .chair import Chair
from .judging import JUDGE, SCRATCH

SAMPLES = 6  # re-dealt positions a choice


class Miles(Bot):
    """Needs a value of positions (`value.py` of a title)."""

    programs = (ENGINE, JUDGE)

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
        judging = _Compiled(chair, codes) if chair.form.name == "compiled" else _Plain(chair, codes)
        first: list[float] = []
        for number in range(SAMPLES):
            if number and monotonic() > end:
                break
            judging.add(chair.sample(chair.random()), chair.random())
            if number == 1 and judging.totals() == [2 * x for x in first]:
                break  # neither chance nor anything hidden comes in: more samples say the same
            first = first or judging.totals()
        return judging.totals()


class _Plain:
    """The loops over plain positions."""

    def __init__(self, chair: Chair, codes: list[int]) -> None:
        size = chair.title.codes.size
        self.chair, self.codes = chair, codes
        self.space = bind_plain(chair.title, JUDGE)
        self.out, self.weight = ([[0] * size for _ in range(2)] for _ in range(2))
        self.nexts, self.results = [0] * size, [0] * MAX_SEATS
        self.sums = [0.0] * len(codes)

    def add(self, sample: Any, rng: list[int]) -> None:
        self.space.judge(
            [sample] * SCRATCH, [self.chair.box], self.chair.seat, self.codes, len(self.codes), self.nexts,
            self.out, self.weight, self.results, rng, self.sums,
        )  # fmt: skip

    def totals(self) -> list[float]:
        return self.sums[:]


class _Compiled:
    """The same loops over records."""

    def __init__(self, chair: Chair, codes: list[int]) -> None:
        import numpy as np

        size, title = chair.title.codes.size, chair.title
        self.np, self.chair = np, chair
        self.codes = np.array(codes, np.int32)
        self.space = compilation.bind_compiled(title, JUDGE)
        form: Any = chair.form
        self.box = form.packed_box  # packing a box takes longer than judging with it
        self.scratch = np.zeros(SCRATCH, title.position.dtype)
        self.bytes = self.scratch.view(np.uint8).reshape(SCRATCH, -1)
        self.out, self.weight = np.zeros((2, size), np.int32), np.zeros((2, size), np.int32)
        self.nexts, self.results = np.zeros(size, np.int32), np.zeros(MAX_SEATS, np.int32)
        self.sums = np.zeros(len(codes), np.float64)

    def add(self, sample: Any, rng: list[int]) -> None:
        self.bytes[0] = sample.view(self.np.uint8)
        self.space.judge(
            self.scratch, self.box, self.chair.seat, self.codes, len(self.codes), self.nexts,
            self.out, self.weight, self.results, self.np.array(rng, self.np.int64), self.sums,
        )  # fmt: skip

    def totals(self) -> list[float]:
        return [float(x) for x in self.sums]
