"""How a battle stands at this moment: its exact odds, from the middle of a round too.

As in `odds`, both sides fight to the end and lose the cheapest first; what has been thrown and chosen
already is taken as it is.
"""

from __future__ import annotations

from . import layout as at
from .layout import ATTACKER, DEFENDER, PROVINCES, UNITS, Box, Position
from .odds import CHEAPEST_FIRST, SEA_ROUNDS, Army, Counts, Odds, battle_odds, hit_chances, sea_odds
from .rules.board import leaders
from .rules.combat import seat_of, wall_dice
from .rules.naval import galleys_in

MOST_UNITS = 40  # of both sides together: more would keep others waiting


def standing_odds(s: Position, box: Box) -> Odds | None:
    """The odds of the battle that is being fought; None without one, or while dice are in the air."""
    if s.bout == 0 or s.phase in (at.RETREAT, at.VICTIMS):
        return None
    if s.phase == at.ROLL and (s.dice_for != at.FOR_DEFENCE or any(s.faces)):
        return None
    if s.field >= PROVINCES:
        return _at_sea(s, box)
    if sum(s.units[s.active][s.field]) + sum(s.units[s.enemy][s.field]) > MOST_UNITS:
        return None
    return _on_land(s)


def _on_land(s: Position) -> Odds:
    """Between rounds a new one begins; within a round the losses come first."""
    walls = s.city[s.field] == 2 and s.owner[s.field] == s.enemy
    own, foreign = _left(s, ATTACKER), _left(s, DEFENDER)
    if s.phase in (at.LINE, at.DECIDE) or (s.phase == at.LOSSES and s.side == ATTACKER):
        return battle_odds(_army(s, ATTACKER, own), _army(s, DEFENDER, foreign), walls)
    # The defender's answer is still to be thrown, with his full line (4.3).
    line = _counts(s.line[DEFENDER])
    answers = hit_chances(line, s.units[s.enemy][s.field][at.CATAPULT], sum(line) + wall_dice(s))
    parts = [
        (chance, battle_odds(_army(s, ATTACKER, _struck(s, hits)), _army(s, DEFENDER, foreign), walls))
        for hits, chance in enumerate(answers)
    ]
    return _mixed(parts)


def _counts(row: list[int]) -> Counts:
    return row[0], row[1], row[2]


def _army(s: Position, side: int, units: Counts) -> Army:
    return Army(*units, leaders=leaders(s, seat_of(s, side), s.field))


def _left(s: Position, side: int) -> Counts:
    """What a side has when the losses that are chosen and still to be chosen are gone."""
    units = list(s.units[seat_of(s, side)][s.field])
    if s.phase not in (at.LOSSES, at.ROLL):
        return _counts(units)
    choosing = s.phase == at.LOSSES and s.side == side
    need = s.need if choosing else 0
    for unit in CHEAPEST_FIRST:
        fallen = s.fallen[side][unit]
        if choosing and unit >= s.stage:
            fallen = min(need, s.line[side][unit])
            need -= fallen
        units[unit] -= fallen
    return _counts(units)


def _struck(s: Position, hits: int) -> Counts:
    """The attacker after so many hits on his line."""
    units = list(s.units[s.active][s.field])
    for unit in range(UNITS):
        fallen = min(hits, s.line[ATTACKER][unit])
        units[unit] -= fallen
        hits -= fallen
    return _counts(units)


def _mixed(parts: list[tuple[float, Odds]]) -> Odds:
    def of(name: str) -> float:
        return float(sum(chance * getattr(odds, name) for chance, odds in parts))

    return Odds(of("attacker"), of("defender"), of("both"), of("neither"), (), ())


def _at_sea(s: Position, box: Box) -> Odds | None:
    """What is still to sink is counted as sunk; with the defender first the order would matter."""
    if box.naval_defender_first == 1 or s.phase != at.SINK:
        return None
    own, foreign = galleys_in(s, s.active, s.field), galleys_in(s, s.enemy, s.field)
    if s.side == DEFENDER:
        own, foreign = own - s.hits[ATTACKER], foreign - s.need
    else:
        own -= s.need
    return sea_odds(max(own, 0), max(foreign, 0), SEA_ROUNDS - s.bout)
