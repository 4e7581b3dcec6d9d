"""DUELLUM: movement, battles, then conquests."""

from .. import layout as at
from ..layout import (
    ABANDON,
    CLASH,
    CONQUEST,
    DEFENCE_BONUS,
    DEST,
    FORCED,
    FORTRESS,
    FOUND,
    GALLEY,
    LEADER,
    LEGION,
    LOSSES,
    RES_PUBLICA,
    Box,
    Position,
)
from .units import battle, enter, forget_group, strength, to_recruits

# -- movement -------------------------------------------------------------------------------------


def legal_sends(s: Position, box: Box, out: list[int]) -> int:
    """Every group of equal units that has a step left, then the leader, then battles on demand."""
    p = s.active
    n = 0
    for unit in range(2):
        for r in range(box.regions):
            if s.army[p][unit][r] > 0:
                for steps in range(1, at.MAX_STEPS + 1):
                    if s.left[unit][steps][r] > 0:
                        out[n] = at.SEND + unit * at.SEND_UNIT + r * at.SEND_REGION + steps
                        n += 1
    if s.leader_left > 0:
        out[n] = at.LEAD
        n += 1
    return n if box.battle == FORCED else legal_clashes(s, box, out, n)


def send(s: Position, unit: int, r: int, steps: int) -> None:
    s.group_unit, s.group_from, s.group_steps = unit, r, steps
    s.phase = DEST


def lead(s: Position) -> None:
    send(s, LEADER, s.leader_at[s.active] - 1, s.leader_left)


def legal_ways(s: Position, box: Box, out: list[int]) -> int:
    """R24, R28: legions cross red borders, galleys blue ones; the whole group comes first."""
    r = s.group_from
    unit = box.leader_unit[s.active] - 1 if s.group_unit == LEADER else s.group_unit
    most = 1 if s.group_unit == LEADER else s.left[unit][s.group_steps][r]
    n = 0
    for k in range(box.way_n[unit][r]):
        for number in range(most, 0, -1):
            out[n] = at.TO + box.way[unit][r][k] * at.TO_REGION + number
            n += 1
    return n


def move(s: Position, box: Box, r: int, number: int) -> None:
    p = s.active
    unit, origin, steps = s.group_unit, s.group_from, s.group_steps - 1
    forget_group(s)
    if unit == LEADER:
        s.leader_at[p], s.leader_left = r + 1, steps
        enter(s, box, unit, r, 1, 0)
    else:
        s.left[unit][steps + 1][origin] -= number
        s.army[p][unit][origin] -= number
        s.army[p][unit][r] += number
        if steps > 0:
            s.left[unit][steps][r] += number
        enter(s, box, unit, r, number, steps)


def end_movement(s: Position, box: Box) -> None:
    """R29: conquest begins when all movement is done; steps that are left lapse."""
    for unit in range(2):
        for steps in range(1, at.MAX_STEPS + 1):
            for r in range(box.regions):
                s.left[unit][steps][r] = 0
    s.leader_left = 0
    s.main = CLASH if box.battle != FORCED and any_shared(s, box) else CONQUEST


# -- battles in shared regions, where they are on demand --------------------------------------------


def is_shared(s: Position, box: Box, unit: int, r: int) -> bool:
    return strength(s, box, 0, unit, r) > 0 and strength(s, box, 1, unit, r) > 0


def any_shared(s: Position, box: Box) -> bool:
    for unit in range(2):
        for r in range(box.regions):
            if is_shared(s, box, unit, r):
                return True
    return False


def legal_clashes(s: Position, box: Box, out: list[int], n: int) -> int:
    """R47: while units move and before conquest the active seat may fight in any shared region."""
    for unit in range(2):
        for r in range(box.regions):
            if is_shared(s, box, unit, r):
                out[n] = at.CLASH_AT + unit * at.MAX_REGIONS + r
                n += 1
    return n


def clash(s: Position, box: Box, unit: int, r: int) -> None:
    battle(s, box, unit, r, strength(s, box, s.active, unit, r), 0)
    if s.main == CLASH and not any_shared(s, box):
        s.main = CONQUEST


# -- conquest ---------------------------------------------------------------------------------------


def city_strength(s: Position, box: Box, r: int) -> int:
    """R30: 1, or 3 with a temple, and one for each defending unit, the wall and RES PUBLICA.

    C2: a defending leader adds one; it is no unit besides.  R23: RES PUBLICA as soon as it is developed.
    """
    q = s.owner[r] - 1
    total = (3 if s.temple[r] == 1 else 1) + s.wall[r] + s.know[q][RES_PUBLICA]
    total += s.army[q][LEGION][r] + s.army[q][GALLEY][r]
    return total + (1 if s.leader_at[q] == r + 1 else 0)


def units_needed(s: Position, box: Box, r: int) -> int:
    """R50: siege engines first, then the attacking leader (C2), then the Fortress."""
    need = city_strength(s, box, r)
    if s.siege[r] > 0:
        need = max(min(need, s.siege_least), need - s.siege[r])
    if s.leader_at[s.active] == r + 1:
        need -= 1
    return max(0, need) + s.fort[r]


def attackers(s: Position, r: int) -> int:
    return s.army[s.active][LEGION][r] + s.army[s.active][GALLEY][r]


