"""Roma: what a position and a box consist of, the cards, and the codes of its actions."""

from __future__ import annotations

from typing import Annotated, Literal, get_args

from ludus.core.codes import Arg, Codes, Kind
from ludus.core.layout import COUNTED, OWNED, PUBLIC, SECRET, SHARED, F, Layout

SEATS = 2
DISCS = 6  # dice discs, numbered 1 to 6
ROW = 8  # R5: the whole row of discs: 0 is the cards disc, 1 to 6 hold cards, 7 is the money disc
DICE = 3
CARDS = 25  # kinds of card, numbered from 1; 0 is no card
SIZE = CARDS + 1  # length of every list that counts cards by kind
MAX_HINTS = 2  # see `hints`; a third at the same time was never seen, and would push out the first
MAX_THROWS = 9  # with triples=repeat: how often the dice can be thrown in one turn
MAX_TURNS = 500  # R69
MAX_BUY = 60
BASILICA_BONUS = 2
ESSEDUM_CUT = 2
MERCATOR_PRICE = 2

# Cards, in the order of the card list: 17 persons, then 8 buildings.
NONE = 0
SICARIUS, ARCHITECTUS, CONSILIARIUS, LEGAT, GLADIATOR, MERCATOR, CONSUL = 1, 2, 3, 4, 5, 6, 7
LEGIONARIUS, NERO, PRAETORIANUS, SCAENICUS, HARUSPEX, SENATOR, VELITES = 8, 9, 10, 11, 12, 13, 14
ESSEDUM, TRIBUNUS_PLEBIS, CENTURIO = 15, 16, 17
AESCULAPINUM, BASILICA, MACHINA, FORUM, MERCATUS, ONAGER, TEMPLUM, TURRIS = 18, 19, 20, 21, 22, 23, 24, 25

PERSON, BUILDING = 1, 2

# Phases: what is done now.  Up to BATTLE chance is to move, then one of the seats.
DEAL, ROLL, DRAW, BATTLE = 0, 1, 2, 3
PASS, PLACE, TRIPLE, ACT, KEEP = 4, 5, 6, 7, 8
SECOND_DIE, THIRD_DIE, EXTRA_DIE, CHANGE_DIE = 9, 10, 11, 12
TARGET, BLOCK, COPY, BUY, SEARCH, FETCH, FREE_LAY, RELAY = 13, 14, 15, 16, 17, 18, 19, 20
ENDED = 21
Phase = Literal[
    "deal", "roll", "draw", "battle",
    "pass", "place", "triple", "act", "keep",
    "second_die", "third_die", "extra_die", "change_die",
    "target", "block", "copy", "buy", "search", "fetch", "free_lay", "relay",
    "ended",
]  # fmt: skip
PHASES: tuple[Phase, ...] = get_args(Phase)


class Position:
    """Everything that is true at one moment.

    `aside` holds the cards that a seat sees apart from its hand: those it gives away before both have
    chosen, those just drawn, or the draw pile while a Haruspex searches it.

    What the other seat knows of a hand both seats know (each sees how the other learnt it), but nobody
    else: these fields are shared.  `known` are cards that are surely in the hand.  Hint i adds: of the
    others at least `sure[i]` are among `among[i]`; the lists grow with i.  `held` is what the drawing
    seat held, hand and drawn cards together, when the draw pile was made anew in the middle of its draw.
    """

    phase: Annotated[int, F("i1", holds="phase")]
    turn: Annotated[int, F("i2")]  # turns begun, of both seats together
    player: Annotated[int, F("i1", holds="seat")]  # whose turn it is; in the set-up: who chooses
    left: Annotated[int, F("i1")]  # how many more cards or dice this phase asks for
    throws: Annotated[int, F("i1")]  # while the dice are thrown: which throw of this turn it is
    points: Annotated[list[int], F("i2", PUBLIC, SEATS, axes="seat")]
    stock: Annotated[int, F("i2")]  # points that nobody has
    written: Annotated[int, F("i2")]  # R65: points credited beyond the supply
    money: Annotated[list[int], F("i2", PUBLIC, SEATS, axes="seat")]
    dice: Annotated[list[int], F("i1", PUBLIC, DICE)]  # unused dice, highest first, then zeros
    board: Annotated[list[list[int]], F("i1", PUBLIC, SEATS, ROW, axes="seat disc", holds="card")]
    blocked: Annotated[list[list[int]], F("i1", PUBLIC, SEATS, ROW, axes="seat disc")]
    weakened: Annotated[int, F("i1")]  # Essedum activations that work this turn
    weakened_by: Annotated[list[int], F("i1", PUBLIC, ROW, axes="disc")]  # with essedum=ends_with_card
    source: Annotated[int, F("i1")]  # the disc whose card is being activated
    effect: Annotated[int, F("i1", holds="card")]  # whose action it is, also when it is copied
    target: Annotated[int, F("i1")]  # the disc that is attacked
    thrown: Annotated[int, F("i1")]  # what the battle die shows
    gain: Annotated[int, F("i1")]  # what a Forum's dice come to so far
    lifted: Annotated[list[int], F("i1", PUBLIC, DISCS, axes="-", holds="card")]  # to be laid again
    relaid: Annotated[list[int], F("i1", PUBLIC, ROW, axes="disc")]  # where one was laid again
    deck: Annotated[list[int], F("i1", SECRET, SIZE, axes="card", heap=True)]
    deck_size: Annotated[int, F("i1")]
    discard: Annotated[list[int], F("i1", PUBLIC, SIZE, axes="card", heap=True)]
    hand: Annotated[list[list[int]], F("i1", COUNTED, SEATS, SIZE, axes="seat card", heap=True)]
    aside: Annotated[list[list[int]], F("i1", COUNTED, SEATS, SIZE, axes="seat card", heap=True)]
    facedown: Annotated[list[list[int]], F("i1", OWNED, SEATS, ROW, axes="seat disc", holds="card")]
    down: Annotated[list[list[int]], F("i1", PUBLIC, SEATS, ROW, axes="seat disc")]  # where they lie
    known: Annotated[list[list[int]], F("i1", SHARED, SEATS, SIZE, axes="seat card", heap=True)]
    hints: Annotated[list[int], F("i1", SHARED, SEATS, axes="seat")]
    sure: Annotated[list[list[int]], F("i1", SHARED, SEATS, MAX_HINTS, axes="seat -")]
    among: Annotated[
        list[list[list[int]]], F("i1", SHARED, SEATS, MAX_HINTS, SIZE, axes="seat - card", heap=True)
    ]
    held: Annotated[list[int], F("i1", SHARED, SIZE, axes="card", heap=True)]


