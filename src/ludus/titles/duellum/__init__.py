"""Antike Duellum and Casus Belli: two peoples, a rondel, nine personages."""

from ludus.core.title import Title

from . import own, rules, view
from .box import FOLDER, OPTIONS, SEATS, labels, make_box, settle, small_boxes
from .layout import BOX, CODES, POSITION, Box, Position
from .value import value
from .why_not import meant

TITLE: Title[Position, Box] = Title(
    name="duellum",
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
    seats_of=lambda box: 2,
    labels=labels,
    settle=settle,
    small_boxes=small_boxes,
    value=value,
    meant=meant,
    length=100_000,
    own=own,
)
