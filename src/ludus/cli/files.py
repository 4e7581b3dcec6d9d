"""`ludus replay` and `ludus verify`: match files, told again and proved."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ludus import titles as registry
from ludus.core.chance import SPECTATOR
from ludus.core.errors import FormatError, LudusError

from .common import read_language, read_text

if TYPE_CHECKING:
    from ludus.match.file import MatchFile
    from ludus.match.match import Match

File = Annotated[Path, typer.Argument(help="A match file.", show_default=False)]
Files = Annotated[list[Path] | None, typer.Argument(help="Match files.", show_default=False)]
Every = Annotated[bool, typer.Option("--all", help="Every running match of a database.")]
Db = Annotated[
    str | None, typer.Option("--db", help="With --all: the server's database.", show_default=False)
]
Seat = Annotated[
    int | None,
    typer.Option("--seat", help="Tell what this seat knew (default: everything).", show_default=False),
]
To = Annotated[int | None, typer.Option("--to", help="Stop after this entry.", show_default=False)]
Lang = Annotated[str | None, typer.Option("--lang", help="en, fr, it or de.", show_default=False)]
AsJson = Annotated[bool, typer.Option("--json", help="For programs: one JSON object.")]


def _load(path: Path) -> MatchFile:
    from ludus.match.file import read_match

    return read_match(read_text(path), registry.title, str(path))


def replay(file: File, seat: Seat = None, to: To = None, lang: Lang = None, as_json: AsJson = False) -> None:
    """Tell a match again from its file.

    Example: ludus replay anna-bruno.match --seat 0 --lang it
    """
    language = read_language(lang)
    found = _load(file)
    match = found.match
    if match is None:
        rows = [e.line() for e in found.entries if to is None or e.number <= to]
        told = {"scope": found.scope, "entries": rows, "story": [], "result": None}
        told |= {"changed": found.changed} if found.changed else {}
    else:
        told = _tell(match, seat, to, language)
        told["scope"] = found.scope
    if as_json:
        typer.echo(json.dumps({"title": found.title.name, "names": list(found.setting.names), **told}))
    else:
        _print(found, told, language)


def _tell(match: Match, seat: int | None, to: int | None, lang: str) -> dict[str, Any]:
    from ludus.match.story import Story

    entries = [e for e in match.entries if to is None or e.number <= to]
    if seat is not None and not 0 <= seat < match.setting.seats:
        raise FormatError(f"seats are 0 to {match.setting.seats - 1}, not {seat}")
    if to is not None:
        match = _until(match, len(entries))
    eye = SPECTATOR if seat is None else seat
    return {
        "entries": [e.line() for e in entries],
        "story": Story(match, eye, lang, whole=seat is None).sentences(),
        "view": match.game.view(eye),
        "result": list(match.result) if match.result else None,
        "hash": match.game.hash(),
    }


def _until(match: Match, entries: int) -> Match:
    """The match as it stood after so many entries."""
    from ludus.match.match import Match as Again

    earlier = Again(match.setting, match.game.source, seed=match.seed, replaying=True)
    for entry in match.entries[:entries]:
        earlier.read_entry(entry)
    return earlier


def _print(found: MatchFile, told: dict[str, Any], lang: str) -> None:
    typer.echo(f"{found.setting.called(lang)}: {', '.join(found.setting.names)}")
    if found.match is None:
        typer.echo(f"({found.changed or found.scope})")
    for line in told["story"] or told["entries"]:
        typer.echo(line)
    if told["result"] is not None:
        words = {0: "loses", 1: "shares the first place", 2: "wins"}
        names = found.match.names if found.match else found.setting.names
        typer.echo("; ".join(f"{n} {words[r]}" for n, r in zip(names, told["result"], strict=True)) + ".")


def verify(files: Files = None, every: Every = False, db: Db = None, as_json: AsJson = False) -> None:
    """Replay match files and derive every die and card again from key and nonces.

    Names the first outcome that differs; the exit status is 1 if any file fails. With --all, replays
    every running match of a server's database instead: do that before an upgrade.

    Example: ludus verify *.match
    """
    from ludus.match.file import verify as prove

    from .serve import verify_all

    if every:
        verify_all(db, as_json=as_json)
        return
    if not files:
        raise FormatError("name at least one match file, or --all for a server's database")

    results: dict[str, dict[str, Any]] = {}
    for path in files:
        try:
            proof = prove(_load(path))
            results[str(path)] = {"good": proof.good, "outcomes": proof.outcomes, "problem": proof.problem}
            if proof.entry:
                results[str(path)]["entry"] = proof.entry
        except LudusError as error:
            results[str(path)] = {"good": False, "outcomes": 0, "problem": str(error)}
    if as_json:
        typer.echo(json.dumps(results))
    else:
        for name, result in results.items():
            typer.echo(_sentence(name, result))
    if not all(result["good"] for result in results.values()):
        raise typer.Exit(1)


def _sentence(name: str, result: dict[str, Any]) -> str:
    if result["good"]:
        return f"{name}: good; {result['outcomes']} outcomes of chance derived again"
    where = f"entry {result['entry']}: " if "entry" in result else ""
    problem = result["problem"].removeprefix(f"{name}, ").removeprefix(f"{name}: ")
    return f"{name}: {where}{problem}"
