"""The learning curve of a net as a picture: its score against another bot over the games it has played."""

from __future__ import annotations

import json
from pathlib import Path

WIDTH, HEIGHT, LEFT, BOTTOM = 640, 320, 56, 40


def draw(net: Path) -> None:
    """Write the curve that is kept beside a net as an SVG beside it."""
    curve = json.loads(net.with_suffix(".json").read_text(encoding="utf-8"))["curve"]
    points = [(row["games"], row["score"]) for row in curve if "score" in row]
    net.with_suffix(".svg").write_text(picture(points, net.stem), encoding="utf-8")


def picture(points: list[tuple[float, float]], name: str) -> str:
    """An SVG of scores between 0 and 1 over numbers of games."""
    last = max((games for games, _ in points), default=1) or 1

    def place(games: float, score: float) -> str:
        x = LEFT + (WIDTH - LEFT - 16) * games / last
        y = (HEIGHT - BOTTOM) - (HEIGHT - BOTTOM - 24) * score
        return f"{x:.1f},{y:.1f}"

    rows = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" '
        f'font-family="sans-serif" font-size="13" role="img" aria-label="learning curve of {name}">',
        f'<rect width="{WIDTH}" height="{HEIGHT}" fill="#fffdf7"/>',
    ]
    for percent in (0, 25, 50, 75, 100):
        x, y = place(0, percent / 100).split(",")
        rows.append(f'<path d="M{x},{y}H{WIDTH - 16}" stroke="#d9d2c0"/>')
        rows.append(f'<text x="{LEFT - 8}" y="{float(y) + 4:.1f}" text-anchor="end">{percent} %</text>')
    line = " ".join(place(games, score) for games, score in points)
    rows.append(f'<polyline points="{line}" fill="none" stroke="#8c2f1b" stroke-width="2.5"/>')
    rows.append(f'<text x="{WIDTH - 16}" y="{HEIGHT - 12}" text-anchor="end">{last:,.0f} games</text>')
    rows.append(f'<text x="{LEFT}" y="{HEIGHT - 12}">{name}</text>')
    return "\n".join([*rows, "</svg>", ""])
