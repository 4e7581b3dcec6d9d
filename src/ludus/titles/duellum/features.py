"""What a net is told of a position of Antike Duellum, as pairs of an input and its value.

Nothing is hidden in this game: only the sides turn, the seat that asks comes first.  Regions have inputs of
their own, so each board has a net of its own (`net_name`); what holds on any board (what lacks for the next
personage, what can be paid, what stands in reach, how far the stone has to go for it) is said besides.
In the middle of a turn the open question is told, and what the turn would bring if it ended now.
"""

from functools import cache

from ludus.core.title import Inputs

from .aims import aims, cities_paid, temples_paid, urge
from .box import EDITIONS, fill_box
from .editions import edition_of
from .layout import (
    ABANDON,
    AIM,
    ANSWER,
    AURUM,
    CITIZEN,
    COIN,
    DUELLUM_II,
    DUELLUM_SPACE,
    EXTRA_STEP,
    FERRUM,
    FIGHT,
    FORTRESS,
    GALLEY,
    GOLD,
    IRON,
    KING,
    LEADER,
    LEGION,
    LOSSES,
    MARBLE,
    MARMOR,
    MAX_REGIONS,
    MIDDLE,
    MILITIA_SPACE,
    MUSTER,
    NAVIGATOR,
    PHASES,
    RETURN_UNIT,
    SCIENTIA_SPACE,
    STRIKE,
    TEMPLUM_SPACE,
    Box,
    Position,
)
from .layout import GAIN as GAIN_CARD
from .rules.building import yield_of
from .rules.duellum import city_strength
from .rules.turn import earned, navigation, score, temples_of
from .value import in_stack, moving, value

# -- where the inputs stand; "2 x" is a row for the seat that asks and one for the other ------------------

MOST_LACK = 8  # what lacks for a personage, from none to that many
PURSE = 14
CARD_KINDS = 28
QUESTIONS = len(PHASES) - 1  # the last phase has the place of the first, in which nobody is to move
STEPS = 9  # of the stone: 0 from the middle, else 1 to 8
MUCH = 3  # none, some, much

MADE = 0
CITY = 1  # 2 x 3 tokens x regions
TEMPLE = CITY + 6 * MAX_REGIONS  # 2 x regions
WALL = TEMPLE + 2 * MAX_REGIONS  # 2 x regions
ARMY = WALL + 2 * MAX_REGIONS  # 2 x 2 units x regions
SETTLER = ARMY + 4 * MAX_REGIONS  # 2 x regions: a unit on a free site
EXPOSED = SETTLER + 2 * MAX_REGIONS  # 2 x regions: a city that the other could take with what stands near
MOVING = EXPOSED + 2 * MAX_REGIONS  # 2 units x regions: they have steps left
FROM = MOVING + 2 * MAX_REGIONS  # regions: where a group sets out
TARGET = FROM + MAX_REGIONS  # regions: what is entered or conquered
SCORE = TARGET + MAX_REGIONS  # 2 x 10
PERSON = SCORE + 20  # 2 x 5 kinds
LACK = PERSON + 10  # 2 x 3 kinds x MOST_LACK: cities, temples and points that the next one needs
STACK = LACK + 6 * MOST_LACK  # 5 kinds x 7
KNOW = STACK + 35  # 2 x 5, and 5 that nobody has
GOODS = KNOW + 15  # 2 x 4 x PURSE
WEALTH = GOODS + 8 * PURSE  # 2 x 4
RECRUITS = WEALTH + 8  # 2 x 2 units x 6
STONE = RECRUITS + 24  # 2 x 9 spaces
YIELD = STONE + 18  # 2 x 3 goods x STEPS
USE = YIELD + 6 * STEPS  # 2 x 4 (TEMPLUM, MILITIA, SCIENTIA, DUELLUM) x STEPS x MUCH
SUM = USE + 8 * STEPS * MUCH  # 2 x SUMS, see `sums_of`
SUMS = 16
HAND = SUM + 2 * SUMS  # 2 x kinds of cards, see `kind_of`
DISPLAY = HAND + 2 * CARD_KINDS
OPEN_CARD = DISPLAY + CARD_KINDS
PHASE = OPEN_CARD + CARD_KINDS  # 2 x QUESTIONS
STRETCH = PHASE + 2 * QUESTIONS  # 2 x 12
GAIN = STRETCH + 24  # 2 x 5: personages if the turn ended now
PENDING = GAIN + 10  # 2 x PENDINGS, see `pending`
PENDINGS = 24
BANK = PENDING + 2 * PENDINGS  # coins, temples, 3 tokens
SIDE = BANK + 5  # beige or brown
SIZE = SIDE + 1

