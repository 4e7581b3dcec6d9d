"""What a view of Roma shows.  The types of its drawing in the browser are made from them (tools/web)."""

from __future__ import annotations

from typing import TypedDict

from ludus.core.sight import Count

from .layout import Phase

Heap = dict[str, int]  # cards by name, and how many
Row = dict[str, str]  # the names of cards by the disc on which they lie


class Hint(TypedDict):
    """Of the cards in a hand that are not known at least so many are among these."""

    at_least: int
    among: Heap


class Own(TypedDict):
    """What seats see differently."""

    facedown: list[Row | None]
    hand: list[Heap | Count]
    aside: list[Heap | Count]
    known: list[Heap] | None
    hints: list[list[Hint]] | None


class Board(Own):
    """Lists of two are by seat.  `blocked`, `down`, `relaid` and `idle` are lists of discs.  Where several
    cards are chosen one after the other, the next is number `step` of `steps`."""

    phase: Phase
    turn: int
    player: int
    left: int
    step: int
    steps: int
    throws: int
    points: list[int]
    stock: int
    written: int
    money: list[int]
    dice: list[int]
    board: list[Row]
    defence: list[dict[str, int]]
    blocked: list[list[int]]
    down: list[list[int]]
    deck_size: int
    discard: Heap
    weakened: int
    weakened_by: dict[str, int]
    source: int
    effect: str
    target: int
    thrown: int
    gain: int
    lifted: list[str]
    relaid: list[int]
    idle: list[int]
