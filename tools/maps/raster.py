"""The board as a raster: who owns which cell."""

from __future__ import annotations

from collections import defaultdict
from typing import Any

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw
from scipy import ndimage
from shapely.geometry import Polygon

from .coast import Projection

CELL = 2  # map units
Mask = NDArray[np.bool_]
Labels = NDArray[np.int64]
Field = NDArray[np.float64]


class Grid:
    def __init__(self, width: int, height: int) -> None:
        self.width, self.height = width, height
        self.columns, self.rows = width // CELL, height // CELL
        self.xs = (np.arange(self.columns) + 0.5) * CELL
        self.ys = (np.arange(self.rows) + 0.5) * CELL
        self.x, self.y = np.meshgrid(self.xs, self.ys)

    def mask(self, shapes: list[Polygon]) -> Mask:
        """The cells that lie for the most part inside."""
        fine, per_unit = 2, 2 / CELL
        image = Image.new("L", (self.columns * fine, self.rows * fine), 0)
        pen = ImageDraw.Draw(image)
        for shape in shapes:
            pen.polygon([(x * per_unit, y * per_unit) for x, y in shape.exterior.coords], fill=255)
            for hole in shape.interiors:
                pen.polygon([(x * per_unit, y * per_unit) for x, y in hole.coords], fill=0)
        cells = np.asarray(image, dtype=float).reshape(self.rows, fine, self.columns, fine)
        inside: Mask = cells.mean(axis=(1, 3)) > 127
        return inside

    def cell(self, x: float, y: float) -> tuple[int, int]:
        row, column = np.clip(y // CELL, 0, self.rows - 1), np.clip(x // CELL, 0, self.columns - 1)
        return int(row), int(column)

    def centre(self, cell: Any) -> tuple[float, float]:
        return float(self.xs[cell[1]]), float(self.ys[cell[0]])


def noise(grid: Grid, seed: int, waves: list[list[float]]) -> tuple[Field, Field]:
    """A smooth displacement (amount, wavelength), so that borders look drawn; the same for the same seed."""
    rng = np.random.RandomState(seed)
    both = np.zeros((2, grid.rows, grid.columns))
    for amount, wave in waves:
        for one in both:
            rough = rng.standard_normal((grid.rows, grid.columns))
            smooth = ndimage.gaussian_filter(rough, wave / CELL / 3, mode="reflect")
            one += smooth / smooth.std() * amount
    return both[0], both[1]


def depth(mask: Mask) -> Field:
    """How far inside a cell lies, in map units."""
    found: Field = ndimage.distance_transform_edt(np.pad(mask, 1))[1:-1, 1:-1] * CELL
    return found


def fill_from_nearest(labels: Labels, bad: Mask, good: Mask | None = None) -> Labels:
    """Cells that are bad get the label of the nearest good one."""
    source = ~bad if good is None else good & ~bad
    at = ndimage.distance_transform_edt(~source, return_distances=False, return_indices=True)
    filled = labels.copy()
    filled[bad] = labels[at[0][bad], at[1][bad]]
    return filled


def scattered(labels: Labels, keep: set[int], small: float = 1.0, most: float = np.inf) -> Mask:
    """Cells of parts that are cut off from the largest part of their label."""
    bad = np.zeros(labels.shape, bool)
    for label in np.unique(labels):
        if label < 0 or label in keep:
            continue
        parts, n = ndimage.label(labels == label)
        if n > 1:
            sizes = ndimage.sum(labels == label, parts, range(1, n + 1))
            largest = int(np.argmax(sizes))
            for k in range(n):
                if k != largest and sizes[k] <= max(sizes) * small and sizes[k] < most:
                    bad |= parts == k + 1
    return bad


def keep_whole(labels: Labels, keep: set[int]) -> Labels:
    """Each label keeps one part; the rest goes to the nearest neighbour."""
    bad = scattered(labels, keep)
    return fill_from_nearest(labels, bad) if bad.any() else labels


def share_land(
    grid: Grid, land: Mask, seeds: dict[str, Any], at: Projection, number: dict[str, int], bent: Any
) -> tuple[Labels, Mask]:
    """Every cell to the nearest seed on the same piece of land; and the land that has seeds at all."""
    pieces, _ = ndimage.label(land)
    labels: Labels = np.full(land.shape, -1)
    nearest = ndimage.distance_transform_edt(~land, return_distances=False, return_indices=True)
    by_piece: dict[int, list[tuple[int, float, float, float]]] = defaultdict(list)
    for name, points in seeds.items():
        for lon, lat, *weight in points:
            x, y = at.point(lon, lat)
            cell = grid.cell(x, y)
            piece = int(pieces[nearest[0][cell], nearest[1][cell]])
            by_piece[piece].append((number[name], x, y, weight[0] if weight else 0))
    bent_x, bent_y = grid.x + bent[0], grid.y + bent[1]
    for piece, own in by_piece.items():
        here = pieces == piece
        away = np.stack([np.hypot(bent_x[here] - x, bent_y[here] - y) - w for _, x, y, w in own])
        labels[here] = np.array([label for label, *_ in own])[np.argmin(away, axis=0)]
    return labels, np.isin(pieces, list(by_piece)) & land


def pieces_on(shapes: list[Polygon], grid: Grid, mask: Mask) -> list[Polygon]:
    """The shapes whose inside lies on a mask."""
    return [p for p in shapes if mask[grid.cell(p.representative_point().x, p.representative_point().y)]]
