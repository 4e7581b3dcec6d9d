"""A board of provinces: they are land, seas are water, and the coast is the border between them."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy import ndimage
from shapely import STRtree
from shapely.geometry import MultiPolygon, Point, Polygon, box
from shapely.geometry.base import BaseGeometry
from shapely.ops import nearest_points, unary_union

from . import places
from .adjacency import Pair, lines_of
from .arcs import faces, merge_lines, trace
from .coast import Projection
from .paths import Line, polygons, write_area, write_lines
from .raster import Grid, Labels, Mask, fill_from_nearest, noise, pieces_on, scattered, share_land
from .ruled import Table

BEYOND = ("beyond_land", "beyond_sea")
SHORE = 13  # a strait reaches so far inland
Shapes = dict[str, BaseGeometry]


@dataclass
class ProvinceSheet:
    table: Table
    grid: Grid
    at: Projection
    provinces: list[str]
    seas: list[str]
    by_land: Labels
    by_sea: Labels
    owned: Mask
    islets: Mask
    major: list[Polygon]
    shapes: list[Polygon]

    @property
    def ids(self) -> list[str]:
        return [*self.provinces, *self.seas]

    def is_land(self, name: str) -> bool:
        return name in self.provinces or name == BEYOND[0]


def draw_provinces(table: Table, land: list[Polygon], at: Projection, straits: list[Pair]) -> dict[str, Any]:
    sheet = _share(table, land, at)
    shapes = _without_specks(_without_slivers(_cut(sheet), sheet), sheet)
    islets = [p for p in sheet.shapes if not any(p is q for q in sheet.major)]
    outside = [p for name in BEYOND for p in polygons(shapes.get(name, Polygon())) if p.area > 60]
    return {
        "land": "".join(map(write_area, sheet.shapes)),
        "islets": "".join(map(write_area, islets)),
        "outside": "".join(map(write_area, outside)),
        "limits": write_lines(_limits(sheet, shapes)),
        "regions": {name: _region(sheet, name, shapes[name]) for name in sheet.ids},
        "borders": _borders(sheet, shapes),
        "straits": [_strait(sheet, shapes, pair) for pair in straits],
    }


# -- who owns what ----------------------------------------------------------------------------------


def _share(table: Table, land: list[Polygon], at: Projection) -> ProvinceSheet:
    grid = Grid(*table["size"])
    provinces = [name for name, kind in table["kind"].items() if kind == "province"]
    seas = [name for name, kind in table["kind"].items() if kind == "sea"]
    number = {name: k for k, name in enumerate([*provinces, *seas, "void"])}
    bent, full = noise(grid, table["seed"], table["noise"]), grid.mask(land)
    labels, owned = share_land(grid, full, table["land"], at, number, bent)
    labels = np.where(owned, fill_from_nearest(labels, labels < 0), -1)
    keep = {number["void"], *(number[name] for name in table["scattered"])}
    for _ in range(2):
        labels = fill_from_nearest(labels, scattered(labels, keep), owned)
    water = _share_water(table, grid, at, number, ~owned, bent)
    by_land, by_sea = (fill_from_nearest(found, found < 0) for found in (labels, water))
    major = pieces_on(land, grid, owned)
    return ProvinceSheet(table, grid, at, provinces, seas, by_land, by_sea, owned, full & ~owned, major, land)


def _share_water(
    table: Table, grid: Grid, at: Projection, number: dict[str, int], water: Mask, bent: Any
) -> Labels:
    """Every cell of water to the nearest seed; waters that hold none belong to nobody."""
    labels: Labels = np.full(water.shape, -1)
    best = np.full(water.shape, np.inf)
    bent_x, bent_y = grid.x + bent[0] * 0.5, grid.y + bent[1] * 0.5
    parts, _ = ndimage.label(water)
    reached = set()
    for name, points in table["sea"].items():
        for lon, lat, *radius in points:
            x, y = at.point(lon, lat)
            away = np.hypot(bent_x - x, bent_y - y) - (radius[0] if radius else 0)
            nearer = away < best
            best[nearer], labels[nearer] = away[nearer], number[name]
            if name != "void" and water[grid.cell(x, y)]:
                reached.add(int(parts[grid.cell(x, y)]))
    labels = np.where(water, labels, -1)
    labels[water & ~np.isin(parts, list(reached))] = number["void"]
    return fill_from_nearest(labels, scattered(labels, {number["void"]}), water)


# -- areas ------------------------------------------------------------------------------------------


def _cut(sheet: ProvinceSheet) -> Shapes:
    """Land cut by the smoothed borders of the provinces, water by those of the seas."""
    none = np.zeros(sheet.by_land.shape, bool)
    frame, land = box(0, 0, sheet.grid.width, sheet.grid.height), unary_union(sheet.major)
    shapes: Shapes = {}
    parts = ((sheet.by_land, land, BEYOND[0]), (sheet.by_sea, frame.difference(land), BEYOND[1]))
    for labels, ground, beyond in parts:
        pieces = trace(labels, none, None, sheet.table["smooth"])
        for k, areas in faces(pieces, labels, sheet.grid).items():
            name = sheet.ids[k] if k < len(sheet.ids) else beyond
            shapes[name] = MultiPolygon(polygons(unary_union(areas).intersection(ground)))
    return shapes


def _without_slivers(shapes: Shapes, sheet: ProvinceSheet, least: float = 90) -> Shapes:
    """Parts that the coast cuts off go to the neighbour of their own element that they touch most."""
    for _ in range(3):
        moved = False
        for name in list(shapes):
            parts = sorted(polygons(shapes[name]), key=lambda p: -p.area)
            kept = []
            for k, part in enumerate(parts):
                stays = k == 0 or (part.area >= least and name in BEYOND) or name in sheet.table["scattered"]
                other = None if stays else _closest(shapes, sheet, name, part)
                if other is None:
                    kept.append(part)
                else:
                    shapes[other] = MultiPolygon(polygons(unary_union([shapes[other], part]).buffer(0)))
                    moved = True
            shapes[name] = MultiPolygon(kept)
        if not moved:
            break
    return shapes


def _closest(shapes: Shapes, sheet: ProvinceSheet, name: str, part: Polygon) -> str | None:
    lengths = {
        other: float(shape.boundary.intersection(part.boundary).length)
        for other, shape in shapes.items()
        if other != name and sheet.is_land(other) == sheet.is_land(name) and shape.intersects(part)
    }
    best = max(lengths, key=lambda other: lengths[other], default=None)
    return best if best is not None and lengths[best] > 0 else None


def _without_specks(shapes: Shapes, sheet: ProvinceSheet) -> Shapes:
    """Enclosed specks of water and land are nobody's."""
    for name, shape in shapes.items():
        parts = sorted(polygons(shape), key=lambda p: -p.area)
        least = 20 if sheet.is_land(name) else 120
        shapes[name] = MultiPolygon([p for k, p in enumerate(parts) if k == 0 or p.area > least])
    return shapes


