"""The command line: one module for each group of commands.

Modules of commands are small and import what they need when they run, so that `--help` and `titles`
answer at once.
"""

from __future__ import annotations

import sys
from typing import Annotated

import typer

from ludus.core.errors import LudusError

from . import (
    analyse,
    arena,
    bench,
    compiling,
    data,
    files,
    kit,
    lab,
    own,
    play,
    puzzles,
    rules,
    scenes,
    serve,
    titles,
)

# What the extra "server" brings: an engine without it says so in one sentence.
SERVER = (
    "fastapi", "starlette", "pydantic", "uvicorn", "websockets", "sqlalchemy", "alembic", "argon2",
    "itsdangerous", "orjson",
)  # fmt: skip

app = typer.Typer(
    name="ludus",
    help="The strategy games of the ancient world: play, replay, verify, test and measure them.",
    no_args_is_help=False,
    add_completion=False,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)
app.command("titles")(titles.titles)
app.command("rules")(rules.rules)
app.command("play")(play.play)
app.command("puzzles")(puzzles.puzzles)
app.command("replay")(files.replay)
app.command("verify")(files.verify)
app.command("analyse")(analyse.analyse)
app.command("scene")(scenes.scene)
app.command("kit")(kit.kit)
app.add_typer(arena.app, name="arena")
app.add_typer(bench.app, name="bench")
bench.app.command("server")(serve.bench_server)
app.command("serve")(serve.serve)
app.command("backup")(serve.backup)
app.command("restore")(serve.restore)
app.add_typer(serve.admin, name="admin")
app.add_typer(lab.app, name="lab")
app.add_typer(data.app, name="data")
own.add_titles(app)
app.command("compile")(compiling.compile_titles)


def _version(wanted: bool) -> None:
    if wanted:
        from ludus import __version__

        typer.echo(f"ludus {__version__}")
        raise typer.Exit


@app.callback(invoke_without_command=True)
def start(
    context: typer.Context,
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Show the version.")
    ] = False,
) -> None:
    """Without a command: the table in the browser; where nobody is looking, the titles and how to go on."""
    if context.invoked_subcommand is None:
        if sys.stdin.isatty() and sys.stdout.isatty():
            serve.serve()
        else:
            titles.show_overview()


def main() -> None:
    """Run the `ludus` command; bad input ends with one clear sentence, never with a traceback."""
    try:
        app(standalone_mode=True, prog_name="ludus")  # however it was called: python -m ludus, ./ludus
    except LudusError as error:
        typer.echo(f"ludus: {error}", err=True)
        sys.exit(2)
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] not in SERVER:
            raise
        typer.echo(
            f"ludus: this needs {error.name}, which the server brings along and the engine does without: "
            'pip install "ludus-antiquus[server]" (./ludus does that by itself)',
            err=True,
        )
        sys.exit(2)
    except BrokenPipeError:
        sys.stderr.close()
        sys.exit(0)
