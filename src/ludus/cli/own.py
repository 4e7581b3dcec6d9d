"""`ludus TITLE COMMAND`: what only one title has.

A title has commands of its own when its folder has a `commands.py` with COMMANDS (functions by name, written
like those here), and `ludus TITLE report` when it has a `report.py`.  Nothing of a title is imported before
its commands are asked for.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Any

import click
import typer
from typer.core import TyperGroup
from typer.main import get_command

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


class WithTitles(TyperGroup):
    """All commands, and after them the titles that have some of their own."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        titles = [name for name in registry.title_names() if _has_own(name)]
        return [*super().list_commands(ctx), *titles]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        found = super().get_command(ctx, cmd_name)
        if found is None and cmd_name in registry.title_names() and _has_own(cmd_name):
            return _OfTitle(cmd_name)
        return found


def _has_own(title: str) -> bool:
    return any(registry.has_part(title, part) for part in PARTS)


class _OfTitle(TyperGroup):
    """The commands of one title, imported when one of them is asked for."""

    def __init__(self, title: str) -> None:
        super().__init__(name=title, help=f"What only {title} has.", no_args_is_help=True)
        self.title = title

    def _functions(self) -> dict[str, Callable[..., Any]]:
        module = registry.part(self.title, "commands")
        found: dict[str, Callable[..., Any]] = dict(module.COMMANDS) if module else {}
        if registry.has_part(self.title, "report"):
            found["report"] = _report_of(self.title)
        return found

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(self._functions())

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        function = self._functions().get(cmd_name)
        if function is None:
            return None
        app = typer.Typer(add_completion=False, pretty_exceptions_enable=False)
        app.command(cmd_name)(function)
        return get_command(app)


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