# -- what is drawn ----------------------------------------------------------------------------------


def _region(sheet: ProvinceSheet, name: str, shape: BaseGeometry) -> dict[str, Any]:
    grid, table, land = sheet.grid, sheet.table, sheet.is_land(name)
    mask = grid.mask([max(polygons(shape), key=lambda p: p.area)])
    clear = mask if land else mask & ~sheet.islets
    style = "city" if land else "sea"
    if land:
        site = places.site_in(grid, mask, sheet.at.point(*table["site"][name]), 9)
    else:
        site = places.deepest(grid, clear)
    label = places.named(grid, [clear, mask], table, name, style, site, 16, 120)
    spots = places.place_pieces(grid, clear, 5 if land else 4, site, label, style, 24, 28)
    if len(spots) < 3:  # small islands
        spots = places.place_pieces(grid, mask, 3, site, label, style, 18, 19)
    return {
        "kind": table["kind"][name],
        "path": write_area(shape),
        "site": [round(v) for v in site],
        "label": [round(v) for v in label.at],
        "lines": label.lines,
        "size": label.size,
        "slots": spots,
    }


def _shared(a: BaseGeometry, b: BaseGeometry) -> list[Line]:
    return [list(line.coords) for line in lines_of(a.boundary.intersection(b.boundary))]


def _borders(sheet: ProvinceSheet, shapes: Shapes) -> list[dict[str, Any]]:
    ids = sorted(sheet.ids)
    tree = STRtree([shapes[name] for name in ids])
    found = []
    for k, a in enumerate(ids):
        for j in sorted(int(j) for j in tree.query(shapes[a].buffer(0.5)) if j > k):
            b = ids[j]
            lines = _shared(shapes[a], shapes[b])
            if lines and sheet.is_land(a) == sheet.is_land(b):
                path = write_lines(merge_lines(lines))
                found.append({"a": a, "b": b, "land" if sheet.is_land(a) else "sea": path})
    return found


def _limits(sheet: ProvinceSheet, shapes: Shapes) -> list[Line]:
    own = ((BEYOND[0], sheet.provinces), (BEYOND[1], sheet.seas))
    return [
        line
        for beyond, names in own
        if beyond in shapes
        for name in names
        for line in merge_lines(_shared(shapes[name], shapes[beyond]))
    ]


def _strait(sheet: ProvinceSheet, shapes: Shapes, pair: Pair) -> dict[str, Any]:
    """A short line from shore to shore, where the table says."""
    given = next(s for s in sheet.table["strait"] if tuple(sorted(s["between"])) == pair)
    around = Point(sheet.at.point(*given["at"])).buffer(55)
    p, q = nearest_points(*(shapes[name].intersection(around) for name in pair))
    dx, dy = q.x - p.x, q.y - p.y
    n = math.hypot(dx, dy) or 1
    ends = [(p.x - dx / n * SHORE, p.y - dy / n * SHORE), (q.x + dx / n * SHORE, q.y + dy / n * SHORE)]
    start, end = ([round(x, 1), round(y, 1)] for x, y in ends)
    return {"a": pair[0], "b": pair[1], "from": start, "to": end}
