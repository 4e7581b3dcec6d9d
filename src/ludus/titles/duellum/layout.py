"""Antike Duellum and Casus Belli: what a position and a box consist of, and the codes of the actions.

Seat 0 is beige (Rome, Persia), seat 1 is brown (Carthage, Greece).  Nothing is hidden in this game:
held event cards were taken face up, and the unseen cards follow by counting.
"""

from __future__ import annotations

from typing import Annotated, Literal, get_args

from ludus.core.codes import Arg, Codes, Kind
from ludus.core.layout import PUBLIC, F, Layout

# -- capacities ---------------------------------------------------------------------------------

SIDES = 2
MAX_REGIONS = 36
MAX_NEAR = 9
MAX_CARDS = 32  # kinds of event cards
MAX_STEPS = 3  # one, STRATA or NAVIGATIO, and a card
MAX_UNITS = 17  # of one kind and side: as many as Antike has (R58)
MAX_COINS_PAID = 34  # coins that can stand for resources in one payment
MAX_SCORE = 16

# -- names for numbers --------------------------------------------------------------------------

# Goods.  Resources are the first three; a city token is the resource plus one.
MARBLE, IRON, GOLD, COIN = 0, 1, 2, 3
GOODS = ("marble", "iron", "gold", "coin")
TOKENS = ("none", "marble", "iron", "gold")

LEGION, GALLEY, LEADER = 0, 1, 2
UNITS = ("legion", "galley", "leader")

# The rondel, clockwise.
FERRUM, TEMPLUM_SPACE, AURUM, DUELLUM_SPACE, MILITIA_SPACE, MARMOR, SCIENTIA_SPACE, DUELLUM_II, MIDDLE = (
    range(9)
)
SPACES = ("ferrum", "templum", "aurum", "duellum", "militia", "marmor", "scientia", "duellum_ii", "middle")

STRATA, NAVIGATIO, MONETA, RES_PUBLICA, COMMERCIUM = 0, 1, 2, 3, 4
KNOW_HOWS = ("strata", "navigatio", "moneta", "res_publica", "commercium")

KING, CITIZEN, SCHOLAR, GENERAL, NAVIGATOR = 0, 1, 2, 3, 4
PERSONS = ("king", "citizen", "scholar", "general", "navigator")

# Phases.  Up to NEXT they are the stretches of a turn (`main` holds one of them); the others are
# small questions in between, after which play goes back to `main`.
FIRST, RONDEL, PRODUCE, TEMPLUM, MILITIA, SCIENTIA, MOVE, CLASH, CONQUEST, FOUND, NEXT, ENDED = range(12)
(
    TOLL, PAY, GIVE, TAKE, DEST, FIGHT, ANSWER, FORTRESS, LOSSES, AIM, STRIKE, MUSTER, REVEAL, PICK, ABANDON,
) = range(12, 27)  # fmt: skip
Phase = Literal[
    "first", "rondel", "produce", "templum", "militia", "scientia", "move", "clash", "conquest",
    "found", "next", "ended",
    "toll", "pay", "give", "take", "dest", "fight", "answer", "fortress", "losses", "aim", "strike",
    "muster", "reveal", "pick", "abandon",
]  # fmt: skip
PHASES: tuple[Phase, ...] = get_args(Phase)

# How battles come about (option `battle`).
FORCED, ON_DEMAND, MOVER = 0, 1, 2

# Event cards: when they may be played ...
(
    ANY_TIME, BEFORE_STONE, AT_MARMOR, AT_FERRUM, AT_AURUM, AT_TEMPLUM, AT_MILITIA, AT_SCIENTIA, AT_DUELLUM,
    AT_FOUNDING, AT_CONQUEST,
) = range(11)  # fmt: skip
WHENS = (
    "any", "before_stone", "marmor", "ferrum", "aurum", "templum", "militia", "scientia", "duellum",
    "founding", "opponent_conquest",
)  # fmt: skip
# ... and what they do.
(
    NO_EFFECT, GAIN, LOSE_COINS, DESTROY_WALL, DEFENCE_BONUS, EXCHANGE, TEMPLE_PRICE, WAIVE_TEMPLE_TAX,
    BUILD_WALL, ARM_PRICE, ARM_FROM_SUPPLY, RECRUIT_FREE, KNOW_HOW_DISCOUNT, EXTRA_STEP, DEFENCE_MALUS,
    RETURN_UNIT, WAIVE_CITY_TAX, CITY_PRICE, FREE_SPACES, DISCARD_EVENT,
) = range(20)  # fmt: skip
EFFECTS = (
    "none", "gain", "opponent_loses_coins", "destroy_wall", "defence_bonus", "exchange", "temple_price",
    "waive_temple_tax", "build_wall", "arm_price", "arm_from_supply", "recruit_free",
    "know_how_discount", "extra_step", "defence_malus", "return_enemy_unit", "waive_city_tax",
    "city_price", "free_spaces", "opponent_discards",
)  # fmt: skip
# Second argument of GAIN, and of RETURN_UNIT.
FIXED, PER_ENEMY_KNOW_HOW = 0, 1
ANYWHERE, NOT_AT_TEMPLE, ONLY_GALLEY_SEA = 0, 1, 2


