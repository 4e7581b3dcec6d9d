"""Borders as shared arcs: traced between cells, smoothed and simplified once; neighbours stay glued."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np
from scipy import ndimage
from shapely import STRtree
from shapely.geometry import LineString, Point, Polygon
from shapely.ops import linemerge, polygonize, unary_union
from shapely.prepared import prep

from .paths import Line
from .raster import CELL, Field, Grid, Labels, Mask

FRAME = -9  # what lies beyond the frame
LAND, WATER, COAST, EDGE = "land", "water", "coast", "edge"
Corner = tuple[int, int]
Crack = tuple[Corner, int, int, int]  # where it leads, the labels on both sides, how many are land


@dataclass(frozen=True)
class Piece:
    """A stretch between two labels: over land, over water, along a coast, or on the edge of the frame."""

    a: int
    b: int
    ground: str
    line: Line


def _cracks(labels: Labels, land: Mask) -> dict[Corner, list[Crack]]:
    rows, columns = labels.shape
    padded = np.full((rows + 2, columns + 2), FRAME)
    padded[1:-1, 1:-1] = labels
    ground = np.zeros((rows + 2, columns + 2), int)
    ground[1:-1, 1:-1] = land
    found: dict[Corner, list[Crack]] = defaultdict(list)

    def add(u: Corner, v: Corner, one: tuple[int, int], other: tuple[int, int]) -> None:
        sides = int(padded[one]), int(padded[other]), int(ground[one] + ground[other])
        found[u].append((v, *sides))
        found[v].append((u, *sides))

    for i, j in np.argwhere(padded[:-1, 1:-1] != padded[1:, 1:-1]).tolist():
        add((j, i), (j + 1, i), (i, j + 1), (i + 1, j + 1))
    for i, j in np.argwhere(padded[1:-1, :-1] != padded[1:-1, 1:]).tolist():
        add((j, i), (j, i + 1), (i + 1, j), (i + 1, j + 1))
    return found


def _walk(cracks: dict[Corner, list[Crack]]) -> list[tuple[int, int, list[Corner], list[int]]]:
    """Arcs from junction to junction, then what runs in circles."""
    used: set[tuple[Corner, Corner]] = set()
    arcs = []

    def follow(start: Corner, crack: Crack) -> None:
        corners, grounds, before = [start], [], start
        a, b = sorted(crack[1:3])
        while True:
            here = crack[0]
            used.update(((before, here), (here, before)))
            corners.append(here)
            grounds.append(crack[3])
            if len(cracks[here]) != 2 or here == start:
                break
            crack, before = next(c for c in cracks[here] if c[0] != before), here
        arcs.append((a, b, corners, grounds))

    for junctions in (True, False):
        for corner in sorted(cracks):
            if junctions and len(cracks[corner]) == 2:
                continue
            for crack in cracks[corner]:
                if (corner, crack[0]) not in used:
                    follow(corner, crack)
    return arcs


def _smooth(corners: list[Corner], sigma: float) -> Field:
    points = np.array(corners, float) * CELL
    n = len(points)
    if n < 4:
        return points
    sigma = min(sigma, n / 5)
    if corners[0] == corners[-1]:
        ring = [ndimage.gaussian_filter1d(points[:-1, k], sigma, mode="wrap") for k in (0, 1)]
        open_ring = np.stack(ring, 1)
        return np.vstack([open_ring, open_ring[:1]])
    more = min(n - 1, int(4 * sigma) + 1)  # mirrored beyond its ends, so that they stay where they are
    head = 2 * points[0] - points[1 : more + 1][::-1]
    tail = 2 * points[-1] - points[-more - 1 : -1][::-1]
    longer = np.vstack([head, points, tail])
    smooth = np.stack([ndimage.gaussian_filter1d(longer[:, k], sigma, mode="nearest") for k in (0, 1)], 1)
    found: Field = smooth[more : more + n]
    found[0], found[-1] = points[0], points[-1]
    return found


def _runs(kinds: list[str], lengths: Field, least: float) -> list[tuple[str, int, int]]:
    """Stretches of one kind; one that is too short goes with its longer neighbour."""
    runs: list[tuple[str, int, int]] = []
    for k, kind in enumerate(kinds):
        runs = _join([*runs, (kind, k, k + 1)])
    upto = np.concatenate([[0], np.cumsum(lengths)])
    while len(runs) > 1:
        long = [upto[end] - upto[begin] for _, begin, end in runs]
        k = int(np.argmin(long))
        if long[k] >= least:
            break
        left, right = long[k - 1] if k else -1, long[k + 1] if k + 1 < len(runs) else -1
        kind = runs[k - 1][0] if left >= right else runs[k + 1][0]
        merged: list[tuple[str, int, int]] = []
        for j, run in enumerate(runs):
            merged = _join([*merged, (kind, *run[1:]) if j == k else run])
        runs = merged
    return runs


def _join(runs: list[tuple[str, int, int]]) -> list[tuple[str, int, int]]:
    if len(runs) > 1 and runs[-2][0] == runs[-1][0]:
        return [*runs[:-2], (runs[-1][0], runs[-2][1], runs[-1][2])]
    return runs


def _grounds(points: Field, counts: list[int], lengths: Field, land: Any) -> list[str]:
    """Over land or over water by the true coast; along a coast only where that runs on for a while."""
    first = ["water" if c == 0 else "coast" if c == 1 else "land" for c in counts]
    along = {k for kind, a, b in _runs(first, lengths, 12) if kind == COAST for k in range(a, b)}
    middles = (points[:-1] + points[1:]) / 2
    return [
        COAST if k in along else LAND if land.contains(Point(m)) else WATER for k, m in enumerate(middles)
    ]


def trace(
    labels: Labels, land: Mask, coast: list[Polygon] | None, sigma: float, simplify: float = 0.45
) -> list[Piece]:
    """All borders of a raster; told apart by their ground where a coast is given."""
    on_land = prep(unary_union(coast)) if coast is not None else None
    pieces = []
    for a, b, corners, counts in _walk(_cracks(labels, land)):
        if a == FRAME:
            points, runs = np.array(corners, float) * CELL, [(EDGE, 0, len(corners) - 1)]
        else:
            points = _smooth(corners, sigma)
            lengths = np.hypot(*np.diff(points, axis=0).T)
            kinds = _grounds(points, counts, lengths, on_land) if on_land else [WATER] * len(counts)
            runs = _runs(kinds, lengths, 7)
        for ground, begin, end in runs:
            line = LineString(points[begin : end + 1]).simplify(0.01 if a == FRAME else simplify)
            rounded = [(round(x, 1), round(y, 1)) for x, y in line.coords]
            whole = rounded[:1] + [q for p, q in pairwise(rounded) if p != q]
            if len(whole) > 1:
                pieces.append(Piece(a, b, ground, whole))
    return pieces


def faces(pieces: list[Piece], labels: Labels, grid: Grid) -> dict[int, list[Polygon]]:
    """The areas between the arcs, by label; arcs that cross each other are an error."""
    lines = [LineString(piece.line) for piece in pieces]
    tree = STRtree(lines)
    for k, line in enumerate(lines):
        if not line.is_simple or any(j > k and line.crosses(lines[j]) for j in tree.query(line)):
            raise SystemExit(f"borders cross near {line.coords[0]}")
    found: dict[int, list[Polygon]] = defaultdict(list)
    for face in polygonize(lines):
        inside = face.representative_point()
        found[int(labels[grid.cell(inside.x, inside.y)])].append(face)
    return found


def merge_lines(lines: list[Line]) -> list[Line]:
    merged = linemerge([LineString(line) for line in lines]) if len(lines) > 1 else None
    if merged is None:
        return lines
    return [list(part.coords) for part in getattr(merged, "geoms", [merged])]
