"""Phase 6: captive generals come back by agreement, gifts, and acclamation (sections 5, 9, 12)."""

from .. import layout as at
from ..layout import (
    AMOUNT,
    ANSWER,
    DEAL,
    EXCHANGE,
    GIFT,
    MAX_FIVES,
    NO_OFFER,
    RANSOM,
    RELEASE,
    VOTE,
    Box,
    Position,
)
from .board import alive, come_home, home_is_open, home_of
from .turn import acclaim, next_living, next_turn


def start_deals(s: Position, box: Box) -> None:
    """12.14: who waits off the board comes home first.  12.4: one offer a captive."""
    seat = s.active
    if s.waiting[seat] > 0 and home_is_open(s, box, seat):
        s.generals[seat][home_of(s, box, seat)] += s.waiting[seat]
        s.waiting[seat] = 0
    for other in range(box.seats):
        s.open_own[other] = s.captives[other][seat]
        s.open_held[other] = s.captives[seat][other]
    s.phase, s.offer = DEAL, NO_OFFER
    if box.acclamation == 0 and not can_deal(s, box):
        next_turn(s, box)


def can_deal(s: Position, box: Box) -> bool:
    for other in range(box.seats):
        if may_ransom(s, box, other) or may_release(s, box, other) or may_give(s, box, other):
            return True
    return False


def may_ransom(s: Position, box: Box, other: int) -> bool:
    """5.5, 12.4: one's own general whom the other holds; the home must be open (5.6)."""
    return s.open_own[other] > 0 and home_is_open(s, box, s.active)


def may_release(s: Position, box: Box, other: int) -> bool:
    """5.5: the captor may offer too."""
    return s.open_held[other] > 0 and home_is_open(s, box, other)


def may_give(s: Position, box: Box, other: int) -> bool:
    """9.2, only with free_gifts: once a turn to each seat."""
    if box.free_gifts == 0 or other == s.active or not alive(s, other):
        return False
    return (s.gifts >> other) & 1 == 0 and s.talents[s.active] >= 5


def legal_deal(s: Position, box: Box, out: list[int]) -> int:
    out[0] = at.END_TURN
    n = 1
    for other in range(box.seats):
        ransom, release = may_ransom(s, box, other), may_release(s, box, other)
        if ransom:
            out[n] = at.OFFER_RANSOM + other
            n += 1
        if release:
            out[n] = at.OFFER_RELEASE + other
            n += 1
        if ransom and release:
            out[n] = at.OFFER_EXCHANGE + other
            n += 1
        if may_give(s, box, other):
            out[n] = at.OFFER_GIFT + other
            n += 1
    if box.acclamation == 1:
        out[n] = at.ACCLAIM
        n += 1
    return n


def make_offer(s: Position, kind: int, other: int) -> None:
    s.offer, s.partner, s.fives = kind, other, 0
    if kind == RANSOM or kind == EXCHANGE:
        s.open_own[other] -= 1
    if kind == RELEASE or kind == EXCHANGE:
        s.open_held[other] -= 1
    if kind == GIFT:
        s.gifts = s.gifts | (1 << other)
    s.phase = ANSWER if kind == EXCHANGE else AMOUNT


def payer(s: Position) -> int:
    """Who pays the talents of the present offer."""
    return s.partner if s.offer == RELEASE else s.active


def legal_amount(s: Position, out: list[int]) -> int:
    """12.4: in fives, at most what the payer has; nothing at all for a promise."""
    n = 0
    for fives in range(1 if s.offer == GIFT else 0, min(MAX_FIVES, s.talents[payer(s)] // 5) + 1):
        out[n] = at.FIVES + fives
        n += 1
    return n


def name_amount(s: Position, box: Box, fives: int) -> None:
    s.fives = fives
    if s.offer == GIFT:
        s.talents[s.active] -= 5 * fives
        s.talents[s.partner] += 5 * fives
        back_to_deals(s, box)
    else:
        s.phase = ANSWER


def back_to_deals(s: Position, box: Box) -> None:
    s.phase, s.offer, s.partner, s.fives = DEAL, NO_OFFER, 0, 0
    if box.acclamation == 0 and not can_deal(s, box):
        next_turn(s, box)


def answer(s: Position, box: Box, accepted: bool) -> None:
    """5.5: talents and generals change hands at once; 12.4: refused is closed for this turn."""
    seat, other = s.active, s.partner
    if accepted:
        s.talents[payer(s)] -= 5 * s.fives
        s.talents[other if payer(s) == seat else seat] += 5 * s.fives
        if s.offer == RANSOM or s.offer == EXCHANGE:
            s.captives[other][seat] -= 1
            come_home(s, box, seat, 1)
        if s.offer == RELEASE or s.offer == EXCHANGE:
            s.captives[seat][other] -= 1
            come_home(s, box, other, 1)
    back_to_deals(s, box)


# -- acclamation --------------------------------------------------------------------------------------


def propose(s: Position, box: Box) -> None:
    """9.4, 12.5: once a turn, as its last act; all other living players are asked in turn."""
    s.phase, s.partner = VOTE, next_living(s, box, s.active)


def vote(s: Position, box: Box, agreed: bool) -> None:
    if not agreed:
        next_turn(s, box)
        return
    s.partner = next_living(s, box, s.partner)
    if s.partner == s.active:
        acclaim(s, s.active)