class Position:
    """Everything that is true at one moment.  `main` is the stretch of the turn that goes on when
    the small question `phase` is answered."""

    phase: Annotated[int, F("i1", holds="phase")]
    main: Annotated[int, F("i1", holds="phase")]
    active: Annotated[int, F("i1", holds="seat")]  # whose turn it is
    starter: Annotated[int, F("i1", holds="seat")]
    turns: Annotated[int, F("i2")]  # turns begun, of both seats together
    winner: Annotated[int, F("i1")]  # -1 while nobody has won
    stone: Annotated[list[int], F("i1", PUBLIC, SIDES, axes="seat", holds="space")]
    # what each seat owns
    goods: Annotated[list[list[int]], F("i2", PUBLIC, SIDES, 4, axes="seat good")]
    know: Annotated[list[list[int]], F("i1", PUBLIC, SIDES, 5, axes="seat know")]
    persons: Annotated[list[list[int]], F("i1", PUBLIC, SIDES, 5, axes="seat person")]
    walls: Annotated[list[int], F("i1", PUBLIC, SIDES, axes="seat")]  # walls not built yet
    supply: Annotated[list[list[int]], F("i1", PUBLIC, SIDES, 2, axes="seat unit")]
    recruits: Annotated[list[list[int]], F("i1", PUBLIC, SIDES, 2, axes="seat unit")]  # recruitment box
    army: Annotated[list[list[list[int]]], F("i1", PUBLIC, SIDES, 2, MAX_REGIONS, axes="seat unit region")]
    leader_at: Annotated[list[int], F("i1", PUBLIC, SIDES, axes="seat", holds="place")]  # region + 1
    cities: Annotated[list[int], F("i1", PUBLIC, SIDES, axes="seat")]
    # the board and the bank
    owner: Annotated[list[int], F("i1", PUBLIC, MAX_REGIONS, axes="region", holds="side")]  # seat + 1
    makes: Annotated[list[int], F("i1", PUBLIC, MAX_REGIONS, axes="region", holds="token")]
    temple: Annotated[list[int], F("i1", PUBLIC, MAX_REGIONS, axes="region")]
    wall: Annotated[list[int], F("i1", PUBLIC, MAX_REGIONS, axes="region")]
    bank_coins: Annotated[int, F("i2")]
    bank_temples: Annotated[int, F("i1")]
    bank_tokens: Annotated[list[int], F("i1", PUBLIC, 4, axes="token")]
    # event cards
    deck: Annotated[list[int], F("i1", PUBLIC, MAX_CARDS, axes="card", heap=True)]  # known by counting
    display: Annotated[list[int], F("i1", PUBLIC, MAX_CARDS, axes="card", heap=True)]
    hand: Annotated[list[list[int]], F("i1", PUBLIC, SIDES, MAX_CARDS, axes="seat card", heap=True)]
    discard: Annotated[list[int], F("i1", PUBLIC, MAX_CARDS, axes="card", heap=True)]
    picks: Annotated[int, F("i1")]  # cards that the other seat is still to take
    refill: Annotated[int, F("i1")]  # 1: the display is being refilled
    # this turn
    ready: Annotated[list[int], F("i1", PUBLIC, 3, axes="unit")]  # in the box when the turn began
    armed: Annotated[list[int], F("i1", PUBLIC, MAX_REGIONS, axes="region")]  # new units this turn
    fresh: Annotated[list[int], F("i1", PUBLIC, 5, axes="know")]  # developed this turn
    firsts: Annotated[int, F("i1")]  # know-hows developed first this turn
    razed: Annotated[int, F("i1")]  # enemy temples destroyed this turn
    taken: Annotated[int, F("i1")]  # enemy cities conquered this turn
    left: Annotated[
        list[list[list[int]]], F("i1", PUBLIC, 2, MAX_STEPS + 1, MAX_REGIONS, axes="unit - region")
    ]
    leader_left: Annotated[int, F("i1")]  # steps that the own leader has left
    # small questions
    due: Annotated[list[int], F("i1", PUBLIC, 3, axes="good")]  # to be paid, coins may stand in
    toll: Annotated[int, F("i1")]  # to be paid in anything
    lowest: Annotated[int, F("i1")]  # goods are handed over in the order of their list
    give_left: Annotated[int, F("i1")]
    gave: Annotated[int, F("i1")]
    swap: Annotated[int, F("i1")]  # what is given for: 1 COMMERCIUM, 2 a card, one for one
    take_left: Annotated[int, F("i1")]
    group_unit: Annotated[int, F("i1", holds="unit")]
    group_from: Annotated[int, F("i1", holds="region")]
    group_steps: Annotated[int, F("i1")]
    group_size: Annotated[int, F("i1")]
    ask: Annotated[int, F("i1")]  # a battle is possible: 1 the mover is asked, 2 the other
    target: Annotated[int, F("i1", holds="region")]  # the region that is entered or conquered
    card: Annotated[int, F("i1", holds="card")]  # the card whose question is open
    # cards at work this turn; prices are stored plus one
    free_more: Annotated[int, F("i1")]
    temple_deal: Annotated[int, F("i1")]
    temple_free: Annotated[int, F("i1")]
    arm_deal: Annotated[int, F("i1")]
    veterans: Annotated[int, F("i1")]
    know_deal: Annotated[int, F("i1")]
    know_least: Annotated[int, F("i1")]
    city_free: Annotated[int, F("i1")]
    city_deal: Annotated[int, F("i1")]
    siege: Annotated[list[int], F("i1", PUBLIC, MAX_REGIONS, axes="region")]
    siege_least: Annotated[int, F("i1")]
    fort: Annotated[list[int], F("i1", PUBLIC, MAX_REGIONS, axes="region")]


