"""`ludus TITLE COMMAND`: what only one title has.

A title has commands of its own when its folder has a `commands.py` with COMMANDS (functions by name, written
like those here), and `ludus TITLE report` when it has a `report.py`.  Nothing of a title is imported before
its commands are asked for.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Annotated

import typer

from ludus import titles as registry

from .common import progress_bar

PARTS = ("commands", "report")

Bot = Annotated[str, typer.Option("--bot", help="The bot that plays itself.")]
Games = Annotated[int, typer.Option("--games", min=1, help="How many games of each setting.")]
Seed = Annotated[int, typer.Option("--seed", min=0, help="Where the seeds begin.")]
Out = Annotated[
    Path | None,
    typer.Option("--out", help="Keep games here; a run that was stopped goes on.", show_default=False),
]
WriteDocs = Annotated[bool, typer.Option("--write-docs", help="Fill the page of the title in docs/.")]
AsJson = Annotated[bool, typer.Option("--json", help="For programs: one JSON object.")]


# Everything after the name of the title is read by the title's own commands, `--help` too.
UNREAD = {"allow_extra_args": True, "ignore_unknown_options": True, "help_option_names": []}


def add_titles(app: typer.Typer) -> None:
    """A command for each title that has some of its own; nothing of a title is imported here."""
    for name in registry.title_names():
        if any(registry.has_part(name, part) for part in PARTS):
            app.command(name, help=f"What only {name} has.", context_settings=UNREAD)(_runner(name))


def _runner(title: str) -> Callable[[typer.Context], None]:
    def run(context: typer.Context) -> None:
        _commands_of(title)(context.args, prog_name=context.command_path)

    return run


def _commands_of(title: str) -> typer.Typer:
    settings = {"help_option_names": ["-h", "--help"]}
    app = typer.Typer(no_args_is_help=True, add_completion=False, context_settings=settings)
    app.callback(help=f"What only {title} has.")(lambda: None)
    module = registry.part(title, "commands")
    for name, function in module.COMMANDS.items() if module else ():
        app.command(name)(function)
    if registry.has_part(title, "report"):
        app.command("report")(_report_of(title))
    return app


def _report_of(title: str) -> Callable[..., None]:
    def report(
        bot: Bot = "miles",
        games: Games = 100,
        seed: Seed = 1,
        out: Out = None,
        write_docs: WriteDocs = False,
        as_json: AsJson = False,
    ) -> None:
        """Balance report: a bot plays itself in many settings."""
        from ludus.lab import reports

        own = reports.report_of(title)
        with progress_bar(as_json) as bar:
            task = bar.add_task(f"{title}: {bot}", total=games * len(own.SETTINGS), rate="games")
            found = reports.run(title, bot, games, seed, out, progress=lambda done: bar.advance(task, done))
        typer.echo(json.dumps(found) if as_json else own.markdown(found, bot))
        if write_docs:
            command = f"ludus {title} report --bot {bot} --games {games} --seed {seed}"
            for path in reports.write(title, found, bot, command):
                typer.echo(f"written: {path}", err=True)

    return report
