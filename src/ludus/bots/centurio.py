"""Centurio, the officer: a learnt net judges how each of some turns ends."""

from __future__ import annotations

from dataclasses import replace
from itertools import accumulate
from typing import Any, ClassVar

from ludus.core.engine import ENGINE
from ludus.core.game import Action
from ludus.core.title import Title

from .bot import Bot
from .chair import Chair
from .miles import Miles
from .net import Net
from .planner import Planner, Search, find_net, has_nets
from .planning import BY_SOLDIER, PLANNING, ROUND
from .random import Random

SAMPLES = 4  # re-dealt positions a choice


class NetBot(Bot):
    """A bot that thinks with a net; where a box has none, it plays like miles."""

    programs = (ENGINE, PLANNING)
    size: ClassVar[str] = ""  # which of the nets, where there are several
    whole_turns: ClassVar[Search]  # how turns are looked for that are planned as a whole
    replied: ClassVar[Search]  # the same where replies are always played through

    def __init__(self, title: Title[Any, Any], net: Net | None = None) -> None:
        super().__init__(title)
        self._net = net
        self._planners: dict[tuple[int, str], Planner] = {}

    @classmethod
    def can_play(cls, title: Title[Any, Any]) -> bool:
        return has_nets(title)

    @property
    def quick(self) -> bool:
        """Whether one look ahead is a matter of a moment, also in plain form; a whole turn is not."""
        return self.title.inputs is not None and not self.title.inputs.whole_turns

    def soldier(self) -> Bot:
        """Who plays where there is no net, or no time for it."""
        return Miles(self.title) if Miles.can_play(self.title) else Random(self.title)

    def until_ready(self) -> Bot | None:
        return None if self.quick else self.soldier()

    def planner(self, chair: Chair) -> Planner | None:
        """What thinks for this chair; None where there is no net for its box."""
        key = (id(chair.box), chair.form.name)
        found = self._planners.get(key)
        if found is None or found.form is not chair.form:
            net = self._net or find_net(self.title, chair.box, self.size)
            if net is None:
                return None
            found = self._planners[key] = Planner(chair.form, self.title, net)
        return found

    def choose(self, chair: Chair) -> Action:
        legal = chair.legal()
        if len(legal) == 1:
            return legal[0]
        planner = self.planner(chair)
        if planner is None:
            return self.soldier().choose(chair)
        code = self.think(chair, planner)
        return next(action for action in legal if action.code == code)

    def think(self, chair: Chair, planner: Planner) -> int:
        """The code of what it plays, out of more than one legal action.  What is left of the plan before is
        played on as long as nothing happened that it did not know."""
        kept = chair.memory.get("plan", [])
        if kept and chair.memory.get("others") == chair.others and kept[0] in (a.code for a in chair.legal()):
            plan, chair.evaluation = kept, chair.memory["evaluation"]
        else:
            plan = self.search(chair, planner)
        chair.memory.update(plan=plan[1:], others=chair.others, evaluation=chair.evaluation)
        return int(plan[0])

    def search(self, chair: Chair, planner: Planner) -> list[int]:
        """What it means to do: an action, and more of them where it planned so far."""
        raise NotImplementedError

    def turns(self) -> Search:
        """How it looks for a whole turn of this title."""
        assert self.title.inputs is not None
        lean = self.title.inputs.replies
        return replace(self.replied, lean=lean) if lean else self.whole_turns


class Centurio(NetBot):
    """One turn ahead.  It thinks of what the net likes at once, gone on with likewise; where turns are
    planned as a whole, of those of miles and such as stray from them: what a net thinks of positions that no
    sensible turn leads to is worth little."""

    actions: ClassVar[Search | None] = Search(wide=8, more=0, soldier=0, heat=0.0, turns=0, lucks=3)
    whole_turns: ClassVar[Search] = Search(
        wide=0, more=0, soldier=24, heat=0.04, turns=0, how=BY_SOLDIER, aimed=6, led=12
    )
    replied: ClassVar[Search] = Search(
        wide=0, more=0, soldier=12, heat=0.04, turns=ROUND, how=BY_SOLDIER, aimed=6, led=4, lucks=3
    )

    def search(self, chair: Chair, planner: Planner) -> list[int]:
        assert self.title.inputs is not None
        base = planner.sit(chair)
        whole = self.title.inputs.whole_turns
        search = self.turns() if whole else self.actions
        if search is None:
            values = planner.look(chair.seat, base, SAMPLES)
            place = self.pick(chair, values)
            chair.evaluation = values[place]
            return [int(planner.room.first[place])]
        count = planner.propose(chair.seat, base, search, 1 if whole else SAMPLES)
        if count == 1:
            return planner.plan(0)
        if search.turns == ROUND:
            return self.halve(chair, planner, base, count, search)
        planner.compare(chair.seat, base, planner.clear(count), range(search.lucks), search)
        values = [float(x) / search.lucks for x in planner.room.sums[:count]]
        place = self.pick(chair, values)
        chair.evaluation = values[place]
        return planner.plan(place)

    def halve(self, chair: Chair, planner: Planner, base: int, count: int, search: Search) -> list[int]:
        """Where replies are full of dice, few plans get many lucks: the luckiest must not win."""
        ranked = planner.halve(
            chair.seat, base, count, search, lambda halving, lucks: lucks < search.lucks << halving
        )
        values = list(accumulate((value for value, _ in ranked), min))  # who was given up is no better
        chair.evaluation, plan = ranked[self.pick(chair, values)]
        return planner.plan(plan)

    def pick(self, chair: Chair, values: list[float]) -> int:
        """The place of what is chosen: here, of the best."""
        return max(range(len(values)), key=lambda i: values[i])
