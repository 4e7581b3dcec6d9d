"""Conquest of the Empire, the classic rules, for two to six seats."""

from ludus.core.title import Title

from . import rules, view
from .advice import advise
from .box import FOLDER, OPTIONS, SEATS, labels, make_box, settle, small_boxes
from .layout import BOX, CODES, POSITION, Box, Position
from .value import value
from .why_not import meant

TITLE: Title[Position, Box] = Title(
    name="conquest",
    version=1,
    folder=FOLDER,
    position=POSITION,
    box=BOX,
    codes=CODES,
    rules=rules,
    talk=view,
    seats=SEATS,
    options=OPTIONS,
    make_box=make_box,
    seats_of=lambda box: box.seats,
    labels=labels,
    settle=settle,
    small_boxes=small_boxes,
    value=value,
    meant=meant,
    advise=advise,
    length=2_000_000,
    bench={"seats": 6, "acclamation": "off"},  # random votes would end games in the second round
)