class Box:
    """What does not change during a match: options, board, deck and prices."""

    sha: Annotated[list[int], F("i8", PUBLIC, 4)]  # of the data that the box was made from
    battle: Annotated[int, F("i1")]
    protect_last: Annotated[int, F("i1")]
    fortress_asks: Annotated[int, F("i1")]
    leader_unit: Annotated[list[int], F("i1", PUBLIC, SIDES)]  # 0 none, else the unit it moves as, plus one
    turn_cap: Annotated[int, F("i2")]
    # board
    regions: Annotated[int, F("i1")]
    site: Annotated[list[int], F("i1", PUBLIC, MAX_REGIONS)]
    nav: Annotated[list[int], F("i1", PUBLIC, MAX_REGIONS)]
    near_n: Annotated[list[int], F("i1", PUBLIC, MAX_REGIONS)]
    near: Annotated[list[list[int]], F("i1", PUBLIC, MAX_REGIONS, MAX_NEAR)]
    way_n: Annotated[list[list[int]], F("i1", PUBLIC, 2, MAX_REGIONS)]
    way: Annotated[list[list[list[int]]], F("i1", PUBLIC, 2, MAX_REGIONS, MAX_NEAR)]
    start_owner: Annotated[list[int], F("i1", PUBLIC, MAX_REGIONS)]
    start_makes: Annotated[list[int], F("i1", PUBLIC, MAX_REGIONS)]
    # supplies
    pieces: Annotated[list[int], F("i1", PUBLIC, 2)]
    tokens: Annotated[list[int], F("i1", PUBLIC, 4)]
    temples: Annotated[int, F("i1")]
    coins: Annotated[int, F("i2")]
    stack: Annotated[list[int], F("i1", PUBLIC, 5)]
    max_cities: Annotated[int, F("i1")]
    goal: Annotated[int, F("i1")]
    wall_at: Annotated[list[int], F("i1", PUBLIC, MAX_SCORE)]
    person_per: Annotated[
        list[int], F("i1", PUBLIC, 5)
    ]  # cities a king, temples a citizen, points a navigator
    # start
    start_goods: Annotated[list[int], F("i1", PUBLIC, 3)]
    start_recruits: Annotated[list[int], F("i1", PUBLIC, 2)]
    second_coins: Annotated[int, F("i1")]
    # prices
    free_spaces: Annotated[int, F("i1")]
    city_price: Annotated[list[int], F("i1", PUBLIC, 3)]
    temple_price: Annotated[int, F("i1")]
    wall_price: Annotated[int, F("i1")]
    arm_price: Annotated[int, F("i1")]
    leader_price: Annotated[int, F("i1")]
    recruit_price: Annotated[list[int], F("i1", PUBLIC, 2)]
    know_first: Annotated[list[int], F("i1", PUBLIC, 5)]
    know_second: Annotated[list[int], F("i1", PUBLIC, 5)]
    # event cards: rows of ints
    cards: Annotated[int, F("i1")]
    display: Annotated[int, F("i1")]
    copies: Annotated[list[int], F("i1", PUBLIC, MAX_CARDS)]
    when: Annotated[list[int], F("i1", PUBLIC, MAX_CARDS)]
    effect: Annotated[list[int], F("i1", PUBLIC, MAX_CARDS)]
    arg_a: Annotated[list[int], F("i1", PUBLIC, MAX_CARDS)]
    arg_b: Annotated[list[int], F("i1", PUBLIC, MAX_CARDS)]
    amount: Annotated[list[int], F("i1", PUBLIC, MAX_CARDS)]


