"""`ludus titles`: what can be played."""

from __future__ import annotations

import json
from typing import Annotated, Any

import typer

from ludus import titles as registry
from ludus.core.title import Title

from .common import read_language

Name = Annotated[str | None, typer.Argument(help="A title, for its options.", show_default=False)]
Lang = Annotated[str | None, typer.Option("--lang", help="en, fr, it or de.", show_default=False)]
AsJson = Annotated[bool, typer.Option("--json", help="For programs: one JSON object.")]


def titles(name: Name = None, lang: Lang = None, as_json: AsJson = False) -> None:
    """List the titles, or tell the options of one.

    Example: ludus titles TITLE --lang fr
    """
    language = read_language(lang)
    chosen = [registry.title(name)] if name else registry.sound_titles(language)
    found = {title.name: describe(title, language) for title in chosen}
    if as_json:
        typer.echo(json.dumps(found, ensure_ascii=False, indent=1))
    elif name:
        _show_one(name, found[name])
    else:
        _show_all(found)


def describe(title: Title[Any, Any], lang: str) -> dict[str, Any]:
    """The facts of a title for a list: name, sentence, seats, options with their help."""
    words = title.words
    return {
        "name": words.say(lang, "name"),
        "blurb": words.say(lang, "blurb"),
        "rules_version": title.version,
        "seats": list(title.seats),
        "options": {
            o.name: {
                "name": words.say(lang, f"option.{o.name}.name"),
                "help": words.say(lang, f"option.{o.name}.help"),
                "default": o.default,
                "values": list(o.values),
                "disputed": o.disputed,
            }
            for o in title.options
        },
    }


def _seats(seats: list[int]) -> str:
    return str(seats[0]) if len(seats) == 1 else f"{seats[0]} to {seats[-1]}"


def _show_all(found: dict[str, dict[str, Any]]) -> None:
    from rich.console import Console
    from rich.table import Table

    table = Table(box=None, padding=(0, 2, 0, 0))
    table.add_column("title", style="bold")
    table.add_column("seats")
    table.add_column("")
    for name, facts in found.items():
        table.add_row(name, _seats(facts["seats"]), facts["blurb"])
    Console().print(table)


def _show_one(name: str, facts: dict[str, Any]) -> None:
    from rich.console import Console
    from rich.markup import escape
    from rich.table import Table

    console = Console(highlight=False)
    console.print(f"[bold]{escape(facts['name'])}[/bold]  {escape(facts['blurb'])}")
    console.print(f"{_seats(facts['seats'])} seats, rules version {facts['rules_version']}")
    table = Table(box=None, padding=(0, 2, 0, 0))
    for head in ("option", "default", "values", ""):
        table.add_column(head)
    for option in registry.title(name).options:
        told = facts["options"][option.name]
        mark = " (disputed)" if option.disputed else ""
        table.add_row(option.name, str(option.default), option.span(), escape(told["help"]) + mark)
    console.print(table)


def show_overview() -> None:
    """What `ludus` alone shows: the titles, and how to go on."""
    typer.echo("Ludus: the strategy games of the ancient world.\n")
    titles()
    typer.echo(
        "\nGo on with:\n"
        "  ludus serve           play in the browser\n"
        "  ludus play            play in the terminal\n"
        "  ludus titles NAME     the options of a title\n"
        "  ludus rules NAME      its rulebook\n"
        "  ludus kit NAME        put a title through its tests\n"
        "  ludus bench engine    how fast the rules run here\n"
        "  ludus --help          all commands"
    )
