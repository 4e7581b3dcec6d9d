"""Conquest of the Empire: what a position and a box consist of, and the codes of its actions.

Areas are numbered: provinces 0 to 41, then sea zones 42 to 59.  Everything is open to all seats.
"""

from __future__ import annotations

from typing import Annotated, Literal, get_args

from ludus.core.codes import Arg, Codes, Kind
from ludus.core.contract import MAX_SEATS
from ludus.core.layout import PUBLIC, F, Layout

PROVINCES = 42
SEAS = 18
AREAS = PROVINCES + SEAS
HOMES = 7
EDGES = 64  # land borders, each of which may carry a road
NEAR = 8  # provinces next to a province
SHORES = 6  # sea zones next to a province
WATERS = 16  # areas next to a sea zone
SHIPS = 48  # galleys of all colours together
LEGION = 7  # units that one leader or one galley can take along
LEADERS = 25  # of one seat at most: its emperor and the generals of six colours
MAX_LINE = 5 + LEADERS
MAX_VICTIMS = 120
MAX_BATCH = 20  # units of one kind bought by one action
MAX_FIVES = 200  # greatest offer, in fives of talents
ODDS = 16  # sizes of the table of exact odds that bots look up
ABOARD = AREAS  # the emperor's place is ABOARD + ship while he is on a galley

# Land units, and the kinds of pieces that are bought.
INFANTRY, CAVALRY, CATAPULT = 0, 1, 2
UNITS = 3
GALLEY, CITY, WALL, ROAD = 3, 4, 5, 6
GOODS = 7

# Faces of the battle die.
FACE_GALLEY, BLANK, FACES = 3, 4, 5

# Pieces that march, by kind and points left: the first of two has one point more than the second.
TAKE_GENERAL, TAKE_TIRED_GENERAL, TAKE_EMPEROR = 0, 1, 2
TAKE_INFANTRY, TAKE_CAVALRY, TAKE_TIRED_CAVALRY, TAKE_CATAPULT = 3, 4, 5, 6
PIECES = 7

# What `spent` counts in a province, for the seat whose turn it is.
SPENT_INFANTRY, WEARY_CAVALRY, SPENT_CAVALRY, SPENT_CATAPULT, WEARY_GENERAL, SPENT_GENERAL = 0, 1, 2, 3, 4, 5
SPENT = 6

# Cargo of a galley, in the order in which it is loaded and landed: leaders first.
CARGO_GENERAL, CARGO_EMPEROR, CARGO_INFANTRY, CARGO_CAVALRY, CARGO_CATAPULT = 0, 1, 2, 3, 4
CARGO = 5

# Who leads: the `who` of the action lead.
EMPEROR, GENERAL, TIRED_GENERAL = 0, 1, 2

NOBODY = -1
NOWHERE = -1

# The two sides of a battle.
ATTACKER, DEFENDER = 0, 1

# Phases: what is done now.  Up to ROLL chance is to move, then one of the seats.
DRAW_HOME, ROLL = 0, 1
CHOOSE_HOME, MOVE, MUSTER, SAIL, BATTLES = 2, 3, 4, 5, 6
LINE, LOSSES, DECIDE, VICTIMS, RETREAT, SINK, CAPTIVE = 7, 8, 9, 10, 11, 12, 13
RAZE, BUY, DEAL, AMOUNT, ANSWER, VOTE, ENDED = 14, 15, 16, 17, 18, 19, 20
Phase = Literal[
    "draw_home", "roll",
    "choose_home", "move", "muster", "sail", "battles",
    "line", "losses", "decide", "victims", "retreat", "sink", "captive",
    "raze", "buy", "deal", "amount", "answer", "vote", "ended",
]  # fmt: skip
PHASES: tuple[Phase, ...] = get_args(Phase)

# What dice are thrown for.
FOR_NOTHING, FOR_ATTACK, FOR_DEFENCE, FOR_PURSUIT, FOR_SEA_ATTACK, FOR_SEA_DEFENCE = 0, 1, 2, 3, 4, 5
PURPOSES = ("nothing", "attack", "defence", "pursuit", "sea_attack", "sea_defence")

# What is on offer in phase 6.
NO_OFFER, RANSOM, RELEASE, EXCHANGE, GIFT = 0, 1, 2, 3, 4
OFFERS = ("none", "ransom", "release", "exchange", "gift")

