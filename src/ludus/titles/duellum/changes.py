"""Changes of what is ours in the data; what is printed is refused.

A change is a line of words: `border genua-corsica none` (or land, sea, both), `join roma-carales sea` (a
border where none is), `swap sardes-ephesos` (what two start cities bring), `price strata first 6`, `card
quarry 3` (its amount).  `ludus lab balance` tries them; an edition of our data is a list of them
(`data/editions.toml`).
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from typing import Any

from ludus.core.errors import FormatError

from .data import FOLDER, WAYS, Data
from .layout import KNOW_HOWS

PRINTED = "printed"
NONE = "none"


def declared(data: Data) -> Iterator[str]:
    """Every single change that may be tried."""
    for border in data.board["borders"]:
        ends = "-".join(border["between"])
        if border.get("status") != PRINTED:
            yield f"border {ends} {NONE}"
        if border.get("colour") != PRINTED and border["way"] == "both":
            yield f"border {ends} land"
            yield f"border {ends} sea"
    yield from (f"join {join}" for join in _joins(str(data.board["id"])))
    starts = [region for region in data.board["regions"] if region.get("start")]
    for n, one in enumerate(starts):
        for other in starts[n + 1 :]:
            both = (one["start"], other["start"])
            if both[0]["side"] == both[1]["side"] and all(s.get("status") != PRINTED for s in both):
                yield f"swap {one['id']}-{other['id']}"
    for know in KNOW_HOWS:
        for which in ("first", "second"):
            if not _price_printed(data, know, which):
                price = data.prices["know_how"][know][which]
                yield from (f"price {know} {which} {price + more}" for more in (-1, 1))
    for card in data.cards:
        if card.get("status") != PRINTED and card.get("amount", 0) > 0:
            yield from (f"card {card['id']} {card['amount'] + more}" for more in (-1, 1))


@cache
def _joins(board: str) -> tuple[str, ...]:
    """Borders where none is, that a map of the board could show."""
    table = tomllib.loads((FOLDER / "editions.toml").read_text(encoding="utf-8"))
    return tuple(table["joins"].get(board, ()))


def _price_printed(data: Data, know: str, which: str) -> bool:
    """Two of the ten prices stand in the example (`data/prices.toml`)."""
    return f"{which} price printed" in str(data.prices["know_how"][know].get("status", ""))


def changed(data: Data, change: str) -> Data:
    """The data with one change; FormatError names what is wrong with it, or printed."""
    words = change.split()
    match words:
        case ["border", ends, way]:
            return _border(data, ends, way)
        case ["join", ends, way]:
            return _join(data, ends, way)
        case ["swap", ends]:
            return _swap(data, ends)
        case ["price", know, which, number]:
            return _price(data, know, which, number)
        case ["card", name, number]:
            return _card(data, name, number)
    raise FormatError(
        f"{change!r:.60} is no change; there are `border A-B none`, `join A-B sea`, `swap A-B`, "
        "`price KNOW-HOW first N` and `card CARD N`"
    )


def _border(data: Data, ends: str, way: str) -> Data:
    if way not in (*WAYS, NONE):
        raise FormatError(f"a border is {', '.join(WAYS)} or {NONE}, not {way!r:.40}")
    pair, found = set(ends.split("-")), list(data.board["borders"])
    old = next((border for border in found if {*border["between"]} == pair), None)
    if old is None:
        raise FormatError(f"there is no border {ends!r:.60} on this board")
    if old.get("status" if way == NONE else "colour") == PRINTED:
        raise FormatError(f"the border {ends} is printed: it is not ours to change")
    new = [border if border is not old else {**old, "way": way} for border in found]
    return _with_board(data, borders=[b for b in new if b["way"] != NONE])


def _join(data: Data, ends: str, way: str) -> Data:
    if way not in WAYS:
        raise FormatError(f"a new border is {', '.join(WAYS)}, not {way!r:.40}")
    pair = ends.split("-")
    if len({*pair}) != 2 or len(pair) != 2 or not {*pair} <= {*data.regions}:
        raise FormatError(f"{ends!r:.60} are not two regions of this board")
    if any({*border["between"]} == {*pair} for border in data.board["borders"]):
        raise FormatError(f"{ends} are neighbours already: `border {ends} {way}` changes the way")
    ours = {"status": "reconstructed", "colour": "reconstructed", "why": ""}
    return _with_board(data, borders=[*data.board["borders"], {"between": pair, "way": way, **ours}])


def _swap(data: Data, ends: str) -> Data:
    one, _, other = ends.partition("-")
    starts = {region["id"]: region.get("start") for region in data.board["regions"]}
    if not starts.get(one) or not starts.get(other):
        raise FormatError(f"{ends!r:.60} are not two start cities of this board")
    if PRINTED in (starts[one].get("status"), starts[other].get("status")):
        raise FormatError(f"the start cities {ends} are printed: they are not ours to change")
    new = {one: starts[other], other: starts[one]}
    regions = [{**r, "start": new[r["id"]]} if r["id"] in new else r for r in data.board["regions"]]
    return _with_board(data, regions=regions)


def _price(data: Data, know: str, which: str, number: str) -> Data:
    table = data.prices["know_how"]
    if know not in table or which not in ("first", "second"):
        raise FormatError(f"there is no price of {know!r:.40}, {which!r:.40}")
    if _price_printed(data, know, which):
        raise FormatError(f"the {which} price of {know} is printed: it is not ours to change")
    new = {**table, know: {**table[know], which: _number(number)}}
    return replace(data, prices={**data.prices, "know_how": new})


def _card(data: Data, name: str, number: str) -> Data:
    old = next((card for card in data.cards if card["id"] == name), None)
    if old is None:
        raise FormatError(f"there is no card {name!r:.40} in this deck")
    if old.get("status") == PRINTED:
        raise FormatError(f"the card {name} is printed: it is not ours to change")
    new = {**old, "amount": _number(number)}
    return replace(data, cards=tuple(new if card is old else card for card in data.cards))


def _with_board(data: Data, **parts: Any) -> Data:
    return replace(data, board={**data.board, **parts})


def _number(given: str) -> int:
    if not given.isascii() or not given.isdigit():
        raise FormatError(f"{given!r:.40} is no whole number")
    return int(given)
