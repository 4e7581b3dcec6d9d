"""The shipped maps: what is drawn adjacent is exactly what the rules call adjacent."""

from __future__ import annotations

import gzip
import json
import re
import tomllib
from typing import Any

import pytest
from shapely.geometry import LineString, Point

from conftest import ROOT
from ludus.titles.conquest.box import OPTIONS
from tools.maps.adjacency import Pair, ways
from tools.maps.paths import read_area, read_path, write_line
from tools.maps.ruled import shipped

TITLES = ROOT / "src/ludus/titles"
DUELLUM = ("rome_carthage", "casus_belli", "greece_persia")
MAPS = (*DUELLUM, "conquest")


def drawn(name: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(shipped(name).read_text(encoding="utf-8"))
    return found


def pair(a: str, b: str) -> Pair:
    return (a, b) if a < b else (b, a)


def ruled_duellum(name: str) -> dict[Pair, str]:
    text = (TITLES / f"duellum/data/{name}.toml").read_text(encoding="utf-8")
    return {pair(*border["between"]): border["way"] for border in tomllib.loads(text)["board"]["borders"]}


def conquest_board() -> dict[str, Any]:
    found: dict[str, Any] = json.loads((TITLES / "conquest/data/board.json").read_text(encoding="utf-8"))
    return found


@pytest.mark.parametrize("name", DUELLUM)
def test_duellum_is_drawn_as_it_is_ruled(name: str) -> None:
    assert ways(drawn(name)) == ruled_duellum(name)


def test_conquest_is_drawn_as_it_is_ruled() -> None:
    """With the disputed borders as they stand when nobody chooses otherwise."""
    board = conquest_board()
    ruled = {
        pair(a, b): kind
        for kind, field in (("land", "land"), ("coast", "coasts"), ("sea", "open_sea"))
        for a, b in board[field]
    }
    ruled |= {
        pair(*board["disputed"][o.name]): "land"
        for o in OPTIONS
        if o.default == "on" and o.name in board["disputed"]
    }
    assert ways(drawn("conquest")) == ruled


def test_straits_are_drawn_between_their_shores() -> None:
    picture = drawn("conquest")
    shown = {pair(strait["a"], strait["b"]) for strait in picture["straits"]}
    assert shown == {pair(*ends) for ends in conquest_board()["straits"]}
    for strait in picture["straits"]:
        line = LineString([strait["from"], strait["to"]])
        for shore in (strait["a"], strait["b"]):
            assert read_area(picture["regions"][shore]["path"]).intersects(line), strait


@pytest.mark.parametrize("name", MAPS)
def test_pieces_stand_on_their_own_ground(name: str) -> None:
    picture = drawn(name)
    for region, shape in picture["regions"].items():
        area = read_area(shape["path"])
        spots = [shape["site"], *shape.get("land", []), *shape.get("sea", []), *shape.get("slots", [])]
        for spot in spots:
            assert area.distance(Point(spot)) < 3, (region, spot)


@pytest.mark.parametrize("name", MAPS)
def test_a_map_is_small(name: str) -> None:
    assert len(gzip.compress(shipped(name).read_bytes(), 6)) < 32_000


def test_a_path_reads_back() -> None:
    square = [(10.0, 10.0), (20.5, 10.0), (20.5, 0.0), (10.0, 0.5)]
    text = write_line(square, closed=True)
    assert text == "M10 10l10.5 0 0-10-10.5 .5z"
    assert read_path(text) == [(square, True)]
    assert read_area(text + "M12 8l2 0 0-2-2 0z").area == pytest.approx(read_area(text).area - 4)


@pytest.mark.parametrize("name", DUELLUM)
def test_the_rules_page_lists_every_border_as_printed_or_reconstructed(name: str) -> None:
    board = tomllib.loads((TITLES / f"duellum/data/{name}.toml").read_text(encoding="utf-8"))["board"]
    called = {region["id"]: region["name"] for region in board["regions"]}
    page = (TITLES / "duellum/RULES.md").read_text(encoding="utf-8")
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