# Why the game is over.
GOES_ON, LAST_EMPEROR, ACCLAIMED, CAPPED = 0, 1, 2, 3
ENDS = ("goes_on", "last_emperor", "acclaimed", "capped")

# Steps of inflation: the countdown of a step that has come into force.
IN_FORCE = -1


class Position:
    """Everything that is true at one moment.

    Fields from `leader` to `ashore` serve the legion or galley that is just being moved, those from
    `field` to `wet` the battle that is just being fought, the last ones phase 6.
    """

    phase: Annotated[int, F("i1", holds="phase")]
    active: Annotated[int, F("i1", holds="seat")]  # whose turn it is
    round: Annotated[int, F("i2")]
    ended: Annotated[int, F("i1", holds="end")]
    winner: Annotated[int, F("i1")]

    # The board.
    home: Annotated[list[int], F("i1", PUBLIC, MAX_SEATS, axes="seat", holds="home")]
    owner: Annotated[list[int], F("i1", PUBLIC, PROVINCES, axes="area")]  # control markers
    occupant: Annotated[list[int], F("i1", PUBLIC, PROVINCES, axes="area")]  # whose land units stand there
    city: Annotated[list[int], F("i1", PUBLIC, PROVINCES, axes="area")]  # 1 city, 2 fortified city
    road: Annotated[list[int], F("i1", PUBLIC, EDGES, axes="edge")]
    units: Annotated[
        list[list[list[int]]], F("i1", PUBLIC, MAX_SEATS, PROVINCES, UNITS, axes="seat area unit")
    ]
    generals: Annotated[list[list[int]], F("i1", PUBLIC, MAX_SEATS, PROVINCES, axes="seat area")]
    emperor: Annotated[list[int], F("i1", PUBLIC, MAX_SEATS, axes="seat", holds="place")]  # -1: fallen

    # Galleys: free ones belong to nobody.
    ship_owner: Annotated[list[int], F("i1", PUBLIC, SHIPS, axes="ship")]
    ship_area: Annotated[list[int], F("i1", PUBLIC, SHIPS, axes="ship", holds="area")]
    ship_points: Annotated[list[int], F("i1", PUBLIC, SHIPS, axes="ship")]
    ship_coast: Annotated[list[int], F("i1", PUBLIC, SHIPS, axes="ship")]  # which stretch; 0: no matter
    ship_from: Annotated[list[int], F("i1", PUBLIC, SHIPS, axes="ship")]  # sea it came from this turn, or -1
    ship_generals: Annotated[list[int], F("i1", PUBLIC, SHIPS, axes="ship")]
    cargo: Annotated[list[list[int]], F("i1", PUBLIC, SHIPS, UNITS, axes="ship unit")]

    # Seats.
    talents: Annotated[list[int], F("i4", PUBLIC, MAX_SEATS, axes="seat")]  # 6.10: no limit
    tribute: Annotated[list[int], F("i2", PUBLIC, MAX_SEATS, axes="seat")]  # the marker on the track
    force: Annotated[list[list[int]], F("i2", PUBLIC, MAX_SEATS, 4, axes="seat goods")]  # pieces in play
    colours: Annotated[list[int], F("i1", PUBLIC, MAX_SEATS, axes="seat")]  # sets of pieces owned
    captives: Annotated[list[list[int]], F("i1", PUBLIC, MAX_SEATS, MAX_SEATS, axes="seat seat")]
    waiting: Annotated[list[int], F("i1", PUBLIC, MAX_SEATS, axes="seat")]  # generals off the board
    removed: Annotated[int, F("i1")]  # generals out of the game for good
    built: Annotated[list[int], F("i1", PUBLIC, 3, axes="work")]  # cities, walls, roads on the board

    # Inflation: who set off each step, and how many of that seat's turns must still begin.
    price: Annotated[int, F("i1")]  # what base prices are multiplied by
    trigger: Annotated[list[int], F("i1", PUBLIC, 2)]
    countdown: Annotated[list[int], F("i1", PUBLIC, 2)]  # 0: not set off, -1: in force
    full_round: Annotated[int, F("i2")]  # the round in which the second step came into force

    # Movement.
    spent: Annotated[list[list[int]], F("i1", PUBLIC, PROVINCES, SPENT, axes="area spent")]
    emperor_points: Annotated[int, F("i1")]
    leader: Annotated[int, F("i1", holds="who")]
    leader_points: Annotated[int, F("i1")]
    here: Annotated[int, F("i1", holds="area")]  # where the leader or galley is
    ship: Annotated[int, F("i1")]
    stepped: Annotated[int, F("i1")]  # 1 once the leader or galley has moved
    taking: Annotated[int, F("i1")]  # 1 once something was taken or loaded at this stop: nothing is put down
    hand: Annotated[list[int], F("i1", PUBLIC, PIECES, axes="piece")]  # goes along, has not yet paid
    riders: Annotated[list[int], F("i1", PUBLIC, PIECES, axes="piece")]  # has paid for the road trip
    trip: Annotated[int, F("i8")]  # provinces of the present road trip, as bits
    ashore: Annotated[int, F("i1")]  # leaders landed at this stop

    # Battle.
    field: Annotated[int, F("i1", holds="area")]
    enemy: Annotated[int, F("i1", holds="seat")]
    bout: Annotated[int, F("i1")]  # which round of the battle
    side: Annotated[int, F("i1", holds="side")]  # who is choosing, or whose dice are thrown
    dice_for: Annotated[int, F("i1", holds="purpose")]
    dice: Annotated[int, F("i2")]  # still to be thrown
    faces: Annotated[list[int], F("i2", PUBLIC, FACES, axes="face")]
    hits: Annotated[list[int], F("i2", PUBLIC, 2, axes="side")]  # that each side has suffered
    line: Annotated[list[list[int]], F("i1", PUBLIC, 2, UNITS, axes="side unit")]
    fallen: Annotated[list[list[int]], F("i1", PUBLIC, 2, UNITS, axes="side unit")]  # tipped over
    need: Annotated[int, F("i2")]  # how many pieces are still to be chosen
    stage: Annotated[int, F("i1")]  # which kind is asked for
    loser: Annotated[int, F("i1")]  # who retreats
    winner_here: Annotated[int, F("i1")]  # who takes what cannot retreat
    fought: Annotated[list[int], F("i1", PUBLIC, SEAS, axes="-")]  # seats fought in a sea zone, as bits
    wet: Annotated[list[int], F("i1", PUBLIC, 2, axes="side")]  # generals of sunk galleys

    # Captured generals that their captor still decides on.
    captor: Annotated[int, F("i1")]
    pending: Annotated[list[int], F("i1", PUBLIC, MAX_SEATS, axes="seat")]

    # Phases 4 to 6.
    open_own: Annotated[list[int], F("i1", PUBLIC, MAX_SEATS, axes="seat")]  # own generals, not yet asked for
    open_held: Annotated[list[int], F("i1", PUBLIC, MAX_SEATS, axes="seat")]  # captives not yet offered
    gifts: Annotated[int, F("i1")]  # seats that have had a gift this turn, as bits
    offer: Annotated[int, F("i1", holds="offer")]
    partner: Annotated[int, F("i1", holds="seat")]
    countered: Annotated[int, F("i1")]  # 1 once the partner names other terms
    opened: Annotated[int, F("i1", holds="offer")]  # what the active seat began with: ransom or release
    gets: Annotated[int, F("i1")]  # whose captive general the active seat would get, or -1
    gives: Annotated[int, F("i1")]  # whose captive general it would give, or -1
    payer: Annotated[int, F("i1", holds="seat")]
    fives: Annotated[int, F("i2")]  # the talents of the offer, in fives


