"""Figures as a person reads them, and their places in the docs.

A figure in the docs stands between two lines, `<!-- ludus bench engine -->` and `<!-- end -->`, and
the command of that name with `--write-docs` fills what is between.  So every number in the docs has
a command that reproduces it.
"""

from __future__ import annotations

import platform
from collections.abc import Callable, Sequence
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING

from ludus.core.compilation import has_numba
from ludus.core.errors import FormatError, LudusError

if TYPE_CHECKING:
    from .engine_bench import EngineFigures

END = "<!-- end -->"
PAGES = ("docs/speed.md", "docs/host.md", "README.md")
NOTHING = "–"


# -- numbers ----------------------------------------------------------------------------------------


def short(number: float | None) -> str:
    """Three digits and a unit.

    >>> short(12_345_678), short(98_700), short(456.7), short(None)
    ('12.3 M', '98.7 k', '457', '–')
    """
    if number is None:
        return NOTHING
    for unit, size in (("G", 1e9), ("M", 1e6), ("k", 1e3)):
        if number >= 0.9995 * size:
            return f"{_three_digits(number / size)} {unit}"
    return _three_digits(number)


def _three_digits(number: float) -> str:
    places = 0 if number >= 99.95 else 1 if number >= 9.995 else 2
    return f"{number:.{places}f}"


def ratio(number: float | None) -> str:
    """Ours / theirs.

    >>> ratio(123.4), ratio(0.5), ratio(None)
    ('123×', '0.50×', '–')
    """
    return NOTHING if number is None else f"{_three_digits(number)}×"


def _plain(number: float | None) -> str:
    return NOTHING if number is None else f"{number:.1f}"


def _share(number: float | None) -> str:
    return NOTHING if number is None else f"{100 * number:.0f} %"


def _whole(number: float | None) -> str:
    return NOTHING if number is None else f"{number:.0f}"


# -- tables -----------------------------------------------------------------------------------------

_ROWS: tuple[tuple[str, str, Callable[[float | None], str]], ...] = (
    ("decisions/s, one thread", "decisions_per_second", short),
    ("decisions/s, all threads", "decisions_per_second_all_threads", short),
    ("actions/s, one thread", "actions_per_second", short),
    ("decisions/s, plain form", "plain_decisions_per_second", short),
    ("plies/s through Game", "game_plies_per_second", short),
    ("plies/s through Game, plain", "plain_game_plies_per_second", short),
    ("copies/s", "copies_per_second", short),
    ("decisions a game", "decisions_per_game", _plain),
    ("chance outcomes a game", "chance_per_game", _plain),
    ("legal actions, mean", "mean_legal", _plain),
    ("forced decisions", "forced_share", _share),
    ("bytes of a position", "state_bytes", _whole),
    ("cold compile, s", "cold_compile_s", _plain),
    ("warm start, s", "warm_start_s", _plain),
)


def title_rows(report: EngineFigures) -> list[list[str]]:
    """A heading row, then a figure a row and a title a column."""
    rows = [["", *report.titles]]
    for label, name, text in _ROWS:
        rows.append([label, *(text(getattr(figures, name)) for figures in report.titles.values())])
    return rows


def peer_rows(report: EngineFigures) -> list[list[str]]:
    """A heading row, then a peer a row: its rate, and ours / theirs for each title."""
    rows = [["peer", "decisions/s", *report.titles]]
    for name, peer in report.peers.items():
        if peer.missing:
            rows.append([name, peer.missing, *([""] * len(report.titles))])
        else:
            rows.append([name, short(peer.decisions_per_second), *map(ratio, peer.ratio.values())])
    return rows


def peer_notes(report: EngineFigures) -> list[str]:
    """What the ratios are, and how each peer was played, those together that were played alike."""
    names: dict[str, list[str]] = {}
    for name, peer in report.peers.items():
        if peer.how:
            names.setdefault(peer.how, []).append(name)
    notes = [f"{', '.join(group)}: {how}." for how, group in names.items()]
    return ["N×: our decisions/s on one thread, by those of the peer.", *notes] if notes else []


def machine(threads: int) -> str:
    """The machine in general words."""
    numba = f"Numba {version('numba')}" if has_numba() else "no Numba"
    cores = "1 core" if threads == 1 else f"{threads} cores"
    return f"{cores} ({platform.machine()}), Python {platform.python_version()}, {numba}"


def markdown(report: EngineFigures, command: str) -> str:
    """Tables, notes, command and machine, as they stand in the docs."""
    parts = [markdown_table(title_rows(report))]
    if report.peers:
        parts += [markdown_table(peer_rows(report)), "\n".join(f"- {n}" for n in peer_notes(report))]
    parts.append(f"By `{command}`, on {machine(report.threads)}.")
    return "\n\n".join(part for part in parts if part)


def markdown_table(rows: Sequence[Sequence[str]]) -> str:
    """A table of the docs: a heading row, then rows of a name and figures."""
    heading, *body = rows
    ruler = ["---", *(["---:"] * (len(heading) - 1))]
    return "\n".join("| " + " | ".join(row) + " |" for row in (heading, ruler, *body))


# -- places in the docs -------------------------------------------------------------------------------


def fill(text: str, command: str, body: str) -> str:
    """The text with `body` between every pair of markers of a command.

    >>> print(fill("a\\n<!-- ludus bench engine -->\\nold\\n<!-- end -->\\nb", "ludus bench engine", "new"))
    a
    <!-- ludus bench engine -->
    new
    <!-- end -->
    b
    """
    marker, lines = f"<!-- {command} -->", iter(enumerate(text.split("\n"), 1))
    filled: list[str] = []
    for number, line in lines:
        filled.append(line)
        if line.strip() != marker:
            continue
        if not any(inner.strip() == END for _, inner in lines):  # drops what stood there
            raise FormatError(f"{marker} has no {END} after it", number)
        filled += [body, END]
    return "\n".join(filled)


def docs_folder() -> Path:
    """The checkout whose docs are to be written: here, or where this package lies."""
    for folder in (Path.cwd(), Path(__file__).parents[3]):
        if (folder / PAGES[0]).is_file():
            return folder
    raise LudusError(f"there is no {PAGES[0]} here; --write-docs wants a checkout of Ludus")


def write_docs(folder: Path, command: str, body: str) -> list[str]:
    """Fill the markers of a command in all pages; the pages that have any."""
    written = []
    for name in PAGES:
        path = folder / name
        text = path.read_text(encoding="utf-8") if path.is_file() else ""
        if f"<!-- {command} -->" in text:
            try:
                path.write_text(fill(text, command, body), encoding="utf-8")
            except FormatError as error:
                raise FormatError(error.reason, error.line, name) from None
            written.append(name)
    return written
