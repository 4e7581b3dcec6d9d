"""Draw the maps anew: `python -m tools.maps [BOARD ...]`.

The coast of a board comes from the package that `--coast` names (see coast.py), or, without one, from the
map that is shipped: then everything but the coast is drawn anew from the tables.  A map is written only
when what it draws adjacent is what the rules call adjacent.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import Any

from shapely.geometry import Polygon

from .adjacency import measure, way
from .coast import Projection, draw_coast, read_atlas
from .paths import polygons, read_area
from .provinces import draw_provinces
from .ruled import TABLES, Ruled, Table, ruled, shipped, shipped_map, table_of
from .shores import draw_shores

CREDIT = "coastline: Natural Earth (public domain) via world-atlas; borders: own drawing"


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tools.maps", description=__doc__)
    parser.add_argument("boards", nargs="*", metavar="BOARD", help=f"of {', '.join(TABLES)}; without, all")
    parser.add_argument("--coast", type=Path, help="the downloaded package of the coastline")
    parser.add_argument("--into", type=Path, help="the folder to write to, not where the maps lie")
    given = parser.parse_args()
    wrong = [name for name in given.boards if name not in TABLES]
    if wrong:
        parser.error(f"there is no board {wrong[0]!r}; there are {', '.join(TABLES)}")
    atlas = read_atlas(given.coast) if given.coast else None
    for name in given.boards or TABLES:
        table, rules = table_of(name), ruled(name)
        at = Projection(table)
        coast = draw_coast(atlas, table, at) if atlas else shipped_coast(name)
        drawn = draw(name, table, coast, at, rules)
        check(name, drawn, rules)
        text = json.dumps(drawn, ensure_ascii=False, separators=(",", ":")) + "\n"
        (given.into / f"{name}.json" if given.into else shipped(name)).write_text(text, encoding="utf-8")
        print(f"{name}: {len(text)} bytes")


def shipped_coast(name: str) -> list[Polygon]:
    return polygons(read_area(shipped_map(name)["land"]))


def draw(name: str, table: Table, coast: list[Polygon], at: Projection, rules: Ruled) -> dict[str, Any]:
    width, height = table["size"]
    head = {"board": name, "viewBox": [0, 0, width, height], "title": table["title"], "source": CREDIT}
    if table["style"] == "provinces":
        return head | draw_provinces(table, coast, at, rules.straits)
    return head | draw_shores(table, coast, at, rules.cities)


def check(name: str, drawn: dict[str, Any], rules: Ruled) -> None:
    lengths = measure(drawn)
    found = {pair: kind for pair, stretches in lengths.items() if (kind := way(stretches))}
    wrong = [
        pair for pair in sorted(found.keys() | rules.ways.keys()) if found.get(pair) != rules.ways.get(pair)
    ]
    if wrong:
        lines = [f"  {pair}: ruled {rules.ways.get(pair)}, drawn {lengths.get(pair)}" for pair in wrong]
        raise SystemExit("\n".join([f"{name} draws other borders than the rules have:", *lines]))


if __name__ == "__main__":
    main()