class Box:
    """What does not change during a match.  The disputed rulings are 0 for our ruling, 1 against it."""

    copies: Annotated[list[int], F("i1", PUBLIC, SIZE, axes="card")]
    kind: Annotated[list[int], F("i1", PUBLIC, SIZE, axes="card", holds="kind")]
    price: Annotated[list[int], F("i1", PUBLIC, SIZE, axes="card")]
    defence: Annotated[list[int], F("i1", PUBLIC, SIZE, axes="card")]
    cheapest: Annotated[int, F("i1")]  # the lowest price in the deck
    hand: Annotated[int, F("i1")]  # cards dealt to each seat, all of them laid in the set-up
    passed: Annotated[int, F("i1")]  # how many of them are given to the other
    points: Annotated[int, F("i2")]  # of each seat at the start
    stock: Annotated[int, F("i2")]
    money: Annotated[int, F("i2")]
    throws: Annotated[int, F("i1")]  # R8: how often the dice may be thrown in a turn of triples
    max_turns: Annotated[int, F("i2")]
    mercatus_from_stock: Annotated[int, F("i1")]  # R31
    zero_gain_refused: Annotated[int, F("i1")]  # R16
    refill_at_once: Annotated[int, F("i1")]  # R19
    essedum_ends: Annotated[int, F("i1")]  # R43
    relay_covers: Annotated[int, F("i1")]  # R56


POSITION = Layout(Position)
BOX = Layout(Box)

_DIE = Arg("die", 1, 6)
_DISC = Arg("disc", 1, DISCS)
_CARD = Arg("card", 1, CARDS, "card")

CODES = Codes(
    # chance
    Kind("draw", _CARD),  # from the draw pile, also when cards are dealt
    Kind("roll", _DIE),
    Kind("battle", _DIE),
    # the set-up
    Kind("pass", _CARD),
    Kind("place", _CARD, _DISC),
    # phase 2
    Kind("accept"),
    Kind("rethrow"),
    # phase 3
    Kind("money", _DIE),
    Kind("cards", _DIE),
    Kind("activate", _DIE),
    Kind("end"),
    Kind("lay", _CARD, _DISC),
    Kind("keep", _CARD),
    # what an activated card asks for
    Kind("add", _DIE),
    Kind("decline"),
    Kind("raise", _DIE),
    Kind("lower", _DIE),
    Kind("target", _DISC),
    Kind("block", _DISC),
    Kind("copy", _CARD),
    Kind("buy", Arg("points", 0, MAX_BUY)),
    Kind("take", _CARD),
    Kind("done"),
)
DRAW_CARD = CODES.origin("draw")
ROLL_DIE = CODES.origin("roll")
BATTLE_DIE = CODES.origin("battle")
PASS_CARD = CODES.origin("pass")
PLACE_CARD = CODES.origin("place")
ACCEPT = CODES.first("accept")
RETHROW = CODES.first("rethrow")
MONEY = CODES.origin("money")
CARDS_DISC = CODES.origin("cards")
ACTIVATE = CODES.origin("activate")
END = CODES.first("end")
LAY = CODES.origin("lay")
PER_CARD = CODES.stride("lay", "card")  # lay and place: code = origin + card * PER_CARD + disc
KEEP_CARD = CODES.origin("keep")
ADD = CODES.origin("add")
DECLINE = CODES.first("decline")
RAISE = CODES.origin("raise")
LOWER = CODES.origin("lower")
TARGET_DISC = CODES.origin("target")
BLOCK_DISC = CODES.origin("block")
COPY_CARD = CODES.origin("copy")
BUY_POINTS = CODES.origin("buy")
TAKE_CARD = CODES.origin("take")
DONE = CODES.first("done")