MOST = 640  # eight a region, two moving, 96 of cards and 140 more can never be exceeded; 110 are the rule

SCALE = 1500.0  # of the hand-made value
LIMIT = 3.0


def features(s: Position, box: Box, seat: int, idx: list[int], val: list[float]) -> int:
    """Write the inputs that are not 0, the hand-made value first; how many there are."""
    idx[0] = MADE
    val[0] = max(-LIMIT, min(LIMIT, value(s, box, seat) / SCALE))
    n = 1
    for k in range(2):
        p = seat if k == 0 else 1 - seat
        n = regions_of(s, box, k, p, idx, val, n)
        n = personages_of(s, box, k, p, idx, val, n)
        n = purse_of(s, k, p, idx, val, n)
        n = cards_of(box, s.hand[p], HAND + k * CARD_KINDS, idx, val, n)
    n = cards_of(box, s.display, DISPLAY, idx, val, n)
    n = common(s, box, seat, idx, val, n)
    return turn_inputs(s, box, 0 if s.active == seat else 1, idx, val, n)


def put(idx: list[int], val: list[float], n: int, i: int, v: float) -> int:
    idx[n] = i
    val[n] = v
    return n + 1


# -- the board ----------------------------------------------------------------------------------------------


def regions_of(s: Position, box: Box, k: int, p: int, idx: list[int], val: list[float], n: int) -> int:
    """Cities, units, settlers and threats of a side; then the rondel, which lives on what they allow."""
    q = 1 - p
    units = settlers = reach = exposed = exposed_temples = prey = 0
    for r in range(box.regions):
        legions, galleys = s.army[p][LEGION][r], s.army[p][GALLEY][r]
        here = legions + galleys
        units += here
        if legions > 0:
            n = put(idx, val, n, ARMY + 2 * k * MAX_REGIONS + r, 0.5 * min(4, legions))
        if galleys > 0:
            n = put(idx, val, n, ARMY + (2 * k + 1) * MAX_REGIONS + r, 0.5 * min(4, galleys))
        if s.owner[r] == p + 1:
            n = put(idx, val, n, CITY + (3 * k + s.makes[r] - 1) * MAX_REGIONS + r, 1.0)
            if s.temple[r] == 1:
                n = put(idx, val, n, TEMPLE + k * MAX_REGIONS + r, 1.0)
            if s.wall[r] == 1:
                n = put(idx, val, n, WALL + k * MAX_REGIONS + r, 1.0)
            enemies = s.army[q][LEGION][r] + s.army[q][GALLEY][r]
            if enemies + next_to(s, box, q, r) >= city_strength(s, box, r):
                n = put(idx, val, n, EXPOSED + k * MAX_REGIONS + r, 1.0)
                exposed += 1
                exposed_temples += s.temple[r]
        elif s.owner[r] == 0:
            if box.site[r] == 1:
                if here > 0:
                    n = put(idx, val, n, SETTLER + k * MAX_REGIONS + r, 1.0)
                    settlers += 1
                elif next_to(s, box, p, r) > 0:
                    reach += 1
        elif here + next_to(s, box, p, r) >= city_strength(s, box, r):
            prey += 1 + 2 * s.temple[r]
    n = sums_of(s, box, k, p, units, settlers, reach, exposed, exposed_temples, idx, val, n)
    return rondel_of(s, box, k, p, reach, prey, idx, val, n)


def next_to(s: Position, box: Box, p: int, r: int) -> int:
    """Units of p that stand one border away."""
    number = 0
    for unit in range(2):
        for j in range(box.way_n[unit][r]):
            number += s.army[p][unit][box.way[unit][r][j]]
    return number


