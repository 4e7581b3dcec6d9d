"""The levels for people: from a beginner who forgets half of what he could do to an officer who does not.

The weaker ones judge like centurio and then draw lots, the likelier the better a choice is, so that they
make the mistakes of people: small ones often, large ones seldom.  How warm the lots are, a title says
(`Inputs.heats`).
"""

from __future__ import annotations

from typing import Any, ClassVar

from ludus.core.chance import below, next_u32
from ludus.core.game import Action
from ludus.core.title import Title

from .bot import Bot
from .centurio import Centurio
from .chair import Chair
from .miles import judge_at_once
from .planner import find_net
from .planning import draw_lots

LEVELS = ("tiro", "discens", "optio", "centurio", "legatus")  # what people choose from
STRONGEST = "imperator"  # and beyond them
USUAL = (0.15, 0.06, 0.025)
FORGETS = 0.5  # of what could be done does not come to a beginner's mind


class Discens(Centurio):
    """Learning: knows what is good and does not always see it.  Where turns are not planned as a whole, no
    further than the next action."""

    actions = None
    warmth: ClassVar[int] = 1

    def pick(self, chair: Chair, values: list[float]) -> int:
        inputs = self.title.inputs
        heats = inputs.heats if inputs and inputs.heats else USUAL
        return draw_lots(values, len(values), super().pick(chair, values), heats[self.warmth], chair.rng)


class Optio(Discens):
    """The deputy: small mistakes only."""

    warmth = 2


class Tiro(Bot):
    """The recruit: sensible, shallow, forgetful.  Where a net judges action by action, a very warm centurio;
    else a look at what every action that comes to mind is worth at once; where a title has neither,
    anything.  It gives nothing precious away because nothing else came to mind."""

    def __init__(self, title: Title[Any, Any]) -> None:
        super().__init__(title)
        warm = _Warmest(title) if _Warmest.can_play(title) else None
        self._warm = warm if warm is not None and warm.quick else None

    def form(self) -> str:
        """It warms itself at what lies ready for others; for it alone nothing is compiled."""
        return self._warm.form() if self._warm is not None else "plain"

    def choose(self, chair: Chair) -> Action:
        legal = chair.legal()
        if len(legal) == 1:
            return legal[0]
        if self._warm is not None and find_net(self.title, chair.box) is not None:
            return self._warm.choose(chair)
        minded = [action for action in legal if next_u32(chair.rng) >= FORGETS * 2**32]
        minded = minded or [legal[below(chair.rng, len(legal))]]
        if self.title.value is None:
            return minded[below(chair.rng, len(minded))]
        now, *worth = judge_at_once(chair, [None, *(action.code for action in legal)])
        best = max((k for k, action in enumerate(legal) if action in minded), key=lambda k: worth[k])
        if self.title.precious and now - worth[best] >= self.title.precious:
            best = worth.index(max(worth))
        return legal[best]


class _Warmest(Discens):
    warmth = 0
