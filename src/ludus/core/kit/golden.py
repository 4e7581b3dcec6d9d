"""Golden playthroughs: one readable text per title and option set, compared exactly.

A change of behaviour shows as a diff that somebody can read: every action with what was legal, what
was told, and the hash of the position after it.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from ..chance import CHANCE, SPECTATOR, below, seed_rng
from ..game import Game
from ..telling import tell
from ..title import Title
from .run import Shelf, boxes_of

SEED = 20
SHOWN = 10  # legal actions that are spelled out
MOST = 400  # actions of one playthrough: a long title is told up to here


def shelves(title: Title[Any, Any]) -> Iterator[tuple[str, Shelf]]:
    """The option sets that have a playthrough: fewest and most seats, each option's last value."""
    for shelf in boxes_of(title):
        if shelf.small:
            yield f"small-{shelf.small.replace(' ', '-')}", shelf
        elif shelf.varied:
            option = next(o for o in title.options if o.name == shelf.varied)
            value = shelf.options[option.name]
            if len(option.values) <= 4 or value == option.values[-1]:
                yield f"{option.name}-{value}", shelf
        elif shelf.seats in (min(title.seats), max(title.seats)):
            yield f"seats-{shelf.seats}", shelf


def playthrough(title: Title[Any, Any], shelf: Shelf) -> str:
    """The text of one random game."""
    game = Game(title, shelf.box, seed=SEED, chance="manual")
    rng = [0, 0, 0, 0]
    seed_rng(rng, SEED, 5)
    lines = [
        f"# {title.name}, rules version {title.version}, {shelf}",
        f"box {title.box.hash(shelf.box)[:16]}",
    ]
    while not game.over and len(game.line) < MOST:
        mover = game.to_move
        if mover == CHANCE:
            code = game.draw()
            listed = [f"{action} x{weight}" for action, weight in game.odds()]
        else:
            legal = game.legal()
            code = legal[below(rng, len(legal))].code
            listed = [action.text for action in legal]
        more = f", ... {len(listed)} in all" if len(listed) > SHOWN else ""
        lines.append(f"  of {', '.join(listed[:SHOWN])}{more}")
        game.play(code)
        who = "chance" if mover == CHANCE else f"seat {mover}"
        text = title.codes.text(code, game.labels)
        lines.append(f"{len(game.line)} {who}: {text}  [{game.hash()[:12]}]")
    names = [f"Seat {p}" for p in range(game.seats)]
    stories = [f"- {line}" for line in tell(game, SPECTATOR, "en", names)]
    result = list(game.outcome.returns) if game.outcome else "open"
    return "\n".join([*lines, f"result {result}", "", "What a spectator was told:", *stories, ""])


def compare(title: Title[Any, Any], folder: Path) -> list[str]:
    """The playthroughs that differ from those in the folder, each with the beginning of its diff."""
    problems = []
    names = set()
    for name, shelf in shelves(title):
        path = folder / f"{name}.txt"
        names.add(path.name)
        if not path.exists():
            problems.append(f"{path.name} is missing (ludus kit {title.name} --write-golden)")
            continue
        old = path.read_text(encoding="utf-8").splitlines()
        new = playthrough(title, shelf).splitlines()
        if old != new:
            rows = list(difflib.unified_diff(old, new, path.name, "now", lineterm="", n=1))
            problems.append("\n".join(rows[:14]))
    problems += [f"{p.name} belongs to nothing" for p in sorted(folder.glob("*.txt")) if p.name not in names]
    return problems


def write(title: Title[Any, Any], folder: Path) -> list[str]:
    """Write all playthroughs anew; their names."""
    folder.mkdir(exist_ok=True)
    for path in folder.glob("*.txt"):
        path.unlink()
    written = []
    for name, shelf in shelves(title):
        (folder / f"{name}.txt").write_text(playthrough(title, shelf), encoding="utf-8")
        written.append(name)
    return written
