"""`ludus data`: boards, decks and prices that somebody typed in from a printed game.

`ludus play TITLE --data FILE` and `ludus arena TITLE --data FILE` play with them (`ludus.core.own`).
"""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer

from ludus import titles as registry
from ludus.core.errors import FormatError
from ludus.core.own import Check

from .common import read_text

app = typer.Typer(
    help="Data files of titles: boards, event decks and prices typed in from a printed game.",
    no_args_is_help=True,
)

File = Annotated[Path, typer.Argument(help="A data file, TOML or JSON.", show_default=False)]
Name = Annotated[
    str | None,
    typer.Option(
        "--title", help="The title that the data are for, where several could be.", show_default=False
    ),
]
AsJson = Annotated[bool, typer.Option("--json", help="For programs: one JSON object.")]
Words = Annotated[bool, typer.Option("--words", help="Also list the words that a card is written in.")]


@app.callback()
def data() -> None:
    """Data files of titles."""


@app.command("check")
def check(file: File, title: Name = None, words: Words = False, as_json: AsJson = False) -> None:
    """Tell whether a deck, board or price table can be played, and what is missing.

    Example: ludus data check my-board.toml; then: ludus play TITLE --data my-board.toml
    """
    own = registry.title(title or _only_title()).own_data
    try:
        found = own.check(read_text(file))
    except FormatError as error:
        raise FormatError(error.reason, source=str(file)) from None
    if as_json:
        facts = {"file": str(file), "playable": not found.problems, **asdict(found)}
        typer.echo(json.dumps(facts, ensure_ascii=False))
    else:
        _show(file, found)
        for line in own.vocabulary() if words else ():
            typer.echo(line)
    if found.problems:
        raise typer.Exit(1)


def _only_title() -> str:
    """The one title that can be played with own data."""
    found = [name for name in registry.title_names() if registry.has_part(name, "own")]
    if len(found) != 1:
        raise FormatError(
            f"say with --title which title the data are for: {', '.join(found) or 'none takes any'}"
        )
    return found[0]


def _show(file: Path, found: Check) -> None:
    typer.echo(f"{file}: {', '.join(found.parts) or 'nothing'}")
    for problem in found.problems:
        typer.echo(f"  wrong: {problem}")
    for note in found.notes:
        typer.echo(f"  note:  {note}")
    typer.echo("cannot be played" if found.problems else f"playable; SHA-256 {found.sha256}")
