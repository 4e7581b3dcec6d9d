"""What several commands share: reading files, languages, progress, a clean end on Ctrl-C."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ludus.core.errors import FormatError
from ludus.core.words import LANGUAGES, LATIN, TONGUES

if TYPE_CHECKING:
    from rich.progress import Progress

    from ludus.lab.cluster import Cluster


def default_language() -> str:
    """The language of the environment, where it is one of ours."""
    for name in ("LC_ALL", "LC_MESSAGES", "LANG"):
        value = os.environ.get(name, "")[:2].lower()
        if value:
            return value if value in LANGUAGES else "en"
    return "en"


def read_language(given: str | None) -> str:
    """A language by its two letters, with "-la" for Latin names; `--lang` of every command."""
    if given is None:
        return default_language()
    if given not in TONGUES:
        known = f"{', '.join(LANGUAGES)}, and with Latin names {LANGUAGES[0]}-{LATIN} and so on"
        raise FormatError(f"there is no language {given!r:.20}; there are: {known}")
    return given


def read_text(path: Path) -> str:
    """The text of a file, or a clear sentence."""
    try:
        return path.read_text(encoding="utf-8")
    except UnicodeDecodeError:
        raise FormatError("this is no text file", source=str(path)) from None
    except OSError as error:
        raise FormatError(error.strerror or "cannot be read", source=str(path)) from None


DataFile = Annotated[
    Path | None,
    typer.Option(
        "--data", help="Own board, deck or prices; see: ludus data check --help.", show_default=False
    ),
]


def read_own_data(title: str | None, path: Path | None) -> str:
    """The text of the file that `--data` names, checked for this title; "" when none is named."""
    if path is None:
        return ""
    if title is None:
        raise FormatError("--data needs the title that the data are for: ludus play TITLE --data FILE")
    from ludus import titles as registry

    found = registry.title(title)
    text = read_text(path)
    try:
        found.read_own(text, found.read_setting(None, {})[1])
    except FormatError as error:
        raise FormatError(error.reason, source=str(path)) from None
    return text


def read_bots(given: str) -> list[str]:
    """Bots with commas between: by name, or one's own as `module:Class` from the folder one is in."""
    names = [part.strip() for part in given.split(",") if part.strip()]
    here = str(Path.cwd())
    if any(":" in name for name in names) and here not in sys.path:
        sys.path.insert(0, here)
    return names


def read_pairs(given: list[str]) -> dict[str, str]:
    """Options given as `name=value`."""
    pairs = {}
    for text in given:
        name, sign, value = text.partition("=")
        if not sign:
            raise FormatError(f"an option is given as name=value, not {text!r:.40}")
        pairs[name.strip()] = value.strip()
    return pairs


RayAddress = Annotated[
    str,
    typer.Option(
        "--ray",
        metavar="ADDRESS|local",
        help="Play on a Ray cluster; local: one on this machine.",
        show_default=False,
    ),
]


@contextmanager
def on_cluster(address: str, cores: int | None = None) -> Iterator[Cluster | None]:
    """The cluster of `--ray`; None where it was not given."""
    if not address:
        yield None
        return
    from ludus.lab.cluster import Cluster

    with Cluster(address, cores) as cluster:
        yield cluster


@contextmanager
def progress_bar(quiet: bool = False) -> Iterator[Progress]:
    """A progress bar with rate and estimate on standard error; Ctrl-C ends the command cleanly."""
    from rich.console import Console
    from rich.progress import (
        BarColumn,
        MofNCompleteColumn,
        Progress,
        TextColumn,
        TimeElapsedColumn,
        TimeRemainingColumn,
    )

    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TextColumn("{task.fields[rate]}"),
        TimeElapsedColumn(),
        TimeRemainingColumn(),
    )
    try:
        with Progress(*columns, console=Console(stderr=True), transient=True, disable=quiet) as progress:
            yield progress
    except KeyboardInterrupt:
        typer.echo("ludus: stopped", err=True)
        raise typer.Exit(130) from None
