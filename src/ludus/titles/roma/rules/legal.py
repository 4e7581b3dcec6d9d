"""All legal actions of the seat to move.  Reads only what that seat may see."""

from .. import layout as at
from ..layout import Box, Position
from .board import cards_on, empty_discs, has_kind
from .dice import dice_left
from .piles import can_draw, person_in_discard


def legal(s: Position, box: Box, out: list[int]) -> int:
    phase = s.phase
    if phase == at.ACT:
        return legal_acts(s, box, out)
    if phase == at.KEEP or phase == at.SEARCH:
        code = at.KEEP_CARD if phase == at.KEEP else at.TAKE_CARD
        return list_cards(s.aside[s.player], code, out)
    if phase == at.TARGET:
        return list_targets(s, box, out)
    if at.SECOND_DIE <= phase <= at.EXTRA_DIE:
        return list_dice(s, phase != at.SECOND_DIE, out)
    if phase == at.FREE_LAY:
        return list_free_lays(s, box, out)
    if phase == at.RELAY:
        return list_relays(s, box, out)
    if phase == at.PASS:
        return list_cards(s.hand[s.player], at.PASS_CARD, out)
    if phase == at.PLACE:
        return list_places(s, out)
    return legal_rare(s, box, out)


def legal_rare(s: Position, box: Box, out: list[int]) -> int:
    if s.phase == at.CHANGE_DIE:
        return list_changes(s, out)
    if s.phase == at.BLOCK:
        for disc in range(1, at.DISCS + 1):  # R46: an empty disc, too
            out[disc - 1] = at.BLOCK_DISC + disc
        return at.DISCS
    if s.phase == at.COPY:
        return list_copies(s, box, out)
    if s.phase == at.BUY:
        return list_amounts(s, box, out)
    if s.phase == at.FETCH:
        return list_fetches(s, box, out)
    out[0], out[1] = at.ACCEPT, at.RETHROW  # after a triple
    return 2


# -- phase 3 ------------------------------------------------------------------------------------------


def legal_acts(s: Position, box: Box, out: list[int]) -> int:
    """R11, R13: money, cards and activations, one die each, in any order, mixed with laying cards."""
    out[0] = at.END  # R10
    n = 1
    last = 0
    others = dice_left(s) - 1
    drawing = can_draw(s)
    for i in range(at.DICE):
        value = s.dice[i]
        if value == 0:
            break
        if value != last:  # equal dice are one choice
            last = value
            out[n] = at.MONEY + value
            n += 1
            if drawing:
                out[n] = at.CARDS_DISC + value
                n += 1
            if can_activate(s, box, value, others):
                out[n] = at.ACTIVATE + value
                n += 1
    if s.money[s.player] >= box.cheapest:
        n = list_lays(s, box, out, n)
    return n


def list_lays(s: Position, box: Box, out: list[int], n: int) -> int:
    """R21: whatever can be paid in full, on any own disc."""
    p = s.player
    money = s.money[p]
    for card in range(1, at.SIZE):
        if s.hand[p][card] > 0 and box.price[card] <= money:
            code = at.LAY + card * at.PER_CARD
            for disc in range(1, at.DISCS + 1):
                out[n] = code + disc
                n += 1
    return n


def can_activate(s: Position, box: Box, disc: int, others: int) -> bool:
    """R15, R44, R45: an own card that can act, on a disc that is not blocked.  `others`: dice left then."""
    p = s.player
    card = s.board[p][disc]
    if card == at.NONE or s.blocked[p][disc] > 0:
        return False
    if card != at.SCAENICUS:
        return can_act(s, box, card, disc, others)
    for d in range(1, at.DISCS + 1):
        if can_copy(s, box, s.board[p][d], disc, others):
            return True
    return False


def can_copy(s: Position, box: Box, card: int, disc: int, others: int) -> bool:
    """R48, R50, R70: another own person, no Scaenicus, whose action is possible from this disc."""
    return box.kind[card] == at.PERSON and card != at.SCAENICUS and can_act(s, box, card, disc, others)


def can_act(s: Position, box: Box, card: int, disc: int, others: int) -> bool:
    """R15: whether the action of a card (no Scaenicus) would do anything from this disc."""
    q = 1 - s.player
    if card == at.FORUM or card == at.CONSUL:  # R33, R54
        return others > 0
    if card == at.LEGIONARIUS or card == at.CENTURIO:
        return s.board[q][disc] != at.NONE
    if card == at.VELITES or card == at.GLADIATOR or card == at.SICARIUS:
        return has_kind(s, box, q, at.PERSON)
    if card == at.ONAGER or card == at.NERO:
        return has_kind(s, box, q, at.BUILDING)
    if card == at.BASILICA or card == at.TEMPLUM or card == at.TURRIS:
        return False
    if card == at.AESCULAPINUM:
        return person_in_discard(s, box)
    if card == at.HARUSPEX:
        return can_draw(s)
    return box.zero_gain_refused == 0 or gains_something(s, card)


def gains_something(s: Position, card: int) -> bool:
    """R16: the openly visible cases of an activation that would gain nothing."""
    q = 1 - s.player
    if card == at.LEGAT:
        return empty_discs(s, q) > 0
    if card == at.MERCATUS:
        return cards_on(s, q, at.FORUM) > 0
    return card != at.MERCATOR or s.money[s.player] >= at.MERCATOR_PRICE


