"""The maps of Duellum's boards: what is drawn adjacent is exactly what the rules call adjacent."""

from __future__ import annotations

import re
import tomllib
from typing import Any

import pytest

from ludus.titles.duellum import TITLE
from tools.maps.adjacency import ways
from tools.maps.ruled import pair, shipped_map

BOARDS = pytest.mark.parametrize("name", ["rome_carthage", "casus_belli", "greece_persia"])


def ruled_board(name: str) -> dict[str, Any]:
    text = (TITLE.folder / f"data/{name}.toml").read_text(encoding="utf-8")
    found: dict[str, Any] = tomllib.loads(text)["board"]
    return found


@BOARDS
def test_a_board_is_drawn_as_it_is_ruled(name: str) -> None:
    ruled = {pair(border["between"]): border["way"] for border in ruled_board(name)["borders"]}
    assert ways(shipped_map(name)) == ruled


@BOARDS
def test_the_rules_page_lists_every_border_as_printed_or_reconstructed(name: str) -> None:
    board = ruled_board(name)
    called = {region["id"]: region["name"] for region in board["regions"]}
    page = (TITLE.folder / "RULES.md").read_text(encoding="utf-8")
    title = {"rome_carthage": "Rome and Carthage", "casus_belli": "Casus Belli"}.get(
        name, "Greece and Persia"
    )
    part = page.split("## The borders of the boards")[1].split(f"**{title}**")[1].split("**")[0]
    listed = dict(re.findall(r"^- ([^:]+): (.*)\.$", part, re.M))
    ways = {"land": "land", "sea": "sea", "both": "land and sea"}
    for border in board["borders"]:
        pair_text = "–".join(sorted(called[end] for end in border["between"]))
        kind = "printed" if border["status"] == "printed" else f"reconstructed, {ways[border['way']]}"
        assert pair_text in listed[kind].split(", "), border
    assert sum(len(text.split(", ")) for text in listed.values()) == len(board["borders"])