class Box:
    """What does not change during a match: the board, prices, limits and the chosen rulings."""

    seats: Annotated[int, F("i1")]
    homes: Annotated[int, F("i1", holds="homes")]  # 0 drawn, 1 chosen, 2 in the order of seats
    in_play: Annotated[list[int], F("i1", PUBLIC, HOMES, axes="home")]
    ring: Annotated[list[int], F("i1", PUBLIC, HOMES, holds="home")]  # the order of turns
    home_province: Annotated[list[int], F("i1", PUBLIC, HOMES, axes="home", holds="area")]
    ports: Annotated[list[list[int]], F("i1", PUBLIC, HOMES, 2, axes="home -")]  # for galleys, -1 none
    value: Annotated[list[int], F("i1", PUBLIC, PROVINCES, axes="area")]
    near_count: Annotated[list[int], F("i1", PUBLIC, PROVINCES, axes="area")]
    near: Annotated[list[list[int]], F("i1", PUBLIC, PROVINCES, NEAR, axes="area -", holds="area")]
    near_edge: Annotated[list[list[int]], F("i1", PUBLIC, PROVINCES, NEAR, axes="area -")]  # -1: strait
    shore_count: Annotated[list[int], F("i1", PUBLIC, PROVINCES, axes="area")]
    shore: Annotated[list[list[int]], F("i1", PUBLIC, PROVINCES, SHORES, axes="area -", holds="area")]
    stretch: Annotated[list[list[int]], F("i1", PUBLIC, PROVINCES, SHORES, axes="area -")]
    water_count: Annotated[list[int], F("i1", PUBLIC, SEAS)]
    water: Annotated[list[list[int]], F("i1", PUBLIC, SEAS, WATERS, axes="- -", holds="area")]
    edge_end: Annotated[list[list[int]], F("i1", PUBLIC, EDGES, 2, axes="edge -", holds="area")]
    edges: Annotated[int, F("i1")]
    distance: Annotated[list[list[int]], F("i1", PUBLIC, PROVINCES, PROVINCES, axes="area area")]  # for bots
    march: Annotated[
        list[list[int]], F("i1", PUBLIC, PROVINCES, PROVINCES, axes="area area")
    ]  # on foot alone
    voyages: Annotated[list[list[int]], F("i1", PUBLIC, SEAS, PROVINCES, axes="- area")]  # of a galley at sea
    winning: Annotated[list[list[list[int]]], F("i2", PUBLIC, 3, ODDS, ODDS)]  # for bots: exact, permille
    base_price: Annotated[list[int], F("i1", PUBLIC, GOODS, axes="goods")]
    limit: Annotated[list[int], F("i1", PUBLIC, GOODS, axes="goods")]
    infantry: Annotated[int, F("i1")]  # at the start
    starting_generals: Annotated[int, F("i1")]
    start_talents: Annotated[int, F("i2")]
    max_rounds: Annotated[int, F("i2")]
    rounds_after_full_inflation: Annotated[int, F("i2")]
    tribute_goal: Annotated[int, F("i2")]
    acclamation: Annotated[int, F("i1")]
    galleys_block_straits: Annotated[int, F("i1")]
    broken_coasts: Annotated[int, F("i1")]
    same_sea_same_turn: Annotated[int, F("i1")]
    loser_galleys_sunk: Annotated[int, F("i1")]
    reembark_on_retreat: Annotated[int, F("i1")]
    leaderless_retreat: Annotated[int, F("i1")]
    retreat_conquers: Annotated[int, F("i1")]
    both_destroyed_captures: Annotated[int, F("i1")]
    rescue_at_sea: Annotated[int, F("i1")]
    inherit_piece_pool: Annotated[int, F("i1")]
    recruit_in_captured_homes: Annotated[int, F("i1")]
    tribute_needs_home: Annotated[int, F("i1")]
    naval_defender_first: Annotated[int, F("i1")]
    free_gifts: Annotated[int, F("i1")]
    leaving_removes: Annotated[int, F("i1")]


