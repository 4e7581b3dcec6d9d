"""Conquest of the Empire: who has attacked whom, for those who gave each other their word."""

from __future__ import annotations

from collections.abc import Sequence, Set

from ludus.core.sight import Sight

from . import layout as at
from .layout import CODES, NOBODY, PROVINCES, Box, Position
from .rules.board import alive, strength
from .rules.deals import answerer, proposer

Seen = Sight[Position, Box]

LONGEST = 5  # rounds for which a bot gives its word
STRONGER = 5, 4  # so much stronger is worth a peace
FAR = 3  # steps from which on nobody is a neighbour


def round_of(sight: Seen) -> int:
    return sight.s.round


def hostile(before: Seen, after: Seen) -> list[tuple[int, int]]:
    """Dice thrown in a battle, land taken, generals captured: attacks of the seat whose turn it is."""
    b, a = before.s, after.s
    active = b.active
    struck = {a.enemy} if a.bout and a.phase == at.ROLL and b.phase != at.ROLL else set()
    struck |= {b.owner[p] for p in range(PROVINCES) if a.owner[p] == active != b.owner[p]}
    struck |= {seat for seat in range(after.seats) if a.pending[seat] > b.pending[seat]}
    return [(active, seat) for seat in sorted(struck - {active, NOBODY})]


def bargained(before: Seen, after: Seen) -> tuple[int, int, bool] | None:
    """Whose offer was answered by whom, and whether with yes: a captive changes hands then."""
    b, a = before.s, after.s
    if b.phase != at.ANSWER or a.phase in (at.ANSWER, at.AMOUNT):
        return None
    return proposer(b), answerer(b), a.captives != b.captives


# -- what bots say, and whether they keep it ----------------------------------------------------------


def would_agree(sight: Seen, seat: int, other: int, rounds: int) -> tuple[bool, str]:
    """What a bot says to peace, and why: yes to who is stronger, or while somebody else is at its borders."""
    s, box = sight.s, sight.box
    living = [one for one in range(sight.seats) if alive(s, one)]
    if rounds > LONGEST:
        return False, "long"
    if STRONGER[1] * _power(s, box, other) >= STRONGER[0] * _power(s, box, seat):
        return True, "stronger"
    if len(living) == 2:
        return False, "last"
    if any(_reach(s, box, one, seat) <= 1 for one in living if one not in (seat, other)):
        return True, "war"
    if _reach(s, box, other, seat) > FAR:
        return True, "far"
    return False, "weaker"


def keep_word(sight: Seen, code: int, legal: Sequence[int], friends: Set[int]) -> int:
    """What a bot plays instead of an attack on somebody to whom it has given its word; the attack, where the
    rules leave it nothing else."""
    if not _attacked(sight, code) & friends:
        return code
    kind = CODES.kind(code)
    peaceful = [one for one in legal if not _attacked(sight, one) & friends]
    for wanted in ("halt", "end_combat", kind):
        for one in peaceful:
            if CODES.kind(one) == wanted:
                return one
    return code


def _attacked(sight: Seen, code: int) -> set[int]:
    """Whose land or army an action of movement or combat is aimed at."""
    s, (kind, args) = sight.s, CODES.split(code)
    if kind == "attack":
        return {args[1]}
    if kind in ("march", "voyage") and args[0] < PROVINCES:
        return {s.owner[args[0]], s.occupant[args[0]]} - {NOBODY, s.active}
    return set()


def _power(s: Position, box: Box, seat: int) -> int:
    """Land units, and those that the purse would buy."""
    units = sum(strength(s, seat, p) for p in range(PROVINCES))
    return units + s.talents[seat] // (box.base_price[at.INFANTRY] * max(1, s.price))


def _reach(s: Position, box: Box, seat: int, other: int) -> int:
    """How many steps the armies of a seat stand from the provinces of another."""
    armies = [p for p in range(PROVINCES) if strength(s, seat, p) > 0]
    lands = [p for p in range(PROVINCES) if s.owner[p] == other]
    return min((box.distance[p][q] for p in armies for q in lands), default=PROVINCES)