def sums_of(
    s: Position, box: Box, k: int, p: int, units: int, settlers: int, reach: int, exposed: int, temples: int,
    idx: list[int], val: list[float], n: int,
) -> int:  # fmt: skip
    """What is counted over the whole board."""
    at = SUM + k * SUMS
    n = put(idx, val, n, at, 0.1 * s.cities[p])
    n = put(idx, val, n, at + 1, 0.2 * temples_of(s, box, p))
    n = put(idx, val, n, at + 2, 0.1 * navigation(s, box, p))
    n = put(idx, val, n, at + 3, 0.1 * units)
    n = put(idx, val, n, at + 4, 0.15 * score(s, p))
    n = put(idx, val, n, at + 5, 0.3 * s.walls[p])
    n = put(idx, val, n, at + 6, 0.1 * (s.recruits[p][LEGION] + s.recruits[p][GALLEY]))
    if settlers > 0:
        n = put(idx, val, n, at + 7, 0.3 * settlers)
        n = put(idx, val, n, at + 8, 0.4 * min(settlers, cities_paid(s, box, p)))
    if reach > 0:
        n = put(idx, val, n, at + 9, 0.2 * reach)
        n = put(idx, val, n, at + 10, 0.3 * min(reach, cities_paid(s, box, p)))
    if exposed > 0:
        n = put(idx, val, n, at + 11, 0.3 * exposed)
    if temples > 0:
        n = put(idx, val, n, at + 12, 0.5 * temples)
    if s.leader_at[p] > 0:
        n = put(idx, val, n, at + 13, 1.0)
    return n


# -- the rondel ---------------------------------------------------------------------------------------------


def steps_to(s: Position, p: int, space: int) -> int:
    """How far the stone has to go: 1 to 8, from the middle 0."""
    return 0 if s.stone[p] == MIDDLE else (space - s.stone[p] + 7) % 8 + 1


