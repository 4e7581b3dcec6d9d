"""What the rules call adjacent: read from the boards of the titles, for the tables of titles/."""

from __future__ import annotations

import json
import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from .adjacency import Pair

Table = dict[str, Any]
SOURCE = Path(__file__).parents[2] / "src/ludus/titles"
# The table of a board, by its name; the folder that it lies in is called like the title.
TABLES = {path.stem: path for path in sorted((Path(__file__).parent / "titles").glob("*/*.toml"))}


@dataclass(frozen=True)
class Ruled:
    ways: dict[Pair, str]  # land, sea, both, coast
    cities: set[str]
    straits: list[Pair]


def shipped(name: str) -> Path:
    """The map of a board, in the folder of the title that is played on it."""
    return SOURCE / TABLES[name].parent.name / "web/maps" / f"{name}.json"


def shipped_map(name: str) -> dict[str, Any]:
    """What is shipped as the map of a board."""
    found: dict[str, Any] = json.loads(shipped(name).read_text(encoding="utf-8"))
    return found


def table_of(name: str) -> Table:
    return tomllib.loads(TABLES[name].read_text(encoding="utf-8"))


def ruled(name: str) -> Ruled:
    table = table_of(name)
    text = (SOURCE / TABLES[name].parent.name / table["rules"]).read_text(encoding="utf-8")
    if table["style"] == "provinces":
        return _ruled_provinces(json.loads(text), table["disputed"])
    return _ruled_shores(tomllib.loads(text)["board"])


def _ruled_provinces(board: dict[str, Any], disputed: list[str]) -> Ruled:
    kinds = (("land", "land"), ("coast", "coasts"), ("sea", "open_sea"))
    ways = {pair(ends): kind for kind, field in kinds for ends in board[field]}
    ways |= {pair(board["disputed"][option]): "land" for option in disputed}
    return Ruled(ways, set(), [pair(ends) for ends in board["straits"]])


def _ruled_shores(board: dict[str, Any]) -> Ruled:
    ways = {pair(border["between"]): border["way"] for border in board["borders"]}
    return Ruled(ways, {region["id"] for region in board["regions"] if region["city"]}, [])


def pair(ends: Any) -> Pair:
    a, b = sorted(ends)
    return a, b