POSITION = Layout(Position)
BOX = Layout(Box)

_REGION = Arg("region", 0, MAX_REGIONS - 1, "region")
_CARD = Arg("card", 0, MAX_CARDS - 1, "card")
_KIND = Arg("unit", LEGION, GALLEY, "unit")

CODES = Codes(
    Kind("first", Arg("side", 0, 1, "seat")),
    Kind("reveal", _CARD),
    Kind("go", Arg("space", 0, 7, "space")),
    Kind("pay", Arg("good", MARBLE, COIN, "good")),
    Kind("coins", Arg("number", 0, MAX_COINS_PAID)),
    Kind("take", Arg("good", MARBLE, GOLD, "good")),
    Kind("produce"),
    Kind("temple", _REGION),
    Kind("wall", _REGION),
    Kind("arm", Arg("unit", LEGION, LEADER, "unit"), _REGION),
    Kind("enlist", _KIND, _REGION),
    Kind("develop", Arg("know", 0, 4, "know")),
    Kind("recruit", _KIND, Arg("number", 1, MAX_UNITS)),
    Kind("send", _KIND, _REGION, Arg("steps", 1, MAX_STEPS)),
    Kind("lead"),
    Kind("to", _REGION, Arg("number", 1, MAX_UNITS)),
    Kind("fight"),
    Kind("hold"),
    Kind("clash", _KIND, _REGION),
    Kind("conquer", _REGION),
    Kind("lose", Arg("number", 0, MAX_UNITS)),
    Kind("found", Arg("token", 1, 3, "token"), _REGION),
    Kind("card", _CARD),
    Kind("aim", _REGION),
    Kind("strike", _CARD),
    Kind("muster", _KIND),
    Kind("trade"),
    Kind("pick", _CARD),
    Kind("done"),
    Kind("abandon", _REGION),
)
FIRST_SEAT = CODES.origin("first")
REVEAL_CARD = CODES.origin("reveal")
GO = CODES.origin("go")
PAY_GOOD = CODES.origin("pay")
PAY_COINS = CODES.origin("coins")
TAKE_GOOD = CODES.origin("take")
PRODUCE_NOW = CODES.origin("produce")
TEMPLE_AT = CODES.origin("temple")
WALL_AT = CODES.origin("wall")
ARM = CODES.origin("arm")
ENLIST = CODES.origin("enlist")
DEVELOP = CODES.origin("develop")
RECRUIT = CODES.origin("recruit")
RECRUIT_UNIT = CODES.stride("recruit", "unit")
SEND = CODES.origin("send")
SEND_UNIT = CODES.stride("send", "unit")
SEND_REGION = CODES.stride("send", "region")
LEAD = CODES.origin("lead")
TO = CODES.origin("to")
TO_REGION = CODES.stride("to", "region")
FIGHT_IT = CODES.origin("fight")
HOLD = CODES.origin("hold")
CLASH_AT = CODES.origin("clash")
CONQUER = CODES.origin("conquer")
LOSE = CODES.origin("lose")
FOUND_AT = CODES.origin("found")
PLAY_CARD = CODES.origin("card")
AIM_AT = CODES.origin("aim")
STRIKE_CARD = CODES.origin("strike")
MUSTER_UNIT = CODES.origin("muster")
TRADE = CODES.origin("trade")
PICK_CARD = CODES.origin("pick")
DONE = CODES.origin("done")
ABANDON_CITY = CODES.origin("abandon")
# Where kinds end, for telling them apart.
(
    END_GO, END_TEMPLE, END_WALL, END_ARM, END_ENLIST, END_DEVELOP, END_RECRUIT, END_SEND, END_CLASH,
    END_CONQUER, END_FOUND, END_CARD,
) = (
    CODES.end(kind)
    for kind in (
        "go", "temple", "wall", "arm", "enlist", "develop", "recruit", "send", "clash",
        "conquer", "found", "card",
    )
)  # fmt: skip
