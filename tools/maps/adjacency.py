"""What is drawn adjacent: measured from the polygons of a shipped map, from nothing else.

Two regions are drawn adjacent where their outlines run together for a stretch that an eye can see.  On a
board of shores such a stretch is a land border where it runs over land and a sea border where it runs over
water; where a region without water meets water (`walls` of the map) nothing passes.
"""

from __future__ import annotations

import math
from collections import defaultdict
from itertools import pairwise
from typing import Any

from shapely import STRtree
from shapely.geometry import LineString, Point
from shapely.geometry.base import BaseGeometry
from shapely.ops import unary_union
from shapely.prepared import prep

from .paths import read_area, read_path

NEAR = 0.6  # outlines on a grid of half units still run together
SEEN = 6.0  # a stretch shorter than this is the point where corners meet

Pair = tuple[str, str]
Stretches = dict[str, float]  # length by kind: land, sea, coast, wall


def lines_of(shape: BaseGeometry) -> list[LineString]:
    if isinstance(shape, LineString):
        return [] if shape.is_empty else [shape]
    return [line for part in getattr(shape, "geoms", ()) for line in lines_of(part)]


def _together(a: BaseGeometry, b: BaseGeometry) -> list[LineString]:
    """The stretches of a's outline that run along b's."""
    return lines_of(a.boundary.intersection(b.boundary.buffer(NEAR, quad_segs=2)))


def measure(drawn: dict[str, Any]) -> dict[Pair, Stretches]:
    """Every pair of regions that share a visible stretch of outline, and its length by kind."""
    shapes = {name: read_area(region["path"]) for name, region in drawn["regions"].items()}
    names = sorted(shapes)
    tree = STRtree([shapes[name] for name in names])
    provinces = any(region["kind"] == "province" for region in drawn["regions"].values())
    kinds = _kinds_by_region(drawn) if provinces else _kinds_by_ground(drawn)
    found: dict[Pair, Stretches] = {}
    for k, a in enumerate(names):
        for j in sorted(int(j) for j in tree.query(shapes[a].buffer(NEAR)) if j > k):
            b = names[j]
            lengths: Stretches = defaultdict(float)
            for line in _together(shapes[a], shapes[b]):
                for kind, length in kinds(a, b, line):
                    lengths[kind] += length
            seen = {kind: length for kind, length in lengths.items() if length >= SEEN}
            if seen:
                found[a, b] = seen
    return found


def _kinds_by_region(drawn: dict[str, Any]) -> Any:
    """Provinces are land and seas are water, so the pair says which kind of border it is."""

    def kinds(a: str, b: str, line: LineString) -> list[tuple[str, float]]:
        sea = [drawn["regions"][name]["kind"] == "sea" for name in (a, b)]
        return [("sea" if all(sea) else "coast" if any(sea) else "land", line.length)]

    return kinds


def _kinds_by_ground(drawn: dict[str, Any]) -> Any:
    """Coastal regions hold their waters, so the ground under each bit of the border says its kind."""
    land = prep(read_area(drawn["land"]))
    walls = unary_union([LineString(points) for points, _ in read_path(drawn.get("walls", ""))])

    def kinds(a: str, b: str, line: LineString) -> list[tuple[str, float]]:
        points = list(line.segmentize(1.5).coords)
        parts = []
        for p, q in pairwise(points):
            middle = Point((p[0] + q[0]) / 2, (p[1] + q[1]) / 2)
            wall = not walls.is_empty and walls.distance(middle) < NEAR
            kind = "wall" if wall else "land" if land.contains(middle) else "sea"
            parts.append((kind, math.dist(p, q)))
        return parts

    return kinds


def way(stretches: Stretches) -> str | None:
    """What a pair's stretches let pass: land, sea, both, coast; None where only a wall stands."""
    kinds = set(stretches) - {"wall"}
    return "both" if kinds == {"land", "sea"} else kinds.pop() if kinds else None


def ways(drawn: dict[str, Any]) -> dict[Pair, str]:
    """The whole map in the words of a board file."""
    return {pair: found for pair, lengths in measure(drawn).items() if (found := way(lengths))}