POSITION = Layout(Position)
BOX = Layout(Box)

_PROVINCE = Arg("province", 0, PROVINCES - 1, "area")
_AREA = Arg("area", 0, AREAS - 1, "area")
_SEAT = Arg("other_seat", 0, MAX_SEATS - 1, "seat")
_SHIP = Arg("ship", 0, SHIPS - 1)
_HOME = Arg("home", 0, HOMES - 1, "home")
_TWO_UNITS = Arg("unit", INFANTRY, CAVALRY, "unit")  # the rest is catapults
_NUMBER = Arg("number", 1, LEADERS - 1)

CODES = Codes(
    # chance
    Kind("draw", _HOME),
    Kind("roll", Arg("face", 0, FACES - 1, "face")),
    # the set-up
    Kind("choose", _HOME),
    # phase 1: movement
    Kind("lead", _PROVINCE, Arg("who", EMPEROR, TIRED_GENERAL, "who")),
    Kind("drop", Arg("piece", 0, PIECES - 1, "piece"), _NUMBER),
    Kind("take", Arg("piece", 0, PIECES - 1, "piece"), _NUMBER),
    Kind("take_all"),
    Kind("march", _PROVINCE),
    Kind("sail", _SHIP),
    Kind("land", Arg("cargo", 0, CARGO - 1, "cargo"), _NUMBER),
    Kind("load", Arg("cargo", 0, CARGO - 1, "cargo"), _NUMBER),
    Kind("load_all"),
    Kind("voyage", _AREA),
    Kind("halt"),
    Kind("end_move"),
    Kind("abdicate"),
    # phase 2: combat
    Kind("battle", _PROVINCE),
    Kind("attack", Arg("sea", PROVINCES, AREAS - 1, "area"), _SEAT),
    Kind("end_combat"),
    Kind("line", _TWO_UNITS, Arg("number", 0, MAX_LINE)),
    Kind("lose", _TWO_UNITS, Arg("number", 0, MAX_LINE)),
    Kind("fight_on"),
    Kind("withdraw"),
    Kind("slay", _TWO_UNITS, Arg("number", 0, MAX_VICTIMS)),
    Kind("retreat", _AREA),
    Kind("sink", _SHIP),
    Kind("keep", _SEAT),
    Kind("remove", _SEAT),
    # phase 4: razing
    Kind("raze", _PROVINCE),
    Kind("end_razing"),
    # phase 5: purchase, each piece placed at once
    Kind("recruit", Arg("unit", 0, UNITS - 1, "unit"), _HOME, Arg("number", 1, MAX_BATCH)),
    Kind("launch", _PROVINCE, Arg("coast", 0, 2)),
    Kind("found", _PROVINCE),
    Kind("fortify", _PROVINCE),
    Kind("pave", Arg("edge", 0, EDGES - 1, "edge")),
    Kind("end_purchase"),
    # phase 6: ransom, acclamation; `exchange` adds a captive general of a seat to an offer
    Kind("ransom", _SEAT),
    Kind("release", _SEAT),
    Kind("gift", _SEAT),
    Kind("exchange", _SEAT),
    Kind("reverse"),
    Kind("amount", Arg("fives", 0, MAX_FIVES)),
    Kind("accept"),
    Kind("refuse"),
    Kind("counter"),
    Kind("acclaim"),
    Kind("agree"),
    Kind("object"),
    Kind("end_turn"),
)
DRAW = CODES.origin("draw")
FACE = CODES.origin("roll")
CHOOSE = CODES.origin("choose")
LEAD = CODES.origin("lead")
LEAD_PROVINCE = CODES.stride("lead", "province")
DROP = CODES.origin("drop")
TAKE = CODES.origin("take")
PER_PIECE = CODES.stride("take", "piece")  # also of drop, land and load
TAKE_ALL = CODES.first("take_all")
MARCH = CODES.origin("march")
SAIL_SHIP = CODES.origin("sail")
LAND = CODES.origin("land")
LOAD = CODES.origin("load")
LOAD_ALL = CODES.first("load_all")
VOYAGE = CODES.origin("voyage")
HALT = CODES.first("halt")
END_MOVE = CODES.first("end_move")
ABDICATE = CODES.first("abdicate")
BATTLE = CODES.origin("battle")
ATTACK = CODES.origin("attack")
ATTACK_SEA = CODES.stride("attack", "sea")
END_COMBAT = CODES.first("end_combat")
LINE_UP = CODES.origin("line")
LOSE = CODES.origin("lose")
PER_UNIT = CODES.stride("line", "unit")  # also of lose
FIGHT_ON = CODES.first("fight_on")
WITHDRAW = CODES.first("withdraw")
SLAY = CODES.origin("slay")
SLAY_UNIT = CODES.stride("slay", "unit")
RETREAT_TO = CODES.origin("retreat")
SINK_SHIP = CODES.origin("sink")
KEEP = CODES.origin("keep")
REMOVE = CODES.origin("remove")
RAZE_CITY = CODES.origin("raze")
END_RAZING = CODES.first("end_razing")
RECRUIT = CODES.origin("recruit")
RECRUIT_UNIT = CODES.stride("recruit", "unit")
RECRUIT_HOME = CODES.stride("recruit", "home")
LAUNCH = CODES.origin("launch")
LAUNCH_PROVINCE = CODES.stride("launch", "province")
FOUND = CODES.origin("found")
FORTIFY = CODES.origin("fortify")
PAVE = CODES.origin("pave")
END_PURCHASE = CODES.first("end_purchase")
OFFER_RANSOM = CODES.origin("ransom")
OFFER_RELEASE = CODES.origin("release")
OFFER_GIFT = CODES.origin("gift")
ADD_CAPTIVE = CODES.origin("exchange")
REVERSE = CODES.first("reverse")
FIVES = CODES.origin("amount")
ACCEPT = CODES.first("accept")
REFUSE = CODES.first("refuse")
COUNTER = CODES.first("counter")
ACCLAIM = CODES.first("acclaim")
AGREE = CODES.first("agree")
OBJECT = CODES.first("object")
END_TURN = CODES.first("end_turn")
