"""`ludus rules`: the rulebook of a title."""

from __future__ import annotations

from typing import Annotated

import typer

from ludus import titles as registry

from .common import read_language

Name = Annotated[str, typer.Argument(help="A title.", show_default=False)]
What = Annotated[
    str | None, typer.Argument(help="A rule by its number, or a word to look for.", show_default=False)
]
Lang = Annotated[str | None, typer.Option("--lang", help="en, fr, it or de.", show_default=False)]


def rules(name: Name, what: What = None, lang: Lang = None) -> None:
    """Read the rulebook of a title, or look something up in it.

    Example: ludus rules TITLE --lang fr
    """
    language = read_language(lang)
    title = registry.title(name)
    from rich.console import Console

    from ludus.rulebook.book import book_of
    from ludus.terminal.rulebook import show_book, show_found

    console, book = Console(highlight=False), book_of(title, language)
    if what is None:
        show_book(console, book)
    else:
        show_found(console, book, what)
