"""Units: the recruitment box, losses, battles of one unit against one."""

from ..layout import FORCED, LEADER, ON_DEMAND, Box, Position


def leader_is(s: Position, box: Box, p: int, unit: int, r: int) -> bool:
    """Whether the Admiral or General of p stands in a region and moves as this unit."""
    return s.leader_at[p] == r + 1 and box.leader_unit[p] == unit + 1


def strength(s: Position, box: Box, p: int, unit: int, r: int) -> int:
    """How many units of a kind p can lose in a battle there, the leader included."""
    return s.army[p][unit][r] + (1 if leader_is(s, box, p, unit, r) else 0)


def to_recruits(s: Position, p: int, unit: int, r: int, number: int) -> None:
    """R53: lost units go to the recruitment box, never back to the supply."""
    s.army[p][unit][r] -= number
    s.recruits[p][unit] += number


def lose_in_battle(s: Position, box: Box, p: int, unit: int, r: int, number: int) -> None:
    """V3: the leader is lost only after all units of its kind that stand with it."""
    ordinary = min(number, s.army[p][unit][r])
    to_recruits(s, p, unit, r, ordinary)
    if ordinary < number:
        s.leader_at[p] = 0


def forget_steps(s: Position, unit: int, steps: int, r: int, number: int) -> None:
    """R26: units of the active seat are gone: those with so many steps first, then the most tired."""
    gone = min(number, s.left[unit][steps][r])
    s.left[unit][steps][r] -= gone
    standing = s.left[unit][1][r] + s.left[unit][2][r] + s.left[unit][3][r]
    for tired in range(1, 4):
        more = min(max(0, standing - s.army[s.active][unit][r]), s.left[unit][tired][r])
        s.left[unit][tired][r] -= more
        standing -= more


def battle(s: Position, box: Box, unit: int, r: int, size: int, steps: int) -> None:
    """R25: the entering group and the enemy units of its kind are exchanged one for one."""
    p, q = s.active, 1 - s.active
    lost = min(size, strength(s, box, q, unit, r))
    lose_in_battle(s, box, q, unit, r, lost)
    lose_in_battle(s, box, p, unit, r, lost)
    forget_steps(s, unit, steps, r, lost)
    if s.leader_at[p] == 0:
        s.leader_left = 0


def enter(s: Position, box: Box, unit: int, r: int, size: int, steps: int) -> None:
    """R27: a group has moved into a region and meets the enemies of its kind there, the leader included."""
    kind = box.leader_unit[s.active] - 1 if unit == LEADER else unit
    if strength(s, box, 1 - s.active, kind, r) > 0:
        meet(s, box, kind, r, size, steps)


def stand_ready(s: Position, box: Box, unit: int, r: int) -> None:
    """R19: a unit was armed in a region and meets the enemy units of its kind there.

    V5: leaders are lost in movement only, so none is met here, and a leader that was armed meets nobody.
    """
    if unit != LEADER and s.army[1 - s.active][unit][r] > 0:
        meet(s, box, unit, r, 1, 0)


def meet(s: Position, box: Box, unit: int, r: int, size: int, steps: int) -> None:
    """C3, R47: in Antike Duellum enemies fight at once; where battles are on demand the mover is asked
    first, then the other seat."""
    if box.battle == FORCED:
        battle(s, box, unit, r, size, steps)
    else:
        s.ask, s.target, s.group_unit, s.group_size, s.group_steps = 1, r, unit, size, steps


def answer_battle(s: Position, box: Box, fights: bool) -> None:
    """R47: the mover says whether he fights; if not, the other seat may want to."""
    asked = s.ask
    s.ask = 0
    if fights:
        battle(s, box, s.group_unit, s.target, s.group_size, s.group_steps)
    elif asked == 1 and box.battle == ON_DEMAND:
        s.ask = 2
    if s.ask == 0:
        forget_group(s)


def forget_group(s: Position) -> None:
    s.target = s.group_unit = s.group_from = s.group_size = s.group_steps = 0
