"""Conquest of the Empire: the story, from what a seat saw before an action and what it sees after."""

from __future__ import annotations

from ludus.core.sight import Sight
from ludus.core.telling import Line, plain_line

from . import layout as at
from .layout import CODES, NOBODY, PROVINCES, Box, Position
from .naming import along, cargo, fields_of, place, stretch
from .rules.board import FIRST_MARK, SECOND_MARK

Seen = Sight[Position, Box]

NEWS = frozenset(
    (
        "log.abdicate",
        "log.battle",
        "log.attack",
        "log.withdraw",
        "log.raze",
        "log.found",
        "log.acclaim",
        "event.conquers",
        "event.both_gone",
        "event.falls",
        "event.leaves",
        "event.captured",
        "event.inflation_announced",
        "event.inflation",
    )
)


def log(before: Seen, seat: int, kind: str, args: tuple[int, ...] | None, after: Seen) -> list[Line]:
    lines = [plain_line(CODES, before, seat, kind, args)]
    if args is not None:
        lines[0].fields.update(fields_of(before, kind, args), payer_seat=before.s.payer)
    if kind == "roll":
        lines[0].fields["seat"] = _thrower(before.s)
    if kind == "march" and (legion := along(before)):
        lines[0] = Line("log.march_with", {**lines[0].fields, "legion": legion})
    lines += _dice_lines(before, after)
    lines += _province_lines(before, after)
    lines += _seat_lines(before, after)
    lines += _turn_lines(before, after)
    return lines


def _thrower(s: Position) -> int:
    """Whose dice are thrown."""
    if s.dice_for == at.FOR_PURSUIT:
        return s.winner_here
    return s.active if s.dice_for in (at.FOR_ATTACK, at.FOR_SEA_ATTACK) else s.enemy


def _dice_lines(before: Seen, after: Seen) -> list[Line]:
    """What a whole throw came to."""
    b, a = before.s, after.s
    if b.phase != at.ROLL or b.dice != 1:
        return []
    purpose, thrower = b.dice_for, _thrower(b)
    if purpose == at.FOR_PURSUIT:
        lost = sum(b.units[b.loser][b.field]) - sum(a.units[b.loser][b.field])
        hits = a.need if a.phase == at.VICTIMS else max(lost, 0)
        return [Line("event.pursuit", {"seat": thrower, "hits": hits})]
    attack = purpose in (at.FOR_ATTACK, at.FOR_SEA_ATTACK)
    struck = at.DEFENDER if attack else at.ATTACKER
    if a.bout == b.bout and a.field == b.field:
        return [Line("event.hits", {"seat": thrower, "hits": a.hits[struck]})]
    return []


def _province_lines(before: Seen, after: Seen) -> list[Line]:
    b, a, names = before.s, after.s, after.labels["area"]
    fallen = [p for p in range(after.seats) if b.emperor[p] >= 0 and a.emperor[p] < 0]
    lines = []
    for p in range(PROVINCES):
        taken = a.owner[p] not in (NOBODY, b.owner[p]) and b.owner[p] not in fallen
        if taken and b.phase not in _SET_UP:
            lines.append(Line("event.conquers", {"seat": a.owner[p], **place(names[p])}))
        if b.bout and b.field == p and a.bout == 0:
            lost = [q for q in range(after.seats) if sum(b.units[q][p]) > 0 and sum(a.units[q][p]) == 0]
            if len(lost) == 2:
                lines.append(Line("event.both_gone", place(names[p])))
    return lines


def _seat_lines(before: Seen, after: Seen) -> list[Line]:
    b, a = before.s, after.s
    lines = []
    for seat in range(after.seats):
        if b.emperor[seat] >= 0 and a.emperor[seat] < 0:
            heirs = [q for q in range(after.seats) if a.colours[q] > b.colours[q]]
            if heirs:
                lines.append(Line("event.falls", {"seat": seat, "heir_seat": heirs[0]}))
            else:
                lines.append(Line("event.leaves", {"seat": seat}))
        if a.pending[seat] > b.pending[seat]:
            number = a.pending[seat] - b.pending[seat]
            lines.append(Line("event.captured", {"seat": a.captor, "number": number, "owner_seat": seat}))
    if a.phase in (at.RAZE, at.BUY) and b.phase not in (at.RAZE, at.BUY):
        gain = a.talents[a.active] - b.talents[a.active]
        lines.append(Line("event.tribute", {"seat": a.active, "talents": gain}))
    return lines


def _turn_lines(before: Seen, after: Seen) -> list[Line]:
    b, a = before.s, after.s
    lines = []
    for step in range(2):
        if b.countdown[step] == 0 and a.countdown[step] > 0:
            fields = {"seat": a.trigger[step], "mark": (FIRST_MARK, SECOND_MARK)[step], "times": step + 2}
            lines.append(Line("event.inflation_announced", fields))
    if a.price > b.price:
        lines.append(Line("event.inflation", {"times": a.price}))
    if a.phase == at.ENDED and b.phase != at.ENDED:
        if a.winner == NOBODY:
            lines.append(Line("event.capped", {}))
        else:
            key = "event.acclaimed" if a.ended == at.ACCLAIMED else "event.last_emperor"
            lines.append(Line(key, {"seat": a.winner}))
    elif a.phase == at.MOVE and (a.active != b.active or a.round != b.round or b.phase in _SET_UP):
        lines.append(Line("event.turn", {"seat": a.active, "round": a.round}))
    return lines


def choice_line(sight: Seen, code: int) -> Line:
    """What an action is called where it can be chosen."""
    kind, args = CODES.split(code)
    fields = {**plain_line(CODES, sight, sight.to_move, kind, args).fields, **fields_of(sight, kind, args)}
    if kind in ("sail", "sink") and (held := cargo(sight, args[0])):
        return Line(f"said.{kind}_laden", {**fields, "cargo": held})
    if kind == "launch" and args[1]:
        return Line("said.launch_coast", {**fields, "seas": stretch(sight, *args)})
    return Line(f"action.{kind}", fields)


_SET_UP = (at.DRAW_HOME, at.CHOOSE_HOME)
