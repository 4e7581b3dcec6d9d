"""`ludus puzzles`: solve the puzzles of a title in the terminal."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from ludus import titles as registry

from .common import read_language

Name = Annotated[str, typer.Argument(help="A title.", show_default=False)]
File = Annotated[
    Path | None,
    typer.Option("--file", help="Puzzles of this file, not the shipped ones.", show_default=False),
]
Strength = Annotated[
    int, typer.Option("--strength", min=0, max=4000, help="Begin with puzzles about so hard.")
]
Daily = Annotated[bool, typer.Option("--day", help="The puzzle of the day only.")]
Lang = Annotated[str | None, typer.Option("--lang", help="en, fr, it or de.", show_default=False)]


def puzzles(
    name: Name, strength: Strength = 1000, day: Daily = False, file: File = None, lang: Lang = None
) -> None:
    """Solve puzzles: positions with one clearly best choice.

    Examples: ludus puzzles TITLE; ludus puzzles TITLE --day; ludus puzzles TITLE --file my.toml
    """
    from datetime import UTC, datetime

    from rich.console import Console

    from ludus.puzzles.puzzle import fitting_puzzles
    from ludus.puzzles.solving import puzzle_of_the_day
    from ludus.puzzles.telling import say
    from ludus.terminal.puzzles import solve_all

    language, title = read_language(lang), registry.title(name)
    found, wrong = fitting_puzzles(title, [file] if file else None)
    for line in wrong:
        typer.echo(line, err=True)
    if day:
        found = [one for one in [puzzle_of_the_day(found, datetime.now(UTC).date())] if one]
    if not found:
        typer.echo(say(language, "terminal.none", name=title.words.say(language, "name")))
        raise typer.Exit(1)
    hard_enough = sorted(found, key=lambda one: (one.rating < strength and not day, one.rating))
    solve_all(Console(highlight=False), hard_enough, language)
