"""`ludus arena`: bots against each other."""

from __future__ import annotations

import json
import shlex
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from typer.core import TyperGroup

from ludus.core.errors import FormatError

from .common import (
    DataFile,
    RayAddress,
    on_cluster,
    progress_bar,
    read_bots,
    read_own_data,
    read_pairs,
)

if TYPE_CHECKING:
    from ludus.lab.arena import Plan
    from ludus.lab.cluster import Cluster
    from ludus.lab.ladder import Step

NOTHING = "–"

Name = Annotated[str, typer.Argument(metavar="TITLE", help="The title to play.", show_default=False)]
Bots = Annotated[
    str,
    typer.Option(
        "--bots", help="Bots by seat: miles,tiro; your own as module:Class, exec:PROGRAM or http://HOST."
    ),
]
Games = Annotated[int, typer.Option("--games", min=1, help="How many games in all.")]
Seed = Annotated[int, typer.Option("--seed", min=0, help="Where the paired seeds begin.")]
Options = Annotated[
    list[str] | None, typer.Option("--option", help="An option of the title: name=value.", show_default=False)
]
Out = Annotated[
    Path | None,
    typer.Option("--out", help="Keep results here; a run that was stopped goes on.", show_default=False),
]
Budget = Annotated[
    float | None,
    typer.Option(
        "--budget", help="Seconds a decision, for every bot; else what it is used to.", show_default=False
    ),
]
Sprt = Annotated[
    bool,
    typer.Option("--sprt", help="Stop as soon as it is as good as proved whether --elo0 or --elo1 is true."),
]
Elo0 = Annotated[float, typer.Option("--elo0", help="With --sprt: the difference that would be none.")]
Elo1 = Annotated[float, typer.Option("--elo1", help="With --sprt: the difference that would be one.")]
Cores = Annotated[
    int | None,
    typer.Option("--cores", min=1, help="How many cores to use; default: all.", show_default=False),
]
AsJson = Annotated[bool, typer.Option("--json", help="For programs: one JSON object.")]


