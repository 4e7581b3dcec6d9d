"""SVG paths: read into points, written short (relative, on a grid of half units)."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from shapely import make_valid
from shapely.geometry import MultiPolygon, Polygon
from shapely.geometry.base import BaseGeometry

Point2 = tuple[float, float]
Line = list[Point2]

GRID = 2  # steps in a map unit: every point of a shipped map lies on this grid

_TOKEN = re.compile(r"[MLlZz]|-?\d*\.?\d+")


def polygons(shape: BaseGeometry) -> list[Polygon]:
    """The polygons of any shape, in its order."""
    if isinstance(shape, Polygon):
        return [] if shape.is_empty else [shape]
    return [p for part in getattr(shape, "geoms", ()) for p in polygons(part)]


def read_path(text: str) -> list[tuple[Line, bool]]:
    """The lines of a path, and whether each is closed; what `write_line` writes, and `M x,y x,y Z`."""
    lines: list[tuple[Line, bool]] = []
    numbers: list[float] = []
    points: Line = []
    relative = False

    def take() -> None:
        for x, y in zip(numbers[::2], numbers[1::2], strict=True):
            last = points[-1] if relative and points else (0.0, 0.0)
            points.append((last[0] + x, last[1] + y))
        numbers.clear()

    for token in _TOKEN.findall(text):
        if token not in "MLlZz":
            numbers.append(float(token))
            continue
        take()
        if token in "MZz":
            if points:
                lines.append((points, token != "M"))
            points = []
        relative = token == "l"
    take()
    if points:
        lines.append((points, False))
    return lines


def read_area(text: str) -> BaseGeometry:
    """The area inside a path, by the even-odd rule."""
    area: BaseGeometry = Polygon()
    for points, _ in read_path(text):
        if len(points) > 2:
            area = area.symmetric_difference(MultiPolygon(polygons(make_valid(Polygon(points)))))
    return area


def _number(steps: int) -> str:
    text = f"{steps / GRID:g}"
    return text.replace("0.", ".", 1) if text.startswith(("0.", "-0.")) else text


def write_line(points: Sequence[Point2], closed: bool = False) -> str:
    """One line as a path; empty where nothing of it is left on the grid."""
    steps = [(round(x * GRID), round(y * GRID)) for x, y in points]
    kept = [p for k, p in enumerate(steps) if k == 0 or p != steps[k - 1]]
    if closed and kept[0] == kept[-1]:
        kept.pop()
    if len(kept) < (3 if closed else 2):
        return ""
    x, y = kept[0]
    text = f"M{_number(x)} {_number(y)}l"
    for k, (u, v) in enumerate(kept[1:]):
        for m, d in enumerate((u - x, v - y)):
            part = _number(d)
            text += part if part[0] == "-" or (k == 0 and m == 0) else f" {part}"
        x, y = u, v
    return text + ("z" if closed else "")


def write_lines(lines: Iterable[Sequence[Point2]]) -> str:
    return "".join(write_line(line) for line in lines)


def write_area(shape: BaseGeometry) -> str:
    rings = [ring for p in polygons(shape) for ring in (p.exterior, *p.interiors)]
    return "".join(write_line(list(ring.coords), closed=True) for ring in rings)
