"""`ludus bench`: how fast things are, on this machine."""

from __future__ import annotations

import json
import shlex
import sys
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ludus import titles as registry
from ludus.core.title import Title

from .common import progress_bar

if TYPE_CHECKING:
    from ludus.lab.cuda_bench import CudaFigures
    from ludus.lab.engine_bench import EngineFigures
    from ludus.lab.vector_bench import PeerSteps, VectorFigures

ENGINE = "ludus bench engine"  # also the marker of its figures in the docs
VECTOR = "ludus bench vector"
CUDA = "ludus bench cuda"
SECONDS = 2.0

Names = Annotated[
    list[str] | None,
    typer.Option("--title", help="A title to measure; may be given several times. Default: all."),
]
Seconds = Annotated[
    float, typer.Option("--seconds", min=0.001, help="How long one figure is measured, over three rounds.")
]
Peers = Annotated[
    bool, typer.Option("--peers", help="Also OpenSpiel, catanatron and python-chess, if installed.")
]
AsJson = Annotated[bool, typer.Option("--json", help="For programs: one JSON object.")]
WriteDocs = Annotated[
    bool, typer.Option("--write-docs", help="Write the figures into docs/speed.md and README.md.")
]

app = typer.Typer(no_args_is_help=True)


@app.callback()
def bench() -> None:
    """Measure how fast things are on this machine."""


@app.command()
def engine(
    title: Names = None,
    seconds: Seconds = SECONDS,
    peers: Peers = False,
    as_json: AsJson = False,
    write_docs: WriteDocs = False,
) -> None:
    """How many decisions a second the engine plays, title by title.

    Random games: every decision is drawn from the list of legal actions;
    dice and cards cost their time and are not counted. The rules run
    compiled (on one thread, then on one a core) and in plain form. Fresh
    processes show what a first start and a later one cost.

    Example: ludus bench engine --title TITLE --seconds 0.5

    Beside other engines, those of them that are installed (the extra
    "peers" of this package names them): ludus bench engine --peers
    """
    from ludus.lab import figures

    folder = figures.docs_folder() if write_docs else None  # said before the long work, not after it
    names = list(dict.fromkeys(title or registry.title_names()))
    report = _measure([registry.title(name) for name in names], seconds, peers)
    if as_json:
        typer.echo(json.dumps(report.json(), indent=1))
    else:
        _print_tables(report)
    if folder is not None:
        command = _command(names if title else (), seconds, peers)
        written = figures.write_docs(folder, ENGINE, figures.markdown(report, command))
        typer.echo(f"ludus: wrote {', '.join(written) or 'nothing: no page has the markers'}", err=True)


@app.command()
def vector(
    title: Names = None,
    seconds: Seconds = SECONDS,
    games: Annotated[int, typer.Option("--games", min=1, help="How many games are stepped together.")] = 4096,
    peers: Annotated[
        bool, typer.Option("--peers", help="Also pgx, OpenSpiel and PettingZoo, if installed.")
    ] = False,
    as_json: AsJson = False,
    write_docs: Annotated[
        bool, typer.Option("--write-docs", help="Write the figures into docs/speed.md.")
    ] = False,
) -> None:
    """How many steps a second many games make that are stepped from Python.

    One step plays an action in each game and gives observations, masks and
    results; "with tensors" observations as real numbers, too. The actions
    are drawn at random outside the time.

    Example: ludus bench vector --title TITLE --games 1024
    """
    from ludus.lab import figures, vector_bench

    folder = figures.docs_folder() if write_docs else None
    names = list(dict.fromkeys(title or registry.title_names()))
    found = [vector_bench.measure(registry.title(name), seconds, games) for name in names]
    others = [vector_bench.measure_peer(p, seconds) for p in vector_bench.all_peers()] if peers else []
    if as_json:
        typer.echo(json.dumps({"titles": list(map(asdict, found)), "peers": list(map(asdict, others))}))
    else:
        _print_vector(found, others)
    if folder is not None:
        words = [VECTOR, *(f"--title {name}" for name in title or ()), *(["--peers"] if peers else [])]
        body = vector_bench.markdown(found, others, " ".join(words))
        written = figures.write_docs(folder, VECTOR, body)
        typer.echo(f"ludus: wrote {', '.join(written) or 'nothing: no page has the markers'}", err=True)


