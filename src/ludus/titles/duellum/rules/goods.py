"""Goods: paying with coins in the place of resources, tolls, the bank of coins, COMMERCIUM."""

from ..layout import COIN, COMMERCIUM, GIVE, GOLD, Position

TRADE_GIVES, TRADE_TAKES = 3, 2  # C6: three for two
FOR_TRADE, ONE_FOR_ONE = 1, 2


def total_goods(s: Position, p: int) -> int:
    return s.goods[p][0] + s.goods[p][1] + s.goods[p][2] + s.goods[p][3]


def to_bank(s: Position, p: int, good: int, number: int) -> None:
    """Hand goods to the bank; coins are counted there, resources are without number."""
    s.goods[p][good] -= number
    if good == COIN:
        s.bank_coins += number


def receive_coins(s: Position, p: int, number: int) -> None:
    """R8: for every coin that the bank lacks, one resource of the player's choice."""
    given = min(number, s.bank_coins)
    s.bank_coins -= given
    s.goods[p][COIN] += given
    s.take_left += number - given


# -- prices in resources ------------------------------------------------------------------------


def can_pay(s: Position, p: int, marble: int, iron: int, gold: int, coins: int) -> bool:
    """R5: a coin stands for any one resource.  R6: surcharges are payable in coins only."""
    need = coins + max(0, marble - s.goods[p][0]) + max(0, iron - s.goods[p][1])
    return need + max(0, gold - s.goods[p][2]) <= s.goods[p][COIN]


def charge(s: Position, p: int, marble: int, iron: int, gold: int, coins: int) -> None:
    """Take the surcharge at once and leave the resources due: how to pay them may be a choice."""
    to_bank(s, p, COIN, coins)
    s.due[0] += marble
    s.due[1] += iron
    s.due[2] += gold


def least_coins(s: Position, p: int, good: int) -> int:
    return max(0, s.due[good] - s.goods[p][good])


def most_coins(s: Position, p: int, good: int) -> int:
    """As many as leave enough for what is lacking of the resources that are paid later."""
    coins = s.goods[p][COIN]
    for later in range(good + 1, 3):
        coins -= least_coins(s, p, later)
    return min(s.due[good], coins)


def first_due(s: Position) -> int:
    for good in range(3):
        if s.due[good] > 0:
            return good
    return -1


def pay_due(s: Position, p: int, good: int, coins: int) -> None:
    """Pay what is due of one resource, so many coins among it."""
    to_bank(s, p, COIN, coins)
    to_bank(s, p, good, s.due[good] - coins)
    s.due[good] = 0


def settle_due(s: Position, p: int) -> bool:
    """Pay all that can be paid in one way only; False when the player has a choice (R5)."""
    for good in range(3):
        if s.due[good] > 0:
            if least_coins(s, p, good) < most_coins(s, p, good):
                return False
            pay_due(s, p, good, least_coins(s, p, good))
    return True


def legal_coins(s: Position, p: int, origin: int, out: list[int]) -> int:
    """How many coins stand for the resource that is due; as few as possible comes first."""
    good = first_due(s)
    low = least_coins(s, p, good)
    high = most_coins(s, p, good)
    for number in range(low, high + 1):
        out[number - low] = origin + number
    return high - low + 1


# -- anything goes: tolls of the rondel and what is handed over in a trade ------------------------


def may_hand_over(s: Position, p: int, good: int, number: int) -> bool:
    """Goods go in the order of their list, so that the same mix is not offered in several orders;
    what comes after must suffice for the rest."""
    if good < s.lowest or s.goods[p][good] == 0:
        return False
    rest = 0
    for later in range(good, 4):
        rest += s.goods[p][later]
    return rest >= number


def legal_goods(s: Position, p: int, number: int, origin: int, out: list[int]) -> int:
    """Which good to hand over next: the most plentiful resource first, coins last."""
    n = 0
    for good in range(GOLD + 1):
        if may_hand_over(s, p, good, number):
            k = n
            while k > 0 and s.goods[p][out[k - 1] - origin] < s.goods[p][good]:
                out[k] = out[k - 1]
                k -= 1
            out[k] = origin + good
            n += 1
    if may_hand_over(s, p, COIN, number):
        out[n] = origin + COIN
        n += 1
    return n


def only_good(s: Position, p: int, number: int) -> int:
    """The one good that can be handed over, or -1 when there is a choice."""
    found = -1
    for good in range(4):
        if may_hand_over(s, p, good, number):
            if found >= 0:
                return -1
            found = good
    return found


def settle_toll(s: Position, p: int) -> bool:
    """Pay the part of a toll that can be paid in one way only; False when there is a choice."""
    while s.toll > 0:
        good = only_good(s, p, s.toll)
        if good < 0:
            return False
        pay_toll(s, p, good)
    return True


def pay_toll(s: Position, p: int, good: int) -> None:
    to_bank(s, p, good, 1)
    s.toll -= 1
    s.lowest = good if s.toll > 0 else 0


# -- COMMERCIUM and cards that exchange ---------------------------------------------------------


def may_trade(s: Position, p: int) -> bool:
    """C6: three goods for two, from the turn after COMMERCIUM was developed."""
    return s.know[p][COMMERCIUM] == 1 and s.fresh[COMMERCIUM] == 0 and total_goods(s, p) >= TRADE_GIVES


def begin_swap(s: Position, swap: int, number: int) -> None:
    s.swap, s.give_left, s.gave, s.lowest = swap, number, 0, 0
    s.phase = GIVE


def give(s: Position, p: int, good: int) -> None:
    """R7: coins may be given like any resource."""
    to_bank(s, p, good, 1)
    s.give_left -= 1
    s.gave += 1
    s.lowest = good
    s.phase = GIVE
    if s.give_left == 0 or total_goods(s, p) == 0:
        end_giving(s)


def end_giving(s: Position) -> None:
    s.take_left = TRADE_TAKES if s.swap == FOR_TRADE else s.gave
    s.swap = s.give_left = s.gave = s.lowest = 0
    s.phase = s.main


def give_needed(s: Position) -> int:
    """How many goods must still be handed over: all of a trade, one of a free exchange."""
    return s.give_left if s.swap == FOR_TRADE else 1


def take(s: Position, p: int, good: int) -> None:
    """Resources of the player's choice, never coins (C6)."""
    s.goods[p][good] += 1
    s.take_left -= 1
