"""What a view of Conquest shows.  The types of its drawing in the browser are made from them (tools/web)."""

from __future__ import annotations

from typing import Literal, NotRequired, TypedDict

from .layout import Phase

Heap = dict[str, int]  # pieces by kind, and how many


class Inflation(TypedDict):
    """A step of inflation: the tribute that sets it off, and how far it is."""

    at: int
    times: int
    state: Literal["far", "announced", "in_force"]
    by: int
    turns: int


class Seat(TypedDict):
    """An empire, fallen when it has no emperor.  Captives are counted by the seat that they are of."""

    home: str | None
    home_held: bool
    emperor: str | None
    talents: int
    tribute: int
    pieces: Heap
    left: Heap
    colours: int
    captives: Heap
    waiting: int
    undecided: int


class Province(TypedDict):
    """`worth` is what it pays with its city, `spent` what has no points left; armies are by seat."""

    owner: int | None
    value: int
    city: NotRequired[Literal["open", "fortified"]]
    worth: NotRequired[int]
    armies: NotRequired[dict[str, Heap]]
    spent: NotRequired[Heap]


class Ship(TypedDict):
    """A galley.  `coast` is the stretch of coast at which it lies, 0 where that does not matter."""

    ship: int
    owner: int
    area: str
    points: int
    coast: int
    hold: Heap


class Moving(TypedDict):
    """What is being moved just now: a galley, or a leader with what goes along."""

    here: str
    points: int
    ship: NotRequired[int]
    leader: NotRequired[str]
    along: NotRequired[Heap]
    riding: NotRequired[Heap]
    trip: NotRequired[list[str]]


class Battle(TypedDict):
    """Lists of two are by side, the attacker first.  At sea there are no lines."""

    field: str
    attacker: int
    defender: int
    round: int
    side: str
    dice: int
    dice_for: str
    faces: Heap
    scoring: Heap
    hits: list[int]
    need: int
    lines: NotRequired[list[Heap]]
    fallen: NotRequired[list[Heap]]


class Offer(TypedDict):
    """`gets` and `gives`: whose general the active seat would get, and give."""

    kind: str
    partner: int
    by: int
    gets: int | None
    gives: int | None
    payer: int
    talents: int


class Board(TypedDict):
    """Everything lies open.  Areas, roads and pieces are called by their names."""

    phase: Phase
    round: int
    active: int
    ended: str
    price: int
    prices: dict[str, int]
    inflation: list[Inflation]
    stock: dict[str, int]
    seats: list[Seat]
    provinces: dict[str, Province]
    roads: list[str]
    ships: list[Ship]
    moving: Moving | None
    battle: Battle | None
    offer: Offer | None
