"""Roma: dice, cards and six discs; the first of the titles with a rulebook of its own."""

from ludus.core.title import Title

from . import rules, view
from .advice import advise
from .box import FOLDER, OPTIONS, labels, make_box, settle, small_boxes
from .layout import BOX, CODES, DICE, DISCS, MAX_THROWS, MAX_TURNS, POSITION, SEATS, Box, Position
from .value import value
from .why_not import meant

# The longest game.  Set-up: 8 cards dealt, 4 passed, 8 placed.  A turn: every throw with its decision;
# a die takes at most an activation, a copy and six cards laid again (or six cards drawn and one
# kept); each die brings at most one card into a hand, so at most one is laid for it; the end.
SET_UP = 20
TURN = (DICE + 1) * MAX_THROWS + DICE * (2 + DISCS) + DICE + 1

TITLE: Title[Position, Box] = Title(
    name="roma",
    version=1,
    folder=FOLDER,
    position=POSITION,
    box=BOX,
    codes=CODES,
    rules=rules,
    talk=view,
    seats=(SEATS,),
    options=OPTIONS,
    make_box=make_box,
    seats_of=lambda box: SEATS,
    labels=labels,
    settle=settle,
    small_boxes=small_boxes,
    length=SET_UP + MAX_TURNS * TURN,
    value=value,
    advise=advise,
    meant=meant,
)
