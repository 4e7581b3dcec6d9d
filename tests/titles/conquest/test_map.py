"""The map of Conquest: what is drawn adjacent is exactly what the rules call adjacent."""

from __future__ import annotations

import json
from typing import Any

from shapely.geometry import LineString

from ludus.titles.conquest import TITLE
from ludus.titles.conquest.box import OPTIONS
from tools.maps.adjacency import ways
from tools.maps.paths import read_area
from tools.maps.ruled import pair, shipped_map

BOARD = TITLE.folder / "data/board.json"


def ruled_board() -> dict[str, Any]:
    found: dict[str, Any] = json.loads(BOARD.read_text(encoding="utf-8"))
    return found


def test_the_map_is_drawn_as_it_is_ruled() -> None:
    """With the disputed borders as they stand when nobody chooses otherwise."""
    board = ruled_board()
    ruled = {
        pair(ends): kind
        for kind, field in (("land", "land"), ("coast", "coasts"), ("sea", "open_sea"))
        for ends in board[field]
    }
    ruled |= {
        pair(board["disputed"][o.name]): "land"
        for o in OPTIONS
        if o.default == "on" and o.name in board["disputed"]
    }
    assert ways(shipped_map("conquest")) == ruled


def test_straits_are_drawn_between_their_shores() -> None:
    picture = shipped_map("conquest")
    shown = {pair((strait["a"], strait["b"])) for strait in picture["straits"]}
    assert shown == {pair(ends) for ends in ruled_board()["straits"]}
    for strait in picture["straits"]:
        line = LineString([strait["from"], strait["to"]])
        for shore in (strait["a"], strait["b"]):
            assert read_area(picture["regions"][shore]["path"]).intersects(line), strait
