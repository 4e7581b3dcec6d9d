"""`ludus arena`: bots against each other."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated, Any

import typer

from ludus.core.errors import FormatError

from .common import DataFile, progress_bar, read_bots, read_own_data, read_pairs

Name = Annotated[str, typer.Argument(help="The title to play.", show_default=False)]
Bots = Annotated[str, typer.Option("--bots", help="Bots by seat: miles,tiro; your own as module:Class.")]
Games = Annotated[int, typer.Option("--games", min=1, help="How many games in all.")]
Seed = Annotated[int, typer.Option("--seed", min=0, help="Where the paired seeds begin.")]
Options = Annotated[
    list[str] | None, typer.Option("--option", help="An option of the title: name=value.", show_default=False)
]
Out = Annotated[
    Path | None,
    typer.Option("--out", help="Keep results here; a run that was stopped goes on.", show_default=False),
]
AsJson = Annotated[bool, typer.Option("--json", help="For programs: one JSON object.")]


def arena(
    name: Name,
    bots: Bots = "miles,tiro",
    games: Games = 100,
    seed: Seed = 1,
    option: Options = None,
    data: DataFile = None,
    out: Out = None,
    as_json: AsJson = False,
) -> None:
    """Let bots play each other: paired seeds, seats swapped, all cores, a 95 % interval.

    Examples: ludus arena TITLE --bots miles,tiro --games 1000 --out games.jsonl;
    ludus arena TITLE --bots mymodule:MyBot,miles
    """
    from ludus.lab import arena as lab

    names = read_bots(bots)
    if not names:
        raise FormatError("--bots needs at least one name, for instance miles,tiro")
    own = read_own_data(name, data)
    plan = lab.make_plan(name, names, games, seed, read_pairs(option or []), own)
    with progress_bar(as_json) as bar:
        task = bar.add_task(f"{name}: {' - '.join(plan.bots)}", total=games, rate="games")
        played = lab.run(plan, out, progress=lambda done: bar.advance(task, done))
    found = lab.report(plan, played)
    if as_json:
        typer.echo(json.dumps(found))
    else:
        _show(found)


def _show(found: dict[str, Any]) -> None:
    from rich.console import Console
    from rich.table import Table

    table = Table(box=None, padding=(0, 2, 0, 0))
    for head in ("bot", "wins", "95 % interval", "draws", "ms a move"):
        table.add_column(head, justify="left" if head == "bot" else "right")
    for name, row in found["bots"].items():
        interval = f"{row['low']:.1%} - {row['high']:.1%}"
        table.add_row(
            name, f"{row['win_rate']:.1%}", interval, f"{row['draws']:.1%}", f"{row['ms_per_move']:.2f}"
        )
    console = Console()
    console.print(table)
    console.print(f"{found['games']} games, {found['mean_length']} actions on average")
