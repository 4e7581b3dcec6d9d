"""`ludus analyse`: a finished match taken apart."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Annotated

import typer

from ludus import titles as registry
from ludus.core.errors import LudusError

from .common import progress_bar, read_language, read_text

File = Annotated[Path, typer.Argument(help="A match file of a finished match.", show_default=False)]
Out = Annotated[
    Path | None,
    typer.Option("--out", help="Where the result goes (default: beside the file).", show_default=False),
]
Depth = Annotated[str, typer.Option("--depth", help="quick, usual or deep.")]
Seed = Annotated[
    int, typer.Option("--seed", min=0, help="For re-deals and dice; the same seed says the same.")
]
Cores = Annotated[int, typer.Option("--cores", min=0, help="0: all of them.")]
Lang = Annotated[str | None, typer.Option("--lang", help="en, fr, it or de.", show_default=False)]
AsJson = Annotated[bool, typer.Option("--json", help="For programs: the whole result as JSON.")]


def analyse(
    file: File,
    out: Out = None,
    depth: Depth = "usual",
    seed: Seed = 1,
    cores: Cores = 0,
    lang: Lang = None,
    as_json: AsJson = False,
) -> None:
    """Say what every decision of a finished match cost, what was luck, and how both add up to the result.

    The result is kept beside the file; an analysis that was stopped goes on where it was.

    Example: ludus analyse anna-bruno.match --lang it
    """
    from ludus.analysis.analysis import NotAnalysed, match_of
    from ludus.analysis.keeping import analyse_to, make_task
    from ludus.match.file import read_match

    language = read_language(lang)
    try:
        match = match_of(read_match(read_text(file), registry.title, str(file)))
        task = make_task(match, depth, seed)
    except NotAnalysed as error:
        raise LudusError(f"{file}: {error.said(language)}") from None
    with progress_bar(as_json) as bar:
        name = match.setting.called(language)
        shown = bar.add_task(name, total=None, rate="")

        def tell(done: int, total: int) -> None:
            bar.update(shown, completed=done, total=total)

        path = out or file.with_name(file.name + ".analysis.json")
        found = analyse_to(task, path, tell, cores or os.cpu_count() or 1)
    if as_json:
        typer.echo(json.dumps(found, ensure_ascii=False))
    else:
        _print(found, match, language)
        typer.echo(str(path))


def _print(found: dict[str, object], match: object, lang: str) -> None:
    from ludus.analysis.analysis import WORDS
    from ludus.analysis.telling import Teller, bots_called
    from ludus.bots import bot_names
    from ludus.core.words import LANGUAGES
    from ludus.match.match import Match
    from ludus.terminal.seating import name_of_bot

    assert isinstance(match, Match)
    called = {name_of_bot(bot, tongue) for bot in bot_names() for tongue in LANGUAGES}
    teller = Teller(found, match, lang, bots=bots_called(match.names, called))
    typer.echo(f"{match.setting.called(lang)}: {', '.join(match.names)}")
    for sentence in (teller.headline(), teller.rough(), teller.judged()):
        if sentence:
            typer.echo(sentence)
    typer.echo(WORDS.say(lang, "said.decided") + ":")
    for sentences in teller.decisive().values():
        for sentence in sentences:
            typer.echo(f"  {sentence}")
    for sentence in (*teller.strengths(), *teller.sums()):
        typer.echo(sentence)