def rondel_of(
    s: Position, box: Box, k: int, p: int, reach: int, prey: int, idx: list[int], val: list[float], n: int
) -> int:
    """How far each space is, and what it would do now."""
    n = put(idx, val, n, STONE + 9 * k + s.stone[p], 1.0)
    for good in range(3):
        space = MARMOR if good == MARBLE else FERRUM if good == IRON else AURUM
        place = YIELD + (3 * k + good) * STEPS + steps_to(s, p, space)
        n = put(idx, val, n, place, 0.15 * (1 + yield_of(s, box, p, good)))
    n = put_use(s, k, p, 0, TEMPLUM_SPACE, temples_paid(s, box, p), idx, val, n)
    n = put_use(s, k, p, 1, MILITIA_SPACE, (arms_paid(s, box, p) + 1) // 2, idx, val, n)
    n = put_use(s, k, p, 2, SCIENTIA_SPACE, science(s, box, p), idx, val, n)
    near = DUELLUM_SPACE if steps_to(s, p, DUELLUM_SPACE) < steps_to(s, p, DUELLUM_II) else DUELLUM_II
    use = 2 if prey > 0 else 1 if reach > 0 else 0
    return put_use(s, k, p, 3, near, use, idx, val, n)


def put_use(
    s: Position, k: int, p: int, row: int, space: int, use: int, idx: list[int], val: list[float], n: int
) -> int:
    place = USE + ((4 * k + row) * STEPS + steps_to(s, p, space)) * MUCH
    return put(idx, val, n, place + min(use, MUCH - 1), 1.0)


def arms_paid(s: Position, box: Box, p: int) -> int:
    recruits = s.recruits[p][LEGION] + s.recruits[p][GALLEY]
    return min(recruits, (s.goods[p][IRON] + s.goods[p][COIN]) // max(1, box.arm_price))


def science(s: Position, box: Box, p: int) -> int:
    """2 when a scholar can be paid, 1 when a know-how or two recruits can, else 0."""
    gold = s.goods[p][GOLD] + s.goods[p][COIN]
    found = 1 if gold >= 2 else 0
    for know in range(5):
        if s.know[0][know] + s.know[1][know] == 0 and gold >= box.know_first[know]:
            found = 2
    return found


# -- personages, purse, cards -------------------------------------------------------------------------------


def personages_of(s: Position, box: Box, k: int, p: int, idx: list[int], val: list[float], n: int) -> int:
    n = put(idx, val, n, SCORE + 10 * k + min(9, score(s, p)), 1.0)
    for kind in range(5):
        if s.persons[p][kind] > 0:
            n = put(idx, val, n, PERSON + 5 * k + kind, 0.4 * s.persons[p][kind])
        if s.know[p][kind] == 1:
            n = put(idx, val, n, KNOW + 5 * k + kind, 1.0)
    n = put_lack(s, box, k, p, 0, KING, s.cities[p], idx, val, n)
    n = put_lack(s, box, k, p, 1, CITIZEN, temples_of(s, box, p), idx, val, n)
    return put_lack(s, box, k, p, 2, NAVIGATOR, navigation(s, box, p), idx, val, n)


def put_lack(
    s: Position, box: Box, k: int, p: int, row: int, kind: int, held: int,
    idx: list[int], val: list[float], n: int,
) -> int:  # fmt: skip
    """How much lacks for the next personage of a kind; nothing where the stack is empty."""
    if in_stack(s, box, kind) <= 0:
        return n
    lack = max(0, box.person_per[kind] * (s.persons[p][kind] + 1) - held)
    return put(idx, val, n, LACK + (3 * k + row) * MOST_LACK + min(MOST_LACK - 1, lack), 1.0)


def purse_of(s: Position, k: int, p: int, idx: list[int], val: list[float], n: int) -> int:
    for good in range(4):
        number = max(0, s.goods[p][good])
        n = put(idx, val, n, GOODS + (4 * k + good) * PURSE + min(PURSE - 1, number), 1.0)
        if number > 0:
            n = put(idx, val, n, WEALTH + 4 * k + good, 0.1 * min(20, number))
    for unit in range(2):
        n = put(idx, val, n, RECRUITS + (2 * k + unit) * 6 + min(5, s.recruits[p][unit]), 1.0)
    return n


def cards_of(box: Box, cards: list[int], place: int, idx: list[int], val: list[float], n: int) -> int:
    for card in range(box.cards):
        if cards[card] > 0:
            n = put(idx, val, n, place + kind_of(box, card), 1.0 * cards[card])
    return n


def kind_of(box: Box, card: int) -> int:
    """A card by what it does: decks differ in which cards they have, and in what order."""
    effect = box.effect[card]
    if effect == GAIN_CARD:
        return 20 + box.arg_a[card]
    if effect == EXTRA_STEP:
        return 24 + box.arg_a[card]
    return 26 + box.arg_a[card] if effect == RETURN_UNIT else effect


def common(s: Position, box: Box, seat: int, idx: list[int], val: list[float], n: int) -> int:
    """What belongs to nobody: stacks, know-hows that nobody has, the bank."""
    for kind in range(5):
        n = put(idx, val, n, STACK + 7 * kind + max(0, min(6, in_stack(s, box, kind))), 1.0)
        if s.know[0][kind] + s.know[1][kind] == 0:
            n = put(idx, val, n, KNOW + 10 + kind, 1.0)
    n = put(idx, val, n, BANK, 0.05 * s.bank_coins)
    n = put(idx, val, n, BANK + 1, 0.1 * s.bank_temples)
    for token in range(1, 4):
        n = put(idx, val, n, BANK + 1 + token, 0.1 * s.bank_tokens[token])
    return put(idx, val, n, SIDE, 1.0 if seat == 0 else -1.0)


# -- the turn that goes on ----------------------------------------------------------------------------------


def turn_inputs(s: Position, box: Box, k: int, idx: list[int], val: list[float], n: int) -> int:
    """k: 0 when the seat that asks is at turn, else 1."""
    p = s.active
    n = put(idx, val, n, PHASE + QUESTIONS * k + s.phase % QUESTIONS, 1.0)
    n = put(idx, val, n, STRETCH + 12 * k + s.main, 1.0)
    gain = 0
    for kind in range(5):
        gain += min(max(0, earned(s, box, p, kind)), in_stack(s, box, kind))
    n = put(idx, val, n, GAIN + 5 * k + min(4, gain), 1.0)
    for unit in range(2):
        for r in range(box.regions):
            left = moving(s, unit, r)
            if left > 0:
                n = put(idx, val, n, MOVING + unit * MAX_REGIONS + r, 0.5 * min(4, left))
    if s.group_steps > 0:
        n = put(idx, val, n, FROM + s.group_from, 1.0)
    asks = s.phase == FIGHT or s.phase == ANSWER or s.phase == FORTRESS or s.phase == LOSSES
    if asks or s.phase == ABANDON:
        n = put(idx, val, n, TARGET + s.target, 1.0)
    if s.phase == AIM or s.phase == MUSTER or s.phase == STRIKE:
        n = put(idx, val, n, OPEN_CARD + kind_of(box, s.card), 1.0)
    return pending(s, PENDING + k * PENDINGS, idx, val, n)


def pending(s: Position, place: int, idx: list[int], val: list[float], n: int) -> int:
    """What is still to be paid or taken, and what this turn has brought and allows."""
    n = put_some(idx, val, n, place, 0.3 * s.toll)
    for good in range(3):
        n = put_some(idx, val, n, place + 1 + good, 0.3 * s.due[good])
    n = put_some(idx, val, n, place + 4, 0.4 * s.take_left)
    n = put_some(idx, val, n, place + 5, 0.4 * s.give_left)
    n = put_some(idx, val, n, place + 6, 0.4 * s.gave)
    n = put_some(idx, val, n, place + 7, 0.5 * s.picks)
    n = put_some(idx, val, n, place + 8, 1.0 * s.firsts)
    n = put_some(idx, val, n, place + 9, 1.0 * s.razed)
    n = put_some(idx, val, n, place + 10, 0.5 * s.taken)
    n = put_some(idx, val, n, place + 11, 0.3 * s.ready[LEGION])
    n = put_some(idx, val, n, place + 12, 0.3 * s.ready[GALLEY])
    n = put_some(idx, val, n, place + 13, 1.0 * s.ready[LEADER])
    n = put_some(idx, val, n, place + 14, 0.5 * s.free_more)
    n = put_some(idx, val, n, place + 15, 1.0 if s.temple_deal > 0 else 0.0)
    n = put_some(idx, val, n, place + 16, 1.0 * s.temple_free)
    n = put_some(idx, val, n, place + 17, 1.0 if s.arm_deal > 0 else 0.0)
    n = put_some(idx, val, n, place + 18, 0.5 * s.veterans)
    n = put_some(idx, val, n, place + 19, 0.5 * s.know_deal)
    n = put_some(idx, val, n, place + 20, 1.0 * s.city_free)
    n = put_some(idx, val, n, place + 21, 1.0 if s.city_deal > 0 else 0.0)
    n = put_some(idx, val, n, place + 22, 0.5 * s.ask)
    return put_some(idx, val, n, place + 23, 0.3 * s.group_size)


def put_some(idx: list[int], val: list[float], n: int, i: int, v: float) -> int:
    return put(idx, val, n, i, v) if v != 0.0 else n


# -- whose turn, which net ----------------------------------------------------------------------------------


def turn(s: Position, box: Box) -> int:
    """Another number whenever another turn begins."""
    return s.turns * 2 + s.active


NETS = {"rome": "rome_carthage", "greece": "greece_persia", "casus": "casus_belli"}  # with their boards


def net_name(box: Box) -> str:
    """The net of the board, whatever deck, prices and rulings it is played with; "" for a board that
    somebody typed in, whose regions no net knows."""
    here = _board(box)
    return next((net for net in NETS if here in _boards_of(net)), "")


@cache
def _boards_of(net: str) -> list[tuple[list[int], ...]]:
    """The board of a net in every edition: they differ by a few borders, of which the net is not told."""
    return [_board(fill_box(edition_of(NETS[net], edition))) for edition in EDITIONS]


def _board(box: Box) -> tuple[list[int], ...]:
    """Regions with their borders and start cities."""
    borders = [r for unit in range(2) for row in box.way[unit] for r in row]
    return [box.regions], list(box.site), list(box.nav), list(box.start_owner), list(box.start_makes), borders


# The net judges how turns end, and learns that alone: turns are those that miles would make after every
# first action, and some that stray from them.  Games that last are stopped and judged by hand: else nothing
# is learnt from them.  Lessons of one game are all alike, so those of earlier games are gone through again.
RECIPE = {
    "rate": 0.003, "rate_end": 0.0003, "again": 5, "policy_rate": 0.0, "policy": 4, "inside": 0.0,
    "keep": 1.0, "keep_turn": 0.8, "haste": 0.99, "stray": 0.05, "heat": 0.04, "led": 9, "soldier": 6,
    "aimed": 5, "limit": 1900, "by_value": SCALE, "round": 4,
}  # fmt: skip

HEATS = (0.06, 0.025, 0.011)  # turns that a person would tell apart differ by a hundredth
INPUTS = Inputs(
    SIZE,
    MOST,
    features,
    turn,
    net_name,
    from_value=True,
    whole_turns=True,
    aims=aims,
    urge=urge,
    heats=HEATS,
    recipe=RECIPE,
)
