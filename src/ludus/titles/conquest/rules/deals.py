"""Phase 6: captive generals come back by agreement, gifts, and acclamation (sections 5, 9, 12)."""

from .. import layout as at
from ..layout import (
    AMOUNT,
    ANSWER,
    DEAL,
    EXCHANGE,
    GIFT,
    MAX_FIVES,
    NOBODY,
    RANSOM,
    RELEASE,
    VOTE,
    Box,
    Position,
)
from .board import alive, come_home, home_is_open, home_of
from .turn import acclaim, clear_offer, next_living, next_turn


def start_deals(s: Position, box: Box) -> None:
    """12.14: who waits off the board comes home first.  12.4: one offer a captive."""
    seat = s.active
    if home_is_open(s, box, seat):
        s.generals[seat][home_of(s, box, seat)] += s.waiting[seat]
        s.waiting[seat] = 0
    for other in range(box.seats):
        s.open_own[other] = s.captives[other][seat]
        s.open_held[other] = s.captives[seat][other]
    s.phase = DEAL
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
        if may_ransom(s, box, other):
            out[n] = at.OFFER_RANSOM + other
            n += 1
        if may_release(s, box, other):
            out[n] = at.OFFER_RELEASE + other
            n += 1
        if may_give(s, box, other):
            out[n] = at.OFFER_GIFT + other
            n += 1
    if box.acclamation == 1:
        out[n] = at.ACCLAIM
        n += 1
    return n


# -- an offer and its terms ---------------------------------------------------------------------------


def make_offer(s: Position, kind: int, other: int) -> None:
    """5.5: one asks for a general of one's own, or offers the other a general of his (or a gift)."""
    s.opened, s.partner = kind, other
    if kind == RANSOM:
        s.open_own[other] -= 1
    elif kind == RELEASE:
        s.open_held[other] -= 1
    else:
        s.gifts = s.gifts | (1 << other)
    begin_terms(s)


def begin_terms(s: Position) -> None:
    """Whoever names the terms begins with the one general that the offer is about."""
    s.phase, s.offer, s.fives = AMOUNT, s.opened, 0
    s.gets = s.active if s.opened == RANSOM else NOBODY
    s.gives = s.partner if s.opened == RELEASE else NOBODY
    s.payer = s.partner if s.opened == RELEASE else s.active


def proposer(s: Position) -> int:
    """Who names the present terms: the active seat, or the other with a counter-offer."""
    return s.partner if s.countered == 1 else s.active


def answerer(s: Position) -> int:
    return s.active if s.countered == 1 else s.partner


def may_exchange(s: Position, box: Box, owner: int) -> bool:
    """5.5: against any captive general that the other side holds, a third player's too.

    Captive, then who pays, then how much: order means nothing here.
    """
    if s.offer == GIFT or s.offer == EXCHANGE or s.payer != usual_payer(s):
        return False
    if s.captives[holder_of_more(s)][owner] == 0:
        return False
    comes_home = owner == s.active or owner == s.partner  # else he only changes captors
    return not comes_home or home_is_open(s, box, owner)


def holder_of_more(s: Position) -> int:
    """Who holds the general that can be added to the one whom the offer is about."""
    return s.active if s.opened == RANSOM else s.partner


def exchange(s: Position, owner: int) -> None:
    s.offer = EXCHANGE
    if s.opened == RANSOM:
        s.gives = owner
    else:
        s.gets = owner


def usual_payer(s: Position) -> int:
    """Whoever gets the general that the offer is about."""
    return s.partner if s.opened == RELEASE else s.active


def other_payer(s: Position) -> int:
    return s.active if s.payer == s.partner else s.partner


def may_reverse(s: Position) -> bool:
    """5.5: talents may be added on either side."""
    return s.offer != GIFT and s.payer == usual_payer(s) and s.talents[other_payer(s)] >= 5


def reverse(s: Position) -> None:
    s.payer = other_payer(s)


def legal_terms(s: Position, box: Box, out: list[int]) -> int:
    """12.4: in fives, at most what the payer has; nothing at all for a promise."""
    n = 0
    least = 1 if s.offer == GIFT or s.payer != usual_payer(s) else 0
    for fives in range(least, min(MAX_FIVES, s.talents[s.payer] // 5) + 1):
        out[n] = at.FIVES + fives
        n += 1
    for owner in range(box.seats):
        if may_exchange(s, box, owner):
            out[n] = at.ADD_CAPTIVE + owner
            n += 1
    if may_reverse(s):
        out[n] = at.REVERSE
        n += 1
    return n


def name_amount(s: Position, box: Box, fives: int) -> None:
    s.fives = fives
    if s.offer == GIFT:
        pay_talents(s)
        back_to_deals(s, box)
    else:
        s.phase = ANSWER


# -- the answer -----------------------------------------------------------------------------------------


def legal_answers(s: Position, out: list[int]) -> int:
    """12.4: one counter-offer, and no counter to that."""
    out[0], out[1] = at.ACCEPT, at.REFUSE
    if s.countered == 1:
        return 2
    out[2] = at.COUNTER
    return 3


def counter(s: Position) -> None:
    """12.4: the other names terms of his own for the same general."""
    s.countered = 1
    begin_terms(s)


def answer(s: Position, box: Box, accepted: bool) -> None:
    """5.5: talents and generals change hands at once; 12.4: refused is closed for this turn."""
    if accepted:
        pay_talents(s)
        if s.gets != NOBODY:
            hand_over(s, box, s.partner, s.active, s.gets)
        if s.gives != NOBODY:
            hand_over(s, box, s.active, s.partner, s.gives)
        close_gone(s, box)
    back_to_deals(s, box)


def pay_talents(s: Position) -> None:
    s.talents[s.payer] -= 5 * s.fives
    s.talents[other_payer(s)] += 5 * s.fives


def hand_over(s: Position, box: Box, holder: int, receiver: int, owner: int) -> None:
    """A general comes home to his owner, or stays a captive of another captor."""
    s.captives[holder][owner] -= 1
    if owner == receiver:
        come_home(s, box, owner, 1)
    else:
        s.captives[receiver][owner] += 1


def close_gone(s: Position, box: Box) -> None:
    """12.4: no offers about generals that have changed hands."""
    for other in range(box.seats):
        s.open_own[other] = min(s.open_own[other], s.captives[other][s.active])
        s.open_held[other] = min(s.open_held[other], s.captives[s.active][other])


def back_to_deals(s: Position, box: Box) -> None:
    s.phase = DEAL
    clear_offer(s)
    if box.acclamation == 0 and not can_deal(s, box):
        next_turn(s, box)


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
