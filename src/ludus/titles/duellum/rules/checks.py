"""Invariants: what is true of every position."""

from .. import layout as at
from ..layout import ENDED, FORCED, LEADER, MOVE, Box, Position
from .turn import score


def check(s: Position, box: Box) -> int:
    """0, or the number of the invariant that is broken (words: `invariant.N`)."""
    for p in range(2):
        for unit in range(2):
            if units_of(s, box, p, unit) != box.pieces[unit]:
                return 1
    broken = check_bank(s, box)
    if broken == 0:
        broken = check_cities(s, box)
    if broken == 0:
        broken = check_armies(s, box)
    if broken == 0:
        broken = check_cards(s, box)
    return broken if broken > 0 else check_turn(s, box)


def units_of(s: Position, box: Box, p: int, unit: int) -> int:
    total = s.supply[p][unit] + s.recruits[p][unit]
    for r in range(box.regions):
        total += s.army[p][unit][r]
    return total


def check_bank(s: Position, box: Box) -> int:
    """2: coins are neither made nor lost.  3: nobody owes, nothing is below zero."""
    if s.bank_coins + s.goods[0][at.COIN] + s.goods[1][at.COIN] != box.coins:
        return 2
    low = min(s.bank_coins, s.bank_temples)
    for p in range(2):
        for good in range(4):
            low = min(low, s.goods[p][good])
        for unit in range(2):
            low = min(low, s.supply[p][unit], s.recruits[p][unit])
        low = min(low, s.walls[p])
    for token in range(1, 4):
        low = min(low, s.bank_tokens[token])
    return 3 if low < 0 else 0


def check_cities(s: Position, box: Box) -> int:
    """4: cities stand on sites with a token.  5: tokens and temples add up.  6: counted cities.
    7: temples and walls stand in cities, walls are as many as the score gave."""
    temples = 0
    for p in range(2):
        n = 0
        walls = s.walls[p]
        for r in range(box.regions):
            if s.owner[r] == p + 1:
                n += 1
                walls += s.wall[r]
        if n != s.cities[p]:
            return 6
        if s.winner < 0 and walls != walls_for(s, box, p):
            return 7
    for r in range(box.regions):
        if (s.owner[r] > 0) != (s.makes[r] > 0) or (s.owner[r] > 0 and box.site[r] == 0):
            return 4
        if s.owner[r] == 0 and (s.temple[r] > 0 or s.wall[r] > 0):
            return 7
        temples += s.temple[r]
    for token in range(1, 4):
        n = s.bank_tokens[token]
        for r in range(box.regions):
            n += 1 if s.makes[r] == token else 0
        if n != box.tokens[token]:
            return 5
    return 0 if temples + s.bank_temples == box.temples else 5


def walls_for(s: Position, box: Box, p: int) -> int:
    total = 0
    for mark in range(score(s, p) + 1):
        total += box.wall_at[mark]
    return total


def check_armies(s: Position, box: Box) -> int:
    """8: legions stand only by red borders, galleys only by blue ones.  9: where battles are forced,
    units of one kind never share a region with enemies of that kind, leaders aside (V5)."""
    for unit in range(2):
        for r in range(box.regions):
            if s.army[0][unit][r] < 0 or s.army[1][unit][r] < 0:
                return 3
            if box.way_n[unit][r] == 0 and s.army[0][unit][r] + s.army[1][unit][r] > 0:
                return 8
            if box.battle == FORCED and s.army[0][unit][r] > 0 and s.army[1][unit][r] > 0:
                return 9
    return 0


def check_cards(s: Position, box: Box) -> int:
    """10: no event card is made or lost.  11: no more personages than their stacks have, and the
    winner is who has enough of them."""
    for card in range(box.cards):
        n = s.deck[card] + s.display[card] + s.discard[card] + s.hand[0][card] + s.hand[1][card]
        if n != box.copies[card]:
            return 10
    for kind in range(5):
        if s.persons[0][kind] + s.persons[1][kind] > box.stack[kind]:
            return 11
    for p in range(2):
        if (score(s, p) >= box.goal) != (s.winner == p):
            return 11
    return 0


def check_turn(s: Position, box: Box) -> int:
    """12: steps left belong to units that are there.  13: debts and questions are open only while
    they are asked.  14: no more units can be armed than stand in the box."""
    p = s.active
    for unit in range(2):
        if s.ready[unit] < 0 or s.ready[unit] > s.recruits[p][unit]:
            return 14
        for r in range(box.regions):
            moving = s.left[unit][1][r] + s.left[unit][2][r] + s.left[unit][3][r]
            if moving > s.army[p][unit][r] or min(s.left[unit][1][r], s.left[unit][2][r]) < 0:
                return 12
            if s.left[unit][0][r] != 0 or (moving > 0 and s.main != MOVE):
                return 12
    if s.leader_left > 0 and (s.leader_at[p] == 0 or s.main != MOVE):
        return 12
    if s.ready[LEADER] > 0 and (box.leader_unit[p] == 0 or s.leader_at[p] > 0):
        return 14
    return 13 if s.phase <= ENDED and (s.phase != s.main or is_asked(s)) else 0


def is_asked(s: Position) -> bool:
    """Whether anything is left of a small question."""
    if s.due[0] + s.due[1] + s.due[2] + s.toll + s.take_left + s.ask + s.refill > 0:
        return True
    if s.lowest + s.give_left + s.gave + s.swap + s.target + s.card > 0:
        return True
    return s.group_unit + s.group_from + s.group_steps + s.group_size > 0
