"""A rulebook in the terminal: the same chapters, rules and examples as the page, for reading."""

from __future__ import annotations

from rich.console import Console
from rich.markup import escape
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from ludus.core.errors import FormatError
from ludus.rulebook.book import Book, Example, Part, Section, ToldRule
from ludus.rulebook.chapters import Spans
from ludus.rulebook.html import origins_told, told_values

WIDTH = 96  # longer lines are hard to read
STYLES = {"strong": "bold", "em": "italic", "rule": "cyan", "thing": "bold"}


def show_book(console: Console, book: Book) -> None:
    """The whole rulebook."""
    width = min(console.width, WIDTH)
    console.print(Text(book.name, style="bold underline"), width=width)
    console.print(Text(book.blurb), width=width)
    for section in book.sections:
        console.print()
        console.rule(f"[bold]{escape(section.heading)}[/bold]", align="left")
        _show_section(console, book, section, width)


def show_found(console: Console, book: Book, what: str) -> None:
    """The rules, cards and pieces that a word or a number finds; FormatError where there is none."""
    wanted = what.casefold()
    numbers = [rule for rule in book.rules() if rule.number.casefold() == wanted]
    rules = numbers or [rule for rule in book.rules() if wanted in rule.sentence.casefold()]
    things = {
        thing.id: thing
        for part in (*book.parts("list"), *book.parts("pieces"))
        for thing in part.things
        if not numbers and (wanted in thing.name.casefold() or wanted in thing.text.casefold())
    }
    if not rules and not things:
        raise FormatError(book.say("nothing_found", what=what))
    width = min(console.width, WIDTH)
    if things:
        _show_part(console, book, Part("list", things=tuple(things.values())), width)
    if rules:
        _show_rules(console, book, rules, width)


def _show_section(console: Console, book: Book, section: Section, width: int) -> None:
    for part in section.parts:
        console.print()
        _show_part(console, book, part, width)


def _show_part(console: Console, book: Book, part: Part, width: int) -> None:
    if part.kind == "text":
        console.print(_text(book, part.lines[0]), width=width)
    elif part.kind == "points":
        for line in part.lines:
            console.print(Padding(Text("• ") + _text(book, line), (0, 0, 0, 2)), width=width)
    elif part.kind == "pieces":
        console.print(Text(" · ".join(thing.name for thing in part.things), style="dim"), width=width)
    elif part.kind == "list":
        table = Table(box=None, show_header=False, padding=(0, 2, 1, 0), width=width)
        table.add_column(style="bold", no_wrap=True)
        table.add_column(ratio=1)
        for thing in part.things:
            table.add_row(
                thing.name,
                Text(" · ".join(thing.facts), style="dim")
                + Text(f"\n{thing.text}" if thing.facts else thing.text),
            )
        console.print(table)
    elif part.kind == "rules":
        _show_rules(console, book, part.rules, width)
    elif part.kind == "options":
        _show_options(console, book, part, width)
    elif part.example is not None:
        _show_example(console, book, part.example, width)


def _text(book: Book, spans: Spans) -> Text:
    text = Text()
    for span in spans:
        said = book.named[span.text].name if span.kind == "thing" else span.text
        said = f"[{said}]" if span.kind == "rule" else said
        text.append(said, STYLES.get(span.kind, ""))
    return text


def _show_rules(
    console: Console, book: Book, rules: list[ToldRule] | tuple[ToldRule, ...], width: int
) -> None:
    table = Table(box=None, show_header=False, padding=(0, 2, 0, 0), width=width)
    table.add_column(style="cyan", no_wrap=True)
    table.add_column(ratio=1)
    for rule in rules:
        said = Text(rule.sentence)
        if rule.origins:
            said.append(f" ({', '.join(book.say(f'origin.{origin}') for origin in rule.origins)})", "dim")
        for choice in rule.choices:
            said.append(
                f"\n{book.say('changed_by', option=choice.name)} {told_values(book, choice)}", "yellow"
            )
        table.add_row(rule.number, said)
    console.print(table)


def _show_options(console: Console, book: Book, part: Part, width: int) -> None:
    console.print(Text(book.say("options.lead")), width=width)
    for choice in part.choices:
        said = Text("\n")
        said.append(choice.name, "bold")
        if choice.disputed:
            said.append(f" ({book.say('options.disputed')})", "yellow")
        said.append(f"\n{choice.help} {told_values(book, choice)}")
        if choice.rules:
            said.append(f" {', '.join(choice.rules)}", "cyan")
        console.print(said, width=width)
    if book.origins:
        console.print(Text(f"\n{book.say('origin_help.lead')}"), width=width)
        for name, text in origins_told(book):
            console.print(Text.assemble((name, "bold"), f": {text}"), width=width)


def _show_example(console: Console, book: Book, example: Example, width: int) -> None:
    kind = "printed_example" if example.printed else "example"
    text = Text(f"{book.say(kind)}: ", style="yellow") + _text(book, example.shows)
    for number, moment in enumerate((m for m in example.played.moments if m.said), 1):
        text.append(f"\n  {number}. {' '.join(moment.said)}", "not bold default")
        if moment.rule:
            text.append(f" {moment.rule}", "cyan")
    console.print(Padding(text, (0, 0, 0, 2)), width=width)
