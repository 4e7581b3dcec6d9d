"""The shipped maps of all boards; whether a map shows what is ruled is tested in tests/titles."""

from __future__ import annotations

import gzip

import pytest
from shapely.geometry import Point

from tools.maps.paths import read_area, read_path, write_line
from tools.maps.ruled import TABLES, shipped, shipped_map

MAPS = pytest.mark.parametrize("name", TABLES)


@MAPS
def test_pieces_stand_on_their_own_ground(name: str) -> None:
    picture = shipped_map(name)
    for region, shape in picture["regions"].items():
        area = read_area(shape["path"])
        spots = [shape["site"], *shape.get("land", []), *shape.get("sea", []), *shape.get("slots", [])]
        for spot in spots:
            assert area.distance(Point(spot)) < 3, (region, spot)


@MAPS
def test_a_map_is_small(name: str) -> None:
    assert len(gzip.compress(shipped(name).read_bytes(), 6)) < 32_000


def test_a_path_reads_back() -> None:
    square = [(10.0, 10.0), (20.5, 10.0), (20.5, 0.0), (10.0, 0.5)]
    text = write_line(square, closed=True)
    assert text == "M10 10l10.5 0 0-10-10.5 .5z"
    assert read_path(text) == [(square, True)]
    assert read_area(text + "M12 8l2 0 0-2-2 0z").area == pytest.approx(read_area(text).area - 4)