def _print_vector(found: Sequence[VectorFigures], others: Sequence[PeerSteps]) -> None:
    from rich.console import Console

    from ludus.lab import vector_bench

    console = Console(highlight=False)
    console.print(_table(vector_bench.title_rows(found)))
    if others:
        console.print()
        console.print(_table(vector_bench.peer_rows(others, found)))


@app.command()
def cuda(
    title: Names = None,
    seconds: Seconds = SECONDS,
    as_json: AsJson = False,
    write_docs: Annotated[
        bool, typer.Option("--write-docs", help="Write the figures into docs/speed.md.")
    ] = False,
) -> None:
    """How many decisions a second the rules play on an NVIDIA GPU.

    Random games beside the same ones on all cores of the processor, whose
    results must be the same; then games that are stepped from Python. The
    exit status is 1 where any game went otherwise.

    Example: ludus bench cuda --title TITLE
    """
    from ludus.lab import cuda_bench, figures

    folder = figures.docs_folder() if write_docs else None
    names = list(dict.fromkeys(title or registry.title_names()))
    found = [cuda_bench.measure(registry.title(name), seconds) for name in names]
    if as_json:
        typer.echo(json.dumps({"device": cuda_bench.device(), "titles": list(map(asdict, found))}))
    else:
        _print_cuda(found)
    if folder is not None:
        words = [CUDA, *(f"--title {name}" for name in title or ())]
        written = figures.write_docs(folder, CUDA, cuda_bench.markdown(found, " ".join(words)))
        typer.echo(f"ludus: wrote {', '.join(written) or 'nothing: no page has the markers'}", err=True)
    if not all(f.same for f in found):
        raise typer.Exit(1)


def _print_cuda(found: Sequence[CudaFigures]) -> None:
    from rich.console import Console

    from ludus.lab import cuda_bench

    console = Console(highlight=False)
    console.print(_table(cuda_bench.title_rows(found)))
    console.print(f"On one {cuda_bench.device()}.", style="dim")


@app.command()
def search(title: Names = None, seconds: Seconds = 10.0, as_json: AsJson = False) -> None:
    """How many decisions a second the search of legatus simulates, on one core.

    Example: ludus bench search --title TITLE --seconds 5
    """
    from ludus.bots.legatus import Legatus
    from ludus.lab.search_bench import measure

    names = title or [name for name in registry.title_names() if Legatus.can_play(registry.title(name))]
    for name in names:
        found = measure(registry.title(name), seconds)
        facts = {**asdict(found), "rate": round(found.rate)}
        said = f"{name}: {found.rate:,.0f} decisions a second of one core, {found.choices} choices"
        typer.echo(json.dumps(facts) if as_json else said)


@app.command()
def analysis(
    names: Annotated[
        list[str] | None,
        typer.Argument(help="Titles (default: those with a goal).", metavar="[TITLE]...", show_default=False),
    ] = None,
    depth: Annotated[str, typer.Option("--depth", help="quick, usual or deep.")] = "usual",
    seed: Annotated[int, typer.Option("--seed", min=0, help="Of dice and bots.")] = 1,
    cores: Annotated[int, typer.Option("--cores", min=0, help="0: all of them.")] = 0,
    as_json: AsJson = False,
    write_docs: Annotated[
        bool, typer.Option("--write-docs", help="Write the figures into docs/analysis.md.")
    ] = False,
) -> None:
    """How long the analysis of a whole match takes.

    Bots play a match of each title, which is then analysed; making and
    loading machine code is not counted. The exit status is 1 when a title
    misses its goal.

    Example: ludus bench analysis TITLE
    """
    from ludus.lab import analysis_bench as lab
    from ludus.lab import calibrating

    plans = [lab.specimen_of(registry.title(name)) for name in names or lab.planned()]
    found = []
    for plan in plans:
        with progress_bar(as_json or not sys.stderr.isatty()) as bar:
            task = bar.add_task(plan.title, total=None, rate="")

            def tell(done: int, total: int, bar: Any = bar, task: Any = task) -> None:
                bar.update(task, completed=done, total=total)

            found.append(lab.measure(plan, depth, seed, calibrating.cores_or_all(cores), tell))
        if write_docs:
            words = [lab.COMMAND, plan.title, *([f"--seed {seed}"] if seed != 1 else [])]
            words += [f"--depth {depth}"] if depth != "usual" else []
            typer.echo(f"ludus: wrote {lab.write(found[-1], ' '.join(words))}", err=True)
    if as_json:
        typer.echo(json.dumps([one.json() for one in found]))
    else:
        from rich.console import Console

        Console(highlight=False).print(_table(lab.rows(found)))
    if not all(one.good for one in found):
        raise typer.Exit(1)


