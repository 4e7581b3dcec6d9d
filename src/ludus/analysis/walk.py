"""A walk through a match: which of its actions belong together as one decision or one throw.

A *decision* is one choice of a seat; where turns are planned as a whole, everything that a seat does up to
the end of its turn, the next outcome of chance or somebody else's choice.  A *throw* is a run of outcomes
of chance that is so short that all it could have come to can be listed.  What was forced belongs to what
came before.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from ludus.core.chance import CHANCE, OVER, SPECTATOR
from ludus.core.sight import look_into
from ludus.core.title import Title

from .judges import Bound, turn_of

CHOICE, THROW = "choice", "throw"


class Ply(NamedTuple):
    """One action that stands: the entry of the record, who played it, and what."""

    entry: int
    seat: int
    code: int


@dataclass(frozen=True)
class Stretch:
    """A decision or a throw: plies first..last-1 are it, and what was forced after them."""

    kind: str
    seat: int  # who decided; of a throw: in whose turn, as far as that is known, else CHANCE
    first: int
    last: int
    plan: tuple[int, ...]  # of a decision: what was chosen
    levels: int = 0  # of a throw: how many outcomes in a row are listed
    mid_turn: bool = False  # a turn goes on that is planned as a whole


class Leaf(NamedTuple):
    """What a throw could come to, and how likely that is."""

    share: float
    s: Any


def outcomes(form: Bound, s: Any, most: int, levels: int = 0) -> tuple[int, list[Leaf]]:
    """All that chance could come to from here: how many outcomes in a row, and where they end.

    Equal ends are one.  It stops before there are more than `most` of them, but never before the first
    outcome; or after so many `levels`.
    """
    level: dict[bytes, Leaf] = {form.pack(s): Leaf(1.0, s)}
    depth = 0
    while any(form.to_move(leaf.s) == CHANCE for leaf in level.values()):
        if depth == levels > 0:
            break
        wider = _one_more(form, level)
        if depth and len(wider) > most and not levels:
            break
        level, depth = wider, depth + 1
    return depth, list(level.values())


def _one_more(form: Bound, level: dict[bytes, Leaf]) -> dict[bytes, Leaf]:
    wider: dict[bytes, Leaf] = {}
    for packed, leaf in level.items():
        if form.to_move(leaf.s) != CHANCE:
            ends = [(packed, leaf)]
        else:
            odds = form.odds(leaf.s)
            mass = sum(weight for _, weight in odds)
            ends = []
            for code, weight in odds:
                after = form.copy(leaf.s)
                form.apply(after, code)
                ends.append((form.pack(after), Leaf(leaf.share * weight / mass, after)))
        for key, end in ends:
            known = wider.get(key)
            wider[key] = end if known is None else Leaf(known.share + end.share, end.s)
    return wider


class Walk:
    """The positions of a match and its steps.  `positions[k]` is the one before ply k, the last the end."""

    def __init__(
        self, title: Title[Any, Any], form: Bound, start: bytes, plies: Sequence[Ply], most: int
    ) -> None:
        self.title, self.form, self.plies, self.most = title, form, plies, most
        self._packed = [start]
        s = form.unpack(start)
        for ply in plies:
            form.apply(s, ply.code)
            self._packed.append(form.pack(s))
        self.steps = list(self._steps())

    def position(self, k: int) -> Any:
        return self.form.unpack(self._packed[k])

    @property
    def over(self) -> bool:
        return self.form.to_move(self.position(len(self.plies))) == OVER

    def _steps(self) -> Iterator[Stretch]:
        k, n = 0, len(self.plies)
        while k < n:
            ply, s = self.plies[k], self.position(k)
            if ply.seat == CHANCE:
                yield (step := self._throw(k, s))
            elif len(self.form.legal(s)) > 1:
                yield (step := self._choice(k, s))
            else:  # forced: of no interest by itself
                k += 1
                continue
            k = step.last

    def _throw(self, k: int, s: Any) -> Stretch:
        levels, _ = outcomes(self.form, s, self.most)
        last = k + 1
        while last < len(self.plies) and last - k < levels and self.plies[last].seat == CHANCE:
            last += 1
        return Stretch(THROW, self._whose(s), k, last, (), levels, self._goes_on(k, s))

    def _whose(self, s: Any) -> int:
        """In whose turn a throw falls; CHANCE where nobody's goes on."""
        title, form = self.title, self.form
        box: Any = form.box
        seats, labels = title.seats_of(box), title.labels(box)
        sight = look_into(title.position, form.plain(s), box, SPECTATOR, seats, CHANCE, labels)
        return max(CHANCE, title.talk.turn(sight)[0])

    def _goes_on(self, k: int, s: Any) -> bool:
        """Whether the turn that goes on here has begun before."""
        title = self.title
        if title.inputs is None or not title.inputs.whole_turns or k == 0:
            return False
        return turn_of(title, self.form, s) == turn_of(title, self.form, self.position(k - 1))

    def _choice(self, k: int, s: Any) -> Stretch:
        seat, plan = self.plies[k].seat, [self.plies[k].code]
        last, mid = k + 1, self._goes_on(k, s)
        whole = self.title.inputs is not None and self.title.inputs.whole_turns
        now = turn_of(self.title, self.form, s)
        while whole and last < len(self.plies) and self.plies[last].seat == seat:
            after = self.position(last)
            if turn_of(self.title, self.form, after) != now:
                break
            if len(self.form.legal(after)) > 1:
                plan.append(self.plies[last].code)
            last += 1
        return Stretch(CHOICE, seat, k, last, tuple(plan), mid_turn=mid)
