"""A board of shores: a region is its land and the waters before it; the coast parts its borders."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy import ndimage
from shapely.geometry import Polygon
from shapely.ops import unary_union

from . import places
from .arcs import COAST, EDGE, LAND, WATER, Piece, faces, merge_lines, trace
from .coast import Projection, without_bridges
from .paths import Line, polygons, write_area, write_line, write_lines
from .raster import (
    CELL,
    Grid,
    Labels,
    Mask,
    fill_from_nearest,
    keep_whole,
    noise,
    pieces_on,
    scattered,
    share_land,
)
from .ruled import Table

CITY = 27  # a city with its temple needs so much room around its site
STACK = 44  # between two stacks of units


@dataclass
class ShoreSheet:
    table: Table
    grid: Grid
    at: Projection
    ids: list[str]
    labels: Labels  # the number of the region, len(ids) where there is none
    land: Mask
    shapes: list[Polygon]  # all land
    major: list[Polygon]  # land that carries regions, the rest is islets


def draw_shores(table: Table, land: list[Polygon], at: Projection, cities: set[str]) -> dict[str, Any]:
    sheet = _share(table, land, at)
    mask = np.isin(sheet.labels, range(len(sheet.ids) + 1)) & sheet.grid.mask(sheet.major)
    pieces = trace(sheet.labels, mask, sheet.major, table["smooth"])
    areas = faces(pieces, sheet.labels, sheet.grid)
    regions = {name: _region(sheet, k, areas[k], name in cities) for k, name in enumerate(sheet.ids)}
    islets = [p for p in sheet.shapes if not any(p is q for q in sheet.major)]
    drawn = {
        "land": "".join(map(write_area, sheet.shapes)),
        "islets": "".join(map(write_area, islets)),
        "outside": "".join(map(write_area, areas.get(len(sheet.ids), []))),
        **_borders(sheet, pieces),
        "regions": {name: region for name, (region, _) in regions.items()},
    }
    peaks = [peak for _, found in regions.values() for peak in found]
    return drawn | ({"peaks": peaks} if peaks else {})


# -- who owns what ----------------------------------------------------------------------------------


def _share(table: Table, land: list[Polygon], at: Projection) -> ShoreSheet:
    grid, ids = Grid(*table["size"]), list(table["kind"])
    number = {name: k for k, name in enumerate([*ids, "void"])}
    bent = noise(grid, table["seed"], table["noise"])
    full, bare = grid.mask(land), grid.mask(without_bridges(land, table, at))
    labels, owned = share_land(grid, bare, table["land"], at, number, bent)
    labels = _without_crumbs(labels, bare)
    labels, owned = _join_bridges(labels, owned, full, bare)
    labels = np.where(owned, labels, _share_water(table, grid, at, number, labels, owned, bent))
    keep = {number["void"]}
    labels = keep_whole(labels, keep)
    labels = keep_whole(_give_islets(labels, full & ~owned, owned), keep)
    labels = keep_whole(ndimage.median_filter(labels, size=3), keep)
    return ShoreSheet(table, grid, at, ids, labels, full, land, pieces_on(land, grid, owned))


def _without_crumbs(labels: Labels, land: Mask) -> Labels:
    """Small parts of a region that are cut off from it on the same piece of land."""
    pieces, n = ndimage.label(land)
    for k in range(1, n + 1):
        here = pieces == k
        bad = scattered(np.where(here, labels, -1), set(), 0.25, 1500)
        if bad.any():
            labels = fill_from_nearest(labels, bad, here)
    return labels


def _join_bridges(labels: Labels, owned: Mask, full: Mask, bare: Mask) -> tuple[Labels, Mask]:
    """Land that joins two shores belongs to the nearer one."""
    added = full & ~bare
    if not added.any():
        return labels, owned
    joined, _ = ndimage.label(full)
    hit = np.isin(joined, np.unique(joined[owned])) & added
    return fill_from_nearest(labels, hit, owned), owned | hit


def _share_water(
    table: Table, grid: Grid, at: Projection, number: dict[str, int], labels: Labels, owned: Mask, bent: Any
) -> Labels:
    """Water to the owner of the nearest coast, or to the open sea whose seed is nearer."""
    best, water = np.full(labels.shape, np.inf), np.full(labels.shape, -1)
    bent_x, bent_y = grid.x + bent[0] * 0.45, grid.y + bent[1] * 0.45
    for name, k in number.items():
        away = np.full(labels.shape, np.inf)
        shore = (labels == k) & owned
        if table["kind"].get(name) not in ("land", "mountain") and shore.any():
            away = ndimage.distance_transform_edt(~shore) * CELL
        for lon, lat, radius in table["sea"].get(name, ()):
            x, y = at.point(lon, lat)
            seed = np.maximum(np.hypot(bent_x - x, bent_y - y) - radius, table["band"])
            away = np.minimum(away, seed)
        nearer = away < best
        best[nearer], water[nearer] = away[nearer], k
    return water


def _give_islets(labels: Labels, islets: Mask, owned: Mask) -> Labels:
    """An islet lies in one region."""
    given = labels.copy()
    parts, n = ndimage.label(islets)
    for k in range(1, n + 1):
        around = ndimage.binary_dilation(parts == k, iterations=4) & ~owned
        owners, counts = np.unique(given[around], return_counts=True)
        given[around] = owners[np.argmax(counts)]
    return given


# -- what is drawn ----------------------------------------------------------------------------------


def _region(sheet: ShoreSheet, k: int, areas: list[Polygon], city: bool) -> tuple[dict[str, Any], list[Any]]:
    """The region as it is shipped, and its mountains."""
    name, grid, table = sheet.ids[k], sheet.grid, sheet.table
    area = unary_union(areas)
    if len(polygons(area)) != 1:
        raise SystemExit(f"{name} is in {len(polygons(area))} parts")
    kind, whole = table["kind"][name], sheet.labels == k
    land, water = whole & sheet.land, whole & ~sheet.land
    style = "sea" if kind in ("sea", "mountain") else "city"
    if name in table["site"]:
        site = places.site_in(grid, land, sheet.at.point(*table["site"][name]), 15, whole)
    else:
        site = places.deepest(grid, water if kind == "sea" else land)
    masks = [water, whole] if kind == "sea" else [land, whole]
    clear = 0 if kind == "mountain" else CITY - 3 if style == "city" else 22
    far = 100 if style == "city" else 140
    label = places.named(grid, masks, table, name, style, site, clear, far)

    def spots(mask: Mask) -> list[list[int]]:
        return places.place_pieces(grid, mask, 3, site, label, style, CITY + 20, STACK)

    region = {
        "kind": kind,
        **({"city": True} if city else {}),
        "path": write_area(area),
        "site": [round(v) for v in site],
        "label": [round(v) for v in label.at],
        "lines": label.lines,
        "size": label.size,
        "land": spots(land) if kind in ("land", "coast", "mountain") else [],
        "sea": spots(water) if kind in ("sea", "coast", "island") else [],
    }
    return region, places.place_peaks(grid, land, label, style) if kind == "mountain" else []


def _borders(sheet: ShoreSheet, pieces: list[Piece]) -> dict[str, Any]:
    void = len(sheet.ids)
    limits: list[Line] = []
    pairs: dict[tuple[str, str], dict[str, list[Line]]] = defaultdict(lambda: defaultdict(list))
    for piece in pieces:
        if piece.ground == EDGE:
            continue
        if piece.b == void:
            limits.append(piece.line)
        else:
            a, b = sorted((sheet.ids[piece.a], sheet.ids[piece.b]))
            pairs[a, b][piece.ground].append(piece.line)
    walls = [line for found in pairs.values() for line in found[COAST]]
    borders = [
        {"a": a, "b": b}
        | {
            way: write_lines(merge_lines(found[ground]))
            for way, ground in (("land", LAND), ("sea", WATER))
            if found[ground]
        }
        for (a, b), found in sorted(pairs.items())
        if found[LAND] or found[WATER]
    ]
    return {
        "limits": write_lines(merge_lines(limits)),
        **({"walls": "".join(write_line(line) for line in walls)} if walls else {}),
        "borders": borders,
    }
