"""`ludus data`: boards, decks and prices that somebody typed in from a printed game.

A title that can be played with such data has a module `data` in its package, with `parse`, `problems`,
`warnings`, `vocabulary` and `read_data`; its `make_box` takes the data as a third argument.
"""

from __future__ import annotations

import json
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Annotated, Any

import typer

from ludus import titles as registry
from ludus.core.errors import FormatError
from ludus.core.title import Title

from .common import read_text

app = typer.Typer(
    help="Data files of titles: boards, event decks and prices typed in from a printed game.",
    no_args_is_help=True,
)

File = Annotated[Path, typer.Argument(help="A data file, TOML or JSON.", show_default=False)]
Name = Annotated[str, typer.Option("--title", help="The title that the data are for.")]
AsJson = Annotated[bool, typer.Option("--json", help="For programs: one JSON object.")]
Words = Annotated[bool, typer.Option("--words", help="Also list the words that a card is written in.")]


def data_module(title: Title[Any, Any]) -> Any:
    """The module that reads a title's data files; FormatError when it has none."""
    name = title.make_box.__module__.rpartition(".")[0] + ".data"
    module = import_module(name) if find_spec(name) else None
    if not hasattr(module, "read_data"):
        raise FormatError(f"{title.name} is not played with data files")
    return module


def box_with_data(title: Title[Any, Any], seats: int | None, options: dict[str, Any], file: Path) -> Any:
    """The box of some options and somebody's own data: what `--data FILE` plays with."""
    number, values = title.read_setting(seats, options)
    data = data_module(title).read_data(read_text(file), str(file))
    make_box: Any = title.make_box
    return make_box(values, number, data)


@app.callback()
def data() -> None:
    """Data files of titles."""


@app.command("check")
def check(file: File, title: Name = "duellum", words: Words = False, as_json: AsJson = False) -> None:
    """Tell whether a deck, board or price table can be played, and what is missing.

    Example: ludus data check my-board.toml; then: ludus play duellum --data my-board.toml
    """
    module = data_module(registry.title(title))
    found, parts = module.parse(read_text(file), str(file))
    problems = module.problems(found)
    notes = [] if problems else module.warnings(found, parts)
    if as_json:
        facts = {"file": str(file), "parts": parts, "playable": not problems, "problems": problems}
        typer.echo(json.dumps({**facts, "notes": notes, "sha256": found.sha256}, ensure_ascii=False))
    else:
        _show(file, parts, problems, notes, found.sha256)
        for line in module.vocabulary() if words else ():
            typer.echo(line)
    if problems:
        raise typer.Exit(1)


def _show(file: Path, parts: list[str], problems: list[str], notes: list[str], sha: str) -> None:
    typer.echo(f"{file}: {', '.join(parts) or 'nothing'}")
    for problem in problems:
        typer.echo(f"  wrong: {problem}")
    for note in notes:
        typer.echo(f"  note:  {note}")
    typer.echo("cannot be played" if problems else f"playable; SHA-256 {sha}")
