"""What a turn of Conquest of the Empire could be after: a province where an enemy army stands, or a place
where one's own armies gather.

A great army is beaten by several legions that come from all sides in one turn; the first of them, taken by
itself, marches to its death, so a look at the next action or two never sends it.  A plan that is after a
province values every unit that comes there; whether the battle was worth it is judged by what follows it.
"""

from .layout import LEGION, MUSTER, NOBODY, PROVINCES, SAIL, Box, Position
from .rules.board import hostile, leaders, strength
from .value import army, battle_gain, legion_in_hand, might, threat

COME = 110  # a unit that stands where it is wanted: more than anything else promises to it
ON_THE_WAY = 80  # one that is about to step there
GATHERED = 45  # the same where no enemy stands
ENOUGH = 140  # per cent of the enemy's strength
WORTH_A_TRY = 60
EMPEROR = 400  # per cent more


def aims(s: Position, box: Box, seat: int, out: list[int]) -> int:
    """Enemy armies that legions of the seat can reach from next to them, the weakest first and emperors
    before all; then where the seat could gather: its largest army and, if he is in danger, its emperor."""
    n = 0
    for p in range(PROVINCES):
        if promise(s, box, seat, p) >= WORTH_A_TRY:
            out[n] = p
            n += 1
    for place in range(n):
        best = place
        for k in range(place + 1, n):
            if promise(s, box, seat, 0 + out[k]) > promise(s, box, seat, 0 + out[best]):
                best = k
        p = out[best]
        out[best] = out[place]
        out[place] = p
    return gathering(s, box, seat, out, n)


def promise(s: Position, box: Box, seat: int, p: int) -> int:
    """Per cent of an enemy army's strength that can attack it in one turn; -1 where no enemy army stands."""
    if not hostile(s, seat, p):
        return -1
    d = 0 + s.occupant[p]
    own = 0
    for i in range(box.near_count[p]):
        q = 0 + box.near[p][i]
        if s.occupant[q] == seat and leaders(s, seat, q) > 0:
            own += min(army(s, seat, q), LEGION * leaders(s, seat, q))
    foreign = max(1, might(army(s, d, p), leaders(s, d, p)))
    if s.city[p] == 2:
        foreign += foreign // 2
    found = min(200, 100 * own // foreign)
    return found + EMPEROR if s.emperor[d] == p and found >= WORTH_A_TRY else found


def gathering(s: Position, box: Box, seat: int, out: list[int], n: int) -> int:
    best, most = NOBODY, 0
    for p in range(PROVINCES):
        if s.occupant[p] == seat and leaders(s, seat, p) > 0 and army(s, seat, p) > most:
            best, most = p, army(s, seat, p)
    if best != NOBODY:
        out[n] = best
        n += 1
    p = 0 + s.emperor[seat]
    if 0 <= p < PROVINCES and p != best:
        worst = 0
        for other in range(box.seats):
            if other != seat:
                worst = max(worst, threat(s, box, other, p))
        if worst > 0:
            out[n] = p
            n += 1
    return n


def urge(s: Position, box: Box, seat: int, aim: int) -> int:
    """What a position is worth beyond its value to who is after a province: while units move."""
    if s.active != seat or s.phase > SAIL:
        return 0
    here, coming = army(s, seat, aim), 0
    if s.phase == MUSTER and s.here != aim and box.march[s.here][aim] == 1 and s.leader_points > 0:
        coming = legion_in_hand(s, False)
    if not hostile(s, seat, aim):
        return GATHERED * here + GATHERED * 3 // 4 * coming
    d = 0 + s.occupant[aim]
    enough = 2 + might(army(s, d, aim), leaders(s, d, aim)) * ENOUGH // 100
    total = COME * min(here, enough)
    total += ON_THE_WAY * max(0, min(coming, enough - here))
    if strength(s, seat, aim) > 0:
        total -= min(0, battle_gain(s, box, aim, 0))  # not what this first legion would lose alone
    return total
