"""Roma: options, the box they make, and what a scene may leave unsaid."""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

from ludus.core.codes import Labels
from ludus.core.option import Option, Value

from . import layout as at
from .layout import Box, Position

FOLDER = Path(__file__).parent
KINDS = ("none", "person", "building")
DISC_NAMES = ("cards", "1", "2", "3", "4", "5", "6", "money")
OPTIONS = (
    Option("mercatus", "opponent", ("opponent", "stock"), disputed=True),  # R31
    Option("triples", "once", ("once", "repeat"), disputed=True),  # R8
    Option("zero_gain", "allowed", ("allowed", "refused"), disputed=True),  # R16
    Option("refill", "when_needed", ("when_needed", "at_once"), disputed=True),  # R19
    Option("essedum", "lasts", ("lasts", "ends_with_card"), disputed=True),  # R43
    Option("relay", "one_per_disc", ("one_per_disc", "may_cover"), disputed=True),  # R56
)


@cache
def data() -> dict[str, Any]:
    found: dict[str, Any] = json.loads((FOLDER / "data" / "cards.json").read_text(encoding="utf-8"))
    return found


@cache
def card_names() -> tuple[str, ...]:
    return ("none", *(card["id"] for card in data()["cards"]))


def printed() -> dict[str, Any]:
    """What drawings show of each card; `dice` is how many it takes to work, 0 for one that always works."""
    dice = {"none": 0, "one_die": 1, "two_dice": 2}
    facts = ("kind", "copies", "price", "defence")
    cards = {
        card["id"]: {**{fact: card[fact] for fact in facts}, "dice": dice[card["activation"]]}
        for card in data()["cards"]
    }
    return {"cards": cards}


def make_box(options: Mapping[str, Value], seats: int) -> Box:
    box = at.BOX.plain()
    for number, card in enumerate(data()["cards"], 1):
        box.copies[number], box.price[number], box.defence[number] = (
            card["copies"],
            card["price"],
            card["defence"],
        )
        box.kind[number] = KINDS.index(card["kind"])
    for name, value in data()["table"].items():
        setattr(box, name, value)
    box.cheapest = cheapest(box)
    box.throws = 2 if options["triples"] == "once" else at.MAX_THROWS
    box.mercatus_from_stock = int(options["mercatus"] == "stock")
    box.zero_gain_refused = int(options["zero_gain"] == "refused")
    box.refill_at_once = int(options["refill"] == "at_once")
    box.essedum_ends = int(options["essedum"] == "ends_with_card")
    box.relay_covers = int(options["relay"] == "may_cover")
    return box


def cheapest(box: Box) -> int:
    return min(box.price[card] for card in range(1, at.SIZE) if box.copies[card])


def small_box(points: int, stock: int, deck: Mapping[str, int], **options: Value) -> Box:
    """A box with another deck and fewer points."""
    box = make_box({o.name: o.default for o in OPTIONS} | options, at.SEATS)
    box.copies[:] = [deck.get(name, 0) for name in card_names()]
    box.points, box.stock, box.cheapest = points, stock, cheapest(box)
    return box


def small_boxes() -> Mapping[str, Box]:
    """Ten or twelve cards, so that the piles run out and what is known of a hand matters all the time."""
    searching = {"haruspex": 2, "legat": 2, "gladiator": 1, "forum": 3, "aesculapinum": 1, "scaenicus": 1}
    laying = {"senator": 2, "consiliarius": 2, "forum": 2, "machina": 1, "legionarius": 2, "templum": 1}
    return {
        "ten cards": small_box(8, 9, searching),
        "ten cards refilled at once": small_box(8, 9, searching, refill="at_once"),
        "ten other cards": small_box(5, 6, laying),
    }


def labels(box: Box) -> Labels:
    return {"phase": at.PHASES, "card": card_names(), "disc": DISC_NAMES, "kind": KINDS}


def settle(s: Position, box: Box, given: frozenset[str]) -> None:
    """What a scene leaves unsaid: phase 3 of the first turn, as many cards or dice to come as the phase
    still asks for, every other card in the draw pile, every other point in the stock."""
    if not given:
        return
    if "phase" not in given:
        s.phase = at.ACT
    s.dice.sort(reverse=True)
    s.down[:] = [[int(card > 0) for card in row] for row in s.facedown]
    if "turn" not in given:
        s.turn = int(s.phase not in (at.DEAL, at.PASS, at.PLACE))
    if "left" not in given:
        s.left = _left(s, box)
    if "throws" not in given:
        s.throws = int(s.phase in (at.ROLL, at.TRIPLE))
    if "stock" not in given:
        s.stock = 2 * box.points + box.stock - sum(s.points)
    if "deck" not in given:
        s.deck[:] = [box.copies[card] - _elsewhere(s, card) if card else 0 for card in range(at.SIZE)]
    s.deck_size = sum(s.deck) + (sum(s.aside[s.player]) if s.phase == at.SEARCH else 0)


def _left(s: Position, box: Box) -> int:
    """How many cards or dice the phase still asks for."""
    if s.phase == at.DEAL:
        return box.hand - sum(s.hand[s.player])
    if s.phase == at.PASS:
        return box.passed - sum(s.aside[s.player])
    if s.phase == at.PLACE:
        return box.hand - sum(s.down[s.player])
    return at.DICE - sum(value > 0 for value in s.dice) if s.phase == at.ROLL else 0


def _elsewhere(s: Position, card: int) -> int:
    """How many copies are not in the draw pile."""
    n = s.discard[card] + sum(row[card] for row in (*s.hand, *s.aside))
    n += sum(row.count(card) for row in (*s.board, *s.facedown))
    return n + s.lifted[: at.DISCS].count(card)