# -- lists ------------------------------------------------------------------------------------------


def list_cards(heap: list[int], origin: int, out: list[int]) -> int:
    """One code for each kind of card in a heap."""
    n = 0
    for card in range(1, at.SIZE):
        if heap[card] > 0:
            out[n] = origin + card
            n += 1
    return n


def list_places(s: Position, out: list[int]) -> int:
    """R3: never two cards on one disc."""
    p, n = s.player, 0
    for card in range(1, at.SIZE):
        if s.hand[p][card] > 0:
            for disc in range(1, at.DISCS + 1):
                if s.down[p][disc] == 0:
                    out[n] = at.PLACE_CARD + card * at.PER_CARD + disc
                    n += 1
    return n


def list_targets(s: Position, box: Box, out: list[int]) -> int:
    """P13, R61: anywhere on the other side; R47: blocked cards, too."""
    q, n = 1 - s.player, 0
    kind = at.BUILDING if s.effect == at.ONAGER or s.effect == at.NERO else at.PERSON
    for disc in range(1, at.DISCS + 1):
        if box.kind[s.board[q][disc]] == kind:
            out[n] = at.TARGET_DISC + disc
            n += 1
    return n


def list_dice(s: Position, optional: bool, out: list[int]) -> int:
    """P12: the second and third die of a Forum, the die a Centurio adds: any unused one (R72)."""
    n, last = 0, 0
    for i in range(at.DICE):
        if s.dice[i] > 0 and s.dice[i] != last:
            last = s.dice[i]
            out[n] = at.ADD + last
            n += 1
    if optional:
        out[n] = at.DECLINE
        n += 1
    return n


def list_changes(s: Position, out: list[int]) -> int:
    """R54: a 6 cannot go up, a 1 cannot go down."""
    n, last = 0, 0
    for i in range(at.DICE):
        if s.dice[i] > 0 and s.dice[i] != last:
            last = s.dice[i]
            if last < 6:
                out[n] = at.RAISE + last
                n += 1
            if last > 1:
                out[n] = at.LOWER + last
                n += 1
    return n


def list_copies(s: Position, box: Box, out: list[int]) -> int:
    """R51: any that can act, also one that was copied before.  Two of a kind are one choice."""
    p, n = s.player, 0
    others = dice_left(s)
    for disc in range(1, at.DISCS + 1):
        card = s.board[p][disc]
        if can_copy(s, box, card, s.source, others):
            out[n] = at.COPY_CARD + card
            n += 1
            for before in range(1, disc):
                if s.board[p][before] == card:
                    n -= 1
                    break
    return n


def list_amounts(s: Position, box: Box, out: list[int]) -> int:
    """R30: as far as money and the opponent's points go; R16: none at all, too."""
    p, n = s.player, 0
    most = min(s.money[p] // at.MERCATOR_PRICE, s.points[1 - p], at.MAX_BUY)
    for points in range(box.zero_gain_refused, most + 1):
        out[n] = at.BUY_POINTS + points
        n += 1
    return n


def list_fetches(s: Position, box: Box, out: list[int]) -> int:
    """R62: persons only."""
    n = 0
    for card in range(1, at.SIZE):
        if s.discard[card] > 0 and box.kind[card] == at.PERSON:
            out[n] = at.TAKE_CARD + card
            n += 1
    return n


def list_free_lays(s: Position, box: Box, out: list[int]) -> int:
    """F2, P15, R59: buildings for Architectus, persons for Senator; R16: none at all, too."""
    p, n = s.player, 1
    out[0] = at.DONE
    kind = at.BUILDING if s.effect == at.ARCHITECTUS else at.PERSON
    for card in range(1, at.SIZE):
        if s.hand[p][card] > 0 and box.kind[card] == kind:
            for disc in range(1, at.DISCS + 1):
                out[n] = at.LAY + card * at.PER_CARD + disc
                n += 1
    return n


def list_relays(s: Position, box: Box, out: list[int]) -> int:
    """F4, R55, R56: picked-up cards go down again, in the order of the card list."""
    if box.relay_covers == 1:
        return list_covering_relays(s, out)
    card = s.lifted[0]
    copies = 0
    while copies < at.DISCS and s.lifted[copies] == card:
        copies += 1
    room = 0
    for disc in range(first_disc(s, card), at.DISCS + 1):
        room += 1 - s.relaid[disc]
    n = 0
    for disc in range(first_disc(s, card), at.DISCS + 1):
        if s.relaid[disc] == 0 and room >= copies:
            out[n] = at.LAY + card * at.PER_CARD + disc
            n += 1
            room -= 1
    return n


def first_disc(s: Position, card: int) -> int:
    """P16: equal cards are laid again from left to right, so that their order means nothing."""
    first = 1
    for disc in range(1, at.DISCS + 1):
        if s.relaid[disc] > 0 and s.board[s.player][disc] == card:
            first = disc + 1
    return first


def list_covering_relays(s: Position, out: list[int]) -> int:
    """With relay=may_cover: any picked-up card on any disc, for now the order means something."""
    n, last = 0, 0
    for i in range(at.DISCS):
        card = s.lifted[i]
        if card != at.NONE and card != last:
            last = card
            for disc in range(1, at.DISCS + 1):
                out[n] = at.LAY + card * at.PER_CARD + disc
                n += 1
    return n
