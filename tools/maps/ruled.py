"""What the rules call adjacent: read from the boards of the titles."""

from __future__ import annotations

import json
import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from .adjacency import Pair

TITLES = Path(__file__).parents[2] / "src/ludus/titles"
DISPUTED = ("aegyptus_arabia",)  # borders of Conquest that stand when nobody chooses otherwise


@dataclass(frozen=True)
class Ruled:
    ways: dict[Pair, str]  # land, sea, both, coast
    cities: set[str]
    straits: list[Pair]


def shipped(name: str) -> Path:
    """The map of a board, in the folder of the title that is played on it."""
    (found,) = TITLES.glob(f"*/web/maps/{name}.json")
    return found


def _pair(ends: Any) -> Pair:
    a, b = sorted(ends)
    return a, b


def ruled(name: str) -> Ruled:
    if name == "conquest":
        board = json.loads((TITLES / "conquest/data/board.json").read_text(encoding="utf-8"))
        kinds = (("land", "land"), ("coast", "coasts"), ("sea", "open_sea"))
        ways = {_pair(ends): kind for kind, field in kinds for ends in board[field]}
        ways |= {_pair(board["disputed"][option]): "land" for option in DISPUTED}
        return Ruled(ways, set(), [_pair(ends) for ends in board["straits"]])
    board = tomllib.loads((TITLES / f"duellum/data/{name}.toml").read_text(encoding="utf-8"))["board"]
    ways = {_pair(border["between"]): border["way"] for border in board["borders"]}
    return Ruled(ways, {region["id"] for region in board["regions"] if region["city"]}, [])