@app.command()
def browser(
    title: Annotated[
        str | None, typer.Option("--title", help="The title to play; default: the first.", show_default=False)
    ] = None,
    moves: Annotated[int, typer.Option("--moves", min=1, help="How many moves to time.")] = 100,
    as_json: AsJson = False,
) -> None:
    """How long pages take to open, and how soon a move is on both screens.

    A server and two real browsers on this machine; random play by the
    list of choices. Also the time to redraw a view, and the time until a
    table stands over a slow line. The exit status is 1 when a goal is missed.

    Example: ludus bench browser --title TITLE --moves 50
    """
    from ludus.lab import browser_bench as bench

    name = title or registry.title_names()[0]
    registry.title(name)  # an unknown one is said at once
    result = bench.measure(name, moves)
    if as_json:
        typer.echo(json.dumps({**asdict(result), "good": result.good}))
    else:
        for line in bench.table(result):
            typer.echo(line)
    if not result.good:
        raise typer.Exit(1)


def _command(names: Sequence[str], seconds: float, peers: bool) -> str:
    """What to type for these figures: the docs name it as their source."""
    words = [ENGINE, *(f"--title {shlex.quote(name)}" for name in names)]
    words += [f"--seconds {seconds:g}"] if seconds != SECONDS else []
    words += ["--peers"] if peers else []
    return " ".join(words)


def _measure(chosen: Sequence[Title[Any, Any]], seconds: float, with_peers: bool) -> EngineFigures:
    """All steps in order, with a bar that says what came out last and how long it will take."""
    from ludus.core.compilation import has_numba
    from ludus.core.process import say
    from ludus.lab.engine_bench import EngineBench
    from ludus.lab.peers import all_peers

    if not has_numba():
        say("Numba is not installed, so there are figures of the plain form only: pip install numba")
    with (
        progress_bar(quiet=not sys.stderr.isatty()) as progress,
        TemporaryDirectory(prefix="ludus-bench-") as cache,
    ):
        task = progress.add_task("looking for peers" if with_peers else "", total=None, rate="")
        bench = EngineBench(chosen, all_peers() if with_peers else [], seconds)
        steps = bench.steps(Path(cache))
        progress.update(task, total=sum(step.weight for step in steps))
        for step in steps:
            progress.update(task, description=step.label)
            progress.update(task, rate=f"last: {step.run()}", advance=step.weight)
        return bench.report()


def _print_tables(report: EngineFigures) -> None:
    from rich.console import Console

    from ludus.lab import figures

    console = Console(highlight=False)
    console.print(_table(figures.title_rows(report)))
    if report.peers:
        console.print()
        console.print(_table(figures.peer_rows(report)))
        console.print()
        for note in figures.peer_notes(report):
            console.print(note, style="dim", markup=False)
    console.print(f"On {figures.machine(report.threads)}.", style="dim")


def _table(rows: Sequence[Sequence[str]]) -> Any:
    from rich.table import Table

    heading, *body = rows
    table = Table(box=None, padding=(0, 2, 0, 0))
    for column, name in enumerate(heading):
        table.add_column(name, justify="left" if column == 0 else "right")
    for row in body:
        table.add_row(*row)
    return table