class _Arena(TyperGroup):
    """What is no command is a title: `ludus arena TITLE` is `ludus arena play TITLE`."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        if args and args[0] not in (*self.commands, *ctx.help_option_names):
            args = ["play", *args]
        return super().parse_args(ctx, args)


app = typer.Typer(cls=_Arena, no_args_is_help=True)


@app.callback()
def arena() -> None:
    """Let bots play each other.

    Examples: ludus arena TITLE --bots miles,tiro --games 1000; ludus arena ladder TITLE
    """


@app.command()
def play(
    name: Name,
    bots: Bots = "miles,tiro",
    games: Games = 100,
    seed: Seed = 1,
    option: Options = None,
    data: DataFile = None,
    budget: Budget = None,
    sprt: Sprt = False,
    elo0: Elo0 = 0.0,
    elo1: Elo1 = 20.0,
    out: Out = None,
    cores: Cores = None,
    ray: RayAddress = "",
    as_json: AsJson = False,
) -> None:
    """Let bots play each other: paired seeds, seats swapped, all cores, 95 % intervals.

    `ludus arena TITLE` is enough. Thinking is measured in CPU time of the
    bot's own work and by the clock. With more than two seats one bot plays
    against copies of another: legatus,miles,miles,miles.

    Examples: ludus arena TITLE --bots miles,tiro --games 1000 --out games.jsonl;
    ludus arena TITLE --bots mymodule:MyBot,miles --sprt;
    ludus arena TITLE --bots "exec:node mybot.js,miles" --budget 0.5
    """
    from ludus.lab import arena as lab
    from ludus.lab.scoring import Sequential

    names = read_bots(bots)
    if not names:
        raise FormatError("--bots needs at least one name, for instance miles,tiro")
    own = read_own_data(name, data)
    plan = lab.make_plan(name, names, games, seed, read_pairs(option or []), own, budget)
    test = Sequential(elo0, elo1) if sprt else None
    with progress_bar(as_json) as bar, on_cluster(ray, cores) as cluster:
        task = bar.add_task(f"{name}: {' - '.join(plan.bots)}", total=games, rate="games")
        played = lab.run(plan, out, lambda done: bar.advance(task, done), cores, test, cluster)
    found = lab.report(plan, played, test)
    if as_json:
        typer.echo(json.dumps(found))
    else:
        _show(found)


@app.command()
def ladder(
    name: Annotated[str, typer.Argument(metavar="TITLE|all", help="Whose ladder.", show_default=False)],
    games: Annotated[int, typer.Option("--games", min=1, help="How many games a step.")] = 200,
    seed: Seed = 1,
    budget: Budget = None,
    rungs: Annotated[
        str, typer.Option("--rungs", help="Other rungs than ours, weakest first.", show_default=False)
    ] = "",
    slow: Annotated[
        int,
        typer.Option(
            "--slow",
            min=0,
            help="How many games a step whose games take over a second; 0: as many as of others.",
        ),
    ] = 0,
    seats: Annotated[
        int | None, typer.Option("--seats", help="Only settings of so many seats.", show_default=False)
    ] = None,
    out: Annotated[
        Path | None,
        typer.Option("--out", help="Keep results in this folder; a stopped run goes on.", show_default=False),
    ] = None,
    cores: Cores = None,
    ray: RayAddress = "",
    write_docs: Annotated[
        bool, typer.Option("--write-docs", help="Write tables, commands and a picture into docs/ladder.md.")
    ] = False,
) -> None:
    """Play each of our bots against the one below, in all settings of a title.

    The exit status is 1 when a rung is not shown to be stronger than the one
    below: when its interval does not lie above the fair share as a whole.

    Examples: ludus arena ladder TITLE --games 1000 --slow 200 --out results --write-docs;
    ludus arena ladder all --games 20; ludus arena ladder TITLE --rungs miles,mymodule:MyBot
    """
    from ludus import titles as registry
    from ludus.lab import figures
    from ludus.lab import ladder as lab

    if write_docs:
        figures.docs_folder()  # said before the long work, not after it
    names = registry.title_names() if name == "all" else [name]
    wanted = {title: lab.plans(title, games, seed, budget, read_bots(rungs), seats) for title in names}
    if out is not None:
        _make_folder(out)
    all_stand = True
    with on_cluster(ray, cores) as cluster:
        for title, plans in wanted.items():
            steps = _climb(plans, slow, out, cores, cluster)
            all_stand = all_stand and all(step.stands for step in steps)
            if write_docs:
                command = _ladder_command(title, games, slow, seed, budget, rungs, seats)
                typer.echo(f"ludus: wrote {', '.join(lab.write(title, steps, command, cores))}", err=True)
    if not all_stand:
        raise typer.Exit(1)


def _climb(
    plans: list[Plan], slow: int, out: Path | None, cores: int | None, cluster: Cluster | None
) -> list[Step]:
    """Play the steps of one title, each told as soon as it is played."""
    from ludus.lab import ladder as lab

    steps = []
    with progress_bar() as bar:

        def begin(plan: Plan) -> Callable[[int], None]:
            task = bar.add_task(
                f"{plan.title}: {plan.bots[0]} - {plan.bots[1]}", total=plan.games, rate="games"
            )
            return lambda done: bar.advance(task, done)

        for step in lab.play(plans, out, begin, cores, cluster, slow):
            steps.append(step)
            typer.echo(step.sentence)
    return steps


def _make_folder(path: Path) -> None:
    try:
        path.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise FormatError(error.strerror or "cannot be made", source=str(path)) from None


def _ladder_command(
    title: str, games: int, slow: int, seed: int, budget: float | None, rungs: str, seats: int | None
) -> str:
    """What to type for these figures: the docs name it as their source."""
    words = ["ludus arena ladder", title, f"--games {games}", f"--seed {seed}"]
    words += [f"--slow {slow}"] if slow else []
    words += [f"--budget {budget:g}"] if budget is not None else []
    words += [f"--rungs {shlex.quote(rungs)}"] if rungs else []
    words += [f"--seats {seats}"] if seats is not None else []
    return " ".join([*words, "--write-docs"])


def _show(found: dict[str, Any]) -> None:
    from rich.console import Console
    from rich.table import Table

    table = Table(box=None, padding=(0, 2, 0, 0))
    for head in ("bot", "score", "95 % interval", "fair", "wins", "draws", "CPU ms", "ms"):
        table.add_column(head, justify="left" if head == "bot" else "right")
    for name, row in found["bots"].items():
        cpu = row["cpu_ms_per_move"]
        table.add_row(
            name,
            f"{row['score']:.1%}",
            f"{row['score_low']:.1%} - {row['score_high']:.1%}",
            f"{row['fair']:.0%}",
            f"{row['win_rate']:.1%}",
            f"{row['draws']:.1%}",
            NOTHING if cpu is None else f"{cpu:.2f}",
            f"{row['ms_per_move']:.2f}",
        )
    console = Console(highlight=False)
    console.print(table)
    for line in _sentences(found):
        console.print(line, markup=False)


def _sentences(found: dict[str, Any]) -> list[str]:
    """What stands under the table: the difference in Elo, what the test says, how long games were."""
    told = []
    if found["elo"] is not None:
        elo = found["elo"]
        ends = f"{_signed(elo['elo_low'], '-∞')} to {_signed(elo['elo_high'], '+∞')}"
        value = _signed(elo["elo"], "all or nothing")
        told.append(f"{elo['bot']} over {elo['over']}: Elo {value} ({ends})")
    if found["sprt"] is not None:
        told.append(_say_test(found["sprt"]))
    spread = [_say_spread(found[key], key) for key in ("length", "turns") if found[key]]
    told.append(f"{found['games']} games; {'; '.join(spread)}; times are of a decision")
    return told


def _signed(number: float | None, without: str) -> str:
    return without if number is None else f"{number:+.0f}"


def _say_test(sprt: dict[str, Any]) -> str:
    span = f"Elo {sprt['elo0']:g} or {sprt['elo1']:g}, LLR {sprt['llr']:+.2f} after {sprt['seeds']} seeds"
    if sprt["verdict"] is None:
        return f"SPRT: not decided ({span}); more games would tell"
    return f"SPRT: stopped, Elo {sprt[sprt['verdict']]:g} is accepted ({span})"


def _say_spread(spread: dict[str, float], key: str) -> str:
    what = {"length": "actions", "turns": "turns or rounds"}[key]
    return f"{what} {spread['median']:g} at the median, {spread['worst']:g} at most"
