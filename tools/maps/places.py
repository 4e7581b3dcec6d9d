"""Where names and pieces stand: inside their region, clear of the city and of each other."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy import ndimage

from .raster import CELL, Field, Grid, Mask, depth

Spot = tuple[float, float]
GLYPH = {"city": 0.76, "sea": 0.6}  # mean width of a letter in em: capitals of Cinzel, its italics


@dataclass(frozen=True)
class Name:
    at: Spot
    lines: list[str]
    size: float
    inside: float  # which part of it lies where it should

    def box(self, style: str) -> tuple[float, float]:
        return text_box(self.lines, self.size, style)


def text_box(lines: list[str], size: float, style: str) -> tuple[float, float]:
    return max(map(len, lines)) * size * GLYPH[style] + 2, len(lines) * size * 1.05


def _lines(name: str) -> list[list[str]]:
    words = name.split()
    return [[name], words] if len(words) == 2 else [[name]]


def _away_from_box(grid: Grid, x: float, y: float, width: float, height: float) -> Field:
    dx = np.maximum(np.abs(grid.x - x) - width / 2, 0)
    dy = np.maximum(np.abs(grid.y - y) - height / 2, 0)
    found: Field = np.hypot(dx, dy)
    return found


def _best_box(
    grid: Grid, mask: Mask, size: tuple[float, float], near: Spot, clear: float, pull: float
) -> tuple[Spot, float]:
    """The best middle for a box in a mask, near a spot but clear of it; and how much of it is inside."""
    width, height = size
    deep = depth(mask)
    across, down = max(1, int(width / CELL)), max(1, int(height / CELL))
    share = ndimage.uniform_filter(mask.astype(float), size=(down, across), mode="constant")
    roomy = ndimage.minimum_filter(np.minimum(deep, 40), size=(1, max(1, int(across * 0.8))), mode="constant")
    score = share * 140 + np.minimum(roomy, 30) * 1.2 + np.minimum(deep, 40) * 0.3
    score -= pull * np.hypot(grid.x - near[0], grid.y - near[1])
    score -= np.maximum(0, clear - _away_from_box(grid, *near, width, height)) * 14
    side, top = width / 2 + 6, height / 2 + 6
    outside = (grid.x < side) | (grid.x > grid.width - side) | (grid.y < top) | (grid.y > grid.height - top)
    score[outside] = -1e9
    score[~mask] -= 25
    cell = np.unravel_index(int(np.argmax(score)), score.shape)
    return grid.centre(cell), float(share[cell])


def place_name(
    grid: Grid,
    masks: list[Mask],
    name: str,
    style: str,
    site: Spot,
    clear: float,
    far: float,
    sizes: list[float],
) -> Name:
    """Masks in order of preference; a smaller size only where no mask takes the larger one near the site."""
    cores = [ndimage.binary_erosion(mask, iterations=2) for mask in masks]
    best: Name | None = None
    for size in sizes:
        for core in cores:
            for lines in _lines(name):
                for pull in (0.6, 0.3):
                    at, inside = _best_box(grid, core, text_box(lines, size, style), site, clear, pull)
                    found = Name(at, lines, size, inside)
                    if inside > 0.992 and math.dist(at, site) < far:
                        return found
                    if best is None or inside > best.inside + 0.02:
                        best = found
    assert best is not None
    return best


def named(
    grid: Grid,
    masks: list[Mask],
    table: dict[str, Any],
    region: str,
    style: str,
    site: Spot,
    clear: float,
    far: float,
) -> Name:
    """A region's name where the table puts it (from the site, and how large), else where it fits best."""
    name = table["name"][region]
    given = table.get("label", {}).get(region)
    if given:
        dx, dy, size = given
        return Name((site[0] + dx, site[1] + dy), [name], size, 1.0)
    return place_name(grid, masks, name, style, site, clear, far, table["sizes"][style])


def place_pieces(
    grid: Grid, mask: Mask, most: int, site: Spot, name: Name, style: str, clear: float, apart: float
) -> list[list[int]]:
    """Up to so many spots deep inside a mask, clear of the city, of the name and of each other."""
    deep = np.minimum(depth(mask), 40)
    cost = np.maximum(0, clear - np.hypot(grid.x - site[0], grid.y - site[1])) * 2.2
    cost += np.maximum(0, 19 - _away_from_box(grid, *name.at, *name.box(style))) * 2.2
    cost += 0.06 * np.hypot(grid.x - site[0], grid.y - site[1])
    found: list[list[int]] = []
    for _ in range(most):
        score = np.where(mask, deep - cost, -1e9)
        cell = np.unravel_index(int(np.argmax(score)), score.shape)
        if score[cell] < -1e8 or (found and (deep[cell] < 9 or score[cell] < -30)):
            break
        x, y = grid.centre(cell)
        found.append([round(x), round(y)])
        cost += np.maximum(0, apart - np.hypot(grid.x - x, grid.y - y)) * 2.2
    return found


def place_peaks(grid: Grid, mask: Mask, name: Name, style: str) -> list[list[float]]:
    """Mountains in rows, clear of the name: x, y, size."""
    deep = depth(mask)
    width, height = name.box(style)
    found = []
    for row, y in enumerate(range(10, grid.height, 27)):
        for x in range(12 + 21 * (row % 2), grid.width, 42):
            beside = abs(x - name.at[0]) > width / 2 + 16 or abs(y - name.at[1]) > height / 2 + 14
            if deep[grid.cell(x, y)] > 19 and beside:
                found.append([x, y, round(0.8 + 0.25 * ((x * 7 + y * 13) % 5) / 4, 2)])
    return found


def site_in(grid: Grid, mask: Mask, wanted: Spot, least: float, whole: Any = None) -> Spot:
    """The wanted spot, or the nearest one that lies deep enough inside."""
    deep = depth(mask if whole is None else whole)
    cell = grid.cell(*wanted)
    if mask[cell] and deep[cell] >= least - 2:
        return wanted
    core = mask & (deep > least)
    away = np.where(core if core.any() else mask, np.hypot(grid.x - wanted[0], grid.y - wanted[1]), 1e9)
    return grid.centre(np.unravel_index(int(np.argmin(away)), away.shape))


def deepest(grid: Grid, mask: Mask) -> Spot:
    deep = depth(mask)
    return grid.centre(np.unravel_index(int(np.argmax(deep)), deep.shape))
