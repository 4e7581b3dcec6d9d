"""Exact battle odds, by dynamic programming, and the same battles played through the rules.

Both sides fight to the end: nobody retreats.  Lines are formed of infantry, then cavalry, then catapults
(which score from the reserve too, ruling 4.5).  Losses are taken from the line in a stated order, by
default the cheapest first: infantry, cavalry, catapults.

>>> found = battle_odds(Army(5, leaders=1), Army(5, leaders=1))
>>> round(found.attacker, 3), round(found.defender, 3), round(found.both, 3)
(0.486, 0.486, 0.028)
>>> round(sea_odds(2, 1).attacker, 2)
0.78
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from math import comb
from typing import Any

from ludus.core.chance import CHANCE, below, next_u32, pick, seed_rng
from ludus.core.errors import FormatError
from ludus.core.forms import Form, make_form

from . import layout as at

Counts = tuple[int, int, int]  # infantry, cavalry, catapults
CHEAPEST_FIRST = (at.INFANTRY, at.CAVALRY, at.CATAPULT)
LINE_BASE, SIDES = 5, 6
SEA_ROUNDS, DICE_A_GALLEY = 3, 2
MOST_UNITS = 46  # of one colour: 20 infantry, 20 cavalry, 6 catapults


@dataclass(frozen=True)
class Army:
    """One side of a land battle."""

    infantry: int = 0
    cavalry: int = 0
    catapult: int = 0
    leaders: int = 0

    @property
    def units(self) -> Counts:
        return self.infantry, self.cavalry, self.catapult


@dataclass(frozen=True)
class Odds:
    """The chances of a battle fought to the end, and what each side loses on average, by kind.

    `neither` is only possible at sea, where three rounds end a battle.
    """

    attacker: float
    defender: float
    both: float  # both sides destroyed
    neither: float
    attacker_losses: tuple[float, ...]
    defender_losses: tuple[float, ...]


def read_army(text: str) -> Army:
    """An army as text: numbers with i, c, k and l for infantry, cavalry, catapults and leaders.

    >>> read_army("5i2c1k2l")
    Army(infantry=5, cavalry=2, catapult=1, leaders=2)
    """
    found = re.fullmatch(
        r"(?:(\d{1,2})i)?(?:(\d{1,2})c)?(?:(\d{1,2})k)?(?:(\d{1,2})l)?", text.replace(" ", "")
    )
    numbers = [int(n or 0) for n in found.groups()] if found else []
    if not numbers or not sum(numbers[:3]) or sum(numbers[:3]) > MOST_UNITS:
        raise FormatError(
            f"an army reads like 5i2c1k2l (infantry, cavalry, catapults, leaders; 1 to {MOST_UNITS} units), "
            f"not {text!r:.30}"
        )
    return Army(*numbers)


# -- one throw ------------------------------------------------------------------------------------


@cache
def hit_chances(line: Counts, catapults: int, dice: int) -> tuple[float, ...]:
    """The chance of 0, 1, 2, ... hits: each die matches one unit of its kind (rulings 4.4, 4.5)."""
    most = line[0] + line[1] + catapults
    chances = [0.0] * (most + 1)
    for i in range(dice + 1):
        for c in range(dice - i + 1):
            for k in range(dice - i - c + 1):
                ways = comb(dice, i) * comb(dice - i, c) * comb(dice - i - c, k)
                weight = ways * 2**i * 2 ** (dice - i - c - k) / SIDES**dice
                chances[min(i, line[0]) + min(c, line[1]) + min(k, catapults)] += weight
    return tuple(chances)


def form_line(units: Counts, leaders: int) -> Counts:
    """Ruling 4.2, infantry first and catapults last."""
    room = min(sum(units), LINE_BASE + leaders)
    infantry = min(units[0], room)
    cavalry = min(units[1], room - infantry)
    return infantry, cavalry, room - infantry - cavalry


def share_losses(line: Counts, hits: int, order: Sequence[int]) -> Counts:
    """What falls of a line: as many as there are hits, in the order given (ruling 4.6)."""
    fallen = [0, 0, 0]
    for unit in order:
        fallen[unit] = min(line[unit], hits - sum(fallen))
    return fallen[0], fallen[1], fallen[2]


# -- whole battles ----------------------------------------------------------------------------------


def battle_odds(
    attacker: Army, defender: Army, walls: bool = False, order: Sequence[int] = CHEAPEST_FIRST
) -> Odds:
    """The exact odds of a land battle.  Every round that changes anything leaves fewer units."""
    return _battle_odds(attacker, defender, walls, tuple(order))


@lru_cache(maxsize=4096)
def _battle_odds(attacker: Army, defender: Army, walls: bool, order: tuple[int, ...]) -> Odds:
    start = (attacker.units, defender.units)
    mass: dict[tuple[Counts, Counts], float] = {start: 1.0}
    ends: dict[tuple[Counts, Counts], float] = {}
    for total in range(sum(map(sum, start)), -1, -1):
        for state in [s for s in mass if sum(map(sum, s)) == total]:
            weight = mass.pop(state)
            if not sum(state[0]) or not sum(state[1]):
                ends[state] = ends.get(state, 0.0) + weight
                continue
            for after, chance in _one_round(state, attacker.leaders, defender.leaders, walls, order):
                mass[after] = mass.get(after, 0.0) + weight * chance
    return _summed(start, ends)


def _one_round(
    state: tuple[Counts, Counts], leaders: int, others: int, walls: bool, order: tuple[int, ...]
) -> list[tuple[tuple[Counts, Counts], float]]:
    """What a round leads to, given that it changes something (rulings 4.3, 4.7)."""
    own, foreign = state
    line, wall = form_line(own, leaders), form_line(foreign, others)
    more = (1 if own[2] else 2) if walls else 0
    strokes = hit_chances(line, own[2], sum(line))
    answers = hit_chances(wall, foreign[2], sum(wall) + more)
    still = strokes[0] * answers[0]
    found: dict[tuple[Counts, Counts], float] = {}
    for hits, chance in enumerate(strokes):
        for returned, other in enumerate(answers):
            if hits or returned:
                after = (
                    _minus(own, share_losses(line, returned, order)),
                    _minus(foreign, share_losses(wall, hits, order)),
                )
                found[after] = found.get(after, 0.0) + chance * other / (1.0 - still)
    return list(found.items())


def _minus(units: Counts, fallen: Counts) -> Counts:
    return units[0] - fallen[0], units[1] - fallen[1], units[2] - fallen[2]


def _summed(start: tuple[Counts, Counts], ends: dict[tuple[Counts, Counts], float]) -> Odds:
    def of(won: bool, lost: bool) -> float:
        return sum(p for (a, d), p in ends.items() if (sum(a) > 0) == won and (sum(d) > 0) == lost)

    def losses(side: int) -> tuple[float, ...]:
        return tuple(
            sum(p * (start[side][unit] - state[side][unit]) for state, p in ends.items()) for unit in range(3)
        )

    return Odds(of(True, False), of(False, True), of(False, False), 0.0, losses(0), losses(1))


def sea_odds(attackers: int, defenders: int, rounds: int = SEA_ROUNDS) -> Odds:
    """The exact odds of a sea battle: three rounds, two dice a galley, one face of six sinks (8.3, 8.4)."""
    mass = {(attackers, defenders): 1.0}
    for _ in range(rounds):
        after: dict[tuple[int, int], float] = {}
        for (a, d), weight in mass.items():
            if not a or not d:
                after[a, d] = after.get((a, d), 0.0) + weight
                continue
            for hits, chance in enumerate(_sinkings(a)):
                for returned, other in enumerate(_sinkings(d)):
                    left = (max(0, a - returned), max(0, d - hits))
                    after[left] = after.get(left, 0.0) + weight * chance * other
        mass = after
    return Odds(
        sum(p for (a, d), p in mass.items() if a and not d),
        sum(p for (a, d), p in mass.items() if d and not a),
        mass.get((0, 0), 0.0),
        sum(p for (a, d), p in mass.items() if a and d),
        (sum(p * (attackers - a) for (a, _), p in mass.items()),),
        (sum(p * (defenders - d) for (_, d), p in mass.items()),),
    )


@cache
def _sinkings(galleys: int) -> tuple[float, ...]:
    dice = DICE_A_GALLEY * galleys
    return tuple(comb(dice, n) * 5 ** (dice - n) / SIDES**dice for n in range(dice + 1))


# -- the same battles through the rules ---------------------------------------------------------------


class Simulation:
    """Battles played by the real rules of the title, with lines, losses and no retreat as stated above."""

    def __init__(self, form: str = "plain", order: Sequence[int] = CHEAPEST_FIRST, seed: int = 1) -> None:
        from . import TITLE

        self.title, self.order = TITLE, tuple(order)
        self.box = TITLE.box_for(2, homes="seated", acclamation="off")
        self.form: Form[Any] = make_form(TITLE, self.box, form)
        self.rng = [0, 0, 0, 0]
        seed_rng(self.rng, seed, 0)

    def battle(self, attacker: Army, defender: Army, walls: bool = False, times: int = 1000) -> Odds:
        """The frequencies of so many battles, as `battle_odds` gives their chances."""
        ready = self._ready(attacker, defender, walls)
        ends: dict[tuple[Counts, Counts], float] = {}
        for _ in range(times):
            end = self._fight(self.form.unpack(ready))
            ends[end] = ends.get(end, 0.0) + 1.0 / times
        return _summed((attacker.units, defender.units), ends)

    def _ready(self, attacker: Army, defender: Army, walls: bool) -> bytes:
        """Both armies in one inland province, movement over, the battle begun."""
        from .box import areas, settle

        s = self.title.position.plain()
        self.title.rules.new(s, self.box)
        p = self._field = areas().index("raetia")
        for seat, army in enumerate((attacker, defender)):
            s.units[seat][p][:] = army.units
            s.generals[seat][p] = army.leaders
        s.owner[p], s.city[p] = 1, 2 if walls else 0
        settle(s, self.box, frozenset())
        s.removed = 0
        s.phase = at.BATTLES
        self.title.rules.apply(s, self.box, at.BATTLE + p)
        return self.title.position.pack(s)

    def _fight(self, s: Any) -> tuple[Counts, Counts]:
        form = self.form
        while True:
            mover = form.to_move(s)
            if mover == CHANCE:
                outcomes = form.odds(s)
                place = pick(next_u32(self.rng), [w for _, w in outcomes], len(outcomes))
                form.apply(s, outcomes[place][0])
                continue
            plain = form.plain(s)
            if plain.phase not in (at.LINE, at.LOSSES, at.DECIDE):
                p = self._field
                return tuple(plain.units[0][p]), tuple(plain.units[1][p])
            form.apply(s, self._choice(plain, form.legal(s)))

    def _choice(self, s: at.Position, legal: list[int]) -> int:
        if s.phase != at.LOSSES:
            return legal[0]  # the longest row of infantry, then of cavalry; and always fight on
        left = [s.line[s.side][unit] if unit >= s.stage else 0 for unit in range(3)]
        wanted = share_losses((left[0], left[1], left[2]), s.need, self.order)[s.stage]
        return at.LOSE + s.stage * at.PER_UNIT + wanted

    def sea_ready(self, attackers: int, defenders: int) -> bytes:
        """Empty galleys in one sea zone, the battle begun: nobody will have a choice."""
        from .box import areas, settle

        s = self.title.position.plain()
        self.title.rules.new(s, self.box)
        z = areas().index("mare_alexandria")
        for ship in range(attackers + defenders):
            s.ship_owner[ship], s.ship_area[ship] = (0 if ship < attackers else 1), z
        settle(s, self.box, frozenset())
        s.phase = at.BATTLES
        self.title.rules.apply(s, self.box, at.ATTACK + z * at.ATTACK_SEA + 1)
        return self.title.position.pack(s)

    def sea(self, attackers: int, defenders: int, times: int = 1000) -> Odds:
        """The frequencies of so many sea battles, as `sea_odds` gives their chances."""
        ready, ends = self.sea_ready(attackers, defenders), dict[tuple[int, int], int]()
        for _ in range(times):
            t = self.form.unpack(ready)
            while self.form.to_move(t) == CHANCE:
                self.form.apply(t, at.FACE + (0, 0, 1, 2, 3, 4)[below(self.rng, SIDES)])
            plain = self.form.plain(t)
            end = (plain.ship_owner.count(0), plain.ship_owner.count(1))
            ends[end] = ends.get(end, 0) + 1
        return Odds(
            sum(n for (a, d), n in ends.items() if a and not d) / times,
            sum(n for (a, d), n in ends.items() if d and not a) / times,
            ends.get((0, 0), 0) / times,
            sum(n for (a, d), n in ends.items() if a and d) / times,
            (sum(n * (attackers - a) for (a, _), n in ends.items()) / times,),
            (sum(n * (defenders - d) for (_, d), n in ends.items()) / times,),
        )
