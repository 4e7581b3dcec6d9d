"""Roma: what is told of an action, from what a seat saw before, its face, and what it sees after."""

from __future__ import annotations

from ludus.core.codes import label
from ludus.core.sight import Sight
from ludus.core.telling import Line, plain_line

from . import layout as at
from .layout import Box, Position

Seen = Sight[Position, Box]
Card = tuple[str, str]

NEWS = frozenset(
    (
        "log.activate",
        "log.lay",
        "log.lay_free",
        "log.copy",
        "log.block",
        "event.pays",
        "event.gains",
        "event.takes",
        "event.discarded",
        "event.discarded_together",
        "event.returned",
    )
)


def log(before: Seen, seat: int, kind: str, args: tuple[int, ...] | None, after: Seen) -> list[Line]:
    lines = _action(before, seat, kind, args, after)
    lines += _received(before, seat, args, after)
    lines += _cards_that_left(before, kind, after)
    lines += _points(before, kind, after)
    if before.s.deck_size < after.s.deck_size:
        lines.append(Line("event.remade", {"cards": sum(before.s.discard)}))
    if after.s.turn > before.s.turn:
        lines += _new_turn(before, after)
    if after.s.phase == at.ENDED:
        lines += _end(after)
    return lines


def _name(sight: Seen, card: int) -> Card:
    return ("card", label("card", card, sight.labels))


# -- the action itself --------------------------------------------------------------------------------


def _action(before: Seen, seat: int, kind: str, args: tuple[int, ...] | None, after: Seen) -> list[Line]:
    s = before.s
    if kind == "draw":
        if args is None:  # the others see only how many: the die said it
            return []
        key = "log.deal" if s.phase == at.DEAL else "log.draw"
        return [Line(key, {"seat": s.player, "card": _name(before, args[0])})]
    line = plain_line(at.CODES, before, s.player if kind in ("roll", "battle") else seat, kind, args)
    if kind == "place":
        line.fields["disc"] = _new_disc(before, after, seat)
    if args is None:
        return [line]
    if kind == "activate":
        line.fields["card"] = _name(before, s.board[seat][args[0]])
    elif kind == "target":
        line.fields["card"] = _name(before, s.board[1 - seat][args[0]])
    elif kind == "buy":
        line.fields["money"] = at.MERCATOR_PRICE * args[0]
    elif kind == "lay":
        return [_lay(before, line, args[0])]
    elif kind == "take" and s.phase == at.FETCH:
        return [Line("log.fetch", line.fields)]
    return [line]


def _lay(before: Seen, line: Line, card: int) -> Line:
    if before.s.phase == at.FREE_LAY:
        return Line("log.lay_free", line.fields)
    if before.s.phase == at.RELAY:
        return Line("log.lay_again", line.fields)
    return Line("log.lay", {**line.fields, "price": before.box.price[card]})


def _new_disc(before: Seen, after: Seen, seat: int) -> int:
    """Where a face-down card was put; the last one has been turned up already."""
    for disc in range(1, at.DISCS + 1):
        now = after.s.down[seat][disc] or after.s.board[seat][disc]
        if now and not before.s.down[seat][disc]:
            return disc
    return 0


# -- what follows from it -------------------------------------------------------------------------------


def _received(before: Seen, seat: int, args: tuple[int, ...] | None, after: Seen) -> list[Line]:
    """R2: when both have chosen, each seat learns what it was given; nobody else does."""
    me = after.seat
    if before.s.phase != at.PASS or after.s.phase == at.PASS or me < 0:
        return []
    lines = []
    for card in range(1, at.SIZE):
        number = after.s.hand[me][card] - before.s.hand[me][card]
        number += int(seat == me and args == (card,))  # the card that it has just given away itself
        lines += [Line("event.receives", {"seat": me, "card": _name(after, card)}) for _ in range(number)]
    return lines


def _cards_that_left(before: Seen, kind: str, after: Seen) -> list[Line]:
    """Cards that came to the discard pile, and one that went back to a hand."""
    s, t = before.s, after.s
    lines = []
    if s.effect == at.GLADIATOR and kind == "target":
        q = 1 - s.player
        disc = next(d for d in range(1, at.DISCS + 1) if s.board[q][d] != t.board[q][d])
        lines.append(Line("event.returned", {"seat": q, "card": _name(before, s.board[q][disc])}))
    if s.discard != t.discard:
        cards = [
            _name(before, card)
            for card in range(1, at.SIZE)
            for _ in range(t.discard[card] - s.discard[card])
        ]
        if len(cards) == 1:
            lines.append(Line("event.discarded", {"card": cards[0]}))
        elif cards:
            lines.append(Line("event.discarded_together", {"cards": cards}))
    if s.target and not t.target and not lines:  # a battle was fought and nothing was discarded
        lines.append(Line("event.stands", {"card": _name(before, s.board[1 - s.player][s.target])}))
    return lines


def _points(before: Seen, kind: str, after: Seen) -> list[Line]:
    """Points gained from the stock or taken from the opponent."""
    p = before.s.player
    gain = [after.s.points[q] - before.s.points[q] for q in range(at.SEATS)]
    if kind == "end" or before.s.phase <= at.BATTLE or gain[p] <= 0:
        return []
    if gain[1 - p] < 0:
        return [Line("event.takes", {"seat": p, "other_seat": 1 - p, "points": gain[p]})]
    return [Line("event.gains", {"seat": p, "points": gain[p]})]


def _new_turn(before: Seen, after: Seen) -> list[Line]:
    """Phase 1 happens by itself: who begins, and what the empty discs cost."""
    p = after.s.player
    lines = []
    if before.s.turn == 0:
        for q in range(at.SEATS):
            cards = [_name(after, card) for card in after.s.board[q] if card != at.NONE]
            lines.append(Line("event.turned_up", {"seat": q, "cards": cards}))
    lines.append(Line("event.turn", {"seat": p, "turn": after.s.turn}))
    paid = before.s.points[p] - after.s.points[p]
    if paid:
        lines.append(Line("event.pays", {"seat": p, "points": paid}))
    return lines


def _end(after: Seen) -> list[Line]:
    """R64, R69: why it is over; R67, R68: who has won."""
    s = after.s
    if 0 in s.points:
        cause = Line("event.no_points", {"seat": s.points.index(0)})
    elif s.stock == 0:
        cause = Line("event.no_stock", {})
    else:
        cause = Line("event.cap", {"turns": s.turn})
    fields = {"high": max(s.points), "low": min(s.points)}
    if s.points[0] == s.points[1]:
        return [cause, Line("event.draw", fields)]
    return [cause, Line("event.wins", {"seat": s.points.index(max(s.points)), **fields})]