def may_conquer(s: Position, box: Box, r: int) -> bool:
    """R29: no conquest of an enemy city is declared where strength is lacking.  R33: a last city may be
    protected."""
    if box.protect_last == 1 and s.cities[1 - s.active] == 1:
        return False
    return attackers(s, r) >= units_needed(s, box, r)


def legal_conquests(s: Position, box: Box, out: list[int]) -> int:
    n = 0
    for r in range(box.regions):
        if s.owner[r] == 2 - s.active and may_conquer(s, box, r):
            out[n] = at.CONQUER + r
            n += 1
    return n


def fortress_of(s: Position, box: Box, q: int) -> int:
    """The card with which q can answer a conquest, or -1."""
    for card in range(box.cards):
        if s.hand[q][card] > 0 and box.effect[card] == DEFENCE_BONUS:
            return card
    return -1


def conquer(s: Position, box: Box, r: int) -> None:
    """A conquest is declared; R45: the Fortress is the only answer to it."""
    s.target = r
    card = fortress_of(s, box, 1 - s.active)
    if card < 0:
        go_through(s, box)
    elif box.fortress_asks == 1:
        s.phase = FORTRESS
    else:
        fortify(s, box, card)
        go_through(s, box)


def legal_fortress(s: Position, box: Box, out: list[int]) -> int:
    q = 1 - s.active
    n = 0
    for card in range(box.cards):
        if s.hand[q][card] > 0 and box.effect[card] == DEFENCE_BONUS:
            out[n] = at.PLAY_CARD + card
            n += 1
    out[n] = at.HOLD
    return n + 1


def fortify(s: Position, box: Box, card: int) -> None:
    """R55: the city counts more until the manoeuvre ends."""
    s.hand[1 - s.active][card] -= 1
    s.discard[card] += 1
    s.fort[s.target] += box.amount[card]


def answer_conquest(s: Position, box: Box, card: int) -> None:
    """The defender plays a Fortress, or (-1) none."""
    if card >= 0:
        fortify(s, box, card)
        if fortress_of(s, box, 1 - s.active) >= 0:
            s.phase = FORTRESS
            return
    go_through(s, box)


def go_through(s: Position, box: Box) -> None:
    """R55: a declared conquest that still suffices goes through; if not, nothing happens."""
    r = s.target
    need = units_needed(s, box, r)
    if attackers(s, r) < need:
        s.target = 0
    elif least_legions(s, r, need) == most_legions(s, r, need):
        take_city(s, box, least_legions(s, r, need))
    else:
        s.phase = LOSSES


def least_legions(s: Position, r: int, need: int) -> int:
    return max(0, need - s.army[s.active][GALLEY][r])


def most_legions(s: Position, r: int, need: int) -> int:
    return min(need, s.army[s.active][LEGION][r])


def legal_losses(s: Position, box: Box, out: list[int]) -> int:
    """R30: the attacker chooses of which kinds the units are that go back."""
    need = units_needed(s, box, s.target)
    low, high = least_legions(s, s.target, need), most_legions(s, s.target, need)
    for number in range(high, low - 1, -1):
        out[high - number] = at.LOSE + number
    return high - low + 1


def take_city(s: Position, box: Box, legions: int) -> None:
    """R30, R31: exactly the strength of the city goes back, all defending units, temple and wall.  R32: no
    unit need stay."""
    r, p, q = s.target, s.active, 1 - s.active
    galleys = units_needed(s, box, r) - legions
    to_recruits(s, p, LEGION, r, legions)
    to_recruits(s, p, GALLEY, r, galleys)
    to_recruits(s, q, LEGION, r, s.army[q][LEGION][r])
    to_recruits(s, q, GALLEY, r, s.army[q][GALLEY][r])
    s.walls[q] += s.wall[r]
    s.wall[r] = 0
    s.razed += s.temple[r]
    s.bank_temples += s.temple[r]
    s.temple[r] = 0
    s.owner[r] = p + 1
    s.cities[p] += 1
    s.cities[q] -= 1
    s.taken += 1
    if s.cities[p] > box.max_cities:
        s.phase = ABANDON
    else:
        s.target = 0


def legal_abandons(s: Position, box: Box, out: list[int]) -> int:
    """R59: one of the cities owned before, for the disk of the new one."""
    n = 0
    for r in range(box.regions):
        if s.owner[r] == s.active + 1 and r != s.target:
            out[n] = at.ABANDON_CITY + r
            n += 1
    return n


def abandon(s: Position, r: int) -> None:
    """R59: the token and a temple go to the bank, a wall to the own supply; units stay."""
    p = s.active
    s.bank_tokens[s.makes[r]] += 1
    s.bank_temples += s.temple[r]
    s.walls[p] += s.wall[r]
    s.owner[r] = s.makes[r] = s.temple[r] = s.wall[r] = 0
    s.cities[p] -= 1
    s.target = 0


def end_manoeuvre(s: Position, box: Box) -> None:
    """R41, R42: one card for all cities lost, taken now."""
    for r in range(box.regions):
        s.siege[r] = s.fort[r] = 0
    s.siege_least = 0
    s.picks = 1 if s.taken > 0 else 0
    s.main = FOUND
