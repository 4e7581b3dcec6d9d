"""The coast: read from the public-domain source, projected, stretched, made a board's own.

Source: Natural Earth 1:10m land, as the npm package world-atlas 2.0.2 brings it (`land-10m.json`).  It is
fetched by whoever draws a coast anew and is not kept here; the sum below is the package's own.
"""

from __future__ import annotations

import base64
import hashlib
import json
import tarfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.interpolate import PchipInterpolator
from shapely import transform
from shapely.affinity import scale
from shapely.geometry import LineString, Point, Polygon, box
from shapely.ops import unary_union

from .paths import polygons
from .ruled import Table

Numbers = NDArray[np.float64]

SOURCE = "https://registry.npmjs.org/world-atlas/-/world-atlas-2.0.2.tgz"
SHA512 = "IXfV0qwlKXpckz1FhwXVwKRjiIhOnWttOskm5CtxMsjgE/MXAYRHWJqgXOpM8IkcPBoXnyTU5lFHcYa5ChG0LQ=="
MEMBER = "package/land-10m.json"
MARGIN = 12  # map units beyond the frame that a coast is drawn in, so that its edge does not show


def read_atlas(package: Path) -> list[Polygon]:
    """All land of the earth from the downloaded package; refused when it is not the one we know."""
    content = package.read_bytes()
    if base64.b64encode(hashlib.sha512(content).digest()).decode() != SHA512:
        raise SystemExit(f"{package} is not {SOURCE}: its SHA-512 differs")
    with tarfile.open(package) as archive:
        member = archive.extractfile(MEMBER)
        if member is None:
            raise SystemExit(f"{package} holds no {MEMBER}")
        return _read_topology(json.load(member))


def _read_topology(topology: Table) -> list[Polygon]:
    size, origin = topology["transform"]["scale"], topology["transform"]["translate"]
    arcs = [np.cumsum(np.array(arc, dtype=float), axis=0) * size + origin for arc in topology["arcs"]]

    def ring(numbers: list[int]) -> list[Any]:
        points: list[Any] = []
        for number in numbers:
            arc = arcs[number] if number >= 0 else arcs[~number][::-1]
            points.extend(arc[1:] if points else arc)
        return points

    found = []
    for shape in topology["objects"]["land"]["geometries"]:
        for part in shape["arcs"] if shape["type"] == "MultiPolygon" else [shape["arcs"]]:
            rings = [points for points in map(ring, part) if len(points) >= 4]
            if rings:
                found.append(Polygon(rings[0], rings[1:]))
    return found


@dataclass(frozen=True)
class Bump:
    x: float
    y: float
    radius: float
    amount: float


class Projection:
    """Degrees to map units: a monotone stretch of each axis, then smooth local magnifications."""

    def __init__(self, table: Table) -> None:
        self.width, self.height = table["size"]
        self._across = _axis(table["lon"], self.width)
        self._up = _axis(table["lat"], self.height)
        self._bumps: list[Bump] = []
        for lon, lat, radius, amount in table["bumps"]:
            x, y = self._flat(np.array([lon]), np.array([lat]))
            self._bumps.append(Bump(float(x[0]), float(y[0]), radius, amount))

    def _flat(self, lon: Numbers, lat: Numbers) -> tuple[Numbers, Numbers]:
        return self._across(lon), self.height - self._up(lat)

    def many(self, lon: Any, lat: Any) -> tuple[Numbers, Numbers]:
        x, y = self._flat(np.atleast_1d(np.asarray(lon, float)), np.atleast_1d(np.asarray(lat, float)))
        for bump in self._bumps:
            away = ((x - bump.x) ** 2 + (y - bump.y) ** 2) / bump.radius**2
            factor = 1 + bump.amount * np.exp(-away)
            x, y = bump.x + (x - bump.x) * factor, bump.y + (y - bump.y) * factor
        return x, y

    def point(self, lon: float, lat: float) -> tuple[float, float]:
        x, y = self.many(lon, lat)
        return float(x[0]), float(y[0])


def _axis(given: Table, size: int) -> Callable[[Numbers], Numbers]:
    """Degrees to map units along one axis; `density` says where the map is wider."""
    at = np.linspace(given["from"] - 8, given["to"] + 8, 900)
    dense = np.interp(at, [p[0] for p in given["density"]], [p[1] for p in given["density"]])
    total = np.concatenate([[0], np.cumsum((dense[1:] + dense[:-1]) / 2 * np.diff(at))])
    curve = PchipInterpolator(at, total)
    low, high = float(curve(given["from"])), float(curve(given["to"]))

    def place(degrees: Numbers) -> Numbers:
        found: Numbers = (curve(np.clip(degrees, at[0], at[-1])) - low) / (high - low) * size
        return found

    return place


def draw_coast(atlas: list[Polygon], table: Table, projection: Projection) -> list[Polygon]:
    """The land of a board in map units."""
    window = box(*table["window"])
    pieces = []
    for land in atlas:
        for part in polygons(land.buffer(0).intersection(window)) if land.intersects(window) else []:
            drawn = transform(part.segmentize(0.15), lambda c: np.stack(projection.many(c[:, 0], c[:, 1]), 1))
            pieces.extend(polygons(drawn.buffer(0)))
    for lon, lat, factor in table["islands"]:
        at = Point(projection.point(lon, lat))
        k = min(range(len(pieces)), key=lambda j: float(pieces[j].distance(at)))
        pieces[k] = scale(pieces[k], factor, factor, origin="centroid")
    land = unary_union(pieces)
    for line, width in table["channels"]:
        land = land.difference(_strip(line, width, projection))
    for line, width in table["bridges"]:
        land = land.union(_strip(line, width, projection))
    return _tidy(land, table)


def _strip(line: list[list[float]], width: float, projection: Projection) -> Any:
    return LineString([projection.point(*point) for point in line]).buffer(width / 2)


def _tidy(land: Any, table: Table) -> list[Polygon]:
    """No specks, no lagoons, smooth corners, nothing beyond the frame."""
    least, (width, height) = table["least_area"], table["size"]
    land = land.intersection(box(-MARGIN, -MARGIN, width + MARGIN, height + MARGIN))
    kept = [
        Polygon(p.exterior, [hole for hole in p.interiors if Polygon(hole).area > 4 * least])
        for p in polygons(land)
        if p.area >= least
    ]
    smooth = (
        unary_union(kept).buffer(0.9, join_style=1).buffer(-0.9, join_style=1).simplify(table["simplify"])
    )
    return [p for p in polygons(smooth.buffer(0).intersection(box(0, 0, width, height))) if p.area >= least]


def without_bridges(land: list[Polygon], table: Table, projection: Projection) -> list[Polygon]:
    """The land before its bridges: shores get their owners before they are joined."""
    bare = unary_union(land)
    for line, width in table["bridges"]:
        bare = bare.difference(_strip(line, width, projection))
    return [p for p in polygons(bare) if p.area >= table["least_area"]]
