"""Founding cities, personages, the end of a turn and of the game."""

from .. import layout as at
from ..layout import (
    CITIZEN,
    COIN,
    ENDED,
    GALLEY,
    KING,
    LEADER,
    NAVIGATOR,
    NEXT,
    RONDEL,
    SCHOLAR,
    Box,
    Position,
)
from .goods import can_pay, charge, total_goods

# -- founding ---------------------------------------------------------------------------------------


def neighbours_making(s: Position, box: Box, token: int, r: int) -> int:
    """R12: neighbouring cities of the same resource, over any border and of either owner."""
    n = 0
    for k in range(box.near_n[r]):
        if s.makes[box.near[r][k]] == token:
            n += 1
    return n


def city_tax(s: Position, box: Box, token: int, r: int) -> int:
    """P4: one coin for each neighbouring city of the same resource."""
    return 0 if s.city_free == 1 else neighbours_making(s, box, token, r)


def may_found_at(s: Position, box: Box, r: int) -> bool:
    """R10: a site without a city and an own legion or galley there, no lone leader (R49); R57: disks may be
    limited."""
    p = s.active
    if box.site[r] == 0 or s.owner[r] != 0 or s.cities[p] >= box.max_cities:
        return False
    return s.army[p][0][r] > 0 or s.army[p][1][r] > 0


def can_found(s: Position, box: Box, token: int, r: int) -> bool:
    """R13: the token must be there.  The price in kind, or in coins, and the surcharge in coins."""
    if s.bank_tokens[token] == 0:
        return False
    p, tax = s.active, city_tax(s, box, token, r)
    if s.city_deal > 0:
        return s.goods[p][COIN] >= tax and total_goods(s, p) - tax >= s.city_deal - 1
    return can_pay(s, p, box.city_price[0], box.city_price[1], box.city_price[2], tax)


def legal_founding(s: Position, box: Box, out: list[int]) -> int:
    n = 0
    for r in range(box.regions):
        if may_found_at(s, box, r):
            for token in range(1, 4):
                if can_found(s, box, token, r):
                    out[n] = at.FOUND_AT + token * at.MAX_REGIONS + r
                    n += 1
    return n


def found(s: Position, box: Box, token: int, r: int) -> None:
    """R11: the next city counts this one among its neighbours."""
    p, tax = s.active, city_tax(s, box, token, r)
    if neighbours_making(s, box, token, r) > 0:
        s.city_free = 0  # a card is used up by a city that would have paid
    if s.city_deal > 0:
        charge(s, p, 0, 0, 0, tax)
        s.toll, s.lowest, s.city_deal = s.city_deal - 1, 0, 0
    else:
        charge(s, p, box.city_price[0], box.city_price[1], box.city_price[2], tax)
    s.owner[r], s.makes[r] = p + 1, token
    s.bank_tokens[token] -= 1
    s.cities[p] += 1


# -- personages ---------------------------------------------------------------------------------------


def score(s: Position, p: int) -> int:
    total = 0
    for kind in range(5):
        total += s.persons[p][kind]
    return total


def temples_of(s: Position, box: Box, p: int) -> int:
    """R54: temples owned on the board now."""
    n = 0
    for r in range(box.regions):
        if s.owner[r] == p + 1:
            n += s.temple[r]
    return n


def navigation(s: Position, box: Box, p: int) -> int:
    """P7: each region with an own galley counts 1, with the galley symbol 2.  V4: not the Admiral."""
    points = 0
    for r in range(box.regions):
        if s.army[p][GALLEY][r] > 0:
            points += box.nav[r]
    return points


def earned(s: Position, box: Box, p: int, kind: int) -> int:
    """R36: how many personages of a kind p has earned and does not hold yet.  R34: by cities of now,
    conquered ones too; P16: for no other reasons."""
    if kind == KING:
        return s.cities[p] // box.person_per[KING] - s.persons[p][KING]
    if kind == CITIZEN:
        return temples_of(s, box, p) // box.person_per[CITIZEN] - s.persons[p][CITIZEN]
    if kind == NAVIGATOR:
        return navigation(s, box, p) // box.person_per[NAVIGATOR] - s.persons[p][NAVIGATOR]
    return s.firsts if kind == SCHOLAR else s.razed


def gain_personages(s: Position, box: Box, p: int) -> int:
    """R35: all that was earned, as far as the stacks last; R51: nothing after the last one."""
    gained = 0
    room = box.goal - score(s, p)
    for kind in range(5):
        stack = box.stack[kind] - s.persons[0][kind] - s.persons[1][kind]
        number = min(max(0, earned(s, box, p, kind)), stack, room - gained)
        s.persons[p][kind] += number
        gained += number
    return gained


def end_turn(s: Position, box: Box) -> None:
    """P8, R37: personages at the end of the turn, walls for the symbols passed (R38), cards for the other."""
    p = s.active
    before = score(s, p)
    gained = gain_personages(s, box, p)
    s.main = NEXT
    if before + gained >= box.goal:  # R39, R51
        s.winner = p
        s.main = s.phase = ENDED
        return
    for mark in range(before + 1, before + gained + 1):
        s.walls[p] += box.wall_at[mark]
    s.picks = gained


def begin_turn(s: Position, box: Box) -> None:
    """R17: what stands in the recruitment box now can be armed this turn.  R40: a cap is an option.
    R52: what cards have put to work is over."""
    s.active = 1 - s.active
    p = s.active
    s.turns += 1
    s.main = RONDEL if s.turns <= box.turn_cap else ENDED
    s.ready[0], s.ready[1] = s.recruits[p][0], s.recruits[p][1]
    s.ready[LEADER] = 1 if box.leader_unit[p] > 0 and s.leader_at[p] == 0 else 0
    s.firsts = s.razed = s.taken = s.free_more = 0
    for k in range(5):
        s.fresh[k] = 0
    for r in range(box.regions):
        s.armed[r] = 0
    s.temple_deal = s.temple_free = s.arm_deal = s.veterans = s.know_deal = s.know_least = 0
    s.city_free = s.city_deal = 0
